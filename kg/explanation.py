"""A clause on a judged cast: whether it holds and of whom, or what the nearest individual lacks; and who bears witness."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kg.explain import Proof, why_not
from kg.judgement import Judgement
from loader.chapter import clauses
from loader.clause import Clause
from loader.errors import UnknownName


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a clause holds, or what it lacks.

    Attributes:
        clause: as the reading of the cast has it.
        holds: whether it holds of something.
        proofs: how each individual satisfies it, or the nearest miss; none where it has no condition.
    """

    clause: Clause
    holds: bool
    proofs: tuple[Proof, ...]


def explanation(j: Judgement, clause: str) -> Explanation:
    """Why a clause of the topics asked holds on a cast, or what it lacks.

    Raises:
        UnknownName: no clause of the topics asked has that id, with near matches.

    >>> from kg.judgement import cast
    >>> j = cast([8, 8, 9, 7, 8, 8], "childbirth", pillars={"month": "辰", "day": "戊辰"})
    >>> [explanation(j, i).holds for i in ("yy-taichan-088", "yy-taichan-087")]
    [True, False]
    """
    wanted = next((c for c in j.clauses if c.id == clause), None)
    if wanted is None:
        todo = f"It is of the topic {clauses()[clause].topic}: ask that too" if clause in clauses() else None
        raise UnknownName(clause, "clause of the topics asked", [c.id for c in j.clauses], where="--clause", todo=todo)
    proofs = next((v.proofs for v in j.verdicts if v.clause.id == clause), None) or j.proofs(wanted, j.holders(wanted))
    if proofs:
        return Explanation(wanted, True, proofs)
    missed = why_not(j.chart, j.closed, j.program, wanted)
    return Explanation(wanted, False, (missed,) if missed else ())


def witnesses(proofs: Iterable[Proof]) -> tuple[str, ...]:
    """IRIs of those by whom a condition holds, or nearly holds: of whom each proof is, and of every part that holds.

    Below a part that does not hold stand those by whom it fails, who are no witnesses.
    """
    return tuple(dict.fromkeys(iri for p in proofs for iri in _of(p)))


def _of(p: Proof) -> Iterator[str]:
    yield p.iri
    for part in p.parts:
        if part.holds:
            yield from _of(part)
