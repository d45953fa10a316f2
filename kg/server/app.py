"""The server as a Starlette application: routes, state from start to end, and faults told in one sentence."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from kg.server import linked
from kg.server.dataset import served
from kg.server.endpoint import PATH, Endpoint
from kg.server.faults import status, told, wrong_method
from kg.server.negotiation import HTML, accept, best
from kg.server.pages import PLAIN, Pages
from kg.server.room import Load, Room, room
from kg.server.settings import Settings
from kg.server.shield import Shield, shielded
from kg.version import VERSION
from loader.errors import EngineError, GuiguError, UnknownName

_ROBOTS = "User-agent: *\nDisallow: /sparql\n"
_HOME = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>guigu</title></head>
<body>
<h1>guigu</h1>
<ul><li><a href="/sparql">SPARQL</a></li><li><a href="/ontology">Ontology</a></li><li><a href="/void">Dataset</a></li></ul>
</body>
</html>
"""


def app(settings: Settings, *, pages: Pages = PLAIN, load: Load = served, opened: Callable[[Room], None] | None = None) -> Starlette:
    """The application.

    It answers at once, and `GUIGU.SERVER.LOADING` (503 with Retry-After) to what needs the data while they are loaded.

    Args:
        settings: how to serve.
        pages: what pages are put in.
        load: what makes the dataset, in a thread; by default the doctrine and the files of the settings.
        opened: told the room when all is loaded, or cannot be (`room.failed`).
    """

    @asynccontextmanager
    async def lifespan(application: Starlette) -> AsyncIterator[None]:
        here = application.state.room
        here.open(opened)
        try:
            yield
        finally:
            await here.close()

    def fault(request: Request, error: Exception) -> Response:
        return _fault(request, error, pages)

    application = Starlette(
        routes=[
            *pages.routes,
            Route("/", _home),
            Route("/robots.txt", _robots),
            Route("/healthz", _health),
            Route(PATH, Endpoint(pages)),
            Route(f"{PATH}/", Endpoint(pages)),
            *linked.routes(pages),
        ],
        middleware=[Middleware(Shield)],
        exception_handlers={GuiguError: fault, HTTPException: fault, Exception: fault},
        lifespan=lifespan,
    )
    application.router.redirect_slashes = False
    application.state.room = Room(settings, load, pages.warm)
    return application


def _fault(request: Request, error: Exception, pages: Pages) -> Response:
    """A fault as text, or as a page where a browser asks and there is one."""
    if isinstance(error, HTTPException) and error.status_code == 404:
        fault: GuiguError = UnknownName(str(request.scope["path"]), "path", code="GUIGU.SERVER.PATH")
    elif isinstance(error, HTTPException) and error.status_code == 405:
        fault = wrong_method(request.method)
    elif isinstance(error, GuiguError):
        fault = error
    else:
        # Nothing of it is told to the client: it is ours, and stands in the log.
        fault = EngineError("the server failed", code="GUIGU.SERVER.FAILED")
    if pages.fault is not None and best(accept(request), ["text/plain", HTML]) == HTML:
        return shielded(pages.fault(request, fault, status(fault)))
    return shielded(told(fault))


async def _home(_request: Request) -> Response:
    return HTMLResponse(_HOME)


async def _robots(_request: Request) -> Response:
    return PlainTextResponse(_ROBOTS)


async def _health(request: Request) -> Response:
    here = room(request)
    state = "ready" if here.ready else "failed" if here.failed else "loading"
    headers = {"Cache-Control": "no-store"} | ({} if here.ready else {"Retry-After": "2"})
    said = {"status": state, "version": VERSION, "workers": len(here.workers.pids)}
    return JSONResponse(said, 200 if here.ready else 503, headers)
