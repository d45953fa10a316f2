"""What the texts say about themselves: authorities, table rows, readings, overrides."""

import pytest
from rdflib import Graph, URIRef

from kg.graph import doctrine_graph
from loader import iris
from loader.chapter import chapters, clauses
from loader.clause import ROLE_KINDS
from loader.iris import ns
from loader.ontology import ontology
from tests.conftest import Judge

SAYS = """
PREFIX cito: <http://purl.org/spar/cito/>
PREFIX g: <https://w3id.org/guigu/ns/>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
SELECT ?id ?quote WHERE {
  ?work skos:prefLabel ?name .
  FILTER(STR(?name) = ?asked)
  ?clause cito:citesAsAuthority ?work ; g:quote ?quote ; g:start ?start ; <http://purl.org/dc/terms/identifier> ?id .
} ORDER BY ?id
"""


@pytest.fixture(scope="module")
def doctrine() -> Graph:
    return doctrine_graph()


@pytest.mark.parametrize(
    ("work", "quotes"),
    [
        # 003 ¶11: the verse from 六為朝廷 to 象民庶.
        ("歸藏易", ["歸藏易曰", "六為朝廷", "五天子", "四是侯伯", "三公卿", "二應五爻為大夫", "初體最卑象民庶"]),
        # 003 ¶1: 初爻二爻旺相 to 老景榮華.
        ("管公口訣", ["又管公口訣曰", "初爻二爻旺相，落地發財", "三爻四爻休囚，中年蹭蹬", "五爻六爻興隆，老景榮華"]),
    ],
)
def test_what_an_authority_says_is_one_query(doctrine: Graph, work: str, quotes: list[str]) -> None:
    from rdflib import Literal

    found = [str(row.quote) for row in doctrine.query(SAYS, initBindings={"asked": Literal(work)})]  # type: ignore[union-attr]
    assert found == quotes


def test_every_work_and_person_cited_is_described(doctrine: Graph) -> None:
    cited = set(doctrine.objects(None, URIRef("http://purl.org/spar/cito/citesAsAuthority")))
    kinds = {ns("Work"), ns("Person")}
    assert len(cited) >= 14
    assert all(kinds & {str(t) for t in doctrine.objects(c, URIRef(iris.TYPE))} for c in cited)


def test_every_table_row_is_stated_by_a_cell_and_every_cell_cites_a_clause() -> None:
    o = ontology()
    stated = {iris.key(c) for cell in o.subjects_of(ns("statedBy")) for c in o.iris(cell, ns("statedBy"))}
    rows = {c.id for c in clauses().values() if c.kind == "table-row"}
    assert rows - stated == set()
    assert {i for i in stated if i not in clauses()} == set()


def test_every_line_assignment_names_a_role() -> None:
    for c in clauses().values():
        if c.kind == "line-assignment":
            assert c.signifies, c.id
            assert all(ontology().keyed(key, *ROLE_KINDS) for key in c.signifies), c.id


def test_every_character_is_quoted_and_no_row_is_lost() -> None:
    """All the passages of the documents, 000 ¶1-40, 001 ¶1-45 and 003 ¶1-42."""
    seen = {(c.document, p.number) for c in chapters() for p in c.passages}
    assert seen == {("000", n) for n in range(1, 41)} | {("001", n) for n in range(1, 46)} | {("003", n) for n in range(1, 43)}
    assert [f"{c.name} ¶{p.number}" for c in chapters() for p in c.passages if p.uncovered()] == []


def test_both_readings_can_be_queried(doctrine: Graph) -> None:
    """000 ¶30: 在二爻者 received, 在三爻者 read (grade A)."""
    me = URIRef(iris.clause("yy-xiaoshi-126"))
    other = next(doctrine.objects(me, URIRef(ns("otherwise"))))
    assert "三爻" in str(next(doctrine.objects(me, URIRef(ns("condition")))))
    assert "二爻" in str(next(doctrine.objects(other, URIRef(ns("condition")))))


def test_a_reading_changes_what_fires(judged: Judge) -> None:
    """000 ¶20: a contract comes on the day 死值 as received, 伏值 as emended (grade B, so received by default).

    鼎 of the 離 palace shows no wood, its 父母, and hides 己卯 under line 1.
    """
    o = ontology()
    found = {}
    for reading in ("graded", "received", "emended"):
        j = judged("鼎", month="午", day="甲子", topic="post", asks=("contract-date",), conventions={"reading": reading})
        (when,) = next(v for v in j.verdicts if v.clause.id == "yy-miguan-030").when
        found[reading] = "".join(o.label(b) for b in when.branches)
    # Wood is 死 at 午; the hidden line has the branch 卯.
    assert found == {"graded": "午", "received": "午", "emended": "卯"}


def test_a_safe_emendation_is_taken_unless_the_received_text_is_asked_for(judged: Judge) -> None:
    """003 ¶6: 未龍世動得子 is read 木龍 (grade A); as received the line must have the branch 未."""
    # 姤: world line 1 辛丑 父母; moving it becomes 子 水, 子孫 of metal. On a day 甲 the Azure Dragon stands on line 1.
    for reading, fires in (("graded", True), ("received", False)):
        j = judged("姤", moving="1", month="午", day="甲子", topic="fate", conventions={"reading": reading})
        assert ("yy-shiwei-024" in j.fires) is fires, reading


@pytest.mark.parametrize("clause", [c.id for c in clauses().values() if c.overrides])
def test_an_override_names_clauses_of_its_topic_and_reasons(clause: str) -> None:
    c = clauses()[clause]
    assert c.fires or c.kind == "useful-god"
    for other in c.overrides:
        assert clauses()[other].topic == c.topic
        assert clauses()[other].kind == c.kind or clauses()[other].fires


def test_roles_and_relatives_share_no_key() -> None:
    keys = {kind: {iris.key(s) for s in ontology().of_type(kind)} for kind in ("Role", "Relative")}
    assert keys["Role"] & keys["Relative"] == set()
