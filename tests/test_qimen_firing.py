"""Every condition of the hour chart holds at some real hour, or is proved dead: the cases of ontology/witnesses/qimen.tsv."""

import pytest

from kg.asking import topics
from kg.judgement import judge_all
from loader.chapter import clauses
from loader.witness import rows
from tests.cases.find import holds
from tests.cases.find_hours import given_of

CASES = rows("qimen")


@pytest.mark.slow
@pytest.mark.parametrize("topic", topics("qimen"))
def test_each_case_holds(topic: str) -> None:
    givens, wanted = [], []
    for case in CASES:
        if case["topic"] == topic:
            givens.append(given_of(case))
            wanted.append(case["clauses"].split())
    for j, ids in zip(judge_all(givens), wanted, strict=True):
        assert [i for i in ids if not holds(j, clauses()[i].under(j.reading))] == [], j.chart.given.as_input()


def test_every_condition_has_a_case_or_a_proof() -> None:
    conditions = {c.id for c in clauses().values() if c.tradition == "qimen" and c.when_text}
    dead = {c.id for c in clauses().values() if c.tradition == "qimen" and c.dead}
    assert conditions - dead == {i for case in CASES for i in case["clauses"].split()}


def test_a_dead_condition_of_the_hour_chart() -> None:
    """qm-zang-272d, 丙 over the stem of the hour: what stands there is one of 戊 to 癸 (see test_qimen_patterns, NEVER)."""
    assert {c.id for c in clauses().values() if c.tradition == "qimen" and c.dead} == {"qm-zang-272d"}
