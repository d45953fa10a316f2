"""The palaces, symbols and pillars of every hour chart there is: what each can be made of, with the charts on which it is."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from kg.bulk.alone import Alone
from kg.bulk.circuit import FALSE, Circuit
from kg.bulk.hours import CHART, NATAL
from kg.bulk.relation import both, union
from loader.meetings import BORROWERS, STEMS, Part, branches_held
from loader.qimen import PALACES, HourPillar, Palace, Plate, QimenChart

OF_AXIS: Final[Mapping[str, tuple[str, ...]]] = {
    CHART: ("hour", "hour-nayin"), "day": ("day", "day-nayin"), "month": ("month",), "year": ("year",),
    **{axis: (axis.replace("_", "-"),) for axis in NATAL},
}  # fmt: skip
"""Each axis to the pillars that it settles."""
BY_STEMS: Final[Mapping[str, Callable[[QimenChart], str]]] = {"day": lambda c: c.day_stem, CHART: lambda c: c.hour_stem}
"""What counts where the stems of day and hour make something together; the pillar of their product (化氣) hangs on nothing else."""
DAY_STEM: Final = "day-stem"
TRANSFORMED: Final = "transformed"
_Trait = tuple[str, str, str, str | int]
"""Slot and kind of an individual, the name of an attribute, and what it has there."""


@dataclass(frozen=True, slots=True)
class Individual:
    """A palace, symbol or pillar; each thing that it can have is given with the node of the charts on which it has it.

    Attributes:
        slot: its place in the chart.
        kind: `palace`, the kind of a symbol (`stem`, `star`, `door`, `deity`, `jia`, `day-stem`, `hour-stem`), or the unit of a pillar.
        exists: on which charts it is there.
        elements: by IRI.
        symbols: what it is, of a symbol.
        stems: the stem, of a pillar.
        branches: those that it has.
        palaces: the number of the palace in which it stands, or which it is.
    """

    slot: str
    kind: str
    exists: int
    elements: Mapping[str, int] = field(default_factory=dict)
    symbols: Mapping[str, int] = field(default_factory=dict)
    stems: Mapping[str, int] = field(default_factory=dict)
    branches: Mapping[str, int] = field(default_factory=dict)
    palaces: Mapping[int, int] = field(default_factory=dict)

    @property
    def is_stem(self) -> bool:
        """Whether it is a stem as it stands."""
        return self.kind in STEMS

    @property
    def borrows(self) -> bool:
        """Whether it has only the branches of its palace."""
        return self.kind in BORROWERS

    @property
    def is_pillar(self) -> bool:
        """Whether it is a pillar, of the moment or of a person."""
        return self.natal or self.slot.startswith("pillar/")

    @property
    def natal(self) -> bool:
        """Whether it is a pillar of a person."""
        return self.slot.startswith("natal/")


def pillars_in(chart: QimenChart, units: Collection[str]) -> Iterator[HourPillar]:
    """The pillars of some units that a chart has."""
    return (p for p in chart.pillars if p.unit in units)


def _traits(chart: QimenChart, parts: Iterable[Part]) -> Iterator[_Trait]:
    for x in parts:
        slot = x.iri[len(chart.iri) + 1 :]
        kind = x.kind if isinstance(x, Plate) else x.unit if isinstance(x, HourPillar) else "palace"
        yield slot, kind, "exists", ""
        yield slot, kind, "elements", x.element
        yield from ((slot, kind, "branches", b) for b in branches_held(x))
        match x:
            case Palace():
                yield slot, kind, "palaces", x.number
            case Plate():
                yield slot, kind, "palaces", x.palace
                yield slot, kind, "symbols", x.symbol
            case HourPillar(stem=str(stem)):
                yield slot, kind, "stems", stem


def _laid(chart: QimenChart) -> Iterator[_Trait]:
    """What 局 and hour settle."""
    yield from _traits(chart, (*chart.palaces, *(x for x in chart.plates if x.kind != DAY_STEM)))


def _day_stem(chart: QimenChart) -> Iterator[_Trait]:
    """What the day settles of its stem; in which palace that stands hangs on the chart too."""
    yield from (t for t in _traits(chart, (x for x in chart.plates if x.kind == DAY_STEM)) if t[2] != "palaces")


def _of_units(chart: QimenChart, units: Collection[str]) -> Iterator[_Trait]:
    yield from _traits(chart, pillars_in(chart, units))


def _gathered(traits: Mapping[_Trait, int]) -> list[Individual]:
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for (slot, kind, what, thing), node in traits.items():
        if what == "exists":
            found.setdefault((slot, kind), {})[what] = node
        else:
            found.setdefault((slot, kind), {}).setdefault(what, {})[thing] = node
    return [Individual(slot, kind, **has) for (slot, kind), has in found.items()]


class Laid:
    """All that can be laid.

    Attributes:
        palaces: by number.
        symbols: every stem, star, door and spirit as it stands.
        pillars: those of the moment and of persons, by unit.
        earth: palace to the stems that it can have of the earth plate, each with its node.
        heaven: the same of the heaven plate.
    """

    def __init__(self, circuit: Circuit, alone: Alone[QimenChart]) -> None:
        """Ask the chart builder for the plates of each chart, and for the pillars of each value of an axis."""
        self._circuit: Final = circuit
        self.earth: Final = _by_palace(alone, lambda p: (p.earth,))
        self.heaven: Final = _by_palace(alone, lambda p: p.heaven)
        traits: dict[_Trait, int] = dict(alone.by(CHART, _laid))
        for axis, units in OF_AXIS.items():
            traits |= alone.by(axis, partial(_of_units, units=units))
        traits |= alone.together(BY_STEMS, partial(_of_units, units=(TRANSFORMED,)))
        traits |= alone.by("day", _day_stem)
        lands = self.lands(alone.by("day", lambda c: [c.instrument_of(c.pair("day"))]))
        found = _gathered(traits | {(DAY_STEM, DAY_STEM, "palaces", number): node for number, node in lands.items()})
        self.palaces: Final = {n: x for x in found if x.kind == "palace" for n in x.palaces}
        self.pillars: Final = {x.kind: x for x in found if x.is_pillar}
        self.symbols: Final = [x for x in found if x.kind != "palace" and not x.is_pillar]

    def lands(self, stems: Mapping[str, int]) -> dict[int, int]:
        """Palace to the charts on which one of some stems stands in it, on the heaven plate."""
        found = {n: both(self._circuit, stems, here) for n, here in self.heaven.items()}
        return {n: node for n, node in found.items() if node != FALSE}

    def all(self) -> tuple[Individual, ...]:
        """Palaces, symbols, then pillars."""
        return (*self.palaces.values(), *self.symbols, *self.pillars.values())

    def here(self, x: Individual, of: Mapping[int, Mapping[str, int]]) -> dict[str, int]:
        """What there is in the palace in which an individual stands.

        Args:
            x: the individual.
            of: palace to what is in it.
        """
        parts = ({thing: self._circuit.every((at, node)) for thing, node in of.get(number, {}).items()} for number, at in x.palaces.items())
        return union(self._circuit, parts)


def _by_palace(alone: Alone[QimenChart], stems: Callable[[Palace], Iterable[str]]) -> Mapping[int, Mapping[str, int]]:
    found: dict[int, dict[str, int]] = {p: {} for p in PALACES}
    for (number, stem), node in alone.by(CHART, lambda c: ((p.number, s) for p in c.palaces for s in stems(p))).items():
        found[number][stem] = node
    return found
