"""Linked data: each IRI of ours answers at its own path, as the redirect rules of w3id.org have it, and RDF by its address."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from kg.description import EXAMPLES
from kg.server import description
from kg.server.library import Document, Library, written
from kg.server.negotiation import GRAPHS, HTML, JSON_LD, Form, accept, best, chosen, named
from kg.server.pages import Pages
from kg.server.room import origin, room
from kg.server.sending import Pieces, cut, held
from loader import iris
from loader.data import folder
from loader.errors import UnknownName

KINDS: Final = ("ns", "id", "text", "clause", "np", "cast", "census", "graph")
"""First steps of the paths of IRIs."""
_PATH: Final = re.compile(rf"(?:{'|'.join(KINDS)})/[A-Za-z0-9._~/-]{{1,200}}")


def routes(pages: Pages) -> Sequence[BaseRoute]:
    """The routes of linked data."""

    async def thing(request: Request) -> Response:
        return _thing(request, pages)

    async def page(request: Request) -> Response:
        iri = _known(request, request.path_params["path"])
        assert pages.thing is not None  # noqa: S101 - else there is no such route
        return await pages.called(pages.thing, request, iri)

    return [
        *(Route(f"/{kind}/{{rest:path}}", thing) for kind in KINDS),
        Route("/ns", _ontology_moved),
        Route("/data/{path:path}", _data),
        *([Route("/page/{path:path}", page)] if pages.thing else []),
        Route("/ontology", _ontology),
        Route("/ontology.{ending}", _ontology),
        Route("/void", _void),
        Route("/void.{ending}", _void),
        Route("/context.jsonld", _context),
    ]


def _known(request: Request, path: str) -> str:
    """The IRI of a path.

    Raises:
        UnknownName: nothing is known of it.
        EngineError: the data are being loaded.
    """
    iri = iris.BASE + path
    library = room(request).library
    if not _PATH.fullmatch(path) or not library.knows(iri):
        raise UnknownName(path, "IRI", code="GUIGU.SERVER.IRI")
    return iri


def _thing(request: Request, pages: Pages) -> Response:
    """What an IRI of ours leads to: a document on it, since the thing itself cannot be sent."""
    path = str(request.scope["path"]).removeprefix("/")
    if path == "ns/":
        return _moved("/ontology")
    _known(request, path)
    media = [form.media for form in GRAPHS]
    if pages.thing is not None and not path.startswith("graph/"):
        wanted = best(accept(request), [HTML, *media])
        # As the rules of w3id.org: a page, unless RDF is asked for.
        if wanted in (HTML, None):
            return _moved(f"/page/{path}")
    form, _ = chosen(accept(request), GRAPHS) or (GRAPHS[0], "")
    return _moved(f"/data/{path}.{form.name}")


def _moved(to: str) -> Response:
    return RedirectResponse(to, 303, {"Vary": "Accept", "Cache-Control": "no-cache"})


async def _ontology_moved(_request: Request) -> Response:
    return _moved("/ontology")


async def _data(request: Request) -> Response:
    path, _, ending = request.path_params["path"].rpartition(".")
    form = named(ending, GRAPHS)
    if form is None:
        raise UnknownName(request.path_params["path"], "document", todo="It ends in .ttl, .nt, .rdf or .jsonld", code="GUIGU.SERVER.IRI")
    iri = _known(request, path)
    document = await run_in_threadpool(room(request).library.document, iri, form)
    assert document is not None  # noqa: S101 - it is known
    response = _sent(request, document)
    response.headers["Link"] = f'<{iri}>; rel="describes"'
    return response


async def _ontology(request: Request) -> Response:
    def ontology(library: Library, form: Form) -> Document:
        found = library.document(iris.NS, form)
        assert found is not None  # noqa: S101 - the vocabulary is always there
        return found

    return await _negotiated(request, ontology)


async def _void(request: Request) -> Response:
    here = room(request)

    def void(library: Library, form: Form) -> Document:
        examples = [iri for iri in EXAMPLES if library.knows(iri)]
        return written(description.void(f"{origin(request)}/sparql", here.workers.counts, examples), form, description.PREFIXES)

    return await _negotiated(request, void)


async def _context(request: Request) -> Response:
    path = folder("ontology") / "context.jsonld"
    return _sent(request, Document(await run_in_threadpool(path.read_bytes), JSON_LD))


async def _negotiated(request: Request, make: Callable[[Library, Form], Document]) -> Response:
    """A document in the form that its address or Accept wants."""
    ending = request.path_params.get("ending")
    found = chosen(accept(request), GRAPHS)
    form = (found[0] if found else GRAPHS[0]) if ending is None else named(ending, GRAPHS)
    if form is None:
        raise UnknownName(str(request.scope["path"]), "document", todo="It ends in .ttl, .nt, .rdf or .jsonld", code="GUIGU.SERVER.IRI")
    document = await run_in_threadpool(make, room(request).library, form)
    response = _sent(request, document, found[1] if ending is None and found else None)
    if ending is None:
        response.headers["Vary"] = "Accept"
    return response


def _sent(request: Request, document: Document, media: str | None = None) -> Response:
    """A document, or that the client has it already. It may be kept, but not used unasked: another start may serve other data."""
    headers = {"ETag": document.tag, "Cache-Control": "no-cache"}
    if held(request, document.tag):
        return Response(status_code=304, headers=headers)
    headers["Content-Type"] = document.form.content_type(media)
    return Pieces(cut(document.data), headers, room(request).settings.sending)
