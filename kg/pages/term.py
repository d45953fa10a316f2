"""The reference of the ontology: classes and properties of the model on one page, and a page for each name of conditions.

pyLODE makes such a page too, but in one language, without the definitions in the condition language, and with links of its own; its
wheel also asks for a file that it does not carry.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from kg.pages.address import path
from kg.pages.entry import Entry, entry
from kg.pages.naming import titles
from kg.pages.page import Page, Plans
from loader import iris
from loader.iris import ns
from loader.names import TRADITIONS
from loader.ontology import ontology

_CLASS: Final = iris.OWL + "Class"


@dataclass(frozen=True, slots=True)
class Names:
    """Names of conditions under a heading, a key of the words: classes, then properties."""

    heading: str
    classes: tuple[str, ...]
    properties: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OntologyView:
    """The model and the names of conditions."""

    header: Entry
    classes: tuple[Entry, ...]
    properties: tuple[Entry, ...]
    individuals: tuple[Entry, ...]
    names: tuple[Names, ...]


def term_pages() -> Plans:
    """The ontology and the names of conditions that mean no symbol."""
    o = ontology()
    return {"ns": ontology_page} | {path(n): partial(name_page, n) for n in o.of_type("Name") if not o.iris(n, ns("denotes"))}


def ontology_page() -> Page:
    """The model, term by term, and the names of conditions, which lead to their pages."""
    o = ontology()
    names = o.of_type("Name")
    known = set(names)
    model = [t for t in dict.fromkeys(s for s, _, _ in o.triples() if s.startswith(iris.NS) and s != iris.NS) if t not in known]
    types = {t: o.iris(t, iris.TYPE) for t in model}
    classes = [t for t in model if _CLASS in types[t]]
    properties = [t for t in model if any(k.endswith("Property") for k in types[t])]
    rest = [t for t in model if t not in classes and t not in properties]
    parts = [tuple(map(entry, found)) for found in (classes, properties, rest)]
    view = OntologyView(entry(iris.NS), parts[0], parts[1], parts[2], tuple(_names(names)))
    return Page(iris.NS, "ns", "ontology.html", titles(iris.NS), view, tuple(model))


def name_page(name: str) -> Page:
    """The page of a name of conditions."""
    return Page(name, path(name), "name.html", titles(name), entry(name))


def _names(names: list[str]) -> Iterator[Names]:
    """Names by tradition, shared ones first; last the classes of bearers, which go by their symbols."""
    o = ontology()
    bearing = [n for n in names if o.iris(n, ns("denotes"))]
    groups: dict[str, list[str]] = {"names-shared": [], **{f"names-{t}": [] for t in TRADITIONS}}
    by_iri = {t.iri: f"names-{key}" for key, t in TRADITIONS.items()}
    for name in names:
        if name not in bearing:
            of = o.iris(name, ns("tradition"))
            groups[by_iri[of[0]] if len(of) == 1 else "names-shared"].append(name)
    groups["names-bearers"] = bearing
    for heading, found in groups.items():
        classes = tuple(n for n in found if _CLASS in o.iris(n, iris.TYPE))
        yield Names(heading, classes, tuple(n for n in found if n not in classes))
