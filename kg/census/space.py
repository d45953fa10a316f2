"""The spaces of casts that a census counts: what is in each, how it is judged, and any cast of it as a user would type it."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, cached_property
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from kg.bulk import Casts, Fires, Grid, HourGrid, HourQuestion, Question, evaluate, hour_charts, lines_of, settled, six_lines
from kg.bulk.hours import CHANGE, axes
from kg.bulk.space import HEXAGRAMS, TERM, number, values
from kg.sampling import random_cast, random_moment, random_typed_hour
from kg.typed import written
from loader.calendar import Moment, parse_branch, parse_pillar, pillars_at
from loader.cast import AnyGiven
from loader.chapter import clauses
from loader.given import boundary_of
from loader.hexagram_input import parse_hexagram
from loader.liuyao import UNITS, Given, bits_of, hexagram_names
from loader.qimen_given import QimenTyped, qimen_given
from loader.tables import choose

Chosen = tuple[tuple[str, str], ...]
"""Conventions other than the defaults, as pairs of name and option."""
Options = Mapping[str, str | int | Sequence[str]]
"""Options of `guigu cast` or `guigu qimen`, named as in `kg.typed`, to what a user would type."""

_POOL: Final = 4096
"""Moments among which the casts of `Moments` and `Asked` are made."""


def _written(chosen: Chosen) -> tuple[str, ...]:
    return tuple(f"{name}={option}" for name, option in chosen)


class Space(Protocol):
    """Casts that can be numbered."""

    @property
    def key(self) -> str:
        """Its name: `days`, `moments`, `asked`, `hours`, `asked-hours`."""
        ...

    @property
    def tradition(self) -> str:
        """`liuyao` or `qimen`."""
        ...

    @property
    def drawn(self) -> bool:
        """Whether its casts are drawn at random, so that what holds of all of them need not hold of others."""
        ...

    def __len__(self) -> int: ...

    def fires(self, topic: str, start: int, stop: int) -> Fires:
        """The clauses of a topic that fire on the casts of some numbers, from `start` up to before `stop`."""
        ...

    def options(self, topic: str, number: int) -> Options:
        """A cast of the space on a topic, as the options that make it."""
        ...


def moves(pair: int) -> int:
    """How many lines of a pair of hexagrams move.

    >>> moves(0), moves(63)
    (0, 6)
    """
    return (pair // 64 ^ pair % 64).bit_count()


EVERY_PAIR: Final = tuple(sorted(range(4096), key=lambda pair: (moves(pair), pair)))
"""All pairs of hexagrams, those with the fewest moving lines first: so the first cast found is the simplest."""


@dataclass(frozen=True)
class Days:
    """Every pair of hexagrams on every day of every month, asked about a topic and nothing narrower.

    Attributes:
        pairs: pairs of hexagrams, see `kg.bulk.space.HEXAGRAMS`.
        months: branches of the months.
        days: pairs of the days.
        chosen: conventions other than the defaults.

    >>> days = Days()
    >>> len(days), days.options("heirs", 0)
    (2949120, {'lines': '8,8,8,8,8,8', 'month': '子', 'day': '甲子', 'topic': ('heirs',), 'convention': ()})
    """

    pairs: tuple[int, ...] = EVERY_PAIR
    months: tuple[str, ...] = tuple(values("month")[60:])
    days: tuple[str, ...] = tuple(values("day")[:60])
    chosen: Chosen = ()

    key = "days"
    tradition = "liuyao"
    drawn = False

    @classmethod
    def of(cls, hexagram: Sequence[str] = (), month: Sequence[str] = (), day: Sequence[str] = (), chosen: Chosen = ()) -> "Days":
        """A slice: only some original hexagrams, months and days, as a user would type them; all of what is left out.

        Raises:
            InputError: a name that is none.

        >>> len(Days.of(hexagram=["剝"], month=["辰"], day=["戊辰"]))
        64
        """
        originals = {sum(1 << n for n, bit in enumerate(bits_of(parse_hexagram(name, hexagram_names()))) if bit == "1") for name in hexagram}
        return cls(
            tuple(pair for pair in EVERY_PAIR if pair // 64 in originals) if originals else EVERY_PAIR,
            tuple(dict.fromkeys(parse_branch(m) for m in month)) or cls.months,
            tuple(dict.fromkeys(parse_pillar(d) for d in day)) or cls.days,
            chosen,
        )

    @cached_property
    def _grid(self) -> Grid:
        return Grid({HEXAGRAMS: self.pairs, "month": [number("month", m) for m in self.months], "day": [number("day", d) for d in self.days]})

    def __len__(self) -> int:
        return len(self._grid)

    def fires(self, topic: str, start: int, stop: int) -> Fires:
        """See `Space`."""
        return six_lines(self._grid.casts(start, stop), Question((topic,), conventions=settled(choose(dict(self.chosen)))))

    def options(self, topic: str, number: int) -> Options:
        """See `Space`."""
        cast = self._grid.casts(number, number + 1)
        return _line_options(int(cast.codes[HEXAGRAMS][0]), topic, self.chosen, month=str(cast.value("month", 0)), day=str(cast.value("day", 0)))


def _line_options(pair: int, topic: str, chosen: Chosen, **time: str) -> Options:
    return {"lines": ",".join(map(str, lines_of(pair))), **time, "topic": (topic,), "convention": _written(chosen)}


@cache
def pool(boundary: str) -> tuple[tuple[datetime, Moment], ...]:
    """Moments drawn at random from a hundred years, each with its pillars; the same ones every time."""
    rng = random.Random(1950)  # noqa: S311  # a sample, not a secret
    found = [random_moment(rng) for _ in range(_POOL)]
    return tuple((at, pillars_at(at, day_boundary="00:00" if boundary == "00:00" else "23:00")) for at in found)


@dataclass(frozen=True)
class Moments:
    """Casts drawn at random: any pair of hexagrams at any of some moments, so that all four pillars and the term are known.

    Attributes:
        count: how many.
        chosen: conventions other than the defaults.
    """

    count: int = 2**18
    chosen: Chosen = ()

    key = "moments"
    tradition = "liuyao"
    drawn = True

    @cached_property
    def _conventions(self) -> dict[str, str]:
        return choose(dict(self.chosen))

    @cached_property
    def _codes(self) -> Mapping[str, NDArray[np.intp]]:
        """Axis to its value at each moment of the pool."""
        found = pool(boundary_of(self._conventions))
        codes = {u: np.array([number(u, m.pillars[n]) for _, m in found], np.intp) for n, u in enumerate(UNITS)}
        return codes | {TERM: np.array([number(TERM, m.term) for _, m in found], np.intp)}

    @cached_property
    def _drawn(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Pair of hexagrams and moment of every cast."""
        rng = np.random.default_rng(4096)
        return rng.integers(0, 4096, self.count), rng.integers(0, _POOL, self.count)

    def __len__(self) -> int:
        return self.count

    def fires(self, topic: str, start: int, stop: int) -> Fires:
        """See `Space`."""
        pairs, at = (drawn[start:stop] for drawn in self._drawn)
        casts = Casts({HEXAGRAMS: pairs, **{axis: codes[at] for axis, codes in self._codes.items()}})
        return six_lines(casts, Question((topic,), conventions=settled(self._conventions)))

    def options(self, topic: str, number: int) -> Options:
        """See `Space`."""
        pairs, at = self._drawn
        moment, _ = pool(boundary_of(self._conventions))[int(at[number])]
        return _line_options(int(pairs[number]), topic, self.chosen, at=moment.isoformat())


