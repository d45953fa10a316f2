"""The findings: a page in Markdown of what a census found, each finding with its quoted clauses and a cast that shows it."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from kg.census.row import AccordRow, AspectRow, ChangeRow, ClauseRow, EffectRow, PairRow
from kg.census.table import rows_of
from loader.chapter import clauses
from loader.iris import symbol
from loader.ontology import ontology

_R = TypeVar("_R")
_SHOWN: Final = 20
"""Rows of the longer tables; the whole is in the Parquet files."""
_EACH: Final = 3
"""Contradictions shown of each topic."""


@dataclass(frozen=True)
class Findings:
    """The rows of a census."""

    clauses: Sequence[ClauseRow]
    pairs: Sequence[PairRow]
    aspects: Sequence[AspectRow]
    conventions: Sequence[EffectRow]
    changes: Sequence[ChangeRow]
    accord: Sequence[AccordRow]

    @classmethod
    def read(cls, folder: Path) -> "Findings":
        """Those of the folder of a census.

        Raises:
            InputError: a file cannot be read.
        """

        def only(name: str, kind: type[_R]) -> list[_R]:
            return [r for r in rows_of(folder, name) if isinstance(r, kind)]

        return cls(
            only("clauses", ClauseRow),
            only("pairs", PairRow),
            only("aspects", AspectRow),
            only("conventions", EffectRow),
            only("changes", ChangeRow),
            only("traditions", AccordRow),
        )

    def in_space(self, key: str) -> list[ClauseRow]:
        """The rows of clauses in a space."""
        return [r for r in self.clauses if r.space == key]


def label(kind: str, key: str) -> str:
    """What a symbol is called, in Chinese and English."""
    o, iri = ontology(), symbol(kind, key)
    return f"{o.label(iri)} {o.label(iri, 'en')}"


def quote(clause: str) -> str:
    """A clause with its quote, for a cell."""
    return f"{clause} 「{clauses()[clause].quote}」"


def says(clause: str) -> str:
    """What a clause concludes: its outcome, or else its omen."""
    c = clauses()[clause]
    return label("outcome", c.value) if c.value else label("omen", c.omen) if c.omen else ""


def percent(part: int, whole: int) -> str:
    """A share; the smallest are not rounded to nothing.

    >>> percent(1, 3), percent(0, 5), percent(1, 3_000_000), percent(2999999, 3000000)
    ('33.3 %', '0 %', '0.00003 %', '99.99997 %')
    """
    share = 100 * part / whole
    if part in (0, whole):
        return f"{share:.0f} %"
    digits = 1
    while round(share, digits) in (0, 100):
        digits += 1
    return f"{share:.{digits}f} %"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', '/') for cell in row)} |"
    yield ""


def _code(command: str) -> str:
    return f"`{command}`" if command else ""


def dead(found: Findings) -> Iterator[str]:
    """Clauses that no cast of any space fires."""
    by: dict[str, list[ClauseRow]] = defaultdict(list)
    for row in found.clauses:
        by[row.clause].append(row)
    silent = [i for i, rows in by.items() if not any(r.fires for r in rows)]
    yield f"Of {len(by):,} clauses that give a verdict or a time, {len(by) - len(silent):,} fire on some cast. These do not:"
    yield ""
    yield from _table(("clause", "why"), ((quote(i), clauses()[i].dead or "on no cast of the census; the text leaves room for it") for i in silent))
    later = [r.clause for r in found.in_space("days") if not r.fires and r.clause not in silent]
    yield f"Of the clauses of six lines, {len(later)} more fire on no cast of which only month and day are known and nothing narrower is asked: they need"
    yield "a year, an hour, a solar term, an age, a role, a relative or a narrower question."
    yield ""


def frequency(found: Findings) -> Iterator[str]:
    """Clauses by how often they fire over every cast of six lines, and over every hour chart."""
    for key, what in (
        ("days", "Six lines, over every pair of hexagrams on every day of every month"),
        ("hours", "The hour chart, over every hour of every day in every term of the sixty years"),
    ):
        rows = sorted((r for r in found.in_space(key) if r.fires), key=lambda r: (-r.fires, r.clause))
        if not rows:
            continue
        yield f"### {what}"
        yield ""
        middle = percent(rows[len(rows) // 2].fires, rows[0].casts)
        yield f"{rows[0].casts:,} casts for each topic. Half of the clauses that fire at all do so on less than {middle} of them."
        yield ""
        for title, some in (("The most frequent", rows[:_SHOWN]), ("The rarest", rows[: -_SHOWN - 1 : -1])):
            yield f"{title}:"
            yield ""
            yield from _table(
                ("topic", "clause", "fires", "stands", "a cast"),
                ((label("topic", r.topic), quote(r.clause), percent(r.fires, r.casts), percent(r.stands, r.casts), _code(r.witness)) for r in some),
            )


def special(found: Findings) -> Iterator[str]:
    """Clauses that are special cases of others, or hold wherever another does, on one aspect."""
    mine = [r for r in found.pairs if r.space in ("days", "hours")]
    groups = _groups(mine)
    yield f"{len(groups)} groups of clauses of one topic fire on exactly the same casts:"
    yield ""
    yield from _table(("topic", "clauses", "a cast"), ((label("topic", r.topic), "; ".join(map(quote, ids)), _code(r.witness)) for r, ids in groups))
    implied = [r for r in mine if r.kind == "implies"]
    near = [r for r in implied if clauses()[r.a].about == clauses()[r.b].about is not None]
    yield f"{len(implied):,} times a clause fires wherever another of its topic does, and elsewhere too; in {len(near)} of these both speak of the same aspect."
    yield "Where both say the same the narrower one adds nothing; where they disagree it is an exception that the text does not mark, unless it"
    yield "overrides the other:"
    yield ""
    told = ((r, says(r.a), says(r.b)) for r in near)
    kinds: dict[str, list[tuple[PairRow, str, str]]] = defaultdict(list)
    for r, a, b in told:
        prevails = r.b in clauses()[r.a].overrides
        kinds["overrides" if prevails else "same" if a == b else "other"].append((r, a, b))
    for kind, title in (("same", "Both say the same"), ("overrides", "The narrower one overrides the wider"), ("other", "They say different things")):
        yield f"{title} ({len(kinds[kind])}):"
        yield ""
        yield from _table(
            ("the narrower", "says", "the wider", "says", "a cast of both", "a cast of the wider alone"),
            ((quote(r.a), a, quote(r.b), b, _code(r.witness), _code(r.apart_witness)) for r, a, b in kinds[kind][:_SHOWN]),
        )


def _groups(pairs: Sequence[PairRow]) -> list[tuple[PairRow, tuple[str, ...]]]:
    """Clauses that fire on the same casts, each group with the row of its first two."""
    found: dict[str, tuple[PairRow, list[str]]] = {}
    for r in pairs:
        if r.kind == "same":
            # Pairs come in the order of the books, so the first of a group is met first.
            row, ids = found.get(r.a) or found.setdefault(r.a, (r, [r.a]))
            if r.b not in found:
                ids.append(r.b)
                found[r.b] = (row, ids)
    return [(row, tuple(ids)) for first, (row, ids) in found.items() if ids[0] == first]


def contradictions(found: Findings) -> Iterator[str]:
    """Clauses that stand together on one cast and disagree."""
    mine = [r for r in found.pairs if r.kind == "contradicts" and r.space in ("days", "hours")]
    by: dict[tuple[str, str], list[PairRow]] = defaultdict(list)
    for r in mine:
        by[r.space, r.topic].append(r)
    casts = {(r.space, r.topic): r.casts for r in found.clauses}
    yield f"{len(mine):,} pairs of clauses disagree on some cast on which both stand. The three most frequent of each topic:"
    yield ""
    rows = (
        (
            label("topic", topic),
            str(len(pairs)),
            f"{quote(r.a)} → {says(r.a)}",
            f"{quote(r.b)} → {says(r.b)}",
            percent(r.casts, casts[space, topic]),
            _code(r.witness),
        )
        for (space, topic), pairs in by.items()
        for r in sorted(pairs, key=lambda r: -r.casts)[:_EACH]
    )
    yield from _table(("topic", "pairs", "one", "other", "of the casts", "the first"), rows)
    always = {(r.a, r.b) for r in found.pairs if r.kind in ("same", "implies")} | {(r.b, r.a) for r in found.pairs if r.kind == "same"}
    told = [r for r in mine if (r.a, r.b) in always and (r.b, r.a) in always]
    whenever = [r for r in mine if ((r.a, r.b) in always) != ((r.b, r.a) in always)]
    yield f"In {len(whenever)} of the pairs the one never fires without the other that contradicts it. {len(told)} pairs fire on the same casts only, and"
    yield "always contradict each other:"
    yield ""
    yield from _table(
        ("topic", "one", "other", "a cast"),
        ((label("topic", r.topic), f"{quote(r.a)} → {says(r.a)}", f"{quote(r.b)} → {says(r.b)}", _code(r.witness)) for r in told),
    )


def aspects(found: Findings) -> Iterator[str]:
    """How often the verdicts on an aspect agree."""
    yield "Of all casts of a space: on how many no standing verdict speaks of an aspect, one does, several do and agree, some disagree."
    yield ""
    rows = [r for r in found.aspects if r.space in ("days", "hours")]
    yield from _table(
        ("space", "topic", "aspect", "none", "one", "agreeing", "disagreeing"),
        (
            (r.space, label("topic", r.topic), label("aspect", r.about), *(percent(n, r.casts) for n in (r.silent, r.single, r.agreeing, r.conflicting)))
            for r in rows
            if r.silent < r.casts
        ),
    )


def conventions(found: Findings) -> Iterator[str]:
    """What other schools' options change."""
    if not found.conventions:
        return
    for tradition, what in (("liuyao", "Six lines"), ("qimen", "The hour chart")):
        rows = [r for r in found.conventions if r.tradition == tradition and r.convention != "reading"]
        if not rows:
            continue
        still = sorted({f"{r.convention}={r.option}" for r in rows if not r.changed})
        turned = sorted((r for r in rows if r.changed), key=lambda r: (-r.changed, r.convention, r.option))
        yield f"### {what}"
        yield ""
        yield f"Each option against the default, on the same {rows[0].casts:,} casts drawn at random, each with a narrower question."
        yield ""
        yield from _table(
            ("option", "casts with other verdicts", "verdicts gained", "lost", "of all verdicts"),
            (
                (f"`{r.convention}={r.option}`", percent(r.changed, r.casts), f"{r.gained:,}", f"{r.lost:,}", percent(r.gained + r.lost, r.verdicts))
                for r in turned
            ),
        )
        yield f"No verdict of these casts changes with {len(still)} options: {', '.join(f'`{s}`' for s in still)}."
        yield ""


