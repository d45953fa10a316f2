"""The four pillars of a civil moment, and the pillars of coming days.

Day and hour pillars follow the civil clock of the place, so they are read from the moment's own UTC offset. Year and
month pillars change at solar terms, which are instants the same for the whole earth; the ephemeris gives them in
Beijing time, so those pillars are decided after converting the moment to UTC+08:00.

The ephemeris is a truncated series with a modelled ΔT: its instants are good to some seconds in the present and to
a minute or so at the ends of the range. A moment close to a boundary is therefore marked as uncertain. Terms are the
true ones of the sun's longitude (定氣) throughout, although calendars before 1645 divided the year evenly (平氣).
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from functools import cache
from typing import Any, Final, Literal, get_args
from zoneinfo import ZoneInfo, available_timezones

from lunar_python import Solar

from loader.errors import CalendarError, UnknownName, listed, quoted
from loader.saying import Said, say

DayBoundary = Literal["23:00", "00:00"]

STEMS: Final = "甲乙丙丁戊己庚辛壬癸"
BRANCHES: Final = "子丑寅卯辰巳午未申酉戌亥"
PAIRS: Final = tuple(STEMS[i % 10] + BRANCHES[i % 12] for i in range(60))
FIRST_YEAR: Final = 1600
LAST_YEAR: Final = 2100
MARGIN: Final = timedelta(minutes=3)

_FIRST_PAIR: Final = date(1949, 10, 1).toordinal()
"""A day 甲子."""
BEIJING: Final = timezone(timedelta(hours=8))
"""The clock by which terms are told, and moments are drawn."""
_SECOND: Final = timedelta(seconds=1)
# No place has ever kept a clock further from Greenwich than this, so a larger offset is a slip (+18:00 for +08:00).
_LARGEST_OFFSET: Final = timedelta(hours=16)

_STEM_PINYIN: Final = ("jia", "yi", "bing", "ding", "wu", "ji", "geng", "xin", "ren", "gui")
_BRANCH_PINYIN: Final = ("zi", "chou", "yin", "mao", "chen", "si", "wu", "wei", "shen", "you", "xu", "hai")
_BRANCH_NAMES: Final = {**{char: char for char in BRANCHES}, **dict(zip(_BRANCH_PINYIN, BRANCHES, strict=True))}
# All 120 combinations, so that one of unlike polarity is told apart from a word that is no pillar at all.
_COMBINATIONS: Final = tuple((stem, branch) for stem in range(10) for branch in range(12))
_PAIR_NAMES: Final = {
    **{STEMS[stem] + BRANCHES[branch]: (stem, branch) for stem, branch in _COMBINATIONS},
    **{_STEM_PINYIN[stem] + _BRANCH_PINYIN[branch]: (stem, branch) for stem, branch in _COMBINATIONS},
}

_TRADITIONAL: Final = {"惊蛰": "驚蟄", "谷雨": "穀雨", "小满": "小滿", "芒种": "芒種", "处暑": "處暑"}

_DATE_TIME: Final = re.compile(
    r"(?P<date>(?P<year>[0-9]{4})-[0-9]{2}-[0-9]{2})"
    r"(?:T|\s+)(?P<time>[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?)"
    r"\s*(?P<offset>Z|[+-][0-9]{2}(?::?[0-9]{2}(?::?[0-9]{2})?)?)?"
)
_EXAMPLE: Final = "Write it as 2022-02-04T04:00+08:00"


@dataclass(frozen=True, slots=True)
class Moment:
    """The four pillars of a moment.

    Attributes:
        year: Year pillar, exact by 立春.
        month: Month pillar, exact by 節.
        day: Day pillar of the civil clock.
        hour: Hour pillar of the civil clock.
        term: The solar term in force, by its traditional name.
        uncertain: A note for each boundary of month or year too close to be sure of its side; mostly empty.
        iso: The moment in ISO 8601.
    """

    year: str
    month: str
    day: str
    hour: str
    term: str
    uncertain: tuple[Said, ...]
    iso: str

    @property
    def pillars(self) -> tuple[str, str, str, str]:
        """Year, month, day and hour pillar."""
        return self.year, self.month, self.day, self.hour

    @property
    def year_number(self) -> int:
        """The civil number of the year that began at the last 立春: before it the moment still belongs to the year before."""
        civil = int(self.iso[:4])
        return civil if PAIRS[(civil - 4) % 60] == self.year else civil - 1


@dataclass(frozen=True, slots=True)
class CivilDay:
    """A civil date with the pillars in force at its midday in Beijing time."""

    date: date
    year: str
    month: str
    day: str


@dataclass(frozen=True, slots=True)
class _Sky:
    """What depends on the sun alone; the boundaries are the 節 at or before the instant and the one after it."""

    year: str
    month: str
    term: str
    boundaries: tuple[tuple[str, datetime], tuple[str, datetime]]


def pillars_at(moment: datetime, *, day_boundary: DayBoundary = "23:00") -> Moment:
    """Reckon the four pillars of a moment; seconds count, fractions of a second do not.

    Args:
        moment: The moment on the civil clock of the place, with its UTC offset.
        day_boundary: When the day pillar changes. "23:00" (子初): the whole double hour 子 belongs to the new day.
            "00:00" (子正): from 23:00 to 23:59 the day pillar is still that of the old day, while the hour pillar of
            this late 子 (夜子時) takes its stem from the next day. The hour pillar is thus the same either way.

    Raises:
        CalendarError: The moment has no UTC offset, its year is out of range, or the boundary is neither.

    >>> pillars_at(datetime.fromisoformat("2022-02-04T04:00+08:00")).pillars
    ('辛丑', '辛丑', '戊子', '甲寅')
    >>> late = datetime.fromisoformat("2022-02-04T23:30+08:00")
    >>> pillars_at(late).day, pillars_at(late, day_boundary="00:00").day
    ('己丑', '戊子')
    """
    if moment.utcoffset() is None:
        raise CalendarError("the moment has no UTC offset", code="GUIGU.CALENDAR.OFFSET", todo=_EXAMPLE)
    if day_boundary not in get_args(DayBoundary):
        raise CalendarError(
            f"the day cannot begin at {quoted(str(day_boundary))}",
            code="GUIGU.CALENDAR.BOUNDARY",
            todo=f"Use {listed(get_args(DayBoundary))}",
        )
    _check_year(moment.year)
    # The terms are rounded to the second, so a fraction may only be dropped: rounding it could cross a boundary.
    whole = moment.replace(microsecond=0)
    sky = _sky(whole.astimezone(BEIJING))
    # From 23:00 on the hour belongs to the next day, whichever day the convention gives to the day pillar.
    late = whole.hour == 23
    of_hour = _day_index(whole) + late
    return Moment(
        year=sky.year,
        month=sky.month,
        day=PAIRS[(of_hour if day_boundary == "23:00" else of_hour - late) % 60],
        # The hour 子 of a day 甲 or 己 is 甲子, of a day 乙 or 庚 丙子, and so on (五鼠遁): twelve hours to a day, five days to the sixty.
        hour=PAIRS[(of_hour % 5 * 12 + (whole.hour + 1) // 2 % 12) % 60],
        term=sky.term,
        uncertain=tuple(_doubts(whole, sky)),
        iso=moment.isoformat(),
    )


def parse_moment(text: str, zone: str | None = None) -> datetime:
    """Read an ISO 8601 date-time that has a UTC offset, or one without it in a named zone.

    Historic clock changes of the zone are respected. The answer has a fixed offset.

    Args:
        text: Date and time in the extended format, such as ``2022-02-04T04:00+08:00``.
        zone: An IANA name. Where the text has an offset too, the two must agree.

    Raises:
        CalendarError: It is no date-time, has neither offset nor zone, is outside the years 1600 to 2100, falls on a
            clock change that skips or repeats it, or its offset is not that of the zone.
        UnknownName: There is no such zone.

    >>> parse_moment("1988-07-01 12:00", "Asia/Seoul").isoformat()
    '1988-07-01T12:00:00+10:00'
    >>> parse_moment("2022-02-03T20:00Z").isoformat()
    '2022-02-03T20:00:00+00:00'
    """
    match = _DATE_TIME.fullmatch(unicodedata.normalize("NFKC", text).strip().upper())
    if match is None:
        raise CalendarError(
            f"{quoted(text)} is not a date with a time",
            code="GUIGU.CALENDAR.FORMAT",
            where="moment",
            todo=_EXAMPLE,
        )
    _check_year(int(match["year"]))
    offset = match["offset"] or ""
    try:
        moment = datetime.fromisoformat(f"{match['date']}T{match['time'].replace(',', '.')}{offset}")
    except ValueError as fault:
        raise CalendarError(
            f"{quoted(text)} does not exist ({fault})",
            code="GUIGU.CALENDAR.FORMAT",
            where="moment",
            todo=_EXAMPLE,
        ) from fault
    shift = moment.utcoffset()
    if shift is None:
        if zone is None:
            raise CalendarError(
                f"{quoted(text)} has no UTC offset, so its instant is unknown",
                code="GUIGU.CALENDAR.OFFSET",
                where="moment",
                todo=f"Add the offset, as in {match['date']}T{match['time']}+08:00, or name a zone such as Asia/Seoul",
            )
        return _in_zone(moment, _zone(zone), zone)
    if abs(shift) > _LARGEST_OFFSET:
        raise CalendarError(
            f"no clock has ever been {match['offset']} from UTC",
            code="GUIGU.CALENDAR.OFFSET",
            where="moment",
            todo=_EXAMPLE,
        )
    if zone is not None:
        kept = moment.astimezone(_zone(zone)).utcoffset() or timedelta(0)
        if kept != shift:
            # Reckoning by either would be a guess, and the two give different day and hour pillars.
            raise CalendarError(
                f"the offset {match['offset']} is not that of {zone} at that moment, which is {_written(kept)}",
                code="GUIGU.CALENDAR.CONFLICT",
                where="moment",
                todo="Leave out the offset or the zone",
            )
    return moment


def civil_days(start: date, days: int) -> Iterator[CivilDay]:
    """Give civil dates from a start with their pillars at midday, for finding coming dates.

    Arguments are checked at the call, not at the first step.

    Raises:
        CalendarError: The number of days is negative, or the dates leave the years 1600 to 2100.

    >>> [f"{day.date} {day.month} {day.day}" for day in civil_days(date(2022, 2, 3), 2)]
    ['2022-02-03 辛丑 丁亥', '2022-02-04 壬寅 戊子']
    """
    if days < 0:
        raise CalendarError(
            f"the number of days is {days}",
            code="GUIGU.CALENDAR.DAYS",
            todo="Give 0 or a positive number",
        )
    # Callers often hold a datetime, which is a date too but must not leak its clock into the answer.
    first = date(start.year, start.month, start.day)
    _check_year(first.year)
    if days and first.toordinal() + days - 1 > date(LAST_YEAR, 12, 31).toordinal():
        raise CalendarError(
            f"{days} days from {first} go past the year {LAST_YEAR}",
            code="GUIGU.CALENDAR.RANGE",
            todo="Ask for fewer days",
        )
    return _civil_days(first, days)


def parse_pillar(text: str) -> str:
    """Read a stem-branch pair in Chinese or pinyin, with or without tone marks.

    Raises:
        CalendarError: Stem and branch are of unlike polarity, so the pair is not one of the sixty.
        UnknownName: It is no pair at all.

    >>> parse_pillar("戊辰"), parse_pillar("wuchen"), parse_pillar("Wù chén")
    ('戊辰', '戊辰', '戊辰')
    """
    found = _PAIR_NAMES.get(_plain(text))
    if found is None:
        valid = [name for name, (stem, branch) in _PAIR_NAMES.items() if (stem - branch) % 2 == 0]
        raise UnknownName(text, "pillar", valid, todo="Write a pair such as 戊辰 or wuchen", where="pillar")
    stem, branch = found
    if (stem - branch) % 2:
        # The two pairs that follow one another in the sixty and share the stem, then the branch.
        neighbours = (STEMS[stem] + BRANCHES[branch - 1], STEMS[(stem + 1) % 10] + BRANCHES[branch])
        polarity = ("yang", "yin")
        raise CalendarError(
            f"{STEMS[stem]}{BRANCHES[branch]} is not one of the sixty pairs, since {STEMS[stem]} is "
            f"{polarity[stem % 2]} and {BRANCHES[branch]} is {polarity[branch % 2]}",
            code="GUIGU.CALENDAR.PILLAR",
            where="pillar",
            todo=f"Write {listed(neighbours)}",
        )
    return STEMS[stem] + BRANCHES[branch]


def parse_branch(text: str) -> str:
    """Read an earthly branch in Chinese or pinyin.

    Raises:
        UnknownName: It is no branch.

    >>> parse_branch("午"), parse_branch("wu"), parse_branch("Wǔ")
    ('午', '午', '午')
    """
    found = _BRANCH_NAMES.get(_plain(text))
    if found is None:
        raise UnknownName(text, "branch", _BRANCH_NAMES, todo=f"Write one of {BRANCHES}", where="branch")
    return found


def is_branch(text: str) -> bool:
    """Whether a text is an earthly branch in Chinese or pinyin.

    >>> is_branch("Wǔ"), is_branch("戊辰")
    (True, False)
    """
    return _plain(text) in _BRANCH_NAMES


def _plain(text: str) -> str:
    """Drop case, tone marks, blanks and hyphens."""
    letters = unicodedata.normalize("NFKD", text).casefold()
    return "".join(char for char in letters if not (unicodedata.combining(char) or char.isspace() or char in "-'"))


def _check_year(year: int) -> None:
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise CalendarError(
            f"the year {year} is outside {FIRST_YEAR} to {LAST_YEAR}",
            code="GUIGU.CALENDAR.RANGE",
            todo="Give the pillars themselves instead of a moment",
        )


def _lunar(clock: datetime) -> Any:  # The library is untyped: its answers are made str and datetime at once.
    return Solar.fromYmdHms(clock.year, clock.month, clock.day, clock.hour, clock.minute, clock.second).getLunar()


def _day_index(day: date) -> int:
    """The place of a day in the sixty, or sixties away from it."""
    return day.toordinal() - _FIRST_PAIR


def _sky(beijing: datetime) -> _Sky:
    # Nothing changes between two terms, and the ephemeris takes milliseconds.
    starts, skies = _skies(beijing.year)
    return skies[bisect_right(starts, beijing) - 1]


@cache
def _skies(year: int) -> tuple[tuple[datetime, ...], tuple[_Sky, ...]]:
    """The instants at which terms begin, from the last 大雪 before a year in Beijing to its end; and what holds from each."""
    table = _lunar(datetime(year, 7, 1)).getJieQiTable().values()
    starts = tuple(instant for at in table if (instant := _instant(at)).year <= year)
    return starts, tuple(map(_sky_from, starts))


def _sky_from(term_start: datetime) -> _Sky:
    lunar = _lunar(term_start)
    term = str(lunar.getPrevJieQi().getName())
    return _Sky(
        year=str(lunar.getYearInGanZhiExact()),
        month=str(lunar.getMonthInGanZhiExact()),
        term=_TRADITIONAL.get(term, term),
        boundaries=(_boundary(lunar.getPrevJie()), _boundary(lunar.getNextJie())),
    )


def _boundary(term: Any) -> tuple[str, datetime]:
    name = str(term.getName())
    return _TRADITIONAL.get(name, name), _instant(term.getSolar())


def _instant(solar: Any) -> datetime:
    return datetime.fromisoformat(f"{solar.toYmdHms()}+08:00")


def terms_before(moment: datetime, days: int = 0) -> Iterator[tuple[str, datetime]]:
    """The solar term in force at a moment with the instant at which it began, then those before it for some days.

    >>> next(terms_before(datetime.fromisoformat("2024-04-25T09:30+08:00")))[0]
    '穀雨'
    """
    at = moment.replace(microsecond=0).astimezone(BEIJING)
    oldest = at - timedelta(days=days)
    while True:
        starts, skies = _skies(at.year)
        n = bisect_right(starts, at) - 1
        yield skies[n].term, starts[n]
        if starts[n] <= oldest:
            return
        at = starts[n] - _SECOND


def _doubts(moment: datetime, sky: _Sky) -> Iterator[Said]:
    for name, instant in sky.boundaries:
        distance = instant - moment
        if abs(distance) > MARGIN:
            continue
        before, after = _sky(instant - _SECOND), _sky(instant)
        local = instant.astimezone(moment.tzinfo)
        spaced = local.isoformat(" ")
        yield say(
            "near-before" if distance > timedelta(0) else "near-after",
            seconds=int(abs(distance).total_seconds()),
            term=name,
            instant=Said(local.isoformat(), spaced, spaced),
            year=before.year,
            month=before.month,
            next_year=after.year,
            next_month=after.month,
        )


def _civil_days(first: date, days: int) -> Iterator[CivilDay]:
    noon = datetime(first.year, first.month, first.day, 12, tzinfo=BEIJING)
    sky = _sky(noon)
    index = _day_index(first)
    for step in range(days):
        midday = noon + timedelta(days=step)
        # A month pillar lasts about thirty days: asking the ephemeris once for each month keeps long searches quick.
        if midday >= sky.boundaries[1][1]:
            sky = _sky(midday)
        yield CivilDay(midday.date(), sky.year, sky.month, PAIRS[(index + step) % 60])


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as fault:  # A folder such as "Asia" is an OSError, "../x" a ValueError.
        raise UnknownName(
            name,
            "time zone",
            available_timezones(),
            where="zone",
            todo="Give an IANA name such as Asia/Seoul",
        ) from fault


def _in_zone(clock: datetime, zone: ZoneInfo, name: str) -> datetime:
    """Place a clock reading in a zone; each fold gives an offset, and a true one leads back to the same reading."""
    readings = (clock.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    offsets = dict.fromkeys(reading.utcoffset() or timedelta(0) for reading in readings)
    moments = [clock.replace(tzinfo=timezone(offset)) for offset in offsets]
    true = [moment for moment in moments if moment.astimezone(zone).replace(tzinfo=None) == clock]
    if len(true) == 1:
        return true[0]
    written = [_written(offset) for offset in offsets]
    raise CalendarError(
        f"the clocks of {name} {'showed' if true else 'skipped'} {clock.isoformat(sep=' ')}{' twice' if true else ''}",
        code="GUIGU.CALENDAR.FOLD" if true else "GUIGU.CALENDAR.GAP",
        where="moment",
        todo=f"Write the UTC offset: {listed(written)}",
    )


def _written(offset: timedelta) -> str:
    return str(timezone(offset)).removeprefix("UTC") or "+00:00"
