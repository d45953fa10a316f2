"""Kinship: the rule of 003 ¶18 against its closed form, the count, the received tables against the rule."""

import json

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from kg.cli import main
from kg.judgement import judge
from loader import iris
from loader.iris import symbol
from loader.kinship import SELF, agrees, element, flown, received, relatives
from loader.liuyao import Chart, Given
from loader.ontology import ontology
from loader.tables import choose
from tests.conftest import Judge

CYCLE = ("wood", "fire", "earth", "metal", "water")
"""Each generates the next; each controls the next but one."""
OFFSET = {
    "father": -1,
    "mother": 1,
    "grandfather": -2,
    "grandmother": 0,
    "great-grandfather": -3,
    "great-grandmother": -1,
    "great-great-grandfather": -4,
    "great-great-grandmother": -2,
    "elder-uncle": -1,
    "younger-uncle": -1,
    "elder-uncles-wife": 1,
    "elder-brother": 0,
    "younger-brother": 0,
    "elder-brothers-wife": 2,
    "younger-brothers-wife": 2,
    "wife": 2,
    "concubine": 4,
    "son": 1,
    "daughter-in-law": 3,
    "daughter": 3,
    "son-in-law": 1,
    "grandson": 2,
    "granddaughter": 4,
    "grandsons-wife": 4,
    "great-grandchild": 3,
}
"""Places along the cycle from 世, worked by hand from the words of 003 ¶18: 生世為父 is one back, 父克為母 two on from there, and so on."""
DEPARTING = {
    ("土", "妻嫂弟婦嫂妹妻妾屬火"): ["妻", "嫂", "弟婦", "嫂", "妹", "妻"],
    ("土", "媳侄婦女屬水"): ["媳", "侄婦", "女"],
    ("木", "曾祖妣木"): ["曾祖妣"],
    ("木", "表侄外甥屬金"): ["表侄", "外甥"],
    ("木", "表侄婦甥女甥媳屬木"): ["表侄婦", "甥女", "甥媳"],
    ("水", "祖妣土"): ["祖妣"],
    ("金", "子侄木"): ["子", "侄"],
}


@pytest.mark.parametrize("world", CYCLE)
def test_the_rule_is_its_closed_form(world: str) -> None:
    for relative, offset in OFFSET.items():
        wanted = CYCLE[(CYCLE.index(world) + offset) % 5]
        assert iris.key(element(symbol("relative", relative), symbol("element", world))[-1].element) == wanted, relative


def test_every_relative_is_reached_and_cites_its_clause() -> None:
    for relative in relatives():
        steps = element(relative, symbol("element", "wood"))
        assert all(s.clauses for s in steps), relative


def test_eighteen_received_cells_depart_from_the_rule() -> None:
    o = ontology()
    found: dict[tuple[str, str], list[str]] = {}
    for cell in received():
        if not agrees(cell):
            found.setdefault((o.label(cell.world), cell.group), []).append(cell.printed)
    assert {k: sorted(v) for k, v in found.items()} == {k: sorted(v) for k, v in DEPARTING.items()}
    assert sum(map(len, found.values())) == 18
    assert len(received()) == 277


def test_a_cell_is_emended_exactly_where_it_departs() -> None:
    for cell in received():
        assert (cell.grade is not None) is (not agrees(cell)), cell.iri


def test_a_cell_stands_in_the_clause_that_it_cites() -> None:
    from loader.chapter import clauses

    for cell in received():
        clause = clauses()[cell.clause]
        assert cell.group in clause.quote or clause.quote in cell.group, cell.iri
        assert cell.printed in cell.group or set(cell.printed) <= set(cell.group), cell.iri


@given(st.lists(st.sampled_from((6, 7, 8, 9)), min_size=6, max_size=6), st.sampled_from([1, -1]))
def test_the_count_never_returns_to_the_world_line_and_meets_every_other(lines: list[int], way: int) -> None:
    """003 ¶19: the numbers 1 to 5 reach the five lines other than 世, each once; so two relatives of one element share a line."""
    chart = Chart(Given(tuple(lines), {}, ("kin",), conventions=choose({})))
    asks = ("elder-asks-junior",) if way > 0 else ("junior-asks-elder",)
    places = {}
    for relative in relatives():
        if relative == SELF or any(ontology().iris(relative, iris.ns(p)) for p in ("countedFrom", "placedAfter")):
            continue
        place = flown(chart, relative, asks)
        assert place is not None
        places.setdefault(element(relative, chart.visible[chart.shi - 1].element)[-1].element, set()).add(place.position)
    assert all(len(p) == 1 for p in places.values())
    assert set().union(*places.values()) == set(range(1, 7)) - {chart.shi}


def test_the_received_reading_takes_the_cell(judged: Judge) -> None:
    """003 ¶24 prints 子侄木 for a metal world line; by the rule a son is water."""
    son = symbol("relative", "son")
    metal = symbol("element", "metal")
    assert iris.key(element(son, metal)[-1].element) == "water"
    assert iris.key(element(son, metal, "received")[-1].element) == "wood"
    # 乾為天 has its world line on 壬戌 earth; 履 on 壬申 metal, line 5. Water 1, up from line 6: 6. Wood 3: 6 1 2.
    for reading, place in (("graded", "6"), ("received", "2")):
        j = judged("履", month="午", day="甲子", topic="kin", relative="son", conventions={"reading": reading})
        assert [iris.key(i) for i in j.closed.members(iris.ns("FlownLine"))] == [place]


def test_command() -> None:
    runner = CliRunner()
    table = json.loads(runner.invoke(main, ["kinship", "--world", "木", "--format", "json"]).stdout)
    by_key = {row["relative"]: row for row in table}
    assert by_key["father"]["rule"] == "水"
    assert [c["agrees"] for c in by_key["great-grandmother"]["received"]] == [False]
    doubts = runner.invoke(main, ["kinship", "--doubts"])
    assert "18 of 18" in doubts.stdout
    wrong = runner.invoke(main, ["kinship", "--world", "石"])
    assert wrong.exit_code == 2


@pytest.mark.parametrize(
    ("label", "key"), [("父", "father"), ("어머니", "mother"), ("grandfather", "grandfather"), ("外甥", "sisters-son"), ("甥", "daughters-son")]
)
def test_relatives_are_found_by_any_label(label: str, key: str) -> None:
    from kg.asking import check_relative

    assert check_relative(label) == key


def test_all_relatives_can_be_asked_about() -> None:
    for relative in relatives():
        if relative != SELF:
            given_ = Given((7, 8, 9, 7, 8, 8), {"month": "午", "day": "甲子"}, ("kin",), relative=iris.key(relative), conventions=choose({}))
            judge(given_)
