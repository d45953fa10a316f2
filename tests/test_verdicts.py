"""Verdicts worked by hand from the passages."""

from dataclasses import replace

import pytest

from kg.explain import why_not
from kg.judgement import judge, judge_all
from kg.store import doctrine
from kg.timing import coming
from loader import iris
from loader.chapter import clauses
from loader.iris import ns
from loader.liuyao import Given
from loader.ontology import ontology
from tests.conftest import Judge


def test_lu_all_still_is_a_girl(judged: Judge) -> None:
    """000 ¶5: 如天澤履卦，乃陽包陰生女也."""
    j = judged("履", month="午", day="甲子")
    assert "yy-taichan-087" in j.fires
    assert {v.clause.value for v in j.verdicts if v.clause.about == "gender"} == {"female"}


def test_yu_all_still_is_a_boy(judged: Judge) -> None:
    """000 ¶5: 雷地豫卦，乃陰包陽，生男也."""
    j = judged("豫", month="午", day="甲子")
    assert {v.clause.value for v in j.verdicts if v.clause.about == "gender"} == {"male"}


def test_lu_with_line_five_moving_follows_the_changed_line(judged: Judge) -> None:
    """履 to 睽: 子孫 壬申 moves to 己未, a yin line of 離, a yin trigram: a girl by both witnesses."""
    j = judged("履", moving="5", month="午", day="甲子")
    assert {"yy-taichan-078", "yy-taichan-080"} <= j.fires
    assert "yy-taichan-087" not in j.fires


def test_hidden_offspring_gives_the_sex_where_none_shows_and_nothing_encloses(judged: Judge) -> None:
    """000 ¶6. 晉 (palace 乾): 子孫 甲子 is hidden, drawn yang; 000101 does not enclose."""
    j = judged("晉", month="午", day="甲子")
    assert "yy-taichan-092a" in j.fires
    assert "yy-taichan-092b" not in j.fires


def test_daxu_overrides_absence(judged: Judge) -> None:
    """000 ¶2: 大畜 shows neither 子孫 nor 胎爻, yet 卦得大畜與渙者有也."""
    j = judged("大畜", month="午", day="甲子")
    by_id = {v.clause.id: v for v in j.verdicts}
    assert by_id["yy-taichan-035"].stands
    assert by_id["yy-taichan-037"].overridden_by == ("yy-taichan-035",)
    assert not any(c.about == "pregnancy" and any("yy-taichan-037" in ids for _, ids in c.sides) for c in j.conflicts)


@pytest.mark.parametrize("name", ["觀", "晉", "升", "大過"])
def test_absence_holds_of_the_other_four(judged: Judge, name: str) -> None:
    j = judged(name, month="午", day="甲子")
    assert next(v for v in j.verdicts if v.clause.id == "yy-taichan-037").stands


def test_fetus_line_by_the_element_of_offspring() -> None:
    """Computed over the 64: 26 show both, 22 only 子孫, 11 only the fetus line, 5 neither."""
    from loader.given import Typed, given

    counts = {"both": 0, "offspring": 0, "fetus": 0, "neither": 0}
    neither = set()
    o = ontology()
    for number in range(1, 65):
        cast, _ = given(Typed(hexagram=str(number), pillars={"month": "午", "day": "甲子"}), ("heirs",))
        fires = judge(cast).fires
        kind = {"yy-qiusi-005": "both", "yy-qiusi-003": "offspring", "yy-qiusi-002": "fetus", "yy-qiusi-004": "neither"}
        (found,) = [kind[i] for i in fires if i in kind]
        counts[found] += 1
        if found == "neither":
            neither.add(o.label(iris.symbol("hexagram", number)))
    assert counts == {"both": 26, "offspring": 22, "fetus": 11, "neither": 5}
    assert neither == {"觀", "晉", "大畜", "升", "大過"}


def test_child_asking_for_its_mother_takes_siblings(judged: Judge) -> None:
    """000 ¶2: 惟子占母孕者，以兄弟為用也."""
    god = iris.symbol("useful-god", "childbirth")
    for asks, kin in (((), "子孫"), (("child-of-mother",), "兄弟")):
        j = judged("坎", month="午", day="甲子", asks=asks)
        gods = [v for v in j.chart.visible if j.closed.holds(v.iri, god)]
        assert {ontology().label(v.kin) for v in gods} == ({kin} if any(ontology().label(v.kin) == kin for v in j.chart.visible) else set())


