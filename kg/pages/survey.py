"""Pages that survey the whole: the front page, the conventions, and the criticism of the text."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from kg.pages.address import listing
from kg.pages.chapter import counts
from kg.pages.page import Page, Plans
from kg.pages.symbol import schemes
from kg.pages.table import Remark, grid, originals
from kg.pages.words import said
from kg.question import questions
from loader import iris
from loader.chapter import chapters, clauses
from loader.clause import Chapter, Clause, Emendation
from loader.iris import ns, symbol
from loader.ontology import ontology
from loader.saying import LANGUAGES
from loader.tables import conventions

GRADES: Final = ("A", "B", "C")


@dataclass(frozen=True, slots=True)
class Download:
    """A file of the release: its path from the root of the site, its media type, its bytes."""

    path: str
    media: str
    size: int


@dataclass(frozen=True, slots=True)
class Facts:
    """What the pages say of the release that they belong to.

    Attributes:
        version: its version.
        files: its files, those that a reader would take.
    """

    version: str
    files: tuple[Download, ...] = ()


@dataclass(frozen=True, slots=True)
class FrontView:
    """The front page: the works with their chapters and counts, the size of the rest, the files."""

    works: tuple[tuple[str, str, tuple[tuple[Chapter, dict[str, int]], ...]], ...]
    total: dict[str, int]
    facts: Facts


@dataclass(frozen=True, slots=True)
class OptionView:
    """A choice of a convention: its anchor and IRI, or those of a table that is a variant of another."""

    iri: str
    anchor: str | None
    key: str
    default: bool
    definition: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConventionsView:
    """Every convention with its options; a table with variants is one too, and has its own page."""

    stated: tuple[tuple[str, tuple[OptionView, ...]], ...]
    tables: tuple[tuple[str, tuple[OptionView, ...]], ...]


@dataclass(frozen=True, slots=True)
class CriticismView:
    """Emendations by grade, doubts by chapter, clauses that can never hold, clauses left without a condition, emended cells."""

    grades: tuple[tuple[str, tuple[tuple[Clause, Emendation], ...]], ...]
    cells: tuple[tuple[str, tuple[Remark, ...]], ...]
    doubts: tuple[tuple[Chapter, tuple[Clause, ...]], ...]
    dead: tuple[Clause, ...]
    unformalised: tuple[Clause, ...]


def survey_pages(facts: Facts) -> Plans:
    """The front page, the conventions, the criticism."""
    return {"index": partial(front_page, facts), "conventions": conventions_page, "criticism": criticism_page}


def front_page(facts: Facts) -> Page:
    """The front page."""
    by_work: dict[str, list[tuple[Chapter, dict[str, int]]]] = {}
    traditions: dict[str, str] = {}
    for chapter in chapters():
        by_work.setdefault(chapter.work, []).append((chapter, counts(chapter.clauses())))
        traditions[chapter.work] = chapter.tradition
    works = tuple((symbol("work", work), traditions[work], tuple(found)) for work, found in by_work.items())
    total = {
        "n-chapters": len(chapters()),
        "n-passages": sum(len(c.passages) for c in chapters()),
        **counts(iter(clauses().values())),
        "n-symbols": sum(map(len, schemes().values())),
        "n-names": len(ontology().of_type("Name")),
        "n-tables": len(originals()),
        "n-questions": len(questions()),
    }
    title = {language: "guigu" if language == "en" else {"ko": "귀곡 guigu", "zh-hant": "鬼谷 guigu"}[language] for language in LANGUAGES}
    about = (*(w for w, _, _ in works), *(c.iri for c in chapters()))
    return Page(listing("index"), "index", "index.html", title, FrontView(works, total, facts), about)


def conventions_page() -> Page:
    """The conventions."""
    o = ontology()
    stated = tuple(
        (
            convention,
            tuple(
                OptionView(
                    option,
                    f"{iris.key(convention)}.{iris.key(option)}",
                    o.text(option, ns("optionKey")) or "",
                    o.text(option, ns("isDefault")) == "true",
                    o.text(option, iris.SKOS + "definition") or "",
                    tuple(o.iris(option, iris.DCTERMS + "source")),
                )
                for option in o.iris(convention, ns("option"))
            ),
        )
        for convention in o.of_type("Convention")
    )
    keys = {iris.key(c) for c, _ in stated}
    tables = tuple((symbol("table", key), tuple(_variants(key))) for key in conventions() if key not in keys)
    about = tuple(iri for convention, options in stated for iri in (convention, *(option.iri for option in options)))
    return Page(listing("conventions"), "conventions", "conventions.html", said("conventions"), ConventionsView(stated, tables), about)


def _variants(key: str) -> Iterator[OptionView]:
    o = ontology()
    for table in (symbol("table", key), *o.subjects(ns("variantOf"), symbol("table", key))):
        default = iris.key(table) == key
        name = "default" if default else o.text(table, ns("variantKey")) or iris.key(table)
        yield OptionView(table, None, name, default, o.text(table, iris.SKOS + "definition") or "", tuple(o.iris(table, iris.DCTERMS + "source")))


def criticism_page() -> Page:
    """The criticism of the text."""
    every = tuple(clauses().values())
    grades = tuple((grade, tuple((c, e) for c in every for e in c.emend if e.grade == grade)) for grade in GRADES)
    cells = tuple((t, remarks) for kind in ("Table", "StarTable") for t in ontology().of_type(kind) if (remarks := grid(t).remarks))
    doubts = tuple((chapter, found) for chapter in chapters() if (found := tuple(c for c in chapter.clauses() if c.doubt)))
    view = CriticismView(grades, cells, doubts, tuple(c for c in every if c.dead), tuple(c for c in every if c.unformalised))
    shown = [c for c in every if c.emend or c.doubt or c.dead or c.unformalised]
    about = [iri for c in shown for iri in (c.iri, *(f"{c.iri}/emendation/{n}" for n in range(1, len(c.emend) + 1)))]
    about += [r.iri for _, remarks in cells for r in remarks]
    only = frozenset(ns(p) for p in ("doubt", "dead", "unformalised", "emendation", "received", "read", "grade", "why", "quote")) | {iris.TYPE}
    return Page(listing("criticism"), "criticism", "criticism.html", said("criticism"), view, tuple(about), only)
