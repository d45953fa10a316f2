"""The Turtle files of `ontology/`, read once into an index of subjects, with the labels by which people name things."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

import pyoxigraph as ox

from loader import iris
from loader.data import folder
from loader.errors import OntologyError

CHINESE: Final = ("zh-hant", "lzh")


@dataclass(frozen=True, slots=True)
class Literal:
    """An RDF literal: text, language tag (lower case) or None, datatype IRI."""

    text: str
    language: str | None
    datatype: str


Node = str | Literal
"""An IRI (or `_:label` of a blank node) as a plain string, or a literal."""


def _node(term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple) -> Node:
    if isinstance(term, ox.NamedNode):
        return term.value
    if isinstance(term, ox.BlankNode):
        return f"_:{term.value}"
    if isinstance(term, ox.Literal):
        return Literal(term.value, term.language, term.datatype.value)
    raise OntologyError("a triple inside a triple cannot be read", todo="use RDF 1.1 Turtle")


@dataclass(frozen=True)
class Ontology:
    """All triples of the ontology, by subject and by predicate; `statements` has them with their file, in file order.

    >>> o = ontology()
    >>> o.label(iris.symbol("branch", "wu"))
    '午'
    """

    files: tuple[Path, ...]
    statements: tuple[tuple[Path, str, str, Node], ...] = field(repr=False)
    _out: dict[str, dict[str, list[Node]]] = field(repr=False)
    _in: dict[tuple[str, Node], list[str]] = field(repr=False)

    def objects(self, subject: str, predicate: str) -> list[Node]:
        """Objects of a subject and predicate, in file order."""
        return self._out.get(subject, {}).get(predicate, [])

    def iris(self, subject: str, predicate: str) -> list[str]:
        """Those objects that are IRIs."""
        return [o for o in self.objects(subject, predicate) if isinstance(o, str)]

    def text(self, subject: str, predicate: str) -> str | None:
        """The first literal, or None."""
        return next((o.text for o in self.objects(subject, predicate) if isinstance(o, Literal)), None)

    def number(self, subject: str, predicate: str) -> int:
        """The integer there.

        Raises:
            OntologyError: there is none.
        """
        text = self.text(subject, predicate)
        if text is None:
            raise OntologyError("a number is missing", where=f"{subject} {predicate}")
        return int(text)

    def one(self, subject: str, predicate: str) -> str:
        """The one IRI there.

        Raises:
            OntologyError: there is none or more than one.
        """
        found = self.iris(subject, predicate)
        if len(found) != 1:
            raise OntologyError(f"one value expected, {len(found)} found", where=f"{subject} {predicate}")
        return found[0]

    def subjects(self, predicate: str, value: Node) -> list[str]:
        """Subjects that have the value, in file order."""
        return self._in.get((predicate, value), [])

    def subjects_of(self, predicate: str) -> Iterator[str]:
        """Every subject that has the predicate."""
        return (s for s, predicates in self._out.items() if predicate in predicates)

    def of_type(self, term: str) -> list[str]:
        """Individuals of a class of ours: `of_type("Branch")`."""
        return self.subjects(iris.TYPE, iris.ns(term))

    def labels(self, subject: str) -> Iterator[Literal]:
        """Every label of a subject: rdfs:label, skos:prefLabel, skos:altLabel, notations; of bearers those of the symbol."""
        for predicate in _LABELS:
            for o in self.objects(subject, predicate):
                if isinstance(o, Literal):
                    yield o
        for denoted in self.iris(subject, iris.ns("denotes")):
            yield from self.labels(denoted)

    def label(self, subject: str, language: str = "zh-hant") -> str:
        """The chief label in a language, else in Chinese, else the key of the IRI."""
        for wanted in (language, *CHINESE):
            for literal in self.labels(subject):
                if literal.language == wanted:
                    return literal.text
        return iris.key(subject)

    def ordered(self, term: str) -> list[str]:
        """Individuals of a class by their g:order."""
        return sorted(self.of_type(term), key=lambda s: self.number(s, iris.ns("order")))

    def keyed(self, key: str, *kinds: str) -> str | None:
        """The IRI of a key among kinds of symbol, the first kind that has it: `keyed("father", "role", "relative")`."""
        return next((iri for kind in kinds if (iri := iris.symbol(kind, key)) in self._out), None)

    def triples(self) -> Iterator[tuple[str, str, Node]]:
        """Every triple."""
        return ((s, p, o) for _, s, p, o in self.statements)


_LABELS: Final = (
    iris.RDFS + "label",
    iris.SKOS + "prefLabel",
    iris.SKOS + "altLabel",
    iris.SKOS + "notation",
)


def read(paths: Iterable[Path]) -> Ontology:
    """Read Turtle files into one index.

    Raises:
        OntologyError: a file is not Turtle; the message gives file, line and column.
    """
    files = tuple(paths)
    out: dict[str, dict[str, list[Node]]] = defaultdict(lambda: defaultdict(list))
    back: dict[tuple[str, Node], list[str]] = defaultdict(list)
    statements: list[tuple[Path, str, str, Node]] = []
    for number, path in enumerate(files):
        try:
            for quad in ox.parse(path=path):
                subject, value = _node(quad.subject), _node(quad.object)
                # Blank node labels are local to a file.
                subject = f"{subject}.{number}" if str(subject).startswith("_:") else subject
                value = f"{value}.{number}" if isinstance(value, str) and value.startswith("_:") else value
                out[str(subject)][quad.predicate.value].append(value)
                back[quad.predicate.value, value].append(str(subject))
                statements.append((path, str(subject), quad.predicate.value, value))
        except SyntaxError as error:
            raise OntologyError(error.msg or "not Turtle", where=f"{path}:{error.lineno}:{error.offset}") from error
    return Ontology(files, tuple(statements), {s: dict(p) for s, p in out.items()}, dict(back))


@cache
def ontology() -> Ontology:
    """The ontology that travels with guigu."""
    root = folder("ontology")
    return read(p for p in sorted(root.rglob("*.ttl")) if "shapes" not in p.parts)
