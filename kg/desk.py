"""guigu in a few calls, for Python and notebooks: open the books, cast, read verdicts and why they fire, ask.

>>> import kg
>>> cast = kg.cast("雷山小過", moving=3, month="辰", day="戊辰", topic="childbirth")
>>> cast
<雷山小過 之 雷地豫, childbirth: 13 verdicts>
>>> cast.verdicts["yy-taichan-088"]
<平 「雷地豫卦，乃陰包陽，生男也」 → boy (yy-taichan-088)>
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, overload

import pyoxigraph as ox

from kg import page_parts, typed
from kg.drawing import drawing
from kg.explain import Proof
from kg.explanation import Explanation, explanation, witnesses
from kg.graph import cast_graph, serialize
from kg.judgement import Judgement, Verdict, judge
from kg.question import question
from kg.render import chart_name, judgement, tree
from kg.rows import Rows, Triples, write
from kg.store import EmbeddedStore, doctrine, file_quads, quads
from kg.text import OMEN_SIGNS
from loader.clause import Clause
from loader.errors import QueryError, UnknownName
from loader.iris import symbol
from loader.ontology import ontology

Value = str | int | float | Iterable[str | int] | Mapping[str, str] | None
"""What an option may be given as; several values where it may be repeated, conventions also by name."""
_MANY = frozenset({"topic", "ask", "convention"})


@dataclass(frozen=True, repr=False)
class Cast:
    """A cast, judged: a hexagram or an hour chart. In a notebook it shows its chart and its verdicts.

    Attributes:
        judgement: all that is known of it.
    """

    judgement: Judgement

    @property
    def iri(self) -> str:
        """Its IRI: the same input has the same on every machine."""
        return self.judgement.chart.iri

    @property
    def name(self) -> str:
        """What its chart is called in Chinese."""
        return chart_name(self.judgement.chart)

    @cached_property
    def verdicts(self) -> "Verdicts":
        """The verdicts, in the order of the books."""
        return Verdicts(tuple(map(Said, self.judgement.verdicts)))

    @property
    def conflicts(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Aspects on which verdicts disagree, each with the ids of the clauses that do."""
        return tuple((c.about, tuple(i for _, ids in c.sides for i in ids)) for c in self.judgement.conflicts)

    def why(self, clause: str) -> "Why":
        """Why a clause of the topics asked holds on this cast, or what it lacks.

        Raises:
            UnknownName: no clause of the topics asked has that id, with near matches.
        """
        return Why(self, explanation(self.judgement, clause))

    def svg(self, language: str = "en", lit: Iterable[str] = ()) -> str:
        """The chart as SVG; `lit` are IRIs of individuals to mark."""
        return drawing(self.judgement, language, frozenset(lit))

    def turtle(self) -> str:
        """The cast and its verdicts in RDF."""
        return serialize(cast_graph(self.judgement), "ttl")

    def __str__(self) -> str:
        return judgement(self.judgement)

    def __repr__(self) -> str:
        count = len(self.verdicts)
        return f"<{self.name}, {', '.join(self.judgement.chart.given.topics)}: {count} verdict{'' if count == 1 else 's'}>"

    def _repr_html_(self) -> str:
        return f"{self.svg()}{self.verdicts._repr_html_()}"


@dataclass(frozen=True, repr=False)
class Said:
    """A verdict: a clause that fires, with what it says."""

    verdict: Verdict

    @property
    def clause(self) -> Clause:
        """The clause, with its quote and passage."""
        return self.verdict.clause

    @property
    def id(self) -> str:
        """The id of the clause."""
        return self.clause.id

    @property
    def quote(self) -> str:
        """Its words in Chinese."""
        return self.clause.quote

    @property
    def stands(self) -> bool:
        """Whether no other verdict overrides it."""
        return self.verdict.stands

    @property
    def says(self) -> str | None:
        """Its outcome in English, or None where it only gives an omen or a time."""
        return ontology().label(symbol("outcome", self.clause.value), "en") if self.clause.value else None

    @property
    def sign(self) -> str:
        """吉, 凶, 平 or 吉凶; empty where it gives no omen."""
        return OMEN_SIGNS.get(self.clause.omen or "", "")

    def __repr__(self) -> str:
        value = f" → {self.says}" if self.says else ""
        return f"<{self.sign} 「{self.quote}」{value} ({self.id})>"

    def _repr_html_(self) -> str:
        return Verdicts((self,))._repr_html_()


