"""The chart against the charts of 增刪卜易 as the book prints them, and against known traps."""

import pytest

from loader.given import Typed, given
from loader.liuyao import Chart
from loader.ontology import ontology


def chart(hexagram: str | None = None, *, lines: str | None = None, **more: str) -> Chart:
    pillars = {u: more.pop(u) for u in ("year", "month", "day", "hour") if u in more}
    cast, _ = given(Typed(hexagram=hexagram, lines=lines, pillars=pillars, **more), ["childbirth"])  # type: ignore[arg-type]
    return Chart(cast)


def line(c: Chart, position: int) -> tuple[str, str]:
    o, v = ontology(), c.visible[position - 1]
    return o.label(v.branch), o.label(v.kin)


def test_jin_still_in_month_wu() -> None:
    c = chart("火地晉", month="午", day="戊辰")
    assert line(c, 4) == ("酉", "兄弟")
    assert c.shi == 4


def test_bo_line_five_moves() -> None:
    c = chart("山地剝", moving="5", month="申", day="戊子")
    o = ontology()
    assert o.label(c.changed or "") == "觀"
    assert line(c, 5) == ("子", "子孫")
    changed = c.changed_lines[4]
    assert changed is not None
    assert (o.label(changed.branch), o.label(changed.kin)) == ("巳", "官鬼")
    assert o.label(c.spirits[4]) == "青龍"


def test_xiaoguo_line_three_moves() -> None:
    c = chart("雷山小過", moving="3", month="辰", day="戊辰")
    o = ontology()
    assert o.label(c.changed or "") == "豫"
    assert line(c, 3) == ("申", "兄弟")
    changed = c.changed_lines[2]
    assert changed is not None
    assert (o.label(changed.branch), o.label(changed.kin)) == ("卯", "妻財")


def test_feng_line_one_moves(judged) -> None:  # type: ignore[no-untyped-def]
    j = judged("雷火豐", moving="1", month="子", day="乙亥", topic="all")
    c, o = j.chart, ontology()
    assert o.label(c.changed or "") == "小過"
    assert line(c, 4) == ("午", "妻財")
    assert j.closed.holds(c.visible[3].iri, "https://w3id.org/guigu/ns/MonthBroken")
    assert line(c, 1) == ("卯", "子孫")
    changed = c.changed_lines[0]
    assert changed is not None
    assert (o.label(changed.branch), o.label(changed.kin)) == ("辰", "官鬼")


@pytest.mark.parametrize(("day", "first"), [("甲子", "青龍"), ("丙寅", "朱雀"), ("戊辰", "勾陳"), ("己巳", "螣蛇"), ("庚午", "白虎"), ("壬申", "玄武")])
def test_spirits_begin_by_the_day_stem(day: str, first: str) -> None:
    assert ontology().label(chart("乾為天", month="子", day=day).spirits[0]) == first


def test_tai_has_shi_three_and_ying_six() -> None:
    c = chart("泰", month="子", day="甲子")
    assert (c.shi, c.ying) == (3, 6)


@pytest.mark.parametrize("name", ["觀", "大壯", "睽", "訟", "革", "晉", "升", "蹇", "明夷", "无妄"])
def test_ying_is_three_places_from_shi(name: str) -> None:
    c = chart(name, month="子", day="甲子")
    assert abs(c.shi - c.ying) == 3


def test_fourth_generation_has_ying_on_line_one() -> None:
    o = ontology()
    fourth = [h for h in o.of_type("Hexagram") if o.number(h, "https://w3id.org/guigu/ns/generation") == 4]
    assert len(fourth) == 8
    assert {chart(o.label(h), month="子", day="甲子").ying for h in fourth} == {1}


def test_huan_hides_officer_and_wealth() -> None:
    c, o = chart("渙", month="子", day="甲子"), ontology()
    third, fourth = c.hidden[2], c.hidden[3]
    assert third is not None
    assert fourth is not None
    assert (o.label(third.kin), o.label(third.pair)) == ("官鬼", "己亥")
    assert (o.label(fourth.kin), o.label(fourth.pair)) == ("妻財", "己酉")


def test_ding_hides_ji_hai_under_line_three() -> None:
    """003 ¶29: 鼎 hides 官鬼 己亥 under 辛酉 at line 3."""
    c, o = chart("火風鼎", month="子", day="甲子"), ontology()
    third = c.hidden[2]
    assert third is not None
    assert (o.label(third.kin), o.label(third.pair), o.label(c.visible[2].pair)) == ("官鬼", "己亥", "辛酉")


def kin_of_changed_figure(c: Chart) -> list[str]:
    """Kin of all six lines of the changed hexagram, counted from the original palace."""
    o = ontology()
    return [o.label(c._line("changed", c.changed_bits, i).kin) for i in range(1, 7)]


def test_changed_kin_are_counted_from_the_original_palace() -> None:
    assert kin_of_changed_figure(chart("蒙", to="晉", month="子", day="甲子")) == ["子孫", "兄弟", "父母", "妻財", "子孫", "兄弟"]
    assert kin_of_changed_figure(chart("蠱", to="比", month="子", day="甲子")) == ["妻財", "子孫", "兄弟", "官鬼", "妻財", "父母"]


