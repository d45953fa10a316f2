"""What a name in a condition means: the labels of the vocabulary, scoped by tradition, and the symbols they lead to."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from loader import iris
from loader.errors import ConditionError, near_matches
from loader.iris import ns
from loader.ontology import Ontology, ontology


@dataclass(frozen=True, slots=True)
class Tradition:
    """One of the traditions that share the language of conditions.

    Attributes:
        key: as chapter files name it.
        iri: as the vocabulary names it.
        kinds: the kinds of individual that its casts have.
        defaults: what is meant where the names leave the subject open, the first that is possible.
        ways: kind to the property that leads from the cast to its individuals; the kinds left out share the last one.
        definitions: file of its defined classes.
    """

    key: str
    iri: str
    kinds: frozenset[str]
    defaults: tuple[str, ...]
    ways: tuple[tuple[str, str], ...]
    definitions: str

    def way(self, kinds: frozenset[str]) -> str:
        """The property from the cast to individuals of the kinds."""
        return next((prop for kind, prop in self.ways[:-1] if kinds == {kind}), self.ways[-1][1])


TRADITIONS: Final = {
    "liuyao": Tradition(
        "liuyao",
        ns("Liuyao"),
        frozenset({"VisibleLine", "HiddenLine", "ChangedLine", "MutualLine", "Pillar", "Cast", "ChangedHexagram"}),
        ("VisibleLine", "Cast"),
        (("Pillar", "hasPillar"), ("", "hasLine")),
        "definitions.yaml",
    ),
    "qimen": Tradition(
        "qimen",
        ns("Qimen"),
        frozenset({"Palace", "PlateSymbol", "Pillar", "NatalPillar", "Cast"}),
        ("PlateSymbol", "Palace", "Cast"),
        (("", "hasPart"),),
        "definitions-qimen.yaml",
    ),
}


@dataclass(frozen=True, slots=True)
class Term:
    """A class or property of the vocabulary.

    Attributes:
        iri: its IRI.
        label: its Chinese label.
        kinds: local names of the kinds of individual that it speaks of (`VisibleLine`, `Pillar`, ...).
        leads_to: kinds that a property leads to; empty for classes and for properties with symbols as values.
        value_class: class of the symbols that a property has as values, else None.
        rests_on: what must be known before its absence may be concluded (`YearPillar`, ..., `SolarTerm`).
        open_world: a fact of the question that may be unknown, never negated.
        denotes: the symbol whose bearers the class gathers, else None.
    """

    iri: str
    label: str
    kinds: frozenset[str]
    leads_to: frozenset[str]
    value_class: str | None
    rests_on: frozenset[str]
    open_world: bool
    denotes: str | None

    @property
    def is_property(self) -> bool:
        """Whether it takes `some` or `value`."""
        return bool(self.leads_to) or self.value_class is not None


@dataclass(frozen=True)
class Names:
    """The names that one tradition may use."""

    tradition: Tradition
    terms: dict[str, Term]
    _by_label: dict[str, tuple[str, ...]]
    _values: dict[str, dict[str, tuple[str, ...]]]

    def term(self, text: str, *, prop: bool, where: str | None = None, column: int | None = None) -> Term:
        """The class or property of that name.

        Raises:
            ConditionError: unknown (with near matches), ambiguous, or a class used as a property.
        """
        found = [self.terms[i] for i in self._by_label.get(text, ()) if self.terms[i].is_property == prop]
        if len(found) == 1:
            return found[0]
        kind = "property" if prop else "class"
        if found:
            several = ", ".join(f"{t.label} ({iris.key(t.iri)})" for t in found)
            raise ConditionError(f"{text!r} means several things: {several}", where=where, column=column, todo="write its scheme, as in 運:死")
        if text in self._by_label:
            other = "a property: it needs 'some' or 'value'" if not prop else "a class: 'some' and 'value' need a property"
            raise ConditionError(f"{text!r} is {other}", where=where, column=column)
        labels = [name for name, hits in self._by_label.items() if any(self.terms[i].is_property == prop for i in hits)]
        raise ConditionError(f"no {kind} is named {text!r}", where=where, column=column, todo=_near(text, labels))

    def value(self, prop: Term, text: str, where: str | None = None, column: int | None = None) -> str:
        """The symbol of that name among the values of a property.

        Raises:
            ConditionError: unknown or ambiguous, or the property leads to no symbols.
        """
        if prop.value_class is None:
            raise ConditionError(f"{prop.label!r} leads to no symbols: use 'some'", where=where, column=column)
        values = self._values.get(prop.value_class, {})
        found = values.get(text, ())
        if len(found) == 1:
            return found[0]
        if found:
            raise ConditionError(f"{text!r} is ambiguous among the values of {prop.label!r}", where=where, column=column)
        raise ConditionError(f"no value of {prop.label!r} is named {text!r}", where=where, column=column, todo=_near(text, values))


def _near(text: str, names: Iterable[str]) -> str:
    # Short Chinese names share few characters, so any shared character counts as near too.
    names = list(names)
    close = list(near_matches(text, names, limit=5))
    close += [n for n in names if n not in close and set(n) & set(text) and not n.isascii()][: 5 - len(close)]
    return f"did you mean {', '.join(close)}?" if close else "see ontology/vocabulary.ttl for the names"


def _locals(o: Ontology, iri: str, predicate: str) -> frozenset[str]:
    return frozenset(iris.key(k) for k in o.iris(iri, ns(predicate)))


@cache
def names(tradition: str = "liuyao") -> Names:
    """The names of a tradition: those it shares and its own.

    >>> names().term("空", prop=False).label
    '空亡'
    """
    o = ontology()
    meant = TRADITIONS[tradition]
    terms: dict[str, Term] = {}
    by_label: dict[str, dict[str, None]] = defaultdict(dict)
    for iri in o.of_type("Name"):
        traditions = o.iris(iri, ns("tradition"))
        if traditions and meant.iri not in traditions:
            continue
        kinds = (_locals(o, iri, "subjectKind") | _locals(o, iri, f"{tradition}Kind")) & meant.kinds
        if not kinds:
            continue
        value_class = next(iter(o.iris(iri, ns("valueClass"))), None)
        terms[iri] = Term(
            iri,
            o.label(iri),
            kinds,
            _locals(o, iri, "objectKind") & meant.kinds,
            iris.key(value_class) if value_class else None,
            _locals(o, iri, "restsOn"),
            o.text(iri, ns("openWorld")) == "true",
            next(iter(o.iris(iri, ns("denotes"))), None),
        )
        for literal in o.labels(iri):
            by_label[literal.text].setdefault(iri)
    # A chief label goes before an alias of another term: 絕 the alias must not hide a term that is called so.
    chief = {o.label(iri): iri for iri in terms}
    resolved = {t: ((chief[t],) if t in chief and terms[chief[t]].is_property == _only(terms, hits) else tuple(hits)) for t, hits in by_label.items()}
    values: dict[str, dict[str, tuple[str, ...]]] = {}
    for value_class in {t.value_class for t in terms.values() if t.value_class}:
        found: dict[str, dict[str, None]] = defaultdict(dict)
        for s in o.of_type(value_class):
            for literal in o.labels(s):
                found[literal.text].setdefault(s)
        values[value_class] = {text: tuple(hits) for text, hits in found.items()}
    return Names(meant, terms, resolved, values)


def _only(terms: dict[str, Term], hits: dict[str, None]) -> bool | None:
    kinds = {terms[i].is_property for i in hits}
    return kinds.pop() if len(kinds) == 1 else None
