"""*Search*: any string over the names of symbols and terms, the passages and the clauses, in three languages, variant characters folded."""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kg.pages import naming
from kg.pages.address import addresses
from kg.question import questions
from kg.web import frame, span
from kg.web.frame import link
from loader import iris
from loader.chapter import chapters, clauses
from loader.clause import Clause, Passage
from loader.errors import InputError, listed, quoted
from loader.ontology import ontology
from loader.variants import fold

LONGEST: Final = 100
"""Characters of what is searched for."""
GROUPS: Final = ("names", "passages", "clauses")
"""Where something may be found, and the order in which it is shown."""
FEW: Final = 8
"""Finds of each group on the first page."""
MANY: Final = 40
"""Finds on a page of one group."""
_AROUND: Final = 24
"""Characters of a passage before and after what was found."""

Pieces = tuple[tuple[str, bool], ...]
"""A text in pieces, each with whether it is what was searched for."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text in a language, in pieces."""

    language: str
    pieces: Pieces


@dataclass(frozen=True, slots=True)
class NameFound:
    """A thing one of whose names was found: its IRI, its labels, and the name where it is none of them."""

    iri: str
    labels: tuple[Text, ...]
    other: Text | None


@dataclass(frozen=True, slots=True)
class PassageFound:
    """A place in a passage: the characters around it, and the link to it."""

    passage: Passage
    text: Text
    href: str


@dataclass(frozen=True, slots=True)
class ClauseFound:
    """A clause: its quote, and those of its other texts in which something was found."""

    clause: Clause
    quote: Pieces
    texts: tuple[Text, ...]


Found = NameFound | PassageFound | ClauseFound


@dataclass(frozen=True, slots=True)
class Group:
    """Finds of one kind: how many there are, and those that are shown."""

    name: str
    count: int
    shown: tuple[Found, ...]
    more: str | None


@dataclass(frozen=True, slots=True)
class Search:
    """What the page shows.

    Attributes:
        query: what is searched for, as it was typed.
        folded: as it is compared, where that differs.
        meant: IRIs of the clause or passage that it names.
        groups: what was found.
        number: number of the page, last: that of the last one, of a single group.
        before: address of the page before, after: of the one after.
    """

    query: str
    folded: str
    meant: tuple[str, ...]
    groups: tuple[Group, ...]
    number: int = 1
    last: int = 1
    before: str | None = None
    after: str | None = None

    @property
    def count(self) -> int:
        """How much was found in all."""
        return sum(group.count for group in self.groups)


def pieces(text: str, wanted: str) -> Pieces:
    """A text cut at every place of a folded string; no pieces where it has none.

    >>> pieces("六冲卦", fold("沖"))
    (('六', False), ('冲', True), ('卦', False))
    >>> pieces("六冲卦", "合")
    ()
    """
    folded, found, at = fold(text), list[tuple[str, bool]](), 0
    while (start := folded.find(wanted, at)) >= 0:
        found += [(text[at:start], False), (text[start : start + len(wanted)], True)]
        at = start + len(wanted)
    return tuple(piece for piece in (*found, (text[at:], False)) if piece[0]) if found else ()


@cache
def _names() -> tuple[tuple[str, str, str, str], ...]:
    """Every name of what has a place on a page: IRI, language, name, folded name. Chapters and questions go by their titles."""
    found: dict[tuple[str, str, str], None] = {}
    o = ontology()
    for iri in addresses():
        for literal in o.labels(iri):
            # A class that gathers the bearers of a symbol has its names from it.
            if not o.iris(iri, iris.ns("denotes")):
                found.setdefault((iri, literal.language or "en", literal.text))
    titles = [(chapter.iri, chapter.title) for chapter in chapters()] + [(q.iri, q.title) for q in questions().values()]
    for iri, title in titles:
        for language, text in title.items():
            found.setdefault((iri, language, text))
    return tuple((iri, language, text, fold(text)) for iri, language, text in found)


@cache
def _passages() -> tuple[tuple[Passage, str, str, str], ...]:
    """Every passage in both texts: the passage, language, text, folded text."""
    every = (p for chapter in chapters() for p in chapter.passages)
    return tuple((p, language, text, fold(text)) for p in every for language, text in (("lzh", p.lzh), ("ko", p.ko)))


@cache
def _clauses() -> tuple[tuple[Clause, tuple[tuple[str, str, str], ...]], ...]:
    """Every clause with its texts: language, text, folded text."""
    return tuple((c, tuple((language, text, fold(text)) for language, text in _texts(c) if text)) for c in clauses().values())


def warm() -> None:
    """Fold everything that is searched."""
    for make in (_names, _passages, _clauses):
        make()


def _texts(c: Clause) -> Iterator[tuple[str, str]]:
    """The texts of a clause with their languages, the quote first; what may be empty is told as empty."""
    yield from (("lzh", c.quote), ("ko", c.ko), ("en", c.en), ("zh-hant", c.when_text))
    yield from (("lzh", e.read) for e in c.emend)
    yield from (("en", text or "") for text in (c.doubt, c.note, *(e.why for e in c.emend)))


