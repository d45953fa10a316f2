"""What acts on what in an hour chart: 生 克 合 刑 沖 害 between its individuals, and which of them meet.

What acts on what is limited to what meets: a palace meets its star, its door and the branches of day and hour; a star, door or
spirit its palace; a stem the earth stem under it; the stems of day and hour each other; a pillar the other pillars; a person's
pillar the stems and branches of day and hour (uncertain: the books name no actor).
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple, TypeGuard

from loader.iris import TYPE, Triple, ns, symbol
from loader.liuyao import UNITS
from loader.ontology import ontology
from loader.qimen import HourPillar, Palace, Plate, QimenChart

Part = Palace | Plate | HourPillar
BY_BRANCH: Final = (("punishes", "Punished"), ("clashes", "Clashed"), ("harms", "Harmed"))
"""Relations of branches, and the class of what suffers one: 刑 沖 害."""
STEMS: Final = frozenset({"stem", "jia", "day-stem", "hour-stem"})
"""The kinds of symbols that are stems."""
BORROWERS: Final = frozenset({"star", "door", "deity"})
"""The kinds of symbols that have only the branches of their palace."""


def everything(chart: QimenChart) -> tuple[Part, ...]:
    """Every palace, symbol and pillar of the chart."""
    return (*chart.palaces, *chart.plates, *chart.pillars)


def element_of(s: str) -> str:
    """Element of a stem, branch, star or door."""
    return ontology().one(s, ns("element"))


def generates(chart: QimenChart, a: str, b: str) -> bool:
    """Whether one element generates the other (生)."""
    return chart.tables.get("element-generates").one(a) == b


def controls(chart: QimenChart, a: str, b: str) -> bool:
    """Whether one element controls the other (克)."""
    return chart.tables.get("element-controls").one(a) == b


def branch_related(chart: QimenChart, how: str, a: str, b: str) -> bool:
    """Whether one branch stands in a relation to another: `combines`, `punishes`, `clashes` or `harms`."""
    return b in chart.tables.get(f"branch-{how}").all(a)


def branches_combine(chart: QimenChart, a: str, b: str) -> bool:
    """六合, or two of a 三合."""
    return branch_related(chart, "combines", a, b) or (a != b and any({a, b} <= set(v) for v in chart.tables.get("frames").cells.values()))


def branches_held(x: Part) -> tuple[str, ...]:
    """The branches that an individual has."""
    return ((x.branch,) if x.branch else ()) if isinstance(x, HourPillar) else x.branches


def struck(chart: QimenChart, stem: str, palace: int) -> bool:
    """六儀擊刑 of a stem in a palace: by default only of the one under which the 甲 of the hour hides."""
    if stem != chart.instrument and chart.given.conventions.get("jixing") != "any":
        return False
    return symbol("luoshu", palace) in chart.tables.get("instrument-punishment").all(stem)


def _of_moment(chart: QimenChart) -> list[HourPillar]:
    """The pillars of day and hour."""
    return [p for p in chart.pillars if p.unit in ("day", "hour")]


def _other_pillars(chart: QimenChart, x: HourPillar) -> list[HourPillar]:
    """The pillars that one meets: the other three, of a 納音 all but its own; of a person those of day and hour."""
    return _of_moment(chart) if x.natal else [p for p in chart.pillars if p.unit in UNITS and p.unit != x.unit.removesuffix("-nayin")]


def meetings(chart: QimenChart) -> Iterator[Triple]:
    """受克 受生 逢合 受刑 受沖 受害, and the star that generates or combines with what stands with it."""
    o = ontology()
    moment = _of_moment(chart)
    for x in everything(chart):
        for element in _met_elements(chart, x):
            if controls(chart, element, x.element):
                yield x.iri, TYPE, ns("Controlled")
            if generates(chart, element, x.element):
                yield x.iri, TYPE, ns("Generated")
        if _meets_combination(chart, x):
            yield x.iri, TYPE, ns("Combined")
        if isinstance(x, HourPillar):
            others = _other_pillars(chart, x)
        else:
            own = {"day-stem": "day", "hour-stem": "hour"}.get(x.kind) if isinstance(x, Plate) else None
            others = [p for p in moment if p.unit != own]
        for (how, klass), mine, theirs in product(BY_BRANCH, branches_held(x), others):
            if theirs.branch and branch_related(chart, how, theirs.branch, mine):
                yield x.iri, TYPE, ns(klass)
        if isinstance(x, Palace) and any(struck(chart, s, x.number) for s in x.heaven):
            yield x.iri, TYPE, ns("Punished")
        if _is_stem(x):
            stands = chart.palace(x.palace)
            if any(struck(chart, s, x.palace) for s in stands.heaven if s == (chart.instrument if x.kind == "jia" else x.symbol)):
                yield x.iri, TYPE, ns("Punished")
            if x.kind == "stem" and stands.earth in chart.tables.get("stem-clashes").all(x.symbol):
                yield x.iri, TYPE, ns("Clashed")
        if isinstance(x, Plate) and x.kind != "star":
            for star in chart.palace(x.palace).stars:
                e = o.one(star, ns("element"))
                if generates(chart, e, x.element) or generates(chart, x.element, e):
                    yield x.iri, TYPE, ns("StarGeneratesOrCombines")


def _met_elements(chart: QimenChart, x: Part) -> Iterator[str]:
    """Elements of what it meets."""
    o = ontology()
    if isinstance(x, Palace):
        yield from (element_of(s) for s in (*x.stars, x.door) if s and o.iris(s, ns("element")))
        yield from (element_of(p.branch) for p in _of_moment(chart) if p.branch)
    elif isinstance(x, Plate):
        yield from map(element_of, _met_stems(chart, x)) if _is_stem(x) else (chart.palace(x.palace).element,)
    elif x.natal:
        yield from (element_of(s) for p in _of_moment(chart) for s in (p.stem, p.branch) if s)
    elif x.unit.endswith("-nayin"):
        yield from (p.element for p in chart.pillars if p.unit.endswith("-nayin") and p.unit != x.unit)
    elif x.unit != "transformed":
        yield from (p.element for p in _other_pillars(chart, x))


def _met_stems(chart: QimenChart, x: Plate) -> Iterator[str]:
    """The stems that a stem meets: the one under it; those of day and hour each other."""
    yield chart.palace(x.palace).earth
    if x.kind in ("day-stem", "hour-stem"):
        yield chart.hour_stem if x.kind == "day-stem" else chart.day_stem


def _meets_combination(chart: QimenChart, x: Part) -> bool:
    stems = chart.tables.get("stem-combines")
    moment = _of_moment(chart)
    if isinstance(x, Palace):
        return any(branches_combine(chart, b, p.branch) for b in x.branches for p in moment if p.branch)
    if isinstance(x, Plate):
        return _is_stem(x) and any(s in stems.all(x.symbol) for s in _met_stems(chart, x))
    return any(
        (x.stem and p.stem in stems.all(x.stem)) or (x.branch and p.branch and branches_combine(chart, x.branch, p.branch)) for p in _other_pillars(chart, x)
    )


def hurts(chart: QimenChart, a: Part, b: Part) -> bool:
    """傷: the one controls the other by element, or punishes, clashes or harms a branch of it."""
    return controls(chart, a.element, b.element) or any(
        branch_related(chart, how, x, y) for how, _ in BY_BRANCH for x in branches_held(a) for y in branches_held(b)
    )


def relations(chart: QimenChart) -> Iterator[Triple]:
    """生 克 合 刑 沖 害 between all individuals, and 催 between symbols."""
    known = _known(tuple(sorted(chart.given.conventions.items())))
    parts = [(x, _Trait(x.element, x.symbol if _is_stem(x) else None, branches_held(x), _borrows(x))) for x in everything(chart)]
    over = {(a.number, b.number) for a, b in product(chart.palaces, repeat=2) if overcomes(chart, a, b)}
    for x, a in parts:
        met = known.setdefault(a, {})
        for y, b in parts:
            if x is y:
                continue
            acts = met.get(b)
            if acts is None:
                acts = met[b] = tuple(map(ns, _acts(chart, a, b)))
            for prop in acts:
                yield x.iri, prop, y.iri
            if isinstance(x, Plate) and isinstance(y, Plate) and ((x.palace, y.palace) in over or _stands_over(chart, x, y)):
                yield x.iri, ns("urges"), y.iri


class _Trait(NamedTuple):
    """All that counts of an individual for what acts on what; `stem` is None where it is none."""

    element: str
    stem: str | None
    branches: tuple[str, ...]
    borrows: bool


@lru_cache(16)
def _known(conventions: tuple[tuple[str, str], ...]) -> dict[_Trait, dict[_Trait, tuple[str, ...]]]:
    """What is known of how one trait acts on another under some conventions; the same ones meet in every chart."""
    return {}


def _acts(chart: QimenChart, x: _Trait, y: _Trait) -> Iterator[str]:
    if generates(chart, x.element, y.element):
        yield "generates"
    if controls(chart, x.element, y.element):
        yield "controls"
    if x.stem and y.stem:
        combines = y.stem in chart.tables.get("stem-combines").all(x.stem)
    else:
        combines = not x.stem and not y.stem and any(branches_combine(chart, a, b) for a in x.branches for b in y.branches)
    if combines:
        yield "qCombinesWith"
    if not x.borrows and not y.borrows:
        for how, _ in BY_BRANCH:
            if any(branch_related(chart, how, a, b) for a in x.branches for b in y.branches):
                yield how


def _is_stem(x: Part) -> TypeGuard[Plate]:
    return isinstance(x, Plate) and x.kind in STEMS


def _borrows(x: Part) -> bool:
    return isinstance(x, Plate) and x.kind in BORROWERS


def overcomes(chart: QimenChart, a: Palace, b: Palace) -> bool:
    """催 by the palace (uncertain): that of the one clashes or controls that of the other."""
    return controls(chart, a.element, b.element) or any(branch_related(chart, "clashes", p, q) for p in a.branches for q in b.branches)


def _stands_over(chart: QimenChart, x: Plate, y: Plate) -> bool:
    """催 by the stem (uncertain): the one stands over the other's stem of the earth plate."""
    return x.kind == "stem" and y.kind == "stem" and chart.palace(x.palace).earth == y.symbol
