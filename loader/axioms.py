"""The compiler: definitions and clauses become OWL 2 RL axioms in layers.

Every expression gets a named class, and a general class inclusion puts into it what satisfies the expression. A clause's
condition, conjoined with its topic, is a subclass of `fires value clause`; `fires` is carried from line and pillar to the
cast. `not` is closed by layers: when all members of an expression are known, the rest of its domain gets the complement.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from loader import iris
from loader.chapter import clauses
from loader.clause import ROLE_KINDS, Clause
from loader.condition import And, Name, Not, Or, Some, Value, parse, parsed
from loader.definitions import Definition, Formed, definitions, entries, patterns
from loader.errors import ConditionError
from loader.expression import LINE, Expression, pillars_meant, resolve
from loader.iris import TYPE, Triple, ns, symbol
from loader.names import TRADITIONS, Term, names
from loader.ontology import ontology
from loader.tables import Tables, star_pillars

_SUB: Final = iris.RDFS + "subClassOf"
_SUBPROPERTY: Final = iris.RDFS + "subPropertyOf"
_KINDS: Final = {
    LINE: ns("Line"),
    LINE | {"Pillar"}: ns("Bearer"),
    LINE | {"Pillar", "MutualLine"}: ns("Bearer"),
}
_PER_TOPIC: Final = {ns("UsefulGod"): "useful-god", ns("RoleLine"): "role-line"}
"""Names that mean another class in each topic: 用神, 分爻."""
_WAYS: Final = frozenset(ns(prop) for tradition in TRADITIONS.values() for _, prop in tradition.ways)
_PATTERN_KIND: Final = {ns("formsPattern"): "Palace", ns("showsPattern"): "Cast"}
"""成格 and 格: properties whose values are concluded, not stated."""


def formed(pattern: str, kind: str) -> str:
    """The class of the palaces that form a pattern, or of the casts that show it."""
    return symbol("formed" if kind == "Palace" else "shown", iris.key(pattern))


def class_of(iri: str, topic: str) -> str:
    """The class that a name means in a topic."""
    return symbol(_PER_TOPIC[iri], topic) if iri in _PER_TOPIC else iri


@dataclass(frozen=True, slots=True)
class Complement:
    """After the closure of `layer`, individuals of `kinds` outside `of` get `iri`, unless what it rests on is unknown."""

    layer: int
    iri: str
    of: str
    kinds: frozenset[str]
    rests_on: frozenset[str]


@dataclass(frozen=True, slots=True)
class Majority:
    """After the closure of `layer`, a cast with more individuals in `among` and `more` than in `among` and `less` gets `iri`."""

    layer: int
    iri: str
    among: str
    more: str
    less: str
    rests_on: frozenset[str]


@dataclass
class Program:
    """What a set of clauses compiles to.

    Attributes:
        axioms: triples by the layer from which on they may be used.
        complements: the classes to close, by layer.
        conditions: clause id to its resolved condition.
        rests_on: clause id to what must be known for it to be judged.
        class_rests: IRI of a class to what must be known before its absence may be concluded.
        signature: classes and properties whose facts the axioms can use.
        definitions: IRI of a defined class to its definition.
        patterns: IRI of a pattern to the ways in which it comes about.
        majorities: the classes of a cast that count its parts, by layer.
    """

    tradition: str
    axioms: dict[int, list[Triple]] = field(default_factory=dict)
    complements: list[Complement] = field(default_factory=list)
    conditions: dict[str, Expression] = field(default_factory=dict)
    rests_on: dict[str, frozenset[str]] = field(default_factory=dict)
    class_rests: dict[str, frozenset[str]] = field(default_factory=dict)
    signature: set[str] = field(default_factory=set)
    definitions: dict[str, Definition] = field(default_factory=dict)
    patterns: dict[str, list[Formed]] = field(default_factory=dict)
    majorities: list[Majority] = field(default_factory=list)
    selections: dict[str, list[Clause]] = field(default_factory=dict)

    @property
    def layers(self) -> int:
        """How many closures it takes."""
        return max((*self.axioms, *(c.layer for c in self.complements), *(m.layer for m in self.majorities)), default=0) + 1


class _Compiler:
    def __init__(self, tradition: str, conventions: Mapping[str, str], selecting: Iterable[Clause]) -> None:
        self.names = names(tradition)
        self.program = Program(tradition, definitions=definitions(conventions, tradition), patterns=patterns(conventions, tradition))
        self.counted = {self.names.term(e["name"], prop=False).iri: e["most"] for e, _, _ in entries(conventions, tradition) if "most" in e}
        self.tables = Tables(conventions)
        self.conventions = conventions
        self.layer_of: dict[str, int] = {}
        self.rests = self.program.class_rests
        self.open: list[str] = []
        self.blank = 0
        for clause in selecting:
            for selected in self.selected(clause):
                self.program.selections.setdefault(selected, []).append(clause)

    def selected(self, clause: Clause) -> list[str]:
        """The classes that a clause fills: what it selects or defines, and the line of the role that it assigns."""
        terms = [self.names.term(name, prop=False, where=str(clause.mark)).iri for name in (clause.selects, clause.defines) if name]
        return [class_of(iri, clause.topic) for iri in (*terms, *([ns("RoleLine")] if clause.kind == "line-assignment" else []))]

    # -- triples ---------------------------------------------------------------------------------------------------------

    def add(self, layer: int, *triples: Triple) -> None:
        self.program.axioms.setdefault(layer, []).extend(triples)

    def node(self) -> str:
        self.blank += 1
        return f"_:e{self.blank}"

    def listed(self, layer: int, members: list[str]) -> str:
        head = iris.RDF + "nil"
        for member in reversed(members):
            cell = self.node()
            self.add(layer, (cell, iris.RDF + "first", member), (cell, iris.RDF + "rest", head))
            head = cell
        return head

    def restriction(self, layer: int, prop: str, how: str, target: str) -> str:
        node = self.node()
        self.add(layer, (node, TYPE, iris.OWL + "Restriction"), (node, iris.OWL + "onProperty", prop), (node, iris.OWL + how, target))
        return node

    def both(self, layer: int, members: list[str]) -> str:
        if len(members) == 1:
            return members[0]
        node = self.node()
        self.add(layer, (node, TYPE, iris.OWL + "Class"), (node, iris.OWL + "intersectionOf", self.listed(layer, members)))
        return node

    # -- expressions -----------------------------------------------------------------------------------------------------

    def emit(self, e: Expression, topic: str) -> str:
        """Emit what an expression needs; return the class of what satisfies it."""
        if isinstance(e.tree, Name) and e.kind is None:
            return self.name(e, topic)
        iri = e.iri if not _per_topic(e) else iris.expression(f"{topic}: {e.canonical}")
        if iri in self.layer_of:
            return iri
        parts = [self.emit(p, topic) for p in e.parts]
        layer = max((self.layer_of[p] for p in parts), default=0)
        rests = frozenset[str]().union(*(self.rests[p] for p in parts))
        members: list[str] = [ns(e.kind)] if e.kind else []
        if e.kind:
            self.program.signature.add(ns(e.kind))
        match e.tree:
            case Name():
                core = self.name(e, topic)
                layer, rests = self.layer_of[core], self.rests[core]
                members.append(core)
            case Not():
                core = iri if not e.kind else iris.expression(f"{topic}: {e._canonical_core()}")
                self.program.complements.append(Complement(layer, core, parts[0], e.parts[0].kinds, rests))
                layer += 1
                self.layer_of[core], self.rests[core] = layer, rests
                members.append(core)
            case Some():
                members.append(self.restriction(layer, self.prop(e), "someValuesFrom", parts[0]))
                rests |= self.prop_rests(e)
            case Value() if e.term and e.term.iri in _PATTERN_KIND:
                core = self.pattern(e.value or "", _PATTERN_KIND[e.term.iri])
                layer, rests = self.layer_of[core], self.rests[core]
                members.append(core)
            case Value():
                members.append(self.restriction(layer, self.prop(e), "hasValue", e.value or ""))
                rests |= self.prop_rests(e)
            case And():
                members += parts
            case Or() if not e.kind:
                self.add(layer, *((p, _SUB, iri) for p in parts))
                members = []
            case Or():
                union = iris.expression(f"{topic}: {e._canonical_core()}")
                self.add(layer, *((p, _SUB, union) for p in parts))
                members.append(union)
        if members and members != [iri]:
            self.add(layer, (self.both(layer, members), _SUB, iri))
        self.layer_of[iri], self.rests[iri] = layer, rests
        return iri

    def prop(self, e: Expression) -> str:
        if e.term is None:
            raise AssertionError(e)
        self.property_axioms(e.term.iri)
        return e.term.iri

    def prop_rests(self, e: Expression) -> frozenset[str]:
        term = e.term
        if term is None:
            raise AssertionError(e)
        return term.rests_on | (pillars_meant(e.parts[0]) if e.parts and "Pillar" in e.parts[0].kinds else frozenset())

    def property_axioms(self, prop: str) -> None:
        """A property's sub-properties and inverses, down to those that the chart states."""
        if prop in self.program.signature:
            return
        self.program.signature.add(prop)
        o = ontology()
        # An inverse is stated once, on either of the two.
        for inverse in (*o.iris(prop, iris.OWL + "inverseOf"), *o.subjects(iris.OWL + "inverseOf", prop)):
            if prop not in _WAYS:
                self.add(0, (prop, iris.OWL + "inverseOf", inverse))
                self.property_axioms(inverse)
        for sub in o.subjects(_SUBPROPERTY, prop):
            self.add(0, (sub, _SUBPROPERTY, prop))
            self.property_axioms(sub)

    def name(self, e: Expression, topic: str) -> str:
        term = e.term
        if term is None:
            raise AssertionError(e)
        iri = class_of(term.iri, topic)
        if iri != term.iri:
            # Selected by clauses, or stated of a chart.
            self.program.signature.add(iri)
            self.fill(iri, term.label)
            return iri
        if iri in self.layer_of:
            return iri
        if iri in self.counted:
            self.majority(iri, self.counted[iri])
            return iri
        found = self.program.definitions.get(iri)
        if found is None and iri not in self.program.selections:
            self.layer_of[iri], self.rests[iri] = 0, self.fact_rests(term)
            self.program.signature.add(iri)
            return iri
        self.fill(iri, term.label, found)
        return iri

    def fill(self, iri: str, label: str, found: Definition | None = None) -> None:
        """A defined class: by definition, by selecting clauses, or both."""
        if iri in self.layer_of:
            return
        if iri in self.open:
            raise ConditionError(f"{label!r} is defined by itself", where=" -> ".join(map(iris.key, (*self.open, iri))))
        self.open.append(iri)
        sources: list[tuple[str, list[str]]] = []
        if found is not None:
            inner = self.emit(found.expression, "")
            kinds = found.term.kinds
            implied = found.expression.kinds <= kinds and _guarded(found.expression, kinds)
            sources.append((inner, [] if implied else [self.kind_class(kinds)]))
        for clause in self.program.selections.get(iri, ()):
            inner = self.emit(self.condition(clause), clause.topic)
            sources.append((inner, self.bounds(iri, clause)))
        layer = max((self.layer_of[s] for s, _ in sources), default=0)
        for inner, more in sources:
            self.add(layer, (self.both(layer, [inner, *more]), _SUB, iri))
        self.layer_of[iri] = layer
        self.rests[iri] = frozenset[str]().union(*(self.rests[s] for s, _ in sources))
        self.open.pop()

    def pattern(self, pattern: str, kind: str) -> str:
        """The class of the palaces that form a pattern, or of the charts that show it; a chart shows what a palace of it forms."""
        iri = formed(pattern, kind)
        if iri in self.layer_of:
            return iri
        if iri in self.open:
            raise ConditionError(f"{iris.key(pattern)!r} is defined by itself", where=" -> ".join(map(iris.key, (*self.open, iri))))
        self.open.append(iri)
        ways = self.program.patterns.get(pattern, [])
        sources = [self.emit(w.expression, "") for w in ways if w.kind == kind]
        if kind == "Cast" and any(w.kind == "Palace" for w in ways):
            inner = self.pattern(pattern, "Palace")
            some = iris.expression(f"hasPart some {inner}")
            self.add(self.layer_of[inner], (self.restriction(self.layer_of[inner], ns("hasPart"), "someValuesFrom", inner), _SUB, some))
            self.program.signature.add(ns("hasPart"))
            self.layer_of[some], self.rests[some] = self.layer_of[inner], self.rests[inner]
            sources.append(some)
        if not sources:
            raise ConditionError(f"no {kind.lower()} is said to form {ontology().label(pattern)!r}", todo="define it in the definitions of the tradition")
        layer = max(self.layer_of[s] for s in sources)
        prop = next(p for p, k in _PATTERN_KIND.items() if k == kind)
        self.add(layer, *((s, _SUB, iri) for s in sources), (iri, _SUB, self.restriction(layer, prop, "hasValue", pattern)))
        self.layer_of[iri], self.rests[iri] = layer, frozenset[str]().union(*(self.rests[s] for s in sources))
        self.open.pop()
        return iri

    def majority(self, iri: str, counted: Mapping[str, str]) -> None:
        """A class of the cast that counts its parts."""
        among, more, less = (self.emit(resolve(parse(counted[k]), self.names), "") for k in ("of", "are", "than"))
        layer = max(self.layer_of[c] for c in (among, more, less))
        rests = self.rests[among] | self.rests[more] | self.rests[less]
        self.program.majorities.append(Majority(layer, iri, among, more, less, rests))
        self.layer_of[iri], self.rests[iri] = layer + 1, rests

    def bounds(self, iri: str, clause: Clause) -> list[str]:
        """What else must hold for a clause to fill a class: its topic is asked, or the role that it assigns."""
        if iri == class_of(ns("RoleLine"), clause.topic):
            return [self.scope(clause.topic), self.asked(clause)]
        return [self.scope(clause.topic)] if clause.selects else []

    def kind_class(self, kinds: frozenset[str]) -> str:
        iri = _KINDS.get(kinds) or (ns(next(iter(kinds))) if len(kinds) == 1 else None)
        if iri is not None:
            self.program.signature.add(iri)
            return iri
        iri = iris.expression("|".join(sorted(kinds)))
        if iri not in self.layer_of:
            self.add(0, *((ns(k), _SUB, iri) for k in sorted(kinds)))
            self.program.signature |= {ns(k) for k in kinds}
            self.layer_of[iri], self.rests[iri] = 0, frozenset()
        return iri

    def fact_rests(self, term: Term) -> frozenset[str]:
        """What a stated class rests on; of stars, the pillars of their tables under the convention chosen."""
        if term.denotes and "/star/" in term.denotes:
            found: set[str] = set()
            for star, table in self.tables.star_tables():
                if star == term.denotes:
                    found |= {iris.key(p) for p in star_pillars(table.iri, self.conventions)}
            return frozenset(found)
        return term.rests_on

    # -- clauses ---------------------------------------------------------------------------------------------------------

    def condition(self, clause: Clause) -> Expression:
        if clause.id not in self.program.conditions:
            if not clause.when_text:
                raise ConditionError(f"clause {clause.id} has no condition", where=str(clause.mark))
            try:
                self.program.conditions[clause.id] = resolve(parsed(clause.when_text), self.names)
            except ConditionError as error:
                m = clause.mark
                column = f", character {error.column} of {clause.when_text!r}" if error.column else ""
                raise ConditionError(error.what, where=f"{m.file} ({clause.id}{column})", line=m.line, column=m.column, todo=error.todo) from error
        return self.program.conditions[clause.id]

    def scope(self, topic: str) -> str:
        """The class of the cast that asks of a topic, and of its lines and pillars."""
        return self.asking(symbol("scope", topic), "askedAbout", [symbol("topic", topic)])

    def asked(self, clause: Clause) -> str:
        """The class of the cast that asks of a role that the clause assigns, and of its lines."""
        return self.asking(symbol("scope", clause.id), "asksRole", [iri for key in clause.signifies if (iri := ontology().keyed(key, *ROLE_KINDS))])

    def asking(self, iri: str, prop: str, values: Iterable[str]) -> str:
        if iri not in self.layer_of:
            for value in values:
                self.add(0, (self.restriction(0, ns(prop), "hasValue", value), _SUB, iri))
            self.add(0, (self.restriction(0, ns("ofCast"), "someValuesFrom", iri), _SUB, iri))
            self.program.signature |= {ns(prop), ns("ofCast")}
            self.layer_of[iri], self.rests[iri] = 0, frozenset()
        return iri

    def clause(self, clause: Clause) -> None:
        e = self.condition(clause)
        inner = self.emit(e, clause.topic)
        layer = self.layer_of[inner]
        self.program.rests_on[clause.id] = self.rests[inner]
        fires = symbol("fires", clause.id)
        self.add(layer, (self.both(layer, [inner, self.scope(clause.topic)]), _SUB, fires))
        self.add(layer, (fires, _SUB, self.restriction(layer, ns("fires"), "hasValue", clause.iri)))
        if e.kinds != {"Cast"}:
            way = self.names.tradition.way(e.kinds)
            self.program.signature.add(ns(way))
            self.add(layer, (self.restriction(layer, ns(way), "someValuesFrom", fires), _SUB, fires))


