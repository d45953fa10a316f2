"""A compiled program as a circuit: from the nodes of facts to the node of each clause on each individual.

It reads the same axioms as the engines that close triples, and gives each class a node for each slot that can be in it. The layers
of a program need no closing one after the other here: a class is complete when what it is made of is.
"""

from collections.abc import Collection, Mapping
from itertools import chain
from typing import Final

from kg.bulk.circuit import FALSE, TRUE
from kg.bulk.stated import UNKNOWN, Stated
from loader import iris
from loader.axioms import Complement, Majority, Program
from loader.iris import ns, symbol

_SUB: Final = iris.RDFS + "subClassOf"
Members = Mapping[str, int]
"""Slot to the node that tells on which casts its individual is in a class."""


class Logic:
    """The classes of a program over what is stated."""

    def __init__(self, program: Program, stated: Stated) -> None:
        self.program, self.stated, self.circuit = program, stated, stated.circuit
        triples = list(chain.from_iterable(program.axioms.values()))
        self._first = {s: o for s, p, o in triples if p == iris.RDF + "first"}
        self._rest = {s: o for s, p, o in triples if p == iris.RDF + "rest"}
        self._parts = {s: self._listed(o) for s, p, o in triples if p == iris.OWL + "intersectionOf"}
        self._on = {s: o for s, p, o in triples if p == iris.OWL + "onProperty"}
        self._some = {s: o for s, p, o in triples if p == iris.OWL + "someValuesFrom"}
        self._value = {s: o for s, p, o in triples if p == iris.OWL + "hasValue"}
        self._sources: dict[str, list[str]] = {}
        self._concluded: dict[tuple[str, str], list[str]] = {}
        for s, p, o in triples:
            if p == _SUB and o in self._value:
                self._concluded.setdefault((self._on[o], self._value[o]), []).append(s)
            elif p == _SUB:
                self._sources.setdefault(o, []).append(s)
        self._ways: dict[str, list[tuple[str, bool]]] = {}
        for s, p, o in triples:
            if p == iris.RDFS + "subPropertyOf":
                self._ways.setdefault(o, []).append((s, False))
            elif p == iris.OWL + "inverseOf":
                self._ways.setdefault(s, []).append((o, True))
                self._ways.setdefault(o, []).append((s, True))
        self._complements: dict[str, list[Complement]] = {}
        for c in program.complements:
            self._complements.setdefault(c.iri, []).append(c)
        self._majorities = {m.iri: m for m in program.majorities}
        self._known: dict[str, Members] = {}
        self._links: dict[str, dict[str, dict[str, int]]] = {}
        self._open: list[str] = []

    def _listed(self, head: str) -> list[str]:
        found = []
        while head in self._first:
            found.append(self._first[head])
            head = self._rest[head]
        return found

    def fires(self, clause: str) -> Members:
        """Where a clause fires: the individuals that satisfy it, and the cast."""
        return self.members(symbol("fires", clause))

    def members(self, klass: str, within: Collection[str] | None = None) -> Members:
        """The slots that can be in a class.

        Args:
            klass: a class, or a restriction or intersection of the axioms.
            within: the slots that matter; others may be left out.
        """
        if klass in self._parts:
            return self._both(self._parts[klass], within)
        if klass in self._some:
            return self._leading(self._on[klass], self.members(self._some[klass]), within)
        if klass in self._value:
            return self._valued(self._on[klass], self._value[klass])
        if klass not in self._known:
            if klass in self._open:  # the compiler refuses such definitions
                raise AssertionError(f"{klass} is defined by itself")
            self._known[klass] = self._named(klass)
        return self._known[klass]

    def _named(self, klass: str) -> Members:
        found: dict[str, list[int]] = {}
        self._open.append(klass)
        if klass in self.program.signature:
            _gather(found, self.stated.members(klass))
        for complement in self._complements.get(klass, ()):
            _gather(found, self._complement(complement))
        if klass in self._majorities:
            _gather(found, self._majority(self._majorities[klass]))
        carried = []
        for source in self._sources.get(klass, ()):
            if self._some.get(source) == klass:
                # Only what is carried between cast and line refers to itself.
                carried.append(self._on[source])
            else:
                _gather(found, self.members(source))
        members = {slot: self.circuit.some(nodes) for slot, nodes in found.items()}
        for prop in carried:
            # From line to cast, or from cast to line: one step reaches all.
            _gather(found, self._leading(prop, members, None))
        self._open.pop()
        return self._pruned({slot: self.circuit.some(nodes) for slot, nodes in found.items()})

    @staticmethod
    def _pruned(members: Members) -> Members:
        return {slot: node for slot, node in members.items() if node != FALSE}

    def _both(self, parts: list[str], within: Collection[str] | None) -> Members:
        # What leads elsewhere comes last, when few slots are left.
        found: Members | None = None
        for part in sorted(parts, key=lambda p: p in self._some):
            mine = self.members(part, within if found is None else found)
            found = mine if found is None else self._pruned({s: self.circuit.every((node, mine[s])) for s, node in found.items() if s in mine})
        return found or {}

    def _complement(self, c: Complement) -> Members:
        members, known = self.members(c.of), self._knows(c.rests_on)
        found = {}
        for slot, node in self._of_kinds(c.kinds).items():
            found[slot] = self.circuit.every((node, known, self.circuit.negation(members.get(slot, FALSE))))
        return self._pruned(found)

    def _of_kinds(self, kinds: Collection[str]) -> Members:
        found: dict[str, list[int]] = {}
        for kind in kinds:
            _gather(found, self.stated.members(ns(kind)))
        return {slot: self.circuit.some(nodes) for slot, nodes in found.items()}

    def _knows(self, rests_on: Collection[str]) -> int:
        unknown = self.stated.values("", UNKNOWN)
        return self.circuit.negation(self.circuit.some(unknown.get(r, FALSE) for r in rests_on))

    def _majority(self, m: Majority) -> Members:
        """Whether more of the parts are in the one class than in the other: the difference is counted part by part."""
        c = self.circuit
        among, more, less = (self.members(k) for k in (m.among, m.more, m.less))
        ahead = {0: TRUE}
        for slot, part in self._of_kinds({"Palace"}).items():
            counts = c.every((part, among.get(slot, FALSE)))
            up, down = more.get(slot, FALSE), less.get(slot, FALSE)
            gains = c.every((counts, up, c.negation(down)))
            loses = c.every((counts, down, c.negation(up)))
            stays = c.negation(c.some((gains, loses)))
            step = ((0, stays), (1, gains), (-1, loses))
            after: dict[int, list[int]] = {}
            for d, node in ahead.items():
                for by, when in step:
                    after.setdefault(d + by, []).append(c.every((node, when)))
            ahead = {d: c.some(nodes) for d, nodes in after.items()}
        holds = c.every((c.some(node for d, node in ahead.items() if d > 0), self._knows(m.rests_on)))
        return self._pruned({"": holds})

    def _leading(self, prop: str, targets: Members, within: Collection[str] | None) -> Members:
        """The slots that a property leads from to one of some targets."""
        if not targets:
            return {}
        found = {}
        for slot, leads in self.links(prop).items():
            if within is None or slot in within:
                few, many = (leads, targets) if len(leads) < len(targets) else (targets, leads)
                found[slot] = self.circuit.some(self.circuit.every((few[t], many[t])) for t in few if t in many)
        return self._pruned(found)

    def _valued(self, prop: str, value: str) -> Members:
        found: dict[str, list[int]] = {}
        for slot, leads in self.links(prop).items():
            if value in leads:
                found.setdefault(slot, []).append(leads[value])
        for klass in self._concluded.get((prop, value), ()):
            _gather(found, self.members(klass))
        return {slot: self.circuit.some(nodes) for slot, nodes in found.items()}

    def links(self, prop: str) -> Mapping[str, Mapping[str, int]]:
        """Slot to target to node of a property, by all the properties from which it follows."""
        if prop not in self._links:
            found: dict[str, dict[str, list[int]]] = {}
            for way, turned in sorted(self._reached(prop)):
                if way not in self.program.signature:
                    continue
                for slot, leads in self.stated.links(way).items():
                    for target, node in leads.items():
                        s, t = (target, slot) if turned else (slot, target)
                        found.setdefault(s, {}).setdefault(t, []).append(node)
            self._links[prop] = {s: {t: self.circuit.some(nodes) for t, nodes in leads.items()} for s, leads in found.items()}
        return self._links[prop]

    def _reached(self, prop: str) -> set[tuple[str, bool]]:
        """The properties that imply it, each with whether it runs the other way."""
        found, todo = set[tuple[str, bool]](), [(prop, False)]
        while todo:
            way, turned = todo.pop()
            if (way, turned) not in found:
                found.add((way, turned))
                todo.extend((other, turned != turns) for other, turns in self._ways.get(way, ()))
        return found


def _gather(found: dict[str, list[int]], members: Members) -> None:
    for slot, node in members.items():
        found.setdefault(slot, []).append(node)
