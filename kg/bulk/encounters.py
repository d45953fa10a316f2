"""What acts on what in hour charts, by gates: the relations between individuals, and what each suffers from those that it meets.

The doctrine is that of `loader.meetings`, which works on one chart; the tables of what acts on what are asked of it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import permutations
from typing import Final

from kg.bulk.alone import Alone
from kg.bulk.circuit import FALSE, Circuit
from kg.bulk.hours import CHART
from kg.bulk.individuals import DAY_STEM, TRANSFORMED, Individual, Laid
from kg.bulk.relation import Thing, both, exposed, reach, union
from loader.iris import TYPE, ns
from loader.liuyao import UNITS
from loader.meetings import BY_BRANCH, branch_related, branches_combine, controls, element_of, generates, overcomes, struck
from loader.ontology import ontology
from loader.qimen import PALACES, QimenChart

Has = Mapping[str, int]
"""What an individual has, each with the node of the charts on which it has it."""
State = Callable[[str, str, str, int], None]
"""States a fact: slot, property, target, and the node that tells on which charts."""


class Encounters:
    """Everything that two individuals make together."""

    def __init__(self, circuit: Circuit, laid: Laid, alone: Alone[QimenChart], chart: QimenChart, wanted: Callable[[str], bool]) -> None:
        """Ask what acts on what.

        Args:
            circuit: where the gates go.
            laid: the individuals.
            alone: the chart builder, by axis.
            chart: any chart under the conventions.
            wanted: whether facts of a property are needed.
        """
        self._circuit, self._laid, self._wanted = circuit, laid, wanted
        o = ontology()
        elements, stems, branches = o.of_type("Element"), o.of_type("Stem"), o.ordered("Branch")
        self._generates: Final = reach(elements, partial(generates, chart))
        self._controls: Final = reach(elements, partial(controls, chart))
        self._combines: Final = reach(branches, partial(branches_combine, chart))
        self._by_branch: Final = {how: reach(branches, partial(branch_related, chart, how)) for how, _ in BY_BRANCH}
        self._stems_combine: Final = reach(stems, lambda a, b: b in chart.tables.get("stem-combines").all(a))
        self._stems_clash: Final = reach(stems, lambda a, b: b in chart.tables.get("stem-clashes").all(a))
        self._over: Final = reach(PALACES, lambda a, b: overcomes(chart, chart.palace(a), chart.palace(b)))
        self._struck: Final = alone.by(CHART, lambda c: ((s, p) for s in stems for p in PALACES if struck(c, s, p)))
        self._chief_struck: Final = alone.by(CHART, lambda c: (p for p in PALACES if struck(c, c.instrument, p)))
        self._moment: Final = [laid.pillars[unit] for unit in ("day", "hour")]
        self._stars: Final = {p: self._elements_in(p, ("star",)) for p in PALACES}

    def _elements_in(self, palace: int, kinds: Iterable[str]) -> Has:
        found = [x for x in self._laid.symbols if x.kind in kinds and palace in x.palaces]
        return union(self._circuit, ({e: self._circuit.every((node, x.palaces[palace])) for e, node in x.elements.items()} for x in found))

    def _elements_of(self, things: Has) -> Has:
        """The elements of stems or branches."""
        return union(self._circuit, ({element_of(thing): node} for thing, node in things.items()))

    def _acts(self, reached: Mapping[str, Iterable[str]], mine: Has, theirs: Has) -> int:
        return both(self._circuit, mine, exposed(self._circuit, reached, theirs))

    # -- what each suffers -----------------------------------------------------------------------------------------------

    def met(self, state: State) -> None:
        """受克 受生 逢合 受刑 受沖 受害, and the star that generates or combines with what stands with it."""
        some = self._circuit.some
        for x in self._laid.all():
            elements = self._met_elements(x)
            state(x.slot, TYPE, ns("Controlled"), self._acts(self._controls, elements, x.elements))
            state(x.slot, TYPE, ns("Generated"), self._acts(self._generates, elements, x.elements))
            state(x.slot, TYPE, ns("Combined"), self._meets_combination(x))
            theirs = union(self._circuit, (p.branches for p in self._others(x)))
            for how, klass in BY_BRANCH:
                state(x.slot, TYPE, ns(klass), self._acts(self._by_branch[how], theirs, x.branches))
            state(x.slot, TYPE, ns("Punished"), some(self._strikes(x)))
            if x.kind == "stem":
                state(x.slot, TYPE, ns("Clashed"), self._acts(self._stems_clash, x.symbols, self._under(x)))
            if x.symbols and x.kind != "star":
                stars = self._laid.here(x, self._stars)
                either = (self._acts(self._generates, stars, x.elements), self._acts(self._generates, x.elements, stars))
                state(x.slot, TYPE, ns("StarGeneratesOrCombines"), some(either))

    def _others(self, x: Individual) -> list[Individual]:
        """The pillars that one meets by branch."""
        own = {DAY_STEM: "day", "hour-stem": "hour"}.get(x.kind, x.kind.removesuffix("-nayin"))
        among = [p for unit, p in self._laid.pillars.items() if unit in UNITS] if x.is_pillar and not x.natal else self._moment
        return [p for p in among if p.kind != own]

    def _under(self, x: Individual) -> Has:
        """The stems under a stem: of the earth plate, in its palace."""
        return self._laid.here(x, self._laid.earth)

    def _met_stems(self, x: Individual) -> Has:
        """The stems that a stem meets: the one under it; those of day and hour each other."""
        other = {DAY_STEM: "hour", "hour-stem": "day"}.get(x.kind)
        return union(self._circuit, (self._under(x), self._laid.pillars[other].stems if other else {}))

    def _met_elements(self, x: Individual) -> Has:
        """Elements of what it meets."""
        if x.kind == "palace":
            (number,) = x.palaces
            return union(self._circuit, (self._elements_in(number, ("star", "door")), *(self._elements_of(p.branches) for p in self._moment)))
        if x.symbols:
            return self._elements_of(self._met_stems(x)) if x.is_stem else self._laid.here(x, {n: p.elements for n, p in self._laid.palaces.items()})
        if x.natal:
            return union(self._circuit, (self._elements_of(has) for p in self._moment for has in (p.stems, p.branches)))
        if x.kind.endswith("-nayin"):
            return union(self._circuit, (p.elements for unit, p in self._laid.pillars.items() if unit.endswith("-nayin") and p is not x))
        return {} if x.kind == TRANSFORMED else union(self._circuit, (p.elements for p in self._others(x)))

    def _meets_combination(self, x: Individual) -> int:
        if x.symbols:
            return self._acts(self._stems_combine, x.symbols, self._met_stems(x)) if x.is_stem else FALSE
        others = self._moment if x.kind == "palace" else self._others(x)
        by_stem = (self._acts(self._stems_combine, x.stems, p.stems) for p in others)
        return self._circuit.some((*by_stem, *(self._acts(self._combines, x.branches, p.branches) for p in others)))

    def _strikes(self, x: Individual) -> Iterator[int]:
        """六儀擊刑: of a stem where it stands, and of the palace."""
        every = self._circuit.every
        if x.kind == "palace":
            (number,) = x.palaces
            yield from (every((node, self._struck.get((s, number), FALSE))) for s, node in self._laid.heaven[number].items())
        elif x.kind == "jia":
            yield from (every((at, self._chief_struck.get(p, FALSE))) for p, at in x.palaces.items())
        elif x.is_stem:
            yield from (every((x.symbols.get(s, FALSE), x.palaces.get(p, FALSE), node)) for (s, p), node in self._struck.items())

    # -- what acts on what -----------------------------------------------------------------------------------------------

    def related(self, state: State) -> None:
        """生 克 合 刑 沖 害 between all individuals; 催, and sharing a palace, between symbols."""
        parts = self._laid.all()
        for prop, met in (("generates", self._generates), ("controls", self._controls)):
            self._between(prop, met, {x.slot: x.elements for x in parts}, state)
        self._between("qCombinesWith", self._stems_combine, {x.slot: x.symbols for x in parts if x.is_stem}, state)
        self._between("qCombinesWith", self._combines, {x.slot: x.branches for x in parts if not x.is_stem}, state)
        for how, _ in BY_BRANCH:
            self._between(how, self._by_branch[how], {x.slot: x.branches for x in parts if not x.borrows}, state)
        standing = {x.slot: x.palaces for x in self._laid.symbols}
        self._between("urges", self._over, standing, state)
        self._between("sharesPalace", {p: (p,) for p in PALACES}, standing, state)
        stems = [x for x in self._laid.symbols if x.kind == "stem"]
        for x in stems if self._wanted(ns("urges")) else ():
            under = self._under(x)
            for y in stems:
                if y is not x:
                    state(x.slot, ns("urges"), y.slot, both(self._circuit, under, y.symbols))

    def _between(self, prop: str, met: Mapping[Thing, Iterable[Thing]], has: Mapping[str, Mapping[Thing, int]], state: State) -> None:
        """State a relation of each to each other."""
        if self._wanted(ns(prop)):
            open_to = {slot: exposed(self._circuit, met, theirs) for slot, theirs in has.items()}
            for x, y in permutations(has, 2):
                state(x, ns(prop), y, both(self._circuit, has[x], open_to[y]))
