"""The library of questions: one SPARQL file each in `queries/`, with front matter in its comments.

The front matter is YAML behind `# `: title in three languages, what the question answers, its parameters, its columns, and an example
with rows that the passages give. A parameter stands in the query as one block `VALUES ?name { default }`, so that the file runs as it
is in any SPARQL 1.1 engine; asking with another value puts other RDF terms into the block.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import pyoxigraph as ox
import yaml

from kg.parameter import Parameter, parameter
from kg.rows import Found, Rows
from kg.store import Store
from loader import iris
from loader.data import folder
from loader.errors import QueryError, UnknownName
from loader.ontology import Literal, Node
from loader.saying import LANGUAGES

THEMES: Final = ("doctrine", "cast", "criticism", "comparison", "census")
"""Folders of `queries/`, in the order in which they are listed."""
_FIELDS: Final = {"title", "answers", "parameters", "columns", "example"}


@dataclass(frozen=True, slots=True)
class Example:
    """A case whose answer the passages give.

    Attributes:
        parameters: parameter to its values, as a user would write them.
        casts: command lines of `guigu cast`, `guigu qimen` and `guigu census` whose graphs are asked too.
        data: RDF that is asked too, in Turtle that needs no declaration of our prefixes: for counts that no command gives in seconds.
        rows: rows that the answer holds, each column to the text that its cell is, or holds.
        passage: where the passages say so.
    """

    parameters: dict[str, tuple[str, ...]]
    casts: tuple[str, ...]
    data: str
    rows: tuple[dict[str, str], ...]
    passage: str

    @property
    def turtle(self) -> bytes:
        """Its data, with the prefixes declared."""
        return ("".join(f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in iris.PREFIXES.items()) + self.data).encode()


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the library.

    Attributes:
        name: its file name, by which it is asked.
        theme: its folder.
        title: language to title.
        answers: what it answers, in a sentence.
        parameters: in the order of the file.
        columns: name to what stands in it.
        example: a case with rows of its answer.
        sparql: the query, with the defaults of its parameters.
    """

    name: str
    theme: str
    title: dict[str, str]
    answers: str
    parameters: tuple[Parameter, ...]
    columns: dict[str, str]
    example: Example
    sparql: str

    @property
    def iri(self) -> str:
        """Its IRI."""
        return iris.symbol("query", self.name)

    def bound(self, values: Mapping[str, Sequence[str]]) -> str:
        """The query with other values for its parameters.

        A value is an IRI, an id, or a label in any language, and becomes an RDF term, written by the RDF library; it is never text of
        the query. A label that several things share stands for all of them.

        Raises:
            UnknownName: no such parameter or value, with near matches.
            InputError: a value that the type of the parameter does not allow.

        >>> print(questions()["aspect"].bound({"aspect": ["midwife"]}).count("穩婆"))
        0
        """
        known = {p.name: p for p in self.parameters}
        blocks: dict[str, str] = {}
        for name, given in values.items():
            if name not in known:
                todo = f"There are: {', '.join(known)}" if known else f"'{self.name}' has no parameters"
                raise UnknownName(name, "parameter", known, where=f"--{name}", todo=todo)
            terms = [t for value in given for t in known[name].terms(value)]
            blocks[name] = f"VALUES ?{name} {{ {' '.join(dict.fromkeys(map(str, terms)))} }}"
        # All at once: a value that looks like the block of another parameter is never read again.
        return _BLOCK.sub(lambda block: blocks.get(block[1], block[0]), self.sparql)

    def ask(self, store: Store, values: Mapping[str, Sequence[str]] | None = None) -> Found:
        """Put the question to a store; raises what `bound` and the store raise."""
        return store.query(self.bound(values or {}))

    def rows(self, store: Store, values: Mapping[str, Sequence[str]] | None = None) -> Rows:
        """The rows of its answer.

        Raises:
            QueryError: it gives none, but a graph or yes and no; and what `ask` raises.
        """
        found = self.ask(store, values)
        if not isinstance(found, Rows):
            raise QueryError(f"the question {self.name!r} gives no rows")
        return found


_BLOCK: Final = re.compile(r"VALUES \?(\w+) \{[^{}]*\}")
"""The block of a parameter in a query."""


