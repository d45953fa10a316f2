"""The query operation of the SPARQL 1.1 Protocol: what a request asks, taken from its method, address and body."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl

import pyoxigraph as ox

from loader.errors import QueryError, quoted

METHODS: Final = ("GET", "HEAD", "POST", "OPTIONS")
"""Methods that are answered."""
FORM: Final = "application/x-www-form-urlencoded"
DIRECT: Final = "application/sparql-query"
UPDATE: Final = "application/sparql-update"
_CHARSET: Final = re.compile(r";\s*charset\s*=\s*\"?([^\s;\"]*)", re.IGNORECASE)
_FIELDS: Final = 1_000
"""Fields of a form or address."""


@dataclass(frozen=True, slots=True)
class Operation:
    """A query as the protocol carries it.

    Attributes:
        query: its text, or None where a GET has none and so asks for the service description.
        default: IRIs of the default graph, or None where the request names no dataset; then that of the query or the service holds.
        named: IRIs of the named graphs, or None.
        format: value of `format=`, an addition of ours: the name of a form, for links that cannot set Accept.
    """

    query: str | None
    default: tuple[str, ...] | None = None
    named: tuple[str, ...] | None = None
    format: str | None = None


def media_type(header: str) -> tuple[str, str]:
    """Media type of a Content-Type header and its charset, both in lower case; empty where there is none.

    >>> media_type("Application/SPARQL-query; charset=UTF-16")
    ('application/sparql-query', 'utf-16')
    """
    charset = _CHARSET.search(header)
    return header.partition(";")[0].strip().lower(), charset[1].lower() if charset else ""


def operation(method: str, address: bytes, content_type: str, body: bytes, longest: int) -> Operation:
    """What a request asks.

    Args:
        method: `GET`, `HEAD` or `POST`.
        address: the query string of its address.
        content_type: its Content-Type header, or nothing.
        body: its body.
        longest: bytes of a query.

    Raises:
        QueryError: it is not as the protocol says, with the code that tells its status.

    >>> operation("POST", b"default-graph-uri=a:g", "application/sparql-query", b"ASK {}", 100)
    Operation(query='ASK {}', default=('a:g',), named=(), format=None)
    """
    fields = _fields(address, "the address")
    if method == "POST":
        kind, charset = media_type(content_type)
        if kind == UPDATE:
            raise _update()
        if kind not in (FORM, DIRECT):
            what = f"a body of type {quoted(kind)}" if kind else "a body without Content-Type"
            raise QueryError(what, where="Content-Type", todo=f"Send {DIRECT} or {FORM}", code="GUIGU.QUERY.MEDIA")
        if charset not in ("", "utf-8", "utf8", "us-ascii"):
            raise QueryError(f"the charset {quoted(charset)}", where="Content-Type", todo="Send UTF-8", code="GUIGU.QUERY.MEDIA")
        fields += _fields(body, "the form") if kind == FORM else [("query", _text(body))]
    found: dict[str, list[str]] = {}
    for name, value in fields:
        found.setdefault(name, []).append(value)
    if "update" in found:
        raise _update()
    return Operation(_query(found.get("query", []), method, longest), *_dataset(found), next(iter(found.get("format", ())), None))


def _update() -> QueryError:
    return QueryError("updates are refused: the graph is only read", code="GUIGU.QUERY.UPDATE")


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise QueryError(f"the query is not UTF-8 at byte {error.start}", code="GUIGU.QUERY.ENCODING") from error


def _fields(data: bytes, where: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(data.decode("utf-8"), keep_blank_values=True, errors="strict", max_num_fields=_FIELDS)
    except UnicodeError as error:
        raise QueryError("what is encoded by percent signs is not UTF-8", where=where, code="GUIGU.QUERY.ENCODING") from error
    except ValueError as error:
        raise QueryError(f"there are more than {_FIELDS} fields", where=where, code="GUIGU.QUERY.LONG") from error


def _query(queries: list[str], method: str, longest: int) -> str | None:
    if not queries and method != "POST":
        return None
    if len(queries) != 1:
        raise QueryError(f"one query is needed, {len(queries) or 'none'} given", where="query", code="GUIGU.QUERY.COUNT")
    if len(queries[0].encode()) > longest:
        todo = f"At most {longest} bytes are read"
        raise QueryError("the query is too long", where="query", todo=todo, code="GUIGU.QUERY.LONG" if method == "POST" else "GUIGU.QUERY.URI")
    return queries[0]


def _dataset(found: Mapping[str, list[str]]) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    names = ("default-graph-uri", "named-graph-uri")
    if not any(name in found for name in names):
        return None, None
    for name in names:
        for iri in found.get(name, ()):
            try:
                ox.NamedNode(iri)
            except ValueError as error:
                raise QueryError(f"{quoted(iri)} is no IRI", where=name, code="GUIGU.QUERY.DATASET") from error
    default, named = (tuple(dict.fromkeys(found.get(name, ()))) for name in names)
    return default, named
