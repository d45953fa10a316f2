"""A judged cast in RDF: what it says beyond the closure, and that the questions find what the judgement found."""

import pytest
from rdflib import Graph, Literal, URIRef
from rdflib.namespace import RDFS

from kg.graph import cast_graph, doctrine_graph
from kg.judgement import Judgement, judge, judge_all
from kg.question import question
from kg.rows import Rows
from kg.sampling import sample
from kg.store import EmbeddedStore, doctrine, quads
from loader.iris import clause, key, ns, symbol
from tests.conftest import Judge


def has(graph: Graph, subject: str, prop: str, target: str) -> bool:
    return (URIRef(subject), URIRef(ns(prop)), URIRef(target)) in graph


def test_every_property_of_a_cast_is_declared(judged: Judge) -> None:
    """In three languages, as those of the doctrine are."""
    known = doctrine_graph()
    casts = [judged("渙", moving="2", month="午", day="甲子", asks=("birth-far",)), *(judge(g) for g in sample(1, tradition="qimen"))]
    for j in casts:
        for prop in set(cast_graph(j).predicates()):
            if str(prop).startswith(ns("")):
                assert {o.language for o in known.objects(prop, RDFS.label) if isinstance(o, Literal)} >= {"zh-hant", "ko", "en"}, prop


def test_a_timing_rule_names_its_time(judged: Judge) -> None:
    """000 ¶7: 遠則取胎爻遇空之旬生也. The 胎爻 of 渙 is 午 on line 3, void in the decade 甲申."""
    j = judged("渙", month="午", day="甲子", asks=("birth-far",))
    graph = cast_graph(j)
    (due,) = [d for d in graph.objects(URIRef(j.chart.iri), URIRef(ns("falls"))) if has(graph, str(d), "dueBy", clause("yy-taichan-097"))]
    assert has(graph, str(due), "dueDecade", symbol("pair", "jiashen"))
    assert has(graph, str(due), "dueOf", f"{j.chart.iri}/line/3")
    assert list(graph.objects(due, URIRef(ns("unit")))) == [Literal("decade")]
    assert (due, URIRef(ns("dueBranch")), None) not in graph


def test_lines_have_their_roles_and_the_useful_god_its_clause(judged: Judge) -> None:
    """000 ¶1: line 1 is 產母; ¶8: 世為母，應為子; ¶2: 凡占俱以子孫為用. The world line of 履 is line 5, 申 子孫, its response line 2."""
    j = judged("履", moving="5", month="午", day="甲子")
    graph = cast_graph(j)
    for line, prop, by in ((1, "assignedBy", "012"), (5, "assignedBy", "110"), (2, "assignedBy", "111"), (5, "selectedBy", "025")):
        assert has(graph, f"{j.chart.iri}/line/{line}", prop, clause(f"yy-taichan-{by}")), by
    assert not has(graph, f"{j.chart.iri}/line/2", "assignedBy", clause("yy-taichan-012"))


def test_numbers_of_one_quantity_are_kept_apart(judged: Judge) -> None:
    """003 ¶29, years from the year back to 官鬼: 明夷, of the palace 坎, hides 戊辰 and 戊戌; from 庚寅 23 and 53 with both ends."""
    j = judged("明夷", topic="ancestors", year="庚寅", month="午", day="甲子")
    graph = cast_graph(j)
    years = [n for n in graph.objects(URIRef(j.chart.iri), URIRef(ns("reckons"))) if has(graph, str(n), "quantity", symbol("quantity", "years-since-death"))]
    assert sorted([str(a) for a in graph.objects(n, URIRef(ns("amount")))] for n in years) == [["23"], ["53"]]


def test_everything_in_a_cast_says_what_it_is(judged: Judge) -> None:
    j = judged("履", moving="5", month="午", day="甲子")
    graph = cast_graph(j)
    assert (URIRef(j.chart.iri), RDFS.label, Literal("履之睽 甲子日", lang="zh-hant")) in graph
    assert (URIRef(f"{j.chart.iri}/line/5"), RDFS.label, Literal("line 5 申 子孫", lang="en")) in graph
    assert (URIRef(f"{j.chart.iri}/pillar/day"), RDFS.label, Literal("the day 甲子", lang="en")) in graph


def found(j: Judgement, name: str) -> set[tuple[str, ...]]:
    """What a question finds on a cast in the whole store."""
    store = EmbeddedStore(quads(doctrine(), "doctrine"))
    store.store.extend(quads(cast_graph(j).serialize(format="nt").encode(), "cast"))
    rows = question(name).ask(store)
    assert isinstance(rows, Rows)
    return {tuple(row[c] for c in rows.columns if c != "cast") for row in rows.texts()}


@pytest.mark.parametrize("tradition", ["liuyao", "qimen"])
def test_the_questions_find_what_the_judgement_found(tradition: str) -> None:
    """`conflicts` and `overridden` are asked of a small store by the judgement itself, of the whole doctrine by everyone else."""
    (given,) = sample(1, tradition=tradition)
    (j,) = judge_all([given])
    lost = {(v.clause.id, by) for v in j.verdicts for by in v.overridden_by}
    assert found(j, "overridden") == lost
    told = {(c.about, c.ground, i) for c in j.conflicts for _, clauses in c.sides for i in clauses}
    asked = found(j, "conflicts")
    assert {(about, ground, i) for about, ground, a, _, b, _ in asked for i in (a, b)} == told


def test_the_conflict_of_the_example_is_found_by_both(judged: Judge) -> None:
    """000 ¶2: 卦得大畜與渙者有也 overrides 用爻胎爻不上卦者無也, so the two do not conflict though both fire."""
    j = judged("大畜", month="午", day="甲子")
    assert ("yy-taichan-037", "yy-taichan-035") in found(j, "overridden")
    assert not any("yy-taichan-037" in row for row in found(j, "conflicts"))
    assert key(clause("yy-taichan-037")) in j.fires
