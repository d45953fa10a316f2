"""Which verdicts stand, and where standing verdicts disagree: two SPARQL queries over the clauses and what fires."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

import pyoxigraph as ox

from loader import iris
from loader.chapter import clauses
from loader.clause import READINGS
from loader.data import folder
from loader.iris import ns, symbol
from loader.ontology import ontology

_CAST = ox.NamedNode(iris.BASE + "cast/judged")
_FIRES, _STANDS = ox.NamedNode(ns("fires")), ox.NamedNode(ns("stands"))


@dataclass(frozen=True, slots=True)
class Conflict:
    """Standing verdicts that disagree on one aspect.

    Attributes:
        about: id of the aspect.
        ground: `outcome` where the outcomes exclude each other, `omen` where one is auspicious and another inauspicious.
        sides: what each side says (an outcome or omen) and the ids of its clauses.
    """

    about: str
    ground: str
    sides: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two verdicts that cannot both be had: fields as the columns of `queries/cast/conflicts.rq`, each by its key."""

    about: str
    ground: str
    a: str
    says_a: str
    b: str
    says_b: str


@cache
def _query(name: str) -> str:
    return (folder("queries") / "cast" / f"{name}.rq").read_text("utf-8")


@cache
def _doctrine(reading: str) -> tuple[ox.Quad, ...]:
    """What the two queries need of the clauses, as a reading has them, and of the outcomes."""
    node = ox.NamedNode
    found: list[ox.Quad] = []

    def add(s: str, p: str, o: str) -> None:
        found.append(ox.Quad(node(s), node(ns(p)), node(o)))

    for c in (clause.under(reading) for clause in clauses().values()):
        for other in c.overrides:
            add(c.iri, "overrides", iris.clause(other))
        for prop, kind, key in (("about", "aspect", c.about), ("omen", "omen", c.omen), ("outcome", "outcome", c.value)):
            if key and not (c.timing and prop == "omen"):
                add(c.iri, prop, symbol(kind, key))
    o = ontology()
    for outcome in o.of_type("Outcome"):
        for other in o.iris(outcome, ns("excludes")):
            add(outcome, "excludes", other)
            add(other, "excludes", outcome)
    return tuple(found)


def _store(prop: ox.NamedNode, ids: Iterable[str], reading: str) -> ox.Store:
    store = ox.Store()
    store.extend(_doctrine(reading))
    store.extend(ox.Quad(_CAST, prop, ox.NamedNode(iris.clause(i))) for i in ids)
    return store


def _rows(store: ox.Store, name: str) -> list[list[str]]:
    found = store.query(_query(name))
    if not isinstance(found, ox.QuerySolutions):
        raise TypeError(name)
    variables = [v.value for v in found.variables]
    # Every column of the two queries is an IRI of ours: its key is what the caller works with. There is one cast only.
    return [[iris.key(str(term.value)) if isinstance(term := row[v], ox.NamedNode) else "" for v in variables if v != "cast"] for row in found]


def overridden(fires: Iterable[str], reading: str = READINGS[0]) -> dict[str, tuple[str, ...]]:
    """Ids of firing clauses that a firing clause overrides, with the ids of those that do.

    >>> overridden({"yy-taichan-035", "yy-taichan-037"})
    {'yy-taichan-037': ('yy-taichan-035',)}
    """
    return dict(_overridden(frozenset(fires), reading))


@lru_cache(maxsize=64)
def _overridden(fires: frozenset[str], reading: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for clause, by in _rows(_store(_FIRES, fires, reading), "overridden"):
        found[clause] = (*found.get(clause, ()), by)
    return found


def disagreements(standing: Iterable[str], reading: str = READINGS[0]) -> tuple[Disagreement, ...]:
    """Each two of some standing verdicts that disagree. Whether two do hangs on nothing but the two.

    >>> [(d.about, d.says_a, d.says_b) for d in disagreements(["yy-taichan-077", "yy-taichan-085", "yy-taichan-035"])]
    [('gender', 'male', 'two-girls')]
    """
    return _disagreements(frozenset(standing), reading)


@lru_cache(maxsize=64)
def _disagreements(standing: frozenset[str], reading: str) -> tuple[Disagreement, ...]:
    return tuple(Disagreement(*row) for row in _rows(_store(_STANDS, standing, reading), "conflicts"))


def conflicts(standing: Iterable[str], reading: str = READINGS[0]) -> tuple[Conflict, ...]:
    """Where standing verdicts disagree, gathered by aspect; never resolved silently."""
    return gathered(disagreements(standing, reading))


def gathered(found: Iterable[Disagreement]) -> tuple[Conflict, ...]:
    """Disagreements of one cast, as conflicts."""
    sides: dict[tuple[str, str], dict[str, set[str]]] = {}
    for d in found:
        by = sides.setdefault((d.about, d.ground), {})
        by.setdefault(d.says_a, set()).add(d.a)
        by.setdefault(d.says_b, set()).add(d.b)
    return tuple(
        Conflict(about, ground, tuple((says, tuple(sorted(ids))) for says, ids in sorted(by.items()))) for (about, ground), by in sorted(sides.items())
    )
