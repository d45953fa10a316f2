"""The bulk engine: a program over what can be stated, ready to judge batch after batch."""

from dataclasses import dataclass

import numpy as np

from kg.bulk.circuit import FALSE
from kg.bulk.fires import Fires
from kg.bulk.logic import Logic
from kg.bulk.machine import Codes, Facts, Machine, Words
from kg.bulk.stated import Stated
from loader.axioms import Program
from loader.chapter import clauses


@dataclass(frozen=True)
class BulkEngine:
    """A program made ready.

    Attributes:
        machine: its first outputs are the clauses, the others their holders.
        clauses: ids of the clauses that are judged, in the order of the books.
        slots: clause and slot of each output that is a holder.
    """

    machine: Machine
    clauses: tuple[str, ...]
    slots: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, program: Program, stated: Stated, *, holders: bool = False) -> "BulkEngine":
        """Make a program ready.

        Args:
            program: the compiled clauses.
            stated: the facts that casts can have.
            holders: whether the lines, pillars and other individuals on which a clause fires are told too.
        """
        logic = Logic(program, stated)
        members = {i: logic.fires(i) for i, clause in clauses().items() if i in program.conditions and clause.fires}
        slots = tuple((i, slot) for i, held in members.items() for slot in sorted(held)) if holders else ()
        outputs = [held.get("", FALSE) for held in members.values()] + [members[i][slot] for i, slot in slots]
        return cls(Machine(stated.circuit, outputs), tuple(members), slots)

    def run(self, casts: int, codes: Codes, facts: Facts) -> Fires:
        """Judge a batch; see `Machine.run`."""
        words = self.machine.run(casts, codes, facts)
        holders: dict[str, dict[str, Words]] = {}
        for (clause, slot), row in zip(self.slots, words[len(self.clauses) :], strict=True):
            holders.setdefault(clause, {})[slot] = row
        return Fires(self.clauses, casts, np.ascontiguousarray(words[: len(self.clauses)]), holders)
