"""Which clauses fire on which casts of a batch."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kg.bulk.machine import WORD, Words, unpacked
from kg.standing import overridden
from loader.clause import READINGS


@dataclass(frozen=True, eq=False)
class Fires:
    """The answer for a batch of casts, one bit for each clause and cast.

    Attributes:
        clauses: ids of the clauses that were judged, in the order of the rows: all of the topics asked, those that cannot fire too.
        casts: how many casts were judged.
        words: shape (clauses, words); cast n is bit n % 64 of word n // 64, and bits beyond the last cast are 0.
        holders: clause to the slot of each individual on which it fires (`line/3`, `pillar/day`; the cast itself is empty) to
            the words of that slot; empty where holders were not asked for.

    >>> fires = Fires(("a", "b"), 3, np.array([[0b101], [0b100]], np.uint64))
    >>> fires.counts().tolist(), sorted(fires.of(2)), fires.first("b")
    ([2, 1], ['a', 'b'], 2)
    >>> fires.implied().tolist()
    [[True, False], [True, True]]
    """

    clauses: tuple[str, ...]
    casts: int
    words: Words
    holders: Mapping[str, Mapping[str, Words]] = field(default_factory=dict)

    @cached_property
    def _row(self) -> dict[str, int]:
        return {clause: row for row, clause in enumerate(self.clauses)}

    def row(self, clause: str) -> Words:
        """The words of a clause, shape (words,); all 0 for one that was not judged."""
        at = self._row.get(clause)
        return np.zeros(self.words.shape[1], np.uint64) if at is None else self.words[at]

    def counts(self) -> NDArray[np.int64]:
        """On how many casts each clause fires, shape (clauses,)."""
        found: NDArray[np.int64] = np.bitwise_count(self.words).sum(axis=1, dtype=np.int64)
        return found

    def together(self) -> NDArray[np.int64]:
        """On how many casts each two clauses fire together, shape (clauses, clauses).

        Those of several batches add up: where the sum is 0 the two exclude each other, and where it is the count of the one clause,
        in the diagonal, that one implies the other.
        """
        found = np.empty((len(self.clauses), len(self.clauses)), np.int64)
        for n, row in enumerate(self.words):
            found[n, n:] = found[n:, n] = np.bitwise_count(self.words[n:] & row).sum(axis=1, dtype=np.int64)
        return found

    def standing(self, reading: str = READINGS[0]) -> "Fires":
        """The same for the verdicts that stand: those that no firing clause overrides under a reading of the text.

        >>> fires = Fires(("yy-taichan-035", "yy-taichan-037"), 2, np.array([[0b10], [0b11]], np.uint64))
        >>> fires.standing().words.tolist()
        [[2], [1]]
        """
        words = self.words.copy()
        for clause, others in overridden(self.clauses, reading).items():
            for other in others:
                words[self._row[clause]] &= ~self.words[self._row[other]]
        return Fires(self.clauses, self.casts, words)

    def only(self, wanted: Collection[str]) -> "Fires":
        """The same for some of the clauses, in their order here, without holders.

        >>> Fires(("a", "b"), 1, np.array([[1], [0]], np.uint64)).only(["b"]).clauses
        ('b',)
        """
        rows = [n for n, clause in enumerate(self.clauses) if clause in wanted]
        return Fires(tuple(self.clauses[n] for n in rows), self.casts, self.words[rows])

    def implied(self) -> NDArray[np.bool_]:
        """Whether the clause of the column fires wherever that of the row does, shape (clauses, clauses)."""
        found: NDArray[np.bool_] = self.together() == self.counts()[:, None]
        return found

    def matrix(self) -> NDArray[np.bool_]:
        """Shape (casts, clauses)."""
        return np.ascontiguousarray(unpacked(self.words, self.casts).T)

    def of(self, cast: int) -> frozenset[str]:
        """Ids of the clauses that fire on a cast."""
        bits = self.words[:, cast // WORD] >> np.uint64(cast % WORD) & np.uint64(1)
        return frozenset(self.clauses[n] for n in np.flatnonzero(bits))

    def first(self, clause: str) -> int | None:
        """Number of the first cast on which a clause fires, or None."""
        found = np.flatnonzero(unpacked(self.row(clause), self.casts))
        return int(found[0]) if len(found) else None

    def held_by(self, clause: str, cast: int) -> tuple[str, ...]:
        """The slots on which a clause fires in a cast; holders must have been asked for."""
        return tuple(slot for slot, words in sorted(self.holders.get(clause, {}).items()) if int(words[cast // WORD]) >> cast % WORD & 1)


def joined(parts: Sequence[Fires], order: Sequence[NDArray[np.intp]], casts: int) -> Fires:
    """The answers for parts of a batch as one, each with the numbers of its casts in the whole."""
    clauses = tuple(dict.fromkeys(c for part in parts for c in part.clauses))
    slots = sorted({(c, slot) for part in parts for c, held in part.holders.items() for slot in held})
    holds = np.zeros((len(clauses) + len(slots), casts), np.uint8)
    rows = {c: n for n, c in enumerate(clauses)}
    held_rows = {at: n for n, at in enumerate(slots, len(clauses))}
    for part, numbers in zip(parts, order, strict=True):
        holds[np.ix_(np.array([rows[c] for c in part.clauses], np.intp), numbers)] = unpacked(part.words, part.casts)
        for clause, held in part.holders.items():
            for slot, words in held.items():
                holds[held_rows[clause, slot], numbers] = unpacked(words, part.casts)
    words = np.zeros((len(holds), -(-casts // WORD)), np.uint64)
    bits = np.packbits(holds, axis=1, bitorder="little")
    words.view(np.uint8)[:, : bits.shape[1]] = bits
    holders: dict[str, dict[str, Words]] = {}
    for (clause, slot), row in held_rows.items():
        holders.setdefault(clause, {})[slot] = words[row]
    return Fires(clauses, casts, words[: len(clauses)], holders)
