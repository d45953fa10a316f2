"""The space of 六爻 casts as numbers: what a cast is made of, each thing an axis with its values."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from loader.errors import InputError
from loader.liuyao import UNITS, Given
from loader.ontology import ontology

HEXAGRAMS: Final = "hexagrams"
"""The axis of pairs of hexagrams: 64 times the original and the changed one, each with bit n for a yang line n + 1."""
TERM: Final = "term"
BIRTH: Final = "birth"


@cache
def values(axis: str) -> tuple[str, ...]:
    """The values of an axis but for the pairs of hexagrams, as `Given` names them; the number after the last means `unknown`.

    Of a pillar first the sixty pairs, then the twelve bare branches.

    >>> values("day")[0], values("day")[60], len(values("day")), values("term")[0], values("birth")[6]
    ('甲子', '子', 72, '立春', '午')
    """
    o = ontology()
    kinds = {TERM: ("SolarTerm",), BIRTH: ("Branch",)}.get(axis, ("Pair", "Branch"))
    return tuple(o.label(s) for kind in kinds for s in o.ordered(kind))


@cache
def sizes() -> Mapping[str, int]:
    """Each axis to the number of its values, `unknown` among them.

    >>> sizes()["hexagrams"], sizes()["month"]
    (4096, 73)
    """
    return {HEXAGRAMS: 4096, **{axis: len(values(axis)) + 1 for axis in (*UNITS, TERM, BIRTH)}}


@cache
def _numbers(axis: str) -> Mapping[str | None, int]:
    return {**{value: n for n, value in enumerate(values(axis))}, None: len(values(axis))}


def number(axis: str, value: str | None) -> int:
    """The number of a value on its axis; None is unknown.

    >>> number("day", "戊辰"), number("month", "辰"), number("hour", None)
    (4, 64, 72)

    Raises:
        InputError: no such value.
    """
    found = _numbers(axis).get(value)
    if found is None:
        raise InputError(f"{value!r} is no {axis}", where=axis, todo=f"give one of {', '.join(values(axis)[:3])} ...")
    return found


def value_at(axis: str, at: int) -> str | None:
    """The value of that number, None for the last one; the opposite of `number`.

    >>> value_at("day", 4), value_at("day", 72)
    ('戊辰', None)
    """
    return values(axis)[at] if at < len(values(axis)) else None


def hexagrams_of(lines: Sequence[int]) -> int:
    """The pair of hexagrams of six numbers 6 to 9.

    >>> hexagrams_of((7, 7, 7, 7, 7, 7)), hexagrams_of((9, 8, 8, 8, 8, 8))
    (4095, 64)
    """
    original = sum((n in (7, 9)) << i for i, n in enumerate(lines))
    return original * 64 + (original ^ sum((n in (6, 9)) << i for i, n in enumerate(lines)))


def lines_of(pair: int) -> tuple[int, ...]:
    """The six numbers of a pair of hexagrams.

    >>> lines_of(64)
    (9, 8, 8, 8, 8, 8)
    """
    original, moving = pair // 64, pair // 64 ^ pair % 64
    return tuple((9 if moving >> i & 1 else 7) if original >> i & 1 else (6 if moving >> i & 1 else 8) for i in range(6))


@dataclass(frozen=True, eq=False)
class Casts:
    """Casts as numbers.

    Attributes:
        codes: axis to the values of the casts, shape (casts,); an axis left out is unknown of all of them.

    >>> casts = Casts.of(hexagrams=[64, 4095], month=["辰", "子"], day="戊辰")
    >>> len(casts), casts.codes["month"].tolist(), casts.codes["day"].tolist()
    (2, [64, 60], [4, 4])
    """

    codes: Mapping[str, NDArray[np.intp]]

    @classmethod
    def of(cls, hexagrams: ArrayLike, **axes: ArrayLike | Sequence[str | None] | None) -> "Casts":
        """Casts from numbers or names: of hexagrams numbers, of the others either, one for each cast or one for all.

        Raises:
            InputError: an unknown axis or value, or lengths that differ.
        """
        found = {}
        for axis, given in {HEXAGRAMS: hexagrams, **axes}.items():
            if axis not in sizes():
                raise InputError(f"{axis!r} is nothing that a cast is made of", todo=f"there are {', '.join(sizes())}")
            if given is not None:
                found[axis] = codes_of(axis, given, _number_on(axis), sizes()[axis])
        return cls(level(found))

    @classmethod
    def given(cls, givens: Sequence[Given]) -> "Casts":
        """The casts of inputs."""
        rows: dict[str, list[int]] = {HEXAGRAMS: [hexagrams_of(g.lines) for g in givens]}
        for unit in UNITS:
            rows[unit] = [number(unit, g.pillars.get(unit)) for g in givens]
        rows[TERM] = [number(TERM, g.term) for g in givens]
        rows[BIRTH] = [number(BIRTH, g.birth_branch) for g in givens]
        return cls({axis: np.array(row, np.intp) for axis, row in rows.items()})

    def __len__(self) -> int:
        return len(self.codes[HEXAGRAMS])

    def __getitem__(self, part: slice) -> "Casts":
        return Casts({axis: codes[part] for axis, codes in self.codes.items()})

    def value(self, axis: str, cast: int) -> str | None:
        """What a cast has on an axis other than the hexagrams, as `Given` names it."""
        return value_at(axis, int(self.codes[axis][cast])) if axis in self.codes else None


def _number_on(axis: str) -> Callable[[str | None], int] | None:
    return None if axis == HEXAGRAMS else lambda text: number(axis, text)


def codes_of(axis: str, given: ArrayLike | Sequence[str | None], named: Callable[[Any], int] | None, size: int) -> NDArray[np.intp]:
    """Numbers or names of values of an axis as numbers, shape (values,).

    Args:
        axis: its name, for messages.
        given: one or several.
        named: the number of a name, where values have names.
        size: how many values the axis has.

    Raises:
        InputError: they are neither, or out of range.

    >>> codes_of("hour", ["b", "a"], "ab".index, 2).tolist()
    [1, 0]
    """
    found = np.atleast_1d(np.asarray(given))
    if found.dtype.kind in "OU" and named:
        found = np.array([named(text) for text in found.tolist()])
    if found.ndim != 1 or found.dtype.kind not in "iu":
        raise InputError(f"{axis}: numbers or names in one row are wanted")
    if len(found) and not 0 <= found.min() <= found.max() < size:
        raise InputError(f"{axis} goes from 0 to {size - 1}", where=axis)
    return found.astype(np.intp)


def level(rows: Mapping[str, NDArray[np.intp]]) -> dict[str, NDArray[np.intp]]:
    """Rows of one length: what is given once is that of all.

    Raises:
        InputError: the lengths differ.

    >>> level({"day": np.array([4]), "hour": np.array([1, 2])})["day"].tolist()
    [4, 4]
    """
    # A row of none beside rows of one is no row at all.
    length = 0 if any(len(row) == 0 for row in rows.values()) else max(map(len, rows.values()))
    if any(len(row) not in (1, length) for row in rows.values()):
        raise InputError("the lengths differ: " + ", ".join(f"{axis} {len(row)}" for axis, row in rows.items()))
    return {axis: np.ascontiguousarray(np.broadcast_to(row, (length,))) for axis, row in rows.items()}


def unravelled(axes: Mapping[str, Sequence[int]], start: int, stop: int) -> dict[str, NDArray[np.intp]]:
    """Some of the combinations of the values of axes, the last axis fastest: those from `start` up to before `stop`.

    >>> {axis: codes.tolist() for axis, codes in unravelled({"day": [4, 5], "hour": [0, 1, 2]}, 2, 4).items()}
    {'day': [4, 5], 'hour': [2, 0]}
    """
    places = np.unravel_index(np.arange(start, stop), [len(v) for v in axes.values()])
    return {axis: np.asarray(v, np.intp)[at] for (axis, v), at in zip(axes.items(), places, strict=True)}


@dataclass(frozen=True)
class Grid:
    """A slice of the whole space: each value of each axis with each of the others, the last axis fastest.

    Attributes:
        axes: axis to the numbers of its values.

    >>> grid = Grid.whole()
    >>> len(grid), len(Grid.whole(hexagrams=range(64), day=[4]))
    (2949120, 768)
    >>> {axis: codes.tolist() for axis, codes in grid.casts(719, 721).codes.items()}
    {'hexagrams': [0, 1], 'month': [71, 60], 'day': [59, 0]}
    """

    axes: Mapping[str, Sequence[int]]

    @classmethod
    def whole(cls, **axes: Sequence[int]) -> "Grid":
        """Every pair of hexagrams on every day of every month, the month by its branch; or of each axis named the values given."""
        every: dict[str, Sequence[int]] = {HEXAGRAMS: range(4096), "month": range(60, 72), "day": range(60)}
        return cls({**every, **axes})

    def __len__(self) -> int:
        return int(np.prod([len(v) for v in self.axes.values()]))

    def casts(self, start: int, stop: int) -> Casts:
        """The casts of some numbers, from `start` up to before `stop`."""
        return Casts(unravelled(self.axes, start, min(stop, len(self))))
