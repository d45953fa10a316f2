"""A condition with every name resolved and its subject known: what the compiler, the layers and the explanations work on.

Every expression has a canonical text in IRIs, so equal conditions share one class, and a layer: the number of closures
after which its members are all known. Only `not` raises the layer.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from loader import iris
from loader.condition import And, Name, Not, Or, Some, Tree, Value
from loader.errors import ConditionError
from loader.names import Names, Term

LINE: Final = frozenset({"VisibleLine", "HiddenLine", "ChangedLine"})
PILLARS: Final = frozenset({"YearPillar", "MonthPillar", "DayPillar", "HourPillar"})


@dataclass(frozen=True)
class Expression:
    """A resolved condition.

    Attributes:
        tree: the condition as written (a part of it).
        kinds: kinds of individual that it may hold of.
        term: the class of a name, the property of `some` and `value`.
        value: the symbol of `value`.
        parts: the parts of `and`, `or`, `not`, `some`.
        kind: the kind that is conjoined because no name implies it, else None.
    """

    tree: Tree
    kinds: frozenset[str]
    term: Term | None = None
    value: str | None = None
    parts: tuple["Expression", ...] = ()
    kind: str | None = None

    @cached_property
    def canonical(self) -> str:
        """The expression in IRIs; equal texts mean equal classes."""
        core = self._canonical_core()
        return f"({core} & {self.kind})" if self.kind else core

    def _canonical_core(self) -> str:
        texts = [p.canonical for p in self.parts]
        match self.tree:
            case Name():
                return iris.key(self._term.iri) if self._term.iri.startswith(iris.NS) else self._term.iri
            case Not():
                # A complement is taken within the kinds that the expression speaks of.
                return f"not[{'|'.join(sorted(self.kinds))}] {texts[0]}"
            case Some():
                return f"{iris.key(self._term.iri)} some ({texts[0]})"
            case Value():
                return f"{iris.key(self._term.iri)} value {self.value}"
            case And():
                return "(" + " and ".join(sorted(set(texts))) + ")"
            case Or():
                return "(" + " or ".join(sorted(set(texts))) + ")"

    @property
    def _term(self) -> Term:
        if self.term is None:  # resolve() always sets it for names, some and value
            raise AssertionError(self.tree)
        return self.term

    @cached_property
    def iri(self) -> str:
        """The class of what satisfies it: the named class itself for a bare name."""
        return self._term.iri if isinstance(self.tree, Name) and self.kind is None else iris.expression(self.canonical)

    def walk(self) -> Iterator["Expression"]:
        """The expression and all its parts, the whole first."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def mentions(self) -> frozenset[str]:
        """IRIs of what the condition speaks of: the symbols meant, and classes and properties that mean no symbol.

        >>> from loader.condition import parse
        >>> from loader.names import names
        >>> sorted(map(iris.key, resolve(parse("初爻 and 官鬼 and 空"), names()).mentions()))
        ['Line1', 'Void', 'officer']
        """
        return frozenset(iri for e in self.walk() for iri in ((e.term.denotes or e.term.iri) if e.term else None, e.value) if iri)

    def terms(self) -> frozenset[Term]:
        """Every class and property named in it."""
        return frozenset(e.term for e in self.walk() if e.term is not None)


def resolve(tree: Tree, names: Names, where: str | None = None) -> Expression:
    """Resolve the names of a condition and settle its subject.

    Raises:
        ConditionError: unknown or ambiguous names, mixed subjects, `not` before what may be unknown.
    """
    return _settle(_resolve(tree, names, names.tradition.kinds, where), names, where, mixed=False)


def definition(tree: Tree, names: Names, term: Term, where: str | None = None) -> Expression:
    """Resolve a definition: its subject is what the defined class speaks of, and a member of an `or` may speak of fewer."""
    return _resolve(tree, names, term.kinds, where)