def _per_topic(e: Expression) -> bool:
    return any(t.iri in _PER_TOPIC for t in e.terms())


def _guarded(e: Expression, kinds: frozenset[str]) -> bool:
    """Whether membership in the expression already implies the kinds."""
    match e.tree:
        case Name() | Some() | Value():
            return e.term is not None and e.term.kinds <= kinds
        case Not():
            return e.kinds <= kinds
        case And():
            return any(_guarded(p, kinds) for p in e.parts)
        case Or():
            return all(_guarded(p, kinds) for p in e.parts)


def compile_clauses(
    chosen: Iterable[Clause],
    conventions: Mapping[str, str],
    tradition: str = "liuyao",
    every: Iterable[Clause] | None = None,
    shown: Iterable[str] = (),
) -> Program:
    """Compile clauses, with all that they need: definitions, selecting clauses of their topics, complements.

    Args:
        chosen: the clauses wanted; those that never fire are compiled only where a class that they fill is named.
        conventions: the conventions of the cast.
        tradition: whose vocabulary is meant.
        every: where to look for selecting and defining clauses; all clauses of guigu by default.
        shown: names of classes that are wanted whether or not a clause uses them.

    Raises:
        ConditionError: a name, a subject, or a definition in a circle.
    """
    reading = conventions.get("reading", "graded")
    wanted = [c.under(reading) for c in chosen]
    pool = [c.under(reading) for c in (clauses().values() if every is None else every) if c.tradition == tradition]
    compiler = _Compiler(tradition, conventions, [c for c in pool if c.when_text and (c.selects or c.defines or c.kind == "line-assignment")])
    for pattern in compiler.program.patterns:
        compiler.pattern(pattern, "Cast")
    for name in shown:
        compiler.emit(resolve(Name(name, 0), compiler.names), "")
    for clause in wanted:
        if clause.fires:
            compiler.clause(clause)
        elif clause.when_text:
            # Named so that useful gods, roles and steps can be shown for a cast too; they do not fire.
            inner = compiler.emit(compiler.condition(clause), clause.topic)
            compiler.program.rests_on[clause.id] = compiler.rests[inner]
    return compiler.program
