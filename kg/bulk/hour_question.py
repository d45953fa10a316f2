"""What is asked of hour charts, apart from what they are made from; one question may be put to millions of charts."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import numpy as np

from kg.asking import topics
from kg.bulk.machine import Facts, marks, packed, words_for
from kg.bulk.question import Conventions, settled
from kg.bulk.stated import Fact, fact_of
from loader import iris
from loader.ontology import ontology
from loader.qimen import Ju, QimenChart, QimenGiven
from loader.qimen_facts import asked, frame_table
from loader.tables import choose

FRAMES: Final = "frames"
"""In the place of a property: the table of 局 frames by which a question is judged."""
_KEPT: Final = 10_000
"""Questions of which the facts are kept."""


@dataclass(frozen=True)
class HourQuestion:
    """A question of hour charts.

    Attributes:
        topics: ids of the topics asked about, all by default.
        asks: keys of questions that narrow the topics.
        conventions: all conventions with their options, as `settled` gives them; the defaults by default.

    >>> sorted(p.split("/")[-1] for _, p, _ in HourQuestion(("burial",)).facts())
    ['askedAbout', 'frames']
    """

    topics: tuple[str, ...] = field(default_factory=lambda: topics("qimen"))
    asks: tuple[str, ...] = ()
    conventions: Conventions = field(default_factory=lambda: settled(choose({})))

    @classmethod
    def of(cls, given: QimenGiven) -> "HourQuestion":
        """What an input asks."""
        return cls(given.topics, given.asks, settled(given.conventions))

    def facts(self) -> tuple[Fact, ...]:
        """What is stated of a chart because this is asked of it."""
        return _facts(self.topics, self.asks)


@lru_cache(_KEPT)
def _facts(topics: tuple[str, ...], asks: tuple[str, ...]) -> tuple[Fact, ...]:
    chart = QimenChart(QimenGiven({}, Ju(True, 1, None, None, "given"), topics, asks))
    me = chart.iri
    return (*(fact_of(t, me) for t in asked(chart)), ("", FRAMES, frame_table(topics)))


def can_be_asked() -> frozenset[Fact]:
    """All that can be stated because it is asked, of which any clause can speak."""
    asks = tuple(iris.key(q) for q in ontology().of_type("Question"))
    return frozenset(fact for each in (topics("qimen"), *((one,) for one in topics("qimen"))) for fact in HourQuestion(each, asks).facts())


def facts_asked_of_hours(questions: Sequence[HourQuestion], charts: int) -> Facts:
    """What is stated of charts because of what is asked of each.

    Args:
        questions: one for each chart, or one for all.
        charts: how many.
    """
    if len(questions) == 1:
        return dict.fromkeys(questions[0].facts(), np.full(words_for(charts), ~np.uint64(0)))
    found: dict[Fact, list[int]] = {}
    for n, question in enumerate(questions):
        for fact in question.facts():
            found.setdefault(fact, []).append(n)
    return {fact: packed(marks(numbers, charts)) for fact, numbers in found.items()}
