"""Variants of a cast: one moving line still, another reading of the text; what they lose and gain, worked by hand from the passages."""

import json

import jsonschema
import pytest
from click.testing import CliRunner, Result
from rdflib import Graph, Literal, URIRef
from rdflib.namespace import RDF

from kg.asking import check_topics
from kg.cli import main
from kg.graph import cast_graph
from kg.judgement import Judgement, judge
from kg.variants import Variant, data, text, variants
from loader.clause import Clause
from loader.data import folder
from loader.iris import ns
from loader.liuyao import Given
from loader.qimen_given import QimenTyped, qimen_given
from tests.conftest import Judge

LU = ["cast", "--hexagram", "履", "--moving", "5", "--month", "午", "--day", "甲子", "--topic", "childbirth"]


def ids(found: tuple[Clause, ...]) -> set[str]:
    return {c.id for c in found}


def lines(j: Judgement) -> tuple[int, ...]:
    assert isinstance(j.chart.given, Given)
    return j.chart.given.lines


def hour_chart(topics: list[str]) -> Judgement:
    """Spring: day 丙午, hour 乙未 of the decade 甲午, hidden under 辛; in 陽三局 辛 is in palace 6, the home of 開門."""
    pillars = {"year": "甲辰", "month": "丙寅", "day": "丙午", "hour": "乙未"}
    given, _ = qimen_given(QimenTyped(pillars=pillars, term="雨水", ju="陽3"), check_topics(topics, "qimen"))
    return judge(given)


def test_each_moving_line_is_still_in_turn(judged: Judge) -> None:
    """剝 with lines 2 (yin) and 6 (yang) moving: 6 becomes 8, 9 becomes 7, and the other goes on moving."""
    j = judged("剝", moving="2,6", month="午", day="甲子")
    assert lines(j) == (8, 6, 8, 8, 8, 9)
    found = variants(j, ("still",))
    assert [(v.kind, v.line, lines(v.judgement)) for v in found] == [("still", 2, (8, 8, 8, 8, 8, 9)), ("still", 6, (8, 6, 8, 8, 8, 7))]
    assert {v.reading for v in found} == {None}


def test_a_variant_is_the_cast_that_one_would_have_thrown(judged: Judge) -> None:
    (still,) = variants(judged("履", moving="5", month="午", day="甲子"), ("still",))
    thrown = judged("履", month="午", day="甲子")
    assert still.judgement.chart.iri == thrown.chart.iri
    assert still.judgement.fires == thrown.fires


def test_lu_with_line_five_still_is_told_by_what_encloses(judged: Judge) -> None:
    """000 ¶5: 子孫 of 履, 申 on line 5, moves into a yin line of 離, 變爻陰為女; still, 陽包陰生女也. ¶9: 子動者易生."""
    (still,) = variants(judged("履", moving="5", month="午", day="甲子"), ("still",))
    assert {"yy-taichan-078", "yy-taichan-080", "yy-taichan-144"} <= ids(still.lost)
    assert "yy-taichan-087" in ids(still.gained)
    # ¶8: 內卦乾兌坎離者，順生 and ¶1: 二臨鬼子災 ask for no movement.
    assert not {"yy-taichan-120", "yy-taichan-015"} & (ids(still.lost) | ids(still.gained))
    assert still.changed == ()


def test_of_two_movements_only_the_one_that_is_taken_away_is_lost(judged: Judge) -> None:
    """000 ¶9: 子動者易生. Line 1 of 履 is 巳 父母 and has no part in it; line 5 is 申 子孫."""
    first, fifth = variants(judged("履", moving="1,5", month="午", day="甲子"), ("still",))
    assert (first.line, fifth.line) == (1, 5)
    assert "yy-taichan-144" not in ids(first.lost)
    assert "yy-taichan-144" in ids(fifth.lost)


