"""The four pillars against known answers, plain arithmetic and an independent almanac."""

import contextlib
import itertools
from datetime import UTC, date, datetime, timedelta, timezone
from typing import get_args
from zoneinfo import ZoneInfo

import cnlunar  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lunar_python import Solar

from loader.calendar import BRANCHES, PAIRS, STEMS, DayBoundary, civil_days, parse_branch, parse_moment, parse_pillar, pillars_at
from loader.errors import CalendarError, UnknownName

BEIJING = timezone(timedelta(hours=8))
TERMS = [
    *("冬至", "小寒", "大寒", "立春", "雨水", "驚蟄", "春分", "清明", "穀雨", "立夏", "小滿", "芒種"),
    *("夏至", "小暑", "大暑", "立秋", "處暑", "白露", "秋分", "寒露", "霜降", "立冬", "小雪", "大雪"),
]
MOMENTS = st.datetimes(datetime(1600, 1, 2), datetime(2100, 12, 30))
OFFSETS = st.integers(-12 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


# -- known answers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "pillars"),
    [
        ("2022-02-04T04:00+08:00", "辛丑 辛丑 戊子 甲寅"),
        ("2022-02-04T06:00+08:00", "壬寅 壬寅 戊子 乙卯"),
        ("2000-01-01T12:00+08:00", "己卯 丙子 戊午 戊午"),
        ("1949-10-01T15:00+08:00", "己丑 癸酉 甲子 壬申"),
        ("1984-02-04T12:00+08:00", "癸亥 乙丑 戊辰 戊午"),
        ("1984-02-05T12:00+08:00", "甲子 丙寅 己巳 庚午"),
        ("1900-01-01T12:00+08:00", "己亥 丙子 甲戌 庚午"),
    ],
)
def test_known_pillars(text: str, pillars: str) -> None:
    assert " ".join(pillars_at(at(text)).pillars) == pillars


# 立春 to the minute as published in almanacs, Beijing time.
BEGINNINGS_OF_SPRING = [
    "1984-02-04T23:19",
    "2000-02-04T20:40",
    "2017-02-03T23:34",
    "2021-02-03T22:59",
    "2022-02-04T04:51",
    "2024-02-04T16:27",
]


@pytest.mark.parametrize("text", BEGINNINGS_OF_SPRING)
def test_the_year_changes_within_a_minute_of_the_published_term(text: str) -> None:
    instant = at(f"{text}+08:00")
    before, after = (pillars_at(instant + timedelta(minutes=shift)) for shift in (-1.5, 1.5))
    year = PAIRS[(instant.year - 4) % 60]
    assert (after.year, after.term, after.month[1]) == (year, "立春", "寅")
    assert (before.year, before.term, before.month[1]) == (PAIRS[(instant.year - 5) % 60], "大寒", "丑")


# -- uncertainty -------------------------------------------------------------------------------------------------------


def test_a_moment_just_before_a_boundary_is_uncertain() -> None:
    moment = pillars_at(at("2022-02-04T04:49+08:00"))
    (note,) = moment.uncertain
    assert moment.year == "辛丑"
    for part in (
        "s before 立春 (2022-02-04T04:50:",
        "until then year 辛丑 and month 辛丑",
        "from then on year 壬寅 and month 壬寅",
    ):
        assert part in str(note)


def test_a_moment_just_after_a_boundary_is_uncertain() -> None:
    moment = pillars_at(at("2022-02-04T04:53+08:00"))
    assert moment.year == "壬寅"
    assert "s after 立春" in str(moment.uncertain[0])


def test_a_boundary_is_shown_on_the_clock_of_the_place() -> None:
    (note,) = pillars_at(at("2022-02-03T20:49Z")).uncertain
    assert "2022-02-03T20:50:" in str(note)


@pytest.mark.parametrize("text", ["2022-02-04T04:47+08:00", "2022-02-04T04:54+08:00", "2022-02-19T00:43+08:00"])
def test_a_moment_further_off_or_at_a_mid_month_term_is_certain(text: str) -> None:
    assert pillars_at(at(text)).uncertain == ()


# -- the ephemeris, asked for each moment by itself ---------------------------------------------------------------------

