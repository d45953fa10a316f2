"""From the options of `guigu cast` and `guigu qimen` to the input of a cast: the one way, for the command line, pages and Python."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, Final

from kg.asking import check_questions, check_relative, check_role, check_topics
from loader.calendar import Moment
from loader.cast import AnyGiven
from loader.clause import READINGS
from loader.errors import InputError, UnknownName, quoted
from loader.given import Typed, given
from loader.liuyao import UNITS, Given
from loader.qimen_given import QimenTyped, qimen_given
from loader.tables import usual

OWN: Final = {
    "liuyao": ("lines", "hexagram", "moving", "to", "toss", "seed", "relative", "role", "age", "in_year"),
    "qimen": ("term", "ju", "sex", "man_born", "woman_born", "mountain", "crop"),
}
"""Tradition to the options that only it reads."""
SHARED: Final = ("at", "zone", "longitude", *UNITS, "topic", "ask", "birth_year", "reading", "convention")
"""Options that both read."""
MANY: Final = ("topic", "ask", "convention")
"""Options of several values."""
_NUMBERS: Final[Mapping[str, type[int] | type[float]]] = {"longitude": float, "age": int, "in_year": int}
_ONE_OF: Final = {"sex": ("man", "woman"), "reading": READINGS}


def read(options: Mapping[str, Any], tradition: str) -> tuple[AnyGiven, Moment | None]:
    """The input of a cast from its options, `SHARED` and those of `OWN`; one that is missing was not given.

    Returns:
        The input, and the moment where a civil date-time was given.

    Raises:
        InputError: anything that cannot be used, named by its option.

    >>> cast, _ = read({"hexagram": "雷山小過", "moving": "3", "month": "辰", "day": "戊辰", "topic": ["胎產"]}, "liuyao")
    >>> cast.lines, cast.topics
    ((8, 8, 9, 7, 8, 8), ('childbirth',))
    """
    topics = check_topics(options.get("topic") or (), tradition)
    for name, allowed in _ONE_OF.items():
        if options.get(name) not in (None, *allowed):
            raise UnknownName(str(options[name]), name, allowed, where=f"--{name}", todo=f"There are: {', '.join(allowed)}")
    shared: dict[str, Any] = {
        **{k: options.get(k) for k in ("at", "zone", "longitude")},
        "pillars": {u: options[u] for u in UNITS if options.get(u) is not None},
        "asks": check_questions(options.get("ask") or ()),
        "birth": options.get("birth_year"),
        "conventions": conventions(options.get("convention") or (), options.get("reading")),
    }
    own: dict[str, Any] = {k: options.get(k) for k in OWN[tradition]}
    if tradition == "qimen":
        man, woman = own.pop("man_born"), own.pop("woman_born")
        return qimen_given(QimenTyped(**shared, **own, man=man, woman=woman), topics)
    own |= {"toss": bool(own["toss"]), "relative": check_relative(own["relative"]), "role": check_role(own["role"], topics)}
    return given(Typed(**shared, **own), topics)


def valued(option: str, text: str) -> str | int | float:
    """An option as `read` takes it from its text: of those that are numbers, the number.

    >>> valued("age", "30"), valued("birth_year", "1994")
    (30, '1994')

    Raises:
        InputError: it is no number.
    """
    try:
        return _NUMBERS.get(option, str)(text)
    except ValueError as error:
        raise InputError(f"{quoted(text)} is no number", where=f"--{option.replace('_', '-')}") from error


def written(given: Given) -> dict[str, str | int | Sequence[str]]:
    """The options that make an input of six lines again, but for a solar term that stands without its moment: no option tells it.

    >>> written(Given((8, 8, 9, 7, 8, 8), {"month": "辰"}, ("heirs", "kin"), relative="mother"))
    {'lines': '8,8,9,7,8,8', 'month': '辰', 'topic': ('heirs', 'kin'), 'relative': 'mother'}
    """
    found: dict[str, str | int | Sequence[str] | None] = {
        "lines": ",".join(map(str, given.lines)),
        **({"at": given.at} if given.at else given.pillars),
        "topic": given.topics,
        "ask": given.asks,
        "relative": given.relative,
        "role": given.role,
        "birth_year": given.birth_branch,
        "age": given.age,
        "convention": tuple(f"{name}={option}" for name, option in given.conventions.items() if usual()[name] != option),
    }
    return {name: text for name, text in found.items() if text}


def conventions(written: Iterable[str], reading: str | None = None) -> dict[str, str]:
    """Conventions as they are written, `NAME=VALUE`, and the reading of the text.

    Raises:
        InputError: one has no `=`.
    """
    found = {}
    for text in written:
        name, sign, value = text.partition("=")
        if not sign:
            raise InputError(f"{quoted(text)} has no '='", where="--convention", todo="write NAME=VALUE, e.g. star-pillars=day")
        found[name] = value
    if reading:
        found["reading"] = reading
    return found


def beginning(at: str | None, *, dates: bool = False, start: str | None = None) -> date | None:
    """The day from which coming dates are sought: `start`; with `dates`, the day of the moment of a cast, or today; else None.

    Raises:
        InputError: `start` is no date.

    >>> beginning("2026-11-30T10:20:00+08:00", dates=True)
    datetime.date(2026, 11, 30)
    """
    if start is not None:
        try:
            return date.fromisoformat(start)
        except ValueError as error:
            raise InputError(f"{start[:20]!r} is no date", where="--from", todo="write it as 2026-11-30") from error
    if not dates:
        return None
    return date.fromisoformat(at[:10]) if at else datetime.now(UTC).astimezone().date()
