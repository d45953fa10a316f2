"""Where the verdicts of a batch disagree: the pairs of clauses that can are found once, then met by words."""

from dataclasses import dataclass

import numpy as np

from kg.bulk.fires import Fires
from kg.bulk.machine import Words
from kg.standing import Disagreement, disagreements
from loader.clause import READINGS


@dataclass(frozen=True, eq=False)
class Conflicting:
    """Which two verdicts disagree on which casts of a batch.

    Attributes:
        pairs: every two clauses of the batch that can disagree, in the order of `queries/cast/conflicts.rq`.
        words: shape (pairs, words); bit n % 64 of word n // 64 tells whether both stand on cast n.
    """

    pairs: tuple[Disagreement, ...]
    words: Words


def conflicting(standing: Fires, reading: str = READINGS[0]) -> Conflicting:
    """Where standing verdicts disagree under a reading of the text.

    Args:
        standing: what `Fires.standing` gives for the same reading.
        reading: of all casts of the batch.

    >>> boy, girls = "yy-taichan-077", "yy-taichan-085"
    >>> found = conflicting(Fires((boy, girls), 3, np.array([[0b011], [0b110]], np.uint64)))
    >>> [(d.about, d.ground, d.says_a, d.says_b) for d in found.pairs], found.words.tolist()
    ([('gender', 'outcome', 'male', 'two-girls')], [[2]])
    """
    rows = {clause: row for row, clause in enumerate(standing.clauses)}
    pairs = disagreements(standing.clauses, reading)
    a, b = (np.array([rows[clause] for clause in side], np.intp) for side in ([d.a for d in pairs], [d.b for d in pairs]))
    return Conflicting(pairs, standing.words[a] & standing.words[b])