SIMPLIFIED = {"惊蛰": "驚蟄", "谷雨": "穀雨", "小满": "小滿", "芒种": "芒種", "处暑": "處暑"}


def by_the_library(moment: datetime, day_boundary: DayBoundary) -> tuple[str, ...]:
    """Pillars and term as lunar_python reckons them for one moment, with nothing kept between two."""
    whole = moment.replace(microsecond=0)
    sun, clock = (Solar.fromYmdHms(*m.timetuple()[:6]).getLunar() for m in (whole.astimezone(BEIJING), whole))
    day = clock.getDayInGanZhiExact() if day_boundary == "23:00" else clock.getDayInGanZhiExact2()
    term = sun.getPrevJieQi().getName()
    return sun.getYearInGanZhiExact(), sun.getMonthInGanZhiExact(), day, clock.getTimeInGanZhi(), SIMPLIFIED.get(term, term)


@given(MOMENTS, OFFSETS, st.sampled_from(get_args(DayBoundary)))
def test_every_moment_is_as_the_library_reckons_it(clock: datetime, offset: timezone, day_boundary: DayBoundary) -> None:
    moment = clock.replace(tzinfo=offset)
    found = pillars_at(moment, day_boundary=day_boundary)
    assert (*found.pillars, found.term) == by_the_library(moment, day_boundary)


@pytest.mark.parametrize("year", [1600, 1699, 1900, 1949, 2024, 2100])
def test_terms_begin_at_the_second_that_the_library_gives(year: int) -> None:
    """The last second of each term and the first of the next, and the seconds about the turn of the civil year."""
    table = Solar.fromYmdHms(year, 7, 1, 0, 0, 0).getLunar().getJieQiTable().values()
    starts = [datetime.fromisoformat(t.toYmdHms()).replace(tzinfo=BEIJING) for t in table]
    turns = [datetime(year, 1, 1, tzinfo=BEIJING), datetime(year, 12, 31, 23, 59, 59, tzinfo=BEIJING)]
    for moment in [*turns, *(s + timedelta(seconds=shift) for s in starts for shift in (-1, 0) if s.year == year)]:
        found = pillars_at(moment)
        assert (*found.pillars, found.term) == by_the_library(moment, "23:00")


# -- clocks ------------------------------------------------------------------------------------------------------------


@given(MOMENTS, OFFSETS)
def test_sun_pillars_follow_the_instant_and_clock_pillars_the_clock(clock: datetime, offset: timezone) -> None:
    here, beijing = clock.replace(tzinfo=offset), clock.replace(tzinfo=BEIJING)
    found, there, same_clock = pillars_at(here), pillars_at(here.astimezone(BEIJING)), pillars_at(beijing)
    assert (found.year, found.month, found.term) == (there.year, there.month, there.term)
    assert (found.day, found.hour) == (same_clock.day, same_clock.hour)


@given(MOMENTS, OFFSETS)
def test_pillars_by_plain_arithmetic(clock: datetime, offset: timezone) -> None:
    found = pillars_at(clock.replace(tzinfo=offset))
    branch = (clock.hour + 1) // 2 % 12
    day = (clock.date().toordinal() + 14 + (clock.hour == 23)) % 60
    assert found.day == PAIRS[day]
    assert found.hour == STEMS[(day % 5 * 2 + branch) % 10] + BRANCHES[branch]
    year, month = PAIRS.index(found.year), BRANCHES.index(found.month[1])
    assert STEMS.index(found.month[0]) == (year % 5 * 2 + 2 + (month - 2) % 12) % 10
    # Two terms to a month, the first of them its 節; 子 begins with 大雪, the last of the list.
    assert (TERMS.index(found.term) + 1) % 24 // 2 == month


@given(MOMENTS)
def test_the_late_hour_by_either_beginning_of_the_day(clock: datetime) -> None:
    moment = clock.replace(tzinfo=BEIJING)
    early, late = pillars_at(moment, day_boundary="23:00"), pillars_at(moment, day_boundary="00:00")
    assert early.hour == late.hour
    assert (PAIRS.index(early.day) - PAIRS.index(late.day)) % 60 == (moment.hour == 23)


