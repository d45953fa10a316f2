"""Loading RDF to an endpoint by SPARQL 1.1 Update: whole or not at all, and resumed where it stopped.

The triples go batch by batch into a graph beside the one that is read, whose name is of their content; each batch says in the same update
that it is there, in a graph of marks. When all are there and the count is right, one update puts them into place. A run that was broken
off thus leaves what readers see as it was, and the next run of the same content sends only what lacks.

Oxigraph runs an update as one transaction. Virtuoso 7.2.5 has no transaction over a whole update, so while it copies (half a second for
the doctrine) readers may see a part; and it takes `true` and `1` of one subject and property for one, which the count then tells.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import pyoxigraph as ox

from kg.endpoint import EndpointStore
from kg.rows import Rows
from loader import iris
from loader.errors import EndpointError, InputError, quoted

BATCH_TRIPLES: Final = 2_000
"""Triples of a batch; the compiler of Virtuoso 7.2.5 runs out of stack at some 5,000."""
BATCH_BYTES: Final = 2**19
"""Bytes of a batch, unless one triple has more; a triple that has more goes alone."""
_PART: Final = iris.DCTERMS + "hasPart"


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a load did.

    Attributes:
        triples: in the graph now.
        sent: batches sent.
        already: batches of an earlier run that were there.
    """

    triples: int
    sent: int
    already: int


def load(endpoint: EndpointStore, triples: Iterable[ox.Triple], graph: str, progress: Callable[[int, int], None] = lambda _done, _all: None) -> Loaded:
    """Replace a graph of an endpoint by the given triples; its blank nodes become IRIs.

    Args:
        endpoint: where to; what graph it asks is of no account here.
        triples: in any order, also repeated.
        graph: IRI of the graph.
        progress: told the triples that are there and all of them, after each batch.

    Raises:
        InputError: no triple, or a graph that is no IRI.
        EndpointError: it failed; the graph is as it was, and another run goes on.
    """
    try:
        ox.NamedNode(graph)
    except ValueError as error:
        raise InputError(f"{quoted(graph)} is no IRI", where="--graph") from error
    lines = _lines(triples)
    if not lines:
        raise InputError("there is nothing to load")
    batches = tuple(_batches(lines))
    store = _Loading(replace(endpoint, graph=None), graph, batches, len(lines))
    sent, already = store.fill(progress)
    if already and not store.holds(store.staging):  # marks without their batches: left by a run that was broken off while it tidied
        store.tidy()
        sent, already = store.fill(progress)
    if not store.holds(store.staging):
        store.tidy()
        raise store.spoilt(store.staging)
    store.endpoint.update(f"COPY GRAPH <{store.staging}> TO GRAPH <{graph}>")
    if not store.holds(graph):
        raise store.spoilt(graph)
    store.tidy()
    return Loaded(len(lines), sent, already)


class _Loading:
    """A load under way: the graph that is filled beside the one that is read, and the graph of marks."""

    def __init__(self, endpoint: EndpointStore, graph: str, batches: tuple[tuple[str, ...], ...], count: int) -> None:
        self.endpoint, self.batches, self.count = endpoint, batches, count
        self.marks = f"{graph}/loading"
        self.staging = f"{self.marks}/{_digest(batches)}"

    def fill(self, progress: Callable[[int, int], None]) -> tuple[int, int]:
        """Send the batches that lack; gives how many were sent, and how many were there."""
        there = self._there()
        done = already = 0
        for number, batch in enumerate(self.batches):
            mark = f"{self.staging}/{number}"
            if mark in there:
                already += 1
            else:
                text = "\n".join(batch)
                self.endpoint.update(f"INSERT DATA {{ GRAPH <{self.staging}> {{\n{text}\n}} GRAPH <{self.marks}> {{ <{self.staging}> <{_PART}> <{mark}> }} }}")
            done += len(batch)
            progress(done, self.count)
        return len(self.batches) - already, already

    def _there(self) -> set[str]:
        """Marks of the batches that are there; what runs of other contents left is dropped."""
        there: set[str] = set()
        others: dict[str, None] = {}
        for graph, mark in self._pairs(f"SELECT ?graph ?mark WHERE {{ GRAPH <{self.marks}> {{ ?graph <{_PART}> ?mark }} }}"):
            if graph == self.staging:
                there.add(mark)
            elif re.fullmatch(re.escape(self.marks) + "/[0-9a-f]{16}", graph):
                others[graph] = None
        for other in others:
            self.endpoint.update(f"DROP SILENT GRAPH <{other}> ; DELETE WHERE {{ GRAPH <{self.marks}> {{ <{other}> <{_PART}> ?mark }} }}")
        return there

    def holds(self, graph: str) -> bool:
        """Whether a graph holds as many triples as there are."""
        return self._pairs(f"SELECT (COUNT(*) AS ?n) WHERE {{ GRAPH <{graph}> {{ ?s ?p ?o }} }}") == [(str(self.count),)]

    def tidy(self) -> None:
        """Drop what was only for loading; the marks last, so that they are found again if this is broken off."""
        self.endpoint.update(f"DROP SILENT GRAPH <{self.staging}> ; DROP SILENT GRAPH <{self.marks}>")

    def spoilt(self, graph: str) -> EndpointError:
        """The fault of a graph that does not hold what was sent."""
        what, todo = f"the graph {graph} does not hold the {self.count} triples that were sent", "See that nothing else writes there, and load again"
        return EndpointError(what, where=self.endpoint.url, todo=todo, code="GUIGU.ENDPOINT.LOAD")

    def _pairs(self, sparql: str) -> list[tuple[str, ...]]:
        found = self.endpoint.query(sparql)
        rows = found.rows if isinstance(found, Rows) else ()
        return [tuple(t.value if t else "" for t in row) for row in rows]


def _lines(triples: Iterable[ox.Triple]) -> list[str]:
    """The triples in N-Triples, as the RDF library writes them, sorted; the same for the same content, whatever its blank nodes are called.

    A blank node would be another one in each batch, so it gets an IRI: its canonical label (RDFC-1.0), made unique by the content.
    """
    dataset = ox.Dataset(ox.Quad(t.subject, t.predicate, t.object) for t in triples)
    dataset.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    content = hashlib.sha256("\n".join(sorted(map(str, dataset))).encode()).hexdigest()[:16]

    def named(term: object) -> str:
        return str(ox.NamedNode(iris.genid(f"{content}-{term.value}")) if isinstance(term, ox.BlankNode) else term)

    return sorted(f"{named(q.subject)} {q.predicate} {named(q.object)} ." for q in dataset)


def _batches(lines: Iterable[str]) -> Iterator[tuple[str, ...]]:
    batch: list[str] = []
    size = 0
    for line in lines:
        length = len(line.encode()) + 1
        if batch and (len(batch) == BATCH_TRIPLES or size + length > BATCH_BYTES):
            yield tuple(batch)
            batch, size = [], 0
        batch.append(line)
        size += length
    yield tuple(batch)


def _digest(batches: Iterable[tuple[str, ...]]) -> str:
    """Of the content and of how it is split: marks of batches split otherwise would say nothing."""
    digest = hashlib.sha256()
    for batch in batches:
        digest.update("\n".join((*batch, "", "")).encode())
    return digest.hexdigest()[:16]
