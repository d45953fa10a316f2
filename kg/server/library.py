"""What is known of each IRI: a concise description, taken from a store in the process of the server and its threads."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Final

import pyoxigraph as ox

from kg.server.dataset import Dataset
from kg.server.negotiation import N_TRIPLES, Form
from kg.server.sending import tag
from kg.store import EmbeddedStore
from loader import iris

_LABELS: Final = (iris.RDFS + "label", iris.SKOS + "prefLabel")
_KEPT: Final = 64
"""Documents that are kept once they are written; most have some kilobytes. Those of whole graphs are all kept."""
_RDF_LISTS: Final = 10_000
"""Blank nodes that a description follows, at most; no term of ours has a tenth of them."""


@dataclass(frozen=True)
class Document:
    """A document in RDF: its bytes and what changes when they do."""

    data: bytes
    form: Form

    @cached_property
    def tag(self) -> str:
        """Its entity tag: the version, and a hash of its content."""
        return tag(self.data)


class Library:
    """The dataset as linked data.

    Reads only, so threads may share it.

    Attributes:
        store: the default graph, for queries that we wrote ourselves; those of strangers go to the workers.
        subjects: every IRI of ours of which something is said, sorted.
    """

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset
        self.store = EmbeddedStore(())
        self._kept: dict[tuple[str, str], Document] = {}
        self._dumps: dict[tuple[str, str], Document] = {}
        self._lock = Lock()
        self.store.store.bulk_load(dataset.default, format=ox.RdfFormat.N_TRIPLES)
        found = {q.subject.value for q in self.store.store if isinstance(q.subject, ox.NamedNode)}
        self.subjects = tuple(sorted(iri for iri in found if iri.startswith(iris.BASE)))

    def knows(self, iri: str) -> bool:
        """Whether something is said of an IRI, or it names a graph that is served."""
        start = bisect_left(self.subjects, iri)
        return (start < len(self.subjects) and self.subjects[start] == iri) or iri in self.dataset.named

    def parts(self, iri: str) -> Iterator[str]:
        """The IRIs below an IRI: the timing of a clause, the passages of a chapter, the lines of a cast."""
        start = bisect_left(self.subjects, iri + "/")
        for part in self.subjects[start:]:
            if not part.startswith(iri + "/"):
                return
            yield part

    def described(self, iri: str) -> list[ox.Triple]:
        """What is said of an IRI and its parts, with the blank nodes that belong to it, and labels of what they point to."""
        return self._with_labels(self._said([iri, *self.parts(iri)]))

    def vocabulary(self) -> list[ox.Triple]:
        """What is said of the terms of the vocabulary and of the ontology itself."""
        return self._said(s for s in self.subjects if s.startswith(iris.NS))

    def document(self, iri: str, form: Form) -> Document | None:
        """The document on an IRI, or None where nothing is known; of a graph, all that it holds; of the vocabulary, all its terms."""
        if iri in self.dataset.named:
            with self._lock:  # it takes seconds of work and megabytes: once, however many ask
                if (iri, form.name) not in self._dumps:
                    self._dumps[iri, form.name] = self._dump(iri, form)
                return self._dumps[iri, form.name]
        if not self.knows(iri) and iri != iris.NS:
            return None
        kept = self._kept.get((iri, form.name))
        if kept is None:
            kept = written(self.vocabulary() if iri == iris.NS else self.described(iri), form)
            while len(self._kept) >= _KEPT:
                self._kept.pop(next(iter(self._kept), ("", "")), None)
            self._kept[iri, form.name] = kept
        return kept

    def _dump(self, graph: str, form: Form) -> Document:
        data = self.dataset.named[graph]
        if form is not N_TRIPLES:
            data = ox.serialize(ox.parse(data, format=ox.RdfFormat.N_TRIPLES), format=getattr(ox.RdfFormat, form.known), prefixes=iris.PREFIXES) or b""
        return Document(data, form)

    def _said(self, subjects: Iterable[str]) -> list[ox.Triple]:
        found: list[ox.Triple] = []
        todo: list[ox.NamedNode | ox.BlankNode] = [ox.NamedNode(s) for s in subjects]
        seen = set(todo)
        blank = 0
        while todo:
            for quad in self.store.store.quads_for_pattern(todo.pop(), None, None, ox.DefaultGraph()):
                found.append(quad.triple)
                value = quad.object
                if isinstance(value, ox.BlankNode) and value not in seen and blank < _RDF_LISTS:
                    blank += 1
                    seen.add(value)
                    todo.append(value)
        return found

    def _with_labels(self, triples: list[ox.Triple]) -> list[ox.Triple]:
        subjects = {t.subject for t in triples}
        pointed = {t.object for t in triples if isinstance(t.object, ox.NamedNode)} - subjects
        for node in pointed:
            for label in _LABELS:
                triples += (q.triple for q in self.store.store.quads_for_pattern(node, ox.NamedNode(label), None, ox.DefaultGraph()))
        return triples


def written(triples: Iterable[ox.Triple], form: Form, prefixes: Mapping[str, str] = iris.PREFIXES) -> Document:
    """Triples in a form; the same triples give the same bytes, since blank nodes are named by what they say (RDFC-1.0)."""
    found = ox.Dataset(ox.Quad(t.subject, t.predicate, t.object) for t in triples)
    if any(isinstance(node, ox.BlankNode) for q in found for node in (q.subject, q.object)):
        found.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    ordered = sorted((q.triple for q in found), key=str)
    nodes = {n.value for t in ordered for n in (t.subject, t.predicate, t.object) if isinstance(n, ox.NamedNode)}
    # Only what is used is declared; a name is only short where its rest is a local name, and the longest declaration wins.
    used = {prefix: iri for prefix, iri in prefixes.items() if any(n.startswith(iri) for n in nodes)}
    return Document(ox.serialize(ordered, format=getattr(ox.RdfFormat, form.known), prefixes=used) or b"", form)