def test_birth_dates_of_huan(judged: Judge) -> None:
    """渙 (離): the fetus line is 午; far off, the decade in which 午 is void (甲申); near, the day that clashes it (子)."""
    o = ontology()
    far = judged("渙", month="午", day="甲子", asks=("birth-far",))
    (when,) = next(v for v in far.verdicts if v.clause.id == "yy-taichan-097").when
    assert [o.label(d) for d in when.decades] == ["甲申"]
    near = judged("渙", month="午", day="甲子", asks=("birth-near",))
    (when,) = next(v for v in near.verdicts if v.clause.id == "yy-taichan-101").when
    assert [o.label(b) for b in when.branches] == ["子"]


def test_conception_of_weak_and_strong_water(judged: Judge) -> None:
    """000 ¶4: offspring of water or earth, weak: 申; strong: 午. In 乾 palace 子孫 is 甲子 water: weak in 午, strong in 子."""
    o = ontology()
    weak = judged("乾為天", month="午", day="甲戌")
    (when,) = next(v for v in weak.verdicts if v.clause.id == "yy-taichan-065").when
    assert [o.label(b) for b in when.branches] == ["申"]
    strong = judged("乾為天", month="子", day="甲戌")
    (when,) = next(v for v in strong.verdicts if v.clause.id == "yy-taichan-068").when
    assert [o.label(b) for b in when.branches] == ["午"]


def test_every_timing_resolves_to_something(judged: Judge) -> None:
    import datetime

    j = judged(
        "渙", moving="1,5", month="午", day="甲子", topic="all", asks=("birth-near", "miscarriage-date", "conception-date", "calming-fetus", "eruption-date")
    )
    timed = [w for v in j.verdicts for w in v.when]
    assert timed
    for w in timed:
        assert w.at or w.branches or w.decades
        if not w.at:
            assert all(days for days in coming(w, datetime.date(2026, 11, 30)).values())


def test_no_clause_fires_for_another_topic(judged: Judge) -> None:
    j = judged("剝", month="午", day="甲子", topic="heirs")
    assert {clauses()[i].topic for i in j.fires} == {"heirs"}


def test_unknown_year_asserts_neither_a_class_nor_its_complement(judged: Judge) -> None:
    """晉 line 4 is 兄弟 酉 and carries 暗金殺 in a 卯 month; 太歲臨兄弟 hangs on the year alone."""
    j = judged("晉", moving="4", month="卯", day="甲子")
    assert j.not_judged["yy-taichan-130"] == {"YearPillar"}
    assert "yy-taichan-130" in judged("晉", moving="4", year="乙酉", month="卯", day="甲子").fires
    other = judged("晉", moving="4", year="甲子", month="卯", day="甲子")
    assert "yy-taichan-130" not in other.fires | other.not_judged.keys()
    full = judged("剝", year="甲子", month="丙寅", day="甲子", hour="甲子")
    assert full.not_judged == {}


def test_without_a_day_nothing_that_needs_it_fires(judged: Judge) -> None:
    j = judged("剝", month="午")
    assert not any("空" in clauses()[i].when_text or "青龍" in clauses()[i].when_text for i in j.fires)
    assert {i for i, what in j.not_judged.items() if "DayPillar" in what} >= {"yy-taichan-014", "yy-taichan-137"}


def test_void_is_explained_by_the_decade(judged: Judge) -> None:
    j = judged("剝", month="申", day="庚寅")
    void = next(v for v in j.verdicts if v.clause.id.startswith("yy-taichan") and "空亡" in v.clause.when_text)
    reasons = []

    def walk(p) -> None:  # type: ignore[no-untyped-def]
        reasons.append(str(p.reason or ""))
        for part in p.parts:
            walk(part)

    walk(void.proofs[0])
    assert any("day 庚寅 belongs to 旬 甲申, void 午未" in r for r in reasons)


def test_every_verdict_has_a_proof_that_holds_throughout(judged: Judge) -> None:
    for topic in ("childbirth", "midwife", "wet-nurse", "smallpox", "heirs"):
        j = judged("渙", moving="2,5", year="甲子", month="丙寅", day="庚寅", hour="丙子", topic=topic)
        for v in j.verdicts:
            assert v.proofs
            assert all(p.holds is True for p in v.proofs), v.clause.id


def test_every_silent_clause_has_a_nearest_miss(judged: Judge) -> None:
    j = judged("渙", moving="2,5", year="甲子", month="丙寅", day="庚寅", hour="丙子")
    for clause in clauses().values():
        if clause.fires and clause.topic == "childbirth" and clause.tradition == "liuyao" and clause.id not in j.fires:
            missed = why_not(j.chart, j.closed, j.program, clause)
            assert missed is not None
            assert missed.holds is False, clause.id


