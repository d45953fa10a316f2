r"""Which other endpoints a query asks by SERVICE, found in its text before it is evaluated.

The evaluator tells nobody what it has parsed, so the text is read here, and rather refused than misread. Oxigraph parses without tokens:
`trueSERVICESILENT<http://x>{}` is SERVICE to it, and `<` is a comparison or the start of an IRI by where it stands. What follows is thus no
grammar of SPARQL but an over-approximation: strings, comments, variables and local names are left out where no reading can end them
elsewhere, any other `service` counts, and a query that has one together with a `<` of which both readings differ is refused.
"""

import re
from collections.abc import Container, Iterator
from typing import Final
from urllib.parse import urlsplit

from loader.errors import QueryError, quoted

CODE: Final = "GUIGU.QUERY.SERVICE"
_IRI: Final = r"""<[A-Za-z][A-Za-z0-9+.\-]*+://[^\x00-\x20<>"{}|^`\\]*+>"""
_TOKEN: Final = re.compile(
    rf'''
      """ (?: [^"\\] | \\. | "(?!"") )*+ """
    | \'\'\' (?: [^'\\] | \\. | '(?!'') )*+ \'\'\'
    | " (?: [^"\\\r\n] | \\. )*+ "
    | ' (?: [^'\\\r\n] | \\. )*+ '
    | {_IRI}                                        # read as a comparison it would go on with //, which nothing does
    | <[^\x00-\x20<>"{{}}|^`\\'\#]*+>               # no quote and no comment in it, so both readings go on alike
    | (?P<doubtful> <[^\x00-\x20<>]*+> )
    | \#[^\r\n]*+
    | [?$]\w++
    | (?P<name> \w*+ ) : (?: (?:[\w%]|\\.) (?:[\w%\-]|\\.)*+ )?+
    | (?P<word> \w++ )
    | \\.
    | [\s{{}}()\[\].;,*+=!&|/^@>\-]++
    ''',
    re.VERBOSE | re.DOTALL,
)
_CALL: Final = re.compile(rf"service[ \t\r\n]*+(?:silent[ \t\r\n]*+)?({_IRI})", re.IGNORECASE)
_ESCAPE: Final = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U(000[0-9A-Fa-f]{5}|0010[0-9A-Fa-f]{4})")


def check_services(sparql: str, allowed: Container[str] = ()) -> None:
    """See that a query asks no endpoint but those of the allowed hosts (`example.org`, `example.org:8080`).

    Raises:
        QueryError: it asks another, one that cannot be told (a variable, a prefixed name), or may do so.

    >>> check_services('SELECT ?service { ?service g:service "SERVICE" } # SERVICE')
    >>> check_services("ASK { SERVICE <http://example.org/sparql> { ?s ?p ?o } }", {"example.org"})
    >>> check_services("ASK { SERVICE <http://example.org/sparql> { ?s ?p ?o } }")
    Traceback (most recent call last):
    loader.errors.QueryError: SPARQL: the query asks another endpoint (SERVICE) at 'example.org', which is not allowed.
    """
    # SPARQL lets a keyword be written by code points; Oxigraph reads them in strings and IRIs only. Neither reading may ask.
    for text in {sparql, _ESCAPE.sub(lambda m: chr(int(m[1] or m[2], 16)), sparql)}:
        if "service" in text.casefold():
            for iri in _called(text):
                _check(iri, allowed)


def _called(text: str) -> Iterator[str | None]:
    """IRIs that a query calls by SERVICE; None for one that it may call and that cannot be told."""
    position, end = 0, len(text)
    while position < end:
        token = _TOKEN.match(text, position)
        if token is None:
            position += 1
            continue
        position = token.end()
        if token["doubtful"] is not None:
            yield None
        elif "service" in (token["name"] or token["word"] or "").casefold():
            call = _CALL.match(text, token.start())
            yield call[1][1:-1] if call else None
            position = call.end() if call else position


def _check(iri: str | None, allowed: Container[str]) -> None:
    what, todo = "the query asks another endpoint (SERVICE)", "Write SERVICE and the whole IRI of an endpoint that is allowed, with blanks around < elsewhere"
    if iri is None:
        raise QueryError(what, where="SPARQL", todo=todo if allowed else None, code=CODE)
    try:
        parts = urlsplit(iri)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise QueryError(f"{what} at no address: {error}", where="SPARQL", code=CODE) from error
    if parts.scheme.lower() not in ("http", "https") or "@" in parts.netloc or not (host in allowed or f"{host}:{port}" in allowed):
        raise QueryError(f"{what} at {quoted(host)}, which is not allowed", where="SPARQL", code=CODE)
