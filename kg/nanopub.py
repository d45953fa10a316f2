"""One clause as a nanopublication: what it asserts, where the text says so, and who publishes it, in four named graphs."""

from collections.abc import Iterator
from typing import Final

import pyoxigraph as ox

from kg.dataset import CC_BY, triples
from loader import iris
from loader.chapter import clauses
from loader.errors import UnknownName
from loader.ontology import ontology

NP: Final = "http://www.nanopub.org/nschema#"


def nanopub(clause: str) -> str:
    """The nanopublication of a clause as TriG; the same clause gives the same text.

    Raises:
        UnknownName: no clause has that id, with near matches.

    >>> nanopub("yy-taichan-013").count("Nanopublication")
    1
    """
    found = clauses().get(clause)
    if found is None:
        raise UnknownName(clause, "clause", clauses(), where="--nanopub", todo="Ids look like yy-taichan-013")
    return (ox.serialize(list(_quads(found.iri, found.passage.iri)), format=ox.RdfFormat.TRIG, prefixes=_prefixes(clause)) or b"").decode()


def _base(clause: str) -> str:
    return f"{iris.BASE}np/{clause}"


def _prefixes(clause: str) -> dict[str, str]:
    used = {k: v for k, v in iris.PREFIXES.items() if k in ("g", "clause", "text", "aspect", "omen", "outcome", "topic", "dcterms", "rdfs", "xsd", "cito")}
    return used | {"np": NP, "prov": iris.PROV, "this": _base(clause) + "#"}


def _quads(iri: str, passage: str) -> Iterator[ox.Quad]:
    me = _base(iris.key(iri))
    graphs = {name: f"{me}#{name}" for name in ("Head", "assertion", "provenance", "pubinfo")}

    def quad(graph: str, s: str, p: str, o: ox.NamedNode | ox.Literal) -> ox.Quad:
        return ox.Quad(ox.NamedNode(s), ox.NamedNode(p), o, ox.NamedNode(graphs[graph]))

    yield quad("Head", me, iris.TYPE, ox.NamedNode(NP + "Nanopublication"))
    for prop, graph in (("hasAssertion", "assertion"), ("hasProvenance", "provenance"), ("hasPublicationInfo", "pubinfo")):
        yield quad("Head", me, NP + prop, ox.NamedNode(graphs[graph]))
    for t in sorted(_of(iri), key=str):
        yield ox.Quad(t.subject, t.predicate, t.object, ox.NamedNode(graphs["assertion"]))
    yield quad("provenance", graphs["assertion"], iris.PROV + "wasQuotedFrom", ox.NamedNode(passage))
    yield quad("provenance", graphs["assertion"], iris.PROV + "wasAttributedTo", ox.NamedNode(iris.BASE + "project"))
    for t in sorted((t for t in triples("text") if getattr(t.subject, "value", "") == passage), key=str):
        yield ox.Quad(t.subject, t.predicate, t.object, ox.NamedNode(graphs["provenance"]))
    yield quad("pubinfo", me, iris.DCTERMS + "creator", ox.NamedNode(iris.BASE + "project"))
    yield quad("pubinfo", me, iris.DCTERMS + "license", ox.NamedNode(CC_BY))
    yield quad("pubinfo", me, iris.RDFS + "label", ox.Literal(f"clause {iris.key(iri)}", language="en"))
    day = ontology().text(iris.NS, iris.DCTERMS + "modified")
    if day:
        # The day of the release, not of the export: the same clause has the same nanopublication.
        yield quad("pubinfo", me, iris.DCTERMS + "created", ox.Literal(f"{day[:10]}T00:00:00Z", datatype=ox.NamedNode(iris.XSD + "dateTime")))


def _of(iri: str) -> list[ox.Triple]:
    """What is said of a clause and of its parts: timing, emendations, other reading; not the translation, whose rights are not ours to give."""
    return [t for t in triples("clauses") if isinstance(t.subject, ox.NamedNode) and (t.subject.value == iri or t.subject.value.startswith(iri + "/"))]