def test_the_day_changes_at_the_second() -> None:
    texts = ("2022-02-04T22:59:59.999999+08:00", "2022-02-04T23:00:00+08:00")
    assert [pillars_at(at(text)).day for text in texts] == ["戊子", "己丑"]
    texts = ("2022-02-04T23:59:59+08:00", "2022-02-05T00:00:00+08:00")
    assert [pillars_at(at(text), day_boundary="00:00").day for text in texts] == ["戊子", "己丑"]
    assert [pillars_at(at(text), day_boundary="00:00").hour for text in texts] == ["甲子", "甲子"]


def test_the_month_changes_at_the_second_and_fractions_do_not_round_up() -> None:
    start, end = at("2022-02-04T04:49:00+08:00"), at("2022-02-04T04:53:00+08:00")
    seconds = [start + timedelta(seconds=n) for n in range(int((end - start).total_seconds()))]
    months = [pillars_at(second).month for second in seconds]
    change = months.index("壬寅")
    assert set(months[:change]) == {"辛丑"}
    assert set(months[change:]) == {"壬寅"}
    assert pillars_at(seconds[change] - timedelta(microseconds=1)).month == "辛丑"


def test_iso_is_the_moment_as_given() -> None:
    assert pillars_at(at("2022-02-04T04:00:00.5-03:30")).iso == "2022-02-04T04:00:00.500000-03:30"


@pytest.mark.parametrize(
    "text",
    ["1600-01-01T00:00+14:00", "1600-01-01T00:00-12:00", "2100-12-31T23:59:59+14:00", "2100-12-31T23:59:59-12:00"],
)
def test_the_ends_of_the_range_reckon(text: str) -> None:
    found = pillars_at(at(text))
    assert set(found.pillars) <= set(PAIRS)
    assert found.month[1] == "子"


@pytest.mark.parametrize("text", ["1599-12-31T12:00+08:00", "2101-01-01T00:00+08:00"])
def test_beyond_the_range(text: str) -> None:
    for read in (lambda: pillars_at(at(text)), lambda: parse_moment(text)):
        with pytest.raises(CalendarError, match="outside 1600 to 2100") as caught:
            read()
        assert caught.value.code == "GUIGU.CALENDAR.RANGE"


def test_a_moment_without_an_offset() -> None:
    with pytest.raises(CalendarError, match="no UTC offset"):
        pillars_at(at("2022-02-04T04:00"))


def test_a_day_cannot_begin_at_dawn() -> None:
    with pytest.raises(CalendarError, match="Use 23:00 or 00:00"):
        pillars_at(at("2022-02-04T04:00+08:00"), day_boundary="06:00")  # type: ignore[arg-type]


# -- the written moment ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2022-02-04T04:00+08:00", "2022-02-04T04:00:00+08:00"),
        ("2022-02-04 04:00 +08:00", "2022-02-04T04:00:00+08:00"),
        ("2022-02-04t04:00:05z", "2022-02-04T04:00:05+00:00"),
        ("2022-02-04T04:00:05,5+0800", "2022-02-04T04:00:05.500000+08:00"),
        (" 2022-02-04T04:00-03 ", "2022-02-04T04:00:00-03:00"),
        ("２０２２-02-04 04：00+08:00", "2022-02-04T04:00:00+08:00"),
    ],
)
def test_written_with_an_offset(text: str, iso: str) -> None:
    assert parse_moment(text).isoformat() == iso


@pytest.mark.parametrize(
    ("text", "zone", "offset"),
    [
        ("2022-02-04T04:00", "Asia/Shanghai", 8.0),
        ("1988-07-01T12:00", "Asia/Seoul", 10.0),
        ("1958-01-01T12:00", "Asia/Seoul", 8.5),
        ("1990-07-01T12:00", "Asia/Shanghai", 9.0),
        ("2022-07-01T12:00", "America/New_York", -4.0),
        ("2022-07-01T12:00", "UTC", 0.0),
    ],
)
def test_written_in_a_zone_with_its_historic_clock(text: str, zone: str, offset: float) -> None:
    assert parse_moment(text, zone).utcoffset() == timedelta(hours=offset)


