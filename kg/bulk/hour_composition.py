"""The facts of an hour chart put together from what it is made from, for every chart there is at once.

What hangs on 局 and hour is asked of the chart builder once for each of the 1,080 charts; what a pillar, the solar term, a person, a
mountain or a crop adds, once for each value. What two of them make together is worked out by gates.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from kg.asking import topics
from kg.bulk.alone import Alone
from kg.bulk.circuit import FALSE, Circuit
from kg.bulk.encounters import Encounters
from kg.bulk.hour_question import FRAMES, HourQuestion, can_be_asked
from kg.bulk.hours import CHANGE, CHART, NATAL, YUAN, axes, given_of
from kg.bulk.individuals import BY_STEMS, OF_AXIS, TRANSFORMED, Individual, Laid, pillars_in
from kg.bulk.question import Conventions
from kg.bulk.relation import both
from kg.bulk.space import TERM
from kg.bulk.stated import UNKNOWN, Fact, Stated, fact_of
from loader import qimen_facts
from loader.iris import TYPE, Triple, ns, symbol
from loader.liuyao import UNITS, kin_of
from loader.meetings import element_of
from loader.ontology import ontology
from loader.qimen import CENTRE, PALACES, HourPillar, Plate, QimenChart

_AXIS: Final = {"hour": CHART}
"""Units to their axes, where these are named otherwise."""


class HourComposition:
    """States the facts of hour charts.

    Attributes:
        circuit: where the nodes are.
        stated: the facts, each with its node over the axes and what is asked.
    """

    def __init__(self, conventions: Conventions, known: Collection[str], wanted: Collection[str] | None = None) -> None:
        """Put the facts together.

        Args:
            conventions: those of the charts.
            known: the axes that may be known of the charts; the rest is unknown of all of them.
            wanted: the properties that are needed, all by default; classes are stated all.
        """
        question = HourQuestion((), (), conventions)
        self.circuit = Circuit({name: len(axis.values) for name, axis in axes().items() if name in known})
        self.stated = Stated(self.circuit)
        self._needed: Final = frozenset(wanted) | {TYPE, UNKNOWN} if wanted is not None else None
        self._alone: Final = Alone(self.circuit, lambda at: QimenChart(given_of(at, question)))
        self._chart: Final = QimenChart(given_of({}, question))
        self._laid: Final = Laid(self.circuit, self._alone)
        self._asked()
        self._figures()
        self._palaces()
        self._symbols()
        self._pillars()
        self._kin()
        self._strength()
        self._voids()
        self._stages()
        encounters = Encounters(self.circuit, self._laid, self._alone, self._chart, self._wants)
        encounters.met(self._state)
        encounters.related(self._state)
        self._useful()

    def _wants(self, prop: str) -> bool:
        return self._needed is None or prop in self._needed

    def _state(self, slot: str, prop: str, target: str, node: int) -> None:
        if self._wants(prop):
            self.stated.add(slot, prop, target, node)

    def _facts_by(self, axis: str, found: Callable[[QimenChart], Iterable[Triple]]) -> None:
        """State what is found at each value of an axis."""
        for fact, node in self._alone.by(axis, partial(_facts, found)).items():
            self._state(*fact, node)

    def _facts_by_stems(self, found: Callable[[QimenChart], Iterable[Triple]]) -> None:
        """State what the stems of day and hour make together."""
        for fact, node in self._alone.together(BY_STEMS, partial(_facts, found)).items():
            self._state(*fact, node)

    def _asked(self) -> None:
        for fact in can_be_asked():
            if fact[1] != FRAMES:
                self._state(*fact, self.circuit.fact(fact))

    def _figures(self) -> None:
        """What is said of the chart itself and of each palace by itself."""
        self._facts_by(CHART, qimen_facts.figured)
        for axis in (TERM, CHANGE, YUAN):
            self._facts_by(axis, qimen_facts.timed)
        self._facts_by("day", qimen_facts.of_day)
        self._facts_by("mountain", qimen_facts.sitting)
        self._facts_by_stems(qimen_facts.of_stems)
        for what, node in self._alone.unknown(self.circuit.axes).items():
            self._state("", UNKNOWN, what, node)

    def _palaces(self) -> None:
        """Where things fall: branches, the stems of pillars, and the frame of the palace of origin."""
        falls = [
            self._alone.by(CHART, partial(_fallen, qimen_facts.branches_by_hour)),
            self._alone.by("day", partial(_fallen, qimen_facts.branches_by_day)),
            self._alone.by("month", partial(_fallen, qimen_facts.branches_by_month)),
            self._alone.together(
                {"day": lambda c: c.day_stem, CHART: _hour_branch, TERM: lambda c: c.mid_term},
                partial(_fallen, qimen_facts.branches_by_term),
            ),
        ]
        instruments = {u: self._alone.by(_AXIS.get(u, u), partial(_instrument, unit=u)) for u in UNITS}
        origin = self._alone.by(CHART, lambda c: [c.origin])
        for number, p in self._laid.palaces.items():
            for nodes in falls:
                for (klass, branch), node in nodes.items():
                    if branch in p.branches:
                        self._state(p.slot, TYPE, ns(klass), node)
            for unit, stems in instruments.items():
                self._state(p.slot, TYPE, qimen_facts.earth_class(unit), both(self.circuit, self._laid.earth[number], stems))
        for table in sorted({qimen_facts.frame_table(each) for each in ((), *((one,) for one in topics("qimen")))}):
            taken = self.circuit.fact(("", FRAMES, table))
            for (number, element), node in self._alone.by(TERM, partial(_framed, table=table)).items():
                here = self.circuit.every((origin.get(number, FALSE), node, taken))
                self._state(self._laid.palaces[number].slot, ns("frameElement"), element, here)

    def _part(self, x: Individual, kind: str) -> None:
        cast = self._chart.iri
        for triple in qimen_facts.of_part(self._chart, f"{cast}/{x.slot}", kind):
            self._state(*fact_of(triple, cast), x.exists)

    def _symbols(self) -> None:
        duty = self._alone.by(CHART, lambda c: ((x.symbol, klass) for x in c.plates for klass in qimen_facts.duty(c, x)))
        month = self._alone.by("month", lambda c: [e] if (e := qimen_facts.ruling(c)) else [])
        crop = self._alone.by("crop", lambda c: [symbol("stem", c.given.crop)] if c.given.crop else [])
        for x in self._laid.symbols:
            self._part(x, "PlateSymbol")
            self._lands(x, x.palaces)
            for element, node in x.elements.items():
                self._state(x.slot, ns("element"), element, node)
            for s, node in x.symbols.items():
                self._state(x.slot, TYPE, qimen_facts.plate_class(x.kind, s), node)
                for klass in (klass for what, klass in duty if what == s):
                    self._state(x.slot, TYPE, klass, self.circuit.every((node, duty[s, klass])))
            if x.kind == "star":
                self._state(x.slot, TYPE, ns("RulingStar"), both(self.circuit, x.elements, month))
            if x.kind == "stem":
                self._state(x.slot, TYPE, ns("ChiefStem"), both(self.circuit, x.symbols, crop))

    def _lands(self, x: Individual, at: Mapping[int, int]) -> None:
        for number, node in at.items():
            self._state(x.slot, ns("landsIn"), self._laid.palaces[number].slot, node)

    def _pillars(self) -> None:
        for axis, units in OF_AXIS.items():
            self._facts_by(axis, partial(_of_units, units=units))
        self._facts_by_stems(partial(_of_units, units=(TRANSFORMED,)))
        for axis in NATAL:
            stands = self._alone.by(axis, lambda c: [c.instrument_of(p.pair) for p in c.pillars if p.natal and p.pair])
            for unit in OF_AXIS[axis]:
                if unit in self._laid.pillars:
                    self._lands(self._laid.pillars[unit], self._laid.lands(stands))

    def _kin(self) -> None:
        """Kin of symbols and pillars to the stem of the day."""
        day = self._alone.by("day", lambda c: [element_of(c.day_stem)])
        for x in (*self._laid.symbols, *self._laid.pillars.values()):
            for reference, node in day.items():
                for element, mine in x.elements.items():
                    self._state(x.slot, ns("kin"), kin_of(self._chart.tables, reference, element), self.circuit.every((node, mine)))

    def _strength(self) -> None:
        """旺相休囚死: by term of palaces, doors and spirits, by month of the rest."""
        every = self.circuit.every
        palaces = self._palace_strength()
        by_month = {star: self._alone.by("month", partial(_strength_of, star=star)) for star in (False, True)}
        for x in self._laid.all():
            if x.kind in ("palace", "deity"):
                at = x.palaces
            elif x.kind == "door":
                at = {ontology().number(s, ns("home")): node for s, node in x.symbols.items()}
            else:
                for (element, klass), node in by_month[x.kind == "star"].items():
                    self._state(x.slot, TYPE, klass, every((x.elements.get(element, FALSE), node)))
                continue
            for number, here in at.items():
                for klass, node in palaces[number].items():
                    self._state(x.slot, TYPE, klass, every((here, node)))

    def _palace_strength(self) -> Mapping[int, Mapping[str, int]]:
        """Palace to its classes of strength; the centre has those of the palace in which it lodges."""
        found: dict[int, dict[str, int]] = {p: {} for p in PALACES}
        for (number, klass), node in self._alone.by(TERM, _strength_of_palaces).items():
            found[number][klass] = node
        for number, lodges in self._alone.by(CHART, lambda c: [c.lodged(CENTRE)]).items():
            for klass, node in found[number].items():
                found[CENTRE][klass] = self.circuit.some((found[CENTRE].get(klass, FALSE), self.circuit.every((lodges, node))))
        return found

    def _voids(self) -> None:
        """空 孤 虛: of pillars by the void of day and hour, of the rest by that of the one the convention names."""
        some = self.circuit.some
        by = {unit: self._alone.by(_AXIS.get(unit, unit), partial(_void_of, unit=unit)) for unit in ("day", "hour")}
        void = by[self._chart.void_unit]
        either = {b: some(nodes.get(b, FALSE) for nodes in by.values()) for b in {b for nodes in by.values() for b in nodes}}
        hollow = {b: some((void.get(b, FALSE), void.get(qimen_facts.opposite(b), FALSE))) for b in ontology().ordered("Branch")}
        around = {n: p.branches for n, p in self._laid.palaces.items()}
        for x in self._laid.all():
            mine, empty = (x.branches, either) if x.is_pillar else (self._laid.here(x, around), void)
            for klass, branches in (("Void", empty), ("Orphan", empty), ("OrphanOrHollow", hollow)):
                self._state(x.slot, TYPE, ns(klass), both(self.circuit, mine, branches))

    def _stages(self) -> None:
        """墓 and 長生, of symbols by the palace in which they stand; a palace is tombed by a stem."""
        for x in self._laid.symbols:
            for stage, klass in (("mu", "QTombed"), ("changsheng", "InGrowth")):
                for s, is_it in x.symbols.items():
                    for number, here in x.palaces.items():
                        if qimen_facts.in_stage(self._chart, Plate("", x.kind, s, number, _own_element(s), ()), stage):
                            node = self.circuit.every((is_it, here))
                            self._state(x.slot, TYPE, ns(klass), node)
                            if x.kind == "stem" and stage == "mu":
                                self._state(self._laid.palaces[number].slot, TYPE, ns(klass), node)

    def _useful(self) -> None:
        """用神: the symbols that stand for what each topic asks about, by the first table that finds any."""
        every, some = self.circuit.every, self.circuit.some
        for topic in topics("qimen"):
            iri = symbol("topic", topic)
            open_to = self.circuit.fact(("", ns("askedAbout"), iri))
            for key in qimen_facts.USEFUL:
                found: dict[str, int] = {}
                for klass in self._chart.tables.get(key).all(iri):
                    for slot, node in self.stated.members(str(klass)).items():
                        found[slot] = some((found.get(slot, FALSE), node))
                for slot, node in found.items():
                    self._state(slot, TYPE, symbol("useful-god", topic), every((open_to, node)))
                open_to = every((open_to, self.circuit.negation(some(found.values()))))


def _facts(found: Callable[[QimenChart], Iterable[Triple]], chart: QimenChart) -> list[Fact]:
    me = chart.iri
    return [fact_of(t, me) for t in found(chart)]


def _of_units(chart: QimenChart, units: Collection[str]) -> Iterator[Triple]:
    for p in pillars_in(chart, units):
        yield from qimen_facts.of_pillar(chart, p)


def _fallen(branches: Callable[[QimenChart], Mapping[str, tuple[str, ...]]], chart: QimenChart) -> list[tuple[str, str]]:
    return [(klass, branch) for klass, fallen in branches(chart).items() for branch in fallen]


def _instrument(chart: QimenChart, unit: str) -> list[str]:
    return [chart.instrument_of(chart.pair(unit))] if unit in chart.given.pillars else []


def _strength_of(chart: QimenChart, *, star: bool) -> Iterator[tuple[str, str]]:
    """Each element to the classes of strength that the month gives a star of it, or anything else."""
    for element in ontology().of_type("Element"):
        x = Plate("", "star", "", 1, element, ()) if star else HourPillar("", "", None, None, None, element)
        yield from ((element, klass) for klass in qimen_facts.seasonal_classes(chart, x))


def _strength_of_palaces(chart: QimenChart) -> Iterator[tuple[int, str]]:
    """Each palace but the centre to the classes of strength that the term gives it."""
    yield from ((p.number, klass) for p in chart.palaces if p.number != CENTRE for klass in qimen_facts.seasonal_classes(chart, p))


def _void_of(chart: QimenChart, unit: str) -> tuple[str, ...]:
    return chart.void_of(unit)


def _framed(chart: QimenChart, table: str) -> Iterable[tuple[int, str]]:
    return qimen_facts.frame_elements(chart, table).items()


def _hour_branch(chart: QimenChart) -> str:
    return ontology().one(chart.pair("hour"), ns("branch"))


def _own_element(s: str) -> str:
    """The element of a symbol; spirits have none of their own."""
    return next(iter(ontology().iris(s, ns("element"))), "")
