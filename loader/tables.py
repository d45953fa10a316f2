"""The doctrinal tables of `ontology/tables/`, read through the conventions that a cast uses."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from loader import iris
from loader.errors import InputError, OntologyError, quoted
from loader.iris import ns, symbol
from loader.ontology import Node, Ontology, ontology

Key = str | int
"""A row, column or value of a table: the IRI of a symbol, or a place from 1 to 6."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table, or one variant of it.

    Attributes:
        iri: its IRI, where its source, confidence and variants stand.
        cells: row and column (None in tables with one key) to values.
    """

    iri: str
    cells: Mapping[tuple[Key, Key | None], tuple[Key, ...]]

    def all(self, row: Key, column: Key | None = None) -> tuple[Key, ...]:
        """The values of a cell, empty where the table has none."""
        return self.cells.get((row, column), ())

    def one(self, row: Key, column: Key | None = None) -> Key:
        """The value of a cell that has one.

        Raises:
            OntologyError: the cell is empty or has several values.
        """
        values = self.all(row, column)
        if len(values) != 1:
            raise OntologyError(f"one value expected, {len(values)} found", where=f"{self.iri}: {row} {column or ''}")
        return values[0]

    def iri_of(self, row: Key, column: Key | None = None) -> str:
        """The value of a cell, a symbol."""
        return str(self.one(row, column))

    def place(self, row: Key, column: Key | None = None) -> int:
        """The value of a cell, a place."""
        return int(self.one(row, column))


def _value(node: Node) -> Key:
    return node if isinstance(node, str) else int(node.text)


@cache
def _cells(o: Ontology) -> dict[str, dict[tuple[Key, Key | None], tuple[Key, ...]]]:
    tables: dict[str, dict[tuple[Key, Key | None], tuple[Key, ...]]] = {}
    for table in (*o.of_type("Table"), *o.of_type("StarTable")):
        cells: dict[tuple[Key, Key | None], tuple[Key, ...]] = {}
        for cell in o.subjects(ns("inTable"), table):
            columns = o.objects(cell, ns("column"))
            at = (_value(o.objects(cell, ns("row"))[0]), _value(columns[0]) if columns else None)
            cells[at] = cells.get(at, ()) + tuple(_value(v) for v in o.objects(cell, ns("value")))
        tables[table] = cells
    return tables


Ontology.__hash__ = object.__hash__  # type: ignore[method-assign]  # one ontology per process: identity is its key


@cache
def variants(o: Ontology) -> dict[str, dict[str, str]]:
    """Table key to variant key to the IRI of the variant table."""
    found: dict[str, dict[str, str]] = {}
    for table in (*o.of_type("Table"), *o.of_type("StarTable")):
        for original in o.iris(table, ns("variantOf")):
            found.setdefault(iris.key(original), {})[o.text(table, ns("variantKey")) or iris.key(table)] = table
    return found


@dataclass(frozen=True)
class Tables:
    """The tables under the choices of one cast."""

    choices: Mapping[str, str]

    @cached_property
    def _found(self) -> dict[str, Table]:
        return {}

    def get(self, key: str) -> Table:
        """The table of that key, or the variant that was chosen for it.

        Raises:
            OntologyError: there is no such table.
        """
        if key not in self._found:
            self._found[key] = self._get(key)
        return self._found[key]

    def _get(self, key: str) -> Table:
        o = ontology()
        chosen = variants(o).get(key, {}).get(self.choices.get(key, ""), symbol("table", key))
        cells = _cells(o).get(chosen)
        if not cells:
            raise OntologyError(f"no table {key!r}", where=chosen)
        return Table(chosen, cells)

    def star_tables(self) -> list[tuple[str, Table]]:
        """Every star with the table, default or chosen variant, that places it; a star may have several tables."""
        o = ontology()
        found: list[tuple[str, Table]] = []
        for table in o.of_type("StarTable"):
            if o.iris(table, ns("variantOf")):
                continue
            found.append((o.one(table, ns("star")), self.get(iris.key(table))))
        return found


def star_pillars(table: str, conventions: Mapping[str, str]) -> tuple[str, ...]:
    """The pillar classes at which a star table is read, under the convention `star-pillars`."""
    o = ontology()
    own = o.iris(table, ns("takenFrom")) or [p for t in o.iris(table, ns("variantOf")) for p in o.iris(t, ns("takenFrom"))]
    keep = {"month-and-day": (ns("MonthPillar"), ns("DayPillar")), "day": (ns("DayPillar"),)}.get(conventions.get("star-pillars", ""))
    if keep is None:
        return tuple(own)
    # A star that is read at none of them keeps its own pillars: the convention narrows, it does not abolish.
    return tuple(p for p in own if p in keep) or tuple(own)


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of a convention: its key, whether it is the default, and what it says."""

    key: str
    is_default: bool
    definition: str


@cache
def conventions() -> dict[str, tuple[Option, ...]]:
    """Every convention and its options: those of `conventions.ttl`, and each table that has variants.

    >>> [option.key for option in conventions()["day-boundary"]]
    ['23:00', '00:00']
    """
    o = ontology()
    found: dict[str, tuple[Option, ...]] = {}
    for convention in sorted(o.of_type("Convention")):
        options = [
            Option(
                o.text(option, ns("optionKey")) or "",
                o.text(option, ns("isDefault")) == "true",
                o.text(option, iris.SKOS + "definition") or "",
            )
            for option in o.iris(convention, ns("option"))
        ]
        found[iris.key(convention)] = tuple(options)
    for table, by_key in sorted(variants(o).items()):
        rest = [Option(k, False, o.text(v, iris.SKOS + "definition") or "") for k, v in sorted(by_key.items())]
        found[table] = (Option("default", True, o.text(symbol("table", table), iris.SKOS + "definition") or ""), *rest)
    return found


@cache
def usual() -> Mapping[str, str]:
    """Every convention with its default option."""
    return {name: next(option.key for option in options if option.is_default) for name, options in conventions().items()}


def choose(given: Mapping[str, str]) -> dict[str, str]:
    """The conventions of a cast: what was given, the defaults for the rest.

    Raises:
        InputError: an unknown convention or option; the message lists those there are.
    """
    known = conventions()
    for name, value in given.items():
        if name not in known:
            raise InputError(f"no convention is named {quoted(name)}", where="--convention", todo=f"there are: {', '.join(known)}")
        keys = [option.key for option in known[name]]
        if value not in keys:
            raise InputError(f"convention {name!r} has no option {quoted(value)}", where="--convention", todo=f"there are: {', '.join(keys)}")
    return {**usual(), **given}
