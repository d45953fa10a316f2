"""A passage cut into runs of characters, so that clauses which overlap or lie within each other can be marked in its text."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from urllib.parse import quote

from loader.clause import Clause, Passage, Span


@dataclass(frozen=True, slots=True)
class Run:
    """Characters that the same clauses quote.

    Attributes:
        start: offset of the first character in the passage, in code points.
        end: offset after the last one.
        text: the characters.
        clauses: ids of the clauses that quote them, the shortest quote first; empty where none does.
        emended: whether a reading is proposed for them.
        marked: whether they are the ones that a link to characters means.
        first: whether the first of these is among them.
    """

    start: int
    end: int
    text: str
    clauses: tuple[str, ...] = ()
    emended: bool = False
    marked: bool = False
    first: bool = False


def runs(text: str, spans: Sequence[tuple[str, Span]], emended: Iterable[Span] = ()) -> tuple[Run, ...]:
    """Cut a text at every place where a span begins or ends; the runs put together are the text again.

    >>> [(r.text, r.clauses) for r in runs("空則母損也", [("a", Span(0, 4)), ("b", Span(2, 4))])]
    [('空則', ('a',)), ('母損', ('b', 'a')), ('也', ())]
    """
    marked = tuple(emended)
    inside = {at for _, s in spans for at in (s.start, s.end)} | {at for s in marked for at in (s.start, s.end)}
    cuts = sorted({0, len(text)} | {at for at in inside if 0 < at < len(text)})
    order = sorted(spans, key=lambda pair: (pair[1].end - pair[1].start, pair[1].start, pair[0]))
    return tuple(
        Run(
            start,
            end,
            text[start:end],
            tuple(clause for clause, s in order if s.start <= start and end <= s.end),
            any(s.start <= start and end <= s.end for s in marked),
        )
        for start, end in pairwise(cuts)
    )


def chinese(passage: Passage) -> tuple[Run, ...]:
    """The runs of the classical text of a passage."""
    places = (place for c in passage.clauses for place in emended(c))
    return runs(passage.lzh, [(c.id, c.span) for c in passage.clauses], places)


def korean(passage: Passage) -> tuple[Run, ...]:
    """The runs of the Korean translation of a passage."""
    return runs(passage.ko, [(c.id, c.ko_span) for c in passage.clauses])


def marked(found: Iterable[Run], span: Span) -> tuple[Run, ...]:
    """Runs cut anew where a span begins or ends, and those within it marked.

    >>> [(r.text, r.marked) for r in marked(runs("空則母損也", []), Span(2, 4))]
    [('空則', False), ('母損', True), ('也', False)]
    """
    cut = []
    for run in found:
        bounds = sorted({run.start, run.end, *(at for at in (span.start, span.end) if run.start < at < run.end)})
        for start, end in pairwise(bounds):
            text = run.text[start - run.start : end - run.start]
            cut.append(replace(run, start=start, end=end, text=text, marked=span.start <= start and end <= span.end, first=start == span.start))
    return tuple(cut)


def emended(clause: Clause) -> list[Span]:
    """Where the characters stand for which a clause proposes a reading: in its quote, else in the passage if they stand there once."""
    found = []
    for e in clause.emend:
        at = clause.quote.find(e.received)
        text = clause.passage.lzh
        at = clause.span.start + at if at >= 0 else text.find(e.received) if text.count(e.received) == 1 else -1
        if e.received and at >= 0:
            found.append(Span(at, at + len(e.received)))
    return found


def fragment(text: str, start: int, end: int) -> str:
    """The text directive of a URL that marks characters of a page; words before them are given where they stand more than once.

    >>> fragment("空則母損", 2, 4) == ":~:text=" + quote("母損")
    True
    """
    words = text[start:end]
    before = text[max(0, start - 6) : start] if text.count(words) > 1 else ""
    # A hyphen and a comma are signs of the directive itself, so they are escaped like the rest.
    escaped = [quote(t, safe="").replace("-", "%2D") for t in (before, words)]
    return f":~:text={escaped[0]}-,{escaped[1]}" if before else f":~:text={escaped[1]}"
