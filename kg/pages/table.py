"""Pages of tables: each as a grid, with its source, how sure it is, its variants, and the cells that depart from the default or the rule."""

from dataclasses import dataclass
from functools import cache, partial
from typing import Final

from kg.pages.address import address, listing, path
from kg.pages.entry import Entry, entry
from kg.pages.naming import titles
from kg.pages.page import Page, Plans
from kg.pages.words import said
from loader import iris
from loader.iris import ns, symbol
from loader.kinship import agrees, element, received
from loader.ontology import Literal, ontology
from loader.tables import Key

KINSHIP: Final = symbol("table", "kinship-received")
_WIDEST: Final = 12
"""Columns beyond which rows and columns change places."""


@dataclass(frozen=True, slots=True)
class CellView:
    """A cell of a grid.

    Attributes:
        anchors: its anchors on the page; several where a cell is stated twice.
        values: what it gives.
        instead: what the default table or the rule gives there, where that is something else.
        clauses: the clauses that state it.
    """

    anchors: tuple[str, ...]
    values: tuple[Key, ...]
    instead: tuple[Key, ...]
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Remark:
    """An emendation of a cell, or its departure from the rule.

    Attributes:
        iri: IRI of the emendation.
        cell: anchor of the cell.
        keys: its row and column.
        values: what it gives, as received.
        instead: what the rule gives, where there is one.
        printed: the characters in which it stands.
        clauses: the clauses that state it.
        received: characters as received.
        read: characters proposed.
        grade: grade of the emendation.
        why: its reason.
    """

    iri: str
    cell: str
    keys: tuple[Key, ...]
    values: tuple[Key, ...]
    instead: tuple[Key, ...]
    printed: str
    clauses: tuple[str, ...]
    received: str
    read: str
    grade: str
    why: str


@dataclass(frozen=True, slots=True)
class Grid:
    """A table or variant: rows, columns (one, None, where it has but one key), and the cells by row and column."""

    entry: Entry
    rows: tuple[Key, ...]
    columns: tuple[Key | None, ...]
    cells: dict[tuple[Key, Key | None], CellView]
    remarks: tuple[Remark, ...]

    @property
    def departs(self) -> bool:
        """Whether some cell departs from the default table or the rule."""
        return any(c.instead for c in self.cells.values())


@dataclass(frozen=True, slots=True)
class TableView:
    """A table with its variants; `kinship` where it is the received table of relatives, which departs from the rule and not from a table."""

    grid: Grid
    variants: tuple[Grid, ...]
    kinship: bool


@dataclass(frozen=True, slots=True)
class TablesView:
    """All tables that are no variants: those of the stars by star, and the rest."""

    stars: tuple[tuple[str, tuple[str, ...]], ...]
    others: tuple[str, ...]


def _variants(table: str) -> list[str]:
    return ontology().subjects(ns("variantOf"), table)


@cache
def originals() -> tuple[str, ...]:
    """Every table that is no variant of another."""
    o = ontology()
    return tuple(t for t in (*o.of_type("Table"), *o.of_type("StarTable")) if not o.iris(t, ns("variantOf")))


def table_pages() -> Plans:
    """The list of tables, and the tables."""
    return {"tables": tables_page} | {path(t): partial(table_page, t) for t in originals()}


def tables_page() -> Page:
    """The list of tables."""
    o, stars, others = ontology(), dict[str, list[str]](), list[str]()
    for table in originals():
        star = next(iter(o.iris(table, ns("star"))), None)
        (stars.setdefault(star, []) if star else others).append(table)
    view = TablesView(tuple((star, tuple(tables)) for star, tables in stars.items()), tuple(others))
    only = frozenset({iris.TYPE, iris.RDFS + "label", iris.SKOS + "definition", ns("confidence"), iris.DCTERMS + "source"})
    return Page(listing("tables"), "tables", "tables.html", said("tables"), view, originals(), only)


def table_page(table: str) -> Page:
    """The page of a table."""
    o = ontology()
    default = grid(table)
    view = TableView(default, tuple(grid(v, default) for v in _variants(table)), table == KINSHIP)
    about = [iri for t in (table, *_variants(table)) for iri in (t, *(i for c in o.subjects(ns("inTable"), t) for i in (c, *o.iris(c, ns("emendation")))))]
    return Page(table, path(table), "table.html", titles(table), view, tuple(about[1:]))


def grid(table: str, default: Grid | None = None) -> Grid:
    """A table as a grid; a variant with its departures from the default.

    >>> g = grid(symbol("table", "branch-clashes"))
    >>> len(g.rows), g.columns, g.cells[symbol("branch", "zi"), None].values
    (12, (None,), ('https://w3id.org/guigu/id/branch/wu',))
    """
    o = ontology()
    found: dict[tuple[Key, Key | None], CellView] = {}
    remarks: list[Remark] = []
    rule = {c.iri: element(c.relative, c.world)[-1].element for c in received() if not agrees(c)} if table == KINSHIP else {}
    for cell in o.subjects(ns("inTable"), table):
        row, column = _keys(cell, "row")[0], next(iter(_keys(cell, "column")), None)
        anchor, values, clauses = _anchor(cell), _keys(cell, "value"), tuple(o.iris(cell, ns("statedBy")))
        known = found.get((row, column))
        instead: tuple[Key, ...] = (rule[cell],) if cell in rule else ()
        for e in o.iris(cell, ns("emendation")):
            keys = (row,) if column is None else (row, column)
            printed = o.text(cell, ns("group")) or o.text(cell, ns("printed")) or ""
            texts = [o.text(e, ns(p)) or "" for p in ("received", "read", "grade", "why")]
            remarks.append(Remark(e, anchor, keys, values, instead, printed, clauses, *texts))
        if known:
            anchor_list, values, clauses = (*known.anchors, anchor), tuple(dict.fromkeys((*known.values, *values))), (*known.clauses, *clauses)
            found[row, column] = CellView(anchor_list, values, known.instead or instead, tuple(dict.fromkeys(clauses)))
        else:
            found[row, column] = CellView((anchor,), values, instead, clauses)
    if default:
        found = {at: _against(cell, default.cells.get(at)) for at, cell in found.items()}
    rows, columns = tuple(dict.fromkeys(r for r, _ in found)), tuple(dict.fromkeys(c for _, c in found))
    turned = len(columns) > _WIDEST and len(columns) > len(rows)
    if turned:
        first = [c for c in columns if c is not None]
        return Grid(entry(table), tuple(first), rows, {(c, r): cell for (r, c), cell in found.items() if c is not None}, tuple(remarks))
    return Grid(entry(table), rows, columns, found, tuple(remarks))


def _against(cell: CellView, default: CellView | None) -> CellView:
    instead = default.values if default and set(default.values) != set(cell.values) else ()
    return CellView(cell.anchors, cell.values, instead, cell.clauses)


def _keys(cell: str, prop: str) -> tuple[Key, ...]:
    return tuple(int(v.text) if isinstance(v, Literal) else v for v in ontology().objects(cell, ns(prop)))


def _anchor(cell: str) -> str:
    found = address(cell)
    return (found.anchor if found else None) or iris.key(cell)
