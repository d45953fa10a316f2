"""A page: what it is of, where it lies, what it shows, and whose RDF stands beside it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Page:
    """A page, the same in every language but for the words of the interface.

    Attributes:
        iri: what it is of.
        path: where it lies, without its ending.
        template: the file of `templates/` that renders it.
        title: language to title.
        view: what the template shows.
        about: IRIs that its twin describes, beside `iri`.
        only: predicates of which its twin tells, empty for all: a list says of its things only what it lists.
    """

    iri: str
    path: str
    template: str
    title: Mapping[str, str]
    view: object
    about: tuple[str, ...] = ()
    only: frozenset[str] = frozenset()


Plans = dict[str, Callable[[], Page]]
"""Paths of pages to what makes them: a server makes the one that is asked for, a release makes all."""
