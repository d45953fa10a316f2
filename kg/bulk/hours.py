"""The space of 奇門 hour charts as numbers: what a chart is made from, each thing an axis with its values."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, Final, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kg.bulk.hour_question import HourQuestion
from kg.bulk.space import TERM, codes_of, level, unravelled
from kg.sampling import moment
from loader import iris
from loader.errors import InputError, quoted
from loader.iris import ns
from loader.ju import ju_of, parse_ju, yuan_of
from loader.ontology import ontology
from loader.qimen import Ju, Person, QimenGiven
from loader.tables import Tables, choose

CHART: Final = "chart"
"""The axis of the 1,080 charts: 60 times the number of the 局 (陽1 to 陽9, then 陰1 to 陰9) and the number of the pair of the hour."""
JU: Final = "ju"
CHANGE: Final = "change"
YUAN: Final = "yuan"
NATAL: Final = tuple(f"{who}_{what}" for who in ("man", "woman", "person") for what in ("birth", "age"))
"""The axes of persons: the pair of the birth year, and that of the year of age (行年)."""
_HOURS: Final = 60
_FIRST: Final = Ju(True, 1, None, None, "given")


@dataclass(frozen=True)
class Axis:
    """A thing of which charts are made.

    Attributes:
        values: its values; the last is None where it need not be known.
        read: the value of an input.
        put: an input with another value.
    """

    values: tuple[Hashable, ...]
    read: Callable[[QimenGiven], Hashable]
    put: Callable[[QimenGiven, Any], QimenGiven]


def _labels(term: str) -> tuple[str, ...]:
    o = ontology()
    return tuple(o.label(s) for s in o.ordered(term))


def _pillar(unit: str) -> Axis:
    values = _labels("Pair") if unit == "day" else (*_labels("Pair"), None)
    return Axis(values, lambda g: g.pillars.get(unit), lambda g, v: replace(g, pillars={**g.pillars, unit: v}))


def _natal(axis: str) -> Axis:
    who, _, what = axis.partition("_")

    def read(given: QimenGiven) -> str | None:
        found = [p for p in given.persons if p.who == who]
        if len(found) > 1:
            raise InputError(f"{len(found)} persons are the {who} of one question", todo="give each once")
        return (found[0].birth if what == "birth" else found[0].year_of_age) or None if found else None

    def put(given: QimenGiven, value: str) -> QimenGiven:
        found = next((p for p in given.persons if p.who == who), Person(cast("Literal['man', 'woman', 'person']", who), ""))  # of NATAL
        others = tuple(p for p in given.persons if p.who != who)
        return replace(given, persons=(*others, replace(found, birth=value) if what == "birth" else replace(found, year_of_age=value)))

    return Axis((*_labels("Pair"), None), read, put)


def _keys(kind: str) -> tuple[str | None, ...]:
    return (*(iris.key(s) for s in ontology().ordered(kind)), None)


def _put_chart(given: QimenGiven, value: tuple[bool, int, str]) -> QimenGiven:
    yang, number, hour = value
    return replace(given, ju=replace(given.ju, yang=yang, number=number), pillars={**given.pillars, "hour": hour})


@cache
def axes() -> Mapping[str, Axis]:
    """The axes of hour charts by name.

    >>> {name: len(axis.values) for name, axis in axes().items() if name not in NATAL}
    {'chart': 1080, 'day': 60, 'month': 61, 'year': 61, 'term': 25, 'change': 3, 'yuan': 4, 'mountain': 25, 'crop': 11}
    >>> axes()["chart"].values[7 * 60 + 5]
    (True, 8, '己巳')
    """
    charts = tuple((yang, number, hour) for yang in (True, False) for number in range(1, 10) for hour in _labels("Pair"))
    return {
        CHART: Axis(charts, lambda g: (g.ju.yang, g.ju.number, g.pillars.get("hour")), _put_chart),
        **{unit: _pillar(unit) for unit in ("day", "month", "year")},
        TERM: Axis((*_labels("SolarTerm"), None), lambda g: g.term, lambda g, v: replace(g, term=v)),
        CHANGE: Axis((False, True, None), lambda g: g.term_changes, lambda g, v: replace(g, term_changes=v)),
        YUAN: Axis((1, 2, 3, None), lambda g: g.ju.yuan, lambda g, v: replace(g, ju=replace(g.ju, yuan=v))),
        **{axis: _natal(axis) for axis in NATAL},
        "mountain": Axis(_keys("Mountain"), lambda g: g.mountain or None, lambda g, v: replace(g, mountain=v)),
        "crop": Axis(_keys("Stem"), lambda g: g.crop or None, lambda g, v: replace(g, crop=v)),
    }


@cache
def _numbers(axis: str) -> Mapping[Hashable, int]:
    return {value: n for n, value in enumerate(axes()[axis].values)}


def _number(axis: str, value: Hashable) -> int:
    found = _numbers(axis).get(value)
    if found is None and isinstance(value, tuple):
        _, ju, hour = value
        _hour(hour)
        raise InputError(f"there is no 局 {ju}", where=JU, todo="it is a number from 1 to 9")
    if found is None:
        raise InputError(f"{quoted(str(value))} is no {axis}", where=axis, todo=f"give one of {', '.join(map(str, axes()[axis].values[:3]))} ...")
    return found


def _hour(pair: str) -> int:
    found = _numbers("day").get(pair)
    if found is None:
        raise InputError(f"{quoted(str(pair))} is no hour", where="hour", todo="give a pair such as 戊辰")
    return found


def _ju_number(text: str) -> int:
    yang, number = parse_ju(str(text))
    return (0 if yang else 9) + number - 1


@dataclass(frozen=True, eq=False)
class HourCharts:
    """Hour charts as numbers.

    Attributes:
        codes: axis to the values of the charts, shape (charts,); an axis left out is unknown of all of them. `chart` and `day` are
            always there.

    >>> charts = HourCharts.of(ju=["陽8", "陰1"], hour="己巳", day="己未", month="戊辰", man_birth="甲寅")
    >>> len(charts), charts.codes["chart"].tolist(), charts.codes["month"].tolist()
    (2, [425, 545], [4, 4])
    >>> charts.given_at(1).persons
    (Person(who='man', birth='甲寅', year_of_age=None),)
    """

    codes: Mapping[str, NDArray[np.intp]]

    @classmethod
    def of(cls, ju: ArrayLike | Sequence[str], hour: ArrayLike | Sequence[str], day: ArrayLike | Sequence[str], **more: Any) -> "HourCharts":
        """Charts from numbers or names, one for each chart or one for all; the pillars need not be able to meet.

        Args:
            ju: 局, such as `陽8`, or 0 to 17.
            hour: pair of the hour, or 0 to 59.
            day: pair of the day, or 0 to 59.
            **more: any other of `axes`; a number is the place of a value on its axis, from 0, so that the second 元 is 1.

        Raises:
            InputError: an unknown axis or value, or lengths that differ.
        """
        rows = {JU: codes_of(JU, ju, _ju_number, 18), "hour": codes_of("hour", hour, _hour, _HOURS)}
        for axis, given in {"day": day, **more}.items():
            if axis not in axes() or axis == CHART:
                raise InputError(f"{axis!r} is nothing that an hour chart is made from", todo=f"there are ju, hour, {', '.join(list(axes())[1:])}")
            rows[axis] = codes_of(axis, given, partial(_number, axis), len(axes()[axis].values))
        rows = level(rows)
        return cls({CHART: rows.pop(JU) * _HOURS + rows.pop("hour"), **rows})

    @classmethod
    def given(cls, givens: Sequence[QimenGiven]) -> "HourCharts":
        """The charts of inputs.

        Raises:
            InputError: something of an input that is no pillar, no 局, no term ..., or two persons of one name.
        """
        found = {}
        for name, axis in axes().items():
            numbers, read = _numbers(name), axis.read
            found[name] = np.array([at if (at := numbers.get(v := read(g))) is not None else _number(name, v) for g in givens], np.intp)
        return cls(found)

    def __len__(self) -> int:
        return len(self.codes[CHART])

    def __getitem__(self, part: slice) -> "HourCharts":
        return HourCharts({axis: codes[part] for axis, codes in self.codes.items()})

    def given_at(self, chart: int, question: HourQuestion | None = None) -> QimenGiven:
        """The input of a chart with a question put to it, by default all topics."""
        return given_of({axis: int(codes[chart]) for axis, codes in self.codes.items()}, question or HourQuestion())


def given_of(at: Mapping[str, int], question: HourQuestion) -> QimenGiven:
    """The input of which some axes have the values given; a chart or day left out is the first, all else is unknown."""
    given = QimenGiven({}, _FIRST, question.topics, question.asks, conventions=dict(question.conventions))
    for name, number in {CHART: 0, "day": 0, **at}.items():
        value = axes()[name].values[number]
        if value is not None:
            given = axes()[name].put(given, value)
    return given


@dataclass(frozen=True)
class HourGrid:
    """A slice of the whole space of hour charts: each value of each axis with each of the others, the last axis fastest.

    Attributes:
        axes: axis to the numbers of its values. `hour` is the branch of the hour, 0 to 11: its stem follows from the day. Where `ju` is
            left out, the 局 and its 元 are those of term and day by 拆補; where `month` is left out, the month is that of year and term.

    >>> grid = HourGrid.whole()
    >>> len(grid), len(HourGrid.whole(year=[40], change=(0, 1)))
    (1036800, 34560)
    >>> given = grid.charts(695_465, 695_466).given_at(0)
    >>> given.pillars["year"], given.pillars["month"], given.pillars["day"], given.pillars["hour"], given.term, given.ju.number
    ('甲辰', '戊辰', '己未', '己巳', '穀雨', 8)
    """

    axes: Mapping[str, Sequence[int]]

    def __post_init__(self) -> None:
        sizes = {**{name: len(axis.values) for name, axis in axes().items() if name != CHART}, JU: 18, "hour": 12}
        if JU not in self.axes:
            # 拆補 needs a term.
            sizes[TERM] -= 1
        for axis, numbers in self.axes.items():
            if axis not in sizes:
                raise InputError(f"{axis!r} is nothing that an hour chart is made from", todo=f"there are {', '.join(sizes)}")
            codes_of(axis, numbers, None, sizes[axis])

    @classmethod
    def whole(cls, **axes: Sequence[int]) -> "HourGrid":
        """Every hour of every day in every term of every year of the sixty, no term changing within the hour; or of each axis named the values given.

        Days and terms are not asked whether they can meet in a year. Any other axis of charts may be named too: `ju` lays each 局 that
        is given, whatever the term; `month` puts pairs in the place of the months that follow from the years.

        Raises:
            InputError: an unknown axis or value, or an unknown term without `ju`.
        """
        every: dict[str, Sequence[int]] = {"year": range(60), TERM: range(24), "day": range(60), "hour": range(12), CHANGE: (0,)}
        return cls({**every, **axes})

    def __len__(self) -> int:
        return int(np.prod([len(v) for v in self.axes.values()]))

    def charts(self, start: int, stop: int) -> HourCharts:
        """The charts of some numbers, from `start` up to before `stop`."""
        codes = unravelled(self.axes, start, min(stop, len(self)))
        codes["hour"] = _hours()[codes["day"], codes["hour"]]
        if "month" not in codes:
            codes["month"] = _months()[codes["year"], codes[TERM]]
        if JU not in codes:
            found = _by_term()[codes[TERM], codes["day"]]
            codes[JU], codes[YUAN] = found[..., 0], found[..., 1]
        ju, hour, day = (codes.pop(axis) for axis in (JU, "hour", "day"))
        return HourCharts.of(ju, hour, day, **codes)


@cache
def _hours() -> NDArray[np.intp]:
    """The pair of an hour by day and branch, shape (60, 12)."""
    pairs, branches = _labels("Pair"), _labels("Branch")
    return np.array([[pairs.index(moment(pairs[0], branches[0], day, b)["hour"]) for b in branches] for day in pairs], np.intp)


@cache
def _months() -> NDArray[np.intp]:
    """The pair of a month by year and term, both of which may be unknown, shape (61, 25)."""
    o, pairs, unknown = ontology(), _labels("Pair"), len(_labels("Pair"))
    found = np.full((61, 25), unknown, np.intp)
    branch = ""
    terms = o.ordered("SolarTerm")
    # The second term of a month has no branch of its own: it stands in that of the first.
    for n, term in enumerate(terms):
        branch = next((o.label(b) for b in o.iris(term, ns("month"))), branch)
        found[:60, n] = [pairs.index(moment(year, branch, pairs[0], "子")["month"]) for year in pairs]
    return found


@cache
def _by_term() -> NDArray[np.intp]:
    """The number of the 局 by 拆補 and that of its 元 by term and day, shape (24, 60, 2)."""
    tables, pairs = Tables(choose({})), _labels("Pair")
    found = np.empty((24, 60, 2), np.intp)
    for t, term in enumerate(_labels("SolarTerm")):
        for d, day in enumerate(pairs):
            ju = ju_of(term, yuan_of(day, tables), tables, "chaibu")
            found[t, d] = (0 if ju.yang else 9) + ju.number - 1, _number(YUAN, ju.yuan)
    return found
