"""A circuit made ready to run: its gates in an order, each with the register into which its result goes.

A register is a row of 64-bit words with one bit for each cast of a batch, so one step of the processor works on hundreds of casts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kg.bulk.circuit import Circuit, Constant, Gate, Input, Lookup

Words = NDArray[np.uint64]
Codes = Mapping[str, NDArray[np.intp]]
"""Axis to the value of each cast on it, shape (casts,)."""
Facts = Mapping[tuple[str, str, str], Words]
"""Fact to its words, shape (words,), bit n for cast n."""

WORD: Final = 64
"""Casts in a word."""
_BITS: Final = [np.uint8(1 << n) for n in range(8)]


def words_for(casts: int) -> int:
    """How many words hold a bit for each of some casts.

    >>> words_for(64), words_for(65)
    (1, 2)
    """
    return -(-casts // WORD)


def packed(holds: NDArray[Any]) -> Words:
    """Truth values, shape (casts,), as words; bits beyond the last cast are 0.

    >>> [int(w) for w in packed(np.array([True, False, True]))]
    [5]
    """
    out = np.zeros(words_for(len(holds)), np.uint64)
    bits = np.packbits(holds, bitorder="little")
    out.view(np.uint8)[: len(bits)] = bits
    return out


def marks(numbers: Sequence[int], size: int) -> NDArray[np.uint8]:
    """1 at each of some numbers and 0 elsewhere, shape (size,).

    >>> marks([0, 2], 4).tolist()
    [1, 0, 1, 0]
    """
    found = np.zeros(size, np.uint8)
    found[numbers] = 1
    return found


def unpacked(words: Words, casts: int) -> NDArray[np.bool_]:
    """The opposite of `packed`, along the last axis.

    >>> unpacked(np.array([5], np.uint64), 3).tolist()
    [True, False, True]
    """
    return np.unpackbits(words.view(np.uint8), axis=-1, count=casts, bitorder="little").view(np.bool_)


def bits_of(table: int, size: int) -> NDArray[np.uint8]:
    """The bits of a table as 0 and 1, shape (size,)."""
    return np.unpackbits(np.frombuffer(table.to_bytes(-(-size // 8), "little"), np.uint8), count=size, bitorder="little")


@dataclass(frozen=True, slots=True)
class _Work:
    """A gate to be worked, or a fact or a constant to be taken over, into a register."""

    node: Input | Gate | Constant
    into: int
    parts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Look:
    """Up to eight tables of one axis to be looked up at once: `table` has a bit for each, shape (values,); bit n goes into register n."""

    axis: str
    table: NDArray[np.uint8]
    into: tuple[int, ...]


class Machine:
    """What of a circuit is needed for some of its nodes.

    >>> c = Circuit({"day": 4})
    >>> wet, early = c.fact(("", "type", "Wet")), c.lookup("day", 0b0011)
    >>> machine = Machine(c, [c.every([wet, early]), c.some([wet, early])])
    >>> out = machine.run(4, {"day": np.arange(4)}, {("", "type", "Wet"): packed(np.array([1, 0, 1, 0]))})
    >>> unpacked(out, 4).astype(int).tolist()
    [[1, 0, 0, 0], [1, 1, 1, 0]]
    """

    def __init__(self, circuit: Circuit, outputs: Sequence[int]) -> None:
        """Lay out the steps.

        Args:
            circuit: where the nodes are.
            outputs: the nodes wanted; their number and order are those of the rows of `run`.
        """
        self.outputs = tuple(outputs)
        order = _order(circuit, self.outputs)
        left = _uses(circuit, order)
        for output in self.outputs:
            left[output] += 1
        places = _Places()
        beside = _beside(circuit, order)
        self._steps: list[_Work | _Look] = []
        for n in order:
            node = circuit.nodes[n]
            if isinstance(node, Lookup):
                if n not in places.of:
                    self._steps.append(_look(circuit, beside[n], places))
                continue
            parts: tuple[int, ...] = node.parts if isinstance(node, Gate) else ()
            into = places.take(n)
            self._steps.append(_Work(node, into, tuple(places.of[p] for p in parts)))
            for part in parts:
                left[part] -= 1
                if not left[part]:
                    places.free(part)
        # What is wanted keeps its register to the end.
        self._out = np.array([places.of[output] for output in self.outputs], np.intp)
        self.registers = places.number

    @property
    def gates(self) -> int:
        """How many gates are worked."""
        return sum(isinstance(s, _Work) and isinstance(s.node, Gate) for s in self._steps)

    @property
    def lookups(self) -> int:
        """How many tables are looked up."""
        return sum(len(s.into) for s in self._steps if isinstance(s, _Look))

    def run(self, casts: int, codes: Codes, facts: Facts) -> Words:
        """Work the circuit for a batch.

        Args:
            casts: how many.
            codes: the value of each cast on each axis.
            facts: the facts that are handed over; one left out holds of no cast.

        Returns:
            The outputs, shape (outputs, words); bits beyond the last cast are 0.
        """
        words = words_for(casts)
        store = np.zeros((self.registers, words), np.uint64)
        rows, octets = list(store), list(store.view(np.uint8))
        looked, masked, used = np.empty(casts, np.uint8), np.empty(casts, np.uint8), -(-casts // 8)
        conjunction, disjunction = np.bitwise_and, np.bitwise_or
        for step in self._steps:
            if isinstance(step, _Look):
                np.take(step.table, codes[step.axis], out=looked, mode="clip")
                for bit, register in enumerate(step.into):
                    conjunction(looked, _BITS[bit], masked)
                    octets[register][:used] = np.packbits(masked, bitorder="little")
                    octets[register][used:] = 0
                continue
            into, node = rows[step.into], step.node
            if isinstance(node, Gate):
                if node.how == "not":
                    np.bitwise_not(rows[step.parts[0]], into)
                else:
                    join = conjunction if node.how == "and" else disjunction
                    first, second, *rest = step.parts
                    join(rows[first], rows[second], into)
                    for part in rest:
                        join(into, rows[part], into)
            elif isinstance(node, Input):
                into[:] = facts.get(node.fact, 0)
            else:
                into[:] = ~np.uint64(0) if node.holds else 0
        out = store[self._out]
        if casts % WORD:
            out[:, -1] &= np.uint64((1 << casts % WORD) - 1)
        return out


class _Places:
    """Which node is in which register."""

    def __init__(self) -> None:
        self.of: dict[int, int] = {}
        self.number = 0
        self._free: list[int] = []

    def take(self, node: int) -> int:
        """A register for a node: one that is free, or a new one."""
        if self._free:
            self.of[node] = self._free.pop()
        else:
            self.of[node], self.number = self.number, self.number + 1
        return self.of[node]

    def free(self, node: int) -> None:
        """The node is not needed any more."""
        self._free.append(self.of[node])


def _beside(circuit: Circuit, order: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """Each lookup to those that are looked up together with it: of one axis, and needed at about the same time."""
    by_axis: dict[str, list[int]] = {}
    for n in order:
        node = circuit.nodes[n]
        if isinstance(node, Lookup):
            by_axis.setdefault(node.axis, []).append(n)
    groups = [tuple(found[at : at + 8]) for found in by_axis.values() for at in range(0, len(found), 8)]
    return {n: group for group in groups for n in group}


def _look(circuit: Circuit, nodes: Sequence[int], places: _Places) -> _Look:
    tables = [node for n in nodes if isinstance(node := circuit.nodes[n], Lookup)]
    axis = tables[0].axis
    table = np.zeros(circuit.axes[axis], np.uint8)
    for bit, node in enumerate(tables):
        table |= bits_of(node.bits, len(table)) << np.uint8(bit)
    return _Look(axis, table, tuple(places.take(n) for n in nodes))


def _order(circuit: Circuit, outputs: Sequence[int]) -> list[int]:
    """Every node that is needed, parts before wholes, each close to its use."""
    found, seen = [], set[int]()
    for output in outputs:
        stack = [(output, False)]
        while stack:
            n, done = stack.pop()
            if done:
                found.append(n)
            elif n not in seen:
                seen.add(n)
                stack.append((n, True))
                node = circuit.nodes[n]
                if isinstance(node, Gate):
                    stack.extend((p, False) for p in node.parts if p not in seen)
    return found


def _uses(circuit: Circuit, order: Sequence[int]) -> dict[int, int]:
    """How often each node is a part of another."""
    left = dict.fromkeys(order, 0)
    for n in order:
        node = circuit.nodes[n]
        if isinstance(node, Gate):
            for part in node.parts:
                left[part] += 1
    return left
