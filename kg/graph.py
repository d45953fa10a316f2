"""The graph as RDF: the doctrine (ontology, symbols, tables, texts, axioms), and a judged cast."""

import json
from collections.abc import Callable, Iterable
from functools import cache
from typing import Final

import pyoxigraph as ox
from rdflib import Graph, Namespace
from rdflib.namespace import DCTERMS, RDF, RDFS, XSD
from rdflib.term import BNode, Literal, Node, URIRef

from kg.asking import topics
from kg.judgement import Judgement, Verdict, program
from kg.question import described
from kg.reasons import describe
from kg.reckoning import step
from kg.variants import Variant
from loader import iris
from loader.axioms import Program
from loader.chapter import chapters
from loader.clause import AUTHORITY_KINDS, ROLE_KINDS, Chapter, Clause, Emendation, Otherwise, Timing
from loader.condition import show
from loader.data import folder
from loader.errors import InputError
from loader.iris import symbol
from loader.kinship import element, received
from loader.liuyao import UNITS, Chart
from loader.mappings import mapping_set
from loader.names import TRADITIONS, names
from loader.ontology import Literal as OurLiteral
from loader.ontology import ontology
from loader.qimen import QimenChart
from loader.tables import choose
from loader.variants import fold

G: Final = Namespace(iris.NS)
ASSIGNING: Final = ("line-assignment", "significator")
"""Kinds of clause that say for whom or what a line or symbol stands."""
_COMPILED: Final = tuple(symbol(k, "") for k in ("expression", "fires", "scope", "useful-god", "role-line", "formed", "shown"))
"""Where the classes lie that the compiler makes."""
CITES: Final = URIRef(iris.CITO + "citesAsAuthority")


def empty() -> Graph:
    """A graph with our prefixes."""
    graph = Graph()
    for prefix, iri in iris.PREFIXES.items():
        graph.bind(prefix, iri)
    return graph


def _node(value: str | OurLiteral) -> Node:
    if isinstance(value, OurLiteral):
        # A plain literal is an xsd:string; rdflib tells the two apart, so one form is kept.
        datatype = None if value.datatype == str(XSD.string) else URIRef(value.datatype)
        return Literal(value.text, lang=value.language) if value.language else Literal(value.text, datatype=datatype)
    return BNode(value[2:].replace(".", "_")) if value.startswith("_:") else URIRef(value)


PARTS: Final = ("ontology", "symbols", "tables", "text", "translation", "clauses", "axioms", "mappings", "questions")
"""Keys of the graphs into which what the books say is parted."""


def doctrine_graph() -> Graph:
    """Everything that the books say, with the default conventions: ontology, symbols, tables, texts, axioms."""
    graph = empty()
    _build(lambda _: graph)
    return graph


@cache
def part(key: str) -> list[ox.Triple]:
    """One of `PARTS`, as triples of the embedded store."""
    return list(_parts()[key])


@cache
def _parts() -> dict[str, tuple[ox.Triple, ...]]:
    graphs = {key: empty() for key in PARTS}
    _build(graphs.__getitem__)
    return {key: tuple(q.triple for q in ox.parse(graph.serialize(format="nt"), format=ox.RdfFormat.N_TRIPLES)) for key, graph in graphs.items()}


def _build(into: Callable[[str], Graph]) -> None:
    """Fill the graph that is given for each of `PARTS`."""
    folders = {"symbols": "symbols", "tables": "tables"}
    for path, s, p, o in ontology().statements:
        key = "mappings" if path.stem == "comparisons" else folders.get(path.parent.name, "ontology")
        into(key).add((_node(s), URIRef(p), _node(o)))
    for chapter in chapters():
        _chapter(into, chapter)
    _axioms(into)
    for cell in received():
        steps = element(cell.relative, cell.world)
        into("tables").add((URIRef(cell.iri), G.byRule, URIRef(steps[-1].element)))
    for key, statements in (("questions", described()), ("mappings", mapping_set().triples())):
        for s, p, o in statements:
            into(key).add((URIRef(s), URIRef(p), _node(o)))


def _axioms(into: Callable[[str], Graph]) -> None:
    for tradition in TRADITIONS:
        compiled = program(topics(tradition), choose({}), tradition)
        _compiled(into("axioms"), compiled)
        for clause, condition in compiled.conditions.items():
            for thing in condition.mentions():
                into("clauses").add((URIRef(iris.clause(clause)), G.mentions, URIRef(thing)))


