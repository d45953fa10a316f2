"""Casts in bulk: from inputs, or from numbers, to the clauses that fire on each."""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from kg.asking import topics
from kg.bulk.composition import Composition
from kg.bulk.engine import BulkEngine
from kg.bulk.fires import Fires, joined
from kg.bulk.hour_composition import HourComposition
from kg.bulk.hour_question import HourQuestion, facts_asked_of_hours
from kg.bulk.hours import HourCharts
from kg.bulk.machine import WORD
from kg.bulk.question import Conventions, Question, can_be_asked, facts_asked, settled
from kg.bulk.space import HEXAGRAMS, Casts
from kg.bulk.stated import Fact, Stated
from kg.judgement import program
from loader.cast import AnyGiven, tradition_of
from loader.liuyao import Given
from loader.qimen import QimenGiven

CHUNK: Final = 160 * WORD
"""Casts judged at one time: few enough for the caches of a processor, enough for each step to be worth it."""
_KEPT: Final = 4
"""Sets of conventions for which circuits are kept: one takes some tens of MiB, and seconds to put together."""
_JUDGES: Final = 32
"""Topics under sets of conventions for which judges are kept: each is a part of a circuit."""


class LineJudge:
    """Judges casts of six lines under one set of topics and conventions; questions put for the first time make the circuit grow."""

    def __init__(self, asked: tuple[str, ...], conventions: Conventions, axes: frozenset[str], *, holders: bool) -> None:
        """Put together what can be stated of the casts.

        Args:
            asked: the topics of whose clauses is judged.
            conventions: those of the casts.
            axes: what may be known of the casts; the rest is unknown of all of them.
            holders: whether the lines and pillars on which a clause fires are told too.
        """
        self.program = program(asked, dict(conventions))
        self.stated = _composed(conventions, axes)
        self._holders = holders
        self._seen = frozenset[Fact]()
        self._engine = self._grown(can_be_asked())

    def _grown(self, facts: Collection[Fact]) -> BulkEngine:
        """The engine, once more may be stated; of a line what may be stated of any line."""
        every = {(f"{role}/{n}" if role in ("line", "hidden") else slot, p, o) for slot, p, o in facts for role in [slot.split("/")[0]] for n in range(1, 7)}
        for fact in sorted(every - self._seen):
            self.stated.add(*fact, self.stated.circuit.fact(fact))
        self._seen |= every
        return BulkEngine.of(self.program, self.stated, holders=self._holders)

    def judge(self, casts: Casts, questions: Sequence[Question]) -> Fires:
        """The clauses that fire on each cast; one question for each, or one for all."""
        facts = facts_asked(questions, casts.codes[HEXAGRAMS])
        if not facts.keys() <= self._seen:
            self._engine = self._grown(facts.keys())
        return self._engine.run(len(casts), casts.codes, facts)


@lru_cache(_KEPT)
def _composed(conventions: Conventions, axes: frozenset[str]) -> Stated:
    """The facts of casts under some conventions, for all topics: those of one topic are parts of the same circuit."""
    return Composition(conventions, axes, program(topics(), dict(conventions)).signature).stated


@lru_cache(_JUDGES)
def _line_judge(asked: tuple[str, ...], conventions: Conventions, axes: frozenset[str], holders: bool) -> LineJudge:
    return LineJudge(asked, conventions, axes, holders=holders)


class HourJudge:
    """Judges hour charts under one set of topics and conventions."""

    def __init__(self, asked: tuple[str, ...], conventions: Conventions, axes: frozenset[str], *, holders: bool) -> None:
        """Put together what can be stated of the charts; see `LineJudge`."""
        compiled = program(asked, dict(conventions), "qimen")
        self._engine = BulkEngine.of(compiled, HourComposition(conventions, axes, compiled.signature).stated, holders=holders)

    def judge(self, charts: HourCharts, questions: Sequence[HourQuestion]) -> Fires:
        """The clauses that fire on each chart; one question for each, or one for all."""
        return self._engine.run(len(charts), charts.codes, facts_asked_of_hours(questions, len(charts)))


@lru_cache(_JUDGES)
def _hour_judge(asked: tuple[str, ...], conventions: Conventions, axes: frozenset[str], holders: bool) -> HourJudge:
    return HourJudge(asked, conventions, axes, holders=holders)