@dataclass(frozen=True)
class Asked:
    """Casts drawn at random, each with something narrower asked: a question, a role, a relative, an age.

    Attributes:
        count: how many on each topic.
        chosen: conventions other than the defaults.
    """

    count: int = 4096
    chosen: Chosen = ()

    key = "asked"
    tradition = "liuyao"
    drawn = True

    def __len__(self) -> int:
        return self.count

    def _given(self, topic: str, number: int) -> Given:
        rng = random.Random(f"{topic} {number}")  # noqa: S311  # a sample, not a secret
        cast, conventions = random_cast(rng, topic), choose(dict(self.chosen))
        at, moment = rng.choice(pool(boundary_of(conventions)))
        return replace(cast, pillars=dict(zip(UNITS, moment.pillars, strict=True)), term=moment.term, at=at.isoformat(), conventions=conventions)

    def fires(self, topic: str, start: int, stop: int) -> Fires:
        """See `Space`."""
        return _judged([self._given(topic, n) for n in range(start, min(stop, self.count))], topic)

    def options(self, topic: str, number: int) -> Options:
        """See `Space`."""
        return written(self._given(topic, number))


def _judged(givens: Sequence[AnyGiven], topic: str) -> Fires:
    """Casts that were all asked about a topic; `evaluate` speaks of every topic of the tradition."""
    return evaluate(givens).only({c.id for c in clauses().values() if c.topic == topic})


