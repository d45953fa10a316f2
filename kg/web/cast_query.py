"""What the address of a cast says: parameters named as the options of `guigu cast` and `guigu qimen`, and the judgement that they ask for."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlencode

from kg import typed
from kg.judgement import Judgement, judge
from loader.errors import InputError, UnknownName, quoted
from loader.hexagram_input import LINES, toss
from loader.saying import Said

PATH: Final = "/cast"
"""Where casts are made and answered."""
TRADITIONS: Final = ("liuyao", "qimen")
MANY: Final = frozenset({"topic", "ask", "convention", "variants"})
"""Parameters that may be repeated."""
SHOWN: Final = ("from", "variants", "clause")
"""Parameters that say what is shown of a judgement, not what is judged."""
LONGEST: Final = 100
"""Characters of a value."""
MOST: Final = 160
"""Parameters of an address, empty ones included: a form with every convention has some ninety."""
_KEPT: Final = 16
"""Judgements that are kept; one takes some megabytes."""
_TOSSED: Final = ("lines", "hexagram", "moving", "to")
SIX: Final = tuple(f"line{n}" for n in range(1, LINES + 1))
"""Parameters of six fields, one for each line."""


def _named(option: str) -> str:
    return option.replace("_", "-")


NAMES: Final = {t: tuple(n for n in map(_named, (*typed.OWN[t], *typed.SHARED)) if n not in ("toss", "seed")) for t in TRADITIONS}
"""Tradition to the parameters that make a cast of it, in the order of an address."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What an address asks: pairs of parameter and value in one order, so that equal ones are equal.

    Attributes:
        tradition: `liuyao` or `qimen`.
        cast: what is judged.
        shown: what is shown of it.
    """

    tradition: str
    cast: tuple[tuple[str, str], ...] = ()
    shown: tuple[tuple[str, str], ...] = ()

    def values(self, name: str) -> list[str]:
        """The values of a parameter."""
        return [value for known, value in (*self.cast, *self.shown) if known == name]

    def value(self, name: str) -> str | None:
        """The value of a parameter, or None."""
        return next(iter(self.values(name)), None)

    def options(self) -> dict[str, Any]:
        """The options of the command line, as `kg.typed.read` takes them.

        Raises:
            InputError: a number is none.
        """
        found: dict[str, Any] = {}
        for name, value in self.cast:
            key = name.replace("-", "_")
            if name in MANY:
                found[key] = [*found.get(key, []), value]
            else:
                found[key] = typed.valued(key, value)
        return found

    def address(self, path: str = PATH, **shown: str | None) -> str:
        """The URL that asks this; `shown` says what else is shown of it, None what is not.

        >>> Asked("qimen", (("at", "2024-04-25T09:30+08:00"), ("topic", "childbirth"))).address(clause="qm-taichan-017")
        '/cast?tradition=qimen&at=2024-04-25T09%3A30%2B08%3A00&topic=childbirth&clause=qm-taichan-017'
        """
        tradition = [("tradition", self.tradition)] if self.tradition != TRADITIONS[0] else []
        kept = [(name, value) for name, value in self.shown if name not in shown]
        pairs = [*tradition, *self.cast, *kept, *((name, value) for name, value in shown.items() if value is not None)]
        return f"{path}?{urlencode(pairs)}" if pairs else path

    def tossed(self, seed: int | None = None) -> "Asked":
        """The same with six lines by a toss of coins."""
        lines = ",".join(map(str, toss(seed)))
        return replace(self, tradition=TRADITIONS[0], cast=(("lines", lines), *((n, v) for n, v in self.cast if n not in _TOSSED)))


def asked(parameters: Iterable[tuple[str, str]]) -> Asked:
    """What parameters ask; empty ones, and those that the tradition does not read, are left out.

    `line1` to `line6`, from the bottom, are another way to write `lines`: that of six fields.

    Raises:
        InputError: too many or too long; no such tradition; some of six lines are missing.

    >>> asked([*zip(SIX, "889788"), ("month", "辰"), ("day", ""), ("topic", "childbirth")]).cast
    (('lines', '8,8,9,7,8,8'), ('month', '辰'), ('topic', 'childbirth'))
    """
    pairs = list(parameters)
    if len(pairs) > MOST:
        raise InputError(f"{len(pairs)} parameters", todo=f"at most {MOST} are read")
    given: dict[str, list[str]] = {}
    for name, value in pairs:
        if len(value) > LONGEST:
            raise InputError(f"{quoted(value)} is too long", where=name[:LONGEST], todo=f"at most {LONGEST} characters are read")
        if value.strip():
            given.setdefault(name, []).append(value.strip())
    tradition = given.get("tradition", [TRADITIONS[0]])[-1]
    if tradition not in TRADITIONS:
        raise UnknownName(tradition, "tradition", TRADITIONS, where="tradition", todo=f"There are: {', '.join(TRADITIONS)}")
    if lines := [given[name][-1] for name in SIX if name in given]:
        if len(lines) != LINES:
            raise InputError(f"{len(lines)} of {LINES} lines are given", where="lines", code="GUIGU.CAST.LINES")
        given.setdefault("lines", []).append(",".join(lines))

    def kept(names: Sequence[str]) -> tuple[tuple[str, str], ...]:
        return tuple((n, v) for n in names for v in dict.fromkeys(given.get(n, ()) if n in MANY else given.get(n, ())[-1:]))

    return Asked(tradition, kept(NAMES[tradition]), kept(SHOWN))


def address(parameters: Mapping[str, str | Sequence[str]]) -> str:
    """The URL of the answer to a cast, for other pages that lead to it.

    Args:
        parameters: named as the options of `guigu cast`, or with `tradition` `qimen` of `guigu qimen`; several values where one may be repeated.

    Raises:
        InputError: they are too many or too long.

    >>> address({"hexagram": "雷山小過", "moving": "3", "topic": ["childbirth", "heirs"]})
    '/cast?hexagram=%E9%9B%B7%E5%B1%B1%E5%B0%8F%E9%81%8E&moving=3&topic=childbirth&topic=heirs'
    """
    return asked((name, one) for name, value in parameters.items() for one in ([value] if isinstance(value, str) else value)).address()


def seed(value: str | None) -> int | None:
    """The seed of a toss, if one is given.

    Raises:
        InputError: it is no whole number from 0 to 2 to the 63rd, as for `guigu cast --seed`.
    """
    if value is None:
        return None
    if not (value.isascii() and value.isdigit() and int(value) <= 2**63):
        raise InputError(f"{quoted(value)} is no seed", where="--seed", todo="give a whole number from 0 on")
    return int(value)


def judged(one: Asked) -> tuple[Judgement, tuple[Said, ...]]:
    """The judgement that is asked for, with what is uncertain of its moment; those asked for last are kept.

    Raises:
        InputError: what was given cannot be used.
    """
    return _judged(replace(one, shown=()))


@lru_cache(_KEPT)
def _judged(one: Asked) -> tuple[Judgement, tuple[Said, ...]]:
    given, moment = typed.read(one.options(), one.tradition)
    return judge(given), moment.uncertain if moment else ()
