"""`owlrl`: the reference engine, exact and slow; for tests and for one chapter at a time."""

from collections.abc import Iterable
from typing import Final

from owlrl import DeductiveClosure, OWLRL_Semantics
from rdflib import Graph
from rdflib.term import BNode, Literal, URIRef

from loader.iris import OWL, RDFS, Triple

_REFLEXIVE: Final = frozenset(
    {OWL + "sameAs", OWL + "equivalentClass", OWL + "equivalentProperty", RDFS + "subClassOf", RDFS + "subPropertyOf"},
)
"""What holds of everything and itself, so that saying it says nothing."""


class _Semantics(OWLRL_Semantics):  # type: ignore[misc]  # owlrl has no types
    """OWL 2 RL without the rules of equality.

    Nothing here states owl:sameAs, a key or a functional property, from which alone it could follow, so those rules find only that
    everything equals itself; that they take half the time is why they are left out. A test compares with the full semantics.
    """

    def _equality(self, triple: object, cycle_num: int) -> None:
        pass


class OwlrlClosure:
    """A closure by `owlrl`."""

    semantics = _Semantics

    def __init__(self) -> None:
        self._graph = Graph()

    def add(self, triples: Iterable[Triple]) -> None:
        """Add asserted triples."""
        for triple in triples:
            s, p, o = map(_term, triple)
            self._graph.add((s, p, o))

    def close(self) -> set[Triple]:
        """All triples that follow, but for what is no RDF or says nothing.

        owlrl makes triples with literal subjects, and says of everything that it equals itself and of every class that it is its own
        subclass; these, and triples with literals, are left out.
        """
        DeductiveClosure(self.semantics, axiomatic_triples=False, datatype_axioms=False).expand(self._graph)
        plain = ((str(s), str(p), str(o)) for s, p, o in self._graph if not isinstance(s, Literal) and not isinstance(o, Literal))
        return {(s, p, o) for s, p, o in plain if s != o or p not in _REFLEXIVE}


def _term(text: str) -> URIRef | BNode:
    return BNode(text[2:]) if text.startswith("_:") else URIRef(text)
