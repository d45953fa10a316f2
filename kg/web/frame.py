"""What every page of the reading room shares: its templates and words, its language, its links, and how it is sent."""

import hashlib
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode

from jinja2 import ChoiceLoader, Environment, FileSystemLoader
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route

from kg.pages import rendering
from kg.pages.address import address
from kg.pages.page import Page
from kg.pages.words import TAGS, Words
from kg.pages.words import words as words_of
from kg.server.sending import held, tag
from kg.version import VERSION
from loader import iris
from loader.errors import UnknownName
from loader.iris import symbol
from loader.saying import LANGUAGES

_HERE: Final = Path(__file__).parent
_PAGES: Final = Path(rendering.__file__).parent
_STATIC: Final = (_HERE / "static", _PAGES / "static")
SECTIONS: Final = (("room-read", "/read"), ("room-cast", "/cast"), ("room-ask", "/ask"), ("room-compare", "/compare"), ("room-search", "/search"))
"""Words and paths of the ways through the room, in the order of the navigation."""
_RANGE: Final = re.compile(r"\s*([A-Za-z]{1,8}|\*)(?:-[A-Za-z0-9-]{0,40})?\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?", re.ASCII)
_OPTION: Final = re.compile(r"(?<![\w-])--(?=[a-z])")
_SPOKEN: Final = {"en": "en", "ko": "ko", "zh": "zh-hant"}
_LONGEST_HEADER: Final = 1_000
_KEPT: Final = 20_000
"""Names and clauses in HTML that are kept for the pages of a language; all there are would be fewer."""


@cache
def environment() -> Environment:
    """The templates of the room; where it has none of that name, those of the pages."""
    places = [FileSystemLoader(folder / "templates", encoding="utf-8") for folder in (_HERE, _PAGES)]
    env = rendering.environment().overlay(loader=ChoiceLoader(places))
    env.globals = env.globals | {"asset": asset, "sections": SECTIONS, "version": VERSION}
    return env


@cache
def words(language: str) -> Words:
    """The words of the room in a language, with those of the pages.

    >>> words("ko")("room-read")
    '읽기'
    """
    return words_of(language, *sorted(_HERE.glob("words*.yaml")))


def said(key: str) -> dict[str, str]:
    """A word in every language, as the title of a page."""
    return {language: words(language)(key) for language in LANGUAGES}


def language(request: Request) -> str:
    """The language of the interface: that of `lang=`, else the one the browser likes best, else English."""
    return _explicit(request) or preferred(", ".join(request.headers.getlist("accept-language")))


def _explicit(request: Request) -> str | None:
    asked = request.query_params.get("lang", "")
    return asked if asked in LANGUAGES else None


def preferred(header: str) -> str:
    """The language that an Accept-Language header likes best, of those that the room speaks.

    >>> preferred("fr, zh-TW;q=0.9, ko;q=0.8"), preferred("*, ko;q=0"), preferred("nonsense;;;")
    ('zh-hant', 'en', 'en')
    """
    wanted: dict[str, float] = {}
    for part in header[:_LONGEST_HEADER].split(","):
        found = _RANGE.fullmatch(part)
        spoken = _SPOKEN.get(found[1].lower()) if found else None
        if found and spoken:
            wanted[spoken] = max(wanted.get(spoken, 0.0), float(found[2] or 1))
    best = max(wanted, key=lambda one: wanted[one], default=LANGUAGES[0])
    return best if wanted.get(best) else LANGUAGES[0]


def link(request: Request, path: str, **params: str | list[str] | None) -> str:
    """The URL of a page of the room; it keeps the language that was asked for. A parameter that is None is left out.

    A path may have an anchor: it stays at the end.
    """
    place, hash_, anchor = path.partition("#")
    given: dict[str, str | list[str]] = {name: value for name, value in params.items() if value is not None}
    if asked := _explicit(request):
        given["lang"] = asked
    query = urlencode(given, doseq=True)
    return place + (f"{'&' if '?' in place else '?'}{query}" if query else "") + hash_ + anchor


class RoomLinks:
    """Links of the server, as `kg.pages.Links` wants them: an IRI leads to its page, a clause to a page of its own."""

    def __init__(self, request: Request, iri: str | None = None) -> None:
        self._request = request
        self._iri = iri
        self._known: dict[str, str | None] = {}

    def thing(self, iri: str) -> str | None:
        """The href of what an IRI leads to."""
        if iri not in self._known:
            self._known[iri] = self._thing(iri)
        return self._known[iri]

    def _thing(self, iri: str) -> str | None:
        if iri == FRONT:
            return link(self._request, "/read")
        found = address(iri)
        if found is None:
            return link(self._request, "/page/" + iri.removeprefix(iris.BASE)) if iri.startswith((iris.BASE + "cast/", iris.BASE + "np/")) else None
        if iri.startswith(CLAUSE):
            return link(self._request, f"/page/clause/{found.anchor}")
        return link(self._request, f"/page/{found.page}" + (f"#{found.anchor}" if found.anchor else ""))

    def here(self, language: str) -> str:
        """The href of the same page in another language."""
        return here(self._request, language)

    def twin(self) -> str:
        """The href of the RDF of the page; empty for a page of no one thing."""
        if self._iri is None or self._iri.startswith(symbol("page", "")):
            return ""
        return "/ontology.ttl" if self._iri == iris.NS else "/data/" + self._iri.removeprefix(iris.BASE) + ".ttl"

    def static(self, name: str) -> str:
        """The href of a file of `static/`."""
        return asset(name)


