"""The dataset that a release holds: named graphs, each with what it is and its licence, in one canonical form.

The canonical form is RDFC-1.0: blank nodes are named by what they say, so the same sources give the same bytes on any machine.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

import pyoxigraph as ox

from kg.anchor import anchors
from kg.graph import PARTS, part
from kg.reasoning.reasonable_engine import ReasonableClosure
from loader import iris
from loader.chapter import chapters
from loader.errors import OntologyError
from loader.ontology import Literal

CC_BY: Final = "https://creativecommons.org/licenses/by/4.0/"
PUBLIC_DOMAIN: Final = "https://creativecommons.org/publicdomain/mark/1.0/"
NOT_STATED: Final = "The Korean translation was supplied with the documents; its rights are not stated."
RIGHTS: Final = f"Our encoding: CC BY 4.0. The classical text: public domain. {NOT_STATED} Each graph states its own."
"""What is to be said of the rights of the whole."""


@dataclass(frozen=True, slots=True)
class Part:
    """A named graph of the release.

    Attributes:
        key: last step of its IRI, and its name in the release.
        title: what it is, in English, Korean and Chinese.
        description: what it holds.
        licence: IRI of its licence, or None where none is stated.
        rights: what is to be said of its rights in words.
    """

    key: str
    title: tuple[str, str, str]
    description: str
    licence: str | None = CC_BY
    rights: str = "Our encoding."

    @property
    def iri(self) -> str:
        """The name of the graph."""
        return iris.graph(self.key)


CATALOGUE: Final = (
    Part("ontology", ("ontology", "온톨로지", "本體"), "Classes and properties: texts, clauses, casts, verdicts, the names of conditions, conventions."),
    Part("symbols", ("symbols", "상징", "象"), "Symbols, aspects, outcomes, roles, relatives, topics and works, as SKOS concepts."),
    Part("tables", ("tables", "표", "表"), "Tables of the doctrine cell by cell, with source, confidence and variants."),
    Part(
        "text",
        ("classical text", "원문", "原文"),
        "Chapters and passages with the classical Chinese text.",
        PUBLIC_DOMAIN,
        "The classical text is in the public domain.",
    ),
    Part("translation", ("Korean translation", "한국어 번역", "韓譯"), "The Korean translation of passages and clauses.", None, NOT_STATED),
    Part("clauses", ("clauses", "조목", "條"), "Clauses: quote, condition, conclusion, doubts, emendations, our English reading."),
    Part(
        "anchors",
        ("anchors", "자리", "錨"),
        "Web Annotations that anchor each clause in the characters that it quotes.",
        None,
        f"Our choice of places: CC BY 4.0. The classical words are in the public domain. {NOT_STATED}",
    ),
    Part("axioms", ("axioms", "공리", "公理"), "The conditions compiled to OWL 2 RL, under the default conventions."),
    Part("mappings", ("mappings", "대응", "對應"), "Mappings between the two traditions (SSSOM), negative ones included, and the comparisons."),
    Part("questions", ("questions", "질문", "問"), "The library of questions, as SHACL SPARQLExecutable."),
    Part("closure", ("closure", "폐포", "閉包"), "What follows from the other graphs by OWL 2 RL and is not stated in them."),
)
"""The graphs of a release, in the order in which they are written."""


def triples(key: str) -> list[ox.Triple]:
    """The triples of a graph of the catalogue; of `closure` see `closure`.

    Raises:
        OntologyError: no graph has that key.
    """
    if key == "anchors":
        return [triple(s, p, o) for s, p, o in anchors(chapters())]
    if key in PARTS:
        return part(key)
    raise OntologyError(f"no graph is named {key!r}", todo=f"there are: {', '.join(p.key for p in CATALOGUE)}")


def triple(s: str, p: str, o: str | Literal) -> ox.Triple:
    """A triple of the embedded store from IRIs and a literal of ours."""
    value = ox.NamedNode(o) if isinstance(o, str) else _literal(o)
    return ox.Triple(ox.NamedNode(s), ox.NamedNode(p), value)


def _literal(o: Literal) -> ox.Literal:
    return ox.Literal(o.text, language=o.language) if o.language else ox.Literal(o.text, datatype=ox.NamedNode(o.datatype))


def closure(asserted: Mapping[str, Iterable[ox.Triple]]) -> list[ox.Triple]:
    """What follows by OWL 2 RL from the asserted graphs and stands in none of them.

    Literals are left out, and so are the statements that say nothing: that a thing is itself, or is a thing.
    """
    stated = {key: {tuple(map(_name, t)) for t in found if not isinstance(t.object, ox.Literal)} for key, found in asserted.items()}
    plain = set().union(*stated.values())
    empty = {(iris.TYPE, iris.OWL + "Thing"), (iris.TYPE, iris.RDFS + "Resource"), (iris.RDFS + "subClassOf", iris.OWL + "Thing")}
    derived: set[tuple[str, str, str]] = set()
    # What conditions say is of casts. A symbol must not fall under them, so they are closed with the terms, without the symbols.
    for keys in ({"ontology", "axioms"}, set(asserted) - {"axioms"}):
        engine = ReasonableClosure()
        engine.add({(s, p, o) for key in keys for s, p, o in stated.get(key, ())})
        derived |= engine.close()
    return [
        ox.Triple(ox.NamedNode(s), ox.NamedNode(p), ox.NamedNode(o))
        for s, p, o in sorted(derived - plain)
        if s.startswith("http") and o.startswith("http") and s != o and (p, o) not in empty and not s.startswith((iris.OWL, iris.RDF, iris.RDFS, iris.XSD))
    ]


def _name(term: object) -> str:
    return f"_:{term.value}" if isinstance(term, ox.BlankNode) else str(getattr(term, "value", term))


@dataclass(frozen=True, slots=True)
class Dataset:
    """A dataset in canonical form.

    Attributes:
        graphs: key of a graph to its lines of N-Quads, sorted.
    """

    graphs: Mapping[str, tuple[str, ...]]

    def lines(self) -> Iterator[str]:
        """All lines of canonical N-Quads, sorted."""
        yield from sorted(line for lines in self.graphs.values() for line in lines)

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical N-Quads (RDFC-1.0), in hexadecimal."""
        found = hashlib.sha256()
        for line in self.lines():
            found.update(line.encode())
        return found.hexdigest()

    def quads(self) -> list[ox.Quad]:
        """All quads, in canonical order."""
        return list(ox.parse("".join(self.lines()), format=ox.RdfFormat.N_QUADS))


def canonical(graphs: Mapping[str, Iterable[ox.Triple]]) -> Dataset:
    """The dataset of some graphs by key, its blank nodes named by RDFC-1.0."""
    found = ox.Dataset(ox.Quad(t.subject, t.predicate, t.object, ox.NamedNode(iris.graph(key))) for key, triples in graphs.items() for t in triples)
    found.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    by_graph: dict[str, list[str]] = {iris.graph(key): [] for key in graphs}
    for quad in found:
        by_graph[str(quad.graph_name.value)].append(f"{quad} .\n")
    return Dataset({iris.key(graph): tuple(sorted(lines)) for graph, lines in by_graph.items()})


@cache
def doctrine() -> Dataset:
    """Everything that the books say, and what follows, as a release holds it."""
    asserted = {p.key: triples(p.key) for p in CATALOGUE if p.key != "closure"}
    return canonical(asserted | {"closure": closure(asserted)})
