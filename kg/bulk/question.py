"""What is asked of casts, apart from what they are made of; one question may be put to millions of casts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kg.asking import roles_of, topics
from kg.bulk.machine import Facts, marks, packed, words_for
from kg.bulk.space import lines_of
from kg.bulk.stated import Fact, fact_of
from loader import iris
from loader.facts import asked
from loader.liuyao import Chart, Given
from loader.ontology import ontology
from loader.tables import choose

Conventions = tuple[tuple[str, str], ...]
_KEPT: Final = 10_000
"""Answers kept of what is asked of one pair of hexagrams."""


def settled(conventions: Mapping[str, str]) -> Conventions:
    """Conventions as they are kept: sorted pairs of name and option."""
    return tuple(sorted(conventions.items()))


@dataclass(frozen=True)
class Question:
    """A question of six lines.

    Attributes:
        topics: ids of the topics asked about, all by default.
        asks: keys of questions that narrow the topics.
        relative: key of the relative asked about, or None.
        role: key of the role (分宮) asked about, or None.
        age: age of the person asked about, one at birth, or None.
        conventions: all conventions with their options, as `settled` gives them; the defaults by default.

    >>> Question(("heirs",)).on(64).lines
    (9, 8, 8, 8, 8, 8)
    """

    topics: tuple[str, ...] = field(default_factory=topics)
    asks: tuple[str, ...] = ()
    relative: str | None = None
    role: str | None = None
    age: int | None = None
    conventions: Conventions = field(default_factory=lambda: settled(choose({})))

    @classmethod
    def of(cls, given: Given) -> "Question":
        """What an input asks."""
        return cls(given.topics, given.asks, given.relative, given.role, given.age, settled(given.conventions))

    def on(self, pair: int) -> Given:
        """The question put to a pair of hexagrams of which nothing else is known."""
        return Given(lines_of(pair), {}, self.topics, self.asks, None, self.relative, self.role, self.age, conventions=dict(self.conventions))

    def facts(self, pair: int) -> tuple[Fact, ...]:
        """What is stated of a cast because this is asked of it.

        An age counts all lines, moving and changed; a relative those of the original hexagram; nothing else hangs on the hexagrams.
        """
        return _facts(self, pair if self.age else pair // 64 * 65 if self.relative else 0)


def can_be_asked() -> frozenset[Fact]:
    """What can be stated because it is asked: topics, narrower questions and roles; what a relative or an age means is found when it comes."""
    every = Question(asks=tuple(iris.key(q) for q in ontology().of_type("Question")))
    roles = [Question(role=role) for topic in topics() for role in roles_of(topic)]
    return frozenset(fact for question in (every, *roles) for fact in question.facts(0))


@lru_cache(_KEPT)
def _facts(question: Question, pair: int) -> tuple[Fact, ...]:
    chart = Chart(question.on(pair))
    me = chart.iri
    return tuple(fact_of(t, me) for t in asked(chart))


def facts_asked(questions: Sequence[Question], pairs: NDArray[np.intp]) -> Facts:
    """What is stated of casts because of what is asked of each.

    Args:
        questions: one for each cast, or one for all.
        pairs: their pairs of hexagrams, shape (casts,).
    """
    if len(questions) == 1 and not (questions[0].relative or questions[0].age):
        everywhere = np.full(words_for(len(pairs)), ~np.uint64(0))
        return dict.fromkeys(questions[0].facts(0), everywhere)
    found: dict[Fact, list[int]] = {}
    if len(questions) == 1:
        distinct, at = np.unique(pairs, return_inverse=True)
        each = [questions[0].facts(int(pair)) for pair in distinct]
        for n, facts in enumerate(each):
            for fact in facts:
                found.setdefault(fact, []).append(n)
    else:
        distinct, at = pairs, np.arange(len(pairs))
        for n, (question, pair) in enumerate(zip(questions, pairs.tolist(), strict=True)):
            for fact in question.facts(pair):
                found.setdefault(fact, []).append(n)
    return {fact: packed(marks(numbers, len(distinct))[at]) for fact, numbers in found.items()}
