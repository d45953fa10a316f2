"""Parameters of the questions: from what a user writes to the RDF terms that a query is asked with."""

import unicodedata
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import pyoxigraph as ox

from loader import iris
from loader.chapter import chapters, clauses
from loader.errors import InputError, QueryError, UnknownName, listed, quoted
from loader.ontology import ontology
from loader.variants import fold

Value = ox.NamedNode | ox.Literal
LONGEST: Final = 200
"""Characters of a value."""

_CLASSES: Final = {
    "aspect": ("Aspect",),
    "topic": ("Topic",),
    "omen": ("Omen",),
    "outcome": ("Outcome",),
    "star": ("Star",),
    "hexagram": ("Hexagram",),
    "branch": ("Branch",),
    "stem": ("Stem",),
    "element": ("Element",),
    "kin": ("Kin",),
    "stage": ("Stage",),
    "spirit": ("Spirit", "Deity"),
    "door": ("Door",),
    "ninestar": ("NineStar",),
    "palace": ("LuoshuPalace",),
    "pattern": ("Pattern",),
    "relative": ("Relative",),
    "role": ("Role", "Relative"),
    "authority": ("Work", "Person"),
    "work": ("Work",),
    "quantity": ("Quantity",),
    "table": ("Table", "StarTable"),
    "ask": ("Question",),
    "convention": ("Convention",),
    "comparison": ("Comparison",),
    "space": ("CastSpace",),
}
"""Type of a parameter to the classes whose members it takes, by key, label or IRI."""

TYPES: Final = (*_CLASSES, "symbol", "relation", "clause", "passage", "chapter", "text", "search", "integer")
"""Types of a parameter. `symbol`: whatever conditions mention; `relation`: properties among these; `text`: a string; `search`: a string
that is compared with `g:folded`."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a question.

    Attributes:
        name: its variable.
        type: one of `TYPES`.
        default: what is asked where nothing is given, as a user would write it.
        gloss: what it is for.
        allowed: the only values it takes, else empty.
    """

    name: str
    type: str
    default: str
    gloss: str
    allowed: tuple[str, ...] = ()

    @property
    def datatype(self) -> str | None:
        """Datatype of its literals, or None where it takes IRIs."""
        return {"text": iris.XSD + "string", "search": iris.XSD + "string", "integer": iris.XSD + "integer"}.get(self.type)

    def terms(self, value: str) -> tuple[Value, ...]:
        """The RDF terms that a value stands for: several where a label is shared.

        Raises:
            UnknownName: it names nothing of the type, with near matches.
            InputError: too long, with control characters, or not of the type.

        >>> Parameter("aspect", "aspect", "mother", "").terms("穩婆")
        (<NamedNode value=https://w3id.org/guigu/id/aspect/midwife>,)
        >>> [iris.key(t.value) for t in Parameter("symbol", "symbol", "白虎", "").terms("백호")]
        ['white-tiger', 'white-tiger']
        """
        where = f"--{self.name}"
        value = unicodedata.normalize("NFC", value.strip())
        if len(value) > LONGEST or "\\" in value or any(unicodedata.category(c) in ("Cc", "Cs") for c in value):
            raise InputError(f"{quoted(value)} is no value", where=where, todo=f"at most {LONGEST} characters, no backslash, no control characters")
        if self.allowed and value not in self.allowed:
            raise UnknownName(value, self.name, self.allowed, where=where, todo=f"There are: {', '.join(self.allowed)}")
        if self.type == "text":
            return (ox.Literal(value),)
        if self.type == "search":
            if not value:
                raise InputError("there is nothing to search for", where=where)
            return (ox.Literal(fold(value)),)
        if self.type == "integer":
            try:
                return (ox.Literal(int(value)),)
            except ValueError as error:
                raise InputError(f"{quoted(value)} is no whole number", where=where) from error
        names = known(self.type)
        if value.startswith("<") and value.endswith(">"):
            value = value[1:-1]
        if found := names.get(value):
            return tuple(ox.NamedNode(iri) for iri in found)
        if value.startswith(("http://", "https://")) and not value.startswith(iris.BASE):
            try:
                return (ox.NamedNode(value),)
            except ValueError as error:
                raise InputError(f"{quoted(value)} is no IRI", where=where) from error
        raise UnknownName(value, self.type, names, where=where)


@cache
def known(kind: str) -> dict[str, tuple[str, ...]]:
    """What a user may write for a type: IRIs, keys and labels in any language, each to the IRIs that it means."""
    if kind == "clause":
        return {name: (c.iri,) for c in clauses().values() for name in (c.id, c.iri)}
    found: dict[str, dict[str, None]] = defaultdict(dict)
    if kind in ("passage", "chapter"):
        for chapter in chapters():
            if kind == "chapter":
                for name in (chapter.iri, chapter.name, *chapter.title.values(), f"{chapter.work}/{chapter.name}"):
                    found[name].setdefault(chapter.iri)
                continue
            for p in chapter.passages:
                for name in (p.iri, p.place, f"{chapter.document} {p.number}", f"{chapter.work}/{chapter.name}/{p.number}"):
                    found[name].setdefault(p.iri)
        return {name: tuple(hits) for name, hits in found.items()}
    o = ontology()
    for iri in _members(kind):
        # A class that gathers the bearers of a symbol goes by the symbol: clauses mention that.
        meant = next(iter(o.iris(iri, iris.ns("denotes"))), iri)
        for name in (iri, iris.key(iri), *(literal.text for literal in o.labels(iri))):
            found[name].setdefault(meant)
    return {name: tuple(hits) for name, hits in found.items()}


def _members(kind: str) -> list[str]:
    o = ontology()
    if kind in _CLASSES:
        return list(dict.fromkeys(iri for name in _CLASSES[kind] for iri in o.of_type(name)))
    every = o.of_type("Name")
    relations = {iri for iri in every if o.iris(iri, iris.ns("objectKind"))}
    if kind == "relation":
        return [iri for iri in every if iri in relations]
    # Bearers lead to their symbols; values of properties are symbols themselves.
    values = {iri for prop in every for name in o.iris(prop, iris.ns("valueClass")) for iri in o.of_type(iris.key(name))}
    return [*(iri for iri in every if iri not in relations), *sorted(values)]


def parameter(name: str, data: Any, where: str) -> Parameter:  # front matter: any YAML
    """A parameter from the front matter of a question.

    Raises:
        QueryError: it is not in order.
    """
    if not isinstance(data, dict) or not {"type", "default", "en"} <= set(data) <= {"type", "default", "en", "allowed"}:
        raise QueryError(f"parameter {name!r} wants type, default, en and perhaps allowed", where=where)
    if data["type"] not in TYPES:
        raise QueryError(f"{data['type']!r} is no type of parameter", where=where, todo=f"there are {listed(TYPES)}")
    return Parameter(name, data["type"], str(data["default"]), data["en"], tuple(map(str, data.get("allowed") or ())))