def test_numbers_run_from_the_bottom() -> None:
    assert ontology().label(chart(lines="7 7 8 7 7 7", month="子", day="甲子").hexagram) == "履"


def test_moment_before_lichun_is_still_the_old_year() -> None:
    c = chart("乾為天", at="2022-02-04T04:00+08:00")
    assert {u: ontology().label(p.pair or "") for u, p in c.pillars.items()} == {"year": "辛丑", "month": "辛丑", "day": "戊子", "hour": "甲寅"}


def test_body_of_examples() -> None:
    """易隱: 噬嗑 戌, 艮 巳, 蠱 寅."""
    for name, branch in (("噬嗑", "戌"), ("艮", "巳"), ("蠱", "寅")):
        assert ontology().label(chart(name, month="子", day="甲子").body_branch) == branch


def test_body_lines_over_all_hexagrams() -> None:
    """31 hexagrams show the 卦身 on a visible line, 33 do not; 升, 臨 and 萃 show it twice."""
    o = ontology()
    bodies = {o.label(h): chart(str(o.number(h, "https://w3id.org/guigu/ns/number")), month="子", day="甲子").body for h in o.of_type("Hexagram")}
    assert sum(bool(b) for b in bodies.values()) == 31
    assert {name for name, b in bodies.items() if len(b) == 2} == {"升", "臨", "萃"}


def test_true_and_false_lines(judged) -> None:  # type: ignore[no-untyped-def]
    """003 ¶14: in 觀 every line is false within false; in 剝 lines 4 to 6 are false within true."""
    ns = "https://w3id.org/guigu/ns/"
    c = chart("觀", month="子", day="甲子")
    from loader.facts import facts

    held = {(s, o) for s, p, o in facts(c) if p.endswith("#type")}
    assert not any((v.iri, ns + "OwnPalace") in held or (v.iri, ns + "PalaceBranch") in held for v in c.visible)
    c = chart("剝", month="子", day="甲子")
    held = {(s, o) for s, p, o in facts(c) if p.endswith("#type")}
    assert [(v.iri, ns + "PalaceBranch") in held for v in c.visible] == [False] * 3 + [True] * 3


def test_void_of_each_decade() -> None:
    """003 ¶30."""
    expected = {"甲子": "戌亥", "甲戌": "申酉", "甲申": "午未", "甲午": "辰巳", "甲辰": "寅卯", "甲寅": "子丑"}
    for day, void in expected.items():
        assert "".join(map(ontology().label, chart("乾為天", month="子", day=day).void)) == void


def test_enclosure() -> None:
    """000 ¶5: yang encloses yin in 履, yin encloses yang in 豫."""
    from loader.facts import _enclosure

    assert _enclosure(chart("履", month="子", day="甲子")) == "YangEnclosesYin"
    assert _enclosure(chart("豫", month="子", day="甲子")) == "YinEnclosesYang"
    assert _enclosure(chart("乾為天", month="子", day="甲子")) is None


def test_mean_sun_of_seoul_is_half_an_hour_behind_its_clock() -> None:
    """11:20 in Seoul (+09:00, 126.98 east) is 10:48 by the mean sun: still the 巳 hour."""
    at = "2026-11-30T11:20+09:00"
    civil, _ = given(Typed(hexagram="乾為天", at=at), ["childbirth"])
    sun, _ = given(Typed(hexagram="乾為天", at=at, longitude=126.98, conventions={"solar-time": "mean"}), ["childbirth"])
    assert (civil.pillars["hour"][1], sun.pillars["hour"][1]) == ("午", "巳")


@pytest.mark.parametrize(
    ("month", "term"),
    [
        ("寅", "立春"),
        ("辰", "春分"),
        ("巳", "立夏"),
        ("未", "夏至"),
        ("申", "立秋"),
        ("戌", "秋分"),
        ("亥", "立冬"),
        ("丑", "冬至"),
        ("卯", None),
        ("午", None),
        ("酉", None),
        ("子", None),
    ],
)
def test_a_month_settles_the_term_of_the_trigrams_or_leaves_it_open(month: str, term: str | None) -> None:
    """003 ¶3: each of the eight terms runs to the next; a middle month of a season has two of them."""
    found = chart("乾為天", month=month, day="甲子").season_term
    assert (ontology().label(found) if found else None) == term


def test_a_moment_settles_the_term_in_a_middle_month() -> None:
    before, after = chart("乾為天", at="2026-03-10T12:00+08:00"), chart("乾為天", at="2026-03-25T12:00+08:00")
    assert [ontology().label(c.season_term or "") for c in (before, after)] == ["立春", "春分"]
    # 003 ¶3: from 立春 the grades begin 艮旺 震相, from 春分 震旺 巽相.
    table = before.tables.get("trigram-season")
    gen, zhen, xun = (f"https://w3id.org/guigu/id/trigram/{t}" for t in ("gen", "zhen", "xun"))
    assert [ontology().label(table.iri_of(before.season_term or "", t)) for t in (gen, zhen)] == ["旺", "相"]
    assert [ontology().label(table.iri_of(after.season_term or "", t)) for t in (zhen, xun)] == ["旺", "相"]
