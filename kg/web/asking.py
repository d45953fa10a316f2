"""*Ask*: the library of questions, each with a form of its parameters, its answer as a table with links, and the same answer as a file."""

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

import pyoxigraph as ox
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kg.pages.address import address
from kg.pages.rendering import script
from kg.question import THEMES, Question, question, questions
from kg.rows import Rows, Term, said, write
from kg.server.endpoint import PATH
from kg.server.faults import status
from kg.server.library import Library
from kg.server.room import origin, room
from kg.server.workers import Job
from kg.store import parsed
from kg.web import frame
from kg.web.asked_casts import LONGEST, MOST, AskedCast, asked_casts, written
from kg.web.bench import Bench
from kg.web.fields import Field, fields
from loader import iris
from loader.errors import EngineError, GuiguError, InputError, QueryError, UnknownName

SHOWN: Final = 2_000
"""Rows that a page shows; a file holds all."""
MEDIA: Final = {
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "json": "application/sparql-results+json",
    "ttl": "text/turtle",
    "md": "text/markdown",
}
"""Forms in which an answer is a file, to their media types."""
_RESERVED: Final = frozenset({"lang", "more", "cast", "ask"})
"""Fields of the address that are no parameters of a question."""
_FIELDS: Final = 100
"""Fields of an address."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: its text, and the IRI that it is or the language that it is in.

    Attributes:
        href: where it leads, if that is known better here than by its IRI.
    """

    text: str
    iri: str | None = None
    language: str | None = None
    href: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows as a page shows them.

    Attributes:
        total: rows of the answer, of which `SHOWN` at most are shown.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    total: int


