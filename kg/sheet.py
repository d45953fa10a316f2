"""Two works side by side: what each says on an aspect, of a symbol, or of one moment, every entry with its quote."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import networkx as nx

from kg.compare import WORKS, likeness, name_of, neighbours, ties
from kg.judgement import Judgement
from kg.question import question
from kg.rows import said
from kg.store import Store
from kg.text import OMEN_SIGNS, pad, width
from loader import iris
from loader.clause import Clause
from loader.iris import symbol
from loader.ontology import ontology

COLUMN: Final = 58  # Columns of a terminal for each side.


@dataclass(frozen=True, slots=True)
class Entry:
    """What one clause says."""

    clause: str
    passage: str
    quote: str
    translation: str
    reading: str
    omen: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Group:
    """Entries of both works under one heading."""

    heading: str
    left: tuple[Entry, ...]
    right: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A comparison, ready to be written: groups of entries, then what the graph says of the two sides."""

    title: str
    heads: tuple[str, str]
    groups: tuple[Group, ...]
    notes: tuple[str, ...]

    def data(self) -> dict[str, Any]:
        """As JSON data."""
        return asdict(self)


def _titles() -> tuple[str, str]:
    o = ontology()
    return (f"{o.label(WORKS[0])} 六爻", f"{o.label(WORKS[1])} 奇門")


def _entries(store: Store, clauses: Iterable[str]) -> dict[str, list[tuple[str, Entry]]]:
    """Work to its clauses among those of the ids, in the order of the books, each with the IRI of its aspect."""
    found: dict[str, list[tuple[str, Entry]]] = {work: [] for work in WORKS}
    ids = list(clauses)
    if not ids:
        return found
    rows = question("clause").rows(store, {"clause": ids})
    for row in rows.rows:
        cell = dict(zip(rows.columns, row, strict=True))
        text = {name: said(term) for name, term in cell.items()}
        entry = Entry(*(text[k] for k in ("clause", "passage", "quote", "translation", "reading", "omen", "outcome")))
        about, work = cell["about"], cell["work"]
        if work is not None:
            found.setdefault(str(work.value), []).append((about.value if about is not None else "", entry))
    return found


def _grouped(found: dict[str, list[tuple[str, Entry]]]) -> tuple[Group, ...]:
    abouts = dict.fromkeys(about for work in WORKS for about, _ in found[work])
    groups = []
    for about in abouts:
        left, right = (tuple(e for a, e in found[work] if a == about) for work in WORKS)
        groups.append(Group(name_of(about) if about else "-", left, right))
    # What both speak of comes first.
    return tuple(sorted(groups, key=lambda g: not (g.left and g.right)))


def by_aspect(store: Store, aspects: Sequence[str]) -> Sheet:
    """What each work says on some aspects, given by IRI."""
    rows = question("aspect").rows(store, {"aspect": aspects})
    groups = _grouped(_entries(store, (row["clause"] for row in rows.texts())))
    return Sheet(" · ".join(map(name_of, aspects)), _titles(), groups, _likeness(ties(store), aspects, "symbols"))


def by_symbol(store: Store, symbols: Sequence[str]) -> Sheet:
    """What each work concludes from some symbols, given by IRI, aspect by aspect."""
    graph = ties(store)
    clauses = {c: None for work in WORKS for ids in neighbours(graph, symbols, work).values() for c in ids}
    groups = _grouped(_entries(store, clauses))
    names = " · ".join(f"{name_of(s)} ({iris.key(s.rsplit('/', 1)[0])})" for s in symbols)
    return Sheet(names, _titles(), groups, _likeness(graph, symbols, "aspects"))


