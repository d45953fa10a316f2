"""Comparison as graph: ties by clauses, likeness, chains, communities, the sheets and the picture of them."""

import json
import xml.etree.ElementTree as ET
from functools import cache
from pathlib import Path

import networkx as nx
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from kg import compare, comparison, picture, sheet
from kg.cli import main
from kg.store import EmbeddedStore, doctrine_store
from kg.text import width
from loader.chapter import clauses
from loader.errors import InputError
from loader.iris import key, symbol

TIGERS = (symbol("spirit", "white-tiger"), symbol("deity", "white-tiger"))
YIYIN, QIMEN = compare.WORKS


@cache
def store() -> EmbeddedStore:
    return doctrine_store()


@cache
def ties() -> "nx.MultiGraph[str]":
    return compare.ties(store())


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["compare", *arguments])


def test_the_graph_is_bipartite_and_every_edge_is_a_clause_on_its_aspect() -> None:
    graph = ties()
    assert nx.is_bipartite(graph)
    for node, other, clause, data in graph.edges(keys=True, data=True):
        aspect = node if graph.nodes[node]["kind"] == "aspect" else other
        found = clauses()[clause]
        assert key(aspect) == found.about
        assert data["work"] == symbol("work", found.passage.chapter.work)
        assert data["omen"] == (found.omen or "")


def test_neighbours_are_those_of_one_work() -> None:
    # 000 ¶3 虎臨二爻胎爻動者，漏胎也; 001 ¶1 勾陳、白虎，產門、木催、產神.
    assert set(compare.neighbours(ties(), TIGERS, YIYIN)[symbol("aspect", "miscarriage")]) >= {"yy-taichan-044", "yy-taichan-045"}
    assert set(compare.neighbours(ties(), TIGERS, QIMEN)[symbol("aspect", "delivery")]) == {"qm-taichan-006", "qm-taichan-007", "qm-taichan-008"}
    assert symbol("aspect", "miscarriage") not in compare.neighbours(ties(), TIGERS, QIMEN)


def test_likeness_is_symmetric_and_between_none_and_all() -> None:
    found = compare.likeness(ties(), dict.fromkeys(compare.WORKS, TIGERS))
    # Both read the tiger for the time of birth (近則取沖龍沖虎…之日; 蛇白催六是生期) and for the delivery.
    assert set(found.common) == {symbol("aspect", "birth-date"), symbol("aspect", "delivery")}
    every = len(found.common) + sum(map(len, found.only.values()))
    assert found.jaccard == len(found.common) / every
    nothing = compare.likeness(ties(), {YIYIN: [], QIMEN: []})
    assert (nothing.common, nothing.jaccard) == ({}, 0.0)


def test_relatives_are_linked_by_the_steps_of_the_passage() -> None:
    # 003 ¶18: 生世為父, 生父為祖, 父比為伯叔 (taken once more for the grandfather's brothers), 世克為妻.
    links = comparison.chain(store(), ["伯祖", "妻"])
    assert [(key(x.start), key(x.end), x.clauses[0]) for x in links] == [
        ("elder-great-uncle", "grandfather", "yy-feigong-006"),
        ("grandfather", "father", "yy-feigong-004"),
        ("father", "querent", "yy-feigong-002"),
        ("querent", "wife", "yy-feigong-012"),
    ]


def test_a_chain_of_symbols_quotes_a_clause_for_each_step() -> None:
    links = comparison.chain(store(), ["太陰", "穩婆"])
    assert [(x.relation, x.clauses) for x in links] in ([("about", ("qm-taichan-004",))], [("signifies", ("qm-taichan-004",))])
    for link in comparison.chain(store(), ["白虎", "穩婆"]):
        assert link.clauses
        assert all(c in clauses() for c in link.clauses)


def test_a_chain_is_as_short_as_any() -> None:
    graph = compare.chains(store())
    for a, b in (("white-tiger", "midwife"), ("dark-warrior", "infant")):
        ends = [(symbol("spirit", a),), (symbol("aspect", b),)]
        assert len(compare.chain(graph, *ends)) == nx.shortest_path_length(graph, ends[0][0], ends[1][0])