@dataclass(frozen=True, slots=True)
class AskView:
    """The library by theme.

    Attributes:
        casts: casts of the address, which the questions on casts are to be asked of.
    """

    themes: tuple[tuple[str, tuple[Question, ...]], ...]
    casts: list[str]


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A question as it was asked.

    Attributes:
        fields: its parameters.
        given_casts: casts as they stand in the address.
        casts: the casts of the address that it was asked of.
        of_casts: whether it is asked of casts.
        served: whether it is, and casts are served beside the doctrine: then it is asked of these too.
        wanting: whether it wants one and there is none.
        sparql: the query as it was asked; that of the defaults where it was not.
        table: the answer, or None where there is none.
        fault: why there is none.
        files: form to the address of the answer in it.
        editor: address of the editor with the query.
        example: address of the example, or None where it is the question as it stands.
    """

    question: Question
    fields: tuple[Field, ...]
    given_casts: tuple[str, ...]
    casts: tuple[AskedCast, ...]
    of_casts: bool
    served: bool
    wanting: bool
    sparql: str
    table: Table | None
    fault: str | None
    files: dict[str, str]
    editor: str
    example: str | None


@dataclass(frozen=True, slots=True)
class Asked:
    """What an address asks: parameters to their values, casts, and a parameter that wants one more field."""

    values: dict[str, list[str]]
    casts: tuple[str, ...]
    more: str


def routes() -> list[Route]:
    """The routes of the pages that ask; casts of an address are judged on a bench of their own."""
    bench = Bench()

    async def file(request: Request) -> Response:
        return await _file(request, bench)

    async def page(request: Request) -> Response:
        return await _page(request, bench)

    return [Route("/ask", _listing), Route("/ask/{name}.{form}", file), Route("/ask/{name}", page)]


def _listing(request: Request) -> Response:
    every = questions().values()
    themes = tuple((theme, tuple(q for q in every if q.theme == theme)) for theme in THEMES)
    casts = [value for value in request.query_params.getlist("cast")[:MOST] if value.strip() and len(value) <= LONGEST]
    return frame.respond(request, "ask.html", frame.said("room-ask"), AskView(themes, casts))


async def _page(request: Request, bench: Bench) -> Response:
    """A question: its form, and its answer unless it wants a cast."""
    q = await run_in_threadpool(_question, request.path_params["name"])
    library = room(request).library
    view, number = await run_in_threadpool(_unanswered, request, q), 200
    try:
        given = asked(request)
        bound = await run_in_threadpool(q.bound, given.values)
        casts = await _casts(given.casts, bench)
        served = of_casts(q) and await run_in_threadpool(has_casts, library)
        wanting = of_casts(q) and not casts and not served
        view = replace(view, sparql=bound, casts=casts, served=served, wanting=wanting)
        if not wanting:
            rows = await answered(request, bound, casts)
            view = replace(view, table=await run_in_threadpool(_table, rows, library, casts))
    except EngineError:
        raise  # the whole server is not ready or too busy
    except GuiguError as fault:
        view, number = replace(view, fault=told(fault), wanting=False), status(fault)
    return await run_in_threadpool(frame.respond, request, "ask-question.html", q.title, view, number)


async def _file(request: Request, bench: Bench) -> Response:
    """The answer to a question as a file."""
    form = request.path_params["form"]
    q = await run_in_threadpool(_question, request.path_params["name"])
    if form not in MEDIA:
        raise UnknownName(form, "form", MEDIA, where="path", todo=f"There are: {', '.join(MEDIA)}")
    given = asked(request)
    bound = await run_in_threadpool(q.bound, given.values)
    rows = await answered(request, bound, await _casts(given.casts, bench))
    text = await run_in_threadpool(write, rows, form)
    headers = {"Content-Disposition": f'inline; filename="{q.name}.{form}"', "Cache-Control": "no-cache"}
    return Response(text.encode(), headers=headers, media_type=MEDIA[form])


async def _casts(given: tuple[str, ...], bench: Bench) -> tuple[AskedCast, ...]:
    return await bench.run(lambda: asked_casts(given)) if given else ()


def _question(name: str) -> Question:
    """The question of a name.

    Raises:
        UnknownName: there is none.
    """
    try:
        return question(name)
    except UnknownName as error:
        raise UnknownName(name, "question", questions(), todo="All of them are listed under /ask") from error


def asked(request: Request) -> Asked:
    """What the address asks; fields that are empty count as not given.

    Raises:
        InputError: it has too many fields.
    """
    sent = request.query_params.multi_items()
    if len(sent) > _FIELDS:
        raise InputError(f"{len(sent)} fields", where="address", todo=f"At most {_FIELDS} are read")
    values: dict[str, list[str]] = defaultdict(list)
    for name, value in sent:
        if name not in _RESERVED and value.strip():
            values[name].append(value)
    casts = tuple(dict.fromkeys(value for name, value in sent if name == "cast" and value.strip()))
    return Asked(dict(values), casts, request.query_params.get("more", ""))


def told(fault: GuiguError) -> str:
    """A fault in a sentence. Its place is the option of a command; here it is a field.

    >>> told(InputError("there is nothing to search for", where="--string"))
    'string: there is nothing to search for.'
    """
    return str(fault.placed((fault.where or "").removeprefix("--")))


def _unanswered(request: Request, q: Question) -> QuestionView:
    """A question before it is asked."""
    try:
        given = asked(request)
    except InputError:
        given = Asked({}, (), "")
    # Names that are no parameters of the question stay out of its links: a fault tells of them.
    own = {p.name: given.values[p.name] for p in q.parameters if p.name in given.values}
    query = urlencode(own | ({"cast": list(given.casts)} if given.casts else {}), doseq=True)
    example = {k: list(v) for k, v in q.example.parameters.items()} | ({"cast": list(map(written, q.example.casts))} if of_casts(q) else {})
    return QuestionView(
        question=q,
        fields=fields(q, own, given.more, frame.language(request)),
        given_casts=given.casts,
        casts=(),
        of_casts=of_casts(q),
        served=False,
        wanting=False,
        sparql=q.sparql,
        table=None,
        fault=None,
        files={form: f"/ask/{q.name}.{form}{'?' if query else ''}{query}" for form in MEDIA},
        editor=frame.link(request, PATH, ask=q.name, **{k: list(v) for k, v in own.items()}),
        example=frame.link(request, f"/ask/{q.name}", **example) if example else None,
    )


def of_casts(q: Question) -> bool:
    """Whether a question is asked of casts: one of a census is not, but of what is served beside the doctrine."""
    return q.theme == "cast" or (q.theme != "census" and bool(q.example.casts))


def has_casts(library: Library) -> bool:
    """Whether casts are served beside the doctrine."""
    cast, kind = ox.NamedNode(iris.ns("Cast")), ox.NamedNode(iris.TYPE)
    return next(iter(library.store.store.quads_for_pattern(None, kind, cast, ox.DefaultGraph())), None) is not None


async def answered(request: Request, sparql: str, casts: tuple[AskedCast, ...]) -> Rows:
    """The rows that a query gives, by a worker, which a limit of time really stops.

    Args:
        request: what is answered.
        sparql: a query of the library.
        casts: casts to ask beside what is served.

    Raises:
        QueryError: it gives no rows, or is stopped.
        EngineError: nobody is there to answer it.
    """
    beside = "".join(c.triples for c in casts) or None
    async with room(request).workers.answer(Job(sparql, origin(request) + PATH, beside=beside)) as answer:
        found = await run_in_threadpool(parsed, b"".join(answer.pieces))
    if not isinstance(found, Rows):
        raise QueryError("the question gives no rows")
    return found


def _table(found: Rows, library: Library, casts: tuple[AskedCast, ...]) -> Table:
    rows = tuple(tuple(_cell(term, library, casts) for term in row) for row in found.rows[:SHOWN])
    return Table(found.columns, rows, len(found.rows))


def _cell(term: Term | None, library: Library, casts: tuple[AskedCast, ...]) -> Cell:
    if isinstance(term, ox.NamedNode):
        if term.value.startswith(iris.BASE + "cast/"):
            return _of_cast(term, library, casts)
        # The ontology labels neither passages nor clauses, nor what is made for a query and has no page.
        unnamed = term.value.startswith((iris.clause(""), iris.BASE + "text/")) or (term.value.startswith(iris.BASE) and address(term.value) is None)
        return Cell(said(term) if unnamed else "", term.value)
    text = said(term)
    tagged = term.language if isinstance(term, ox.Literal) else None
    return Cell(text, language=tagged or (script(text) if any(map(str.isalpha, text)) else None))


def _of_cast(term: ox.NamedNode, library: Library, casts: tuple[AskedCast, ...]) -> Cell:
    """A cast, or a part of one, leads to the page that shows it: of the cast in the address, or of the one that is served."""
    name, _, part = term.value.removeprefix(iris.BASE + "cast/").partition("/")
    me = f"{iris.BASE}cast/{name}"
    for cast in casts:
        if me in cast.titles:
            return Cell(f"{cast.titles[me]} {part}".strip(), href=cast.href)
    labels = library.store.store.quads_for_pattern(ox.NamedNode(me), ox.NamedNode(iris.RDFS + "label"), None, ox.DefaultGraph())
    title = next((q.object.value for q in labels if isinstance(q.object, ox.Literal)), name)
    return Cell(f"{title} {part}".strip(), term.value if library.knows(term.value) else None)
