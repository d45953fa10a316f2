"""The command line: every documented command runs, and bad input gets one clear sentence and exit 2."""

import json
import re
from pathlib import Path

import jsonschema
import pyoxigraph as ox
import pytest
from click.testing import CliRunner, Result
from rdflib import Graph

from kg.cli import main
from loader.data import folder

CAST = ["cast", "--hexagram", "雷山小過", "--moving", "3", "--month", "辰", "--day", "戊辰", "--topic", "childbirth"]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_text_form_draws_the_chart_and_quotes() -> None:
    result = run(*CAST)
    assert result.exit_code == 0
    assert "雷山小過" in result.stdout
    assert "雷地豫" in result.stdout
    assert re.search(r"兄弟丙申金.*○", result.stdout)
    assert "「" in result.stdout
    assert "yy-taichan-" in result.stdout


def test_json_form_keeps_its_schema() -> None:
    result = run(*CAST, "--format", "json", "--from", "2026-11-30")
    data = json.loads(result.stdout)
    schema = json.loads((folder("ontology") / "shapes" / "cast.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(data)
    line = data["chart"]["lines"][2]
    assert (line["position"], line["branch"], line["kin"], line["moving"]) == (3, "申", "兄弟", True)
    assert line["changed"] == {"stem": "乙", "branch": "卯", "kin": "妻財"}
    assert data["chart"]["hexagram"] == {"number": 62, "name": "小過", "palace": "兌", "generation": 6}
    assert data["chart"]["pillars"] == {"year": None, "month": "辰", "day": "戊辰", "hour": None}
    assert data["chart"]["void"] == ["戌", "亥"]


@pytest.mark.parametrize(("form", "parser"), [("ttl", "turtle"), ("jsonld", "json-ld")])
def test_rdf_forms_parse(form: str, parser: str) -> None:
    result = run(*CAST, "--format", form)
    graph = Graph().parse(data=result.stdout, format=parser)
    assert graph.query("PREFIX g: <https://w3id.org/guigu/ns/> ASK { ?cast a g:Cast ; g:fires ?clause }").askAnswer


@pytest.mark.parametrize("command", [CAST, ["qimen", "--at", "2024-04-25T09:30+08:00", "--topic", "childbirth"]])
def test_rdf_forms_hold_no_relative_iris(command: list[str]) -> None:
    # A strict parser refuses them, and a lax one resolves them against the place of the file.
    assert len(list(ox.parse(run(*command, "--format", "ttl").stdout, format=ox.RdfFormat.TURTLE))) > 100


def test_same_input_same_bytes() -> None:
    assert run(*CAST, "--format", "ttl").stdout == run(*CAST, "--format", "ttl").stdout


BAD = {
    "five lines": ["--lines", "7,8,9,6,7", "--topic", "childbirth"],
    "a five": ["--lines", "7,8,5,6,7,8", "--topic", "childbirth"],
    "line seven moves": ["--hexagram", "乾", "--moving", "7", "--topic", "childbirth"],
    "unknown hexagram": ["--hexagram", "小遇", "--topic", "childbirth"],
    "no such pair": ["--hexagram", "剝", "--day", "甲丑", "--topic", "childbirth"],
    "no offset": ["--hexagram", "剝", "--at", "2026-11-30T10:20", "--topic", "childbirth"],
    "out of range": ["--hexagram", "剝", "--at", "1200-01-01T10:20+08:00", "--topic", "childbirth"],
    "unknown topic": ["--hexagram", "剝", "--topic", "childbrith"],
    "no topic": ["--hexagram", "剝"],
    "no hexagram": ["--topic", "childbirth"],
    "two hexagrams": ["--hexagram", "剝", "--toss", "--topic", "childbirth"],
    "two times": ["--hexagram", "剝", "--day", "甲子", "--at", "2026-11-30T10:20Z", "--topic", "childbirth"],
    "unknown engine": ["--hexagram", "剝", "--topic", "childbirth", "--engine", "hermit"],
    "unknown convention": ["--hexagram", "剝", "--topic", "childbirth", "--convention", "moon=full"],
    "unknown option of a convention": ["--hexagram", "剝", "--topic", "childbirth", "--convention", "body=head"],
    "convention without value": ["--hexagram", "剝", "--topic", "childbirth", "--convention", "body"],
    "unknown question": ["--hexagram", "剝", "--topic", "childbirth", "--ask", "birth-neer"],
    "near and far": ["--hexagram", "剝", "--topic", "childbirth", "--ask", "birth-near", "--ask", "birth-far"],
    "bad date": ["--hexagram", "剝", "--topic", "childbirth", "--from", "tomorrow"],
    "mean sun without longitude": ["--hexagram", "剝", "--topic", "childbirth", "--at", "2026-11-30T10:20Z", "--convention", "solar-time=mean"],
    "bad zone": ["--hexagram", "剝", "--topic", "childbirth", "--at", "2026-11-30T10:20", "--zone", "Asia/Seul"],
    "unknown relative": ["--hexagram", "剝", "--topic", "kin", "--relative", "graundfather"],
    "unknown role": ["--hexagram", "剝", "--topic", "office", "--role", "midwife"],
    "role where there is none": ["--hexagram", "剝", "--topic", "smallpox", "--role", "examiner"],
    "both elder": ["--hexagram", "剝", "--topic", "kin", "--relative", "妻", "--ask", "大問小", "--ask", "小問大"],
    "inner and outer": ["--hexagram", "剝", "--topic", "kin", "--ask", "inner-kin", "--ask", "outer-kin"],
    "not yet born": ["--hexagram", "剝", "--topic", "fate", "--age", "0"],
    "older than any": ["--hexagram", "剝", "--topic", "fate", "--age", "999"],
    "born after the year": ["--hexagram", "剝", "--topic", "fate", "--birth-year", "1994", "--in-year", "1980"],
    "a year without a birth year": ["--hexagram", "剝", "--topic", "fate", "--in-year", "2030"],
    "age and year": ["--hexagram", "剝", "--topic", "fate", "--age", "30", "--in-year", "2030", "--birth-year", "1994"],
    "bad birth year": ["--hexagram", "剝", "--topic", "childbirth", "--birth-year", "99"],
}


@pytest.mark.parametrize("arguments", BAD.values(), ids=BAD.keys())
def test_bad_input_is_one_sentence_and_exit_2(arguments: list[str], tmp_path: Path) -> None:
    target = tmp_path / "answer.txt"
    result = run("cast", *arguments, "--output", str(target))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert re.fullmatch(r"guigu: .+ \[GUIGU\.[A-Z.]+\]\n", result.stderr)
    assert "Traceback" not in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_near_matches_are_named() -> None:
    assert "childbirth" in run("cast", *BAD["unknown topic"]).stderr
    assert "小過" in run("cast", *BAD["unknown hexagram"]).stderr


def test_output_to_a_missing_folder() -> None:
    result = run(*CAST, "--output", "/no/such/folder/x.txt")
    assert result.exit_code == 2
    assert "Traceback" not in result.stderr


def test_why_and_why_not() -> None:
    fires = run("why", "yy-taichan-037", "--hexagram", "觀", "--month", "辰", "--day", "戊辰")
    assert fires.exit_code == 0
    assert "yy-taichan-037 fires" in fires.stdout
    missed = run("why", "yy-taichan-013", "--hexagram", "乾", "--month", "辰", "--day", "戊辰", "--format", "json")
    data = json.loads(missed.stdout)
    assert data["fires"] is False
    assert data["because"][0]["holds"] is False
    assert run("why", "yy-taichan-999", "--hexagram", "觀").exit_code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["--hexagram", "坎為水", "--month", "午", "--day", "甲子", "--topic", "kin", "--relative", "母"],
        ["--hexagram", "剝", "--month", "午", "--day", "甲子", "--topic", "kin", "--relative", "妻"],
        ["--hexagram", "大壯", "--at", "2026-11-30T10:20+08:00", "--topic", "fate", "--birth-year", "1994"],
        ["--hexagram", "大壯", "--month", "午", "--day", "甲子", "--topic", "fate", "--birth-year", "1994", "--in-year", "2006"],
        ["--hexagram", "否", "--moving", "3", "--month", "午", "--day", "乙卯", "--topic", "small-exam", "--role", "試官"],
        ["--hexagram", "震為雷", "--year", "甲子", "--month", "申", "--day", "甲子", "--hour", "甲子", "--topic", "all"],
        ["--hexagram", "鼎", "--year", "庚寅", "--month", "午", "--day", "甲子", "--topic", "ancestors", "--relative", "祖", "--reading", "received"],
    ],
)
def test_every_question_keeps_the_schema(arguments: list[str]) -> None:
    data = json.loads(run("cast", *arguments, "--format", "json", "--from", "2026-11-30").stdout)
    schema = json.loads((folder("ontology") / "shapes" / "cast.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(data)
    assert run("cast", *arguments).exit_code == 0


def test_the_answer_says_where_the_relative_and_the_limit_are() -> None:
    kin = json.loads(run("cast", "--hexagram", "坎為水", "--month", "午", "--day", "甲子", "--topic", "kin", "--relative", "母", "--format", "json").stdout)
    assert kin["asked"]["relative"]["position"] == 3
    assert kin["asked"]["relative"]["because"][-1] == "木 counts 3, down from line 5: 5 4 3"
    # Born in 1994, in 2006 thirteen years old: 大壯 begins at seven on line 4, so from twelve line 5, 申.
    life = ["--hexagram", "大壯", "--month", "午", "--day", "甲子", "--topic", "fate", "--birth-year", "1994", "--in-year", "2006", "--format", "json"]
    assert json.loads(run("cast", *life).stdout)["asked"]["limit"] == {"figure": "line", "position": 5, "branch": "申", "from": 12, "to": 16}


def test_why_shows_the_sum() -> None:
    text = run("why", "yy-xiaoshi-138", "--hexagram", "否", "--moving", "3", "--month", "午", "--day", "乙卯", "--year", "甲子", "--hour", "甲子").stdout
    assert "乙 8 + 卯 6 + 丙 7 + 申 7 + 乙 8 + 卯 6 = 42" in text
    assert "never fires" in text
    none = run("why", "yy-feigong-019", "--hexagram", "否", "--month", "午", "--day", "乙卯")
    assert "has no condition" in none.stdout
    count = run("why", "yy-feigong-003", "--hexagram", "坎為水", "--month", "午", "--day", "甲子", "--relative", "mother").stdout
    assert "母 is controlled by 父: 木 (yy-feigong-003)" in count
    assert "木 counts 3, down from line 5: 5 4 3" in count


def test_topics_are_a_tree_with_what_narrows_them() -> None:
    data = {t["topic"]: t for t in json.loads(run("topics", "--format", "json").stdout)}
    assert data["midwife"]["parent"] == "childbirth"
    assert data["year-fortune"]["passages"] == ["003 ¶8", "003 ¶9", "003 ¶10"]
    assert {"ask": "contract-date", "passages": ["000 ¶20"]}.items() <= {k: data["post"]["asks"][0][k] for k in ("ask", "passages")}.items()
    assert {r["role"] for r in data["office"]["roles"]} >= {"ruling-minister", "clerk"}


def test_topics_and_conventions() -> None:
    assert "childbirth" in run("topics").stdout
    assert {t["topic"] for t in json.loads(run("topics", "--format", "json").stdout)} >= {"childbirth", "midwife", "wet-nurse", "smallpox", "heirs"}
    assert "star-pillars" in run("topics", "--conventions").stdout


def test_toss_with_a_seed_repeats_itself() -> None:
    arguments = ["cast", "--toss", "--seed", "7", "--month", "辰", "--day", "戊辰", "--topic", "heirs", "--format", "json"]
    assert run(*arguments).stdout == run(*arguments).stdout


def test_dates_are_named() -> None:
    result = run("cast", "--hexagram", "渙", "--at", "2026-11-30T10:20+08:00", "--topic", "childbirth", "--ask", "birth-near", "--dates")
    # 渙: the fetus line is 午, and the next 子 day after 2026-11-30 is 2026-12-04.
    assert "子 day" in result.stdout
    assert "2026-12-04" in result.stdout


@pytest.mark.parametrize("command", [[], ["cast"], ["why"], ["topics"], ["kinship"], ["check"], ["export"]])
def test_help_shows_an_example(command: list[str]) -> None:
    text = run(*command, "--help").stdout
    assert "xample" in text
    assert "guigu " in text


def test_a_moment_at_a_term_is_reported_as_uncertain() -> None:
    """立春 2022 fell at 04:51 in Beijing; two minutes before, the year pillar hangs on the ephemeris."""
    result = run("cast", "--hexagram", "剝", "--at", "2022-02-04T04:49+08:00", "--topic", "childbirth", "--format", "json")
    assert result.exit_code == 0
    assert "note:" in result.stderr
    assert "立春" in result.stderr
    assert "立春" in json.loads(result.stdout)["notes"][0]
    assert "note:" not in run("cast", "--hexagram", "剝", "--at", "2022-02-04T04:00+08:00", "--topic", "childbirth").stderr
