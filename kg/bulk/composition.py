"""The facts of a 六爻 cast put together from what it is made of, for every cast there is at once.

What hangs on the hexagrams alone is asked of the chart builder once for each pair of hexagrams; what a pillar adds, once for each
value of the pillar. What two of them make together (a line and a day that clash) is worked out by gates over branches.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from itertools import permutations
from typing import Final

import numpy as np

from kg.bulk.alone import Alone
from kg.bulk.circuit import FALSE, TRUE, Circuit
from kg.bulk.machine import marks
from kg.bulk.relation import both, exposed
from kg.bulk.space import BIRTH, HEXAGRAMS, TERM, lines_of, sizes, value_at, values
from kg.bulk.stated import UNKNOWN, Fact, Stated, fact_of
from loader.facts import carries, figured, framed, relations_between, seasonal, star_places
from loader.iris import TYPE, Triple, ns
from loader.liuyao import UNITS, Chart, Given, Pillar, named
from loader.ontology import ontology
from loader.tables import Key

_MATTER: Final = frozenset({TYPE, UNKNOWN, *map(ns, ("palace", "branch", "element", "stem", "pair"))})
"""Of what facts are put together."""
_PURE: Final = tuple(64 * h + h for h in (t * 9 for t in range(8)))
"""The pairs of the eight pure hexagrams without a moving line, one for each palace."""
Conventions = tuple[tuple[str, str], ...]


def _chart(pair: int, conventions: Conventions, axis: str | None = None, value: str | None = None) -> Chart:
    """A cast of which nothing is known but its hexagrams and one thing more."""
    pillars = {axis: value} if axis in UNITS and axis and value else {}
    term, birth = (value if axis == a else None for a in (TERM, BIRTH))
    return Chart(Given(lines_of(pair), pillars, (), term=term, birth_branch=birth, conventions=dict(conventions)))


def _tables(rows: Iterable[tuple[int, Iterable[Fact]]], size: int) -> dict[Fact, int]:
    """Each fact to the numbers under which it is found, as bits."""
    found: dict[Fact, list[int]] = {}
    for number, facts in rows:
        for fact in facts:
            found.setdefault(fact, []).append(number)
    tables = {}
    for fact, numbers in found.items():
        tables[fact] = int.from_bytes(np.packbits(marks(numbers, size), bitorder="little").tobytes(), "little")
    return tables


def _facts(state: Callable[[Chart], Iterable[Triple]], chart: Chart) -> list[Fact]:
    me = chart.iri
    return [fact_of(t, me) for t in state(chart)]


@lru_cache(4)
def _figured(conventions: Conventions) -> Mapping[Fact, int]:
    """What the hexagrams settle: each fact to the pairs of hexagrams that have it."""
    return _tables(((pair, _facts(figured, _chart(pair, conventions))) for pair in range(4096)), 4096)


@lru_cache(32)
def _framed(conventions: Conventions, axis: str) -> tuple[tuple[str, Mapping[Fact, int]], ...]:
    """What one axis adds to the cast and its pillars: for each palace, each fact to the values that bring it."""
    found = []
    for pair in _PURE:
        bare = frozenset(_facts(framed, _chart(pair, conventions)))
        rows = ((n, set(_facts(framed, _chart(pair, conventions, axis, v))) - bare) for n, v in enumerate(values(axis)))
        found.append((_chart(pair, conventions).palace, _tables(rows, sizes()[axis])))
    return tuple(found)


class Composition:
    """States the facts of casts.

    Attributes:
        stated: the facts, each with its node over the axes; what is asked is not among them.
    """

    def __init__(self, conventions: Conventions, axes: Collection[str], wanted: Collection[str]) -> None:
        """Put the facts together.

        Args:
            conventions: those of the casts.
            axes: what may be known of the casts; the rest is unknown of all of them.
            wanted: the properties that are needed; classes are stated all.
        """
        self.circuit = Circuit({axis: size for axis, size in sizes().items() if axis in axes})
        self.stated = Stated(self.circuit)
        self._conventions, self._wanted = conventions, frozenset(wanted) | _MATTER
        self._tables = _chart(0, conventions)
        # Any hexagram serves where only what is asked of a pillar counts.
        self._alone: Final = Alone(self.circuit, lambda at: next(_chart(0, conventions, axis, value_at(axis, n)) for axis, n in at.items()))
        self._by: Final = self._alone.by
        known = [axis for axis in self.circuit.axes if axis != HEXAGRAMS]
        for fact, bits in _figured(conventions).items():
            self._state(*fact, self.circuit.lookup(HEXAGRAMS, bits))
        for axis in known:
            self._frame(axis)
        # A thing is unknown as long as nothing that is given settles it.
        for what, node in self._alone.unknown(known).items():
            self._state("", UNKNOWN, what, node)
        self._branches = self.stated.links(ns("branch"))
        self._bearers = [slot for slot in self._branches if not slot.startswith("mutual/")]
        self._single()
        self._stars()
        self._relations()
        self._sets()

    def _state(self, slot: str, prop: str, target: str, node: int) -> None:
        if prop in self._wanted:
            self.stated.add(slot, prop, target, node)

    def _frame(self, axis: str) -> None:
        # A month tells the strength of a trigram only where no term does.
        free = self._by(TERM, lambda c: [c.given.term is None]).get(True, TRUE) if axis == "month" else TRUE
        for palace, tables in _framed(self._conventions, axis):
            here = self.stated.values("", ns("palace"))[palace]
            for (slot, prop, target), bits in tables.items():
                bound = free if (slot, prop) == ("", TYPE) else TRUE
                self._state(slot, prop, target, self.circuit.every((here, self.circuit.lookup(axis, bits), bound)))

    def _single(self) -> None:
        """What each axis makes of a line or pillar by itself."""
        elements = ontology().of_type("Element")
        seasons = self._by("month", lambda c: [(e, seasonal(c, p.branch, e)) for p in _pillar(c, "month") for e in elements])
        by_month = self._by("month", lambda c: [(e, c.stage(e, p.branch)) for p in _pillar(c, "month") for e in elements])
        by_day = self._by("day", lambda c: [(e, c.stage(e, p.branch)) for p in _pillar(c, "day") for e in elements])
        void = self._by("day", lambda c: c.void)
        spirits = self._by("day", lambda c: list(enumerate(c.spirits, 1)))
        rising = self._by(TERM, lambda c: [c.tables.get("rising-line").place(c.mid_term)] if c.mid_term else [])
        born = self._by(BIRTH, lambda c: [named("Branch")[c.given.birth_branch]] if c.given.birth_branch else [])
        for slot, branches in self._branches.items():
            role, _, place = slot.partition("/")
            element = self.stated.values(slot, ns("element"))
            self._meet(slot, element, seasons, TYPE)
            self._meet(slot, branches, {(b, ns("Void")): node for b, node in void.items()}, TYPE)
            if role != "pillar":
                self._meet(slot, element, by_day, ns("stageByDay"))
            if role in ("line", "hidden", "changed"):
                self._meet(slot, element, by_month, ns("stageByMonth"))
                stands = self.stated.members(ns("Line"))[slot]
                for (position, spirit), node in spirits.items():
                    if position == int(place):
                        self._state(slot, TYPE, carries("Spirit", spirit), self.circuit.every((stands, node)))
            if role == "line":
                self._state(slot, TYPE, ns("RisingLine"), rising.get(int(place), FALSE))
                self._meet(slot, branches, {(b, ns("LifeLine")): node for b, node in born.items()}, TYPE)

    def _meet(self, slot: str, has: Mapping[str, int], at: Mapping[tuple[str, str], int], prop: str) -> None:
        """State of a slot what follows from what it has (a branch, an element) and what an axis makes of that."""
        for (mine, target), node in at.items():
            if mine in has:
                self._state(slot, prop, target, self.circuit.every((has[mine], node)))

    def _stars(self) -> None:
        for unit in UNITS:
            falls = self._by(unit, lambda c: [(str(key), carries("Star", star)) for star, keys in star_places(c).items() for key in keys])
            for slot in self._bearers:
                self._meet(slot, {**self._branches[slot], **self.stated.values(slot, ns("stem"))}, falls, TYPE)

    def _relations(self) -> None:
        order = ontology().ordered("Branch")
        met: dict[str, dict[str, list[str]]] = {}
        for a in order:
            for b in order:
                for prop in relations_between(self._tables, a, b):
                    met.setdefault(ns(prop), {}).setdefault(a, []).append(b)
        for prop, reached in met.items():
            if prop in self._wanted:
                open_to = {y: exposed(self.circuit, reached, self._branches[y]) for y in self._bearers}
                for x, y in permutations(self._bearers, 2):
                    self._state(x, prop, y, both(self.circuit, self._branches[x], open_to[y]))
        for x, y in permutations(self._bearers, 2):
            mine, theirs = (self.stated.values(slot, ns("pair")) for slot in (x, y))
            self._state(x, ns("samePairAs"), y, both(self.circuit, mine, theirs))

    def _sets(self) -> None:
        """三合 and 三刑: complete on visible and changed lines and pillars."""
        every, some = self.circuit.every, self.circuit.some
        on = [slot for slot in self._bearers if not slot.startswith("hidden/")]

        def among(slot: str, branches: Iterable[Key]) -> int:
            return some(self._branches[slot].get(str(b), FALSE) for b in branches)

        def complete(branches: Iterable[Key]) -> int:
            return every(some(among(slot, (b,)) for slot in on) for b in branches)

        for frame in self._tables.tables.get("frames").cells.values():
            whole = complete(frame)
            for x, y in permutations(on, 2):
                self._state(x, ns("framesWith"), y, every((whole, among(x, frame), among(y, frame))))
        for (row, _), branches in self._tables.tables.get("punishment-sets").cells.items():
            whole = complete(branches)
            for slot in on:
                if slot.startswith("line/"):
                    self._state(slot, TYPE, ns("InPunishmentSet"), every((whole, among(slot, (row,)))))


def _pillar(chart: Chart, unit: str) -> list[Pillar]:
    """The pillar of a unit, if it is known."""
    return [chart.pillars[unit]] if unit in chart.pillars else []
