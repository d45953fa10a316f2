"""The RDF beside each page: what the doctrine says of the things on it, in Turtle, the same bytes for the same graph."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import pyoxigraph as ox
from rdflib import Graph
from rdflib.term import BNode, Node, URIRef
from rdflib.term import Literal as RDFLiteral

from kg.pages.address import listing
from kg.pages.page import Page
from loader import iris
from loader.iris import ns, symbol

_CITES: Final = iris.CITO + "citesAsAuthority"
_INWARD: Final = frozenset({ns("mentions"), ns("about"), ns("outcome"), ns("signifies"), _CITES})
"""By which a clause leads to a thing: a page that lists those clauses tells of them in its twin too."""

Subject = ox.NamedNode | ox.BlankNode
Object = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple


@dataclass(frozen=True)
class Source:
    """The triples of a graph, by subject, and those that lead to a thing from the clauses that speak of it."""

    by_subject: Mapping[str, tuple[ox.Triple, ...]]
    inward: Mapping[str, tuple[ox.Triple, ...]]

    def twin(self, page: Page) -> bytes:
        """The Turtle beside a page: a concise description of its things; of a list, what it says of them."""
        found: dict[ox.Triple, None] = {}
        for triple in (*self._of_list(page), *(t for iri in dict.fromkeys((page.iri, *page.about)) for t in self._described(iri, page))):
            found.setdefault(triple)
        return turtle(_relabelled(found))

    def _described(self, iri: str, page: Page) -> Iterator[ox.Triple]:
        for triple in self.by_subject.get(str(ox.NamedNode(iri)), ()):
            if not page.only or triple.predicate.value in page.only:
                yield triple
                if isinstance(triple.object, ox.BlankNode):
                    yield from self._closed(triple.object, set())
        if not page.only:
            yield from self.inward.get(iri, ())

    def _closed(self, node: ox.BlankNode, seen: set[str]) -> Iterator[ox.Triple]:
        if str(node) in seen:
            return
        seen.add(str(node))
        for triple in self.by_subject.get(str(node), ()):
            yield triple
            if isinstance(triple.object, ox.BlankNode):
                yield from self._closed(triple.object, seen)

    def _of_list(self, page: Page) -> Iterator[ox.Triple]:
        if page.iri.startswith(symbol("page", "")):
            me = ox.NamedNode(page.iri)
            for language, title in page.title.items():
                yield ox.Triple(me, ox.NamedNode(iris.DCTERMS + "title"), ox.Literal(title, language=language))
            for part in page.about:
                if str(ox.NamedNode(part)) in self.by_subject and part.count("/") < 7:
                    yield ox.Triple(me, ox.NamedNode(iris.DCTERMS + "references"), ox.NamedNode(part))
            if page.iri == listing("index"):
                yield ox.Triple(me, ox.NamedNode(iris.DCTERMS + "references"), ox.NamedNode(iris.NS))


def source(triples: Iterable[ox.Triple]) -> Source:
    """The triples of a graph, sorted, ready to describe things."""
    by_subject: dict[str, list[ox.Triple]] = {}
    inward: dict[str, list[ox.Triple]] = {}
    for triple in triples:
        by_subject.setdefault(str(triple.subject), []).append(triple)
        if triple.predicate.value in _INWARD and isinstance(triple.object, ox.NamedNode) and str(triple.subject).startswith(f"<{iris.BASE}clause/"):
            inward.setdefault(triple.object.value, []).append(triple)
    shape = _Shape(by_subject)
    sorted_by_subject = {s: tuple(sorted(set(found), key=shape.key)) for s, found in by_subject.items()}
    return Source(sorted_by_subject, {iri: tuple(sorted(set(found), key=str)) for iri, found in inward.items()})


class _Shape:
    """Sort keys of triples in which a blank node counts as what is said of it, since its label is chance."""

    def __init__(self, by_subject: Mapping[str, list[ox.Triple]]) -> None:
        self._by_subject = by_subject
        self._known: dict[str, str] = {}

    def key(self, triple: ox.Triple) -> tuple[str, str]:
        return triple.predicate.value, self._of(triple.object, ())

    def _of(self, node: Object, above: tuple[str, ...]) -> str:
        if not isinstance(node, ox.BlankNode):
            return str(node)
        label = str(node)
        if label not in self._known and label not in above:
            parts = sorted(f"{t.predicate} {self._of(t.object, (*above, label))}" for t in self._by_subject.get(label, ()))
            self._known[label] = f"[{' ; '.join(parts)}]"
        return self._known.get(label, "[]")


def from_rdflib(graph: Graph) -> Iterator[ox.Triple]:
    """The triples of an rdflib graph as pyoxigraph has them."""
    for s, p, o in graph:
        yield ox.Triple(_subject(s), ox.NamedNode(str(p)), _object(o))


def _subject(node: Node) -> Subject:
    return ox.BlankNode(str(node)) if isinstance(node, BNode) else ox.NamedNode(str(node))


def _object(node: Node) -> Subject | ox.Literal:
    if not isinstance(node, RDFLiteral):
        return _subject(node)
    if node.language:
        return ox.Literal(str(node), language=node.language)
    return ox.Literal(str(node), datatype=ox.NamedNode(str(node.datatype))) if isinstance(node.datatype, URIRef) else ox.Literal(str(node))


def _relabelled(triples: Iterable[ox.Triple]) -> list[ox.Triple]:
    """Triples with their blank nodes named by the order in which they come."""
    names: dict[str, ox.BlankNode] = {}

    def named(node: Subject) -> Subject:
        return names.setdefault(node.value, ox.BlankNode(f"b{len(names)}")) if isinstance(node, ox.BlankNode) else node

    found = []
    for t in triples:
        subject = t.subject if isinstance(t.subject, ox.Triple) else named(t.subject)
        found.append(ox.Triple(subject, t.predicate, named(t.object) if isinstance(t.object, ox.BlankNode) else t.object))
    return found


def turtle(triples: list[ox.Triple]) -> bytes:
    """Turtle with those of our prefixes that are used."""
    nodes = {n.value.rstrip("/") for t in triples for n in (t.subject, t.predicate, t.object) if isinstance(n, ox.NamedNode)}
    heads = {n[: max(n.rfind("/"), n.rfind("#")) + 1] for n in nodes}
    return ox.serialize(triples, format=ox.RdfFormat.TURTLE, prefixes={p: iri for p, iri in iris.PREFIXES.items() if iri in heads}) or b""
