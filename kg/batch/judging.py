"""Rows judged: what is asked of each, the clauses that fire, those that stand, and where they disagree."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kg.asking import topics
from kg.batch.columns import Columns, options
from kg.batch.rows import Row, cut
from kg.bulk import Fires, evaluate
from kg.bulk.machine import packed, unpacked
from kg.bulk.standing import conflicting
from kg.judgement import program
from kg.standing import Conflict, Disagreement, gathered, overridden
from kg.typed import read
from loader.chapter import clauses
from loader.clause import READINGS, Clause
from loader.errors import GuiguError
from loader.liuyao import Given
from loader.tables import choose

CHUNK: Final = 4096
"""Rows judged at one time."""


@dataclass(frozen=True, slots=True)
class Fired:
    """A clause that fires on a cast.

    Attributes:
        clause: as the reading of the cast has it.
        on: the individuals that satisfy its condition, each by its place in the cast (`line/3`, `pillar/day`; the cast itself is empty).
        overridden_by: ids of firing clauses that defeat it; empty when it stands.
    """

    clause: Clause
    on: tuple[str, ...]
    overridden_by: tuple[str, ...]

    @property
    def stands(self) -> bool:
        """Whether no firing clause overrides it."""
        return not self.overridden_by


@dataclass(frozen=True, slots=True)
class Judged:
    """A row judged.

    Attributes:
        row: the row.
        given: the input that it states, or None where it has a fault.
        fired: the clauses that fire, in the order of the books.
        conflicts: standing verdicts that disagree.
        uncertain: notes on a moment that is too near to a solar term to be sure of its side.
        fault: what is wrong with the row, or None.
    """

    row: Row
    given: Given | None
    fired: tuple[Fired, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    uncertain: tuple[str, ...] = ()
    fault: GuiguError | None = None


def told(fault: GuiguError) -> str:
    """A fault with its code."""
    return f"{fault} [{fault.code}]"


def judge(casts: Iterable[Mapping[str, object]], defaults: Mapping[str, Any] | None = None, keep: Sequence[str] = ()) -> Iterator[Judged]:
    """Judge casts of six lines by the thousand.

    The first takes some seconds, in which the clauses are made ready. A cast that cannot be used is told by its `fault`; the others are judged.

    Args:
        casts: each by what `guigu cast` takes (`lines`, or `hexagram` with `moving` or `to`; `month`, `day` or `at`; `topic` ...), several
            values of one as a list or with `;` between them. `id` and names that begin with `note` are carried through.
        defaults: options of those that leave them out, as `kg.typed.read` takes them.
        keep: other names that are carried through.

    Raises:
        InputError: a name is unknown.

    >>> first, second = judge([{"hexagram": "雷山小過", "moving": 3, "month": "辰", "day": "戊辰"}, {"lines": [7]}], {"topic": ["childbirth"]})
    >>> [f.clause.id for f in first.fired if f.clause.about == "gender"], str(second.fault)
    (['yy-taichan-088'], 'lines: 1 line is given and a hexagram has six. Write six numbers from bottom to top, such as 7,8,9,6,7,8.')
    """

    def rows() -> Iterator[tuple[Columns, Row]]:
        for number, cast in enumerate(casts, 1):
            columns = _columns(tuple(cast), tuple(name for name in keep if name in cast))
            yield columns, cut(Row(number, {name: _text(value) for name, value in cast.items() if value is not None}))

    found = rows()
    while chunk := list(islice(found, CHUNK)):
        yield from _judged([row for _, row in chunk], [columns for columns, _ in chunk], defaults or {})


def _text(value: object) -> str:
    return "; ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def judge_rows(rows: Sequence[Row], columns: Columns, defaults: Mapping[str, Any]) -> list[Judged]:
    """Judge the rows of a casebook, not more than some thousands at one time.

    Args:
        rows: the rows.
        columns: of the casebook.
        defaults: options of rows that leave them out, as `kg.typed.read` takes them.
    """
    return _judged(rows, [columns] * len(rows), defaults)


@lru_cache(maxsize=256)
def _columns(names: tuple[str, ...], keep: tuple[str, ...]) -> Columns:
    return Columns.of(names, keep)


def _judged(rows: Sequence[Row], columns: Sequence[Columns], defaults: Mapping[str, Any]) -> list[Judged]:
    read_rows = [_read(row, of, defaults) for row, of in zip(rows, columns, strict=True)]
    sound = [n for n, judged in enumerate(read_rows) if judged.given]
    givens = [given for judged in read_rows if (given := judged.given)]
    if not givens:
        return read_rows
    fires = evaluate(givens, holders=True)
    fired, disagreeing = _fired(fires, givens)
    for n, mine, conflicts in zip(sound, fired, disagreeing, strict=True):
        judged = read_rows[n]
        read_rows[n] = Judged(judged.row, judged.given, tuple(mine), gathered(conflicts) if conflicts else (), judged.uncertain)
    return read_rows


def _read(row: Row, columns: Columns, defaults: Mapping[str, Any]) -> Judged:
    if row.fault:
        return Judged(row, None, fault=row.fault)
    try:
        given, moment = read(options(columns.given(row.cells), defaults), "liuyao")
    except GuiguError as error:
        return Judged(row, None, fault=error)
    return Judged(row, given if isinstance(given, Given) else None, uncertain=tuple(map(str, moment.uncertain)) if moment else ())


@lru_cache(maxsize=4096)
def _clause(clause: str, reading: str) -> Clause:
    return clauses()[clause].under(reading)


@cache
def _carried_up(reading: str) -> frozenset[str]:
    """Clauses that fire on the cast because they do on a line of it: the cast is no witness of its own."""
    conditions = program(topics(), choose({"reading": reading})).conditions
    return frozenset(i for i, e in conditions.items() if e.kinds != {"Cast"})


def _fired(fires: Fires, givens: Sequence[Given]) -> tuple[list[list[Fired]], list[list[Disagreement]]]:
    """What fires on each cast, and what of that disagrees."""
    readings = [g.conventions.get("reading", READINGS[0]) for g in givens]
    on = _on(fires, readings)
    order = {clause: n for n, clause in enumerate(clauses())}
    rows = sorted(range(len(fires.clauses)), key=lambda row: order[fires.clauses[row]])
    holds = unpacked(fires.words[rows], fires.casts)
    ids = [fires.clauses[row] for row in rows]
    found: list[list[str]] = [[] for _ in givens]
    for cast, row in _by_cast(holds):
        found[cast].append(ids[row])
    disagreeing: list[list[Disagreement]] = [[] for _ in givens]
    defeats = {}
    for reading in set(readings):
        defeats[reading] = overridden(fires.clauses, reading)
        mine = packed(np.array([r == reading for r in readings]))
        met = conflicting(fires.standing(reading), reading)
        for cast, pair in _by_cast(unpacked(met.words & mine, fires.casts)):
            disagreeing[cast].append(met.pairs[pair])
    fired = []
    for cast, (mine_ids, reading) in enumerate(zip(found, readings, strict=True)):
        here = set(mine_ids)
        by = defeats[reading]
        fired.append([Fired(_clause(i, reading), on.get((cast, i), ()), tuple(o for o in by.get(i, ()) if o in here)) for i in mine_ids])
    return fired, disagreeing


def _on(fires: Fires, readings: Sequence[str]) -> Mapping[tuple[int, str], tuple[str, ...]]:
    """Number of a cast and clause to the individuals on which it fires."""
    places = [(clause, slot) for clause, held in fires.holders.items() for slot in sorted(held)]
    holds = unpacked(np.stack([fires.holders[clause][slot] for clause, slot in places]), fires.casts)
    found: dict[tuple[int, str], list[str]] = {}
    for cast, place in _by_cast(holds):
        clause, slot = places[place]
        if slot or clause not in _carried_up(readings[cast]):
            found.setdefault((cast, clause), []).append(slot)
    return {key: tuple(slots) for key, slots in found.items()}


def _by_cast(holds: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Column and row of all that holds, column by column."""
    rows, casts = np.nonzero(holds)
    order = np.argsort(casts, kind="stable")
    return zip(casts[order].tolist(), rows[order].tolist(), strict=True)
