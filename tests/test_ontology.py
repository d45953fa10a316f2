"""The ontology as others will read it: nothing undeclared or unlabelled, no fault that a query or a shape finds, the standards kept.

Every verification query and every shape is shown to find the fault that it is for.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pyoxigraph as ox
import pytest
import yaml
from owlrl import OWLRL_Semantics
from pyshacl import validate
from rdflib import Graph
from rdflib.namespace import DCTERMS, OWL, RDF, RDFS, SH, SKOS
from rdflib.term import Literal, Node, URIRef

from kg.asking import topics
from kg.census.rdf import written
from kg.graph import cast_graph, doctrine_graph
from kg.judgement import Judgement, judge, program
from kg.reasoning import ENGINES, engine, owlrl_engine
from kg.sampling import sample
from kg.store import EmbeddedStore, quads
from kg.verification import Finding, checks, findings
from loader import iris
from loader.chapter import chapters
from loader.data import folder
from loader.names import TRADITIONS
from loader.ontology import ontology
from loader.tables import choose
from tests.censuses import ORIGIN, ROWS

ROOT = Path(__file__).resolve().parent.parent
LRMOO = "http://iflastandards.info/ns/lrm/lrmoo/"


def ns(term: str) -> URIRef:
    return URIRef(iris.ns(term))


def store(text: str | bytes) -> EmbeddedStore:
    return EmbeddedStore(ox.Quad(q.subject, q.predicate, q.object) for q in ox.parse(text, format=ox.RdfFormat.TURTLE))


# --- casts in which every kind of individual stands: lines that hide and change, times that fall due, numbers reckoned, a birth pillar


WANTED = {
    "liuyao": {"MutualLine", "ChangedLine", "HiddenLine", "ChangedHexagram", "due", "reckoning"},
    "qimen": {"NatalPillar", "Palace", "PlateSymbol"},
}


def kinds(j: Judgement) -> set[str]:
    found = {iris.key(c) for types in j.closed.types.values() for c in types}
    return found | ({"due"} if any(v.when for v in j.verdicts) else set()) | ({"reckoning"} if j.reckonings else set())


def cast_judgements() -> Iterator[Judgement]:
    for tradition, wanted in WANTED.items():
        missing = set(wanted)
        for given in sample(40, tradition=tradition):
            j = judge(given)
            if kinds(j) & missing:
                missing -= kinds(j)
                yield j
            if not missing:
                break
        assert not missing, f"no sample has {missing}"


@pytest.fixture(scope="module")
def everything() -> Graph:
    graph = doctrine_graph()
    for j in cast_judgements():
        graph += cast_graph(j)
    graph.parse(data=written(ROWS, ORIGIN), format="turtle")
    return graph


# --- verification queries


def test_no_query_finds_a_fault(everything: Graph) -> None:
    data = everything.serialize(format="nt", encoding="utf-8")
    assert [str(f) for f in findings(EmbeddedStore(quads(data, "everything")))] == []


def labels(zh: str) -> str:
    return f'rdfs:label "{zh}"@zh-hant, "{zh}말"@ko, "{zh} in English"@en'


def term(name: str, kind: str, *more: str) -> str:
    said = "".join(f" ; {m}" for m in more)
    return f'g:{name} a owl:{kind} ; {labels(name)} ; skos:definition "What {name} means."@en ; rdfs:isDefinedBy <https://w3id.org/guigu/ns/>{said} .\n'


def concept(key: str, kind: str, *more: str) -> str:
    said = "".join(f" ; {m}" for m in more)
    names = f'skos:prefLabel "{key}字"@zh-hant, "{key}말"@ko, "{key}"@en'
    return f'outcome:{key} a {kind}skos:Concept ; skos:inScheme scheme:outcome ; {names} ; skos:definition "Meaning of {key}."@en{said} .\n'


PREFIXES = "".join(f"@prefix {p}: <{i}> .\n" for p, i in {**iris.PREFIXES, "lrmoo": LRMOO, "scheme": iris.symbol("scheme", "")}.items())
HEADER = (
    '<https://w3id.org/guigu/ns/> a owl:Ontology ; dcterms:title "t"@en ; dcterms:description "d"@en ; dcterms:abstract "a"@en ; dcterms:creator "c" ;\n'
    '  dcterms:publisher "p" ; dcterms:license <https://example.org/l> ; dcterms:created "2026" ; dcterms:modified "2026" ; dcterms:language "en" ;\n'
    '  dcterms:bibliographicCitation "b"@en ; dcterms:source <https://example.org/s> ; owl:versionIRI <https://w3id.org/guigu/release/0.1.0/ontology> ;\n'
    '  owl:versionInfo "0.1.0" ; rdfs:seeAlso <https://example.org/> ; <http://purl.org/vocab/vann/preferredNamespacePrefix> "g" ;\n'
    '  <http://purl.org/vocab/vann/preferredNamespaceUri> "https://w3id.org/guigu/ns/" .\n'
)
ANNOTATIONS = (
    *("dcterms:title", "dcterms:description", "dcterms:abstract", "dcterms:creator", "dcterms:publisher", "dcterms:license", "dcterms:created"),
    *("dcterms:modified", "dcterms:language", "dcterms:bibliographicCitation", "dcterms:source"),
    *("skos:prefLabel", "skos:altLabel", "skos:definition", "skos:inScheme", "skos:topConceptOf", "skos:broader"),
    *("<http://purl.org/vocab/vann/preferredNamespacePrefix>", "<http://purl.org/vocab/vann/preferredNamespaceUri>"),
    *("lrmoo:R3_is_realised_in", "lrmoo:R5_has_component"),
)
DECLARED = "".join(f"{name} a owl:AnnotationProperty .\n" for name in ANNOTATIONS)
GOOD = (
    PREFIXES
    + HEADER
    + DECLARED
    + "skos:Concept a owl:Class . skos:ConceptScheme a owl:Class .\n"
    + "".join(term(n, "Class") for n in ("Clause", "Passage", "Chapter", "Text", "Work"))
    + term("Outcome", "Class", "rdfs:subClassOf skos:Concept")
    + term("quotes", "ObjectProperty", "rdfs:domain g:Clause", "rdfs:range g:Passage", "owl:inverseOf g:quotedBy")
    + term("quotedBy", "ObjectProperty", "rdfs:domain g:Passage", "rdfs:range g:Clause")
    + term("overrides", "ObjectProperty", "rdfs:domain g:Clause", "rdfs:range g:Clause")
    + term("excludes", "ObjectProperty", "rdfs:domain g:Outcome", "rdfs:range g:Outcome")
    + term("inText", "ObjectProperty")
    + "".join(term(n, "AnnotationProperty") for n in ("text", "quote", "translation"))
    + "".join(term(n, "DatatypeProperty", "rdfs:range xsd:integer") for n in ("start", "end", "startKo", "endKo"))
    + '<https://w3id.org/guigu/text/yiyin/taichan/1> a g:Passage ; g:text "初臨鬼母災"@lzh, "초효"@ko .\n'
    + "clause:yy-taichan-001 a g:Clause ; g:quotes <https://w3id.org/guigu/text/yiyin/taichan/1> ; g:overrides clause:yy-taichan-002 ;\n"
    + '  g:quote "鬼母"@lzh ; g:start 2 ; g:end 4 ; g:translation "효"@ko ; g:startKo 1 ; g:endKo 2 .\n'
    + "clause:yy-taichan-002 a g:Clause .\n"
    + f"<https://w3id.org/guigu/text/yiyin/taichan> a g:Chapter ; {labels('胎')} ; g:inText work:yiyin .\n"
    + "work:yiyin a g:Work ; lrmoo:R3_is_realised_in <https://w3id.org/guigu/id/document/000> .\n"
    + f'<https://w3id.org/guigu/id/document/000> a g:Text ; {labels("卷")} ; skos:definition "A fascicle."@en ;\n'
    + "  lrmoo:R5_has_component <https://w3id.org/guigu/text/yiyin/taichan> .\n"
    + 'scheme:outcome a skos:ConceptScheme ; skos:prefLabel "斷"@zh-hant, "단"@ko, "outcomes"@en .\n'
    + concept("yes", "g:Outcome, ", "skos:topConceptOf scheme:outcome", "g:excludes outcome:no", 'skos:altLabel "aye"@en')
    + concept("no", "g:Outcome, ", "skos:topConceptOf scheme:outcome", "g:excludes outcome:yes")
    + concept("never", "", "skos:broader outcome:no")
)
"""A little ontology with nothing amiss."""

FAULTS: dict[str, tuple[str, str]] = {
    "broken-list": ("outcome:yes a", "_:l rdf:first g:Work, g:Text ; rdf:rest () . g:Work rdfs:seeAlso _:l . outcome:yes a"),
    "circle": ("outcome:no a", "outcome:no skos:broader outcome:never ; a"),
    "dangling": ("g:overrides clause:yy-taichan-002", "g:overrides clause:yy-taichan-003"),
    "deprecated-term": ("clause:yy-taichan-002 a", "clause:yy-taichan-002 owl:deprecated true ; a"),
    "disjoint": ("work:yiyin a g:Work", "g:Work owl:disjointWith g:Text . work:yiyin a g:Text, g:Work"),
    "duplicate-preferred-label": ('"no"@en', '"yes"@en'),
    "empty-definition": ('"Meaning of yes."@en', '"yes."@en'),
    "header": ('dcterms:license <https://example.org/l> ; dcterms:created "2026" ;', 'dcterms:created "2026" ;'),
    "inverse-mismatch": ("rdfs:domain g:Passage ; rdfs:range g:Clause", "rdfs:domain g:Passage ; rdfs:range g:Passage"),
    "iri-pattern": ("outcome:yes a", "<https://w3id.org/guigu/id/Outcome/ja> a g:Outcome . outcome:yes a"),
    "label-twice": ('"aye"@en', '"yes"@en'),
    "language-tag": ('"aye"@en', '"aye"@fr'),
    "missing-defined-by": ("rdfs:isDefinedBy <https://w3id.org/guigu/ns/> ; rdfs:subClassOf skos:Concept", "rdfs:subClassOf skos:Concept"),
    "missing-definition": ('skos:definition "Meaning of yes."@en ; skos:topConceptOf', "skos:topConceptOf"),
    "missing-label": (', "yes말"@ko', ""),
    "mixed-property": ("g:quotedBy a owl:ObjectProperty", "g:quotedBy a owl:ObjectProperty, owl:DatatypeProperty"),
    "no-scheme": ("outcome:never a skos:Concept ; skos:inScheme scheme:outcome", "outcome:never a skos:Concept"),
    "no-text": ("lrmoo:R5_has_component <https://w3id.org/guigu/text/yiyin/taichan>", "lrmoo:R5_has_component outcome:yes"),
    "no-top-concept": ("skos:topConceptOf scheme:outcome ; g:excludes outcome:no ;", "g:excludes outcome:no ;"),
    "one-sided-exclusion": ("; g:excludes outcome:yes", ""),
    "outside-domain": ("clause:yy-taichan-002 a", "outcome:yes g:overrides clause:yy-taichan-001 . clause:yy-taichan-002 a"),
    "outside-range": ("g:overrides clause:yy-taichan-002", "g:overrides clause:yy-taichan-002, outcome:yes"),
    "quote-elsewhere": ("g:start 2 ; g:end 4", "g:start 1 ; g:end 3"),
    "several-preferred-labels": ('"yes"@en', '"yes"@en, "yea"@en'),
    "unconnected-term": ("outcome:yes a", term("Unused", "Class") + "outcome:yes a"),
    "undeclared-standard-term": ("outcome:yes a", "outcome:yes skos:changeNote 'x'@en ; a"),
    "undeclared-term": ("clause:yy-taichan-002 a", "clause:yy-taichan-002 g:unknown clause:yy-taichan-001 ; a"),
    "untidy-text": ('"aye"@en', '"aye "@en'),
    "untyped": ("clause:yy-taichan-002 a", "clause:yy-taichan-004 rdfs:seeAlso <https://example.org/> . clause:yy-taichan-002 a"),
}


def test_nothing_is_amiss_in_the_good_one() -> None:
    assert findings(store(GOOD)) == ()


def test_there_is_a_fault_for_every_query() -> None:
    assert set(FAULTS) == set(checks())


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_each_query_finds_its_fault(name: str) -> None:
    old, new = FAULTS[name]
    assert GOOD.count(old) == 1, old
    assert list(checks()[name].findings(store(GOOD.replace(old, new)))) != []


def test_the_translation_is_looked_up_in_the_translation() -> None:
    shifted = GOOD.replace("g:startKo 1 ; g:endKo 2", "g:startKo 0 ; g:endKo 1")
    assert [f.found for f in findings(store(shifted))] == ["효"]


def test_a_finding_reads_as_a_sentence_would() -> None:
    assert str(Finding("circle", iris.ns("Void"), RDFS.subClassOf)) == "circle: ns/Void: http://www.w3.org/2000/01/rdf-schema#subClassOf"


# --- shapes

Change = tuple[str, str, object]
"""What is broken of the first instance of a class: its property, and what it has instead (nothing, or two other values)."""

BROKEN: dict[str, Change] = {
    "aspect": ("Aspect", "g:treatedIn", None),
    "branch": ("Branch", "g:element", None),
    "cast": ("Cast", "g:stands", URIRef(iris.clause("yy-taichan-002"))),
    "census": ("^g:countedReading", "g:countedReading", Literal("other")),
    "cell": ("^g:inTable", "g:row", None),
    "changed-hexagram": ("ChangedHexagram", "g:hexagram", None),
    "changed-line": ("ChangedLine", "^g:changesTo", None),
    "chapter": ("Chapter", "g:inText", URIRef(iris.symbol("topic", "heirs"))),
    "clause": ("Clause", "g:quote", Literal("初", lang="en")),
    "comparison": ("Comparison", "g:compares", None),
    "component": ("qb:ComponentSpecification", "qb:attribute", None),
    "convention": ("Convention", "g:option", None),
    "count-of-aspect": ("^g:countConflicting", "g:countConflicting", Literal(2)),
    "count-of-clause": ("^g:countFires", "g:countStands", Literal(1036801)),
    "count-of-convention": ("^g:countVerdicts", "g:countChanged", Literal(513)),
    "count-of-pair": ("^g:relationKind", "g:otherClause", None),
    "count-of-traditions": ("^g:countedYear", "g:countAgree", Literal(-1)),
    "cycle": ("skos:OrderedCollection", "skos:memberList", RDF.nil),
    "data-set": ("qb:DataSet", "qb:structure", None),
    "deity": ("Deity", "skos:inScheme", URIRef(iris.symbol("scheme", "spirit"))),
    "door": ("Door", "g:home", Literal(10)),
    "due": ("Due", "g:dueBy", None),
    "element": ("Element", "g:order", Literal(6)),
    "emendation": ("Emendation", "g:grade", Literal("D")),
    "finding": ("Finding", "skos:inScheme", None),
    "hexagram": ("Hexagram", "g:bits", Literal("11111")),
    "hexagram-cast": ("^g:hasLine", "g:hasPillar", URIRef(iris.symbol("branch", "zi"))),
    "hexagram-symbol": ("Hexagram", "g:shi", Literal(7)),
    "hidden-line": ("HiddenLine", "^g:hides", None),
    "kin": ("Kin", "g:kinRelation", None),
    "line": ("HiddenLine", "g:kin", None),
    "luoshu-palace": ("LuoshuPalace", "g:number", Literal(0)),
    "mountain": ("Mountain", "g:luoshu", None),
    "mutual-line": ("MutualLine", "g:position", Literal(7)),
    "name": ("Name", "g:subjectKind", None),
    "natal-pillar": ("NatalPillar", "g:decadeHead", None),
    "nine-star": ("NineStar", "g:polarity", None),
    "observation": ("qb:Observation", "qb:dataSet", None),
    "omen": ("Omen", "skos:inScheme", None),
    "option": ("Option", "dcterms:source", None),
    "otherwise": ("Otherwise", "^g:otherwise", None),
    "outcome": ("Outcome", "g:onAspect", URIRef(iris.symbol("topic", "heirs"))),
    "pair": ("Pair", "g:nayinName", None),
    "palace": ("Palace", "g:earthStem", None),
    "palace-of-a-chart": ("Palace", "g:number", Literal(10)),
    "passage": ("Passage", "g:text", Literal("初", lang="lzh")),
    "pattern": ("Pattern", "g:omen", None),
    "person": ("Person", "skos:inScheme", URIRef(iris.symbol("scheme", "work"))),
    "pillar": ("Pillar", "g:element", None),
    "plate-symbol": ("PlateSymbol", "g:landsIn", None),
    "polarity": ("Polarity", "skos:inScheme", None),
    "quantity": ("Quantity", "g:onAspect", None),
    "question": ("Question", "g:asksAspect", URIRef(iris.symbol("topic", "heirs"))),
    "question-of-the-library": ("sh:SPARQLExecutable", "g:theme", Literal("other")),
    "reckoning": ("Reckoning", "g:amount", None),
    "relation-kind": ("RelationKind", "skos:inScheme", None),
    "relative": ("Relative", "g:side", None),
    "role": ("Role", "g:onAspect", None),
    "scheme": ("skos:ConceptScheme", "skos:prefLabel", None),
    "season-grade": ("SeasonGrade", "g:order", None),
    "solar-term": ("SolarTerm", "g:order", Literal(25)),
    "space": ("CastSpace", "skos:inScheme", None),
    "spirit": ("Spirit", "g:order", None),
    "stage": ("Stage", "g:order", Literal(13)),
    "star": ("Star", "g:starClass", ns("Uncertain")),
    "star-table": ("StarTable", "g:star", None),
    "stem": ("Stem", "g:polarity", None),
    "structure": ("qb:DataStructureDefinition", "rdfs:label", None),
    "symbol": ("skos:Concept", "skos:definition", None),
    "table": ("Table", "g:confidence", None),
    "text": ("Text", f"{LRMOO}R5_has_component", None),
    "timing": ("^^g:timing", "g:timedFrom", None),
    "topic": ("Topic", "g:treatedIn", None),
    "tried": ("^g:triedConvention", "g:tries", URIRef(iris.symbol("convention", "plate"))),
    "trigram": ("Trigram", "g:bits", Literal("1111")),
    "trigram-grade": ("TrigramGrade", "g:order", Literal(0)),
    "visible-line": ("VisibleLine", "g:kin", None),
    "witness": ("Witness", "^g:witness", None),
    "word": ("Confidence", "rdfs:label", None),
    "work": ("Work", "skos:inScheme", None),
}


@cache
def shapes() -> Graph:
    graph = Graph()
    for path in sorted((folder("ontology") / "shapes").glob("*.ttl")):
        graph.parse(path)
    return graph


def node_shapes() -> dict[str, URIRef]:
    return {iris.key(str(s)): s for s in shapes().subjects(RDF.type, SH.NodeShape) if isinstance(s, URIRef)}


def full(name: str) -> URIRef:
    prefixes = {"g": iris.NS, "skos": iris.SKOS, "dcterms": iris.DCTERMS, "rdfs": iris.RDFS, "sh": iris.SH, "qb": iris.QB}
    prefix, _, key = name.partition(":")
    return URIRef(name) if prefix == "http" else URIRef(prefixes[prefix] + key)


def first_instance(graph: Graph, what: str) -> URIRef:
    """The first instance of a class, or subject (`^`) or object (`^^`) of a property, in the order of IRIs."""
    if what.startswith("^^"):
        found: Iterator[Node] = graph.objects(None, full(what[2:]))
    elif what.startswith("^"):
        found = graph.subjects(full(what[1:]), None)
    else:
        found = graph.subjects(RDF.type, full(what) if ":" in what else ns(what))
    return min(n for n in found if isinstance(n, URIRef))


def conforms(graph: Graph, shape: URIRef, focus: URIRef) -> bool:
    return bool(validate(graph, shacl_graph=shapes(), inference="none", advanced=False, inplace=True, use_shapes=[str(shape)], focus_nodes=[str(focus)])[0])


def test_every_shape_is_broken_once() -> None:
    assert set(BROKEN) == set(node_shapes())


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_each_shape_catches_a_broken_datum(name: str, everything: Graph) -> None:
    what, path, instead = BROKEN[name]
    shape, focus = node_shapes()[name], first_instance(everything, what)
    inverse = path.startswith("^")
    prop = full(path.removeprefix("^"))
    gone = list(everything.triples((None, prop, focus) if inverse else (focus, prop, None)))
    assert conforms(everything, shape, focus), "the datum is sound to begin with"
    for t in gone:
        everything.remove(t)
    if instead is not None:
        everything.add((focus, prop, instead))  # type: ignore[arg-type]
    try:
        assert not conforms(everything, shape, focus)
    finally:
        if instead is not None:
            everything.remove((focus, prop, instead))  # type: ignore[arg-type]
        for t in gone:
            everything.add(t)


def test_every_instance_of_a_class_of_ours_is_looked_at_by_a_shape(everything: Graph) -> None:
    names = set(everything.subjects(RDF.type, ns("Name")))
    looked_at: set[Node] = set()
    for klass in shapes().objects(None, SH.targetClass):
        for sub in everything.transitive_subjects(RDFS.subClassOf, klass):
            looked_at |= set(everything.subjects(RDF.type, sub))
    for prop in shapes().objects(None, SH.targetSubjectsOf):
        looked_at |= set(everything.subjects(prop, None))  # type: ignore[arg-type]
    for prop in shapes().objects(None, SH.targetObjectsOf):
        looked_at |= set(everything.objects(None, prop))  # type: ignore[arg-type]
    ours = {s for s, klass in everything.subject_objects(RDF.type) if str(klass).startswith(iris.NS) and klass not in names}
    assert ours - looked_at == set()


# --- the header and the terms


def test_the_header_names_the_release_that_is_built() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    o, me = ontology(), iris.NS
    assert o.iris(me, str(OWL.versionIRI)) == [iris.BASE + f"release/{version}/ontology"]
    assert o.text(me, str(OWL.versionInfo)) == version == str(citation["version"])
    assert f"Version {version}" in (o.text(me, str(DCTERMS.bibliographicCitation)) or "")
    assert o.text(me, str(DCTERMS.modified)) == str(citation["date-released"])


def test_the_axioms_that_reasoners_are_given_hold_neither_domains_nor_alignments() -> None:
    """What the ontology says of domains, ranges, disjoint kinds and other vocabularies must not change what fires, nor cost time."""
    kept = {str(p) for p in (RDFS.subClassOf, RDFS.subPropertyOf, OWL.inverseOf, OWL.onProperty, OWL.someValuesFrom, OWL.hasValue, OWL.intersectionOf)}
    kept |= {str(p) for p in (RDF.type, RDF.first, RDF.rest)}
    for tradition in TRADITIONS:
        axioms = [t for layer in program(topics(tradition), choose({}), tradition).axioms.values() for t in layer]
        assert {p for _, p, _ in axioms} <= kept
        for s, p, o in axioms:
            if p in (str(RDFS.subPropertyOf), str(OWL.inverseOf)):
                assert s.startswith(iris.NS)
                assert o.startswith(iris.NS)


SAYING_NOTHING = {str(p) for p in (OWL.sameAs, OWL.equivalentClass, OWL.equivalentProperty, RDFS.subClassOf, RDFS.subPropertyOf)}
X, Y, A, B, P = (f"http://example.org/{k}" for k in "xyabp")
GIVEN = [(X, iris.TYPE, A), (A, str(RDFS.subClassOf), B), (B, iris.TYPE, str(OWL.Class)), (P, iris.TYPE, str(OWL.ObjectProperty)), (X, P, Y)]


@pytest.mark.parametrize("name", sorted(ENGINES))
def test_closures_hold_nothing_that_says_nothing(name: str) -> None:
    closure = engine(name)()
    closure.add(GIVEN)
    closed = closure.close()
    assert (X, iris.TYPE, B) in closed
    assert [t for t in closed if t[0] == t[2] and t[1] in SAYING_NOTHING] == []


def test_what_owlrl_makes_of_literals_and_of_equality_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owlrl_engine.OwlrlClosure, "semantics", OWLRL_Semantics)
    closure = owlrl_engine.OwlrlClosure()
    closure.add(GIVEN)
    inner = closure._graph
    inner.add((URIRef(X), URIRef("http://example.org/q"), Literal(3)))
    closed = closure.close()
    # What is left out is there to be left out.
    assert any(isinstance(s, Literal) for s in inner.subjects())
    assert any(s == o for s, o in inner.subject_objects(OWL.sameAs))
    assert (X, iris.TYPE, B) in closed
    assert [t for t in closed if "3" in (t[0], t[2]) or (t[0] == t[2] and t[1] in SAYING_NOTHING)] == []


# --- SKOS


def members(graph: Graph, key: str) -> list[str]:
    head = graph.value(URIRef(iris.symbol("collection", key)), SKOS.memberList)
    assert head is not None
    return [iris.key(str(m)) for m in graph.items(head)]


CYCLES = {
    "elements": "Element",
    "stems": "Stem",
    "branches": "Branch",
    "pairs": "Pair",
    "stages": "Stage",
    "spirits": "Spirit",
    "terms": "SolarTerm",
    "kin": "Kin",
    "grades": "SeasonGrade",
    "trigram-grades": "TrigramGrade",
    "palaces": "LuoshuPalace",
    "ninestars": "NineStar",
    "mountains": "Mountain",
}


@pytest.mark.parametrize("key", sorted(CYCLES))
def test_a_cycle_has_its_symbols_in_their_order(key: str, everything: Graph) -> None:
    assert members(everything, key) == [iris.key(s) for s in ontology().ordered(CYCLES[key])]


def test_the_generating_cycle_goes_round_as_the_doctrine_says(everything: Graph) -> None:
    """木生火，火生土，土生金，金生水，水生木."""
    o = ontology()
    assert [o.label(iris.symbol("element", k)) for k in members(everything, "elements")] == list("木火土金水")


def test_former_heaven_counts_down_in_binary(everything: Graph) -> None:
    """Shao Yong's order: 乾 111 to 坤 000, the bottom line the most significant."""
    o = ontology()
    bits = [o.text(iris.symbol("trigram", k), iris.ns("bits")) for k in members(everything, "trigrams-former-heaven")]
    assert bits == [f"{n:03b}" for n in range(7, -1, -1)]


