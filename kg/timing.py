"""Timing rules resolved for a cast: to branches, and to the next civil days on which they come."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Final

from kg.closure import Closed
from kg.reasons import describe
from loader import iris
from loader.calendar import LAST_YEAR, CivilDay, civil_days
from loader.cast import AnyChart
from loader.clause import Timing
from loader.errors import ConditionError
from loader.facts import relations_between
from loader.iris import ns
from loader.limits import limits
from loader.liuyao import Chart, Line, Pillar, named
from loader.meetings import branches_held, everything
from loader.names import Names, Term, names
from loader.ontology import ontology
from loader.qimen_facts import branches_of
from loader.saying import Said, say

_RELATION: Final = {
    "沖": "clashes",
    "合": "combinesWith",
    "生": "generates",
    "臨": "standsOn",
    "克": "controls",
    "刑": "punishes",
    "害": "harms",
    "扶": "supports",
}
HORIZON: Final = 366 * 13
"""Days that are searched: every branch of year, month and day comes round within."""
SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class When:
    """A time that a clause names for a cast.

    Attributes:
        units: of which unit it is a branch; several mean either.
        branches: IRIs of branches.
        decades: IRIs of the pairs that head a decade (旬) that is meant.
        at: `once`, `within-day`, `within-month`, `after-month`, `within-year`, where no branch is meant.
        of: the lines from which it is reckoned, by IRI.
        because: for each branch or decade, why it is named.
        ages: the years of life of each limit (限) that is meant, as `20-24`.
    """

    units: tuple[str, ...]
    branches: tuple[str, ...]
    decades: tuple[str, ...]
    at: str | None
    of: tuple[str, ...]
    because: tuple[Said, ...] = ()
    ages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Source:
    """What a timing is reckoned from: a line, a pillar, a palace or a symbol, with the branches that it has."""

    iri: str
    element: str
    branches: tuple[str, ...]


def resolve(timing: Timing, holder: str, chart: AnyChart, closed: Closed) -> When:
    """The branches that a timing names, for the individual that satisfies its clause.

    Stages are those of the line's element (十二長生); a relation is one of the coming branch to the line's branch.
    """
    o = ontology()
    sources = _reckoned_from(timing.of, holder, chart, closed)
    branches = {named("Branch")[b]: say("time", branch=b, why=say("time-text")) for b in timing.branches}
    decades: dict[str, Said] = {}
    for x in sources:
        who = describe(chart, x.iri)
        for name, b in named("Branch").items():
            why = _why(timing, x, b, chart, who)
            if why and (timing.kin is None or _kin(chart, b) == timing.kin):
                branches.setdefault(b, say("time-of-kin", branch=name, why=why, kin=timing.kin) if timing.kin else say("time", branch=name, why=why))
        if timing.void:
            for (head, _), void in chart.tables.get("void").cells.items():
                if set(x.branches) & set(void):
                    text = say("time-decade", head=o.label(str(head)), void="".join(o.label(str(v)) for v in void), who=who)
                    decades.setdefault(str(head), text)
    order = {b: i for i, b in enumerate(o.ordered("Branch"))}
    named_branches, named_decades = sorted(branches, key=lambda b: order[b]), sorted(decades)
    ages = [f"{s.first}-{s.last}" for s in limits(chart) if s.branch in branches] if "limit" in timing.units and isinstance(chart, Chart) else []
    return When(
        timing.units,
        tuple(named_branches),
        tuple(named_decades),
        timing.at,
        tuple(x.iri for x in sources),
        (*(branches[b] for b in named_branches), *(decades[d] for d in named_decades)),
        tuple(ages),
    )


def _kin(chart: AnyChart, branch: str) -> str | None:
    """Kin of a branch; a chart of palaces has none to count from."""
    return ontology().label(chart.kin(ontology().one(branch, ns("element")))) if isinstance(chart, Chart) else None


def _why(timing: Timing, x: _Source, b: str, chart: AnyChart, who: Said) -> Said | None:
    """Why a timing means a branch, reckoned from an individual; None where it does not."""
    o = ontology()
    stage, element = o.label(chart.tables.get("stages").iri_of(x.element, b)), o.label(x.element)
    if stage in timing.stages:
        return say("time-stage", stage=stage, element=element, who=who)
    for mine in x.branches:
        relations = relations_between(chart, b, mine)
        for relation in timing.relations:
            if _RELATION[relation] in relations:
                return say("time-relation", relation=relation, branch=o.label(mine), who=who)
    if timing.element and o.one(b, ns("element")) == x.element:
        return say("time-element", element=element, who=who)
    bare = timing.kin and not (timing.stages or timing.relations or timing.element)
    return say("time-bare", who=who) if bare else None


def source(of: str, known: Names) -> tuple[Term, bool]:
    """The term from which a timing is reckoned, and whether it is what this line hides; `this` names none.

    Raises:
        ConditionError: neither a class nor a relation has that name.
    """
    if of.startswith("伏") and of not in ("伏", "伏於"):
        return known.term(of[1:], prop=False), True
    try:
        return known.term(of, prop=False), False
    except ConditionError:
        return known.term(of, prop=True), False


def _reckoned_from(of: str, holder: str, chart: AnyChart, closed: Closed) -> list[_Source]:
    if isinstance(chart, Chart):
        return [_Source(x.iri, x.element, (x.branch,)) for x in _sources(of, holder, chart, closed)]
    parts = everything(chart)
    if of == "this":
        return [_Source(x.iri, x.element, branches_held(x)) for x in parts if x.iri == holder]
    term = names("qimen").term(of, prop=False)
    # A horse or a noble lies on one branch, and not on the other of its palace.
    only = branches_of(chart).get(iris.key(term.iri))
    return [_Source(x.iri, x.element, only or branches_held(x)) for x in parts if closed.holds(x.iri, term.iri)]


def _sources(of: str, holder: str, chart: Chart, closed: Closed) -> list[Line | Pillar]:
    by_iri: dict[str, Line | Pillar] = {x.iri: x for x in chart.bearers}
    if of == "this":
        return [by_iri[holder]] if holder in by_iri else []
    term, hidden = source(of, names())
    if hidden:
        return [by_iri[h] for h in closed.leads(holder, ns("hides")) if closed.holds(h, term.iri)]
    if term.is_property:
        return [by_iri[x] for x in closed.leads(holder, term.iri) if x in by_iri]
    return [x for x in chart.visible if closed.holds(x.iri, term.iri)]


def coming(when: When, start: date) -> dict[str, tuple[date, ...]]:
    """The next civil days, for each unit, that a time falls on: a day, or the first day of a month, year or decade.

    >>> from loader.liuyao import named
    >>> found = coming(When(("day",), (named("Branch")["子"],), (), None, ()), date(2026, 11, 30))
    >>> [str(d) for d in found["day"]][:1]
    ['2026-12-04']
    """
    if when.at:
        return {}
    o = ontology()
    branches = {o.label(b) for b in when.branches}
    heads = {o.label(d) for d in when.decades}
    decade_of = _decades()
    found: dict[str, list[date]] = {u: [] for u in when.units if u != "limit"}
    before: CivilDay | None = None
    days = min(HORIZON, (date(LAST_YEAR, 12, 31) - start).days + 1)
    for day in civil_days(start, days):
        for unit, hits in found.items():
            if len(hits) < SHOWN and _falls(day, before, unit, branches, heads, decade_of):
                hits.append(day.date)
        if all(len(hits) == SHOWN for hits in found.values()):
            break
        before = day
    return {u: tuple(hits) for u, hits in found.items()}


@cache
def _decades() -> dict[str, str]:
    """Each pair of the sixty to the pair that heads its decade (旬), by their Chinese labels."""
    o = ontology()
    return {o.label(p): o.label(o.one(p, ns("decade"))) for p in o.of_type("Pair")}


def _falls(day: CivilDay, before: CivilDay | None, unit: str, branches: Iterable[str], heads: Iterable[str], decade_of: dict[str, str]) -> bool:
    decade = decade_of[day.day]
    if unit == "day":
        return day.day[1] in branches or decade in heads
    if unit == "decade":
        return decade in heads and (before is None or decade_of[before.day] != decade)
    now, was = (getattr(day, unit), getattr(before, unit, None)) if unit in ("year", "month") else ("", "")
    return bool(now) and now[1] in branches and now != was