def emendations(found: Findings) -> Iterator[str]:
    """What the reading of the text changes."""
    rows = [r for r in found.conventions if r.convention == "reading"]
    if not rows:
        return
    yield "The text with the safe emendations (the default) against the text as received, and against every emendation proposed:"
    yield ""
    yield from _table(
        ("tradition", "reading", "casts with other verdicts", "verdicts gained", "lost"),
        ((r.tradition, r.option, percent(r.changed, r.casts), f"{r.gained:,}", f"{r.lost:,}") for r in rows),
    )
    yield "The clauses that change, with the emendation:"
    yield ""
    yield from _table(
        ("clause", "emendation", "reading", "gained", "lost", "a cast"),
        (
            (
                quote(r.clause),
                "; ".join(f"{e.received} → {e.read} ({e.grade})" for e in clauses()[r.clause].emend),
                r.option,
                f"{r.gained:,}",
                f"{r.lost:,}",
                _code(r.witness),
            )
            for r in found.changes
            if r.convention == "reading"
        ),
    )


def traditions(found: Findings) -> Iterator[str]:
    """Where the two traditions agree and part."""
    if not found.accord:
        return
    first = found.accord[0]
    every = first.silent + first.lines + first.hour + first.agree + first.part + first.other
    yield f"Every pair of hexagrams, cast in every double hour of {first.year} and asked about {label('topic', first.topic)}, against the chart of that hour:"
    yield f"{every:,} pairs of cast and chart. The two agree where one verdict of each says the same and none contradicts one of the other; they part where"
    yield "a standing verdict of the one contradicts one of the other."
    yield ""
    yield from _table(
        ("aspect", "neither speaks", "only six lines", "only the hour chart", "agree", "part", "cannot be compared"),
        ((label("aspect", r.about), *(percent(n, every) for n in (r.silent, r.lines, r.hour, r.agree, r.part, r.other))) for r in found.accord),
    )