def test_what_did_not_stand_is_not_lost(judged: Judge) -> None:
    """000 ¶23: 財動 is bad for the essay (022), 有制不妨 (023c). Only the second stands on the base, and neither on the variant."""
    j = judged("乾為天", moving="2", month="卯", day="甲申", topic="small-exam")
    assert not next(v for v in j.verdicts if v.clause.id == "yy-xiaoshi-022").stands
    (still,) = variants(j, ("still",))
    assert "yy-xiaoshi-022" not in ids(still.lost) | ids(still.gained)
    assert "yy-xiaoshi-023c" in ids(still.lost)


def test_what_is_no_longer_overridden_is_gained(judged: Judge) -> None:
    """003 ¶40: 休空受傷者死; 得月日父福動來合住者，主帶疾延年也.

    渙, of the palace 離: 兄弟 午 on line 3 is 休 in a 未 month and hurt by a 子 day; 子孫 未 on line 4, on the month, moves and binds it.
    """
    j = judged("渙", moving="4", month="未", day="甲子", topic="brothers")
    assert next(v for v in j.verdicts if v.clause.id == "yy-xiongdi-035").overridden_by == ("yy-xiongdi-036",)
    (still,) = variants(j, ("still",))
    assert "yy-xiongdi-036" in ids(still.lost)
    assert "yy-xiongdi-035" in ids(still.gained)


def test_without_movement_there_is_nothing_to_still(judged: Judge) -> None:
    assert variants(judged("剝", month="午", day="甲子"), ("still",)) == ()
    assert variants(judged("剝", month="午", day="甲子"), ()) == ()


def test_a_safe_emendation_is_lost_under_the_received_text(judged: Judge) -> None:
    """000 ¶22, 旺用 read 旺財: in 大有, a 酉 day, 父母 未 is void; 妻財 寅 is strong in 卯, moves, and generates 官鬼 巳.

    As received the useful god, 父母 itself, would have to generate 官鬼: never.
    """
    j = judged("大有", moving="2", month="卯", day="乙酉", topic="small-exam")
    by_reading = {v.reading: v for v in variants(j, ("readings",))}
    assert list(by_reading) == ["received", "emended"]
    assert "yy-xiaoshi-013" in ids(by_reading["received"].lost)
    assert "yy-xiaoshi-013" not in ids(by_reading["emended"].lost)


def test_a_doubtful_emendation_changes_what_is_said(judged: Judge) -> None:
    """000 ¶17, 虛驚 perhaps 虛靈: 應 of 大有 is on line 6, in 離; mixed as received, praise throughout as emended."""
    j = judged("大有", month="卯", day="乙酉", topic="teacher")
    received, emended = variants(j, ("readings",))
    ((before, after),) = [(a, b) for a, b in emended.changed if a.id == "yy-yanshi-043"]
    assert (before.omen, after.omen) == ("mixed", "auspicious")
    assert received.changed == ()
    assert "  changed: yy-yanshi-043 「入離虛驚明哲也」 omen auspicious instead of mixed\n" in text([emended])


def test_the_hour_chart_under_the_received_text() -> None:
    """001 ¶23: 開，... 忌丙午日時, read 壬午 by the officer line of 乾. The day is 丙午, so the received text forbids it."""
    j = hour_chart(["burial"])
    assert "qm-zang-068" not in j.fires
    received, emended = variants(j, ("still", "readings"))
    assert (received.reading, emended.reading) == ("received", "emended")
    assert "qm-zang-068" in ids(received.gained)
    assert "qm-zang-068" not in ids(emended.gained)


def test_the_hour_chart_as_emended() -> None:
    """001 ¶5: 逆生時, perhaps 逆生遲: the hour stem 乙 generates the day stem 丙, and the birth is late."""
    emended = variants(hour_chart(["childbirth"]), ("readings",))[1]
    assert ("qm-taichan-136", None, "birth-late") in [(a.id, a.value, b.value) for a, b in emended.changed]