def found_names(wanted: str) -> list[NameFound]:
    """Things with a name that holds a string, those whose name is the string first, the shortest name first."""
    best: dict[str, tuple[int, str, str]] = {}
    for iri, language, text, folded in _names():
        if wanted in folded and (iri not in best or len(text) < best[iri][0]):
            best[iri] = (len(text), language, text)
    ordered = sorted(best.items(), key=lambda pair: (pair[1][0], pair[0]))
    return [_name(iri, language, text, wanted) for iri, (_, language, text) in ordered]


def _name(iri: str, language: str, text: str, wanted: str) -> NameFound:
    labels = naming.labels(iri) or (("", naming.label(iri, "en")),)
    other = None if any(label == text for _, label in labels) else Text(language, pieces(text, wanted))
    return NameFound(iri, tuple(Text(code, pieces(label, wanted) or ((label, False),)) for code, label in labels), other)


def found_passages(request: Request, wanted: str) -> Iterator[PassageFound]:
    """Every place of a string in the passages, in the order of the books."""
    for passage, language, text, folded in _passages():
        at = folded.find(wanted)
        while at >= 0:
            end = at + len(wanted)
            before, after = text[max(0, at - _AROUND) : at], text[end : end + _AROUND]
            around = tuple(p for p in ((before, False), (text[at:end], True), (after, False)) if p[0])
            yield PassageFound(passage, Text(language, around), link(request, span.address(passage, at, end, language)))
            at = folded.find(wanted, end)


def found_clauses(wanted: str) -> Iterator[ClauseFound]:
    """Clauses with a string in their quote, translation, reading, condition, emendations, doubts or notes."""
    for clause, ((_, quote, folded_quote), *others) in _clauses():
        found = tuple(Text(language, pieces(text, wanted)) for language, text, folded in others if wanted in folded)
        if found or wanted in folded_quote:
            yield ClauseFound(clause, pieces(quote, wanted) or ((quote, False),), found)


def asked(text: str) -> str:
    """What is searched for, cleaned.

    Raises:
        InputError: it is too long, or has signs that no text has.
    """
    text = unicodedata.normalize("NFC", " ".join(text.split()))
    if len(text) > LONGEST:
        raise InputError(f"{len(text)} characters are too many to search for", where="q", todo=f"Give at most {LONGEST}")
    if any(unicodedata.category(c) in ("Cc", "Cs", "Cn") for c in text):
        raise InputError(f"{quoted(text)} has signs that no text has", where="q")
    return text


def _number(text: str) -> int:
    """The number of a page.

    Raises:
        InputError: it is none.
    """
    if not (text.isascii() and text.isdigit() and len(text) <= 6 and int(text) >= 1):
        raise InputError(f"{quoted(text)} is no page", where="page", todo="Give a number from 1")
    return int(text)


def page(request: Request) -> Response:
    """The form, and what was found."""
    query, group = asked(request.query_params.get("q", "")), request.query_params.get("in", "")
    if group and group not in GROUPS:
        raise InputError(f"{quoted(group)} is no group", where="in", todo=f"Give {listed(GROUPS)}")
    number, wanted = _number(request.query_params.get("page", "1")), fold(query)
    if not query:
        view = Search("", "", (), ())
    elif group:
        view = _one(request, query, wanted, group, number)
    else:
        groups = tuple(_group(request, query, wanted, name) for name in GROUPS)
        meant = tuple(iri for _, iri in naming.pieces(query) if iri)[:FEW]
        view = Search(query, wanted if wanted != query.lower() else "", meant, groups)
    title = frame.said("room-search")
    return frame.respond(request, "search.html", {k: f"{query} — {v}" if query else v for k, v in title.items()}, view)


def _finds(request: Request, wanted: str, name: str) -> list[Found]:
    found: dict[str, Iterable[Found]] = {"names": found_names(wanted), "passages": found_passages(request, wanted), "clauses": found_clauses(wanted)}
    return list(found[name])


def _group(request: Request, query: str, wanted: str, name: str) -> Group:
    found = _finds(request, wanted, name)
    more = link(request, "/search", **{"q": query, "in": name}) if len(found) > FEW else None
    return Group(name, len(found), tuple(found[:FEW]), more)


def _one(request: Request, query: str, wanted: str, name: str, number: int) -> Search:
    """One page of all finds of a group.

    Raises:
        InputError: there are fewer pages.
    """
    found = _finds(request, wanted, name)
    last = max(1, -(-len(found) // MANY))
    if number > last:
        raise InputError(f"there is no page {number}", where="page", todo=f"The last one is {last}")

    def to(other: int) -> str | None:
        return link(request, "/search", **{"q": query, "in": name, "page": str(other)}) if 1 <= other <= last else None

    shown = Group(name, len(found), tuple(found[(number - 1) * MANY : number * MANY]), None)
    return Search(query, wanted if wanted != query.lower() else "", (), (shown,), number, last, to(number - 1), to(number + 1))


def routes() -> list[Route]:
    """The route of the search."""
    return [Route("/search", page)]