def test_a_wrong_cast_is_an_inconsistency() -> None:
    """A class and its complement are disjoint in the published axioms."""
    assert doctrine().count(f"<{iris.OWL}disjointWith>".encode()) >= 8


def test_star_pillars_convention_narrows(judged: Judge) -> None:
    from kg.answer import star_share

    wide = judged("剝", year="甲子", month="丙寅", day="庚寅", hour="丙子")
    narrow = judged("剝", year="甲子", month="丙寅", day="庚寅", hour="丙子", conventions={"star-pillars": "day"})
    assert sum(star_share(narrow.chart).values()) <= sum(star_share(wide.chart).values())
    assert ns("StarYima") in {c for line in wide.chart.visible for c in wide.closed.types[line.iri]}


def test_what_is_not_judged_might_fire_and_nothing_else(judged: Judge) -> None:
    """Over all years and hours: a clause that fires for some of them fired, or was named as not judged."""
    known = {"month": "丙寅", "day": "庚寅"}
    partial = judged("渙", moving="2,5", topic="childbirth", **known)
    possible = partial.fires | partial.not_judged.keys()
    given = partial.chart.given
    assert isinstance(given, Given)
    years = ("甲子", "丁丑", "丙寅", "己卯", "戊辰", "辛巳", "庚午", "癸未", "壬申", "乙酉", "甲戌", "丁亥")
    pillars = [known | {"year": year, "hour": hour} for year in years for hour in ("丙子", "辛巳", "癸未", "丁亥")]
    for full in judge_all([replace(given, pillars=p) for p in pillars]):
        assert full.fires <= possible
        assert partial.fires <= full.fires


def test_an_explanation_says_what_is_open_and_what_is_not(judged: Judge) -> None:
    """晉 in a 卯 month: 130 hangs on the year alone; 138 is lost whatever the year, though its stars hang on it."""
    j = judged("晉", moving="4", month="卯", day="甲子")
    for clause, holds in (("yy-taichan-130", None), ("yy-taichan-138", False)):
        missed = why_not(j.chart, j.closed, j.program, clauses()[clause])
        assert missed is not None
        assert missed.holds is holds


def test_the_day_may_be_what_helps(judged: Judge) -> None:
    """000 ¶27, yy-xiaoshi-100: in 乾為天 a day 午 is 官鬼 and generates the weak 父母 辰 and 戌; no line moves."""
    assert "yy-xiaoshi-100" in judged("乾為天", month="卯", day="丙午", topic="small-exam").fires


def test_a_role_asked_about_picks_its_line(judged: Judge) -> None:
    """000 ¶40: 但看所占是何官職，各於分爻取用: the head of a locality (長官) is line 3."""
    j = judged("剝", month="午", day="甲子", topic="office", role="長官")
    assert [(s.clause.id, [iris.key(h) for h in s.holders]) for s in j.useful_gods] == [("yy-guanlu-024", ["3"])]
    assert judged("剝", month="午", day="甲子", topic="office").useful_gods == ()


def test_the_life_line_is_that_of_the_birth_year(judged: Judge) -> None:
    """003 ¶1: 與身世命爻生合; 命爻 is the line with the branch of the birth year."""
    j = judged("剝", month="午", day="甲子", topic="fate", birth="1994")
    # 1994 is 甲戌; 剝 has 丙戌 on line 4.
    assert [iris.key(i) for i in j.closed.members(ns("LifeLine"))] == ["4"]


@pytest.mark.parametrize(
    ("hexagram", "moving", "pillars", "topic", "lost", "by"),
    [
        # 000 ¶23 有制不妨: 乾為天, 妻財 寅 on line 2 moves and a day 申 controls it.
        ("乾為天", "2", {"month": "卯", "day": "甲申"}, "small-exam", "yy-xiaoshi-022", "yy-xiaoshi-023c"),
        # 003 ¶11 雖貴馬臨之，亦…難顯達: 復, world 子 on line 1, a yang line, strong in 子, a noble of a day 乙, under the Azure Dragon.
        ("復", "", {"month": "子", "day": "乙丑"}, "fate", "yy-shiwei-001", "yy-shiwei-111"),
    ],
)
def test_overrides_of_the_new_chapters(judged: Judge, hexagram: str, moving: str, pillars: dict[str, str], topic: str, lost: str, by: str) -> None:
    j = judged(hexagram, moving=moving, topic=topic, **pillars)
    assert by in j.fires
    assert by in next(v for v in j.verdicts if v.clause.id == lost).overridden_by
