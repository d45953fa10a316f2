"""What a tradition defines beside its clauses: classes, patterns (格) and counted classes, under the conventions chosen."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import yaml

from loader.condition import parse
from loader.data import folder
from loader.errors import ConditionError
from loader.expression import Expression, definition, resolve
from loader.names import TRADITIONS, Names, Term, names


@dataclass(frozen=True, slots=True)
class Definition:
    """A defined class: its term, the expression under the chosen conventions, and its source."""

    term: Term
    expression: Expression
    source: str


@dataclass(frozen=True, slots=True)
class Formed:
    """How a pattern (格) comes about: `kind` is `Palace` where it is formed in one palace, `Cast` where the whole chart shows it."""

    kind: str
    expression: Expression
    source: str


@cache
def _definition_file(name: str) -> tuple[Mapping[str, Any], ...]:
    path = folder("ontology") / name
    return tuple(yaml.load(path.read_text("utf-8"), Loader=yaml.CSafeLoader))


def entries(conventions: Mapping[str, str], tradition: str) -> Iterator[tuple[Mapping[str, Any], str, str]]:
    """Each entry of the definitions of a tradition, its text under the conventions, and where it stands."""
    file = TRADITIONS[tradition].definitions
    for entry in _definition_file(file):
        text = entry.get("is", "")
        for variant in entry.get("variants", ()):
            if conventions.get(variant["convention"]) == variant["option"]:
                text = variant["is"]
        yield entry, text, f"{file}: {entry.get('name') or entry.get('pattern')}"


def definitions(conventions: Mapping[str, str], tradition: str = "liuyao") -> dict[str, Definition]:
    """The defined classes under the conventions, by IRI.

    Raises:
        ConditionError: a definition that does not parse or resolve.
    """
    known, found = names(tradition), {}
    for entry, text, where in entries(conventions, tradition):
        if "name" in entry and text:
            term = known.term(entry["name"], prop=False, where=where)
            found[term.iri] = Definition(term, definition(parse(text, where), known, term, where), entry["source"])
    return found


def patterns(conventions: Mapping[str, str], tradition: str) -> dict[str, list[Formed]]:
    """The patterns (格) under the conventions, by IRI, each with the ways in which it comes about.

    Raises:
        ConditionError: a definition that does not parse or resolve.
    """
    known: Names = names(tradition)
    found: dict[str, list[Formed]] = {}
    for entry, text, where in entries(conventions, tradition):
        if "pattern" in entry:
            shows = known.term("成格" if entry["of"] == "palace" else "格", prop=True, where=where)
            kind = "Palace" if entry["of"] == "palace" else "Cast"
            e = resolve(parse(text, where), known, where)
            if e.kinds != {kind}:
                raise ConditionError(f"it speaks of {', '.join(sorted(e.kinds))}, not of {kind}", where=where)
            found.setdefault(known.value(shows, entry["pattern"], where), []).append(Formed(kind, e, entry["source"]))
    return found
