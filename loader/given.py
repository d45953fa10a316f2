"""From what a person types to what a cast is made from: six lines, pillars or a moment, a topic, conventions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from typing import Final, cast

from loader.calendar import BRANCHES, PAIRS, DayBoundary, Moment, is_branch, parse_branch, parse_moment, parse_pillar, pillars_at
from loader.errors import InputError, UnknownName
from loader.hexagram_input import lines_between, lines_of, parse_hexagram, parse_lines, parse_moving, toss
from loader.liuyao import UNITS, Given, bits_of, hexagram_names
from loader.tables import choose

OLDEST: Final = 120
"""Ages that may be asked about; the limits of a life end before."""


@dataclass(frozen=True, slots=True)
class Typed:
    """What was typed, by option; None where an option was not used.

    Attributes:
        lines: six numbers 6 to 9, bottom to top.
        hexagram: number, name or Unicode sign of the original hexagram.
        moving: positions of moving lines.
        to: number, name or sign of the changed hexagram, instead of `moving`.
        toss: whether to toss coins; `seed` makes the toss repeatable.
        seed: seed of the toss.
        at: civil date-time.
        zone: IANA time zone of `at`.
        longitude: degrees east of Greenwich, for the mean sun.
        pillars: unit to pillar, each a pair, of year and month and hour also a bare branch.
        asks: keys of questions.
        birth: birth year as a number, a pair or a branch.
        relative: key of the relative asked about.
        role: key of the role asked about.
        age: age of the person asked about, one at birth.
        in_year: the year asked about, instead of an age.
        conventions: name to option.
    """

    lines: str | None = None
    hexagram: str | None = None
    moving: str | None = None
    to: str | None = None
    toss: bool = False
    seed: int | None = None
    at: str | None = None
    zone: str | None = None
    longitude: float | None = None
    pillars: Mapping[str, str] | None = None
    asks: tuple[str, ...] = ()
    birth: str | None = None
    relative: str | None = None
    role: str | None = None
    age: int | None = None
    in_year: int | None = None
    conventions: Mapping[str, str] | None = None


def given(typed: Typed, topics: Iterable[str]) -> tuple[Given, Moment | None]:
    """Make the input of a cast.

    Returns:
        The input, and the moment where a civil date-time was given (its notes say where a term is too near to be sure).

    Raises:
        InputError: anything that cannot be used, named by its option.
    """
    conventions = choose(typed.conventions or {})
    pillars, moment = _pillars(typed, conventions)
    return (
        Given(
            lines=_lines(typed),
            pillars=pillars,
            topics=tuple(topics),
            asks=typed.asks,
            birth_branch=_birth(typed.birth) if typed.birth else None,
            relative=typed.relative,
            role=typed.role,
            age=_age(typed, moment),
            term=moment.term if moment else None,
            at=parse_moment(typed.at, typed.zone).isoformat() if typed.at else None,
            conventions=conventions,
        ),
        moment,
    )


def _lines(typed: Typed) -> tuple[int, ...]:
    ways = [w for w, used in (("--lines", typed.lines), ("--hexagram", typed.hexagram), ("--toss", typed.toss)) if used]
    if len(ways) != 1:
        what = f"{' and '.join(ways)} both give the hexagram" if ways else "no hexagram"
        raise InputError(what, todo="give one of --lines, --hexagram, --toss", code="GUIGU.CAST.WAY")
    if typed.hexagram is None and (typed.moving or typed.to):
        raise InputError("--moving and --to go with --hexagram", todo="the numbers of --lines say what moves", code="GUIGU.CAST.WAY")
    if typed.lines:
        return parse_lines(typed.lines)
    if typed.toss:
        return toss(typed.seed)
    bits = _bits(typed.hexagram or "")
    if typed.to and typed.moving:
        raise InputError("--to and --moving both say what moves", todo="give one of them", code="GUIGU.CAST.WAY")
    if typed.to:
        return lines_between(bits, _bits(typed.to))
    return lines_of(bits, parse_moving(typed.moving or ""))


@lru_cache(maxsize=1024)
def _bits(text: str) -> str:
    """The lines of a hexagram as it was typed; kept, since a casebook names the same ones again and again."""
    return bits_of(parse_hexagram(text, hexagram_names()))


def _pillars(typed: Typed, conventions: Mapping[str, str]) -> tuple[dict[str, str], Moment | None]:
    direct = dict(typed.pillars or {})
    if typed.at:
        if direct:
            raise InputError("--at and pillars both give the time", where=", ".join(f"--{u}" for u in direct), todo="give one of them", code="GUIGU.CAST.TIME")
        moment = pillars_at(clock_of(parse_moment(typed.at, typed.zone), typed.longitude, conventions), day_boundary=boundary_of(conventions))
        return dict(zip(UNITS, moment.pillars, strict=True)), moment
    if typed.zone:
        raise InputError("--zone goes with --at", code="GUIGU.CAST.TIME")
    found = {}
    for unit, text in direct.items():
        try:
            # A day without its stem has neither void nor spirits, so a bare branch serves for the other pillars only.
            found[unit] = parse_branch(text) if unit != "day" and (len(text) < 2 or is_branch(text)) else parse_pillar(text)
        except InputError as error:
            raise error.placed(f"--{unit}") from error
    return found, None


def boundary_of(conventions: Mapping[str, str]) -> DayBoundary:
    """When the day begins, by the convention `day-boundary`."""
    return cast("DayBoundary", conventions["day-boundary"])  # conventions.ttl has its two options


def clock_of(civil: datetime, longitude: float | None, conventions: Mapping[str, str]) -> datetime:
    """The moment on the clock by which day and hour are taken: the civil one, or that of the mean sun."""
    if conventions["solar-time"] == "civil":
        return civil
    if longitude is None or not -180 <= longitude <= 180:
        todo = "give degrees east of Greenwich from -180 to 180, e.g. 126.98 for Seoul"
        raise InputError("the mean sun needs a longitude", where="--longitude", todo=todo, code="GUIGU.CAST.TIME")
    # The sun takes four minutes for a degree.
    return civil.astimezone(timezone(timedelta(seconds=round(longitude * 240))))


def _age(typed: Typed, moment: Moment | None) -> int | None:
    """Age as the books count it, one at birth and one more each year: as given, of the year asked about, or of the year of the cast."""
    if typed.age is not None and typed.in_year is not None:
        raise InputError("--age and --in-year both say when", todo="give one of them", code="GUIGU.CAST.TIME")
    born = int(typed.birth) if typed.birth and typed.birth.isdecimal() and len(typed.birth) == 4 else None
    year = typed.in_year
    if year is not None and born is None:
        raise InputError("the year asked about needs a birth year", where="--in-year", todo="give --birth-year as a number, e.g. 1994")
    if year is None and typed.age is None and moment is not None:
        year = moment.year_number
    age = typed.age if typed.age is not None else year - born + 1 if year is not None and born is not None else None
    if age is not None and not 1 <= age <= OLDEST:
        raise InputError(f"an age of {age} years", where="--age, --in-year", todo=f"ages from 1 to {OLDEST} can be asked")
    return age


def _birth(text: str) -> str:
    """The branch of a birth year: of a number, the year that begins at 立春 of it."""
    if text.isdecimal():
        if len(text) != 4:
            raise InputError(f"{text[:20]!r} is no year", where="--birth-year", todo="give a year such as 1994, a pair or a branch")
        return BRANCHES[(int(text) - 4) % 12]
    if text in PAIRS:
        return text[1]
    try:
        return parse_branch(text)
    except UnknownName as error:
        raise InputError(f"{text[:20]!r} is no year", where="--birth-year", todo="give a year such as 1994, a pair or a branch") from error
