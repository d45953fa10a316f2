"""Line values, hexagram names, moving lines and the toss."""

import contextlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loader.errors import AmbiguousName, InputError, UnknownName
from loader.hexagram_input import (
    lines_between,
    lines_of,
    parse_hexagram,
    parse_lines,
    parse_moving,
    toss,
)

NAMES = {
    name: frozenset(numbers)
    for name, numbers in {
        "乾": (1,), "乾爲天": (1,), "重天乾": (1,), "Qián": (1,), "건위천": (1,),
        "比": (8,), "水地比": (8,), "Bǐ": (8,),
        "履": (10,), "天澤履": (10,), "天泽履": (10,), "Lǚ": (10, 56),
        "泰": (11,), "地天泰": (11,), "Tài": (11,), "Peace": (11,), "지천태": (11,),
        "賁": (22,), "贲": (22,), "山火賁": (22,), "Bì": (22,),
        "旅": (56,), "火山旅": (56,),
        "小過": (62,), "小过": (62,), "雷山小過": (62,), "Xiǎo Guò": (62,),
        "未濟": (64,), "火水未濟": (64,), "Wèi Jì": (64,),
    }.items()
}  # fmt: skip

VALUES = st.lists(st.sampled_from([6, 7, 8, 9]), min_size=6, max_size=6)
BITS = st.text("01", min_size=6, max_size=6)
PLACES = st.frozensets(st.integers(1, 6))


@pytest.mark.parametrize(
    "text",
    [
        "7,8,9,6,7,8",
        "7 8 9 6 7 8",
        "789678",
        " 7, 8, 9, 6, 7, 8 ",
        "789 678",
        "７，８，９，６，７，８",
        "7、8、9、6、7、8",
        "7\t8\n9;6 7 8",
    ],
)
def test_lines_however_separated(text: str) -> None:
    assert parse_lines(text) == (7, 8, 9, 6, 7, 8)


@given(VALUES, st.sampled_from([",", " ", "", ", ", "，"]))
def test_lines_come_back_as_written(values: list[int], separator: str) -> None:
    assert parse_lines(separator.join(map(str, values))) == tuple(values)


@pytest.mark.parametrize(
    ("text", "count"),
    [("7,8,9,6,7", "5 lines"), ("7", "1 line is"), ("", "no lines"), ("7897896", "7 lines"), (",,", "no lines")],
)
def test_a_wrong_number_of_lines_is_counted(text: str, count: str) -> None:
    with pytest.raises(InputError, match=count) as caught:
        parse_lines(text)
    assert caught.value.code == "GUIGU.CAST.LINES"


@pytest.mark.parametrize(
    ("text", "position", "value"),
    [
        ("7,8,5,6,7,8", 3, "'5'"),
        ("785678", 3, "'5'"),
        ("7 8 9 6 7 10", 6, "'10'"),
        ("7,8,9,6,x,8", 5, "'x'"),
        ("5,8", 1, "'5'"),
        ("7 89 -6 7 8", 4, "'-6'"),
    ],
)
def test_a_wrong_value_is_named_with_its_position(text: str, position: int, value: str) -> None:
    with pytest.raises(InputError, match=f"line {position} from the bottom is {value}") as caught:
        parse_lines(text)
    assert caught.value.code == "GUIGU.CAST.LINE"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("11", 11), ("1", 1), ("64", 64), ("007", 7), ("６４", 64), ("+8", 8), (" 11 ", 11),
        ("泰", 11), ("地天泰", 11), ("peace", 11), ("PEACE", 11), ("지천태", 11), ("tai", 11), ("tài", 11),
        (" 泰 ", 11),
        ("小过", 62), ("小過", 62), ("xiaoguo", 62), ("Xiao Guo", 62), ("wei-ji", 64),
        ("䷀", 1), ("䷿", 64), ("䷊\ufe0e", 11),
        ("bǐ", 8), ("bì", 22), ("天泽履", 10),
    ],
)  # fmt: skip
def test_hexagram_by_number_name_or_sign(text: str, number: int) -> None:
    assert parse_hexagram(text, NAMES) == number


@given(st.integers(1, 64))
def test_every_number_and_sign(number: int) -> None:
    assert parse_hexagram(str(number), {}) == number
    assert parse_hexagram(chr(0x4DC0 + number - 1), {}) == number


@pytest.mark.parametrize("text", ["0", "65", "-1", "100", "9" * 5000, "00"])
def test_a_number_of_no_hexagram(text: str) -> None:
    with pytest.raises(InputError, match="there is no hexagram") as caught:
        parse_hexagram(text, NAMES)
    assert caught.value.code == "GUIGU.CAST.HEXAGRAM"
    assert "1 to 64" in str(caught.value)


