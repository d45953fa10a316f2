"""Mappings between the terms of the two traditions: an SSSOM table, and its triples.

The table is `ontology/mappings/traditions.sssom.tsv` (https://w3id.org/sssom/): a block of YAML behind `#`, then rows under a head. A
row with the modifier `Not` is a false friend: two terms that sound alike and are not the same.
"""

import csv
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

from loader import iris
from loader.data import folder
from loader.errors import OntologyError, listed, quoted
from loader.ontology import Literal, Node, ontology

SSSOM: Final = iris.PREFIXES["sssom"]
SEMAPV: Final = iris.PREFIXES["semapv"]
HEAD: Final = 4_000
"""Characters of the metadata."""
LARGEST: Final = 1_000_000
"""Bytes in a file of mappings; ours has under 20,000."""
PREDICATES: Final = ("exactMatch", "closeMatch", "narrowMatch", "broadMatch", "relatedMatch")
"""What SKOS calls the ways in which a subject matches an object."""

_COLUMNS: Final = (
    "subject_id",
    "subject_label",
    "predicate_id",
    "predicate_modifier",
    "object_id",
    "object_label",
    "mapping_justification",
    "confidence",
    "comment",
)
_FIELDS: Final = {"mapping_set_id", "license", "subject_source", "object_source", "curie_map"}
_MORE: Final = {"mapping_set_title", "mapping_set_description"}
_CURIE: Final = re.compile(r"([A-Za-z][\w-]*):([\w.-]+)", re.ASCII)
_CONFIDENCE: Final = re.compile(r"0(\.\d{1,3})?|1(\.0{1,3})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Mapping:
    """One row of the table.

    Attributes:
        subject: IRI of a term of 六爻.
        predicate: IRI of a SKOS mapping relation.
        object: IRI of a term of 奇門.
        negated: whether the row says that the relation does not hold.
        justification: IRI of how the row came about.
        confidence: from 0 to 1, as written.
        comment: the clauses and passages that show it.
    """

    subject: str
    predicate: str
    object: str
    negated: bool
    justification: str
    confidence: str
    comment: str

    @property
    def iri(self) -> str:
        """Its IRI, from its two terms.

        >>> mappings()[0].iri
        'https://w3id.org/guigu/id/mapping/spirit-vermilion-bird--deity-vermilion-bird'
        """
        return iris.symbol("mapping", "--".join(_key(term) for term in (self.subject, self.object)))

    def triples(self) -> Iterator[tuple[str, str, Node]]:
        """The relation itself, where it holds, and the row as SSSOM has it.

        The row is no owl:Axiom, as that of a negated one would state what it denies.
        """
        if not self.negated:
            yield self.subject, self.predicate, self.object
        yield self.iri, iris.TYPE, SSSOM + "Mapping"
        yield self.iri, iris.OWL + "annotatedSource", self.subject
        yield self.iri, iris.OWL + "annotatedProperty", self.predicate
        yield self.iri, iris.OWL + "annotatedTarget", self.object
        if self.negated:
            yield self.iri, SSSOM + "predicate_modifier", SSSOM + "NegatedPredicate"
        yield self.iri, SSSOM + "mapping_justification", self.justification
        yield self.iri, SSSOM + "confidence", Literal(self.confidence, None, iris.XSD + "double")
        yield self.iri, iris.RDFS + "comment", Literal(self.comment, "en", iris.RDF + "langString")


@dataclass(frozen=True, slots=True)
class MappingSet:
    """A table of mappings.

    Attributes:
        iri: its IRI.
        license: under what it may be used.
        sources: IRIs of the works to which the subjects and the objects belong.
        mappings: its rows, in the order of the file.
    """

    iri: str
    license: str
    sources: tuple[str, str]
    mappings: tuple[Mapping, ...]

    def triples(self) -> Iterator[tuple[str, str, Node]]:
        """The set and its rows."""
        yield self.iri, iris.TYPE, SSSOM + "MappingSet"
        yield self.iri, iris.DCTERMS + "license", self.license
        yield self.iri, SSSOM + "subject_source", self.sources[0]
        yield self.iri, SSSOM + "object_source", self.sources[1]
        for mapping in self.mappings:
            yield self.iri, SSSOM + "mappings", mapping.iri
            yield from mapping.triples()


def _key(iri: str) -> str:
    return iri.removeprefix(iris.BASE).removeprefix("id/").replace("/", "-")


@cache
def mapping_set() -> MappingSet:
    """The table that travels with guigu; raises what `read` raises."""
    return read(folder("ontology") / "mappings" / "traditions.sssom.tsv")


def mappings() -> tuple[Mapping, ...]:
    """Its rows; raises what `read` raises."""
    return mapping_set().mappings


def read(path: Path) -> MappingSet:
    """Read a table of mappings.

    Raises:
        OntologyError: too large, not UTF-8, not SSSOM, or a row that is not in order; with file and line.
    """
    try:
        with path.open("rb") as stream:
            raw = stream.read(LARGEST + 1)
    except OSError as error:
        raise OntologyError(f"cannot be read: {error.strerror}", where=path.name) from error
    if len(raw) > LARGEST:
        raise OntologyError(f"more than {LARGEST} bytes", where=path.name)
    try:
        return parse(raw.decode("utf-8"), path.name)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise OntologyError("not UTF-8", where=f"{path.name}:{line}") from error


def parse(text: str, file: str) -> MappingSet:
    """Read a table from its text; raises what `read` raises."""
    lines = unicodedata.normalize("NFC", text).split("\n")
    head = next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))
    data = _metadata([line[1:].removeprefix(" ") for line in lines[:head]], file)
    prefixes: dict[str, str] = data["curie_map"]
    found: dict[tuple[str, str], Mapping] = {}
    for where, row in _rows(lines[head:], head, file):
        mapping = _mapping(row, prefixes, where)
        if found.setdefault((mapping.subject, mapping.object), mapping) is not mapping:
            raise OntologyError(f"{row['subject_id']} and {row['object_id']} stand twice", where=where)
    if not found:
        raise OntologyError("no mappings", where=file)
    sources = (_expanded(data["subject_source"], prefixes, f"{file}:1"), _expanded(data["object_source"], prefixes, f"{file}:1"))
    return MappingSet(data["mapping_set_id"], data["license"], sources, tuple(found.values()))


