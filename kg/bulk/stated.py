"""What is stated of the individuals of a cast, each fact with the node that tells on which casts it is true."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from kg.bulk.circuit import FALSE, Circuit
from loader.iris import TYPE, Triple

UNKNOWN: Final = "unknown"
"""In the place of a property: what is not known of a cast."""
Fact = tuple[str, str, str]
"""Slot, property, and a class, a symbol or another slot.

A slot is the place of an individual in its cast, the end of its IRI (`line/3`, `pillar/day`); the cast itself is the empty one.
"""


def fact_of(triple: Triple, cast: str) -> Fact:
    """A triple of a cast as a fact of any cast.

    >>> fact_of(("https://x/cast/1/line/3", "https://x/generates", "https://x/cast/1/pillar/day"), "https://x/cast/1")
    ('line/3', 'https://x/generates', 'pillar/day')
    """
    s, p, o = triple
    return s[len(cast) + 1 :], p, o[len(cast) + 1 :] if o.startswith(cast) else o


class Stated:
    """The facts that casts can have.

    >>> c = Circuit({})
    >>> stated = Stated(c)
    >>> stated.add("line/1", TYPE, "Moving", c.fact(("line/1", TYPE, "Moving")))
    >>> stated.members("Moving")
    {'line/1': 2}
    """

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self._links: dict[str, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
        self._classes: dict[str, dict[str, int]] = defaultdict(dict)

    def add(self, slot: str, prop: str, target: str, node: int) -> None:
        """State a fact where a node holds, beside where it is stated already."""
        at, key = (self._classes[target], slot) if prop == TYPE else (self._links[prop][slot], target)
        node = self.circuit.some((at.get(key, FALSE), node))
        if node != FALSE:
            at[key] = node

    def members(self, klass: str) -> Mapping[str, int]:
        """Slot to node of what is stated to be in a class."""
        return self._classes.get(klass, {})

    def links(self, prop: str) -> Mapping[str, Mapping[str, int]]:
        """Slot to target to node of what is stated of a property."""
        return self._links.get(prop, {})

    def values(self, slot: str, prop: str) -> Mapping[str, int]:
        """Target to node of what is stated of one slot."""
        return self.links(prop).get(slot, {})

    def all(self) -> Iterator[tuple[Fact, int]]:
        """Every fact with its node."""
        for klass, members in self._classes.items():
            yield from (((slot, TYPE, klass), node) for slot, node in members.items())
        for prop, slots in self._links.items():
            yield from (((slot, prop, target), node) for slot, targets in slots.items() for target, node in targets.items())
