"""From what a person types to what an hour chart is made from: a moment, or pillars with a solar term and a 局."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, cast

from loader import iris
from loader.calendar import PAIRS, Moment, parse_moment, parse_pillar, pillars_at, terms_before
from loader.errors import InputError, UnknownName, quoted
from loader.given import OLDEST, boundary_of, clock_of
from loader.ju import ju_at, ju_of, parse_ju, yuan_of
from loader.liuyao import UNITS
from loader.ontology import ontology
from loader.qimen import Ju, Person, QimenGiven
from loader.tables import Tables, choose

_FIRST: Final = {"man": ("丙寅", 1), "woman": ("壬申", -1)}
"""行年 at the age of one, and which way it goes: men from 丙寅 forward, women from 壬申 backward."""


@dataclass(frozen=True, slots=True)
class QimenTyped:
    """What was typed, by option; None where an option was not used.

    Attributes:
        at: civil date-time.
        zone: IANA time zone of `at`.
        longitude: degrees east of Greenwich, for the mean sun.
        pillars: unit to pair, all four, instead of `at`.
        term: the solar term in force, with `pillars`.
        ju: the 局, such as `陽8`, with `pillars`; by 拆補 from term and day where left out.
        asks: keys of questions.
        birth: birth year of the person, a number or a pair.
        sex: `man` or `woman`, of that person.
        man: birth year of the man, woman: of the woman, for a marriage.
        mountain: the sitting mountain of a grave.
        crop: the stem of the crop.
        conventions: name to option.
    """

    at: str | None = None
    zone: str | None = None
    longitude: float | None = None
    pillars: Mapping[str, str] | None = None
    term: str | None = None
    ju: str | None = None
    asks: tuple[str, ...] = ()
    birth: str | None = None
    sex: str | None = None
    man: str | None = None
    woman: str | None = None
    mountain: str | None = None
    crop: str | None = None
    conventions: Mapping[str, str] | None = None


def qimen_given(typed: QimenTyped, topics: Iterable[str]) -> tuple[QimenGiven, Moment | None]:
    """Make the input of an hour chart.

    Returns:
        The input, and the moment where a civil date-time was given (its notes say where a term is too near to be sure).

    Raises:
        InputError: anything that cannot be used, named by its option.
    """
    conventions = choose(typed.conventions or {})
    tables, moment = Tables(conventions), None
    if typed.at:
        if typed.pillars or typed.ju or typed.term:
            raise InputError("--at and pillars, term or 局 both give the time", todo="give one of them", code="GUIGU.CAST.TIME")
        clock = clock_of(parse_moment(typed.at, typed.zone), typed.longitude, conventions)
        boundary = boundary_of(conventions)
        moment = pillars_at(clock, day_boundary=boundary)
        ju = ju_at(clock, moment, tables, conventions["ju"], day_boundary=boundary, leap=int(conventions["leap"]))
        pillars, term, changes = dict(zip(UNITS, moment.pillars, strict=True)), moment.term, _changes(clock)
    else:
        if typed.zone:
            raise InputError("--zone goes with --at", code="GUIGU.CAST.TIME")
        pillars, term = _pillars(typed, conventions["day-boundary"]), _term(typed)
        if typed.ju is None and conventions["ju"] != "chaibu":
            raise InputError("pillars alone tell the 局 by 拆補 only", where="--ju", todo="give the 局 too, or --at", code="GUIGU.CAST.TIME")
        ju, changes = _ju(typed.ju, term, pillars["day"], tables), None
    topics = tuple(topics)
    return (
        QimenGiven(
            pillars=pillars,
            ju=ju,
            topics=topics,
            asks=typed.asks,
            persons=tuple(_persons(typed, topics, moment)),
            mountain=_keyed(typed.mountain, "Mountain", "--mountain"),
            crop=_keyed(typed.crop, "Stem", "--crop"),
            term=term,
            term_changes=changes,
            at=parse_moment(typed.at, typed.zone).isoformat() if typed.at else None,
            conventions=conventions,
        ),
        moment,
    )


def _changes(clock: datetime) -> bool:
    """Whether the double hour of a moment holds the change of a term."""
    start = clock.replace(minute=0, second=0, microsecond=0) - timedelta(hours=(clock.hour + 1) % 2)
    last = start + timedelta(hours=2) - timedelta(seconds=1)
    return next(terms_before(last))[1] >= start


def _pillars(typed: QimenTyped, day_boundary: str) -> dict[str, str]:
    given = typed.pillars or {}
    missing = [f"--{u}" for u in UNITS if u not in given]
    if missing:
        todo = "give --at, or all four pillars with --term" if given else "give --at, e.g. --at 2024-04-25T09:30+08:00"
        raise InputError(f"an hour chart needs {', '.join(missing)}", todo=todo, code="GUIGU.CAST.TIME")
    found = {}
    for unit in UNITS:
        try:
            found[unit] = parse_pillar(given[unit])
        except InputError as error:
            raise error.placed(f"--{unit}") from error
    day, hour = (PAIRS.index(found[u]) for u in ("day", "hour"))
    # Where the day begins at midnight, the late 子 hour (夜子時) has the stem of the next day's.
    late = day_boundary == "00:00" and hour % 12 == 0
    if hour // 12 not in (day % 5, (day + late) % 5):
        raise InputError(f"a {found['day']} day has no {found['hour']} hour", where="--hour", todo="the stem of the hour follows from that of the day")
    return found


def _term(typed: QimenTyped) -> str:
    by_name = {x.text: ontology().label(t) for t in ontology().of_type("SolarTerm") for x in ontology().labels(t)}
    if typed.term is None:
        raise InputError("pillars alone do not tell the solar term", where="--term", todo="give it, e.g. --term 穀雨", code="GUIGU.CAST.TIME")
    if typed.term not in by_name:
        raise UnknownName(typed.term, "solar term", by_name, where="--term")
    return by_name[typed.term]


def _ju(text: str | None, term: str, day: str, tables: Tables) -> Ju:
    """The 局 as given, which must stand in the row of its term; where none is given, by 拆補."""
    if text is None:
        return ju_of(term, yuan_of(day, tables), tables, "chaibu")
    row = [ju_of(term, yuan, tables, "given") for yuan in (1, 2, 3)]
    found = next((ju for ju in row if (ju.yang, ju.number) == parse_ju(text)), None)
    if found is None:
        has = f"{'陽' if row[0].yang else '陰'}{' '.join(str(ju.number) for ju in row)}"
        raise InputError(f"{quoted(text)} is no 局 of {term}", where="--ju", todo=f"it has {has}; give the term by which the 局 was found")
    return found


def _persons(typed: QimenTyped, topics: tuple[str, ...], moment: Moment | None) -> Iterable[Person]:
    # In a question of birth the person is the mother, whatever else is asked.
    sex = typed.sex or ("woman" if topics == ("childbirth",) else None)
    for who, text, gender, where in (
        ("person", typed.birth, sex, "--birth-year"),
        ("man", typed.man, "man", "--man-born"),
        ("woman", typed.woman, "woman", "--woman-born"),
    ):
        if text is not None:
            yield _person(cast("Literal['man', 'woman', 'person']", who), text, gender, moment, where)  # the three words above


def _person(who: Literal["man", "woman", "person"], text: str, sex: str | None, moment: Moment | None, where: str) -> Person:
    """A birth year, as a number that begins at 立春 or as a pair, and the year of age (行年) where year and sex are known."""
    if not (text.isdecimal() and len(text) == 4):
        try:
            return Person(who, parse_pillar(text))
        except InputError as error:
            raise InputError(f"{text[:20]!r} is no birth year", where=where, todo="give a year such as 1994, or a pair") from error
    born = int(text)
    pair = PAIRS[(born - 4) % 60]
    if moment is None:
        return Person(who, pair)
    age = moment.year_number - born + 1
    if not 1 <= age <= OLDEST:
        raise InputError(f"an age of {age} years", where=where, todo=f"ages from 1 to {OLDEST} can be asked")
    if sex is None:
        return Person(who, pair)
    first, step = _FIRST[sex]
    return Person(who, pair, PAIRS[(PAIRS.index(first) + step * (age - 1)) % 60])


def _keyed(text: str | None, kind: str, where: str) -> str | None:
    """Key of a symbol from its key or a label."""
    if text is None:
        return None
    o = ontology()
    by_name = {x.text: s for s in o.of_type(kind) for x in o.labels(s)} | {iris.key(s): s for s in o.of_type(kind)}
    if text not in by_name:
        raise UnknownName(text, kind.lower(), by_name, where=where)
    return iris.key(by_name[text])
