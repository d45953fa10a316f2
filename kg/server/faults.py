"""How a fault is told over HTTP: a status, a stable code, and one sentence; never more."""

from typing import Final

from starlette.responses import PlainTextResponse, Response

from loader.errors import EndpointError, EngineError, GuiguError, InputError, QueryError, UnknownName, quoted

METHOD: Final = "GUIGU.SERVER.METHOD"
STATUS: Final = {
    "GUIGU.QUERY.ACCEPT": 406,
    "GUIGU.QUERY.LONG": 413,
    "GUIGU.QUERY.MEDIA": 415,
    "GUIGU.QUERY.MEMORY": 503,
    "GUIGU.QUERY.REMOTE": 502,
    "GUIGU.QUERY.SERVICE": 403,
    "GUIGU.QUERY.SIZE": 503,
    "GUIGU.QUERY.SLOW": 408,
    "GUIGU.QUERY.TIME": 503,
    "GUIGU.QUERY.UPDATE": 403,
    "GUIGU.QUERY.URI": 414,
    "GUIGU.SERVER.FAILED": 500,  # an error of ours, and of nobody else
    METHOD: 405,
}
"""Status of a fault by its code, where that of its kind is not it."""
_KINDS: Final = ((UnknownName, 404), (InputError, 400), (QueryError, 400), (EndpointError, 502), (EngineError, 503))
_AGAIN: Final = {"GUIGU.SERVER.BUSY": "1", "GUIGU.SERVER.LOADING": "2", "GUIGU.SERVER.ENDED": "1"}
"""Seconds after which it is worth while to ask again."""


def status(fault: GuiguError) -> int:
    """The HTTP status of a fault.

    >>> status(QueryError("no query")), status(EngineError("all workers are at work", code="GUIGU.SERVER.BUSY"))
    (400, 503)
    """
    return STATUS.get(fault.code) or next((number for kind, number in _KINDS if isinstance(fault, kind)), 503)


def told(fault: GuiguError) -> Response:
    """A fault as a response in plain text."""
    headers = {"Cache-Control": "no-store"}
    if fault.code in _AGAIN:
        headers["Retry-After"] = _AGAIN[fault.code]
    if fault.code == METHOD:
        headers["Allow"] = "GET, HEAD, OPTIONS, POST" if isinstance(fault, QueryError) else "GET, HEAD, OPTIONS"
    return PlainTextResponse(f"{fault.code}: {fault}\n".encode("utf-8", "replace"), status(fault), headers)


def wrong_method(method: str, *, query: bool = False) -> GuiguError:
    """The fault of a method that is not answered; `query` where a query might have been posted."""
    kind, todo = (QueryError, "Use GET or POST") if query else (InputError, "Use GET")
    return kind(f"the method {quoted(method)} is not answered here", todo=todo, code=METHOD)
