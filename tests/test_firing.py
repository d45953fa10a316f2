"""For every clause with a condition, a cast on which it holds; those that never can are marked, with the reason."""

from collections import defaultdict

from kg.asking import roles_of
from kg.judgement import judge_all
from kg.sampling import can_meet, moment
from loader import iris
from loader.chapter import clauses
from loader.facts import facts, relations_between
from loader.liuyao import Chart, Given, bits_of
from loader.ontology import ontology
from loader.tables import choose
from tests.cases.find import holds, load


def test_every_condition_has_a_case_or_a_reason() -> None:
    conditioned = {c.id for c in clauses().values() if c.when_text and c.tradition == "liuyao"}
    dead = {c.id for c in clauses().values() if c.dead and c.tradition == "liuyao"}
    assert conditioned - dead == set(load())


def test_every_case_can_occur() -> None:
    """Its pillars are those of one moment: the stem of the month follows from the year, that of the hour from the day."""
    assert [clause for clause, given in load().items() if not can_meet(given.pillars)] == []
    # 甲 years begin with 丙寅, days of 甲 with 甲子.
    assert moment("甲子", "寅", "甲子", "子") == {"year": "甲子", "month": "丙寅", "day": "甲子", "hour": "甲子"}
    assert moment("癸酉", "丑", "丁丑", "亥") == {"year": "癸酉", "month": "乙丑", "day": "丁丑", "hour": "辛亥"}


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


def still(number: int, day: str = "甲子") -> Chart:
    """A hexagram without a moving line."""
    lines = tuple(7 if b == "1" else 8 for b in bits_of(number))
    return Chart(Given(lines, {"month": "子", "day": day}, ("kin",), conventions=choose({})))


def test_every_dead_clause_has_its_proof_here() -> None:
    proved = {
        "yy-taichan-092b",
        "yy-taichan-093",
        "yy-taichan-094",
        "yy-xiaoshi-115",
        "yy-xianghui-059",
        "yy-liuqin-032",
        "yy-gaozeng-003",
        "yy-xiongdi-037",
    }
    assert {c.id for c in clauses().values() if c.dead and c.tradition == "liuyao"} == proved


def test_parents_never_hold_the_world_on_line_two() -> None:
    """yy-xiaoshi-115 hangs on the hexagram: 世, line 2, 父母."""
    label = ontology().label
    second = {label(c.hexagram): label(c.visible[1].kin) for n in range(1, 65) if (c := still(n)).shi == 2}
    assert set(second) == {"遯", "屯", "大畜", "解", "家人", "鼎", "臨", "萃"}
    assert "父母" not in second.values()


def test_the_own_palace_brother_of_an_inner_trigram_is_yin() -> None:
    """yy-liuqin-032 hangs on the hexagram: 兄弟, inner, own palace, yang."""
    label = ontology().label
    charts = [still(n) for n in range(1, 65)]
    found = [(label(v.pair), v.yang) for c in charts for v in c.visible[:3] if v.trigram == c.palace and label(v.kin) == "兄弟"]
    assert {pair for pair, _ in found} == {"乙未", "丙辰", "庚寅"}
    assert not any(yang for _, yang in found)


def test_a_line_has_one_kin() -> None:
    """yy-xiongdi-037 asks one line to be 兄弟 and 官鬼."""
    for n in range(1, 65):
        stated = facts(still(n))
        assert all(len([o for s, p, o in stated if s == v.iri and p == iris.ns("kin")]) == 1 for v in still(n).visible)


def test_the_vermilion_parents_never_control_the_curtain_noble() -> None:
    """yy-xianghui-059 hangs on the hexagram (body, world, kin, branches) and the day stem (朱雀, 簾幕貴人): 640 charts are the space."""
    label = ontology().label
    curtain = iris.ns("StarLianmu")
    for n in range(1, 65):
        for day in ("甲子", "乙丑", "丙寅", "丁卯", "戊辰", "己巳", "庚午", "辛未", "壬申", "癸酉"):
            chart = still(n, day)
            nobles = {s for s, p, o in facts(chart) if p == iris.TYPE and o == curtain}
            for v in chart.visible:
                on = v.position == chart.shi or v.position in chart.body
                if on and label(v.kin) == "父母" and label(chart.spirits[v.position - 1]) == "朱雀":
                    controlled = {w.iri for w in chart.visible if "controls" in relations_between(chart, v.branch, w.branch)}
                    assert not controlled & nobles, (label(chart.hexagram), day)


def test_no_line_has_the_role_of_an_ancestor() -> None:
    """yy-gaozeng-003 asks for the line role of the great-grandfather; the roles of 003 ¶20 are a ruin."""
    assert roles_of("ancestors") == {}