def by_moment(hexagram: Judgement, hour: Judgement) -> Sheet:
    """The standing verdicts on one moment, of six lines and of the hour chart, aspect by aspect."""
    found: dict[str, list[tuple[str, Entry]]] = {}
    for work, j in zip(WORKS, (hexagram, hour), strict=True):
        found[work] = [(symbol("aspect", v.clause.about or ""), _entry(v.clause)) for v in j.verdicts if v.stands and v.clause.about]
    groups = _grouped(found)
    notes = []
    for g in groups:
        omens = [{e.omen for e in side} & {"auspicious", "inauspicious"} for side in (g.left, g.right)]
        if all(omens):
            both = omens[0] | omens[1]
            verdict = "agree" if len(both) == 1 else "disagree" if not omens[0] & omens[1] else "agree in part"
            notes.append(f"{g.heading}: the omens {verdict}")
    return Sheet("one moment, judged by both", _titles(), groups, tuple(notes) or ("no aspect on which both give an omen",))


def _entry(c: Clause) -> Entry:
    return Entry(c.id, c.passage.place, c.quote, c.ko, c.en, c.omen or "", c.value or "")


def _likeness(graph: "nx.MultiGraph[str]", nodes: Sequence[str], what: str) -> tuple[str, ...]:
    found = likeness(graph, dict.fromkeys(WORKS, nodes))

    def listed(names: Iterable[str]) -> str:
        return "、".join(ontology().label(n) for n in names) or "-"

    return (
        f"{what} that both tie to it: {listed(found.common)}",
        *(f"{what} in {ontology().label(work)} alone: {listed(found.only[work])}" for work in WORKS),
        f"likeness (shared {what} by all, Jaccard): {found.jaccard:.2f}",
    )


def text(sheet: Sheet) -> str:
    """The sheet for a terminal, the two works in two columns."""
    lines = [sheet.title, "", f"{pad(sheet.heads[0], COLUMN)}  {sheet.heads[1]}", f"{'─' * COLUMN}  {'─' * COLUMN}"]
    for g in sheet.groups:
        lines += [g.heading]
        sides = [[line for e in side for line in _said(e)] or ["  —"] for side in (g.left, g.right)]
        for i in range(max(map(len, sides))):
            left, right = (side[i] if i < len(side) else "" for side in sides)
            lines.append(f"{pad(left, COLUMN)}  {right}".rstrip())
        lines.append("")
    return "\n".join([*lines, *sheet.notes]) + "\n"


def _said(e: Entry) -> list[str]:
    sign = OMEN_SIGNS.get(e.omen, "")
    first = f"  {pad(sign, 4)}「{e.quote}」" + (f" → {e.outcome}" if e.outcome else "")
    return [*wrapped(first, 6), *wrapped(f"      {e.reading}", 6), f"      {e.clause} · {e.passage}"]


def wrapped(line: str, indent: int) -> list[str]:
    """A line in pieces no wider than a column; Chinese breaks anywhere, English between words."""
    found, rest = [], line
    while width(rest) > COLUMN:
        cut, at = 0, 0
        for i, character in enumerate(rest):
            cut += width(character)
            if cut > COLUMN:
                break
            if not character.isascii() or character == " ":
                at = i + 1
        at = at if at > indent else i
        found.append(rest[:at].rstrip())
        rest = " " * indent + rest[at:].lstrip()
    return [*found, rest]


def markdown(sheet: Sheet) -> str:
    """The sheet as Markdown."""
    lines = [f"## {sheet.title}", "", f"| | {sheet.heads[0]} | {sheet.heads[1]} |", "| --- | --- | --- |"]
    for g in sheet.groups:
        cells = [
            "<br>".join(f"{OMEN_SIGNS.get(e.omen, '')}「{e.quote}」 {e.reading} ({e.clause}, {e.passage})".strip() for e in side) for side in (g.left, g.right)
        ]
        lines.append(f"| {g.heading} | {cells[0].replace('|', chr(92) + '|')} | {cells[1].replace('|', chr(92) + '|')} |")
    return "\n".join([*lines, "", *(f"- {n}" for n in sheet.notes)]) + "\n"