def _resolve(tree: Tree, names: Names, allowed: frozenset[str], where: str | None) -> Expression:
    match tree:
        case Name(text, column):
            term = names.term(text, prop=False, where=where, column=column)
            return Expression(tree, _within(term, allowed, where, column), term)
        case Value(prop, target):
            term = names.term(prop.text, prop=True, where=where, column=prop.column)
            value = names.value(term, target.text, where, target.column)
            return Expression(tree, _within(term, allowed, where, prop.column), term, value)
        case Some(prop, part):
            term = names.term(prop.text, prop=True, where=where, column=prop.column)
            if not term.leads_to:
                raise ConditionError(f"{prop.text!r} has symbols as values: use 'value'", where=where, column=prop.column)
            inner = _settle(_resolve(part, names, term.leads_to, where), names, where, mixed=True)
            inner = _without_kind(inner) if term.leads_to == inner.kinds or len(term.leads_to) == 1 else inner
            return Expression(tree, _within(term, allowed, where, prop.column), term, parts=(inner,))
        case Not(part):
            inner = _resolve(part, names, allowed, where)
            unknown = [t.label for t in inner.terms() if t.open_world]
            if unknown:
                raise ConditionError(f"'not' before {', '.join(unknown)}, which may be unknown", where=where, column=_column(tree))
            return Expression(tree, inner.kinds, parts=(inner,))
        case And(parts):
            found = [_resolve(p, names, allowed, where) for p in parts]
            kinds = frozenset.intersection(*(p.kinds for p in found))
            if not kinds:
                raise _mixed(found, where, tree)
            return Expression(tree, kinds, parts=tuple(found))
        case Or(parts):
            found = [_resolve(p, names, allowed, where) for p in parts]
            common = frozenset.intersection(*(p.kinds for p in found))
            kinds = common or frozenset().union(*(p.kinds for p in found))
            return Expression(tree, kinds, parts=tuple(found))


def _within(term: Term, allowed: frozenset[str], where: str | None, column: int) -> frozenset[str]:
    kinds = term.kinds & allowed
    if kinds:
        return kinds
    speaks, wanted = ", ".join(sorted(term.kinds)), ", ".join(sorted(allowed))
    raise ConditionError(f"mixed subjects: {term.label!r} speaks of {speaks}, here stands {wanted}", where=where, column=column)


def _mixed(parts: list[Expression], where: str | None, tree: Tree) -> ConditionError:
    each = "; ".join(f"{'|'.join(sorted(p.kinds))}" for p in parts)
    todo = "pass from line to cast by 於卦 some (...), from cast to line by 有 some (...)"
    return ConditionError(f"mixed subjects: {each}", where=where, column=_column(tree), todo=todo)


def _column(tree: Tree) -> int:
    match tree:
        case Name(_, column):
            return column
        case Some(prop, _) | Value(prop, _):
            return prop.column
        case Not(part):
            return _column(part)
        case And(parts) | Or(parts):
            return _column(parts[0])


def _settle(e: Expression, names: Names, where: str | None, *, mixed: bool) -> Expression:
    """Fix the one kind that is meant, at the top and after every `some`; there an `or` may join a line with a pillar."""
    if _joins(e):
        if not mixed:
            raise _mixed(list(e.parts), where, e.tree)
        return Expression(e.tree, e.kinds, parts=tuple(_settle(p, names, where, mixed=True) for p in e.parts))
    if isinstance(e.tree, And) and len(e.kinds) > 1 and any(_joins(p) for p in e.parts):
        # `(日辰 or 動爻) and 官鬼` speaks of a pillar or a line: the `or` says of which, so the rest stays open.
        if not mixed:
            raise _mixed([p for p in e.parts if _joins(p)], where, e.tree)
        return Expression(e.tree, e.kinds, parts=tuple(_settle(p, names, where, mixed=True) if _joins(p) else p for p in e.parts))
    chosen = next((k for k in names.tradition.defaults if k in e.kinds), None) or sorted(e.kinds)[0]
    implied = _implies(e) == {chosen}
    return Expression(e.tree, frozenset({chosen}), e.term, e.value, e.parts, None if implied else chosen)


def _joins(e: Expression) -> bool:
    """Whether it is an `or` of unlike kinds."""
    return isinstance(e.tree, Or) and not frozenset.intersection(*(p.kinds for p in e.parts))


def _implies(e: Expression) -> frozenset[str]:
    """Kinds that membership alone guarantees."""
    match e.tree:
        case And():
            return frozenset.intersection(*(_implies(p) for p in e.parts))
        case Or():
            return frozenset().union(*(_implies(p) for p in e.parts))
        case Not():
            return e.kinds
        case _:
            return e._term.kinds


def _without_kind(e: Expression) -> Expression:
    return Expression(e.tree, e.kinds, e.term, e.value, e.parts)


def pillars_meant(e: Expression) -> frozenset[str]:
    """The pillars of which an expression on pillars speaks: those that it names, else all four."""
    return frozenset[str]().union(*(t.rests_on for t in e.terms() if t.kinds == {"Pillar"})) or PILLARS
