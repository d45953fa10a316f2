"""Relations between what two individuals have: their elements, stems or branches."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from kg.bulk.circuit import FALSE, Circuit

Thing = TypeVar("Thing", bound=Hashable)
"""What an individual can have: an element, a stem, a branch, a palace."""


def reach(things: Sequence[Thing], acts: Callable[[Thing, Thing], bool]) -> dict[Thing, list[Thing]]:
    """What acts on what among some things.

    >>> reach(["a", "b", "c"], lambda x, y: x < y)
    {'a': ['b', 'c'], 'b': ['c'], 'c': []}
    """
    return {a: [b for b in things if acts(a, b)] for a in things}


def exposed(circuit: Circuit, reach: Mapping[Thing, Iterable[Thing]], theirs: Mapping[Thing, int]) -> dict[Thing, int]:
    """To what one can have, the casts on which it would act on something that another has.

    Args:
        circuit: where the gates go.
        reach: what one can have, to that on which it acts.
        theirs: what the other can have, each with the node of the casts on which it has it.
    """
    found = {a: circuit.some(theirs[b] for b in reached if b in theirs) for a, reached in reach.items()}
    return {a: node for a, node in found.items() if node != FALSE}


def both(circuit: Circuit, mine: Mapping[Thing, int], theirs: Mapping[Thing, int]) -> int:
    """The casts on which two have the same; with `exposed`, those on which the one acts on the other.

    >>> c = Circuit({"day": 4, "hour": 2})
    >>> wood, fire, hot = c.lookup("day", 0b0011), c.lookup("day", 0b1100), c.lookup("hour", 0b01)
    >>> both(c, {"wood": wood, "fire": fire}, exposed(c, {"wood": ["fire"], "fire": []}, {"fire": hot})) == c.every([wood, hot])
    True
    """
    few, many = (mine, theirs) if len(mine) < len(theirs) else (theirs, mine)
    return circuit.some(circuit.every((node, many[a])) for a, node in few.items() if a in many)


def union(circuit: Circuit, parts: Iterable[Mapping[Thing, int]]) -> dict[Thing, int]:
    """What some individuals have, any of them."""
    found: dict[Thing, list[int]] = {}
    for part in parts:
        for a, node in part.items():
            found.setdefault(a, []).append(node)
    return {a: circuit.some(nodes) for a, nodes in found.items()}
