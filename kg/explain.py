"""Why a clause fires on a cast, and why not: the condition walked against the closed graph, with a witness for each part."""

from collections.abc import Iterable
from dataclasses import dataclass

from kg.closure import Closed
from kg.reasons import describe, reason
from loader import iris
from loader.axioms import Program, class_of, formed
from loader.cast import AnyChart
from loader.clause import Clause
from loader.condition import And, Name, Not, Or, Some, Value, show
from loader.expression import Expression, pillars_meant
from loader.iris import ns
from loader.ontology import ontology
from loader.saying import Said, joined, say

DEEPEST = 12
"""Definitions within definitions that an explanation descends into."""


@dataclass(frozen=True, slots=True)
class Proof:
    """One step of an explanation.

    Attributes:
        text: the part of the condition, in its own words.
        individual: who is spoken of, as a person would say it (`line 3 申 兄弟`, `the day 戊辰`).
        iri: the individual.
        holds: whether the part holds; None where something unknown leaves it open.
        reason: why, for a part that is stated by the chart.
        parts: the steps under it.
        clause: id of the clause that a step rests on (a useful god, a fetus line), else None.
    """

    text: str
    individual: Said
    iri: str
    holds: bool | None
    reason: Said | None = None
    parts: tuple["Proof", ...] = ()
    clause: str | None = None


class Walk:
    """A walk over conditions in one closed cast: what holds, what may hold, and why."""

    def __init__(self, chart: AnyChart, closed: Closed, program: Program) -> None:
        self.chart, self.closed, self.program = chart, closed, program

    def holds(self, e: Expression, individual: str, topic: str) -> bool:
        """Whether the individual satisfies the expression in the closed graph."""
        if e.kind and not self.closed.holds(individual, ns(e.kind)):
            return False
        match e.tree:
            case Name():
                return self.closed.holds(individual, self.named(e, topic))
            case Value():
                return (e.value or "") in self.closed.leads(individual, self.iri(e))
            case Some():
                return any(self.holds(e.parts[0], x, topic) for x in self.closed.leads(individual, self.iri(e)))
            case Not():
                # As in the closure: no complement of what rests on something unknown.
                return not self.holds(e.parts[0], individual, topic) and not self.unknown(e.parts[0], topic)
            case And():
                return all(self.holds(p, individual, topic) for p in e.parts)
            case Or():
                return any(self.holds(p, individual, topic) for p in e.parts)

    def possible(self, e: Expression, individual: str, topic: str) -> bool:
        """Whether the individual may satisfy the expression, whatever the unknown pillars are."""
        if e.kind and not self.closed.holds(individual, ns(e.kind)):
            return False
        match e.tree:
            case Name():
                iri = self.named(e, topic)
                if self.closed.holds(individual, iri):
                    return True
                inner = self.program.definitions.get(iri)
                if inner:
                    return self.possible(inner.expression, individual, topic)
                return bool(self.program.class_rests.get(iri, frozenset()) & self.chart.unknown)
            case Value():
                return self.holds(e, individual, topic) or bool(e.term and e.term.rests_on & self.chart.unknown)
            case Some():
                # Only pillars can be missing from a chart; every line is there.
                if "Pillar" in e.parts[0].kinds and pillars_meant(e.parts[0]) & self.chart.unknown:
                    return True
                return any(self.possible(e.parts[0], x, topic) for x in self.closed.leads(individual, self.iri(e)))
            case Not():
                return not self.holds(e.parts[0], individual, topic)
            case And():
                return all(self.possible(p, individual, topic) for p in e.parts)
            case Or():
                return any(self.possible(p, individual, topic) for p in e.parts)

    def iri(self, e: Expression) -> str:
        """IRI of the class or property of an expression."""
        return e.term.iri if e.term else ""

    def named(self, e: Expression, topic: str) -> str:
        """The class that a name means in a topic."""
        return class_of(self.iri(e), topic)

    def unknown(self, e: Expression, topic: str) -> frozenset[str]:
        """What the expression rests on that is not known; of a class the compiler has worked it out."""
        found: set[str] = set()
        for part in e.walk():
            if part.term:
                found |= self.program.class_rests.get(self.named(part, topic), part.term.rests_on)
        return frozenset(found) & self.chart.unknown

    def satisfied(self, e: Expression, individual: str, topic: str) -> int:
        """How many parts hold: the measure of the nearest miss."""
        if isinstance(e.tree, And):
            return sum(self.satisfied(p, individual, topic) for p in e.parts)
        if isinstance(e.tree, Or):
            return max(self.satisfied(p, individual, topic) for p in e.parts)
        return int(self.holds(e, individual, topic))

    def proof(self, e: Expression, individual: str, topic: str, depth: int = 0) -> Proof:
        """The explanation of an expression for an individual."""
        ok = True if self.holds(e, individual, topic) else None if self.possible(e, individual, topic) else False
        text, who = show(e.tree), describe(self.chart, individual)
        parts: tuple[Proof, ...] = ()
        why: Said | None = None
        clause: str | None = None
        match e.tree:
            case Name():
                parts, why, clause = self._name(e, individual, topic, depth, bool(ok))
            case Value() if e.value in self.program.patterns:
                parts = self._pattern(e, individual, topic, depth, bool(ok))
                why = None if parts else self._value_missing(e, individual)
            case Value():
                why = reason(self.chart, e.term, individual, e.value) if ok else self._value_missing(e, individual)
            case Some():
                parts, why = self._some(e, individual, topic, depth, bool(ok))
            case Not():
                parts = (self.proof(e.parts[0], individual, topic, depth + 1),)
                why = None if parts[0].reason or parts[0].parts else say("is-not-so", condition=show(e.parts[0].tree))
            case And():
                parts = tuple(self.proof(p, individual, topic, depth) for p in e.parts)
            case Or():
                hits = [p for p in e.parts if self.holds(p, individual, topic)]
                shown = hits if hits else list(e.parts)
                parts = tuple(self.proof(p, individual, topic, depth) for p in shown)
        if ok is None:
            why = say("not-judged", unknown=_unknown(self.unknown(e, topic)))
        return Proof(text, who, individual, ok, why, parts, clause)

    def _name(self, e: Expression, individual: str, topic: str, depth: int, ok: bool) -> tuple[tuple[Proof, ...], Said | None, str | None]:
        if depth < DEEPEST:
            for clause in self.program.selections.get(self.named(e, topic), ()):
                found = self.program.conditions.get(clause.id)
                if found and (self.holds(found, individual, clause.topic) or not ok):
                    return (self.proof(found, individual, clause.topic, depth + 1),), None, clause.id
            inner = self.program.definitions.get(self.iri(e))
            # A kin is defined by its property; the reason for the kin says more than that definition.
            if inner and not isinstance(inner.expression.tree, Value):
                return (self.proof(inner.expression, individual, topic, depth + 1),), None, None
        counted = self._counted(self.named(e, topic))
        if counted:
            return (), counted, None
        return (), reason(self.chart, e.term, individual) if ok else None, None

    def _pattern(self, e: Expression, individual: str, topic: str, depth: int, ok: bool) -> tuple[Proof, ...]:
        """How a palace forms a pattern (成格), or a chart shows it (格): in which of its palaces, or by what of the whole."""
        if depth >= DEEPEST:
            return ()
        kind = "Palace" if e.kinds == {"Palace"} else "Cast"
        ways = self.program.patterns.get(e.value or "", [])
        at = [(w, individual) for w in ways if w.kind == kind]
        if kind == "Cast":
            palaces = self.closed.members(formed(e.value or "", "Palace")) if ok else []
            at += [(w, p) for w in ways if w.kind == "Palace" for p in palaces]
        shown = [(w, i) for w, i in at if self.holds(w.expression, i, topic)] if ok else at[:1]
        return tuple(self.proof(w.expression, i, topic, depth + 1) for w, i in shown)

    def _counted(self, iri: str) -> Said | None:
        """How the palaces stand that a counted class compares."""
        m = next((m for m in self.program.majorities if m.iri == iri), None)
        if m is None:
            return None
        sides = {p: "for" if self.closed.holds(p, m.more) else "against" if self.closed.holds(p, m.less) else "neither" for p in self.closed.members(m.among)}
        return joined((say(f"counted-{side}", who=describe(self.chart, p)) for p, side in sides.items()), say("then"))

    def _some(self, e: Expression, individual: str, topic: str, depth: int, ok: bool) -> tuple[tuple[Proof, ...], Said | None]:
        reached = self.closed.leads(individual, self.iri(e))
        if not reached:
            return (), say("nothing-under", who=describe(self.chart, individual), name=e.term.label if e.term else "")
        if ok:
            return tuple(self.proof(e.parts[0], x, topic, depth + 1) for x in reached if self.holds(e.parts[0], x, topic)), reason(
                self.chart, e.term, individual
            )
        # Of what is reached only the kind that is meant can be a near miss.
        meant = [x for x in reached if any(self.closed.holds(x, ns(k)) for k in e.parts[0].kinds)]
        nearest = max(meant or reached, key=lambda x: self.satisfied(e.parts[0], x, topic))
        return (self.proof(e.parts[0], nearest, topic, depth + 1),), None

    def _value_missing(self, e: Expression, individual: str) -> Said:
        has = [ontology().label(v) for v in self.closed.leads(individual, self.iri(e))]
        return say("it-is", value=joined(has, say("listed"))) if has else say("there-is-none")


