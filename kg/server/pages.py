"""What pages add to the server: the places at which HTML is put in. Without any, it speaks RDF and plain text."""

import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute

from loader.errors import GuiguError

Page = Callable[[Request, str], Response | Awaitable[Response]]
"""A page on something: of an IRI, or of a path. A plain function runs in a thread, a coroutine function in the loop."""
FaultPage = Callable[[Request, GuiguError, int], Response]
"""A page that tells a fault, with its status."""


@dataclass(frozen=True, slots=True)
class Pages:
    """Where HTML is put in.

    Attributes:
        routes: routes of their own; they come before those of the server.
        thing: the page of an IRI, at `/page/<path>`; where it is, IRIs lead there unless RDF is wanted more.
        editor: the page at `/sparql` for a browser.
        fault: the page of a fault for a browser.
        warm: makes what all pages share, before the server says that it is ready; else the first readers at once would all make it.
    """

    routes: Sequence[BaseRoute] = ()
    thing: Page | None = None
    editor: Page | None = None
    fault: FaultPage | None = None
    warm: Callable[[], object] | None = None

    @staticmethod
    async def called(page: Page, request: Request, what: str) -> Response:
        """The response of a page."""
        if inspect.iscoroutinefunction(page):
            found: Response = await page(request, what)
            return found
        return await run_in_threadpool(page, request, what)  # type: ignore[arg-type] # a plain function gives a Response


_FORM: Final = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>SPARQL · guigu</title></head>
<body>
<h1>SPARQL</h1>
<form action="/sparql" method="get">
<p><label for="query">Query</label></p>
<p><textarea id="query" name="query" rows="12" cols="100" spellcheck="false">SELECT ?work ?label { ?work a g:Work ; skos:prefLabel ?label }</textarea></p>
<p><label for="format">Form</label>
<select id="format" name="format"><option>json</option><option>xml</option><option>csv</option><option>tsv</option><option>ttl</option></select>
<button type="submit">Ask</button></p>
</form>
<p><a href="/sparql?format=ttl">What this endpoint offers</a></p>
</body>
</html>
"""


def form(_request: Request, _path: str) -> Response:
    """A plain form for a query: what stands at `/sparql` until there is a better page."""
    return HTMLResponse(_FORM)


PLAIN: Final = Pages(editor=form)
"""The pages without pages."""
