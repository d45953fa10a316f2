"""Sending what may be large: in pieces, as the reader takes them, and not for ever."""

import asyncio
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from kg.version import VERSION

_PIECE: Final = 2**16


def tag(data: bytes) -> str:
    """The entity tag of what is sent: the version, and a hash of the content."""
    return f'"{VERSION}-{hashlib.sha256(data).hexdigest()[:16]}"'


def held(connection: HTTPConnection, tag: str) -> bool:
    """Whether the client says that it has what bears an entity tag (If-None-Match)."""
    known = connection.headers.get("if-none-match", "")
    return known.strip() == "*" or tag in (one.strip().removeprefix("W/") for one in known.split(","))


def cut(data: bytes) -> Sequence[memoryview]:
    """Data in pieces.

    >>> [len(piece) for piece in cut(bytes(100_000))]
    [65536, 34464]
    """
    view = memoryview(data)
    return [view[start : start + _PIECE] for start in range(0, len(view), _PIECE)]


class Pieces(Response):
    """A response of pieces. Each waits until the reader has taken those before, so a slow reader costs no memory; one too slow is left."""

    def __init__(self, pieces: Sequence[bytes | memoryview], headers: Mapping[str, str], seconds: float) -> None:
        super().__init__(headers=dict(headers) | {"Content-Length": str(sum(map(len, pieces)))})
        self._pieces: Iterable[bytes | memoryview] = pieces
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        try:
            async with asyncio.timeout(self._seconds):
                await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
                for piece in self._pieces:
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
                await send({"type": "http.response.body", "body": b""})
        except TimeoutError:
            pass  # less was sent than was promised, so the server closes the connection
