"""Casts judged by the facts that the chart builder states of each: the slow way, with which the bulk engine is compared."""

from collections.abc import Sequence

from kg.asking import topics
from kg.bulk.circuit import Circuit
from kg.bulk.engine import BulkEngine
from kg.bulk.fires import Fires
from kg.bulk.machine import Facts, marks, packed
from kg.bulk.stated import UNKNOWN, Fact, Stated, fact_of
from kg.judgement import program
from loader.cast import AnyChart, chart_of, facts_of
from loader.iris import TYPE
from loader.qimen import QimenGiven


def facts_in(charts: Sequence[AnyChart]) -> Facts:
    """Each fact that some of the charts have, to the words that tell which."""
    found: dict[Fact, list[int]] = {}
    for n, chart in enumerate(charts):
        me = chart.iri
        for triple in facts_of(chart):
            found.setdefault(fact_of(triple, me), []).append(n)
        for what in chart.unknown:
            found.setdefault(("", UNKNOWN, what), []).append(n)
    return {fact: packed(marks(numbers, len(charts))) for fact, numbers in found.items()}


def judged(givens: Sequence[QimenGiven], *, holders: bool = False) -> Fires:
    """The clauses that fire on hour charts of the same conventions."""
    compiled = program(topics("qimen"), dict(givens[0].conventions), "qimen")
    facts = {f: words for f, words in facts_in([chart_of(g) for g in givens]).items() if f[1] in (TYPE, UNKNOWN) or f[1] in compiled.signature}
    stated = Stated(Circuit({}))
    for fact in sorted(facts):
        stated.add(*fact, stated.circuit.fact(fact))
    return BulkEngine.of(compiled, stated, holders=holders).run(len(givens), {}, facts)
