"""What a query gives: rows of RDF terms, triples, or yes and no; and the forms in which they are written."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import pyoxigraph as ox

from kg.text import pad, width
from loader import iris
from loader.errors import InputError

Term = ox.NamedNode | ox.Literal | ox.BlankNode
"""A term as the embedded store has it; every engine's answer is turned into these."""

FORMS: Final = ("table", "json", "csv", "tsv", "ttl", "md")
"""Forms in which an answer is written."""

_RESULT_SET: Final = "http://www.w3.org/2001/sw/DataAccess/tests/result-set#"
_WIDEST: Final = 48  # Columns that a cell of a table takes on a terminal before it is cut.


@dataclass(frozen=True, slots=True)
class Rows:
    """Solutions of a SELECT: the columns in order, and for each row a term or None under each.

    >>> rows = Rows(("clause",), ((ox.NamedNode(iris.clause("yy-taichan-013")),),))
    >>> rows.texts()
    [{'clause': 'yy-taichan-013'}]
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Term | None, ...], ...]

    def texts(self) -> list[dict[str, str]]:
        """The rows as people read them: an IRI of ours by its key, a literal by its text, nothing where unbound."""
        return [{c: said(t) for c, t in zip(self.columns, row, strict=True)} for row in self.rows]


@dataclass(frozen=True, slots=True)
class Triples:
    """What a CONSTRUCT or DESCRIBE gives."""

    triples: tuple[ox.Triple, ...]


Found = Rows | Triples | bool
"""What a query gives, by its form."""


def said(term: Term | None) -> str:
    """A term as people read it.

    >>> said(ox.NamedNode(iris.symbol("aspect", "midwife"))), said(ox.Literal("穩婆", language="lzh")), said(None)
    ('midwife', '穩婆', '')
    """
    if term is None:
        return ""
    if isinstance(term, ox.NamedNode):
        text = term.value
        if text.startswith(iris.BASE + "text/"):
            return text.removeprefix(iris.BASE + "text/")
        return iris.key(text) if text.startswith(iris.BASE) else text
    return term.value if isinstance(term, ox.Literal) else str(term)


def write(found: Found, form: str) -> str:
    """An answer in one of `FORMS`; JSON, CSV and TSV as W3C defines them for SPARQL.

    Raises:
        InputError: the form does not suit the answer.
    """
    if isinstance(found, bool):
        return _boolean(found, form)
    if isinstance(found, Triples):
        return _triples(found, form)
    if form == "table":
        return _table(found)
    if form == "md":
        return _markdown(found)
    if form == "json":
        return json.dumps(_json(found), ensure_ascii=False, indent=1) + "\n"
    if form == "ttl":
        return _result_set(found)
    if form in ("csv", "tsv"):
        return _separated(found, form)
    raise InputError(f"no form is named {form!r}", where="--format", todo=f"there are: {', '.join(FORMS)}")


def _boolean(found: bool, form: str) -> str:
    if form == "json":
        return json.dumps({"head": {}, "boolean": found}) + "\n"
    if form == "ttl":
        return f"[] a <{_RESULT_SET}ResultSet> ; <{_RESULT_SET}boolean> {str(found).lower()} .\n"
    return f"{str(found).lower()}\n"


def _triples(found: Triples, form: str) -> str:
    triples = sorted(found.triples, key=str)
    if form == "ttl":
        return _turtle(triples, iris.PREFIXES)
    return write(Rows(("subject", "predicate", "object"), tuple((t.subject, t.predicate, t.object) for t in triples)), form)  # type: ignore[misc] # RDF 1.1 has no triple terms


def _json(found: Rows) -> dict[str, object]:
    bindings = [{c: _json_term(t) for c, t in zip(found.columns, row, strict=True) if t is not None} for row in found.rows]
    return {"head": {"vars": list(found.columns)}, "results": {"bindings": bindings}}


def _json_term(term: Term) -> dict[str, str]:
    if isinstance(term, ox.NamedNode):
        return {"type": "uri", "value": term.value}
    if isinstance(term, ox.BlankNode):
        return {"type": "bnode", "value": term.value}
    data = {"type": "literal", "value": term.value}
    if term.language:
        return data | {"xml:lang": term.language}
    return data if term.datatype.value == iris.XSD + "string" else data | {"datatype": term.datatype.value}


def _separated(found: Rows, form: str) -> str:
    out = io.StringIO()
    if form == "csv":
        writer = csv.writer(out, lineterminator="\r\n")
        writer.writerow(found.columns)
        for row in found.rows:
            writer.writerow("" if t is None else str(t) if isinstance(t, ox.BlankNode) else t.value for t in row)
    else:
        # A term in N-Triples holds neither tab nor line end, so it needs no quoting.
        out.write("\t".join(f"?{c}" for c in found.columns) + "\n")
        for row in found.rows:
            out.write("\t".join("" if t is None else str(t) for t in row) + "\n")
    return out.getvalue()


def _cells(found: Rows) -> list[tuple[str, ...]]:
    return [tuple(" ".join(said(t).split()) for t in row) for row in found.rows]


def _table(found: Rows) -> str:
    cells = [tuple(_cut(c) for c in row) for row in _cells(found)]
    widths = [max([width(c), *(width(row[i]) for row in cells)]) for i, c in enumerate(found.columns)]

    def line(row: Sequence[str]) -> str:
        return "  ".join(pad(c, w) for c, w in zip(row, widths, strict=True)).rstrip()

    return "\n".join([line(found.columns), line(["─" * w for w in widths]), *(line(row) for row in cells)]) + "\n"


def _cut(text: str) -> str:
    if width(text) <= _WIDEST:
        return text
    while width(text) > _WIDEST - 1:
        text = text[:-1]
    return text + "…"


def _markdown(found: Rows) -> str:
    def line(row: Sequence[str]) -> str:
        return "| " + " | ".join(c.replace("\\", "\\\\").replace("|", "\\|") for c in row) + " |"

    return "\n".join([line(found.columns), line(["---"] * len(found.columns)), *(line(row) for row in _cells(found))]) + "\n"


def _result_set(found: Rows) -> str:
    def node(local: str) -> ox.NamedNode:
        return ox.NamedNode(_RESULT_SET + local)

    me = ox.BlankNode("answer")
    triples = [ox.Triple(me, ox.NamedNode(iris.TYPE), node("ResultSet"))]
    triples += [ox.Triple(me, node("resultVariable"), ox.Literal(c)) for c in found.columns]
    for number, row in enumerate(found.rows, 1):
        solution = ox.BlankNode(f"row{number}")
        triples += [ox.Triple(me, node("solution"), solution), ox.Triple(solution, node("index"), ox.Literal(number))]
        for column, term in zip(found.columns, row, strict=True):
            if term is not None:
                binding = ox.BlankNode(f"row{number}{column}")
                triples += [
                    ox.Triple(solution, node("binding"), binding),
                    ox.Triple(binding, node("variable"), ox.Literal(column)),
                    ox.Triple(binding, node("value"), term),
                ]
    return _turtle(triples, iris.PREFIXES | {"rs": _RESULT_SET})


def _turtle(triples: Sequence[ox.Triple], prefixes: Mapping[str, str]) -> str:
    nodes = {n.value for t in triples for n in (t.subject, t.predicate, t.object) if isinstance(n, ox.NamedNode)}
    used = {prefix: iri for prefix, iri in prefixes.items() if any(n.startswith(iri) for n in nodes)}
    return (ox.serialize(triples, format=ox.RdfFormat.TURTLE, prefixes=used) or b"").decode()