def unknown_words(what: Iterable[str]) -> list[Said]:
    """What is not known, as a person would say it: `year pillar`, `day stem`, `solar term`."""
    return [say(f"unknown-{w}") for w in sorted(what)]


def _unknown(what: frozenset[str]) -> Said:
    words = unknown_words(what)
    # English says `year not known`, without the pillar and the article.
    return joined((Said(w.en.removesuffix(" pillar").removeprefix("the "), w.ko, w.zh_hant) for w in words), say("listed"))


def prove(chart: AnyChart, closed: Closed, program: Program, e: Expression, individual: str, topic: str) -> Proof:
    """How an individual does, or does not, satisfy a condition."""
    return Walk(chart, closed, program).proof(e, individual, topic)


def may_fire(chart: AnyChart, closed: Closed, program: Program, clause: Clause) -> bool:
    """Whether a clause that did not fire might, if what is unknown were known."""
    e = program.conditions[clause.id]
    walk = Walk(chart, closed, program)
    # A pillar that is not known is no individual yet, so a clause on it may always fire.
    if e.kinds == {"Pillar"} and pillars_meant(e) & chart.unknown:
        return True
    return any(walk.possible(e, i, clause.topic) for i in closed.types)


def why_not(chart: AnyChart, closed: Closed, program: Program, clause: Clause) -> Proof | None:
    """The nearest miss of a clause that did not fire: the individual with most parts satisfied, and what it lacks.

    None where the clause has no condition.
    """
    e = program.conditions.get(clause.id)
    if e is None:
        return None
    walk = Walk(chart, closed, program)
    candidates = [i for i in sorted(closed.types) if any(closed.holds(i, ns(k)) for k in e.kinds)]
    if not candidates:
        return None
    nearest = max(candidates, key=lambda i: (walk.satisfied(e, i, clause.topic), _first(i)))
    return walk.proof(e, nearest, clause.topic)


def _first(individual: str) -> int:
    """Among equals the lowest line."""
    last = iris.key(individual)
    return -int(last) if last.isdecimal() else 0