def _compiled(graph: Graph, compiled: Program) -> None:
    def own(value: str) -> Node:
        # Each program numbers its blank nodes from 1, so those of two traditions must not meet.
        return _node(f"_:{compiled.tradition}_{value[2:]}" if value.startswith("_:") else value)

    for triples in compiled.axioms.values():
        for s, p, o in triples:
            graph.add((own(s), URIRef(p), own(o)))
    for complement in compiled.complements:
        # A wrong cast is then an inconsistency, not a wrong verdict.
        graph.add((URIRef(complement.iri), URIRef(iris.OWL + "disjointWith"), URIRef(complement.of)))
    owl_class = URIRef(iris.OWL + "Class")
    for iri, defined in compiled.definitions.items():
        graph.add((URIRef(iri), G.definedAs, Literal(show(defined.expression.tree))))
        graph.add((URIRef(iri), G.sourceNote, Literal(defined.source, lang="zh-hant")))
    for pattern, ways in compiled.patterns.items():
        for way in ways:
            graph.add((URIRef(pattern), G.definedAs, Literal(show(way.expression.tree))))
            graph.add((URIRef(pattern), G.sourceNote, Literal(way.source, lang="zh-hant")))
    for e in (*compiled.conditions.values(), *(d.expression for d in compiled.definitions.values())):
        for part in e.walk():
            # The class says in the condition language what it gathers.
            if part.iri in compiled.class_rests and part.iri.startswith(symbol("expression", "")):
                graph.add((URIRef(part.iri), RDFS.label, Literal(show(part.tree))))
    used = {o for o in graph.objects() if isinstance(o, URIRef)} | {s for s in graph.subjects() if isinstance(s, URIRef)}
    for node in used:
        if str(node).startswith(_COMPILED):
            graph.add((node, RDF.type, owl_class))


def _chapter(into: Callable[[str], Graph], chapter: Chapter) -> None:
    graph, translation = into("text"), into("translation")
    me = URIRef(chapter.iri)
    graph.add((me, RDF.type, G.Chapter))
    graph.add((me, G.inText, URIRef(symbol("work", chapter.work))))
    graph.add((me, DCTERMS.identifier, Literal(chapter.document)))
    graph.add((me, G.topic, URIRef(symbol("topic", chapter.topic))))
    for language, title in chapter.title.items():
        graph.add((me, RDFS.label, Literal(title, lang=language)))
    for passage in chapter.passages:
        node = URIRef(passage.iri)
        graph.add((node, RDF.type, G.Passage))
        graph.add((node, G.inChapter, me))
        graph.add((node, G.number, Literal(passage.number)))
        graph.add((node, RDFS.label, Literal(passage.place)))
        for target, text, language in ((graph, passage.lzh, "lzh"), (translation, passage.ko, "ko")):
            target.add((node, G.text, Literal(text, lang=language)))
            target.add((node, G.folded, Literal(fold(text), lang=language)))
        for clause in passage.clauses:
            _clause(into("clauses"), clause)
            translation.add((URIRef(clause.iri), G.translation, Literal(clause.ko, lang="ko")))
            translation.add((URIRef(clause.iri), G.folded, Literal(fold(clause.ko), lang="ko")))


def _clause(graph: Graph, c: Clause) -> None:
    me = URIRef(c.iri)

    def text(prop: str, value: str | None, language: str | None = None) -> None:
        if value:
            graph.add((me, G[prop], Literal(value, lang=language) if language else Literal(value)))

    graph.add((me, RDF.type, G.Clause))
    graph.add((me, G.quotes, URIRef(c.passage.iri)))
    graph.add((me, DCTERMS.identifier, Literal(c.id)))
    text("kind", c.kind)
    text("quote", c.quote, "lzh")
    text("reading", c.en, "en")
    text("condition", c.when_text)
    for said, language in ((c.quote, "lzh"), (c.en, "en"), (c.when_text, None)):
        text("folded", fold(said), language)
    text("doubt", c.doubt)
    text("note", c.note)
    text("dead", c.dead)
    text("unformalised", c.unformalised)
    for prop, offset in (("start", c.span.start), ("end", c.span.end), ("startKo", c.ko_span.start), ("endKo", c.ko_span.end)):
        graph.add((me, G[prop], Literal(offset)))
    for prop, kind, key in (
        ("topic", "topic", c.topic),
        ("about", "aspect", c.about),
        ("outcome", "outcome", c.value),
        ("omen", "omen", c.omen),
        ("computes", "quantity", c.computes.quantity if c.computes else None),
    ):
        if key:
            graph.add((me, G[prop], URIRef(symbol(kind, key))))
    for node, keys, kinds in ((G.signifies, c.signifies, ROLE_KINDS), (CITES, c.authority, AUTHORITY_KINDS)):
        for key in keys:
            graph.add((me, node, URIRef(ontology().keyed(key, *kinds) or symbol(kinds[0], key))))
    if c.computes:
        text("step", str(step(c.computes)))
    for prop, name in (("selects", c.selects), ("defines", c.defines)):
        if name:
            graph.add((me, G[prop], URIRef(names(c.passage.chapter.tradition).term(name, prop=False).iri)))
    for other in c.overrides:
        graph.add((me, G.overrides, URIRef(iris.clause(other))))
    if c.timing:
        _timing(graph, me, c.timing)
    if c.otherwise:
        _otherwise(graph, c, c.otherwise)
    for number, e in enumerate(c.emend, 1):
        _emendation(graph, c, number, e)


