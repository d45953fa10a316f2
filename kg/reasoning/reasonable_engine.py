"""`reasonable` (Rust): the default engine."""

from collections.abc import Iterable

import reasonable
from rdflib.term import BNode, URIRef

from loader.iris import Triple


class ReasonableClosure:
    """A closure by `reasonable`; additions are closed incrementally."""

    def __init__(self) -> None:
        self._reasoner = reasonable.PyReasoner()

    def add(self, triples: Iterable[Triple]) -> None:
        """Add asserted triples."""
        self._reasoner.from_graph([tuple(map(_term, t)) for t in triples])

    def close(self) -> set[Triple]:
        """All triples that follow."""
        # The terms come back as rdflib's, which are not equal to plain strings.
        return {(str(s), str(p), str(o)) for s, p, o in self._reasoner.reason()}


def _term(text: str) -> URIRef | BNode:
    return BNode(text[2:]) if text.startswith("_:") else URIRef(text)
