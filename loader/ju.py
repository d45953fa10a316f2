"""The 局 of an hour chart, by 拆補, 置閏 or 茅山: which row of the table of solar terms, which of its three 元."""

from datetime import date, datetime, timedelta
from typing import Final

from loader.calendar import PAIRS, DayBoundary, Moment, pillars_at, terms_before
from loader.errors import InputError
from loader.iris import ns, symbol
from loader.liuyao import named
from loader.ontology import ontology
from loader.qimen import Ju
from loader.tables import Tables

METHODS: Final = ("chaibu", "zhirun", "maoshan")
_SOLSTICES: Final = ("冬至", "夏至")
_BLOCK: Final = 15
"""Days from one upper 符頭 (甲子 甲午 己卯 己酉) to the next."""


def ju_at(moment: datetime, pillars: Moment, tables: Tables, method: str, *, day_boundary: DayBoundary, leap: int) -> Ju:
    """The 局 of a moment.

    拆補 takes the term in force at the hour and the 元 of the 符頭; 茅山 counts sixty double hours for each 元 from the
    hour of the term; 置閏 lets the terms follow the blocks of fifteen days from the upper 符頭, and repeats 芒種 or 大雪
    where the block of the solstice would begin too early.

    Args:
        moment: the moment on the clock by which day and hour are taken.
        pillars: its pillars.
        tables: the tables under the conventions of the chart.
        method: `chaibu`, `zhirun` or `maoshan`.
        day_boundary: as in `pillars_at`.
        leap: the days by which an upper 符頭 must precede the solstice for 芒種 or 大雪 to be repeated, 8 or 9.

    Raises:
        InputError: no such method.
    """
    if method == "chaibu":
        return ju_of(pillars.term, yuan_of(pillars.day, tables), tables, method)
    if method == "maoshan":
        name, instant = next(terms_before(moment))
        hours = _double_hour(moment) - _double_hour(instant.astimezone(moment.tzinfo))
        return ju_of(name, min(hours // 60, 2) + 1, tables, method)
    if method == "zhirun":
        return ju_of(_block_term(moment, pillars.day, day_boundary, leap), PAIRS.index(pillars.day) % _BLOCK // 5 + 1, tables, method)
    raise InputError(f"no method of the 局 is named {method!r}", where="--convention", todo=f"there are: {', '.join(METHODS)}")


def ju_of(term: str, yuan: int, tables: Tables, method: str) -> Ju:
    """The 局 of one of the three 元 of a solar term, by the table."""
    row = named("SolarTerm")[term]
    yang = tables.get("qimen-dun").iri_of(row) == symbol("polarity", "yang")
    return Ju(yang, tables.get("qimen-ju").place(row, yuan), term, yuan, method)


def yuan_of(day: str, tables: Tables) -> int:
    """The 元 of a day, by the branch of its 符頭: the last 甲 or 己 day at or before it.

    >>> from loader.tables import choose
    >>> yuan_of("己未", Tables(choose({})))
    3
    """
    head = PAIRS[PAIRS.index(day) // 5 * 5]
    return tables.get("qimen-yuan").place(ontology().one(named("Pair")[head], ns("branch")))


def _double_hour(moment: datetime) -> int:
    """Double hours from some fixed one, the first of a day beginning at 23:00."""
    return moment.toordinal() * 12 + (moment.hour + 1) // 2


def _day(moment: datetime, day_boundary: DayBoundary) -> date:
    """The date to which the day pillar of a moment belongs."""
    return (moment + timedelta(hours=1)).date() if day_boundary == "23:00" else moment.date()


def _block_term(moment: datetime, day: str, day_boundary: DayBoundary, leap: int) -> str:
    """The term of the block of fifteen days in which a day lies."""
    start = _day(moment, day_boundary) - timedelta(days=PAIRS.index(day) % _BLOCK)
    every = [ontology().label(t) for t in ontology().ordered("SolarTerm")]
    # The block of a solstice may begin before it, and the block before that may hold the moment: so look a block ahead, a year back.
    blocks, name = next(
        ((start - begins).days // _BLOCK, name)
        for name, instant in terms_before(moment + timedelta(days=_BLOCK), days=400)
        if name in _SOLSTICES and (begins := _solstice_block(instant.astimezone(moment.tzinfo), day_boundary, leap)) <= start
    )
    # A thirteenth block before the next solstice is the repeated one (閏奇).
    return every[(every.index(name) + min(blocks, 11)) % 24]


def _solstice_block(instant: datetime, day_boundary: DayBoundary, leap: int) -> date:
    """The day on which the block of a solstice begins."""
    day = pillars_at(instant, day_boundary=day_boundary).day
    ahead = PAIRS.index(day) % _BLOCK
    start = _day(instant, day_boundary) - timedelta(days=ahead)
    return start if ahead < leap else start + timedelta(days=_BLOCK)


def parse_ju(text: str) -> tuple[bool, int]:
    """Whether it is 陽遁, and the number, of `陽8`, `陰遁九局`, `yang8`.

    Raises:
        InputError: it is neither.

    >>> parse_ju("陰遁九局"), parse_ju("yang8")
    ((False, 9), (True, 8))
    """
    plain = text.strip().lower().replace("遁", "").replace("局", "")
    for prefix, yang in (("陽", True), ("阳", True), ("양", True), ("yang", True), ("陰", False), ("阴", False), ("음", False), ("yin", False)):
        number = plain.removeprefix(prefix).strip(" -")
        if plain.startswith(prefix) and len(number) == 1 and number in "123456789一二三四五六七八九":
            return yang, "一二三四五六七八九".find(number) + 1 or int(number)
    raise InputError(f"{text[:20]!r} is no 局", where="--ju", todo="write it as 陽8, 陰遁九局 or yang8")
