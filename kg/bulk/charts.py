"""Any charts as a batch: their facts as the chart builder states them, chart by chart."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from kg.bulk.circuit import Circuit
from kg.bulk.engine import BulkEngine
from kg.bulk.fires import Fires
from kg.bulk.machine import Facts, packed
from kg.bulk.stated import UNKNOWN, Fact, Stated, fact_of
from loader.axioms import Program
from loader.cast import AnyChart, facts_of
from loader.iris import TYPE


def facts_in(charts: Sequence[AnyChart]) -> Facts:
    """Each fact that some of the charts have, to the words that tell which."""
    found: dict[Fact, list[int]] = {}
    for n, chart in enumerate(charts):
        me = chart.iri
        for triple in facts_of(chart):
            found.setdefault(fact_of(triple, me), []).append(n)
        for what in chart.unknown:
            found.setdefault(("", UNKNOWN, what), []).append(n)
    words = {}
    for fact, numbers in found.items():
        holds = np.zeros(len(charts), np.uint8)
        holds[numbers] = 1
        words[fact] = packed(holds)
    return words


@dataclass
class ChartJudge:
    """Judges charts under one program; what they state for the first time makes the circuit grow."""

    program: Program
    holders: bool = False
    _seen: set[Fact] = field(default_factory=set)
    _engine: BulkEngine | None = None

    def judge(self, charts: Sequence[AnyChart]) -> Fires:
        """The clauses that fire on each chart."""
        facts = {f: words for f, words in facts_in(charts).items() if f[1] in (TYPE, UNKNOWN) or f[1] in self.program.signature}
        if self._engine is None or not facts.keys() <= self._seen:
            self._seen |= facts.keys()
            stated = Stated(Circuit({}))
            for fact in sorted(self._seen):
                stated.add(*fact, stated.circuit.fact(fact))
            self._engine = BulkEngine.of(self.program, stated, holders=self.holders)
        return self._engine.run(len(charts), {}, facts)