def read(path: Path, theme: str) -> Question:
    """Read a question file.

    Raises:
        QueryError: the front matter is not in order, or a parameter has no VALUES block, or the query does not parse.
    """
    where = f"{path.parent.name}/{path.name}"
    lines = path.read_text("utf-8").splitlines()
    head = _leading(lines)
    try:
        data = yaml.safe_load("\n".join(line[2:] for line in head))
    except yaml.YAMLError as error:
        raise QueryError(f"the front matter is not YAML: {error}", where=where) from error
    if not isinstance(data, dict) or set(data) - _FIELDS or not {"title", "answers", "columns", "example"} <= set(data):
        raise QueryError("the front matter lacks a field or has one too many", where=where, todo=f"the fields are {', '.join(sorted(_FIELDS))}")
    if set(data["title"]) != set(LANGUAGES):
        raise QueryError("a title in each of three languages is wanted", where=where, todo=f"write {', '.join(LANGUAGES)}")
    sparql = "\n".join(lines[len(head) :]).strip() + "\n"
    parameters = tuple(parameter(name, found, where) for name, found in (data.get("parameters") or {}).items())
    for p in parameters:
        if _BLOCK.findall(sparql).count(p.name) != 1:
            raise QueryError(f"{p.name!r} does not stand in one VALUES block", where=where, todo=f"write VALUES ?{p.name} {{ ... }} once")
    return Question(path.stem, theme, data["title"], data["answers"], parameters, data["columns"], _example(data["example"]), sparql)


def _leading(lines: Sequence[str]) -> Sequence[str]:
    count = next((i for i, line in enumerate(lines) if not line.startswith("# ")), len(lines))
    return lines[:count]


def _example(data: dict[str, Any]) -> Example:
    given = {name: tuple(map(str, v)) if isinstance(v, list) else (str(v),) for name, v in (data.get("parameters") or {}).items()}
    rows = tuple({c: str(v) for c, v in row.items()} for row in data["rows"])
    return Example(given, tuple(data.get("casts") or ()), data.get("data") or "", rows, data["passage"])


@cache
def questions() -> dict[str, Question]:
    """Name to question, by theme and then by name.

    Raises:
        QueryError: a file is not in order, or two have one name.
    """
    found: dict[str, Question] = {}
    for theme in THEMES:
        for path in sorted((folder("queries") / theme).glob("*.rq")):
            if path.stem in found:
                raise QueryError(f"two questions are named {path.stem!r}", where=f"{theme}/{path.name}")
            found[path.stem] = read(path, theme)
    return found


def question(name: str) -> Question:
    """The question of that name.

    Raises:
        UnknownName: there is none, with near matches.
    """
    known = questions()
    if name not in known:
        raise UnknownName(name, "question", known, where="NAME", todo="See 'guigu ask' for all of them")
    return known[name]


def described() -> Iterator[tuple[str, str, Node]]:
    """The questions in RDF (SHACL SPARQLExecutable), so that an endpoint can list them."""
    for q in questions().values():
        form = "Construct" if re.search(r"^CONSTRUCT\b", q.sparql, re.MULTILINE) else "Select"
        yield q.iri, iris.TYPE, iris.SH + "SPARQLExecutable"
        yield q.iri, iris.TYPE, f"{iris.SH}SPARQL{form}Executable"
        yield q.iri, iris.SH + form.lower(), _text(q.sparql)
        yield q.iri, iris.DCTERMS + "identifier", _text(q.name)
        yield q.iri, iris.ns("theme"), _text(q.theme)
        yield q.iri, iris.RDFS + "comment", _text(q.answers, "en")
        for language, title in q.title.items():
            yield q.iri, iris.RDFS + "label", _text(title, language)
        for number, p in enumerate(q.parameters, 1):
            me = f"{q.iri}/{p.name}"
            yield q.iri, iris.SH + "parameter", me
            yield me, iris.TYPE, iris.SH + "Parameter"
            yield me, iris.SH + "path", iris.ns(f"parameter-{p.name}")
            yield me, iris.SH + "name", _text(p.name)
            yield me, iris.SH + "description", _text(p.gloss, "en")
            yield me, iris.SH + "order", Literal(str(number), None, iris.XSD + "integer")
            if p.datatype:
                yield me, iris.SH + "datatype", p.datatype
            for term in p.terms(p.default):
                yield me, iris.SH + "defaultValue", term.value if isinstance(term, ox.NamedNode) else Literal(term.value, None, term.datatype.value)


def _text(text: str, language: str | None = None) -> Literal:
    return Literal(text, language, iris.XSD + "string")
