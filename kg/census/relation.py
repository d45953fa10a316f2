"""Which two clauses of a topic always or never hold together, with casts that show it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from kg.bulk.machine import unpacked
from kg.census.census import PIECE, Census
from kg.census.space import Space

SAME: Final = "same"
IMPLIES: Final = "implies"
EXCLUDES: Final = "excludes"
CONTRADICTS: Final = "contradicts"


@dataclass(frozen=True, slots=True)
class Relation:
    """How two clauses of a topic are related over a space.

    Attributes:
        space: key of the space.
        topic: the topic.
        kind: `same`: each fires where the other does; `implies`: `b` fires wherever `a` does, and elsewhere too; `excludes`: both
            fire, never together; `contradicts`: they stand together on some cast, and disagree.
        a: id of the one clause.
        b: id of the other.
        about: the aspect on which they disagree, of `contradicts`.
        casts: on how many casts both fire; of `contradicts`, stand.
        together: number of the first of these casts, or -1.
        apart: number of the first cast on which `b` fires and `a` does not, of `implies`; else -1.
    """

    space: str
    topic: str
    kind: str
    a: str
    b: str
    about: str | None
    casts: int
    together: int
    apart: int = -1


def relations(census: Census) -> Iterator[Relation]:
    """The relations of a census: contradictions in every space; the others, which a sample cannot show, where nothing is drawn at random."""
    for (key, topic), tally in census.tallies.items():
        for (about, a, b), casts, first in zip(tally.pairs, tally.clashes.tolist(), tally.first_clash.tolist(), strict=True):
            if casts:
                yield Relation(key, topic, CONTRADICTS, a, b, about, casts, first)
        if not census.space(key).drawn:
            yield from _held(census, key, topic)


def _held(census: Census, key: str, topic: str) -> Iterator[Relation]:
    tally = census.tallies[key, topic]
    counts = np.diag(tally.fires)
    fired = np.flatnonzero(counts).tolist()
    implied = tally.fires == counts[:, None]
    proper = [(a, b) for a in fired for b in fired if a != b and implied[a, b] and not implied[b, a]]
    apart = _apart(census.space(key), topic, [(tally.clauses[a], tally.clauses[b]) for a, b in proper])
    for n, a in enumerate(fired):
        for b in fired[n + 1 :]:
            ids, casts = (tally.clauses[a], tally.clauses[b]), int(tally.fires[a, b])
            if implied[a, b] and implied[b, a]:
                yield Relation(key, topic, SAME, *ids, None, casts, int(tally.first[a]))
            elif not casts:
                yield Relation(key, topic, EXCLUDES, *ids, None, 0, -1)
    for a, b in proper:
        ids = (tally.clauses[a], tally.clauses[b])
        yield Relation(key, topic, IMPLIES, *ids, None, int(counts[a]), int(tally.first[a]), apart[ids])


def _apart(space: Space, topic: str, pairs: list[tuple[str, str]]) -> dict[tuple[str, str], int]:
    """For each two clauses the first cast on which the second fires without the first; there must be one."""
    found: dict[tuple[str, str], int] = {}
    for start in range(0, len(space), PIECE):
        left = [pair for pair in pairs if pair not in found]
        if not left:
            break
        fires = space.fires(topic, start, start + PIECE)
        for a, b in left:
            held = fires.row(b) & ~fires.row(a)
            if held.any():
                found[a, b] = start + int(unpacked(held, fires.casts).argmax())
    return found
