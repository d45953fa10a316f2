"""Pages of symbols: one for each scheme, with what is in it, and one for each concept of the schemes that give their concepts pages."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial

from kg.pages.address import OWN, addresses, listing, members, path, scheme_of
from kg.pages.entry import Entry, entry
from kg.pages.naming import label, titles
from kg.pages.page import Page, Plans
from kg.pages.words import said
from loader import iris
from loader.iris import ns
from loader.ontology import ontology


@dataclass(frozen=True, slots=True)
class ConceptView:
    """A concept, its scheme, the concepts before and after it there, and what has its place on the same page: bearers, outcomes, roles."""

    entry: Entry
    scheme: str
    before: str | None
    after: str | None
    bearers: tuple[Entry, ...]
    housed: tuple[tuple[str, tuple[Entry, ...]], ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Concepts under a heading: an aspect, or None where a scheme has no groups; those that have their place elsewhere, and those here."""

    heading: str | None
    concepts: tuple[str, ...]
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class SchemeView:
    """A scheme: its groups, and its cycles, each with their members in order."""

    scheme: str
    count: int
    groups: tuple[Group, ...]
    cycles: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class SymbolsView:
    """All schemes, each with the number of its concepts and the first of them."""

    schemes: tuple[tuple[str, int, tuple[str, ...]], ...]


@cache
def schemes() -> dict[str, tuple[str, ...]]:
    """Each scheme to its concepts: by their order where they have one, else in file order."""
    o = ontology()
    found = {}
    for scheme in sorted(o.subjects(iris.TYPE, iris.SKOS + "ConceptScheme")):
        concepts = o.subjects(iris.SKOS + "inScheme", scheme)
        if all(o.text(c, ns("order")) or o.text(c, ns("number")) for c in concepts):
            concepts = sorted(concepts, key=lambda c: int(o.text(c, ns("order")) or o.text(c, ns("number")) or 0))
        found[scheme] = tuple(dict.fromkeys(concepts))
    return found


def symbol_pages() -> Plans:
    """The list of schemes, the schemes, and the concepts that have pages."""
    plans: Plans = {"symbols": symbols_page}
    for scheme, concepts in schemes().items():
        plans[path(scheme)] = partial(scheme_page, scheme, concepts)
        if iris.key(scheme) in OWN:
            beside = (None, *concepts, None)
            plans |= {path(c): partial(concept_page, c, beside[n], beside[n + 2]) for n, c in enumerate(concepts)}
    return plans


def symbols_page() -> Page:
    """The list of schemes."""
    every = schemes()
    view = SymbolsView(tuple((scheme, len(concepts), concepts[:12]) for scheme, concepts in every.items()))
    only = frozenset({iris.SKOS + "prefLabel", iris.TYPE, iris.SKOS + "definition"})
    return Page(listing("symbols"), "symbols", "symbols.html", said("symbols"), view, tuple(every), only)


def concept_page(concept: str, before: str | None = None, after: str | None = None) -> Page:
    """The page of a concept, between the ones before and after it."""
    shown, housed = entry(concept), _housed().get(path(concept), {})
    entries = tuple((scheme, tuple(map(entry, concepts))) for scheme, concepts in housed.items())
    view = ConceptView(shown, scheme_of(concept) or "", before, after, tuple(map(entry, shown.bearers)), entries)
    return Page(concept, path(concept), "concept.html", titles(concept), view, (*shown.bearers, *(c for found in housed.values() for c in found)))


@cache
def _housed() -> dict[str, dict[str, tuple[str, ...]]]:
    """Each page to the concepts of other schemes that have their anchors on it, by scheme."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for scheme, concepts in schemes().items():
        for concept in concepts:
            page = addresses()[concept].page
            if page not in (path(concept), path(scheme)):
                on_page = found.setdefault(page, {})
                on_page[scheme] = (*on_page.get(scheme, ()), concept)
    return found


def scheme_page(scheme: str, concepts: tuple[str, ...]) -> Page:
    """The page of a scheme: links to where its concepts stand, by aspect where they are of aspects, or the concepts themselves."""
    here = frozenset(c for c in concepts if addresses()[c].page == path(scheme))
    of_scheme = [c for c, a in addresses().items() if a.page == path(scheme) and a.anchor and a.anchor.startswith("collection.")]
    groups = tuple(
        Group(heading, tuple(c for c in found if c not in here), tuple(entry(c) for c in found if c in here)) for heading, found in _grouped(concepts)
    )
    view = SchemeView(scheme, len(concepts), groups, tuple((c, tuple(members(c))) for c in of_scheme))
    only = frozenset({iris.TYPE, iris.SKOS + "prefLabel", iris.SKOS + "inScheme", iris.SKOS + "memberList"}) if not here else frozenset[str]()
    bearers = tuple(b for c in concepts if c in here for b in ontology().subjects(ns("denotes"), c))
    return Page(scheme, path(scheme), "scheme.html", titles(scheme), view, (*of_scheme, *concepts, *bearers), only)


def _grouped(concepts: tuple[str, ...]) -> Iterator[tuple[str | None, tuple[str, ...]]]:
    """Concepts by the first aspect that they are of, the aspects by their Chinese labels; without groups where most are of none."""
    o = ontology()
    found: dict[str | None, list[str]] = {}
    for concept in concepts:
        found.setdefault(next(iter(o.iris(concept, ns("onAspect"))), None), []).append(concept)
    if len(found.get(None, ())) * 2 > len(concepts):
        yield None, concepts
        return
    for aspect in sorted(found, key=lambda a: (a is None, label(a, "zh-hant") if a else "")):
        yield aspect, tuple(found[aspect])
