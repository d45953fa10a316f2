"""The tables: symmetry, cycles and the values that the books give."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader import iris
from loader.facts import facts, relations_between
from loader.iris import ns
from loader.liuyao import UNITS, Chart, Given, named
from loader.ontology import ontology
from loader.tables import Tables, choose, conventions

DATA = ontology()
BRANCHES = DATA.ordered("Branch")
PAIRS = [DATA.label(p) for p in DATA.ordered("Pair")]
T = Tables(choose({}))
branches = st.sampled_from(BRANCHES)
numbers = st.tuples(*[st.sampled_from((6, 7, 8, 9))] * 6)
pillars = st.fixed_dictionaries({u: st.sampled_from(PAIRS) for u in UNITS})


def chart(lines: tuple[int, ...], at: dict[str, str]) -> Chart:
    return Chart(Given(lines, at, ("childbirth",), conventions=choose({})))


BARE = chart((7,) * 6, {"month": "子", "day": "甲子"})


@given(branches, branches)
def test_relations_are_symmetric_where_the_doctrine_is(a: str, b: str) -> None:
    there, back = set(relations_between(BARE, a, b)), set(relations_between(BARE, b, a))
    for relation in ("combinesWith", "clashes", "harms", "supports", "matches", "standsOn"):
        assert (relation in there) == (relation in back)
    assert not {"generates", "controls"} <= there
    # Of two elements exactly one of five things is so.
    assert len({"generates", "controls", "matches"} & there) + len({"generates", "controls"} & back) == 1


@given(branches)
def test_each_branch_combines_clashes_and_harms_one(a: str) -> None:
    for key in ("branch-combines", "branch-clashes", "branch-harms"):
        (b,) = T.get(key).all(a)
        assert T.get(key).all(b) == (a,)


def test_stages_run_once_round_from_the_birth_of_each_element() -> None:
    """000 ¶2, ¶4: 長生 of water and earth at 申, 胎 of metal 卯, wood 酉, fire 子, water and earth 午."""
    by_name = named("Element")
    for element, birth, fetus in (("木", "亥", "酉"), ("火", "寅", "子"), ("金", "巳", "卯"), ("水", "申", "午"), ("土", "申", "午")):
        row = {DATA.label(b): DATA.label(T.get("stages").iri_of(by_name[element], b)) for b in BRANCHES}
        assert row[birth] == "長生"
        assert row[fetus] == "胎"
        assert len(set(row.values())) == 12
        assert T.get("fetus").one(by_name[element]) == named("Branch")[fetus]


def test_season_is_a_permutation_in_every_month() -> None:
    for month in BRANCHES:
        grades = [T.get("month-season").one(month, e) for e in DATA.of_type("Element")]
        assert len(set(grades)) == 5
        strongest = next(e for e in DATA.of_type("Element") if DATA.label(T.get("month-season").iri_of(month, e)) == "旺")
        assert strongest == DATA.one(month, ns("element"))


@pytest.mark.parametrize(
    ("star", "pillar", "places"),
    [
        # 驛馬: 申子辰 寅; the worked example of 易隱: day 戌, horse 申.
        ("yima", {"day": "甲戌"}, {"申"}),
        ("yima", {"day": "甲子"}, {"寅"}),
        ("guiren", {"day": "甲子"}, {"丑", "未"}),
        ("guiren", {"day": "庚午"}, {"丑", "未"}),
        ("lianmu", {"day": "丙寅"}, {"酉"}),
        ("lianmu", {"day": "庚午"}, {"未"}),
        ("lu", {"day": "庚午"}, {"申"}),
        ("tianxi", {"month": "寅"}, {"戌"}),
        ("xianchi", {"day": "甲子"}, {"酉"}),
        # 大殺 by year, worked example: a 寅 year, 戌.
        ("dasha", {"year": "庚寅"}, {"戌"}),
        ("yinsha", {"month": "寅"}, {"寅"}),
        ("anjinsha", {"month": "卯"}, {"酉"}),
        ("feilian", {"month": "寅"}, {"申"}),
        ("yupensha", {"month": "午"}, {"未"}),
        ("jieshen", {"month": "寅"}, {"申"}),
    ],
)
def test_stars_fall_where_the_works_say(star: str, pillar: dict[str, str], places: set[str]) -> None:
    from loader.facts import star_places

    found = star_places(chart((7,) * 6, pillar))[iris.symbol("star", star)]
    assert {DATA.label(str(x)) for x in found} == places


def test_bsqs_variant_of_the_nobles() -> None:
    """卜筮全書: 庚 goes with 辛 (午寅), not with 甲 and 戊."""
    from loader.facts import star_places

    c = Chart(Given((7,) * 6, {"day": "庚午"}, ("childbirth",), conventions=choose({"star-guiren-stem": "bsqs"})))
    assert {DATA.label(str(x)) for x in star_places(c)[iris.symbol("star", "guiren")]} == {"午", "寅"}


def test_every_table_names_its_source_and_how_sure_it_is() -> None:
    for table in (*DATA.of_type("Table"), *DATA.of_type("StarTable")):
        assert DATA.iris(table, "http://purl.org/dc/terms/source"), table
        assert DATA.iris(table, ns("confidence")), table


def test_every_convention_has_one_default() -> None:
    for name, options in conventions().items():
        assert sum(o.is_default for o in options) == 1, name
        assert all(o.definition for o in options), name


@given(numbers, pillars)
def test_facts_are_closed_and_consistent(lines: tuple[int, ...], at: dict[str, str]) -> None:
    c = chart(lines, at)
    held: dict[str, set[str]] = {}
    for s, p, o in facts(c):
        if p == iris.TYPE:
            held.setdefault(s, set()).add(iris.key(o))
    assert sum("Shi" in held[v.iri] for v in c.visible) == 1
    for x in c.bearers:
        assert len({k for k in held[x.iri] if k.startswith("Season")}) == 1
    assert {v.position for v in c.visible if "Moving" in held[v.iri]} == c.moving
    # The voids of a decade are the two branches that its ten pairs lack.
    day = PAIRS.index(at["day"])
    decade = {p[1] for p in PAIRS[day - day % 10 : day - day % 10 + 10]}
    assert {DATA.label(b) for b in c.void} == {DATA.label(b) for b in BRANCHES} - decade


@given(numbers, pillars)
def test_turning_every_line_over_changes_back(lines: tuple[int, ...], at: dict[str, str]) -> None:
    c = chart(lines, at)
    back = tuple({6: 9, 9: 6}.get(n, n) for n in lines)
    assert chart(back, at).changed_bits == c.bits
