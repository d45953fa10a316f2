"""*Read*: the home page, the chapters, the pages of what the doctrine and the served data speak of, and faults as pages."""

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kg.pages import address
from kg.pages.address import LISTS
from kg.pages.chapter import ChapterView
from kg.pages.folder import plans
from kg.pages.page import Page, Plans
from kg.pages.survey import Facts, FrontView
from kg.server.faults import told
from kg.server.room import room
from kg.version import VERSION
from kg.web import cast_query, clause, frame, span
from kg.web.record import record
from loader import iris
from loader.chapter import clauses
from loader.clause import Clause
from loader.errors import GuiguError
from loader.saying import LANGUAGES

_EXAMPLE: Final = "yy-taichan-088"
_EXAMPLE_CAST: Final = {"hexagram": "雷山小過", "moving": "3", "month": "辰", "day": "戊辰", "topic": "childbirth"}
"""The cast of the example, as `guigu cast` is given it in the README."""
_LONGEST_TOLD: Final = 400
"""Characters of a fault on its page."""


@dataclass(frozen=True, slots=True)
class Home:
    """The home page: the size of the whole, and the clause that answers an example with the address of its cast."""

    total: dict[str, int]
    example: Clause
    cast: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: its status and code, the sentence that tells it, and whether the data are only being loaded."""

    status: int
    code: str
    text: str
    loading: bool


@cache
def every() -> Plans:
    """What makes each page of the doctrine, by its path."""
    return plans(Facts(VERSION))


@lru_cache(maxsize=128)
def made(path: str) -> Page:
    """The page of the doctrine at a path; the last ones are kept, for making that of a long chapter takes as long as rendering it."""
    return every()[path]()


def warm() -> None:
    """Make the front page, which counts everything."""
    _front()


def _front() -> FrontView:
    view = made("index").view
    assert isinstance(view, FrontView)  # noqa: S101 - it is the front page
    return view


def home(request: Request) -> Response:
    """What this is, and the ways in."""
    view = Home(_front().total, clauses()[_EXAMPLE], frame.link(request, cast_query.address(_EXAMPLE_CAST)))
    return frame.respond(request, "home.html", frame.said("room-title"), view)


def read(request: Request) -> Response:
    """The chapters of both works."""
    return frame.respond(request, "read.html", frame.said("room-read-title"), _front())


def listed(request: Request) -> Response:
    """A page that is of no one thing, or of the vocabulary: the list of tables, of questions ..."""
    return _shown(request, made(request.url.path.removeprefix("/page/")))


def thing(request: Request, iri: str) -> Response:
    """The page of an IRI: its own, or a redirection to the place where it is shown, or what the data say of it."""
    if found := clause.of_iri(iri):
        return _shown(request, clause.page(request, found, room(request).library))
    path = iri.removeprefix(iris.BASE).strip("/")
    if path in every():
        return _shown(request, made(path))
    if address(iri):
        to = frame.RoomLinks(request).thing(iri)
        return RedirectResponse(to or "/read", 303, {"Cache-Control": "no-cache"})
    found_record = record(iri, room(request).library)
    page = Page(iri, path, "record.html", dict.fromkeys(LANGUAGES, found_record.name), found_record)
    return _shown(request, page)


def _shown(request: Request, page: Page) -> Response:
    """A page of the doctrine; on that of a chapter, the characters that the address means are marked.

    Raises:
        InputError: it means none.
    """
    if isinstance(page.view, ChapterView):
        means = span.cited(page.view.chapter, request.query_params)
        page = span.marking(page, means) if means else page
    return frame.respond(request, page.template, page.title, page.view, page=page)


def fault(request: Request, error: GuiguError, status: int) -> Response:
    """A fault as a page: what is wrong, in a sentence, and ways on."""
    plain = told(error)
    text = frame.as_fields(str(error))
    told_of = Fault(status, error.code, text if len(text) <= _LONGEST_TOLD else text[:_LONGEST_TOLD] + "…", error.code == "GUIGU.SERVER.LOADING")
    title = frame.said("fault-404" if status == 404 else "fault-503" if status == 503 else "fault-500" if status >= 500 else "fault-400")
    response = frame.respond(request, "fault.html", title, told_of, status)
    response.headers.update({name: plain.headers[name] for name in ("retry-after", "allow") if name in plain.headers})
    return response


def routes() -> list[Route]:
    """The home page, the list of chapters, and the lists of the doctrine."""
    lists = [Route(f"/page/{name}", listed) for name in (*LISTS, "ns") if name != "index"]
    return [Route("/", home), Route("/read", read), *lists]
