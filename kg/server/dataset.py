"""What a server serves: a default graph and named graphs, each in N-Triples, all in memory."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import pyoxigraph as ox

from kg.server.settings import Settings
from kg.store import doctrine, file_quads
from loader import iris


@dataclass(frozen=True)
class Dataset:
    """An RDF dataset as it is served.

    Attributes:
        default: the default graph in N-Triples.
        named: named graphs in N-Triples.
        closures: which of them hold what follows by OWL 2 RL.

    >>> Dataset(b"<a:s> <a:p> <a:o> .", {"a:g": b""}).graphs
    ((None, b'<a:s> <a:p> <a:o> .'), ('a:g', b''))
    """

    default: bytes = field(repr=False)
    named: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    closures: frozenset[str] = frozenset()

    @property
    def graphs(self) -> tuple[tuple[str | None, bytes], ...]:
        """All graphs; None names the default graph."""
        return (None, self.default), *sorted(self.named.items())


def served(settings: Settings) -> Dataset:
    """The doctrine with the files of the settings: as the default graph, and as the graph that `guigu load` fills and `guigu ask` reads.

    Raises:
        InputError: a file is unreadable, too large or malformed.
    """
    files = [line for number, name in enumerate(settings.data, 1) for line in _lines(name, number)]
    default = doctrine() + "".join(files).encode()
    return Dataset(default, {iris.DOCTRINE_GRAPH: default})


def _lines(name: str, number: int) -> Iterator[str]:
    """N-Triples of a file. Its blank nodes are named by their order, so that the same file gives the same bytes."""
    labels: dict[str, ox.BlankNode] = {}

    def relabelled(term: object) -> object:
        return labels.setdefault(term.value, ox.BlankNode(f"f{number}n{len(labels)}")) if isinstance(term, ox.BlankNode) else term

    for quad in file_quads(name):
        yield f"{relabelled(quad.subject)} {quad.predicate} {relabelled(quad.object)} .\n"
