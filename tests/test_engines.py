"""The engines against each other on random casts: the same clauses fire."""

from dataclasses import replace

import pytest

from kg.check import sample
from kg.judgement import judge, judge_all
from kg.reasoning import engine
from loader.errors import EngineError

CASTS = {"childbirth": 20, "midwife": 30, "wet-nurse": 30, "smallpox": 60, "heirs": 60}
"""200 casts; fewer where the slice is large, for owlrl's cost grows with both."""
TOPICS = tuple(CASTS)


@pytest.mark.slow
@pytest.mark.parametrize("topic", TOPICS)
def test_owlrl_and_reasonable_fire_the_same(topic: str) -> None:
    """Random casts on one slice; owlrl closes them together, for much of its cost lies in the axioms."""
    casts = [replace(g, topics=(topic,)) for g in sample(CASTS[topic], seed=TOPICS.index(topic) + 100)]
    ours = judge_all(casts, "reasonable")
    theirs = judge_all(casts, "owlrl")
    parted = {a.chart.iri: a.fires ^ b.fires for a, b in zip(ours, theirs, strict=True) if a.fires != b.fires}
    assert parted == {}
    assert sum(len(j.fires) for j in ours) > CASTS[topic]


def test_casts_closed_together_fire_as_apart() -> None:
    casts = [replace(g, topics=("childbirth",)) for g in sample(8, seed=5)]
    assert [j.fires for j in judge_all(casts)] == [judge(g).fires for g in casts]


def test_topics_asked_together_fire_as_apart() -> None:
    for g in sample(3, seed=9):
        together = judge(replace(g, topics=TOPICS)).fires
        apart = frozenset().union(*(judge(replace(g, topics=(t,))).fires for t in TOPICS))
        assert together == apart


def test_unknown_engine() -> None:
    with pytest.raises(EngineError, match="reasonable, owlrl"):
        engine("hermit")