@given(MOMENTS, st.sampled_from(["Asia/Seoul", "Asia/Shanghai", "Europe/London", "America/New_York", "UTC"]))
def test_a_moment_in_a_zone_reads_back(clock: datetime, zone: str) -> None:
    local = clock.replace(tzinfo=UTC).astimezone(ZoneInfo(zone))
    text = local.replace(tzinfo=None).isoformat()
    if len({local.replace(fold=fold).utcoffset() for fold in (0, 1)}) == 2:
        with pytest.raises(CalendarError, match="twice"):
            parse_moment(text, zone)
    else:
        assert parse_moment(text, zone) == local


def test_a_clock_reading_that_came_twice() -> None:
    with pytest.raises(CalendarError, match="showed 2022-11-06 01:30:00 twice") as caught:
        parse_moment("2022-11-06T01:30", "America/New_York")
    assert caught.value.code == "GUIGU.CALENDAR.FOLD"
    assert "-04:00 or -05:00" in str(caught.value)
    assert parse_moment("2022-11-06T01:30-05:00", "America/New_York").utcoffset() == timedelta(hours=-5)
    assert parse_moment("2022-11-06T01:30-04:00", "America/New_York").utcoffset() == timedelta(hours=-4)


def test_a_clock_reading_that_never_came() -> None:
    with pytest.raises(CalendarError, match="skipped 2022-03-13 02:30:00") as caught:
        parse_moment("2022-03-13T02:30", "America/New_York")
    assert caught.value.code == "GUIGU.CALENDAR.GAP"


def test_offset_and_zone_must_agree() -> None:
    assert parse_moment("2022-02-04T04:00+09:00", "Asia/Seoul").utcoffset() == timedelta(hours=9)
    with pytest.raises(CalendarError, match=r"not that of Asia/Seoul at that moment, which is \+09:00") as caught:
        parse_moment("2022-02-04T04:00Z", "Asia/Seoul")
    assert caught.value.code == "GUIGU.CALENDAR.CONFLICT"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "FORMAT"),
        ("tomorrow", "FORMAT"),
        ("2022-02-04", "FORMAT"),
        ("2022-02-04T04", "FORMAT"),
        ("20220204T0400+08:00", "FORMAT"),
        ("2022-02-30T04:00+08:00", "FORMAT"),
        ("2022-02-04T24:30+08:00", "FORMAT"),
        ("2022-02-04T04:00+80:00", "FORMAT"),
        ("2022-02-04T04:00+18:00", "OFFSET"),
        ("2022-02-04T04:00", "OFFSET"),
        ("0000-02-04T04:00Z", "RANGE"),
    ],
)
def test_what_is_no_moment(text: str, code: str) -> None:
    with pytest.raises(CalendarError) as caught:
        parse_moment(text)
    assert caught.value.code == f"GUIGU.CALENDAR.{code}"
    assert caught.value.todo


@pytest.mark.parametrize(
    "zone",
    ["Asia/Seul", "asia/seoulx", "", "Asia", "../etc/passwd", "/etc/passwd", "x\0y", "x" * 5000],
)
def test_an_unknown_zone(zone: str) -> None:
    with pytest.raises(UnknownName) as caught:
        parse_moment("2022-02-04T04:00", zone)
    assert "Asia/Seoul" in str(caught.value)


@given(st.text())
def test_any_text_is_a_moment_or_a_calendar_fault(text: str) -> None:
    with contextlib.suppress(CalendarError):
        assert parse_moment(text, "Asia/Seoul").tzinfo is not None


# -- coming days -------------------------------------------------------------------------------------------------------


@given(st.dates(date(1600, 1, 1), date(2100, 1, 1)), st.integers(0, 90))
def test_civil_days_are_the_pillars_of_midday(start: date, step: int) -> None:
    days = list(civil_days(start, 91))
    assert [day.date for day in days] == [start + timedelta(days=n) for n in range(91)]
    for day in (days[0], days[step]):
        noon = pillars_at(datetime(day.date.year, day.date.month, day.date.day, 12, tzinfo=BEIJING))
        assert (day.year, day.month, day.day) == noon.pillars[:3]


def test_civil_days_from_a_datetime_give_dates() -> None:
    (day,) = civil_days(datetime(2022, 2, 4, 23, tzinfo=BEIJING), 1)
    assert type(day.date) is date
    assert day.day == "戊子"


