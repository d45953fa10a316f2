"""Which page, and which place on it, an IRI leads to: every IRI of the doctrine has one page, or one anchor on a page.

The path of a page is its IRI below the base: `id/branch/wu` is the page of 午. These have a page of their own: chapters, tables, questions,
names of conditions that mean no symbol, schemes, and the concepts of the schemes in `OWN`. The rest has an anchor: passages and clauses in
their chapter, cells in their table, a variant in the page of its table, a class of bearers on the page of its symbol, terms of the model in
the ontology, outcomes and roles on the page of the first aspect that they are of, other concepts on the page of their scheme, conventions
and their options on one page.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, Protocol

from kg.question import questions
from loader import iris
from loader.chapter import chapters
from loader.iris import ns, symbol
from loader.ontology import Ontology, ontology
from loader.saying import LANGUAGES

OWN: Final = frozenset({
    "aspect", "branch", "deity", "door", "element", "hexagram", "kin", "luoshu", "mountain", "ninestar",
    "pattern", "person", "spirit", "stage", "star", "stem", "topic", "trigram", "work",
})  # fmt: skip
"""Keys of the schemes whose concepts have pages of their own: what a cast shows, what clauses are about, who is cited."""
LISTS: Final = ("index", "symbols", "tables", "questions", "conventions", "criticism")
"""Pages that are of no one thing; each has an IRI, so that everything is linked in one way."""
ENDINGS: Final = {language: ".html" if language == LANGUAGES[0] else f".{language}.html" for language in LANGUAGES}
"""How the files of a page end, by language."""


@dataclass(frozen=True, slots=True)
class Address:
    """A place in the site: the path of a page without its ending, and an anchor on it or None."""

    page: str
    anchor: str | None = None


def listing(name: str) -> str:
    """IRI of one of the `LISTS`."""
    return symbol("page", name)


def path(iri: str) -> str:
    """The path of a page of its own: the IRI below the base.

    >>> path(symbol("branch", "wu")), path(iris.NS)
    ('id/branch/wu', 'ns')
    """
    return iri.removeprefix(iris.BASE).strip("/")


def scheme_of(iri: str) -> str | None:
    """IRI of the scheme in which a concept stands."""
    return next(iter(ontology().iris(iri, iris.SKOS + "inScheme")), None)


@cache
def addresses() -> dict[str, Address]:
    """Every IRI of the doctrine that a page shows, to its place."""
    return dict(_addresses(ontology()))


def _addresses(o: Ontology) -> Iterator[tuple[str, Address]]:
    for name in LISTS:
        yield listing(name), Address(name)
    yield from _texts()
    yield from _concepts(o)
    yield from _terms(o)
    yield from _tables(o)
    for convention in o.of_type("Convention"):
        yield convention, Address("conventions", iris.key(convention))
        for option in o.iris(convention, ns("option")):
            yield option, Address("conventions", f"{iris.key(convention)}.{iris.key(option)}")
    for q in questions().values():
        yield q.iri, Address(path(q.iri))
        for p in q.parameters:
            yield f"{q.iri}/{p.name}", Address(path(q.iri), p.name)


def _texts() -> Iterator[tuple[str, Address]]:
    for chapter in chapters():
        page = path(chapter.iri)
        yield chapter.iri, Address(page)
        for p in chapter.passages:
            yield p.iri, Address(page, f"p{p.number}")
        for c in chapter.clauses():
            yield c.iri, Address(page, c.id)


def _concepts(o: Ontology) -> Iterator[tuple[str, Address]]:
    for scheme in o.subjects(iris.TYPE, iris.SKOS + "ConceptScheme"):
        yield scheme, Address(path(scheme))
        for concept in o.subjects(iris.SKOS + "inScheme", scheme):
            yield concept, _concept(o, concept, scheme)
    for collection in o.subjects(iris.TYPE, iris.SKOS + "OrderedCollection"):
        first = next(iter(members(collection)), "")
        if of := scheme_of(first):
            yield collection, Address(path(of), f"collection.{iris.key(collection)}")


def _concept(o: Ontology, concept: str, scheme: str) -> Address:
    if iris.key(scheme) in OWN:
        return Address(path(concept))
    if aspect := next(iter(o.iris(concept, ns("onAspect"))), None):
        return Address(path(aspect), f"{iris.key(scheme)}.{iris.key(concept)}")
    return Address(path(scheme), iris.key(concept))


def members(collection: str) -> list[str]:
    """The members of a SKOS ordered collection."""
    o, found = ontology(), []
    rest = o.iris(collection, iris.SKOS + "memberList")
    while rest:
        found += o.iris(rest[0], iris.RDF + "first")
        rest = o.iris(rest[0], iris.RDF + "rest")
    return found


def _terms(o: Ontology) -> Iterator[tuple[str, Address]]:
    yield iris.NS, Address("ns")
    names = set(o.of_type("Name"))
    concepts = dict(_concepts(o))
    for term in dict.fromkeys(s for s, _, _ in o.triples() if s.startswith(iris.NS) and s != iris.NS):
        if term not in names:
            yield term, Address("ns", iris.key(term))
        elif denoted := o.iris(term, ns("denotes")):
            yield term, Address(concepts[denoted[0]].page, iris.key(term))
        else:
            yield term, Address(path(term))


def _tables(o: Ontology) -> Iterator[tuple[str, Address]]:
    for table in (*o.of_type("Table"), *o.of_type("StarTable")):
        original = next(iter(o.iris(table, ns("variantOf"))), None)
        page, prefix = path(original or table), f"{iris.key(table)}." if original else ""
        yield table, Address(page, iris.key(table) if original else None)
        for cell in o.subjects(ns("inTable"), table):
            yield cell, Address(page, prefix + iris.key(cell))


def address(iri: str) -> Address | None:
    """Where an IRI leads, or None where no page shows it; a part of a clause or passage leads to it.

    >>> address(iris.clause("yy-taichan-013"))
    Address(page='text/yiyin/taichan', anchor='yy-taichan-013')
    >>> address(symbol("outcome", "pregnant")), address(symbol("kin", "officer"))
    (Address(page='id/aspect/pregnancy', anchor='outcome.pregnant'), Address(page='id/kin/officer', anchor=None))
    """
    known = addresses()
    while iri.startswith(iris.BASE):
        if iri in known:
            return known[iri]
        if not iri.startswith((iris.BASE + "clause/", iris.BASE + "text/", symbol("table", ""))):
            return None
        iri = iri.rpartition("/")[0]
    return None


class Links(Protocol):
    """How the links of a page are written; a server has its own."""

    def thing(self, iri: str) -> str | None:
        """The href of what an IRI leads to, or None where it leads nowhere."""

    def here(self, language: str) -> str:
        """The href of the same page in another language."""

    def twin(self) -> str:
        """The href of the RDF of the page."""

    def static(self, name: str) -> str:
        """The href of a file of `static/`."""


class FolderLinks:
    """Links between files of a folder, all relative, for one page in one language.

    >>> links = FolderLinks("id/branch/wu", "ko")
    >>> links.thing(symbol("outcome", "pregnant")), links.static("pages.css"), links.twin()
    ('../../id/aspect/pregnancy.ko.html#outcome.pregnant', '../../static/pages.css', 'wu.ttl')
    """

    def __init__(self, page: str, language: str) -> None:
        self._language = language
        self._root = "../" * page.count("/")
        self._name = page.rpartition("/")[2]
        self._known: dict[str, str | None] = {}

    def thing(self, iri: str) -> str | None:
        """The href of what an IRI leads to."""
        if iri not in self._known:
            found = address(iri)
            self._known[iri] = self._href(found) if found else None
        return self._known[iri]

    def _href(self, to: Address) -> str:
        anchor = f"#{to.anchor}" if to.anchor else ""
        return f"{self._root}{to.page}{ENDINGS[self._language]}{anchor}"

    def here(self, language: str) -> str:
        """The href of the same page in another language."""
        return self._name + ENDINGS[language]

    def twin(self) -> str:
        """The href of the RDF of the page."""
        return f"{self._name}.ttl"

    def static(self, name: str) -> str:
        """The href of a file of `static/`."""
        return f"{self._root}static/{name}"
