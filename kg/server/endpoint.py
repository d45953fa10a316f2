"""`/sparql`: the SPARQL 1.1 Protocol over HTTP, for queries; without one, the service description."""

import asyncio
from collections.abc import Sequence

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from kg.federation import check_services
from kg.server import description
from kg.server.faults import told, wrong_method
from kg.server.library import written
from kg.server.negotiation import GRAPHS, HTML, SOLUTIONS, Form, accept, best, chosen, named
from kg.server.pages import Pages
from kg.server.protocol import METHODS, Operation, operation
from kg.server.room import Room, origin, room
from kg.server.sending import Pieces
from kg.server.workers import Job
from loader.errors import GuiguError, QueryError

PATH = "/sparql"


class Endpoint:
    """The endpoint, as an ASGI application."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request = Request(scope, receive)
        try:
            await self._answer(request, scope, receive, send)
        except GuiguError as fault:
            await _vary(told(fault))(scope, receive, send)
        except ClientDisconnect:  # nobody is there to be told
            pass

    async def _answer(self, request: Request, scope: Scope, receive: Receive, send: Send) -> None:
        here = room(request)
        if request.method not in METHODS:
            raise wrong_method(request.method, query=True)
        asked = await _operation(request, here)
        if asked.query is None:
            await _vary(await self._described(request, asked, here))(scope, receive, send)
            return
        check_services(asked.query, here.settings.services)
        wanted = accept(request)
        solutions, graph = _wanted(asked, wanted, SOLUTIONS), _wanted(asked, wanted, GRAPHS)
        job = Job(
            asked.query,
            origin(request) + PATH,
            asked.default,
            asked.named,
            solutions[0].known if solutions else None,
            graph[0].known if graph else None,
        )
        async with here.workers.answer(job) as answer:
            form = graph if answer.kind == "graph" else solutions
            assert form is not None  # noqa: S101 - the worker refuses what has no form
            headers = {"Content-Type": form[0].content_type(form[1]), "Vary": "Accept"}
            await Pieces(answer.pieces, headers, here.settings.sending)(scope, receive, send)

    async def _described(self, request: Request, asked: Operation, here: Room) -> Response:
        """The service description, or a page for people."""
        form = named(asked.format or "", GRAPHS)
        wanted = accept(request)
        if form is None:
            if best(wanted, [f.media for f in GRAPHS] + [HTML]) == HTML and self._pages.editor is not None:
                return await self._pages.called(self._pages.editor, request, PATH)
            found = chosen(wanted, GRAPHS)
            form, media = found or (GRAPHS[0], GRAPHS[0].media)
        else:
            media = form.media
        counts, closures = here.workers.counts, here.library.dataset.closures
        triples = description.service(origin(request) + PATH, counts, closures, bool(here.settings.services))
        document = written(triples, form, description.PREFIXES)
        return Response(document.data, headers={"ETag": document.tag, "Cache-Control": "no-cache"}, media_type=form.content_type(media))


def _wanted(asked: Operation, header: str, forms: Sequence[Form]) -> tuple[Form, str] | None:
    """The form asked for by `format=` where it names one of these, else by Accept."""
    form = named(asked.format or "", forms)
    return (form, form.media) if form else chosen(header, forms)


async def _operation(request: Request, here: Room) -> Operation:
    longest = here.settings.query
    # A byte of a query takes three in a form; the rest of the form is short.
    body = await _body(request, 3 * longest + 65_536, here.settings.reading) if request.method == "POST" else b""
    return operation(request.method, request.scope["query_string"], request.headers.get("content-type", ""), body, longest)


async def _body(request: Request, longest: int, seconds: float) -> bytes:
    """The body of a request.

    Raises:
        QueryError: it is too large, packed, or does not come in time.
    """
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise QueryError("a body that is packed", where="Content-Encoding", todo="Send it as it is", code="GUIGU.QUERY.MEDIA")
    data = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for piece in request.stream():
                data += piece
                if len(data) > longest:
                    raise QueryError("the request is too large", todo=f"At most {longest} bytes are read", code="GUIGU.QUERY.LONG")
    except TimeoutError as error:
        raise QueryError(f"the body did not come within {seconds:g} s", code="GUIGU.QUERY.SLOW") from error
    return bytes(data)


def _vary(response: Response) -> Response:
    response.headers["Vary"] = "Accept"
    return response