def test_later_heaven_doors_and_palaces_go_round_the_magic_square(everything: Graph) -> None:
    """Clockwise from the north round the square 492 357 816, seen with the south above."""
    square, o = ("492", "357", "816"), ontology()
    ring = [int(square[r][c]) for r, c in ((2, 1), (2, 0), (1, 0), (0, 0), (0, 1), (0, 2), (1, 2), (2, 2))]
    assert [int(k) for k in members(everything, "palaces-ring")] == ring
    assert [o.iris(iris.symbol("luoshu", n), iris.ns("trigram")) for n in ring] == [
        [iris.symbol("trigram", k)] for k in members(everything, "trigrams-later-heaven")
    ]
    assert [o.number(iris.symbol("door", k), iris.ns("home")) for k in members(everything, "doors")] == ring


def test_every_scheme_is_reached_from_its_top_concepts(everything: Graph) -> None:
    for scheme in everything.subjects(RDF.type, SKOS.ConceptScheme):
        heads = set(everything.subjects(SKOS.topConceptOf, scheme))
        below = {c for head in heads for c in everything.transitive_subjects(SKOS.broader, head)}
        assert below == set(everything.subjects(SKOS.inScheme, scheme)), scheme


def test_figures_have_the_signs_that_unicode_gives_them() -> None:
    """Unicode names the trigrams, and has the hexagrams in the order of King Wen from U+4DC0."""
    o = ontology()

    def notations(symbol: str) -> dict[str, str]:
        return {iris.key(x.datatype): x.text for x in o.objects(symbol, str(SKOS.notation)) if not isinstance(x, str)}

    for hexagram in o.of_type("Hexagram"):
        code = 0x4DC0 + o.number(hexagram, iris.ns("number")) - 1
        assert notations(hexagram) == {"Character": chr(code), "CodePoint": f"U+{code:04X}"}
        assert unicodedata.name(chr(code)).startswith("HEXAGRAM FOR")
    for trigram in o.of_type("Trigram"):
        sign = notations(trigram)
        image = re.fullmatch(r".+ \((\w+)\)", o.label(trigram, "en"))
        assert image is not None
        assert unicodedata.name(sign["Character"]) == f"TRIGRAM FOR {image[1].upper()}"
        assert sign["CodePoint"] == f"U+{ord(sign['Character']):04X}"


# --- works and texts


def test_every_chapter_is_a_component_of_its_document_and_of_no_other(everything: Graph) -> None:
    found = {
        (str(c), str(everything.value(t, DCTERMS.identifier)), str(w))
        for t, c in everything.subject_objects(URIRef(LRMOO + "R5_has_component"))
        for w in everything.subjects(URIRef(LRMOO + "R3_is_realised_in"), t)
    }
    assert found == {(c.iri, c.document, iris.symbol("work", c.work)) for c in chapters()}


def test_each_document_has_its_translation(everything: Graph) -> None:
    texts = set(everything.subjects(RDF.type, ns("Text")))
    translated = {t: everything.value(t, URIRef(LRMOO + "R76_is_derivative_of")) for t in texts}
    languages = {t: str(everything.value(t, DCTERMS.language)) for t in texts}
    assert {languages[t] for t, source in translated.items() if source} == {"ko"}
    assert {source for source in translated.values() if source} == {t for t in texts if languages[t] == "lzh"}