@pytest.mark.parametrize("text", ["", "  ", "\ufe0f"])
def test_no_hexagram(text: str) -> None:
    with pytest.raises(InputError, match="no hexagram is given"):
        parse_hexagram(text, NAMES)


def test_a_name_of_two_hexagrams_lists_them_with_numbers() -> None:
    with pytest.raises(AmbiguousName) as caught:
        parse_hexagram("lǚ", NAMES)
    assert caught.value.candidates == ("10 履", "56 旅")


def test_without_tone_marks_a_name_may_be_ambiguous() -> None:
    with pytest.raises(AmbiguousName) as caught:
        parse_hexagram("bi", NAMES)
    assert caught.value.candidates == ("8 比", "22 賁")


def test_candidates_without_a_name_of_their_own_are_numbers() -> None:
    with pytest.raises(AmbiguousName, match="3 and 4"):
        parse_hexagram("x", {"x": frozenset({3, 4})})


@pytest.mark.parametrize(("text", "near"), [("地天秦", "地天泰"), ("peece", "Peace"), ("雷山小", "雷山小過")])
def test_an_unknown_name_has_near_ones(text: str, near: str) -> None:
    with pytest.raises(UnknownName) as caught:
        parse_hexagram(text, NAMES)
    assert near in caught.value.near


@given(st.text())
def test_any_text_is_a_hexagram_or_a_fault_of_the_input(text: str) -> None:
    with contextlib.suppress(InputError):
        assert 1 <= parse_hexagram(text, NAMES) <= 64
    with contextlib.suppress(InputError):
        assert set(parse_lines(text)) <= {6, 7, 8, 9}
    with contextlib.suppress(InputError):
        assert parse_moving(text) <= {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize(
    ("text", "places"),
    [("3", {3}), ("1,3", {1, 3}), ("6 1", {1, 6}), ("", set()), ("none", set()), ("None", set()), ("１，３", {1, 3})],
)
def test_moving_lines(text: str, places: set[int]) -> None:
    assert parse_moving(text) == places


@pytest.mark.parametrize("text", ["7", "0", "1,7", "13", "none,1", "x", "-1", "1.5"])
def test_a_line_that_no_hexagram_has(text: str) -> None:
    with pytest.raises(InputError, match="a hexagram has no line") as caught:
        parse_moving(text)
    assert caught.value.code == "GUIGU.CAST.MOVING"


def test_a_moving_line_given_twice() -> None:
    with pytest.raises(InputError, match="line 3 is given twice"):
        parse_moving("3,1,3")


@given(BITS, PLACES)
def test_lines_keep_bits_and_moving(bits: str, moving: frozenset[int]) -> None:
    lines = lines_of(bits, moving)
    assert "".join(str(value % 2) for value in lines) == bits
    assert {place for place, value in enumerate(lines, 1) if value in (6, 9)} == moving


@given(BITS, BITS)
def test_lines_between_lead_from_one_to_the_other(original: str, changed: str) -> None:
    lines = lines_between(original, changed)
    assert "".join({6: "1", 7: "1", 8: "0", 9: "0"}[value] for value in lines) == changed
    assert "".join(str(value % 2) for value in lines) == original


@pytest.mark.parametrize("bits", ["", "11111", "1111111", "11111x", "111111\n", "１１１１１１"])
def test_bits_that_are_no_hexagram(bits: str) -> None:
    with pytest.raises(InputError, match="is no hexagram"):
        lines_of(bits)
    with pytest.raises(InputError, match="is no hexagram"):
        lines_between("111111", bits)


@pytest.mark.parametrize("place", [0, 7])
def test_a_moving_place_outside(place: int) -> None:
    with pytest.raises(InputError, match=f"no line {place}"):
        lines_of("111111", {place})


def test_a_seeded_toss_is_the_same_for_ever() -> None:
    assert [toss(seed) for seed in (0, 1, 7)] == [(7, 8, 8, 6, 7, 7), (7, 9, 7, 8, 8, 7), (8, 8, 8, 9, 8, 7)]


def test_an_unseeded_toss_is_six_lines() -> None:
    assert len(toss()) == 6
    assert set(toss()) <= {6, 7, 8, 9}


def test_three_coins_fall_one_three_three_one() -> None:
    counts = Counter(value for seed in range(2000) for value in toss(seed))
    for value, eighths in {6: 1, 7: 3, 8: 3, 9: 1}.items():
        assert counts[value] / 12000 == pytest.approx(eighths / 8, abs=0.02)
