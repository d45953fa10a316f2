"""The headers that every response has: nothing from other hosts, nothing guessed, and data open to all."""

import asyncio
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kg.server.faults import told
from loader.errors import EngineError

POLICY: Final = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
"""Content-Security-Policy: a page loads from here and from nowhere else, and nothing inline."""
HEADERS: Final = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Link, Retry-After",
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""Headers of every response that does not set them itself."""
_PREFLIGHT: Final = {
    "Allow": "GET, HEAD, POST, OPTIONS",
    "Access-Control-Allow-Methods": "GET, HEAD, POST, OPTIONS",
    "Access-Control-Allow-Headers": "Accept, Content-Type, If-None-Match",
    "Access-Control-Max-Age": "86400",
}


def shielded(response: Response) -> Response:
    """A response with the headers, for where the middleware does not reach."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


class Shield:
    """Middleware that adds the headers, answers OPTIONS, and for those who wait when the server ends."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its response back with the headers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope["method"] == "OPTIONS":
            await shielded(Response(status_code=204, headers=_PREFLIGHT))(scope, receive, send)
            return

        started = False

        async def sent(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(raw=message["headers"])
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                message["headers"] = headers.raw
            await send(message)

        try:
            await self._app(scope, receive, sent)
        except asyncio.CancelledError:
            # The server ends and has waited long enough; a client that waits is told, one that got a part sees that it is one.
            if not started:
                ending = EngineError("the server is ending", todo="Ask again when it is back", code="GUIGU.SERVER.ENDING")
                await shielded(told(ending))(scope, receive, send)
