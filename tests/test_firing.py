"""For every clause with a condition, a cast on which it holds; those that never can are marked, with the reason."""

from collections import defaultdict

from kg.judgement import judge_all
from loader import iris
from loader.chapter import clauses
from loader.facts import facts
from loader.liuyao import Chart, Given, bits_of
from loader.ontology import ontology
from loader.tables import choose
from tests.cases.find import holds, load

def test_every_condition_has_a_case_or_a_reason() -> None:
    conditioned = {c.id for c in clauses().values() if c.when_text}
    dead = {c.id for c in clauses().values() if c.dead}
    assert conditioned - dead == set(load())


def test_every_case_holds() -> None:
    by_topic: dict[str, dict[str, Given]] = defaultdict(dict)
    for clause, given in load().items():
        by_topic[given.topics[0]][clause] = given
    silent = []
    for wanted in by_topic.values():
        distinct = {g.iri: g for g in wanted.values()}
        judged = {j.chart.iri: j for j in judge_all(list(distinct.values()))}
        silent += [clause for clause, g in wanted.items() if not holds(judged[g.iri], clauses()[clause])]
    assert silent == []


def test_the_dead_rungs_are_never_reached() -> None:
    """000 ¶6: under every hexagram that shows no 子孫 one is hidden, and where nothing encloses it is yang.

    The conditions depend on the hexagram alone, so the 64 are the whole space.
    """
    without = set()
    for number in range(1, 65):
        lines = tuple(7 if b == "1" else 8 for b in bits_of(number))
        chart = Chart(Given(lines, {"month": "子", "day": "甲子"}, ("childbirth",), conventions=choose({})))
        if any(ontology().label(v.kin) == "子孫" for v in chart.visible):
            continue
        hidden = [h for h in chart.hidden if h and ontology().label(h.kin) == "子孫"]
        assert hidden
        held = {iris.key(o) for s, p, o in facts(chart) if s == chart.iri and p == iris.TYPE}
        if not held & {"YangEnclosesYin", "YinEnclosesYang"}:
            without.add(ontology().label(chart.hexagram))
            assert all(h.yang for h in hidden)
    assert without == {"否", "隨", "蠱", "觀", "賁", "遯", "晉", "井", "歸妹"}
    assert {c.id for c in clauses().values() if c.dead} == {"yy-taichan-092b", "yy-taichan-093", "yy-taichan-094"}
