"""What is counted of the casts of one space on one topic; the tallies of parts add up to that of the whole."""

import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kg.bulk import Fires
from kg.bulk.machine import unpacked
from kg.bulk.standing import conflicting
from kg.standing import Disagreement, disagreements
from loader.chapter import clauses

Counts = NDArray[np.int64]
Pair = tuple[str, str, str]
"""An aspect, and two clauses that disagree on it."""
SHARES: Final = ("silent", "single", "agreeing", "conflicting")
"""What the verdicts on an aspect can be: none, one, several that agree, some that disagree."""
_NEVER: Final = -1


@cache
def aspects_of(ids: tuple[str, ...], reading: str) -> tuple[str, ...]:
    """The aspects about which some clauses say something."""
    found = (clauses()[i].under(reading).about for i in ids)
    return tuple(dict.fromkeys(about for about in found if about))


@cache
def clashing(ids: tuple[str, ...], reading: str) -> tuple[Pair, ...]:
    """The aspects and pairs of clauses that disagree wherever both stand, the clauses in the order of the books."""
    order = {i: n for n, i in enumerate(ids)}
    found = {_pair(d, order) for d in disagreements(ids, reading)}
    return tuple(sorted(found, key=lambda pair: (order[pair[1]], order[pair[2]], pair[0])))


def _pair(d: Disagreement, order: Mapping[str, int]) -> Pair:
    a, b = sorted((d.a, d.b), key=order.__getitem__)
    return d.about, a, b


@dataclass(frozen=True, eq=False)
class Tally:
    """Counts over some casts.

    Attributes:
        clauses: ids of the clauses of the topic that can fire, in the order of the books.
        reading: the reading of the text.
        casts: how many casts were judged.
        fires: on how many casts two clauses fire together, shape (clauses, clauses); in the diagonal each by itself.
        stands: on how many they stand together, likewise.
        first: the first cast on which each clause fires, shape (clauses,), or -1.
        first_stands: the first on which it stands.
        clashes: on how many casts two clauses that disagree both stand, shape (pairs,), in the order of `clashing`.
        first_clash: the first of them, or -1.
        shares: shape (aspects, 4): on how many casts nothing that stands speaks of an aspect, one verdict does, several do and agree,
            some disagree.
    """

    clauses: tuple[str, ...]
    reading: str
    casts: int
    fires: Counts
    stands: Counts
    first: Counts
    first_stands: Counts
    clashes: Counts
    first_clash: Counts
    shares: Counts

    @property
    def aspects(self) -> tuple[str, ...]:
        """The aspects of the rows of `shares`."""
        return aspects_of(self.clauses, self.reading)

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The aspects and pairs of clauses of `clashes`."""
        return clashing(self.clauses, self.reading)

    @classmethod
    def of(cls, fires: Fires, reading: str, start: int = 0) -> "Tally":
        """Count a batch.

        Args:
            fires: what fires.
            reading: the reading under which it was judged.
            start: number of the first cast of the batch in its space.

        >>> fires = Fires(("yy-taichan-035", "yy-taichan-037"), 3, np.array([[0b010], [0b111]], np.uint64))
        >>> tally = Tally.of(fires, "graded", start=100)
        >>> tally.fires.tolist(), np.diag(tally.stands).tolist(), tally.first.tolist(), tally.first_stands.tolist()
        ([[1, 1], [1, 3]], [1, 2], [101, 100], [101, 100])
        """
        ids, standing = fires.clauses, fires.standing(reading)
        order = {i: n for n, i in enumerate(ids)}
        stood = unpacked(standing.words, fires.casts)
        about = [clauses()[i].under(reading).about for i in ids]
        found = conflicting(standing, reading)
        # Two clauses may disagree in outcome and omen at once: it is the same casts.
        both = {_pair(d, order): unpacked(words, fires.casts) for d, words in zip(found.pairs, found.words, strict=True)}
        clashed = [both[pair] for pair in clashing(ids, reading)]
        shares = []
        for aspect in aspects_of(ids, reading):
            said = stood[[n for n, a in enumerate(about) if a == aspect]].sum(axis=0, dtype=np.uint16)
            parted = np.zeros(fires.casts, bool)
            for pair, held in both.items():
                if pair[0] == aspect:
                    parted |= held
            shares.append([np.count_nonzero(held) for held in (said == 0, said == 1, (said > 1) & ~parted, parted)])
        return cls(
            ids,
            reading,
            fires.casts,
            fires.together(),
            standing.together(),
            _first(unpacked(fires.words, fires.casts), start),
            _first(stood, start),
            np.array([np.count_nonzero(held) for held in clashed], np.int64),
            _first(clashed, start),
            np.array(shares, np.int64).reshape(-1, len(SHARES)),
        )

    def plus(self, other: "Tally") -> "Tally":
        """The tally of both parts, of which the other has the later casts."""
        return Tally(
            self.clauses,
            self.reading,
            self.casts + other.casts,
            self.fires + other.fires,
            self.stands + other.stands,
            _earlier(self.first, other.first),
            _earlier(self.first_stands, other.first_stands),
            self.clashes + other.clashes,
            _earlier(self.first_clash, other.first_clash),
            self.shares + other.shares,
        )

    def to_bytes(self) -> bytes:
        """The tally as a file of numpy (npz)."""
        stream = io.BytesIO()
        arrays: dict[str, Any] = {f.name: np.asarray(getattr(self, f.name)) for f in fields(self)}
        np.savez_compressed(stream, **arrays)
        return stream.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> "Tally":
        """The opposite of `to_bytes`."""
        with np.load(io.BytesIO(data), allow_pickle=False) as found:
            arrays: dict[str, Any] = {f.name: found[f.name] for f in fields(cls)}
        arrays |= {"clauses": tuple(arrays["clauses"].tolist()), "reading": str(arrays["reading"]), "casts": int(arrays["casts"])}
        return cls(**arrays)


def _first(rows: Iterable[NDArray[np.bool_]], start: int) -> Counts:
    return np.array([start + int(row.argmax()) if row.any() else _NEVER for row in rows], np.int64)


def _earlier(mine: Counts, theirs: Counts) -> Counts:
    return np.where(mine == _NEVER, theirs, mine)
