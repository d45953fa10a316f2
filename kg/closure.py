"""Layered closure: facts, then layer after layer of axioms, with complements closed between them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from kg.reasoning import Engine
from loader import iris
from loader.axioms import Program
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


def close(facts: Iterable[Triple], program: Program, engine: Engine, unknown: frozenset[str], cast: str) -> Closed:
    """Close the facts of one cast under a program.

    Between layers, every individual of a complement's domain that is not in the class gets the complement, unless the class
    rests on something unknown: then neither is asserted, and what needs either does not fire.

    Args:
        facts: all facts of the cast.
        program: the compiled clauses.
        engine: which engine closes.
        unknown: what is not known (`YearPillar`, `SolarTerm`, ...).
        cast: IRI of the cast, under which its individuals lie.
    """
    stated = list(facts)
    closure = engine()
    # Facts that no axiom mentions cannot contribute; leaving them out keeps the closure small.
    wanted = program.signature | {ns("fires")}
    closure.add(f for f in stated if (f[2] if f[1] == TYPE else f[1]) in wanted)
    kinds: dict[str, set[str]] = defaultdict(set)
    for s, p, o in stated:
        if p == TYPE:
            kinds[iris.key(o)].add(s)
    found: set[Triple] = set()
    for layer in range(program.layers):
        axioms = program.axioms.get(layer, [])
        if axioms or layer == 0:
            closure.add(axioms)
            found = closure.close()
        complements: list[Triple] = []
        members = {(s, o) for s, p, o in found if p == TYPE}
        for c in program.complements:
            if c.layer == layer and not c.rests_on & unknown:
                domain = set().union(*(kinds[k] for k in c.kinds))
                complements += [(i, TYPE, c.iri) for i in sorted(domain) if (i, c.of) not in members]
        closure.add(complements)
        if complements and layer == program.layers - 1:
            found = closure.close()
    closed = Closed()
    # The program's closure and the facts together: what was left out above is still true of the cast.
    for s, p, o in (*found, *stated):
        if s.startswith(cast):
            if p == TYPE:
                closed.types[s].add(o)
            else:
                closed.links[s, p].add(o)
    return closed
