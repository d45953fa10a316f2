"""Faults: one sentence with a remedy, stable codes, read-only, and fit to cross a process boundary."""

import copy
import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader.errors import (
    AmbiguousName,
    CalendarError,
    ChapterError,
    ConditionError,
    EngineError,
    GuiguError,
    InputError,
    OntologyError,
    UnknownName,
    near_matches,
    quoted,
)

FAULTS = [
    GuiguError("something failed"),
    InputError("5 lines are given", where="lines", todo="Write six", code="GUIGU.CAST.LINES"),
    UnknownName("地天秦", "hexagram", ["地天泰"], where="hexagram"),
    AmbiguousName("lu", "hexagram", ["10 履", "56 旅"]),
    CalendarError("the year 1500 is outside 1600 to 2100", code="GUIGU.CALENDAR.RANGE"),
    ChapterError("a field is missing", where="birth.yaml", line=4, column=3),
    ConditionError("mixed subjects", where="birth.yaml", line=9, column=17, todo="Split it"),
    OntologyError("two cells for one row", where="table/lu/jia"),
    EngineError("the reasoner stopped"),
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
class TestEveryFault:
    def test_has_a_dotted_code_of_its_family(self, fault: GuiguError) -> None:
        assert re.fullmatch(r"GUIGU(\.[A-Z]+)*", fault.code)

    def test_reads_as_one_line_that_ends(self, fault: GuiguError) -> None:
        assert "\n" not in str(fault)
        assert str(fault)[-1] in ".?"
        assert fault.what in str(fault)

    @pytest.mark.parametrize("name", ["code", "what", "where", "todo"])
    def test_is_read_only(self, fault: GuiguError, name: str) -> None:
        with pytest.raises(AttributeError):
            setattr(fault, name, "other")

    def test_survives_copying_and_pickling(self, fault: GuiguError) -> None:
        for twin in (copy.copy(fault), pickle.loads(pickle.dumps(fault))):  # noqa: S301 - our own bytes
            assert type(twin) is type(fault)
            assert str(twin) == str(fault)
            assert vars(twin) == vars(fault)

    def test_placed_elsewhere_keeps_the_rest(self, fault: GuiguError) -> None:
        before = str(fault)
        moved = fault.placed("--option")
        assert type(moved) is type(fault)
        assert (moved.where, moved.what, moved.todo, moved.code) == ("--option", fault.what, fault.todo, fault.code)
        assert str(fault) == before


def test_codes_of_the_classes_differ() -> None:
    classes = {type(fault) for fault in FAULTS}
    assert len({cls.family for cls in classes}) == len(classes)


def test_a_fault_of_the_input_is_caught_as_one() -> None:
    assert issubclass(UnknownName, InputError)
    assert issubclass(AmbiguousName, InputError)
    assert issubclass(CalendarError, InputError)
    assert not issubclass(OntologyError, InputError)


def test_sentence_with_place_and_remedy() -> None:
    fault = InputError("5 lines are given", where="lines", todo="Write six!")
    assert str(fault) == "lines: 5 lines are given. Write six!"


def test_unknown_name_keeps_its_matches_and_the_remedy() -> None:
    fault = UnknownName("asia/seul", "time zone", ["Asia/Seoul", "Europe/Paris"], todo="Give an IANA name")
    assert (fault.name, fault.near) == ("asia/seul", ("Asia/Seoul",))
    assert str(fault) == "'asia/seul' is not a known time zone. Did you mean Asia/Seoul? Give an IANA name."


def test_unknown_name_without_a_near_one() -> None:
    fault = UnknownName("xyz", "branch", ["子", "丑"])
    assert fault.near == ()
    assert fault.todo is None
    assert str(fault) == "'xyz' is not a known branch."


def test_ambiguous_name_lists_what_it_can_mean() -> None:
    fault = AmbiguousName("bi", "hexagram", ["8 比", "22 賁"])
    assert fault.candidates == ("8 比", "22 賁")
    assert fault.name == "bi"
    assert "8 比 and 22 賁" in str(fault)


def test_position_in_a_file() -> None:
    fault = ConditionError("mixed subjects", where="birth.yaml", line=9, column=17)
    assert (fault.file, fault.line, fault.column, fault.where) == ("birth.yaml", 9, 17, "birth.yaml:9:17")


def test_position_within_a_condition_alone() -> None:
    assert str(ConditionError("mixed subjects", column=17)) == "column:17: mixed subjects."
    assert ConditionError("mixed subjects").where is None


@given(st.text(max_size=200))
def test_quoted_text_stays_short_and_on_one_line(text: str) -> None:
    # Escapes lengthen a character to ten at most (\U0001f600 for one that cannot be shown).
    shown = quoted(text)
    assert len(shown.splitlines()) == 1
    assert len(shown) <= 40 * 10 + 2


@given(st.text(max_size=20), st.lists(st.text(min_size=1, max_size=8), max_size=20))
def test_near_matches_are_known_and_few(name: str, known: list[str]) -> None:
    near = near_matches(name, known)
    assert set(near) <= set(known)
    assert len(near) <= 3
