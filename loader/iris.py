"""The only place that mints IRIs: `ns/Term`, `id/<kind>/<key>`, `text/<work>/<chapter>/<n>`, `clause/<id>`, `cast/<hash>`, `census/<hash>`."""

import hashlib
import json
from collections.abc import Mapping
from typing import Final

BASE: Final = "https://w3id.org/guigu/"
NS: Final = BASE + "ns/"
RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
OWL: Final = "http://www.w3.org/2002/07/owl#"
SKOS: Final = "http://www.w3.org/2004/02/skos/core#"
DCTERMS: Final = "http://purl.org/dc/terms/"
XSD: Final = "http://www.w3.org/2001/XMLSchema#"
SH: Final = "http://www.w3.org/ns/shacl#"
OA: Final = "http://www.w3.org/ns/oa#"
PROV: Final = "http://www.w3.org/ns/prov#"
VOID: Final = "http://rdfs.org/ns/void#"
QB: Final = "http://purl.org/linked-data/cube#"
CITO: Final = "http://purl.org/spar/cito/"
TYPE: Final = RDF + "type"
DOCTRINE_GRAPH: Final = BASE + "graph/doctrine"
"""Named graph in which an endpoint keeps the doctrine."""

Triple = tuple[str, str, str]
"""Three IRIs; what the reasoners see holds no literals."""


def ns(term: str) -> str:
    """IRI of a vocabulary term.

    >>> ns("Void")
    'https://w3id.org/guigu/ns/Void'
    """
    return NS + term


def symbol(kind: str, key: str | int) -> str:
    """IRI of a symbol, table, scheme or other named individual.

    >>> symbol("branch", "wu")
    'https://w3id.org/guigu/id/branch/wu'
    """
    return f"{BASE}id/{kind}/{key}"


def key(iri: str) -> str:
    """Last step of an IRI: `key(symbol("branch", "wu"))` is `wu`."""
    return iri.rsplit("/", 1)[-1]


def passage(work: str, chapter: str, number: int) -> str:
    """IRI of a passage, the n-th paragraph of the document in which its chapter stands."""
    return f"{BASE}text/{work}/{chapter}/{number}"


def chapter(work: str, name: str) -> str:
    """IRI of a chapter."""
    return f"{BASE}text/{work}/{name}"


def graph(key: str) -> str:
    """IRI of a named graph of a release."""
    return f"{BASE}graph/{key}"


def release(version: str, name: str = "") -> str:
    """IRI of a release, or of something in it."""
    return f"{BASE}release/{version}/{name}" if name else f"{BASE}release/{version}"


def clause(clause_id: str) -> str:
    """IRI of a clause; its id is stable."""
    return f"{BASE}clause/{clause_id}"


def expression(canonical: str) -> str:
    """IRI of the class of what satisfies an expression, from its canonical text."""
    return symbol("expression", hashlib.sha256(canonical.encode()).hexdigest()[:16])


def cast(given: Mapping[str, object]) -> str:
    """IRI of a cast: the same input and conventions have the same IRI on every machine."""
    return f"{BASE}cast/{_hash(given)}"


def census(stated: Mapping[str, object]) -> str:
    """IRI of a census: the same counts of the same version have the same IRI on every machine."""
    return f"{BASE}census/{_hash(stated)}"


def _hash(stated: Mapping[str, object]) -> str:
    text = json.dumps(stated, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def counted(census_iri: str, *keys: str) -> str:
    """IRI of a data set of a census, or of an observation in it, by what it is about: `counted(c, "clauses", "days", "yy-taichan-013")`."""
    return "/".join((census_iri, *keys))


def genid(label: str) -> str:
    """IRI for a blank node, where a store must be told of it piece by piece (RDF 1.1, section 3.5)."""
    return f"{BASE}.well-known/genid/{label}"


def part(cast_iri: str, kind: str, number: int | str | None = None) -> str:
    """IRI of a line, pillar or figure of a cast: `part(c, "line", 3)`."""
    return f"{cast_iri}/{kind}" if number is None else f"{cast_iri}/{kind}/{number}"


def cast_of(iri: str) -> str:
    """IRI of the cast to which a line, pillar or figure belongs; other IRIs give something that is no cast.

    >>> cast_of(part(BASE + "cast/abc", "line", 3)) == BASE + "cast/abc"
    True
    """
    start = len(BASE) + len("cast/")
    end = iri.find("/", start)
    return iri if end < 0 else iri[:end]


PREFIXES: Final = {
    "g": NS,
    "clause": BASE + "clause/",
    "text": BASE + "text/",
    "cast": BASE + "cast/",
    "census": BASE + "census/",
    "expression": symbol("expression", ""),
    **{
        kind: symbol(kind, "")
        for kind in (
            "aspect",
            "topic",
            "omen",
            "outcome",
            "branch",
            "stem",
            "element",
            "pair",
            "kin",
            "trigram",
            "hexagram",
            "stage",
            "star",
            "spirit",
            "table",
            "role",
            "relative",
            "work",
            "person",
            "quantity",
            "query",
            "door",
            "ninestar",
            "deity",
            "luoshu",
            "mountain",
            "pattern",
            "space",
        )
    },
    "cito": CITO,
    "oa": OA,
    "prov": PROV,
    "qb": QB,
    "semapv": "https://w3id.org/semapv/vocab/",
    "sssom": "https://w3id.org/sssom/",
    "dcterms": DCTERMS,
    "owl": OWL,
    "rdf": RDF,
    "rdfs": RDFS,
    "sh": SH,
    "skos": SKOS,
    "xsd": XSD,
}
"""Prefixes of what we write, and of queries that declare none."""
