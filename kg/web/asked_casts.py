"""Casts that an address brings along: each is the address of a cast of this room, judged here and asked beside what is served."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from rdflib.namespace import RDF, RDFS
from rdflib.term import URIRef

from kg.graph import cast_graph, serialize
from kg.variants import variants
from kg.web import cast_query
from kg.web.cast_answer import kinds
from loader import iris
from loader.errors import InputError

MOST: Final = 4
"""Casts of an address."""
LONGEST: Final = 4_000
"""Characters of one."""
_KEPT: Final = 8
"""Casts whose graphs are kept; one takes some hundred kilobytes."""


@dataclass(frozen=True, slots=True)
class AskedCast:
    """A cast of an address, with its variants where it asks for any.

    Attributes:
        title: what it is called.
        href: the page that shows it.
        titles: the IRIs of the cast and of its variants, to what they are called.
        triples: its graph in N-Triples.
    """

    title: str
    href: str
    titles: Mapping[str, str]
    triples: str


def asked_casts(given: tuple[str, ...]) -> tuple[AskedCast, ...]:
    """The casts of an address, judged.

    Args:
        given: addresses of casts, or only their queries.

    Raises:
        InputError: there are too many, or one is none.

    >>> [c.title for c in asked_casts(("http://127.0.0.1:8000/cast?hexagram=渙&month=午&day=甲子&topic=childbirth",))]
    ['渙 甲子日']
    """
    if len(given) > MOST:
        raise InputError(f"{len(given)} casts are given", where="cast", todo=f"At most {MOST} are asked at a time")
    return tuple(_judged(_read(text.strip())) for text in given)


def written(command: str) -> str:
    """The query of the address of a cast, from the command line that judges it.

    >>> written("qimen --at 2024-04-25T09:30+08:00 --topic childbirth")
    'tradition=qimen&at=2024-04-25T09%3A30%2B08%3A00&topic=childbirth'
    """
    name, *options = shlex.split(command)
    pairs = [(option.removeprefix("--"), value) for option, value in zip(options[::2], options[1::2], strict=True)]
    return urlencode([*([("tradition", name)] if name != "cast" else []), *pairs])


def _read(text: str) -> cast_query.Asked:
    todo = "Give the address of a cast, as its page has it"
    if len(text) > LONGEST:
        raise InputError("the address of a cast is too long", where="cast", todo=todo)
    try:
        query = urlsplit(text).query or text.lstrip("?")
        one = cast_query.asked(parse_qsl(query, max_num_fields=cast_query.MOST))
    except ValueError as error:
        raise InputError("this is not the address of a cast", where="cast", todo=todo) from error
    if not one.cast:
        raise InputError("this is not the address of a cast", where="cast", todo=todo)
    return one


@lru_cache(_KEPT)
def _judged(one: cast_query.Asked) -> AskedCast:
    judgement, _ = cast_query.judged(one)
    graph = cast_graph(judgement, variants(judgement, kinds(one)))
    titles = {str(c): str(graph.value(c, RDFS.label) or "") for c in graph.subjects(RDF.type, URIRef(iris.ns("Cast")))}
    return AskedCast(titles[judgement.chart.iri], one.address(), titles, serialize(graph, "nt"))