@dataclass(frozen=True)
class Hours:
    """Every hour of every day in every term of every year of the sixty, asked about a topic and nothing narrower; the 局 by 拆補.

    Attributes:
        chosen: conventions other than the defaults.

    >>> hours = Hours()
    >>> len(hours), command(hours.options("burial", 0))
    (1036800, '--year 甲子 --month 丙寅 --day 甲子 --hour 甲子 --term 立春 --ju 陽8 --topic burial')
    """

    chosen: Chosen = ()

    key = "hours"
    tradition = "qimen"
    drawn = False

    @cached_property
    def _grid(self) -> HourGrid:
        # Pillars do not tell whether a term changes within the hour.
        return HourGrid.whole(change=(axes()[CHANGE].values.index(None),))

    def __len__(self) -> int:
        return len(self._grid)

    def fires(self, topic: str, start: int, stop: int) -> Fires:
        """See `Space`."""
        return hour_charts(self._grid.charts(start, stop), HourQuestion((topic,), conventions=settled(choose(dict(self.chosen)))))

    def options(self, topic: str, number: int) -> Options:
        """See `Space`."""
        given = self._grid.charts(number, number + 1).given_at(0)
        ju = f"{'陽' if given.ju.yang else '陰'}{given.ju.number}"
        return {**{u: given.pillars[u] for u in UNITS}, "term": str(given.term), "ju": ju, "topic": (topic,), "convention": _written(self.chosen)}


@dataclass(frozen=True)
class AskedHours:
    """Hour charts drawn at random from a hundred years, each with something narrower asked: birth years, a mountain, a crop.

    Attributes:
        count: how many on each topic.
        chosen: conventions other than the defaults.
    """

    count: int = 1024
    chosen: Chosen = ()

    key = "asked-hours"
    tradition = "qimen"
    drawn = True

    def __len__(self) -> int:
        return self.count

    def _typed(self, topic: str, number: int) -> QimenTyped:
        rng = random.Random(f"{topic} {number}")  # noqa: S311  # a sample, not a secret
        return replace(random_typed_hour(rng, topic), conventions=dict(self.chosen))

    def fires(self, topic: str, start: int, stop: int) -> Fires:
        """See `Space`."""
        return _judged([qimen_given(self._typed(topic, n), (topic,))[0] for n in range(start, min(stop, self.count))], topic)

    def options(self, topic: str, number: int) -> Options:
        """See `Space`."""
        typed = self._typed(topic, number)
        found: dict[str, str | int | Sequence[str] | None] = {
            "at": typed.at,
            "topic": (topic,),
            "ask": typed.asks,
            "birth_year": typed.birth,
            "man_born": typed.man,
            "woman_born": typed.woman,
            "mountain": typed.mountain,
            "crop": typed.crop,
            "convention": _written(self.chosen),
        }
        return {k: v for k, v in found.items() if v}


def command(options: Options) -> str:
    """Options as a command line shows them, without the name of the command.

    >>> command(Days().options("heirs", 0))
    '--lines 8,8,8,8,8,8 --month 子 --day 甲子 --topic heirs'
    """
    words = []
    for name, text in options.items():
        for value in (text,) if isinstance(text, str | int) else text:
            words += [f"--{name.replace('_', '-')}", str(value)]
    return " ".join(words)
