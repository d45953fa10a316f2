"""`guigu check`: every quote anchored, every character covered, every name resolved, OWL 2 RL, shapes, engines in agreement."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from rdflib import Graph

from kg.asking import topics
from kg.bulk import evaluate
from kg.graph import cast_graph, doctrine_graph
from kg.identifiers import lost, published
from kg.judgement import Judgement, judge, judge_all, program
from kg.profile import outside
from kg.reasoning import ENGINES
from kg.sampling import sample
from kg.store import EmbeddedStore, quads
from kg.text import pad
from kg.timing import source
from kg.verification import checks, findings
from loader import iris
from loader.axioms import compile_clauses
from loader.cast import AnyGiven, tradition_of
from loader.chapter import chapters, clauses, read
from loader.clause import AUTHORITY_KINDS, READINGS, ROLE_KINDS, VERDICTS, Chapter, Clause
from loader.condition import parse
from loader.data import folder
from loader.errors import GuiguError
from loader.expression import resolve
from loader.iris import ns, symbol
from loader.names import TRADITIONS, names
from loader.ontology import ontology
from loader.tables import choose

UNFORMALISED: Final = 0.05
"""Largest share of verdicts that may have no condition."""


BATCH: Final = 20
"""Casts that are closed together when engines are compared."""


@dataclass
class Report:
    """What a check found: lines for people, faults that make it fail."""

    lines: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether there is no fault."""
        return not self.faults

    @property
    def text(self) -> str:
        """The report."""
        verdict = ["all is well"] if self.passed else [f"{len(self.faults)} faults:", *(f"  {f}" for f in self.faults)]
        return "\n".join([*self.lines, *verdict])


def check_files(paths: Iterable[Path]) -> Report:
    """Check chapter files on their own, against the names of the ontology."""
    report = Report()
    for path in paths:
        try:
            chapter = read(path)
        except GuiguError as error:
            report.faults.append(str(error))
            continue
        report.lines.append(_count(chapter))
        report.faults.extend(_chapter(chapter))
        try:
            mine = list(chapter.clauses())
            compile_clauses(mine, choose({}), chapter.tradition, [*clauses().values(), *mine])
        except GuiguError as error:
            report.faults.append(str(error))
    return report


def check_all(casts: int, progress: Callable[[str], None] = lambda _: None, *, doubts: bool = False) -> Report:
    """Check all that travels with guigu.

    Args:
        casts: how many sample casts the engines must agree on.
        progress: is told what is under way.
        doubts: whether every doubt is written out, not only counted.
    """
    report = Report()
    try:
        for chapter in chapters():
            report.lines.append(_count(chapter))
            report.faults.extend(_chapter(chapter))
        progress("compiling")
        compiled = [program(topics(tradition), choose({}), tradition) for tradition in TRADITIONS]
    except GuiguError as error:
        report.faults.append(str(error))
        return report
    every = list(clauses().values())
    report.lines.append(_summary(every))
    share = len([c for c in every if c.unformalised]) / max(1, sum(c.kind in VERDICTS for c in every))
    if share > UNFORMALISED:
        report.faults.append(f"{share:.1%} of the verdicts are unformalised, more than {UNFORMALISED:.0%}")
    report.lines.extend(f"  unformalised {c.id}: {c.unformalised}" for c in every if c.unformalised)
    report.lines.extend(f"  dead {c.id}: {c.dead}" for c in every if c.dead)
    if doubts:
        report.lines.extend(f"  doubt {c.id} 「{c.quote}」: {c.doubt}" for c in every if c.doubt)
    stated = _stated()
    report.faults.extend(f"{c.mark}: {c.id} is a table row that no cell states" for c in every if c.kind == "table-row" and c.id not in stated)
    for tradition, one in zip(TRADITIONS, compiled, strict=True):
        axioms = [t for layer in one.axioms.values() for t in layer]
        report.faults.extend(sorted(set(outside(axioms))))
        report.lines.append(f"OWL 2 RL, {tradition}: {len(axioms)} triples of axioms in {one.layers} layers, {len(one.complements)} closed complements")
    progress("shapes")
    graph = doctrine_graph()
    for tradition in TRADITIONS:
        for given in sample(1, tradition=tradition):
            graph += cast_graph(judge(given))
    report.lines.append(_shapes(report, graph))
    progress("verification queries")
    report.faults.extend(
        str(finding) for finding in findings(EmbeddedStore(quads(graph.serialize(format="nt", encoding="utf-8"), "the doctrine and two casts")))
    )
    report.lines.append(f"{len(checks())} verification queries")
    progress("published IRIs")
    report.faults.extend(f"{iri}: published, and nothing is said of it any more; write in ontology/deprecated.ttl what replaces it" for iri in lost())
    report.lines.append(f"{len(published())} published IRIs")
    done = 0
    for batch in _batches(casts):
        done += len(batch)
        progress(f"engines, cast {done} of {casts}: {tradition_of(batch[0])} {batch[0].topics[0]}")
        report.faults.extend(disagreements(batch))
    report.lines.append(f"engines {', '.join(ENGINES)} and bulk compared on {casts} casts")
    return report