def _timing(graph: Graph, owner: URIRef, timing: Timing) -> None:
    node = URIRef(f"{owner}/timing")
    graph.add((owner, G.timing, node))
    graph.add((node, RDF.type, G.Timing))
    for prop, values in (("unit", timing.units), ("byStage", timing.stages), ("byRelation", timing.relations), ("byBranch", timing.branches)):
        for value in values:
            graph.add((node, G[prop], Literal(value)))
    graph.add((node, G.timedFrom, Literal(timing.of)))
    for prop, flag in (("byVoid", timing.void), ("byElement", timing.element)):
        if flag:
            graph.add((node, G[prop], Literal(True)))
    for prop, word in (("at", timing.at), ("byKin", timing.kin)):
        if word:
            graph.add((node, G[prop], Literal(word)))


def _otherwise(graph: Graph, c: Clause, other: Otherwise) -> None:
    node = URIRef(f"{c.iri}/otherwise")
    graph.add((URIRef(c.iri), G.otherwise, node))
    graph.add((node, RDF.type, G.Otherwise))
    if other.when_text:
        graph.add((node, G.condition, Literal(other.when_text)))
    for prop, kind, key in (("about", "aspect", other.about), ("outcome", "outcome", other.value), ("omen", "omen", other.omen)):
        if key:
            graph.add((node, G[prop], URIRef(symbol(kind, key))))
    if other.timing:
        _timing(graph, node, other.timing)


def _emendation(graph: Graph, c: Clause, number: int, e: Emendation) -> None:
    node = URIRef(f"{c.iri}/emendation/{number}")
    graph.add((URIRef(c.iri), G.emendation, node))
    graph.add((node, RDF.type, G.Emendation))
    graph.add((node, G.received, Literal(e.received, lang="lzh")))
    graph.add((node, G.read, Literal(e.read, lang="lzh")))
    graph.add((node, G.grade, Literal(e.grade)))
    graph.add((node, G.why, Literal(e.why, lang="en")))


def _hexagrams(graph: Graph, c: Chart) -> None:
    me, o = URIRef(c.iri), ontology()
    for line in c.mutual_lines:
        graph.add((me, G.hasMutualLine, URIRef(line.iri)))
    for x in (*c.visible, *c.mutual_lines, *(h for h in (*c.hidden, *c.changed_lines) if h)):
        graph.add((URIRef(x.iri), G.position, Literal(x.position)))
    graph.add((me, G.lineNumbers, Literal("".join(map(str, c.given.lines)))))
    for unit in UNITS:
        if unit in c.pillars:
            graph.add((URIRef(c.pillars[unit].iri), RDFS.label, Literal(o.label(c.pillars[unit].pair or c.pillars[unit].branch), lang="zh-hant")))
    if c.given.age:
        graph.add((me, G.age, Literal(c.given.age)))
    day = c.pillars.get("day")
    title = f"{o.label(c.hexagram)}{f'之{o.label(c.changed)}' if c.changed else ''}"
    graph.add((me, RDFS.label, Literal(f"{title} {o.label(day.pair or day.branch)}日" if day else title, lang="zh-hant")))


def _hour_chart(graph: Graph, c: QimenChart) -> None:
    me, o = URIRef(c.iri), ontology()
    for p in c.palaces:
        graph.add((URIRef(p.iri), G.number, Literal(p.number)))
    for x in c.pillars:
        if x.pair:
            graph.add((URIRef(x.iri), RDFS.label, Literal(o.label(x.pair), lang="zh-hant")))
    ju = f"{'陽' if c.ju.yang else '陰'}遁{c.ju.number}局"
    graph.add((me, G.ju, Literal(f"{ju} {c.ju.term or ''}", lang="zh-hant")))
    graph.add((me, RDFS.label, Literal(f"{ju} {o.label(c.pair('day'))}日{o.label(c.pair('hour'))}時", lang="zh-hant")))


