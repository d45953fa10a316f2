"""What refers to what: clauses by the things that their conditions speak of and on which they conclude, cells by their symbols, definitions by their names."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeVar

from kg.asking import topics
from kg.judgement import program
from kg.pages.phrase import Phrase, phrase
from loader import iris
from loader.axioms import Program
from loader.chapter import chapters, clauses
from loader.clause import AUTHORITY_KINDS, ROLE_KINDS, Chapter, Clause
from loader.errors import GuiguError
from loader.iris import ns, symbol
from loader.names import TRADITIONS, names
from loader.ontology import Ontology, ontology
from loader.tables import Key, choose

_T = TypeVar("_T")
_UNTOLD: Final = frozenset({
    iris.TYPE, iris.SKOS + "inScheme", iris.SKOS + "topConceptOf", iris.RDFS + "isDefinedBy", iris.RDF + "first", iris.RDF + "rest",
    *(ns(p) for p in ("row", "column", "value", "inTable", "denotes", "subjectKind", "objectKind", "qimenKind", "rowKind", "valueKind", "byRule")),
})  # fmt: skip
"""Predicates by which a page does not list what refers to its subject: it shows that elsewhere, or it says nothing."""


@dataclass(frozen=True, slots=True)
class Use:
    """A cell in which a symbol stands.

    Attributes:
        table: IRI of the table.
        role: `row`, `column` or `value`.
        others: the other keys of the cell: its values where the symbol is a row or column, its row and column where it is a value.
    """

    table: str
    role: str
    others: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Definition:
    """How a class or pattern comes about: the pieces of its condition, and where that is from."""

    condition: Phrase
    source: str


@dataclass(frozen=True)
class Concordance:
    """All cross references of the doctrine, each list in the order of the books or files.

    Attributes:
        mentions: IRI to the clauses whose conditions speak of it.
        concludes: IRI to the clauses that conclude on it, cite it, or are of its topic.
        overridden: id of a clause to the ids of those that override it.
        definitions: IRI of a class or pattern to the ways in which it comes about.
        used_in: IRI to what is defined by it.
        referring: IRI to what refers to it, by predicate.
        uses: IRI to the cells in which it stands.
    """

    mentions: Mapping[str, tuple[Clause, ...]]
    concludes: Mapping[str, tuple[Clause, ...]]
    overridden: Mapping[str, tuple[str, ...]]
    definitions: Mapping[str, tuple[Definition, ...]]
    used_in: Mapping[str, tuple[str, ...]]
    referring: Mapping[str, Mapping[str, tuple[str, ...]]]
    uses: Mapping[str, tuple[Use, ...]]


def programs() -> Iterator[Program]:
    """The compiled clauses of each tradition, under the default conventions."""
    for tradition in TRADITIONS:
        yield program(topics(tradition), choose({}), tradition)


@cache
def concordance() -> Concordance:
    """The cross references of everything that the books say.

    >>> from loader.iris import symbol
    >>> [c.id for c in concordance().concludes[symbol("aspect", "midwife")]][:2]
    ['yy-taichan-021', 'yy-taichan-022']
    """
    every = clauses()
    mentions: dict[str, list[Clause]] = {}
    conditions = {i: e for p in programs() for i, e in p.conditions.items()}
    for i, clause in every.items():
        if i in conditions:
            for thing in conditions[i].mentions():
                mentions.setdefault(thing, []).append(clause)
    concludes: dict[str, list[Clause]] = {}
    overridden: dict[str, list[str]] = {}
    for clause in every.values():
        for iri in dict.fromkeys(conclusions(clause)):
            concludes.setdefault(iri, []).append(clause)
        for other in clause.overrides:
            overridden.setdefault(other, []).append(clause.id)
    definitions, used = _definitions()
    return Concordance(_tuples(mentions), _tuples(concludes), _tuples(overridden), definitions, used, _referring(ontology()), _uses(ontology()))


def conclusions(c: Clause) -> Iterator[str]:
    """IRIs of what a clause concludes on: aspect, outcome, omen, roles, quantity; of its topic; of whom it cites; of what it fills."""
    o = ontology()
    for kind, key in (("aspect", c.about), ("outcome", c.value), ("omen", c.omen), ("topic", c.topic)):
        if key:
            yield symbol(kind, key)
    for keys, kinds in ((c.signifies, ROLE_KINDS), (c.authority, AUTHORITY_KINDS)):
        yield from (iri for key in keys if (iri := o.keyed(key, *kinds)))
    if c.computes:
        yield symbol("quantity", c.computes.quantity)
    yield from (iri for name in (c.selects, c.defines) if name and (iri := named(name, c.tradition)))


def named(name: str, tradition: str) -> str | None:
    """IRI of the class of that name in a tradition, or None."""
    try:
        return names(tradition).term(name, prop=False).iri
    except GuiguError:
        return None


def _definitions() -> tuple[dict[str, tuple[Definition, ...]], dict[str, tuple[str, ...]]]:
    found: dict[str, list[Definition]] = {}
    used: dict[str, dict[str, None]] = {}
    for compiled in programs():
        ways = [(iri, d.expression, d.source) for iri, d in compiled.definitions.items()]
        ways += [(iri, f.expression, f.source) for iri, formed in compiled.patterns.items() for f in formed]
        for iri, e, source in ways:
            found.setdefault(iri, []).append(Definition(phrase(e), source))
            for thing in sorted(e.mentions() - {iri, *ontology().iris(iri, ns("denotes"))}):
                used.setdefault(thing, {}).setdefault(iri)
    return _tuples(found), {iri: tuple(things) for iri, things in used.items()}


def _referring(o: Ontology) -> dict[str, dict[str, tuple[str, ...]]]:
    found: dict[str, dict[str, dict[str, None]]] = {}
    for s, p, value in o.triples():
        if isinstance(value, str) and p not in _UNTOLD and not s.startswith("_:") and value.startswith(iris.BASE):
            found.setdefault(value, {}).setdefault(p, {}).setdefault(s)
    # What is said both ways (排斥, 相近) is shown once, with the relations of the thing itself.
    return {
        iri: {p: kept for p, things in by_predicate.items() if (kept := tuple(s for s in things if s not in o.objects(iri, p)))}
        for iri, by_predicate in found.items()
    }


@cache
def predicates() -> dict[str, tuple[str, ...]]:
    """Each subject of the ontology to the predicates that it has, in file order."""
    found: dict[str, dict[str, None]] = {}
    for s, p, _ in ontology().triples():
        found.setdefault(s, {}).setdefault(p)
    return _tuples({s: list(of) for s, of in found.items()})


def _uses(o: Ontology) -> dict[str, tuple[Use, ...]]:
    found: dict[str, list[Use]] = {}
    for table in (*o.of_type("StarTable"), *o.of_type("Table")):
        for cell in o.subjects(ns("inTable"), table):
            rows, columns, values = (tuple(_keys(o, cell, p)) for p in ("row", "column", "value"))
            for role, mine, others in (("row", rows, (*columns, *values)), ("column", columns, (*rows, *values)), ("value", values, (*rows, *columns))):
                for key in mine:
                    if isinstance(key, str):
                        found.setdefault(key, []).append(Use(table, role, others))
    return _tuples(found)


def _keys(o: Ontology, cell: str, prop: str) -> Iterator[Key]:
    for node in o.objects(cell, ns(prop)):
        yield node if isinstance(node, str) else int(node.text)


def _tuples(found: Mapping[str, list[_T]]) -> dict[str, tuple[_T, ...]]:
    return {iri: tuple(things) for iri, things in found.items()}


def by_chapter(found: Iterable[Clause]) -> tuple[tuple[Chapter, tuple[Clause, ...]], ...]:
    """Clauses under the chapters in which they stand, in the order of the books."""
    of: dict[str, list[Clause]] = {}
    for clause in found:
        of.setdefault(clause.passage.chapter.iri, []).append(clause)
    return tuple((chapter, tuple(of[chapter.iri])) for chapter in chapters() if chapter.iri in of)
