"""Loading to real servers: whole or not at all, resumed, and nothing lost on the way."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from itertools import pairwise
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest

import kg.load
from kg.endpoint import EndpointStore
from kg.load import BATCH_BYTES, BATCH_TRIPLES, Loaded, load
from kg.rows import Rows, Triples
from kg.store import doctrine
from loader import iris
from loader.errors import EndpointError, InputError

if TYPE_CHECKING:
    from tests.servers import Server

GRAPH = "http://example.org/load"
P = ox.NamedNode("http://example.org/p")


@dataclass(frozen=True)
class Failing(EndpointStore):
    """An endpoint that stops taking updates after some, and that tells what it was sent."""

    after: int = 1_000_000
    sent: list[str] = field(default_factory=list)

    def update(self, sparql: str) -> None:
        if len(self.sent) >= self.after:
            raise EndpointError("it is gone", where=self.url)
        super().update(sparql)
        self.sent.append(sparql)


def failing(server: "Server", after: int = 1_000_000) -> Failing:
    store = server.store(GRAPH)
    return Failing(**{f.name: getattr(store, f.name) for f in fields(store)}, after=after)


def numbers(start: int, end: int) -> list[ox.Triple]:
    return [ox.Triple(ox.NamedNode(f"http://example.org/{n}"), P, ox.Literal(n)) for n in range(start, end)]


def held(server: "Server", graph: str = GRAPH) -> set[ox.Triple]:
    found = server.store(graph).query("CONSTRUCT WHERE { ?s ?p ?o }")
    assert isinstance(found, Triples)
    return set(found.triples)


def beside(server: "Server") -> set[str]:
    """Graphs made for loading that are there."""
    found = server.store(None).query(f'SELECT DISTINCT ?g WHERE {{ GRAPH ?g {{ ?s ?p ?o }} FILTER(STRSTARTS(STR(?g), "{GRAPH}/")) }}')
    assert isinstance(found, Rows)
    return {str(row[0]) for row in found.rows}


@pytest.fixture
def clean(server: "Server", monkeypatch: pytest.MonkeyPatch) -> Iterator["Server"]:
    """A server with an old version of the graph, loaded by batches of ten."""
    monkeypatch.setattr(kg.load, "BATCH_TRIPLES", 10)
    server.load(numbers(0, 5), GRAPH)
    yield server
    drop = "DROP SILENT GRAPH <" + ">; DROP SILENT GRAPH <".join([GRAPH, *(g.strip("<>") for g in beside(server))]) + ">"
    server.store().update(drop)


def test_a_graph_is_replaced(clean: "Server") -> None:
    told: list[tuple[int, int]] = []
    new = numbers(3, 28)
    assert load(clean.store(), [*reversed(new), *new], GRAPH, lambda done, every: told.append((done, every))) == Loaded(25, 3, 0)
    assert held(clean) == set(new)
    assert told == [(10, 25), (20, 25), (25, 25)]
    assert beside(clean) == set()


@pytest.mark.parametrize("after", range(6))
def test_a_load_that_is_broken_off_leaves_the_old_and_goes_on(clean: "Server", after: int) -> None:
    # Three batches, the swap, the tidying.
    old, new = set(numbers(0, 5)), numbers(3, 28)
    if after < 5:
        with pytest.raises(EndpointError, match="it is gone"):
            load(failing(clean, after), new, GRAPH)
        assert held(clean) == (old if after < 4 else set(new))
    else:
        load(failing(clean, after), new, GRAPH)
    again = failing(clean)
    there = 0 if after == 5 else min(after, 3)
    assert load(again, reversed(new), GRAPH) == Loaded(25, 3 - there, there)
    assert sum(s.startswith("INSERT DATA") for s in again.sent) == 3 - there
    assert held(clean) == set(new)
    assert beside(clean) == set()


def test_what_another_content_left_is_dropped(clean: "Server") -> None:
    with pytest.raises(EndpointError):
        load(failing(clean, 2), numbers(100, 150), GRAPH)
    assert len(beside(clean) | {f"<{GRAPH}/loading>"}) == 2
    new = numbers(200, 225)
    with pytest.raises(EndpointError):
        load(failing(clean, 2), new, GRAPH)  # the first update drops what is left, the second is a batch
    assert len(beside(clean) | {f"<{GRAPH}/loading>"}) == 2
    assert load(clean.store(), new, GRAPH) == Loaded(25, 2, 1)
    assert held(clean) == set(new)
    assert beside(clean) == set()


def test_a_graph_spoilt_while_it_is_filled_is_not_put_into_place(clean: "Server") -> None:
    new = numbers(3, 28)
    staging = ""

    def meddle(done: int, _: int) -> None:
        nonlocal staging
        if done == 10:
            (staging,) = beside(clean) - {f"<{GRAPH}/loading>"}
            clean.store().update(f"INSERT DATA {{ GRAPH {staging} {{ <http://example.org/x> <http://example.org/p> 1 }} }}")

    with pytest.raises(EndpointError, match="does not hold the 25 triples") as caught:
        load(clean.store(), new, GRAPH, meddle)
    assert caught.value.code == "GUIGU.ENDPOINT.LOAD"
    assert held(clean) == set(numbers(0, 5))
    assert beside(clean) == set()


def test_marks_without_their_batches_are_not_believed(clean: "Server") -> None:
    new = numbers(3, 28)
    with pytest.raises(EndpointError):
        load(failing(clean, 2), new, GRAPH)
    (staging,) = beside(clean) - {f"<{GRAPH}/loading>"}
    clean.store().update(f"DROP SILENT GRAPH {staging}")
    assert load(clean.store(), new, GRAPH) == Loaded(25, 3, 0)
    assert held(clean) == set(new)
    assert beside(clean) == set()


def test_the_content_names_the_graph_that_is_filled(clean: "Server", monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(EndpointError):
        load(failing(clean, 2), numbers(3, 28), GRAPH)
    monkeypatch.setattr(kg.load, "BATCH_TRIPLES", 12)  # batches split otherwise are other batches
    assert load(clean.store(), numbers(3, 28), GRAPH) == Loaded(25, 3, 0)


def test_blank_nodes_become_iris_that_do_not_depend_on_their_labels(clean: "Server") -> None:
    def chain(label: str) -> list[ox.Triple]:
        nodes = [ox.BlankNode(f"{label}{n}") for n in range(15)]
        return [ox.Triple(a, P, b) for a, b in pairwise(nodes)]

    with pytest.raises(EndpointError):
        load(failing(clean, 1), chain("a"), GRAPH)
    assert load(clean.store(), chain("b"), GRAPH) == Loaded(14, 1, 1)
    graph = held(clean)
    assert len({t.subject for t in graph} & {t.object for t in graph}) == 13  # one chain still, though sent in two batches
    assert all(str(t.subject).startswith(f"<{iris.genid('')}") for t in graph)
    # Blank nodes of another content are others.
    load(clean.store(), [*chain("a"), *numbers(0, 1)], GRAPH)
    assert not {t.subject for t in graph} & {t.subject for t in held(clean)}


def test_every_character_arrives(clean: "Server") -> None:
    texts = [
        "穩婆",
        "𠀀𪚥😀",
        "",
        "'\"\\ \t\r\n",
        "a\u00a0b\u200b",
        "\u0001\u007f",
        "} } ; DROP ALL #",
        "長" * 50_000,
        "%20+&=?",
        "é" + "e\u0301",
        "{}<>",
        "$1 ?x",
    ]
    terms = [ox.Literal(t) for t in texts] + [ox.Literal(t, language=g) for t in texts for g in ("lzh", "ko", "zh-hant", "en")]
    terms += [ox.Literal(t) for t in (7, -5, True, False)] + [ox.NamedNode("http://example.org/穩婆?a=%20&b#c'd")]  # type: ignore[list-item]
    sent = [ox.Triple(ox.NamedNode("http://example.org/a"), P, t) for t in terms]
    load(clean.store(), sent, GRAPH)
    assert held(clean) == set(sent)
    found = clean.store(GRAPH).query("SELECT ?o WHERE { ?s ?p ?o }")
    assert isinstance(found, Rows)
    assert {row[0] for row in found.rows} == set(terms)


def test_nothing_and_nowhere_are_refused() -> None:
    store = EndpointStore("http://127.0.0.1:1/")
    with pytest.raises(InputError, match="nothing to load"):
        load(store, [], GRAPH)
    with pytest.raises(InputError, match="is no IRI"):
        load(store, numbers(0, 1), "> } ; DROP ALL #")


def test_batches_keep_within_their_bounds() -> None:
    lines = [f'<http://example.org/{n:06}> <http://example.org/p> "{"長" * (n % 7 * 1000)}" .' for n in range(3000)]
    lines.append('<http://example.org/z> <http://example.org/p> "' + "x" * (2 * BATCH_BYTES) + '" .')
    batches = tuple(kg.load._batches(lines))
    assert [line for batch in batches for line in batch] == lines
    assert len(batches[-1]) == 1
    for batch in batches[:-1]:
        assert len(batch) <= BATCH_TRIPLES
        assert len("\n".join(batch).encode()) <= BATCH_BYTES


@pytest.mark.slow
def test_the_doctrine_arrives_whole(server: "Server") -> None:
    quads = [ox.Quad(q.subject, q.predicate, q.object) for q in ox.parse(doctrine(), format=ox.RdfFormat.N_TRIPLES)]
    server.load((q.triple for q in quads), GRAPH + "/doctrine")
    there = held(server, GRAPH + "/doctrine")
    server.store().update(f"DROP SILENT GRAPH <{GRAPH}/doctrine>")
    with_blank, named = ox.Dataset(quads), ox.Dataset(ox.Quad(*(blank(t) for t in triple)) for triple in there)
    with_blank.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    named.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    assert set(named) == set(with_blank)


def blank(term: object) -> object:
    """A blank node again for an IRI that stands for one."""
    return ox.BlankNode(iris.key(term.value)) if isinstance(term, ox.NamedNode) and term.value.startswith(iris.genid("")) else term