@dataclass(frozen=True, repr=False)
class Verdicts(Sequence[Said]):
    """Verdicts, by number or by the id of a clause."""

    all: tuple[Said, ...]

    @overload
    def __getitem__(self, key: int | str) -> Said: ...
    @overload
    def __getitem__(self, key: slice) -> "Verdicts": ...
    def __getitem__(self, key: int | str | slice) -> "Said | Verdicts":
        """A verdict, or some of them.

        Raises:
            UnknownName: no verdict is by a clause of that id.
            IndexError: there are not so many.
        """
        if isinstance(key, slice):
            return Verdicts(self.all[key])
        if isinstance(key, int):
            return self.all[key]
        found = next((v for v in self.all if v.id == key), None)
        if found is None:
            raise UnknownName(key, "verdict of this cast", [v.id for v in self.all], todo="See why(id) for what a clause lacks")
        return found

    def __contains__(self, key: object) -> bool:
        return any(key in (v, v.id) for v in self.all)

    def __len__(self) -> int:
        return len(self.all)

    def on(self, aspect: str) -> "Verdicts":
        """Those on an aspect, by its key."""
        return Verdicts(tuple(v for v in self.all if v.clause.about == aspect))

    def __repr__(self) -> str:
        return "\n".join(map(repr, self.all)) or "<no verdicts>"

    def _repr_html_(self) -> str:
        rows = [
            (
                page_parts.names(symbol("aspect", v.clause.about)) if v.clause.about else "",
                v.sign,
                page_parts.chinese(f"「{v.quote}」") + page_parts.markup(f" → {v.says}" if v.says else ""),
                page_parts.markup(v.clause.en),
                page_parts.markup(v.id + ("" if v.stands else f" (overridden by {', '.join(v.verdict.overridden_by)})")),
            )
            for v in self.all
        ]
        return str(page_parts.table(("aspect", "omen", "verdict", "reading", "clause"), rows))


@dataclass(frozen=True, repr=False)
class Why:
    """Why a clause holds on a cast, or what the nearest individual lacks. In a notebook the witnesses are lit on the chart.

    Attributes:
        cast: the cast.
        explanation: whether the clause holds, and how.
    """

    cast: Cast
    explanation: Explanation

    @property
    def holds(self) -> bool:
        """Whether it holds of something."""
        return self.explanation.holds

    @property
    def proofs(self) -> tuple[Proof, ...]:
        """How each individual satisfies the clause, or the nearest miss."""
        return self.explanation.proofs

    @property
    def _verb(self) -> str:
        return "holds" if self.holds else "does not hold; the nearest miss" if self.proofs else "has no condition"

    def __repr__(self) -> str:
        c = self.explanation.clause
        head = [f"「{c.quote}」 {c.en}", f"{c.id} {self._verb}: {c.when_text}".rstrip(": ")]
        return "\n".join([*head, *(line for p in self.proofs for line in tree(p, "  "))])

    def _repr_html_(self) -> str:
        c = self.explanation.clause
        head = page_parts.markup("<p>{} {}<br>{} {}</p>", page_parts.chinese(f"「{c.quote}」"), c.en, c.id, self._verb)
        return f"{self.cast.svg(lit=witnesses(self.proofs))}{head}{page_parts.tree(self.proofs)}"


@dataclass(frozen=True, repr=False)
class Table(Sequence[dict[str, str]]):
    """The rows that answer a question: a sequence of dictionaries of texts, with the terms behind them.

    Attributes:
        found: the rows as RDF terms.
    """

    found: Rows

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self.found.columns

    @cached_property
    def rows(self) -> tuple[dict[str, str], ...]:
        """The rows as texts."""
        return tuple(self.found.texts())

    @overload
    def __getitem__(self, key: int) -> dict[str, str]: ...
    @overload
    def __getitem__(self, key: slice) -> "Table": ...
    def __getitem__(self, key: int | slice) -> "dict[str, str] | Table":
        return Table(Rows(self.columns, self.found.rows[key])) if isinstance(key, slice) else self.rows[key]

    def __len__(self) -> int:
        return len(self.found.rows)

    def written(self, form: str) -> str:
        """The table in another form: `csv`, `tsv`, `json`, `md`, `ttl`, as `guigu ask --format` writes it.

        Raises:
            InputError: there is no such form.
        """
        return write(self.found, form)

    def __repr__(self) -> str:
        return write(self.found, "table")

    def _repr_html_(self) -> str:
        return str(page_parts.table(self.columns, ([page_parts.text(row[c]) for c in self.columns] for row in self.rows)))


