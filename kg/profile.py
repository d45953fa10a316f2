"""Whether axioms stay inside the part of OWL 2 RL that every engine derives: a syntactic check.

Allowed: on the left of an inclusion named classes, intersectionOf, unionOf, someValuesFrom, hasValue; on the right a named class
or hasValue; of properties subPropertyOf, inverseOf, symmetric, transitive; disjointWith between named classes.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from loader import iris
from loader.iris import OWL, RDF, RDFS, TYPE, Triple

_PLAIN: Final = {OWL + "inverseOf", RDFS + "subPropertyOf", OWL + "disjointWith"}
_PARTS: Final = {OWL + "intersectionOf", OWL + "unionOf", OWL + "someValuesFrom", OWL + "hasValue", OWL + "onProperty"}
_TYPES: Final = {OWL + "Class", OWL + "Restriction", OWL + "ObjectProperty", OWL + "SymmetricProperty", OWL + "TransitiveProperty"}


def outside(axioms: Iterable[Triple]) -> Iterator[str]:
    """What of the axioms lies outside, one sentence each; nothing for axioms that are inside.

    >>> list(outside([("http://a", RDFS + "subClassOf", "http://b")]))
    []
    >>> next(outside([("_:x", OWL + "complementOf", "http://b")]))
    'complementOf is outside the subset'
    """
    triples = list(axioms)
    about: dict[str, dict[str, list[str]]] = {}
    for s, p, o in triples:
        about.setdefault(s, {}).setdefault(p, []).append(o)
    for _, p, o in triples:
        if p == TYPE and o.startswith(OWL) and o not in _TYPES:
            yield f"{iris.key(o).rsplit('#')[-1]} is outside the subset"
        elif p.startswith(OWL) and p not in _PLAIN | _PARTS:
            yield f"{p.rsplit('#')[-1]} is outside the subset"
    for s, p, o in triples:
        if p != RDFS + "subClassOf":
            continue
        if o.startswith("_:") and OWL + "hasValue" not in about.get(o, {}):
            yield f"the right side of an inclusion of {s} is neither a name nor hasValue"
        if s.startswith("_:"):
            yield from _left(s, about, set())


def _left(node: str, about: dict[str, dict[str, list[str]]], seen: set[str]) -> Iterator[str]:
    if node in seen:
        yield f"the class expression {node} holds itself"
        return
    seen = seen | {node}
    found = about.get(node, {})
    lists = [*found.get(OWL + "intersectionOf", ()), *found.get(OWL + "unionOf", ())]
    inner = [*found.get(OWL + "someValuesFrom", ()), *(m for head in lists for m in _members(head, about))]
    if not inner and OWL + "hasValue" not in found:
        yield f"the class expression {node} is empty"
    for part in inner:
        if part.startswith("_:"):
            yield from _left(part, about, seen)


def _members(head: str, about: dict[str, dict[str, list[str]]]) -> Iterator[str]:
    while head != RDF + "nil":
        cell = about.get(head, {})
        yield from cell.get(RDF + "first", ())
        following = cell.get(RDF + "rest", ())
        if len(following) != 1:
            return
        head = following[0]
