"""The engines against each other on random casts: the same clauses fire."""

from dataclasses import replace

import pytest
from owlrl import OWLRL_Semantics

from kg.asking import topics
from kg.check import disagreements
from kg.judgement import judge, judge_all
from kg.reasoning import engine, owlrl_engine
from kg.sampling import sample
from loader.errors import EngineError
from loader.liuyao import Given
from loader.qimen import QimenGiven


@pytest.mark.slow
@pytest.mark.parametrize("topic", topics())
def test_owlrl_and_reasonable_fire_the_same(topic: str) -> None:
    """One cast a topic, as owlrl takes a quarter of a minute for it; `guigu check --casts 5000` compares 200."""
    casts = list(sample(1, seed=topics().index(topic) + 100, topic=topic, tradition="liuyao"))
    assert list(disagreements(casts)) == []
    assert any(j.fires or j.useful_gods for j in judge_all(casts))


@pytest.mark.slow
def test_owlrl_and_reasonable_fire_the_same_on_an_hour() -> None:
    """One chart of one topic: it has twice the individuals of a hexagram, and owlrl takes twenty seconds for it."""
    charts = list(sample(1, seed=40, topic="childbirth", tradition="qimen"))
    assert list(disagreements(charts)) == []
    assert judge(charts[0]).fires


@pytest.mark.slow
def test_the_rules_of_equality_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    casts = list(sample(4, seed=3, topic="heirs", tradition="liuyao"))
    without = [j.fires for j in judge_all(casts, "owlrl")]
    monkeypatch.setattr(owlrl_engine.OwlrlClosure, "semantics", OWLRL_Semantics)
    assert [j.fires for j in judge_all(casts, "owlrl")] == without


@pytest.mark.parametrize("topic", topics())
def test_casts_closed_together_fire_as_apart(topic: str) -> None:
    casts = list(sample(4, seed=5, topic=topic, tradition="liuyao"))
    assert [j.fires for j in judge_all(casts)] == [judge(g).fires for g in casts]


def test_topics_asked_together_fire_as_apart() -> None:
    for g in sample(1, seed=9, tradition="liuyao"):
        assert isinstance(g, Given)
        together = judge(replace(g, topics=topics())).fires
        apart = frozenset().union(*(judge(replace(g, topics=(t,))).fires for t in topics()))
        assert together == apart


def test_hours_closed_together_fire_as_apart() -> None:
    for topic in topics("qimen"):
        charts = list(sample(2, seed=5, topic=topic, tradition="qimen"))
        assert [j.fires for j in judge_all(charts)] == [judge(g).fires for g in charts]


def test_topics_of_an_hour_asked_together_fire_as_apart() -> None:
    for g in sample(1, seed=9, tradition="qimen"):
        if isinstance(g, QimenGiven):
            together = judge(replace(g, topics=topics("qimen"))).fires
            apart = frozenset().union(*(judge(replace(g, topics=(t,))).fires for t in topics("qimen")))
            assert together == apart


def test_unknown_engine() -> None:
    with pytest.raises(EngineError, match="reasonable, owlrl"):
        engine("hermit")