class Books:
    """The graph of the doctrine, opened, with casts and files of RDF beside it.

    >>> import kg
    >>> kg.books().ask("aspect", aspect="穩婆")[0]["clause"]
    'yy-taichan-021'
    """

    def __init__(self, *beside: Cast | str) -> None:
        self.store = EmbeddedStore(())
        self.store.store.bulk_load(doctrine(), format=ox.RdfFormat.N_TRIPLES)
        for one in beside:
            self.store.store.extend(_of(one) if isinstance(one, Cast) else file_quads(one))

    def ask(self, name: str, **parameters: str | Iterable[str]) -> Table:
        """The answer to a question of the library; a parameter takes an id, an IRI or a label in any language.

        Raises:
            UnknownName: no such question, parameter or value, with near matches.
        """
        return Table(question(name).rows(self.store, {k: [v] if isinstance(v, str) else list(v) for k, v in parameters.items()}))

    def sparql(self, query: str) -> Table | bool:
        """The answer to any query of SPARQL 1.1; our prefixes need no declaration.

        Raises:
            QueryError: it is no query, or gives a graph, for which `store` is there.
        """
        found = self.store.query(query)
        if isinstance(found, Triples):
            raise QueryError("the query gives a graph and no table", todo="Use SELECT or ASK, or the attribute store")
        return Table(found) if isinstance(found, Rows) else found

    def __len__(self) -> int:
        return len(self.store.store)

    def __repr__(self) -> str:
        return f"<the books: {len(self):,} triples>"


def _of(one: Cast) -> Iterator[ox.Quad]:
    return quads(one.turtle().encode(), one.name, ox.RdfFormat.TURTLE)


@cache
def _opened() -> Books:
    return Books()


def books(*beside: Cast | str) -> Books:
    """The books, opened: once where nothing stands beside them; else with casts, or files of RDF by their names.

    Raises:
        InputError: a file that cannot be read.
    """
    return Books(*beside) if beside else _opened()


def ask(name: str, **parameters: str | Iterable[str]) -> Table:
    """The answer of the books to a question of the library; see `Books.ask` and `guigu ask`."""
    return books().ask(name, **parameters)


def sparql(query: str) -> Table | bool:
    """The answer of the books to a query; see `Books.sparql`."""
    return books().sparql(query)


def cast(hexagram: str | int | Sequence[int] | None = None, **options: Value) -> Cast:
    """Cast a hexagram and judge it.

    Args:
        hexagram: a name or number, or six numbers 6 to 9 from the bottom; None with `toss=True`.
        options: as those of `guigu cast`, with `_` for `-`: `moving`, `at`, `month`, `day`, `topic`, `birth_year`, ...; conventions also as a
            dictionary, `convention={"star-pillars": "day"}`.

    Raises:
        InputError: anything that cannot be used, named by its option.

    >>> cast([8, 8, 9, 7, 8, 8], topic="胎產", month="辰", day="戊辰").name
    '雷山小過 之 雷地豫'
    """
    if hexagram is not None:
        options = {("hexagram" if isinstance(hexagram, str | int) else "lines"): hexagram, **options}
    return _cast("liuyao", options)


def hour(at: str | None = None, **options: Value) -> Cast:
    """Lay the hour chart of a moment and judge it.

    Args:
        at: civil date-time with its UTC offset, or with `zone`; None with the pillars.
        options: as those of `guigu qimen`, with `_` for `-`.

    Raises:
        InputError: anything that cannot be used, named by its option.

    >>> chart = hour("2024-04-25T09:30+08:00", topic="childbirth", birth_year=1994)
    >>> chart.verdicts["qm-taichan-017"].says
    'easy delivery'
    """
    return _cast("qimen", {"at": at, **options})


def _cast(tradition: str, options: Mapping[str, Value]) -> Cast:
    known = (*typed.OWN[tradition], *typed.SHARED)
    found: dict[str, Any] = {}
    for name, value in options.items():
        if name not in known:
            raise UnknownName(name, "option", known)
        found[name] = _value(name, value)
    given, _ = typed.read(found, tradition)
    return Cast(judge(given))


def _value(name: str, value: Value) -> Any:
    """A value as the command line has it: numbers of years and lines as text, those that may be repeated as a list."""
    if value is None or isinstance(value, bool) or name in ("age", "in_year", "seed", "longitude"):
        return value
    if isinstance(value, Mapping):
        return [f"{k}={v}" for k, v in value.items()]
    if isinstance(value, str | int | float):
        return [str(value)] if name in _MANY else str(value)
    return [str(v) for v in value] if name in _MANY else ",".join(map(str, value))
