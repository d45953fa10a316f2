"""For every clause with a condition, a cast on which it holds; those that never can are marked, with the reason."""

import csv
from collections import defaultdict
from pathlib import Path

from kg.judgement import judge_all
from loader.chapter import clauses
from loader.liuyao import UNITS, Given, bits_of
from loader.tables import choose
from tests.cases.find import holds

FILE = Path(__file__).with_name("cases") / "firing.tsv"


def cases() -> dict[str, Given]:
    with FILE.open(encoding="utf-8", newline="") as stream:
        return {
            row["clause"]: Given(
                tuple(map(int, row["lines"])),
                {u: row[u] for u in UNITS if row[u]},
                (row["topic"],),
                tuple(row["asks"].split()),
                conventions=choose({}),
            )
            for row in csv.DictReader(stream, delimiter="\t")
        }


def test_every_condition_has_a_case_or_a_reason() -> None:
    conditioned = {c.id for c in clauses().values() if c.when is not None}
    dead = {c.id for c in clauses().values() if c.dead}
    assert conditioned - dead == set(cases())


def test_every_case_holds() -> None:
    by_topic: dict[str, dict[str, Given]] = defaultdict(dict)
    for clause, given in cases().items():
        by_topic[given.topics[0]][clause] = given
    silent = []
    for wanted in by_topic.values():
        distinct = {g.iri: g for g in wanted.values()}
        judged = {j.chart.iri: j for j in judge_all(list(distinct.values()))}
        silent += [clause for clause, g in wanted.items() if not holds(judged[g.iri], clauses()[clause])]
    assert silent == []


def test_the_dead_rungs_are_never_reached() -> None:
    """000 ¶6: a hidden 子孫 exists under every hexagram that shows none, so the rungs below are dead by all 64 hexagrams.

    The conditions depend on the hexagram and on movement only through visible and hidden kin, so 64 still casts are the whole space.
    """
    from loader.liuyao import Chart
    from loader.ontology import ontology

    for number in range(1, 65):
        chart = Chart(Given(tuple(7 if b == "1" else 8 for b in bits_of(number)), {"month": "子", "day": "甲子"}, ("childbirth",), conventions=choose({})))
        visible = {ontology().label(v.kin) for v in chart.visible}
        hidden = {ontology().label(h.kin) for h in chart.hidden if h}
        assert "子孫" in visible | hidden
    assert {c.id for c in clauses().values() if c.dead} == {"yy-taichan-093", "yy-taichan-094"}
