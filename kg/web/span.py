"""Characters of a chapter that a link means: `?span=5:10-14` of the Chinese text, `?ko=5:10-14` of the Korean translation."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import quote

from kg.pages.chapter import ChapterView, PassageView
from kg.pages.page import Page
from kg.pages.runs import marked
from loader import iris
from loader.clause import Chapter, Passage, Span
from loader.errors import InputError, quoted

PARAMETERS: Final = {"span": "lzh", "ko": "ko"}
"""Parameter to the text of which it counts characters."""
ANCHOR: Final = "marked"
"""Id of the first marked characters."""
_WRITTEN: Final = re.compile(r"([0-9]{1,4}):([0-9]{1,6})-([0-9]{1,6})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Cited:
    """A run of characters of a passage.

    Attributes:
        passage: its number.
        text: `lzh` or `ko`.
        span: offsets in code points, the last one after the end.
    """

    passage: int
    text: str
    span: Span

    def __str__(self) -> str:
        return f"{self.passage}:{self.span.start}-{self.span.end}"


def cited(chapter: Chapter, query: Mapping[str, str]) -> Cited | None:
    """The characters that the query of an address means, or None where it means none.

    Raises:
        InputError: it is not written so, or the chapter has no such characters.

    >>> from loader.chapter import chapters
    >>> str(cited(chapters()[0], {"span": "5:10-14"}))
    '5:10-14'
    >>> cited(chapters()[0], {"span": "5:14-10"})
    Traceback (most recent call last):
    loader.errors.InputError: span: '5:14-10' means no characters of this chapter...
    """
    found = [(name, query[name]) for name in PARAMETERS if name in query]
    if not found:
        return None
    if len(found) > 1:
        raise InputError("both texts are asked for", where="span, ko", todo="Give one of them")
    name, written = found[0]
    match = _WRITTEN.fullmatch(written)
    if match:
        number, start, end = map(int, match.groups())
        passage = next((p for p in chapter.passages if p.number == number), None)
        if passage is not None and start < end <= len(getattr(passage, PARAMETERS[name])):
            return Cited(number, PARAMETERS[name], Span(start, end))
    numbers = f"{chapter.passages[0].number} to {chapter.passages[-1].number}"
    todo = f"Write paragraph:start-end, as in {chapter.passages[0].number}:0-3; the paragraphs are {numbers}"
    raise InputError(f"{quoted(written)} means no characters of this chapter", where=name, todo=todo)


def address(passage: Passage, start: int, end: int, text: str = "lzh") -> str:
    """Path and query of the link to characters of a passage.

    >>> from loader.chapter import chapters
    >>> address(chapters()[0].passages[0], 0, 3)
    '/page/text/yiyin/taichan?span=1:0-3#marked'
    """
    name = next(n for n, of in PARAMETERS.items() if of == text)
    return f"/page/{quote(passage.chapter.iri.removeprefix(iris.BASE))}?{name}={passage.number}:{start}-{end}#{ANCHOR}"


def marking(page: Page, means: Cited) -> Page:
    """The page of a chapter with characters marked."""
    assert isinstance(page.view, ChapterView)  # noqa: S101 - a chapter has the page of one

    def passage(view: PassageView) -> PassageView:
        if view.passage.number != means.passage:
            return view
        if means.text == "ko":
            return replace(view, korean=marked(view.korean, means.span))
        return replace(view, chinese=marked(view.chinese, means.span))

    return replace(page, view=replace(page.view, passages=tuple(map(passage, page.view.passages))))
