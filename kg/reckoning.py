"""Numbers that clauses compute for a cast: a rank, a number of hits, of brothers, of mothers, of years; each with its sum."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor

from kg.closure import Closed
from kg.explain import Walk
from kg.reasons import describe
from kg.timing import source
from loader import iris
from loader.axioms import Program
from loader.cast import AnyChart
from loader.clause import Clause, Computation
from loader.iris import ns, symbol
from loader.liuyao import Chart, Line, Pillar
from loader.names import names
from loader.ontology import ontology
from loader.qimen import QimenChart
from loader.saying import LANGUAGES, Said, Value, joined, said, say

CYCLE = 60
"""Pairs of stem and branch in a round."""


@dataclass(frozen=True, slots=True)
class Reckoning:
    """A number with the way it came about.

    Attributes:
        quantity: IRI of what is counted.
        amounts: the number; both roundings where the books leave a half.
        sum: the sum in one line, as a person would write it.
        clauses: ids of the clauses that took part, in their order.
        doubts: what is open about them.
    """

    quantity: str
    amounts: tuple[int, ...]
    sum: Said
    clauses: tuple[str, ...]
    doubts: tuple[str, ...] = ()


@dataclass
class _Sum:
    total: Fraction = Fraction(0)
    words: list[Said] = field(default_factory=list)
    clauses: list[Clause] = field(default_factory=list)
    based: bool = False


def step(c: Computation) -> Said:
    """What a clause does to its quantity, in words: `add najia-numbers of 干 支; times 2`."""
    words = [say("step-add", table=_table(table), what=" ".join(what)) for table, what in c.add]
    words += [say("step-times", number=str(c.times))] if c.times is not None else []
    words += [say("step-count")] if c.count else []
    words += [say("step-back", start=say(f"end-{c.back[0]}"), end=say(f"end-{c.back[1]}"))] if c.back else []
    told = joined(words, say("then"))
    return told if c.of == "this" else say("step-of", what=told, of=c.of)


def _table(key: str) -> Said:
    """A table by its name; in English by the key that clauses use."""
    o, iri = ontology(), symbol("table", key)
    return Said(*(key if language == "en" else o.label(iri, language) for language in LANGUAGES))


def reckon(chart: AnyChart, closed: Closed, program: Program, clauses: Sequence[Clause]) -> tuple[Reckoning, ...]:
    """Every quantity that the clauses of the program compute for the cast, in their order.

    A quantity is left out where no step gives it a number, and where a step hangs on something unknown.
    """
    if isinstance(chart, QimenChart):  # no clause of the hour chart computes
        return ()
    walk = Walk(chart, closed, program)
    by_quantity: dict[str, list[Clause]] = {}
    for clause in clauses:
        if clause.computes is not None and clause.id in program.conditions:
            by_quantity.setdefault(clause.computes.quantity, []).append(clause)
    found = []
    for quantity, steps in by_quantity.items():
        if any(_open(walk, clause) for clause in steps):
            continue
        total = _Sum()
        for clause in steps:
            for holder in _holders(walk, clause):
                if clause.computes and clause.computes.back:
                    # Each line that is counted back from is another person: a number of its own.
                    total = _Sum()
                _take(chart, closed, clause, holder, total)
                if clause.computes and clause.computes.back and total.based:
                    found.append(_result(quantity, total))
                    total = _Sum()
        if total.based:
            found.append(_result(quantity, total))
        elif all(c.computes and c.computes.count for c in steps):
            # Nothing to count is a number too.
            found.append(Reckoning(symbol("quantity", quantity), (0,), say("sum-none"), tuple(c.id for c in steps)))
    return tuple(found)


def _holders(walk: Walk, clause: Clause) -> Iterator[str]:
    e = walk.program.conditions[clause.id]
    yield from (i for i in sorted(walk.closed.types) if walk.holds(e, i, clause.topic))


def _open(walk: Walk, clause: Clause) -> bool:
    """Whether a step that does not hold might, if what is unknown were known."""
    if not walk.program.rests_on.get(clause.id, frozenset()) & walk.chart.unknown:
        return False
    e = walk.program.conditions[clause.id]
    return any(walk.possible(e, i, clause.topic) and not walk.holds(e, i, clause.topic) for i in walk.closed.types)


def _take(chart: Chart, closed: Closed, clause: Clause, holder: str, total: _Sum) -> None:
    c = clause.computes
    if c is None:  # only clauses that compute come here
        raise AssertionError(clause.id)
    x = _source(chart, closed, c, holder)
    parts: list[tuple[Value, Fraction]] = []
    if c.add and (x is not None or holder == chart.iri):
        parts = [_look_up(chart, table, what, x) for table, whats in c.add for what in whats]
    if c.count:
        parts = [(describe(chart, holder), Fraction(1))]
    if c.back and x is not None:
        parts = _back(chart, c.back, x)
    if parts:
        added = sum((n for _, n in parts), Fraction(0))
        words = joined((joined((word, _show(n)), " ") for word, n in parts), " + ")
        if c.times is not None:
            added *= c.times
            words = joined(("(" if len(parts) > 1 else "", words, ")" if len(parts) > 1 else "", f" × {_show(c.times)}"), "")
        total.words.append(joined(("+", words), " ") if total.based else words)
        total.total += added
        total.based = True
    elif c.times is not None and total.based:
        total.total *= c.times
        total.words.append(said(f"× {_show(c.times)}"))
    else:
        return
    if clause not in total.clauses:
        total.clauses.append(clause)


def _source(chart: Chart, closed: Closed, c: Computation, holder: str) -> Line | Pillar | None:
    """The line or pillar whose number is meant: the one that satisfies the clause, or what it hides or becomes."""
    by_iri: dict[str, Line | Pillar] = {x.iri: x for x in (*chart.bearers, *chart.mutual_lines)}
    if c.of == "this":
        return by_iri.get(holder)
    term, hidden = source(c.of, names())
    reached = closed.leads(holder, ns("hides") if hidden else term.iri)
    return next((by_iri[x] for x in reached if x in by_iri and (term.is_property or closed.holds(x, term.iri))), None)


def _look_up(chart: Chart, table: str, what: str, x: Line | Pillar | None) -> tuple[Value, Fraction]:
    """A number of a table: of a property of the line or pillar, or of a symbol by its name."""
    o = ontology()
    row = {"干": x.stem, "支": x.branch, "五行": x.element}.get(what) if x is not None else None
    if row is None:
        row = next(s for kind in ("Element", "Branch", "Stem") for s in o.of_type(kind) if o.label(s) == what)
    return o.label(row), Fraction(chart.tables.get(table).place(row))


def _back(chart: Chart, ends: tuple[str, str], x: Line | Pillar) -> list[tuple[Value, Fraction]]:
    """Steps of the sixty pairs from one back to another, both counted; nothing where a pair is not known."""
    o = ontology()
    year = chart.pillars.get("year")
    pairs = {"this": x.pair, "year": year.pair if year else None, "decade": o.one(x.pair, ns("decade")) if x.pair else None}
    start, end = pairs[ends[0]], pairs[ends[1]]
    if start is None or end is None:
        return []
    steps = (o.number(start, ns("order")) - o.number(end, ns("order"))) % CYCLE
    return [(say("sum-back", start=o.label(start), end=o.label(end), steps=steps), Fraction(steps + 1))]


def _show(n: Fraction) -> str:
    return {Fraction(1, 2): "½"}.get(n) or (f"{floor(n)}½" if n.denominator == 2 else str(n))


def _result(quantity: str, total: _Sum) -> Reckoning:
    low, high = floor(total.total), ceil(total.total)
    return Reckoning(
        symbol("quantity", quantity),
        (low,) if low == high else (low, high),
        joined((*total.words, "=", _show(total.total)), " "),
        tuple(c.id for c in total.clauses),
        tuple(c.doubt for c in total.clauses if c.doubt),
    )


def quantity_label(r: Reckoning, language: str = "en") -> str:
    """What a reckoning counts, in a language."""
    return ontology().label(r.quantity, language) or iris.key(r.quantity)
