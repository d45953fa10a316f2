"""What single values of an axis bring: asked of the chart builder once for each value, and kept as tables over the axis."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import partial
from itertools import product
from typing import Final, Generic, Protocol, TypeVar

from kg.bulk.circuit import FALSE, Circuit

Key = TypeVar("Key", bound=Hashable)


class Built(Protocol):
    """A cast as the chart builder makes it."""

    @property
    def unknown(self) -> frozenset[str]:
        """What is not known of it."""
        ...


Cast = TypeVar("Cast", bound=Built)


class Alone(Generic[Cast]):
    """The casts of which one thing is known and nothing else, for each value of each axis.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Night:
    ...     hour: int
    ...     unknown: frozenset[str] = frozenset()
    >>> c = Circuit({"hour": 4})
    >>> found = Alone(c, lambda at: Night(at["hour"])).by("hour", lambda night: ["early" if night.hour < 2 else "late"])
    >>> c.nodes[found["late"]]
    Lookup(axis='hour', bits=12)
    """

    def __init__(self, circuit: Circuit, build: Callable[[Mapping[str, int]], Cast]) -> None:
        """Ask of no cast yet.

        Args:
            circuit: where the tables go; its axes are those that may be known.
            build: makes the cast of which some axes have the values given, and all else is unknown or does not count.
        """
        self._circuit: Final = circuit
        self._build: Final = build
        self._casts: dict[str, list[Cast]] = {}

    def _of(self, axis: str) -> list[Cast]:
        if axis not in self._casts:
            self._casts[axis] = [self._build({axis: n}) for n in range(self._circuit.axes.get(axis, 0))]
        return self._casts[axis]

    def by(self, axis: str, found: Callable[[Cast], Iterable[Key]]) -> dict[Key, int]:
        """What is found at the values of an axis, each with the node of the values at which it is; nothing on an axis that is unknown of all."""
        bits: dict[Key, int] = {}
        for n, cast in enumerate(self._of(axis)):
            for key in found(cast):
                bits[key] = bits.get(key, 0) | 1 << n
        return {key: self._circuit.lookup(axis, b) for key, b in bits.items()}

    def together(self, sorts: Mapping[str, Callable[[Cast], Hashable]], found: Callable[[Cast], Iterable[Key]]) -> dict[Key, int]:
        """What is found where several axes are known.

        Args:
            sorts: axis to what alone counts of a cast in which that axis is known; values of one sort are tried once.
            found: what is found in a cast in which all of them are known.
        """
        kinds: list[list[tuple[str, int, int]]] = []
        for axis, sort in sorts.items():
            first: dict[Hashable, int] = {}
            for n, cast in enumerate(self._of(axis)):
                first.setdefault(sort(cast), n)
            nodes = self.by(axis, partial(_one, sort))
            kinds.append([(axis, n, nodes[kind]) for kind, n in first.items()])
        places: dict[Key, list[int]] = {}
        for each in product(*kinds):
            node = self._circuit.every(node for _, _, node in each)
            for key in found(self._build({axis: n for axis, n, _ in each})):
                places.setdefault(key, []).append(node)
        return {key: self._circuit.some(nodes) for key, nodes in places.items()}

    def unknown(self, axes: Iterable[str]) -> dict[str, int]:
        """What is unknown, each with the node that tells of which casts: as long as none of some axes settles it."""
        found = [self.by(axis, lambda cast: cast.unknown) for axis in axes]
        return {what: self._circuit.every(nodes.get(what, FALSE) for nodes in found) for what in {what for nodes in found for what in nodes}}


def _one(sort: Callable[[Cast], Hashable], cast: Cast) -> list[Hashable]:
    return [sort(cast)]