def _due(graph: Graph, j: Judgement, v: Verdict) -> None:
    """The times that a timing rule names for the cast, for each individual that satisfies its clause."""
    for number, (holder, when) in enumerate(zip(v.holders, v.when, strict=False), 1):  # no time at all where the clause names none
        node = URIRef(iris.part(j.chart.iri, f"due/{v.clause.id}", number))
        graph.add((URIRef(j.chart.iri), G.falls, node))
        graph.add((node, RDF.type, G.Due))
        graph.add((node, G.dueBy, URIRef(v.clause.iri)))
        graph.add((node, G.dueOf, URIRef(holder)))
        for unit in when.units:
            graph.add((node, G.unit, Literal(unit)))
        for prop, times in ((G.dueBranch, when.branches), (G.dueDecade, when.decades)):
            for time in times:
                graph.add((node, prop, URIRef(time)))
        for ages in when.ages:
            graph.add((node, G.dueAges, Literal(ages)))
        if when.at:
            graph.add((node, G.at, Literal(when.at)))


def _assigned(graph: Graph, j: Judgement) -> None:
    """What the clauses of the topics take the lines and symbols of the cast for: roles and useful gods."""
    for clause in j.clauses:
        for prop, wanted in ((G.assignedBy, clause.kind in ASSIGNING and clause.signifies), (G.selectedBy, clause.selects)):
            if wanted:
                for holder in j.holders(clause):
                    graph.add((URIRef(holder), prop, URIRef(clause.iri)))


def cast_graph(j: Judgement, differing: Iterable[Variant] = ()) -> Graph:
    """A judged cast: its input, everything that holds of its individuals in named terms, what fires and stands; and the same of its variants."""
    graph, c = empty(), j.chart
    me = URIRef(c.iri)
    for v in differing:
        graph += cast_graph(v.judgement)
        graph.add((URIRef(v.judgement.chart.iri), G.variantCastOf, me))
        if v.line:
            graph.add((URIRef(v.judgement.chart.iri), G.stilledLine, Literal(v.line)))
    for s, p, value in j.closed.triples():
        # The compiler's own classes say nothing to a reader; those of one program only have no IRI at all.
        if value.startswith("http") and not value.startswith((*_COMPILED, iris.OWL)):
            graph.add((URIRef(s), URIRef(p), URIRef(value)))
    if isinstance(c, QimenChart):
        _hour_chart(graph, c)
    else:
        _hexagrams(graph, c)
    if c.given.at:
        graph.add((me, DCTERMS.date, Literal(c.given.at, datatype=XSD.dateTime)))
    for name, key in c.given.conventions.items():
        graph.add((me, G.convention, Literal(f"{name}={key}")))
    for number, r in enumerate(j.reckonings, 1):
        # A quantity may be reckoned once for each of several lines.
        node = URIRef(iris.part(c.iri, f"reckoning/{iris.key(r.quantity)}", number))
        graph.add((me, G.reckons, node))
        graph.add((node, RDF.type, G.Reckoning))
        graph.add((node, G.quantity, URIRef(r.quantity)))
        for amount in r.amounts:
            graph.add((node, G.amount, Literal(amount)))
        graph.add((node, G.sum, Literal(str(r.sum))))
        for clause in r.clauses:
            graph.add((node, G.by, URIRef(iris.clause(clause))))
    graph.add((me, G.engine, Literal(j.engine)))
    graph.add((me, G.underReading, Literal(j.reading)))
    for verdict in j.verdicts:
        if verdict.stands:
            graph.add((me, G.stands, URIRef(verdict.clause.iri)))
        _due(graph, j, verdict)
    _assigned(graph, j)
    for individual in j.closed.types:
        if individual != c.iri:
            graph.add((URIRef(individual), G.ofCast, me))
            graph.add((URIRef(individual), RDFS.label, Literal(str(describe(c, individual)), lang="en")))
    return graph


def serialize(graph: Graph, form: str) -> str:
    """A graph as `ttl`, `nt` or `jsonld`; the same graph gives the same text.

    Raises:
        InputError: an unknown form.
    """
    if form == "ttl":
        return graph.serialize(format="longturtle" if len(graph) < 50_000 else "turtle")
    if form == "nt":
        return "\n".join(sorted(graph.serialize(format="nt").splitlines())).strip() + "\n"
    if form == "jsonld":
        context = json.loads((folder("ontology") / "context.jsonld").read_text("utf-8"))["@context"]
        return graph.serialize(format="json-ld", context=context, indent=2, sort_keys=True) + "\n"
    raise InputError(f"no form is named {form!r}", where="--format", todo="there are: ttl, nt, jsonld")
