"""What a page shows of one thing of the ontology: its names, definition, relations, tables, and the clauses that speak of it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from kg.pages.address import address, path
from kg.pages.concordance import Definition, Use, by_chapter, concordance, predicates
from loader import iris
from loader.clause import Chapter, Clause
from loader.iris import ns
from loader.ontology import Literal, Node, ontology
from loader.tables import Key

_WIDE: Final = frozenset({"topic", "omen"})
"""Kinds on which so many clauses conclude that only their number in each chapter is shown."""
_NOTES: Final = tuple(iris.SKOS + n for n in ("scopeNote", "note", "editorialNote", "historyNote", "example"))
_ELSEWHERE: Final = frozenset({
    iris.TYPE, iris.RDFS + "label", iris.RDFS + "comment", iris.RDFS + "isDefinedBy", iris.DCTERMS + "description", *_NOTES,
    *(iris.SKOS + n for n in ("prefLabel", "altLabel", "hiddenLabel", "notation", "definition", "inScheme", "topConceptOf", "memberList")),
    *(ns(n) for n in ("section", "denotes", "inTable", "row", "column", "value", "definedAs", "option", "optionKey", "isDefault", "nayinName")),
})  # fmt: skip
"""Predicates that have a place of their own on a page, or say nothing to a reader."""
_TYPES: Final = frozenset({iris.SKOS + "Concept", iris.SKOS + "ConceptScheme", ns("Name"), iris.OWL + "NamedIndividual"})
"""Types that say nothing to a reader."""


@dataclass(frozen=True, slots=True)
class Row:
    """A predicate with what it leads to: IRIs, or literals."""

    predicate: str
    values: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class TableUse:
    """A table in which a symbol stands: as row, column or value, with the other keys of each cell."""

    table: str
    role: str
    cells: tuple[tuple[Key, ...], ...]


Chapters = tuple[tuple[Chapter, tuple[Clause, ...]], ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A thing of the ontology.

    Attributes:
        iri: its IRI.
        types: its classes, as far as they say something.
        notations: its signs, of one character each.
        others: other names, with their languages.
        pinyin: its reading.
        notes: remarks in English.
        definitions: how it comes about, where it is defined by a condition.
        rows: what it leads to, by predicate.
        referring: what leads to it.
        bearers: classes of conditions that gather what bears it.
        tables: the tables in which it stands.
        used_in: what is defined by it.
        mentioned: the clauses whose condition speaks of it, by chapter.
        concluded: the clauses that conclude on it, by chapter.
        wide: whether only their number is shown.
    """

    iri: str
    types: tuple[str, ...]
    notations: tuple[str, ...]
    others: tuple[Literal, ...]
    pinyin: str
    notes: tuple[str, ...]
    definitions: tuple[Definition, ...]
    rows: tuple[Row, ...]
    referring: tuple[Row, ...]
    bearers: tuple[str, ...]
    tables: tuple[TableUse, ...]
    used_in: tuple[str, ...]
    mentioned: Chapters
    concluded: Chapters
    wide: bool


def entry(iri: str) -> Entry:
    """What a page shows of a thing.

    >>> e = entry(iris.symbol("kin", "officer"))
    >>> [iris.key(b) for b in e.bearers], len(e.mentioned) > 1
    (['KinOfficer'], True)
    """
    o, c = ontology(), concordance()
    # A class of bearers goes by the labels of its symbol, beside which it stands.
    named = [] if o.iris(iri, ns("denotes")) else list(o.labels(iri))
    chief = {o.label(iri, language) for language in ("zh-hant", "ko", "en")}
    return Entry(
        iri,
        tuple(t for t in dict.fromkeys(o.iris(iri, iris.TYPE)) if t not in _TYPES),
        tuple(t.text for t in o.objects(iri, iris.SKOS + "notation") if isinstance(t, Literal) and len(t.text) == 1),
        tuple(n for n in dict.fromkeys(named) if n.language in ("zh-hant", "lzh", "ko", "en") and n.text not in chief),
        next((n.text for n in named if n.language == "zh-latn-pinyin"), ""),
        tuple(t.text for p in _NOTES for t in o.objects(iri, p) if isinstance(t, Literal)),
        c.definitions.get(iri, ()),
        tuple(_rows(iri)),
        tuple(_referring(iri)),
        tuple(o.subjects(ns("denotes"), iri)),
        tuple(_tables(c.uses.get(iri, ()))),
        c.used_in.get(iri, ()),
        by_chapter(c.mentions.get(iri, ())),
        by_chapter(c.concludes.get(iri, ())),
        iris.key(iri.rpartition("/")[0]) in _WIDE,
    )


def _rows(iri: str) -> Iterator[Row]:
    o = ontology()
    for predicate in predicates().get(iri, ()):
        values = tuple(v for v in dict.fromkeys(o.objects(iri, predicate)) if isinstance(v, Literal) or not v.startswith("_:"))
        if predicate not in _ELSEWHERE and values:
            yield Row(predicate, values)


def _referring(iri: str) -> Iterator[Row]:
    for predicate, things in concordance().referring.get(iri, {}).items():
        # What has its place on the page of this thing is shown there in full.
        shown = tuple(t for t in things if (at := address(t)) and (at.anchor is None or at.page != path(iri)))
        if predicate not in _ELSEWHERE and shown:
            yield Row(predicate, shown)


def _tables(uses: Iterable[Use]) -> Iterator[TableUse]:
    found: dict[tuple[str, str], list[tuple[Key, ...]]] = {}
    for use in uses:
        found.setdefault((use.table, use.role), []).append(use.others)
    for (table, role), cells in found.items():
        yield TableUse(table, role, tuple(cells))
