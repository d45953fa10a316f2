"""The published graph: every term declared and labelled, literals tagged, nothing dangling."""

import pytest
from rdflib import Graph, URIRef
from rdflib.namespace import OWL, RDF, RDFS, SKOS
from rdflib.term import BNode, Literal

from kg.graph import cast_graph, doctrine_graph
from loader import iris
from loader.chapter import clauses
from tests.conftest import Judge

LABELS = (RDFS.label, SKOS.prefLabel)


@pytest.fixture(scope="module")
def doctrine() -> Graph:
    return doctrine_graph()


def labels(graph: Graph, node: URIRef) -> set[str | None]:
    nodes = [node, *graph.objects(node, URIRef(iris.ns("denotes")))]
    return {o.language for n in nodes for p in LABELS for o in graph.objects(n, p) if isinstance(o, Literal)}


def test_every_term_that_is_used_is_declared_with_three_labels(doctrine: Graph) -> None:
    used = set(doctrine.predicates()) | set(doctrine.objects(None, RDF.type)) | set(doctrine.objects(None, URIRef(iris.ns("confidence"))))
    missing = [iris.key(str(t)) for t in used if str(t).startswith(iris.NS) and not {"zh-hant", "ko", "en"} <= labels(doctrine, URIRef(str(t)))]
    assert missing == []


def test_every_symbol_has_three_labels_and_a_definition(doctrine: Graph) -> None:
    for concept in doctrine.subjects(RDF.type, SKOS.Concept):
        assert {"zh-hant", "ko", "en"} <= labels(doctrine, URIRef(str(concept))), concept
        assert (concept, SKOS.definition, None) in doctrine, concept


def test_language_tags_are_lower_case(doctrine: Graph) -> None:
    assert {str(o.language) for o in doctrine.objects() if isinstance(o, Literal) and o.language and o.language != o.language.lower()} == set()


def test_no_individual_is_only_pointed_at(doctrine: Graph) -> None:
    """What we mint and point at is described: no dangling aspect, outcome, symbol or clause."""
    described = set(doctrine.subjects())
    ours = {o for o in doctrine.objects() if isinstance(o, URIRef) and str(o).startswith(iris.BASE + "id/")}
    dangling = {str(o) for o in ours - described if not str(o).startswith(iris.symbol("scheme", ""))}
    assert dangling == set()


def test_clauses_carry_their_anchor(doctrine: Graph) -> None:
    for clause in clauses().values():
        passage = clause.passage.lzh
        start, end = (next(doctrine.objects(URIRef(clause.iri), URIRef(iris.ns(p)))).toPython() for p in ("start", "end"))
        assert passage[start:end] == clause.quote


def test_a_cast_holds_named_terms_only(judged: Judge) -> None:
    graph = cast_graph(judged("渙", moving="2", month="午", day="甲子"))
    for _, p, o in graph:
        assert "/id/expression/" not in f"{p} {o}"
        assert "/id/fires/" not in f"{p} {o}"


def test_axioms_of_two_traditions_share_no_blank_node(doctrine: Graph) -> None:
    for prop in (RDF.first, RDF.rest, OWL.intersectionOf, OWL.unionOf, OWL.someValuesFrom, OWL.hasValue, OWL.onProperty):
        subjects = [s for s in doctrine.subjects(prop) if isinstance(s, BNode)]
        assert len(subjects) == len(set(subjects)), prop