def _batches(casts: int) -> Iterator[list[AnyGiven]]:
    """Sample casts, each topic in turn, those of one topic together: much of an engine's cost lies in the axioms."""
    by_topic: dict[tuple[str, str], list[AnyGiven]] = {}
    for given in sample(casts):
        by_topic.setdefault((tradition_of(given), given.topics[0]), []).append(given)
    for mine in by_topic.values():
        yield from (mine[i : i + BATCH] for i in range(0, len(mine), BATCH))


def _count(chapter: Chapter) -> str:
    mine = list(chapter.clauses())
    total, bare = sum(p.characters for p in chapter.passages), sum(len(p.uncovered()) for p in chapter.passages)
    where = f"{chapter.document} ¶{chapter.passages[0].number}-{chapter.passages[-1].number}"
    rows = len({_row(c.id) for c in mine})
    conditions, doubts = sum(bool(c.when_text) for c in mine), sum(c.doubt is not None for c in mine)
    return (
        f"{pad(chapter.name, 10)} {pad(where, 12)} {rows:4} rows, {len(mine):4} clauses, {conditions:4} conditions, "
        f"{(total - bare) / max(1, total):.0%} of {total:4} characters, {doubts:3} doubts"
    )


def _row(clause_id: str) -> str:
    """The row of the page that a clause belongs to: a row that says two things is split into a, b and so on."""
    return clause_id.rstrip("abcdefgh") if clause_id[-1:].isalpha() and clause_id[-2:-1].isdecimal() else clause_id


def _stated() -> set[str]:
    """Ids of the clauses that some table cell states."""
    o = ontology()
    return {iris.key(c) for cell in o.subjects_of(ns("statedBy")) for c in o.iris(cell, ns("statedBy"))}


def _summary(every: list[Clause]) -> str:
    verdicts = sum(c.kind in VERDICTS for c in every)
    doubts, emended = sum(c.doubt is not None for c in every), sum(bool(c.emend) for c in every)
    rows = len({_row(c.id) for c in every})
    return (
        f"{rows} rows, {len(every)} clauses, {verdicts} verdicts and timings, {doubts} doubts, {emended} emended, {sum(c.dead is not None for c in every)} dead"
    )


def _chapter(chapter: Chapter) -> Iterator[str]:
    o = ontology()
    for passage in chapter.passages:
        bare = passage.uncovered()
        if bare:
            runs = "".join(passage.lzh[i] for i in bare)
            yield f"{chapter.file}: ¶{passage.number} has {len(bare)} characters that no clause quotes: {runs[:30]}"
    known = {kind: set(o.of_type(kind)) for kind in ("Aspect", "Outcome", "Topic", "Omen")}
    for c in chapter.clauses():
        for kind, scheme, key in (
            ("Aspect", "aspect", c.about),
            ("Outcome", "outcome", c.value),
            ("Topic", "topic", c.topic),
            ("Omen", "omen", c.omen),
        ):
            if key and symbol(scheme, key) not in known[kind]:
                yield f"{c.mark}: {c.id}: no {kind.lower()} has the id {key!r}"
        for kind, keys, kinds in (("role or relative", c.signifies, ROLE_KINDS), ("work or person", c.authority, AUTHORITY_KINDS)):
            for key in keys:
                if o.keyed(key, *kinds) is None:
                    yield f"{c.mark}: {c.id}: no {kind} has the id {key!r}"
        if c.computes and o.keyed(c.computes.quantity, "quantity") is None:
            yield f"{c.mark}: {c.id}: no quantity has the id {c.computes.quantity!r}"
        for reading in READINGS:
            text = c.under(reading).when_text
            if text and (reading == READINGS[0] or c.otherwise):
                try:
                    resolve(parse(text, str(c.mark)), names(chapter.tradition), where=str(c.mark))
                except GuiguError as error:
                    yield str(error)
        yield from _terms(c)
        for other in c.overrides:
            if other not in clauses() and all(x.id != other for x in chapter.clauses()):
                yield f"{c.mark}: {c.id} overrides {other!r}, which is no clause"
        for e in c.emend:
            if e.received and e.received not in c.passage.lzh:
                yield f"{c.mark}: {c.id} emends {e.received!r}, which the passage does not hold"


