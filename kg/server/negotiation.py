"""Which of the forms on offer a client wants, by its Accept header (RFC 9110, section 12.5.1)."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from starlette.requests import HTTPConnection

HTML: Final = "text/html"
# Elements stand between commas; a quoted string may hold one.
_ELEMENT: Final = re.compile(r'(?:[^,"]|"(?:[^"\\]|\\.)*+")++')
_RANGE: Final = re.compile(r"\s*([!#$%&'*+.^_`|~\w-]+)/([!#$%&'*+.^_`|~\w-]+)\s*(?:;|$)", re.ASCII)
_QUALITY: Final = re.compile(r";\s*q\s*=\s*([^;\s]*)", re.IGNORECASE)
_LONGEST: Final = 4_096
"""Characters of a header that are read; browsers send a hundred."""
_NUMBER: Final = re.compile(r"(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)")


@dataclass(frozen=True, slots=True)
class Form:
    """A form in which something is written.

    Attributes:
        name: its ending as a file, and its value in `format=`.
        media: its media type.
        known: name by which pyoxigraph knows it.
        also: media types that ask for it too, and are then sent.
    """

    name: str
    media: str
    known: str
    also: tuple[str, ...] = ()

    def content_type(self, media: str | None = None) -> str:
        """Value of the Content-Type header, with the charset where the type is a text.

        >>> TURTLE.content_type()
        'text/turtle; charset=utf-8'
        """
        media = media or self.media
        return f"{media}; charset=utf-8" if media.startswith("text/") else media


JSON: Final = Form("json", "application/sparql-results+json", "JSON", ("application/json",))
XML: Final = Form("xml", "application/sparql-results+xml", "XML", ("application/xml", "text/xml"))
CSV: Final = Form("csv", "text/csv", "CSV")
TSV: Final = Form("tsv", "text/tab-separated-values", "TSV")
TURTLE: Final = Form("ttl", "text/turtle", "TURTLE")
N_TRIPLES: Final = Form("nt", "application/n-triples", "N_TRIPLES")
RDF_XML: Final = Form("rdf", "application/rdf+xml", "RDF_XML", ("application/xml", "text/xml"))
JSON_LD: Final = Form("jsonld", "application/ld+json", "JSON_LD", ("application/json",))
SOLUTIONS: Final = (JSON, XML, CSV, TSV)
"""Forms of the solutions of SELECT and the boolean of ASK, the preferred one first."""
GRAPHS: Final = (TURTLE, N_TRIPLES, RDF_XML, JSON_LD)
"""Forms of triples, the preferred one first."""


def accept(connection: HTTPConnection) -> str:
    """The Accept header of a request: several of them say what one with commas says."""
    return ", ".join(connection.headers.getlist("accept"))


def accepted(header: str) -> dict[str, float]:
    """Media ranges of an Accept header to their quality; what is malformed is left out, and no range at all means any.

    >>> accepted('text/turtle;q=0.5, application/ld+json; profile="a,b", nonsense')
    {'text/turtle': 0.5, 'application/ld+json': 1.0}
    """
    found: dict[str, float] = {}
    for element in _ELEMENT.findall(header[:_LONGEST]):
        media = _RANGE.match(element)
        if media is None or (media[1] == "*" and media[2] != "*"):
            continue
        quality = _QUALITY.search(element, media.end() - 1)
        if quality is not None and not _NUMBER.fullmatch(quality[1]):
            continue
        found[f"{media[1]}/{media[2]}".lower()] = float(quality[1]) if quality else 1.0
    return found or {"*/*": 1.0}


def quality(media: str, ranges: dict[str, float]) -> float:
    """How much a media type is wanted: the quality of the most exact range that holds it, 0 for none.

    >>> quality("text/csv", {"*/*": 0.1, "text/*": 0.5, "text/csv": 0.0})
    0.0
    """
    for wanted in (media, media.partition("/")[0] + "/*", "*/*"):
        if wanted in ranges:
            return ranges[wanted]
    return 0.0


def best(header: str, offers: Iterable[str]) -> str | None:
    """The media type that is wanted most, the first of equals, or None where none is acceptable.

    >>> best("text/*;q=0.9, application/json", ["text/turtle", "application/ld+json", "application/json"])
    'application/json'
    """
    ranges = accepted(header)
    # max gives the first of equals, so the order of the offers is that of the server's preference.
    found = max(offers, key=lambda media: quality(media, ranges), default=None)
    return found if found is not None and quality(found, ranges) > 0 else None


def chosen(header: str, forms: Iterable[Form]) -> tuple[Form, str] | None:
    """The form that is wanted most and the media type to send it as, or None where none is acceptable."""
    listed = tuple(forms)
    offers = {form.media: form for form in listed}
    for form in listed:
        for media in form.also:
            offers.setdefault(media, form)
    wanted = best(header, offers)
    return None if wanted is None else (offers[wanted], wanted)


def named(name: str, forms: Iterable[Form]) -> Form | None:
    """The form of that name, or None."""
    return next((form for form in forms if form.name == name), None)
