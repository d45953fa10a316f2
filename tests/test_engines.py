"""The engines against each other on random casts: the same clauses fire."""

from dataclasses import replace

import pytest

from kg.check import sample
from kg.judgement import judge, judge_all
from kg.reasoning import engine
from loader.errors import EngineError

TOPICS = ("childbirth", "midwife", "wet-nurse", "smallpox", "heirs")
PER_TOPIC = 40


@pytest.mark.slow
@pytest.mark.parametrize("topic", TOPICS)
def test_owlrl_and_reasonable_fire_the_same(topic: str) -> None:
    """200 random casts, 40 on each slice; owlrl closes them together, for its cost lies in the axioms."""
    casts = [replace(g, topics=(topic,)) for g in sample(PER_TOPIC, seed=TOPICS.index(topic) + 100)]
    ours = judge_all(casts, "reasonable")
    theirs = judge_all(casts, "owlrl")
    parted = {a.chart.iri: a.fires ^ b.fires for a, b in zip(ours, theirs, strict=True) if a.fires != b.fires}
    assert parted == {}
    assert sum(len(j.fires) for j in ours) > PER_TOPIC


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