def _terms(c: Clause) -> Iterator[str]:
    """Names outside the condition: what a clause selects or defines, and what its timings speak of."""
    known, o = names(c.passage.chapter.tradition), ontology()
    for name in (c.selects, c.defines):
        if name:
            try:
                known.term(name, prop=False, where=str(c.mark))
            except GuiguError as error:
                yield str(error)
    if c.computes:
        tables = {iris.key(t) for t in o.of_type("Table")}
        yield from (f"{c.mark}: {c.id}: no table is named {table!r}" for table, _ in c.computes.add if table not in tables)
    timings = [t for t in (c.timing, c.otherwise.timing if c.otherwise else None) if t]
    for of in (*([c.computes.of] if c.computes else []), *(t.of for t in timings)):
        try:
            if of != "this":
                source(of, known)
        except GuiguError as error:
            yield f"{c.mark}: {c.id}: {error}"
    for timing in timings:
        for kind, used in (("Stage", timing.stages), ("Branch", timing.branches), ("Kin", (timing.kin,) if timing.kin else ())):
            labels = {o.label(s) for s in o.of_type(kind)}
            yield from (f"{c.mark}: {c.id}: no {kind.lower()} is named {name!r}" for name in used if name not in labels)


def _shapes(report: Report, graph: Graph) -> str:
    from pyshacl import validate  # a slow import that only this command needs

    shapes = Graph()
    for path in sorted((folder("ontology") / "shapes").glob("*.ttl")):
        shapes.parse(path)
    conforms, _, text = validate(graph, shacl_graph=shapes, inference="none", advanced=False)
    if not conforms:
        report.faults.extend(line.strip() for line in text.splitlines() if line.strip().startswith(("Focus Node", "Message")))
    return f"SHACL: {len(graph)} triples against {len(shapes)} of shapes"


def disagreements(casts: Sequence[AnyGiven]) -> Iterator[str]:
    """Clauses on which the engines part for casts of one topic, one sentence each; the casts are closed together.

    Compared are the clauses that fire, each with the lines and pillars on which it does, and the useful gods.
    """
    first, *rest = ENGINES
    ours = judge_all(casts, first)
    for name in rest:
        for a, b in zip(ours, judge_all(casts, name), strict=True):
            for clause in sorted(_found(a) ^ _found(b)):
                yield f"{clause}: {name} and {first} part on {a.chart.given.as_input()}"
    yield from bulk_disagreements(ours)


def bulk_disagreements(judged: Sequence[Judgement]) -> Iterator[str]:
    """Clauses on which the bulk engine parts from what was judged, one sentence each; compared are the clauses that fire, and where."""
    fires = evaluate([j.chart.given for j in judged], holders=True)
    for n, j in enumerate(judged):
        found = {(i, iris.part(j.chart.iri, slot) if slot else j.chart.iri) for i in fires.of(n) for slot in fires.held_by(i, n)}
        for clause, holder in sorted(found ^ _firing(j)):
            yield f"{clause}: bulk and {j.engine} part on {holder} of {j.chart.given.as_input()}"


def _found(j: Judgement) -> set[tuple[str, str]]:
    """Clause and holder of everything that a judgement finds."""
    return _firing(j) | {(s.clause.id, holder) for s in j.useful_gods for holder in s.holders}


def _firing(j: Judgement) -> set[tuple[str, str]]:
    return {(i, holder) for i in j.fires for holder in j.closed.members(symbol("fires", i))}