def _metadata(lines: Sequence[str], file: str) -> dict[str, Any]:  # YAML of any shape, checked here
    where = f"{file}:1"
    try:
        text = "\n".join(lines)
        if len(text) > HEAD:  # brackets within brackets cost the parser their square
            raise OntologyError(f"metadata of {len(text)} characters", where=where, todo=f"at most {HEAD} are read")
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=yaml.SafeLoader)):
            raise OntologyError("aliases are not read", where=where)
        data = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise OntologyError(f"the metadata are not YAML: {error.problem}", where=f"{file}:{line}") from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise OntologyError("the metadata are not YAML", where=where) from error
    if not isinstance(data, dict) or not _FIELDS <= set(data) <= _FIELDS | _MORE:
        raise OntologyError("the metadata lack a field or have one too many", where=where, todo=f"they are {', '.join(sorted(_FIELDS | _MORE))}")
    prefixes = data.pop("curie_map")
    if not isinstance(prefixes, dict) or not all(isinstance(t, str) for pair in (*prefixes.items(), *data.items()) for t in pair):
        raise OntologyError("the metadata are texts, curie_map leads from prefixes to IRIs", where=where)
    return data | {"curie_map": prefixes}


def _rows(lines: Sequence[str], before: int, file: str) -> Iterator[tuple[str, dict[str, str]]]:
    reader = csv.reader((f"{line}\n" for line in lines), delimiter="\t", strict=True)
    columns: list[str] = []
    try:
        for cells in reader:
            where = f"{file}:{before + reader.line_num}"
            if not cells:
                continue
            if any(unicodedata.category(c) in ("Cc", "Cs") for cell in cells for c in cell):
                raise OntologyError("a control character", where=where)
            if not columns:
                columns = cells
                if sorted(columns) != sorted(_COLUMNS):
                    raise OntologyError("not the columns of a mapping", where=where, todo=f"they are {', '.join(_COLUMNS)}")
                continue
            if len(cells) != len(columns):
                raise OntologyError(f"{len(cells)} cells under {len(columns)} columns", where=where)
            yield where, dict(zip(columns, cells, strict=True))
    except csv.Error as error:
        raise OntologyError(f"not a table: {error}", where=f"{file}:{before + reader.line_num}") from error


def _mapping(row: dict[str, str], prefixes: dict[str, str], where: str) -> Mapping:
    subject, target = (_term(row[f"{end}_id"], row[f"{end}_label"], prefixes, where) for end in ("subject", "object"))
    if subject == target:
        raise OntologyError(f"{row['subject_id']} is mapped to itself", where=where, todo="a term that both traditions share needs no mapping")
    predicate, justification = (_expanded(row[c], prefixes, where) for c in ("predicate_id", "mapping_justification"))
    if predicate not in {iris.SKOS + p for p in PREDICATES}:
        raise OntologyError(f"{quoted(row['predicate_id'])} is no mapping relation", where=where, todo=f"write skos:{listed(PREDICATES)}")
    if not justification.startswith(SEMAPV):
        raise OntologyError(f"{quoted(row['mapping_justification'])} is no justification", where=where, todo="write semapv:ManualMappingCuration")
    if row["predicate_modifier"] not in ("", "Not"):
        raise OntologyError(f"{quoted(row['predicate_modifier'])} is no modifier", where=where, todo="write Not or nothing")
    if not _CONFIDENCE.fullmatch(row["confidence"]):
        raise OntologyError(f"{quoted(row['confidence'])} is no confidence", where=where, todo="write a number from 0 to 1")
    if not row["comment"].strip():
        raise OntologyError("no comment", where=where, todo="name the clauses that show it")
    return Mapping(subject, predicate, target, row["predicate_modifier"] == "Not", justification, row["confidence"], row["comment"])


def _term(curie: str, label: str, prefixes: dict[str, str], where: str) -> str:
    iri = _expanded(curie, prefixes, where)
    o = ontology()
    if not iri.startswith(iris.BASE) or not any(True for _ in o.labels(iri)):
        raise OntologyError(f"the ontology has no {quoted(curie)}", where=where)
    if label != o.label(iri):
        raise OntologyError(f"{curie} is called {quoted(label)}", where=where, todo=f"the ontology has {o.label(iri)}")
    return iri


def _expanded(curie: str, prefixes: dict[str, str], where: str) -> str:
    match = _CURIE.fullmatch(curie)
    if not match or match[1] not in prefixes:
        raise OntologyError(f"{quoted(curie)} is no name with a known prefix", where=where, todo=f"there are {', '.join(sorted(prefixes))}")
    return prefixes[match[1]] + match[2]