FRONT: Final = symbol("page", "index")
"""IRI of the front page of the texts: here the list of chapters."""
CLAUSE: Final = iris.clause("")
"""What the IRIs of clauses begin with."""


def here(request: Request, language: str) -> str:
    """Path and query of a request with another language."""
    kept = [(name, value) for name, value in request.query_params.multi_items() if name != "lang"]
    # One slash at the start: with two, the address would be that of another host.
    return f"/{quote(request.url.path.lstrip('/'))}?{urlencode([*kept, ('lang', language)])}"


def respond(request: Request, template: str, title: Mapping[str, str], view: object, status: int = 200, page: Page | None = None) -> Response:
    """A page of the room.

    Args:
        request: what is answered.
        template: a file of `templates/` that extends `room.html`, with its blocks `main` and `scripts`.
        title: language to title.
        view: what the template shows.
        status: of the response.
        page: the page of `kg.pages` that is shown, if it is one.

    Returns:
        The page, with an entity tag; 304 where the client has it already.
    """
    spoken = language(request)
    context: dict[str, Any] = rendering.surroundings(words(spoken), RoomLinks(request, page.iri if page else None), _kept(spoken, _explicit(request)), page)

    def linked(path: str, **params: str | list[str] | None) -> str:
        return link(request, path, **params)

    context |= {"view": view, "title": title[spoken], "request_path": request.url.path, "link": linked, "words_of": words}
    context |= {"here": here(request, spoken), "asked_language": _explicit(request)}
    return sent(request, environment().get_template(template).render(context), status)


@lru_cache
def _kept(_language: str, _asked: str | None) -> dict[str, str]:
    """Names and clauses in HTML, once for all pages whose links are written alike."""
    return _Bounded()


class _Bounded(dict[str, str]):
    """A dictionary that is emptied when it is full: what it holds is known from the doctrine, but for what strangers serve beside it."""

    def __setitem__(self, key: str, value: str) -> None:
        if len(self) >= _KEPT:
            self.clear()
        super().__setitem__(key, value)


def as_fields(text: str) -> str:
    """A sentence that names options of the command line, with the names that they have as fields of a form.

    >>> as_fields("--birth-year: '19' is no year. give one of --lines, --hexagram.")
    "birth-year: '19' is no year. give one of lines, hexagram."
    """
    return _OPTION.sub("", text)


def sent(request: Request, html: str, status: int = 200) -> Response:
    """HTML with its entity tag, or 304 where the client has it. It may be kept, but not used unasked: another start may say more."""
    body = html.encode("utf-8", "replace")
    own = tag(body)
    headers = {"ETag": own, "Cache-Control": "no-cache", "Vary": "Accept, Accept-Language"}
    if status != 200:
        return HTMLResponse(body, status, {"Cache-Control": "no-store"} | {"Content-Language": TAGS[language(request)]})
    if held(request, own):
        return Response(status_code=304, headers=headers)
    return HTMLResponse(body, status, headers | {"Content-Language": TAGS[language(request)]})


@cache
def _assets() -> dict[str, tuple[Path, str]]:
    """Static files by their names, with a hash of what they hold; those of the room come first."""
    found: dict[str, tuple[Path, str]] = {}
    for folder in reversed(_STATIC):
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            found[path.relative_to(folder).as_posix()] = (path, hashlib.sha256(path.read_bytes()).hexdigest()[:12])
    return found


def asset(name: str) -> str:
    """The URL of a static file: it changes when the file does, so that it may be kept for ever.

    Raises:
        UnknownName: there is no such file.
    """
    if name not in _assets():
        raise UnknownName(name, "file", _assets(), code="GUIGU.SERVER.PATH")
    return f"/static/{name}?v={_assets()[name][1]}"


async def static(request: Request) -> Response:
    """A static file; only those that were there when the server started are sent."""
    name = request.path_params["name"]
    if name not in _assets():
        raise UnknownName(name, "file", code="GUIGU.SERVER.PATH")
    path, known = _assets()[name]
    forever = request.query_params.get("v") == known
    return FileResponse(path, headers={"Cache-Control": "public, max-age=31536000, immutable" if forever else "no-cache"})


def routes() -> list[Route]:
    """The route of the static files."""
    return [Route("/static/{name:path}", static)]
