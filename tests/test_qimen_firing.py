"""Every condition of the hour chart holds at some real hour, or is proved dead: the cases of cases/hours.tsv."""

from pathlib import Path

import pytest

from kg.asking import topics
from kg.judgement import judge_all
from loader.chapter import clauses
from loader.qimen_given import QimenTyped, qimen_given
from tests.cases.find import holds

CASES = [line.split("\t") for line in (Path(__file__).parent / "cases" / "hours.tsv").read_text("utf-8").splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("topic", topics("qimen"))
def test_each_case_holds(topic: str) -> None:
    givens, wanted = [], []
    for asked, at, asks, person, man, woman, mountain, crop, ids in CASES:
        if asked == topic:
            typed = QimenTyped(
                at=at,
                asks=tuple(asks.split()),
                birth=person or None,
                man=man or None,
                woman=woman or None,
                mountain=mountain or None,
                crop=crop or None,
            )
            givens.append(qimen_given(typed, (topic,))[0])
            wanted.append(ids.split())
    for j, ids in zip(judge_all(givens), wanted, strict=True):
        assert [i for i in ids if not holds(j, clauses()[i].under(j.reading))] == [], j.chart.given.as_input()


def test_every_condition_has_a_case_or_a_proof() -> None:
    conditions = {c.id for c in clauses().values() if c.tradition == "qimen" and c.when_text}
    dead = {c.id for c in clauses().values() if c.tradition == "qimen" and c.dead}
    assert conditions - dead == {i for case in CASES for i in case[-1].split()}


def test_a_dead_condition_of_the_hour_chart() -> None:
    """qm-zang-272d, 丙 over the stem of the hour: what stands there is one of 戊 to 癸 (see test_qimen_patterns, NEVER)."""
    assert {c.id for c in clauses().values() if c.tradition == "qimen" and c.dead} == {"qm-zang-272d"}