def test_communities_part_the_clauses_and_do_not_change() -> None:
    found = compare.communities(ties())
    every = [c for group in found for c in group.clauses]
    assert len(every) == len(set(every))
    assert found == compare.communities(compare.ties(store()))
    # What only a few clauses mention, and nothing else, holds them together: 六沖卦 in 000 ¶3, ¶20, 003 ¶9 ...
    clash = {c for ids in compare.neighbours(ties(), ["https://w3id.org/guigu/ns/ClashHexagram"], YIYIN).values() for c in ids}
    assert "yy-taichan-050" in clash
    assert sum(bool(clash & set(group.clauses)) for group in found) == 1


def test_graphml_is_read_back_by_another_reader(tmp_path: Path) -> None:
    target = tmp_path / "tiger.graphml"
    assert run("--symbol", "白虎", "--graphml", str(target)).exit_code == 0
    graph = nx.read_graphml(target)
    part = compare.around(ties(), TIGERS)
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (part.number_of_nodes(), part.number_of_edges())
    assert {data["zh"] for _, data in graph.nodes(data=True)} >= {"白虎", "小產", "臨盆"}


def test_the_picture_has_a_node_for_each_and_is_xml(tmp_path: Path) -> None:
    target = tmp_path / "tiger.svg"
    assert run("--symbol", "백호", "--picture", str(target)).exit_code == 0
    root = ET.parse(target).getroot()  # noqa: S314 - our own file
    part = compare.around(ties(), TIGERS)
    assert len(root.findall("{http://www.w3.org/2000/svg}circle")) == part.number_of_nodes()
    titles = " ".join(t.text or "" for t in root.iter("{http://www.w3.org/2000/svg}title"))
    assert "yy-taichan-044" in titles
    with pytest.raises(InputError, match="cannot be drawn"):
        picture.svg(ties())


def test_an_aspect_has_quotes_on_both_sides() -> None:
    result = run("--aspect", "midwife")
    assert result.exit_code == 0
    for quote in ("空則無人收生", "太陰，穩婆", "也遂虞穩婆作弊"):
        assert f"「{quote}」" in result.stdout
    left, right = (json.loads(run("--aspect", "midwife", "--format", "json").stdout)["groups"][0][side] for side in ("left", "right"))
    assert {e["clause"][:3] for e in left} == {"yy-"}
    assert {e["clause"] for e in right} == {"qm-taichan-004", "qm-taichan-205"}


def test_a_moment_is_judged_by_both_as_the_two_commands_judge_it() -> None:
    moment = ["--moment", "2026-11-30T10:20+08:00", "--lines", "7,8,9,6,7,8", "--topic", "childbirth", "--format", "json"]
    data = json.loads(run(*moment).stdout)
    for side, command in (("left", ["cast", "--lines", "7,8,9,6,7,8"]), ("right", ["qimen"])):
        done = CliRunner().invoke(main, [*command, "--at", "2026-11-30T10:20+08:00", "--topic", "childbirth", "--format", "json"])
        verdicts = [v for v in json.loads(done.stdout)["verdicts"] if v["standing"]]
        assert {e["clause"] for g in data["groups"] for e in g[side]} == {v["clause"] for v in verdicts if v["about"]}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "one thing is compared"),
        (["--aspect", "midwife", "--symbol", "白虎"], "one thing is compared"),
        (["--aspect", "midwif"], "Did you mean midwife"),
        (["--chain", "白虎", "no such thing"], "not a known relative, symbol, aspect or role"),
        (["--moment", "2026-11-30T10:20+08:00", "--lines", "7,8,9,6,7,8", "--topic", "burial"], "not treated by both"),
        (["--moment", "2026-11-30T10:20+08:00"], "GUIGU"),
        (["--picture", "-"], "cannot be drawn"),
    ],
)
def test_mistakes_are_told(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


@given(st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")) | st.just(" "), max_size=300))
def test_wrapped_lines_keep_every_word_within_the_column(text: str) -> None:
    lines = sheet.wrapped("      " + text, 6)
    assert all(width(line) <= sheet.COLUMN for line in lines)
    assert "".join("".join(line.split()) for line in lines) == "".join(text.split())
