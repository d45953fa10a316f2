"""What the served data say of an IRI that has no page of its own, such as a cast: a table, as it stands."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

import pyoxigraph as ox

from kg.server.library import Library
from loader import iris
from loader.ontology import Literal, Node

_VALUES: Final = 200
"""Values of a predicate that are shown."""
_PARTS: Final = 500
"""Parts of a thing that are listed."""


@dataclass(frozen=True, slots=True)
class Row:
    """A predicate with what it leads to, or what leads to the thing by it; `more` is how many are left out."""

    predicate: str
    nodes: tuple[Node, ...]
    more: int


@dataclass(frozen=True, slots=True)
class Record:
    """What is said of a thing.

    Attributes:
        iri: its IRI.
        name: its label or the path of its IRI.
        rows: what is said of it.
        inward: what refers to it.
        parts: IRIs below its own.
        graph: whether it is a graph that is served.
    """

    iri: str
    name: str
    rows: tuple[Row, ...]
    inward: tuple[Row, ...]
    parts: tuple[str, ...]
    graph: bool


def record(iri: str, library: Library) -> Record:
    """What the served data say of an IRI."""
    node, store = ox.NamedNode(iri), library.store.store
    said = [(q.predicate.value, q.object) for q in store.quads_for_pattern(node, None, None, ox.DefaultGraph())]
    inward = [(q.predicate.value, q.subject) for q in store.quads_for_pattern(None, None, node, ox.DefaultGraph())]
    labels = [o.value for p, o in said if p in (iris.RDFS + "label", iris.SKOS + "prefLabel") and isinstance(o, ox.Literal)]
    name = labels[0] if labels else iri.removeprefix(iris.BASE)
    return Record(iri, name, tuple(_rows(said)), tuple(_rows(inward)), tuple(islice(library.parts(iri), _PARTS)), iri in library.dataset.named)


def _rows(found: Iterable[tuple[str, object]]) -> Iterator[Row]:
    by_predicate: dict[str, list[Node]] = {}
    for predicate, term in found:
        node = _node(term)
        if node is not None:
            by_predicate.setdefault(predicate, []).append(node)
    for predicate, nodes in sorted(by_predicate.items(), key=lambda pair: (pair[0] != iris.TYPE, pair[0])):
        ordered = sorted(nodes, key=str)
        yield Row(predicate, tuple(ordered[:_VALUES]), max(0, len(nodes) - _VALUES))


def _node(term: object) -> Node | None:
    """A term as the pages have it; blank nodes have no name to show."""
    if isinstance(term, ox.NamedNode):
        return term.value
    if isinstance(term, ox.Literal):
        return Literal(term.value, term.language, term.datatype.value)
    return None
