"""What the endpoint says of itself: the SPARQL 1.1 service description, and VoID of what it serves."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

import pyoxigraph as ox

from kg.version import VERSION
from loader import iris

SD: Final = "http://www.w3.org/ns/sparql-service-description#"
_FORMATS: Final = "http://www.w3.org/ns/formats/"
_RESULTS: Final = ("SPARQL_Results_JSON", "SPARQL_Results_XML", "SPARQL_Results_CSV", "SPARQL_Results_TSV", "Turtle", "N-Triples", "RDF_XML", "JSON-LD")
_SIMPLE: Final = "http://www.w3.org/ns/entailment/Simple"
_OWL: Final = "http://www.w3.org/ns/entailment/OWL-RDF-Based"
_RL: Final = "http://www.w3.org/ns/owl-profile/RL"
_VOCABULARIES: Final = (iris.NS, iris.SKOS, iris.DCTERMS, iris.OWL, iris.RDFS, iris.CITO, iris.SH)
PREFIXES: Final = {"sd": SD, "void": iris.VOID} | iris.PREFIXES
"""Prefixes of what is written here."""


def service(endpoint: str, counts: Mapping[str, int], closures: Collection[str], federated: bool) -> Iterator[ox.Triple]:
    """The service description.

    The store holds what is asserted, casts included, and infers nothing while it answers: simple entailment. A graph that holds the
    closure answers for OWL 2 RL, since what follows has been put there.

    Args:
        endpoint: address of the endpoint.
        counts: triples of each graph; `` is the default graph.
        closures: the graphs that hold what follows by OWL 2 RL.
        federated: whether SERVICE may be used.
    """
    me, dataset, default = (f"{endpoint}#{name}" for name in ("service", "dataset", "default"))
    yield _said(me, iris.TYPE, SD + "Service")
    yield _said(me, SD + "endpoint", endpoint)
    yield _said(me, SD + "supportedLanguage", SD + "SPARQL11Query")
    if federated:
        yield _said(me, SD + "feature", SD + "BasicFederatedQuery")
    for form in _RESULTS:
        yield _said(me, SD + "resultFormat", _FORMATS + form)
    yield _said(me, SD + "defaultEntailmentRegime", _SIMPLE)
    yield _said(me, SD + "defaultDataset", dataset)
    yield _said(dataset, iris.TYPE, SD + "Dataset")
    yield _said(dataset, SD + "defaultGraph", default)
    yield from _graph(default, counts.get("", 0))
    for name in sorted(n for n in counts if n):
        node = f"{endpoint}#named-{_slug(name)}"
        graph = f"{endpoint}#graph-{_slug(name)}"
        yield _said(dataset, SD + "namedGraph", node)
        yield _said(node, iris.TYPE, SD + "NamedGraph")
        yield _said(node, SD + "name", name)
        yield _said(node, SD + "graph", graph)
        yield _said(node, SD + "entailmentRegime", _OWL if name in closures else _SIMPLE)
        if name in closures:
            yield _said(node, SD + "supportedEntailmentProfile", _RL)
        yield from _graph(graph, counts[name])


def void(endpoint: str, counts: Mapping[str, int], examples: Iterable[str]) -> Iterator[ox.Triple]:
    """VoID of the dataset that is served now."""
    me = iris.BASE + "void"
    yield _said(me, iris.TYPE, iris.VOID + "Dataset")
    yield ox.Triple(ox.NamedNode(me), ox.NamedNode(iris.DCTERMS + "title"), ox.Literal("guigu", language="en"))
    yield ox.Triple(ox.NamedNode(me), ox.NamedNode(iris.OWL + "versionInfo"), ox.Literal(VERSION))
    yield ox.Triple(ox.NamedNode(me), ox.NamedNode(iris.VOID + "uriSpace"), ox.Literal(iris.BASE))
    yield _said(me, iris.VOID + "sparqlEndpoint", endpoint)
    yield _counted(me, counts.get("", 0))
    for vocabulary in _VOCABULARIES:
        yield _said(me, iris.VOID + "vocabulary", vocabulary)
    for example in examples:
        yield _said(me, iris.VOID + "exampleResource", example)
    for name in sorted(n for n in counts if n):
        yield _said(me, iris.VOID + "subset", name)
        yield _said(name, iris.TYPE, iris.VOID + "Dataset")
        yield _counted(name, counts[name])


def _graph(node: str, triples: int) -> Iterator[ox.Triple]:
    yield _said(node, iris.TYPE, SD + "Graph")
    yield _said(node, iris.TYPE, iris.VOID + "Dataset")
    yield _counted(node, triples)


def _said(subject: str, predicate: str, value: str) -> ox.Triple:
    return ox.Triple(ox.NamedNode(subject), ox.NamedNode(predicate), ox.NamedNode(value))


def _counted(node: str, triples: int) -> ox.Triple:
    return ox.Triple(ox.NamedNode(node), ox.NamedNode(iris.VOID + "triples"), ox.Literal(triples))


def _slug(iri: str) -> str:
    """What names a graph in a fragment: its IRI below ours, else all of it, with what no fragment holds written out."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "-._~") else f"-{ord(c):x}-" for c in iri.removeprefix(iris.BASE))