def test_the_other_readings_are_those_that_the_base_does_not_take(judged: Judge) -> None:
    j = judged("大有", moving="2", month="卯", day="乙酉", topic="small-exam", conventions={"reading": "received"})
    graded, emended = variants(j, ("readings",))
    assert (graded.reading, emended.reading) == ("graded", "emended")
    assert "yy-xiaoshi-013" in ids(graded.gained) & ids(emended.gained)


def test_in_rdf_the_variants_stand_beside_the_base(judged: Judge) -> None:
    j = judged("履", moving="5", month="午", day="甲子")
    found = variants(j, ("still", "readings"))
    graph = cast_graph(j, found)
    base = URIRef(j.chart.iri)
    assert set(graph.subjects(RDF.type, URIRef(ns("Cast")))) == {base, *(URIRef(v.judgement.chart.iri) for v in found)}
    assert set(graph.subjects(URIRef(ns("variantCastOf")), base)) == {URIRef(v.judgement.chart.iri) for v in found}
    still = URIRef(next(v for v in found if v.line).judgement.chart.iri)
    assert list(graph.subject_objects(URIRef(ns("stilledLine")))) == [(still, Literal(5))]
    readings = {str(s): str(o) for s, o in graph.subject_objects(URIRef(ns("underReading")))}
    assert readings == {j.chart.iri: "graded", **{v.judgement.chart.iri: v.reading or "graded" for v in found}}
    assert (still, URIRef(ns("stands")), URIRef("https://w3id.org/guigu/clause/yy-taichan-087")) in graph


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_the_command_tells_what_changes() -> None:
    told = run(*LU, "--variants", "still").stdout
    section = told[told.index("If line 5 were still:") :]
    assert "  gained: yy-taichan-087 「如天澤履卦，乃陽包陰生女也」" in section
    assert "  lost: yy-taichan-144 「子動者易生」" in section
    assert "were still" not in run(*LU).stdout


def test_in_json_the_variants_keep_the_schema() -> None:
    schema = json.loads((folder("ontology") / "shapes" / "cast.schema.json").read_text("utf-8"))
    told = json.loads(run(*LU, "--variants", "readings", "--variants", "still", "--format", "json").stdout)
    jsonschema.Draft202012Validator(schema).validate(told)
    assert [(v["kind"], v.get("line"), v.get("reading")) for v in told["variants"]] == [
        ("still", 5, None),
        ("readings", None, "received"),
        ("readings", None, "emended"),
    ]
    assert "yy-taichan-087" in told["variants"][0]["gained"]
    assert "variants" not in json.loads(run(*LU, "--format", "json").stdout)


@pytest.mark.parametrize(("form", "parser"), [("ttl", "turtle"), ("jsonld", "json-ld")])
def test_in_both_forms_of_rdf(form: str, parser: str) -> None:
    graph = Graph().parse(data=run(*LU, "--variants", "still", "--format", form).stdout, format=parser)
    assert len(list(graph.subject_objects(URIRef(ns("variantCastOf"))))) == 1


def test_an_hour_chart_has_no_lines_to_still() -> None:
    hour = ["qimen", "--at", "2024-04-25T09:30+08:00", "--topic", "childbirth"]
    refused = run(*hour, "--variants", "still")
    assert refused.exit_code == 2
    assert "Traceback" not in refused.stderr
    assert [v["kind"] for v in json.loads(run(*hour, "--variants", "readings", "--format", "json").stdout)["variants"]] == ["readings", "readings"]


def test_where_nothing_changes_that_is_said(judged: Judge) -> None:
    nothing = Variant(judged("履", month="午", day="甲子"), "readings", None, "received", (), (), ())
    assert text([nothing]) == "\nUnder the reading 'received':\n  the same verdicts\n"
    assert data([nothing]) == [{"kind": "readings", "reading": "received", "lost": [], "gained": [], "changed": []}]
