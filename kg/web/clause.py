"""The page of a clause: its words in their context, what it says, what its condition speaks of, and casts on which it holds."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Final

import pyoxigraph as ox
from starlette.requests import Request

from kg.pages.address import path
from kg.pages.chapter import ClauseView, clause_view
from kg.pages.concordance import concordance
from kg.pages.page import Page
from kg.server.library import Library
from kg.web import span
from kg.web.cast_query import address
from kg.web.frame import CLAUSE, link
from loader.chapter import clauses
from loader.clause import Clause
from loader.iris import ns
from loader.saying import LANGUAGES
from loader.witness import Witness, witnesses

_AROUND: Final = 60
"""Characters of the passage before and after a quote, at least; whole sentences are shown."""
_STOPS: Final = frozenset("。；！？.!?")
_SHOWN: Final = 50
"""Casts of those served that are named."""


@dataclass(frozen=True, slots=True)
class Context:
    """Words with what stands before and after them.

    Attributes:
        before: the characters before them; they begin with a sentence.
        words: the words.
        after: the characters after them; they end with a sentence.
        cut: whether something before is left out, and something after.
        href: the link to the words.
    """

    before: str
    words: str
    after: str
    cut: tuple[bool, bool]
    href: str


@dataclass(frozen=True, slots=True)
class ClausePage:
    """What the page of a clause shows.

    Attributes:
        of: the clause as the pages of chapters show it.
        chinese: its words in the passage.
        korean: their translation in its passage.
        symbols: IRIs of what its condition speaks of.
        witness: a kept cast on which it holds, or None.
        cast: the address of that cast.
        served: IRIs of casts of the served data on which it fires, at most `_SHOWN`.
        before: the clause before it in its chapter, after: the one after it.
    """

    of: ClauseView
    chinese: Context
    korean: Context
    symbols: tuple[str, ...]
    witness: Witness | None
    cast: str | None
    served: tuple[str, ...]
    before: Clause | None
    after: Clause | None


def page(request: Request, clause: Clause, library: Library) -> Page:
    """The page of a clause."""
    chapter = tuple(clause.passage.chapter.clauses())
    at = next(i for i, c in enumerate(chapter) if c.id == clause.id)
    witness = witnesses().get(clause.id)
    passage, words, translated = clause.passage, clause.span, clause.ko_span
    view = ClausePage(
        clause_view(clause),
        context(passage.lzh, words.start, words.end, link(request, span.address(passage, words.start, words.end))),
        context(passage.ko, translated.start, translated.end, link(request, span.address(passage, translated.start, translated.end, "ko"))),
        mentioned().get(clause.id, ()),
        witness,
        cast(request, witness) if witness else None,
        tuple(islice(_served(clause, library), _SHOWN)),
        chapter[at - 1] if at else None,
        chapter[at + 1] if at + 1 < len(chapter) else None,
    )
    title = {language: f"「{clause.quote[:20]}{'…' if len(clause.quote) > 20 else ''}」 {clause.id}" for language in LANGUAGES}
    return Page(clause.iri, path(clause.iri), "clause.html", title, view)


def context(text: str, start: int, end: int, href: str) -> Context:
    """The sentences around some characters of a text.

    >>> c = context("甲。" * 50 + "乙丙。丁", 100, 102, "")
    >>> c.before == "甲。" * 30, c.words, c.after, c.cut
    (True, '乙丙', '。丁', (True, False))
    """
    first = max(0, start - _AROUND)
    while first > 0 and text[first - 1] not in _STOPS and start - first < 2 * _AROUND:
        first -= 1
    last = min(len(text), end + _AROUND)
    while last < len(text) and text[last - 1] not in _STOPS and last - end < 2 * _AROUND:
        last += 1
    return Context(text[first:start], text[start:end], text[end:last], (first > 0, last < len(text)), href)


def cast(request: Request, witness: Witness) -> str:
    """The address of the cast of a witness, with the clause lit on it."""
    given = {"tradition": witness.tradition, **witness.options, "ask": witness.options.get("ask", "").split(), "clause": witness.clause}
    return link(request, address(given))


@cache
def mentioned() -> dict[str, tuple[str, ...]]:
    """Ids of clauses to IRIs of what their conditions speak of, the names of symbols as the symbols.

    >>> from loader.iris import symbol
    >>> symbol("spirit", "white-tiger") in {s for found in mentioned().values() for s in found}
    True
    """
    found: dict[str, list[str]] = {}
    for iri, by in concordance().mentions.items():
        for clause in by:
            found.setdefault(clause.id, []).append(iri)
    return {clause: tuple(sorted(things)) for clause, things in found.items()}


def _served(clause: Clause, library: Library) -> Iterator[str]:
    quads = library.store.store.quads_for_pattern(None, ox.NamedNode(ns("fires")), ox.NamedNode(clause.iri), ox.DefaultGraph())
    return (q.subject.value for q in quads if isinstance(q.subject, ox.NamedNode))


def of_iri(iri: str) -> Clause | None:
    """The clause of an IRI, or None."""
    return clauses().get(iri.removeprefix(CLAUSE)) if iri.startswith(CLAUSE) else None