SECTIONS: Final[dict[str, tuple[str, Callable[[Findings], Iterator[str]]]]] = {
    "dead": ("Clauses that can never hold", dead),
    "frequency": ("How often verdicts fall", frequency),
    "special": ("Special cases and repetitions", special),
    "contradictions": ("Contradictions", contradictions),
    "aspects": ("Aspects on which the books agree with themselves", aspects),
    "conventions": ("What the schools' choices change", conventions),
    "emendations": ("What emendations change", emendations),
    "traditions": ("Where the two traditions agree and part", traditions),
}
"""Sections of the page: key to title and maker."""


def spaces(found: Findings) -> Iterator[str]:
    """What was counted."""
    o = ontology()
    sizes = Counter[str]()
    for r in found.clauses:
        sizes[r.space] = r.casts
    yield from _table(
        ("space", "casts of each topic", "what is in it"),
        ((k, f"{n:,}", o.text(symbol("space", k), "http://www.w3.org/2004/02/skos/core#definition") or "") for k, n in sizes.items()),
    )


def page(found: Findings, pictures: str = "") -> str:
    """The page of a census.

    Args:
        found: its rows.
        pictures: address of the folder of plots, named as the sections; without it none are shown.
    """
    lines = ["# Findings", "", _HEAD, *spaces(found)]
    for key, (title, make) in SECTIONS.items():
        body = list(make(found))
        if body:
            lines += [f"## {title}", "", *([f"![{title}]({pictures}/{key}.svg)", ""] if pictures and key in PLOTTED else []), *body]
    return "\n".join(lines).rstrip() + "\n"


def sections(text: str) -> dict[str, str]:
    r"""Title to text of the sections of a page.

    >>> sections("# Findings\n\n## One\n\nfirst\n\n## Two\n\nsecond\n")
    {'One': 'first', 'Two': 'second'}
    """
    parts = (part.partition("\n") for part in text.split("\n## ")[1:])
    return {title: body.strip() for title, _, body in parts}


PLOTTED: Final = ("frequency", "contradictions", "aspects", "conventions", "traditions")
"""Sections with a plot."""
_HEAD: Final = """What the doctrine comes to when every cast is judged. The page is written by the census (`guigu census`, see the README) and checked
against it by the tests; every cast named here can be opened, and asked why with `guigu why CLAUSE` and the same options. It speaks of
the doctrine as it is encoded here: where a condition had to be read with a doubt, what is counted has the same doubt (`guigu ask doubts`).
"""
