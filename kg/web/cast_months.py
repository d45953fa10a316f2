"""The times that verdicts name, on a calendar: months of weeks, each day with the rules that fall on it."""

from calendar import Calendar
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from kg.judgement import Judgement
from kg.pages.words import Words
from kg.timing import When, coming
from loader.clause import Clause
from loader.ontology import ontology

SHOWN: Final = 6
"""Months that are drawn; the days of later ones stand in the list only."""
_WEEKS: Final = Calendar()  # Monday first


@dataclass(frozen=True, slots=True)
class Rule:
    """A time that a standing verdict names.

    Attributes:
        number: from 1; it stands on the calendar.
        clause: the clause that names it.
        when: the time, for this cast.
        dates: unit to the next days on which it comes, or on which the month or year that is meant begins.
    """

    number: int
    clause: Clause
    when: When
    dates: dict[str, tuple[date, ...]]


@dataclass(frozen=True, slots=True)
class Day:
    """A day of a month, with the numbers of the rules that fall on it."""

    date: date
    rules: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Month:
    """A month as weeks of seven places, None where the day is of another month."""

    year: int
    month: int
    weeks: tuple[tuple[Day | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Times:
    """The times of a judgement: every rule, and the months in which days are marked."""

    rules: tuple[Rule, ...]
    months: tuple[Month, ...]


def times(j: Judgement, start: date) -> Times:
    """The times that standing verdicts name, from a day on."""
    found = [(v.clause, when) for v in j.verdicts if v.stands for when in dict.fromkeys(v.when)]
    rules = tuple(Rule(n, clause, when, coming(when, start)) for n, (clause, when) in enumerate(found, 1))
    return Times(rules, months(rules))


def months(rules: Sequence[Rule]) -> tuple[Month, ...]:
    """The first months that have a marked day, as many as are `SHOWN`."""
    marked: dict[date, set[int]] = {}
    for rule in rules:
        for day in (d for days in rule.dates.values() for d in days):
            marked.setdefault(day, set()).add(rule.number)
    first = sorted({(d.year, d.month) for d in marked})[:SHOWN]
    return tuple(Month(y, m, tuple(_week(week, m, marked) for week in _WEEKS.monthdatescalendar(y, m))) for y, m in first)


def _week(days: Sequence[date], month: int, marked: dict[date, set[int]]) -> tuple[Day | None, ...]:
    return tuple(Day(d, tuple(sorted(marked.get(d, ())))) if d.month == month else None for d in days)


def when_said(when: When, w: Words) -> str:
    """A time that a clause names, in words: `亥 day`."""
    if when.at:
        return w(f"at-{when.at}")
    o = ontology()
    units = " / ".join(w(f"unit-{unit}") for unit in when.units)
    parts = ["".join(map(o.label, when.branches))] if when.branches else []
    parts += [f"{w('cast-decade-of')} {' '.join(map(o.label, when.decades))}"] if when.decades else []
    parts += [f"{w('cast-ages')} {', '.join(when.ages)}"] if when.ages else []
    return f"{' '.join(parts)} {units}" if parts else f"{units}: {w('cast-time-none')}"