def six_lines(casts: Casts, question: Question | None = None, *, holders: bool = False) -> Fires:
    """The clauses that fire on casts of six lines that are given as numbers; all are asked the same.

    The first call for a set of topics, conventions and known pillars takes some seconds to put the circuit together.

    Args:
        casts: what they are made of.
        question: what is asked of them; by default all topics under the default conventions.
        holders: whether the lines and pillars on which a clause fires are told too.

    How often the clauses on childbirth fire over a slice of the whole space, in chunks that could be judged anywhere:

    >>> from kg.bulk.space import Grid
    >>> grid = Grid.whole(hexagrams=range(640, 704), month=[64])
    >>> counts = dict[str, int]()
    >>> for start in range(0, len(grid), 1024):
    ...     fires = six_lines(grid.casts(start, start + 1024), Question(("childbirth",)))
    ...     for clause, count in zip(fires.clauses, fires.counts().tolist()):
    ...         counts[clause] = counts.get(clause, 0) + count
    >>> len(grid), counts["yy-taichan-013"]
    (3840, 0)
    """
    question = question or Question()
    judge = _line_judge(question.topics, question.conventions, frozenset(casts.codes), holders)
    parts = [judge.judge(casts[start : start + CHUNK], [question]) for start in range(0, len(casts), CHUNK)]
    return _in_row(parts) if parts else judge.judge(casts, [question])


def hour_charts(charts: HourCharts, question: HourQuestion | None = None, *, holders: bool = False) -> Fires:
    """The clauses that fire on hour charts that are given as numbers; all are asked the same.

    The first call for a set of topics, conventions and known axes takes some seconds to put the circuit together.

    Args:
        charts: what they are made from.
        question: what is asked of them; by default all topics under the default conventions.
        holders: whether the palaces, symbols and pillars on which a clause fires are told too.

    In a 甲辰 year, how often the door of life is on duty at a birth (「生，胎產利」):

    >>> from kg.bulk.hours import HourGrid
    >>> grid = HourGrid.whole(year=[40])
    >>> fires = hour_charts(grid.charts(0, len(grid)), HourQuestion(("childbirth",)))
    >>> fires.casts, int(fires.counts()[fires.clauses.index("qm-taichan-017")])
    (17280, 1920)
    """
    question = question or HourQuestion()
    judge = _hour_judge(question.topics, question.conventions, frozenset(charts.codes), holders)
    parts = [judge.judge(charts[start : start + CHUNK], [question]) for start in range(0, len(charts), CHUNK)]
    return _in_row(parts) if parts else judge.judge(charts, [question])


def _in_row(parts: Sequence[Fires]) -> Fires:
    """Chunks of one batch, of which all but the last fill their words, one after the other."""
    if len(parts) == 1:
        return parts[0]
    first = parts[0]
    holders = {c: {slot: np.concatenate([p.holders[c][slot] for p in parts]) for slot in held} for c, held in first.holders.items()}
    return Fires(first.clauses, sum(p.casts for p in parts), np.concatenate([p.words for p in parts], axis=1), holders)


def evaluate(givens: Sequence[AnyGiven], *, holders: bool = False) -> Fires:
    """The clauses that fire on any casts: of both traditions, on any topics, under any conventions.

    >>> from loader.tables import choose
    >>> given = Given((8, 8, 9, 7, 8, 8), {"month": "辰", "day": "戊辰"}, ("childbirth",), conventions=choose({}))
    >>> "yy-taichan-088" in evaluate([given]).of(0)
    True

    Args:
        givens: the inputs.
        holders: whether the individuals on which a clause fires are told too.

    Raises:
        InputError: something of a cast that is no pillar, no term or no convention.
    """
    groups: dict[tuple[str, Conventions], list[int]] = {}
    for n, given in enumerate(givens):
        groups.setdefault((tradition_of(given), settled(given.conventions)), []).append(n)
    parts, order = [], []
    for (tradition, conventions), numbers in groups.items():
        mine = [givens[n] for n in numbers]
        found = _lines(mine, conventions, holders) if tradition == "liuyao" else _hours(mine, conventions, holders)
        for start, fires in found:
            parts.append(fires)
            order.append(np.array(numbers[start : start + fires.casts], np.intp))
    return joined(parts, order, len(givens))


def _lines(givens: Sequence[AnyGiven], conventions: Conventions, holders: bool) -> Iterator[tuple[int, Fires]]:
    lines = [g for g in givens if isinstance(g, Given)]
    casts = Casts.given(lines)
    judge = _line_judge(topics(), conventions, frozenset(casts.codes), holders)
    for start in range(0, len(lines), CHUNK):
        yield start, judge.judge(casts[start : start + CHUNK], [Question.of(g) for g in lines[start : start + CHUNK]])


def _hours(givens: Sequence[AnyGiven], conventions: Conventions, holders: bool) -> Iterator[tuple[int, Fires]]:
    hours = [g for g in givens if isinstance(g, QimenGiven)]
    charts = HourCharts.given(hours)
    judge = _hour_judge(topics("qimen"), conventions, frozenset(charts.codes), holders)
    for start in range(0, len(hours), CHUNK):
        yield start, judge.judge(charts[start : start + CHUNK], [HourQuestion(g.topics, g.asks, conventions) for g in hours[start : start + CHUNK]])