def test_civil_days_check_at_the_call() -> None:
    assert list(civil_days(date(2100, 12, 31), 0)) == []
    assert len(list(civil_days(date(2100, 12, 30), 2))) == 2
    for start, days in (
        (date(2100, 12, 31), 2),
        (date(1599, 12, 31), 1),
        (date(2022, 1, 1), -1),
        (date(2022, 1, 1), 10**12),
    ):
        with pytest.raises(CalendarError):
            civil_days(start, days)


def test_against_an_independent_almanac() -> None:
    """Two centuries by another implementation, which takes its terms from a table of dates and not from an orbit."""
    first = date(1901, 1, 2)
    days = list(civil_days(first, (date(2099, 12, 31) - first).days))
    compared = 0
    for before, day, after in itertools.islice(zip(days, days[1:], days[2:], strict=False), 0, None, 17):
        if before.month != day.month or day.month != after.month:
            continue  # It changes the month at midnight and not at the instant.
        noon = datetime(day.date.year, day.date.month, day.date.day, 12)  # On the clock of Beijing.
        try:
            other = cnlunar.Lunar(noon, godType="8char", year8Char="beginningOfSpring")
        except IndexError:
            continue  # It fails on some days of some leap years.
        assert (other.month8Char, other.day8Char) == (day.month, day.day), day
        if (day.date.month, day.date.day) < (12, 20):  # From 冬至 to New Year it gives the year before.
            assert other.year8Char == day.year, day
        compared += 1
    assert compared > 3500


# -- pillars and branches ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["戊辰", "wuchen", "WuChen", "wu chen", "wù-chén", " 戊辰 ", "戊 辰"])
def test_one_pillar_however_written(text: str) -> None:
    assert parse_pillar(text) == "戊辰"


def test_every_pillar_is_read_in_both_scripts() -> None:
    stems = ["jia", "yi", "bing", "ding", "wu", "ji", "geng", "xin", "ren", "gui"]
    branches = ["zi", "chou", "yin", "mao", "chen", "si", "wu", "wei", "shen", "you", "xu", "hai"]
    for index, pair in enumerate(PAIRS):
        assert parse_pillar(pair) == pair
        assert parse_pillar(stems[index % 10] + branches[index % 12]) == pair
    assert [parse_branch(name) for name in branches] == list(BRANCHES)
    assert [parse_branch(name) for name in BRANCHES] == list(BRANCHES)


@given(st.sampled_from(STEMS), st.sampled_from(BRANCHES))
def test_a_pillar_is_one_of_sixty_or_suggests_two(stem: str, branch: str) -> None:
    if stem + branch in PAIRS:
        assert parse_pillar(stem + branch) == stem + branch
        return
    with pytest.raises(CalendarError) as caught:
        parse_pillar(stem + branch)
    suggested = (caught.value.todo or "").removeprefix("Write ").split(" or ")
    assert len(suggested) == 2
    assert set(suggested) <= set(PAIRS)
    assert (suggested[0][0], suggested[1][1]) == (stem, branch)


def test_unlike_polarity_is_explained() -> None:
    with pytest.raises(CalendarError) as caught:
        parse_pillar("jiachou")
    assert caught.value.code == "GUIGU.CALENDAR.PILLAR"
    assert caught.value.what == "甲丑 is not one of the sixty pairs, since 甲 is yang and 丑 is yin"
    assert caught.value.todo == "Write 甲子 or 乙丑"


@pytest.mark.parametrize("text", ["", "甲", "子", "甲子子", "무진", "子甲", "x"])
def test_what_is_no_pillar(text: str) -> None:
    with pytest.raises(UnknownName):
        parse_pillar(text)


@pytest.mark.parametrize("text", ["", "甲", "戊辰", "자", "woo"])
def test_what_is_no_branch(text: str) -> None:
    with pytest.raises(UnknownName):
        parse_branch(text)


def test_a_mistyped_pillar_has_near_ones() -> None:
    with pytest.raises(UnknownName) as caught:
        parse_pillar("wuchem")
    assert "wuchen" in caught.value.near
    for near in caught.value.near:
        assert parse_pillar(near) in PAIRS
