"""What changed between two releases: terms, symbols, clauses and passages added, removed and changed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import pyoxigraph as ox

from kg.dataset import Dataset
from loader import iris
from loader.ontology import Literal

CHANGESET: Final = "http://purl.org/vocab/changeset/schema#"
_DERIVED: Final = frozenset({"axioms", "closure", "anchors"})
"""Graphs that follow from the others: their changes are those of their sources."""


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one IRI.

    Attributes:
        iri: the term, symbol, clause or passage.
        what: `added`, `removed` or `changed`.
        before: what only the old release says of it, as `predicate object` lines.
        after: what only the new one says of it.
    """

    iri: str
    what: str
    before: tuple[str, ...]
    after: tuple[str, ...]


def differences(old: Dataset, new: Dataset) -> tuple[Change, ...]:
    """Changes of everything that has an IRI of ours, in the order of the IRIs.

    >>> differences(Dataset({}), Dataset({}))
    ()
    """
    said = [_said(d) for d in (old, new)]
    found = []
    for iri in sorted(said[0].keys() | said[1].keys()):
        before, after = (s.get(iri, frozenset()) for s in said)
        if before != after:
            what = "added" if not before else "removed" if not after else "changed"
            found.append(Change(iri, what, tuple(sorted(before - after)), tuple(sorted(after - before))))
    return tuple(found)


def _said(dataset: Dataset) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for key, lines in dataset.graphs.items():
        if key in _DERIVED or not lines:
            continue
        for quad in ox.parse("".join(lines), format=ox.RdfFormat.N_QUADS):
            # Parts of a thing, such as the timing of a clause, count as the thing.
            if isinstance(quad.subject, ox.NamedNode) and quad.subject.value.startswith(iris.BASE):
                rest = "_:b" if isinstance(quad.object, ox.BlankNode) else str(quad.object)
                found.setdefault(quad.subject.value, set()).add(f"{quad.predicate} {rest}")
    return {iri: frozenset(lines) for iri, lines in found.items()}


def text(changes: tuple[Change, ...]) -> str:
    """The changes for people: a line for each, with what was said before and after where it changed."""
    lines = []
    for what in ("removed", "added", "changed"):
        mine = [c for c in changes if c.what == what]
        if mine:
            lines.append(f"{what}: {len(mine)}")
        for c in mine:
            lines.append(f"  {c.iri}")
            if what == "changed":
                lines += [f"    - {line}" for line in c.before] + [f"    + {line}" for line in c.after]
    return "\n".join(lines or ["no difference"]) + "\n"


def statements(changes: tuple[Change, ...], old: str, new: str) -> Iterator[tuple[str, str, str | Literal]]:
    """The changes in RDF (changeset vocabulary), from the release of one version to that of another."""
    for c in changes:
        me = f"{iris.release(new, 'change')}/{c.iri.removeprefix(iris.BASE)}"
        yield me, iris.TYPE, CHANGESET + "ChangeSet"
        yield me, CHANGESET + "subjectOfChange", c.iri
        yield me, CHANGESET + "changeReason", Literal(c.what, "en", iris.RDF + "langString")
        yield me, CHANGESET + "precedingChangeSet", iris.release(old)
        for prop, lines in (("removal", c.before), ("addition", c.after)):
            for line in lines:
                yield me, iris.ns(prop), Literal(line, None, iris.XSD + "string")
