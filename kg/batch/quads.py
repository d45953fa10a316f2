"""Judged casts as N-Quads: of each what was given, what fires and what stands, in the graph of its casebook.

What is stated here of a cast is a part of what `guigu cast --format ttl` states of it, under the same IRI; only the engine is another.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Final

import pyoxigraph as ox

from kg.batch.judging import Judged, told
from kg.bulk.question import Question
from kg.bulk.space import hexagrams_of, lines_of
from loader import iris
from loader.iris import TYPE, ns
from loader.liuyao import PILLAR_NAME, Chart, Given, named
from loader.tables import usual

ENGINE: Final = "bulk"
_Terms = tuple[str, str, str]
"""Subject, predicate and object as N-Triples writes them: put together as text, since a casebook has millions of them."""


def written(found: Sequence[Judged], graph: str) -> bytes:
    """Judged rows as N-Quads. A row with a fault is a node of its own, with a comment that says what is wrong.

    Args:
        found: the rows.
        graph: IRI of the casebook.
    """
    end = f" <{graph}> .\n"
    return "".join(f"{s} {p} {o}{end}" for j in found for s, p, o in _of(j, graph)).encode()


@cache
def _node(iri: str) -> str:
    return f"<{iri}>"


@cache
def _ours(term: str) -> str:
    return _node(ns(term))


def _of(j: Judged, graph: str) -> Iterator[_Terms]:
    if j.given is None:
        row = f"<{graph}/row/{j.row.number}>"
        yield row, _node(iris.RDFS + "comment"), str(ox.Literal(told(j.fault) if j.fault else "", language="en"))
        yield from _identified(row, j)
        return
    me = f"<{j.given.iri}>"
    yield from _given(me, j.given)
    yield from _identified(me, j)
    yield me, _ours("engine"), _text(ENGINE)
    yield me, _ours("underReading"), _text(j.given.conventions["reading"])
    for f in j.fired:
        clause = _node(f.clause.iri)
        yield me, _ours("fires"), clause
        if f.stands:
            yield me, _ours("stands"), clause


@lru_cache(maxsize=4096)
def _text(value: str | int) -> str:
    return str(ox.Literal(value))


def _identified(subject: str, j: Judged) -> Iterator[_Terms]:
    if name := j.row.cells.get("id"):
        yield subject, _node(iris.DCTERMS + "identifier"), str(ox.Literal(name))


def _given(me: str, given: Given) -> Iterator[_Terms]:
    pair = hexagrams_of(given.lines)
    yield me, _node(TYPE), _ours("Cast")
    yield me, _ours("lineNumbers"), _text("".join(map(str, given.lines)))
    yield me, _ours("hexagram"), _node(_hexagram(pair))
    for slot, prop, target in Question.of(given).facts(pair):
        if not slot:
            yield me, _node(prop), _node(target)
    for unit, text in given.pillars.items():
        pillar = f"<{iris.part(me[1:-1], 'pillar', unit)}>"
        yield me, _ours("hasPillar"), pillar
        yield pillar, _node(TYPE), _ours(PILLAR_NAME[unit])
        yield pillar, _ours("branch"), _node(named("Branch")[text[-1]])
        if len(text) == 2:
            yield pillar, _ours("pair"), _node(named("Pair")[text])
    if given.at:
        yield me, _node(iris.DCTERMS + "date"), str(ox.Literal(given.at, datatype=ox.NamedNode(iris.XSD + "dateTime")))
    if given.age:
        yield me, _ours("age"), _text(given.age)
    for name, key in given.conventions.items():
        if usual()[name] != key:
            yield me, _ours("convention"), _text(f"{name}={key}")


@cache
def _hexagram(pair: int) -> str:
    return Chart(Given(lines_of(pair), {}, (), conventions=usual())).hexagram
