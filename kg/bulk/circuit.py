"""A circuit of and, or and not over facts: what all clauses ask of a cast, each question once.

A node is a number; equal nodes are one node. What hangs on a single thing that a cast is made of (its pair of hexagrams, its day)
is no gate but a table over the values of that thing, an axis: gates between tables of one axis are worked out when the circuit is
built, not for every cast.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

FALSE: Final = 0
TRUE: Final = 1


@dataclass(frozen=True, slots=True)
class Input:
    """A fact whose truth is handed over for every cast."""

    fact: tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Lookup:
    """What one axis settles: bit n of `bits` tells whether it holds where the cast has value n on that axis."""

    axis: str
    bits: int


@dataclass(frozen=True, slots=True)
class Gate:
    """`and` or `or` of two or more nodes, `not` of one."""

    how: str
    parts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Constant:
    """What holds of every cast, or of none."""

    holds: bool


Node = Input | Lookup | Gate | Constant


class Circuit:
    """A growing circuit.

    >>> c = Circuit({"day": 4})
    >>> early, even = c.lookup("day", 0b0011), c.lookup("day", 0b0101)
    >>> c.nodes[c.every([early, even])]
    Lookup(axis='day', bits=1)
    >>> c.every([early, c.negation(early)]) == FALSE
    True
    >>> rain = c.fact(("", "type", "Rain"))
    >>> c.nodes[c.some([rain, early, even])]
    Gate(how='or', parts=(6, 7))
    """

    def __init__(self, axes: Mapping[str, int]) -> None:
        """Begin with no gates.

        Args:
            axes: each axis to the number of its values.
        """
        self.axes = dict(axes)
        self.nodes: list[Node] = [Constant(False), Constant(True)]
        self._known: dict[Node, int] = {node: n for n, node in enumerate(self.nodes)}

    def _node(self, node: Node) -> int:
        found = self._known.get(node)
        if found is None:
            found = self._known[node] = len(self.nodes)
            self.nodes.append(node)
        return found

    def fact(self, fact: tuple[str, str, str]) -> int:
        """The node of a fact that is handed over."""
        return self._node(Input(fact))

    def lookup(self, axis: str, bits: int) -> int:
        """The node of what an axis settles."""
        if not bits:
            return FALSE
        return TRUE if bits == (1 << self.axes[axis]) - 1 else self._node(Lookup(axis, bits))

    def negation(self, node: int) -> int:
        """The node that holds where another does not."""
        match self.nodes[node]:
            case Constant(holds):
                return FALSE if holds else TRUE
            case Lookup(axis, bits):
                return self.lookup(axis, ~bits & ((1 << self.axes[axis]) - 1))
            case Gate("not", (inner,)):
                return inner
            case _:
                return self._node(Gate("not", (node,)))

    def every(self, nodes: Iterable[int]) -> int:
        """The node that holds where all of some do; `TRUE` for none."""
        return self._joined("and", nodes, TRUE, FALSE)

    def some(self, nodes: Iterable[int]) -> int:
        """The node that holds where one of some does; `FALSE` for none."""
        return self._joined("or", nodes, FALSE, TRUE)

    def _joined(self, how: str, nodes: Iterable[int], neutral: int, final: int) -> int:
        wanted = set(nodes)
        wanted.discard(neutral)
        if final in wanted:
            return final
        if len(wanted) > 1:
            wanted = self._folded(how, wanted)
            wanted.discard(neutral)
            if final in wanted:
                return final
        if len(wanted) < 2:
            return wanted.pop() if wanted else neutral
        return self._node(Gate(how, tuple(sorted(wanted))))

    def _folded(self, how: str, nodes: set[int]) -> set[int]:
        """The nodes with those of one axis made one."""
        left, tables = set[int](), dict[str, int]()
        for n in nodes:
            node = self.nodes[n]
            if not isinstance(node, Lookup):
                left.add(n)
            elif node.axis not in tables:
                tables[node.axis] = node.bits
            elif how == "and":
                tables[node.axis] &= node.bits
            else:
                tables[node.axis] |= node.bits
        return left | {self.lookup(axis, bits) for axis, bits in tables.items()}
