"""IRIs that last: what has been published, what there is now, and what became of the rest."""

from functools import cache
from typing import Final

from kg.dataset import CATALOGUE, triples
from loader import iris
from loader.data import folder
from loader.ontology import ontology

_LIST: Final = "published.txt"
_PASSING: Final = (
    iris.symbol("expression", ""),
    iris.symbol("fires", ""),
    iris.symbol("scope", ""),
    iris.symbol("useful-god", ""),
    iris.symbol("role-line", ""),
)
"""Classes that the compiler names after the text of a condition: they change with it and are not cited."""


@cache
def published() -> frozenset[str]:
    """Every IRI that a release has had, from `ontology/published.txt`."""
    lines = (folder("ontology") / _LIST).read_text("utf-8").splitlines()
    return frozenset(iris.BASE + line for line in lines if line and not line.startswith("#"))


def minted() -> frozenset[str]:
    """Every IRI of ours that something is said of now, parts of a clause and the compiler's own classes apart."""
    keys = [p.key for p in CATALOGUE if p.key not in ("axioms", "closure", "anchors")]
    subjects = {s for key in keys for t in triples(key) if (s := str(getattr(t.subject, "value", ""))).startswith(iris.BASE)}
    return frozenset(s for s in subjects if not s.startswith(_PASSING) and not (s.startswith(iris.BASE + "clause/") and s.count("/") > 5))


def lost() -> tuple[str, ...]:
    """Published IRIs of which nothing is said any more and that no deprecation entry replaces.

    An entry stands in `ontology/deprecated.ttl`: `owl:deprecated true` and `dcterms:isReplacedBy`, or a `skos:note` that says why there
    is nothing in its place.
    """
    o = ontology()
    gone = published() - minted()
    return tuple(sorted(iri for iri in gone if not o.objects(iri, iris.OWL + "deprecated")))


def listing() -> str:
    """The list of all IRIs, published and new, as `ontology/published.txt` holds it."""
    head = f"# Every IRI below {iris.BASE} that has been published. None is ever removed: see kg/identifiers.py.\n"
    return head + "".join(f"{iri.removeprefix(iris.BASE)}\n" for iri in sorted(published() | minted()))
