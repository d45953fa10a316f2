"""Layered closure: facts, then layer after layer of axioms, with complements closed between them."""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from kg.reasoning import Engine
from loader import iris
from loader.axioms import Majority, Program
from loader.iris import TYPE, Triple, ns


@dataclass
class Closed:
    """A closed cast: what holds of each of its individuals, indexed for verdicts and explanations."""

    types: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    links: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))

    def holds(self, individual: str, klass: str) -> bool:
        """Whether the individual is in the class."""
        return klass in self.types.get(individual, ())

    def leads(self, individual: str, prop: str) -> list[str]:
        """What the property leads to, in a fixed order."""
        return sorted(self.links.get((individual, prop), ()))

    def members(self, klass: str) -> list[str]:
        """Individuals in the class, in a fixed order."""
        return sorted(i for i, classes in self.types.items() if klass in classes)

    def fires(self, cast: str) -> set[str]:
        """IRIs of the clauses that fire on the cast."""
        return self.links.get((cast, ns("fires")), set())

    def triples(self) -> Iterator[Triple]:
        """All that is known of the individuals, as triples."""
        for individual, classes in self.types.items():
            yield from ((individual, TYPE, c) for c in classes)
        for (s, p), values in self.links.items():
            yield from ((s, p, v) for v in values)


@dataclass(frozen=True, slots=True)
class Stated:
    """The facts of one cast, as they go into a closure.

    Attributes:
        cast: IRI of the cast, under which all its individuals lie.
        facts: all its facts.
        unknown: what is not known of it (`YearPillar`, `SolarTerm`, ...).
    """

    cast: str
    facts: tuple[Triple, ...]
    unknown: frozenset[str]


def close(stated: Sequence[Stated], program: Program, engine: Engine) -> list[Closed]:
    """Close the facts of casts under a program; several casts in one closure share the work on the axioms.

    Between layers, every individual of a complement's domain that is not in the class gets the complement, unless the class
    rests on something unknown: then neither is asserted, and what needs either does not fire.
    """
    closure = engine()
    # Facts that no axiom mentions cannot contribute; leaving them out keeps the closure small.
    wanted = program.signature | {ns("fires")}
    closure.add(f for cast in stated for f in cast.facts if (f[2] if f[1] == TYPE else f[1]) in wanted)
    kinds = [_kinds(cast.facts) for cast in stated]
    found: set[Triple] = set()
    for layer in range(program.layers):
        axioms = program.axioms.get(layer, [])
        if axioms or layer == 0:
            closure.add(axioms)
            found = closure.close()
        members = {(s, o) for s, p, o in found if p == TYPE}
        complements = [
            (individual, TYPE, c.iri)
            for c in program.complements
            if c.layer == layer
            for cast, by_kind in zip(stated, kinds, strict=True)
            if not c.rests_on & cast.unknown
            for individual in sorted(set().union(*(by_kind[k] for k in c.kinds)))
            if (individual, c.of) not in members
        ]
        complements += [
            (cast.cast, TYPE, m.iri)
            for m in program.majorities
            if m.layer == layer
            for cast, by_kind in zip(stated, kinds, strict=True)
            if not m.rests_on & cast.unknown
            if more(members, by_kind["Palace"], m)
        ]
        closure.add(complements)
        if complements and layer == program.layers - 1:
            found = closure.close()
    return _index(stated, found)


def more(members: Container[tuple[str, str]], parts: Iterable[str], m: Majority) -> bool:
    """Whether more of the parts that are meant belong to the one class than to the other."""
    among = [p for p in parts if (p, m.among) in members]
    return sum((p, m.more) in members for p in among) > sum((p, m.less) in members for p in among)


def _kinds(facts: Iterable[Triple]) -> dict[str, set[str]]:
    kinds: dict[str, set[str]] = defaultdict(set)
    for s, p, o in facts:
        if p == TYPE:
            kinds[iris.key(o)].add(s)
    return kinds


def _index(stated: Sequence[Stated], found: Iterable[Triple]) -> list[Closed]:
    by_cast = {cast.cast: Closed() for cast in stated}
    # The closure and the facts together: what was left out of the closure is still true of the cast.
    for s, p, o in (*found, *(f for cast in stated for f in cast.facts)):
        closed = by_cast.get(iris.cast_of(s))
        if closed is None:
            continue
        if p == TYPE:
            closed.types[s].add(o)
        else:
            closed.links[s, p].add(o)
    return [by_cast[cast.cast] for cast in stated]
