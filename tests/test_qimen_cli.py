"""The command `guigu qimen`: three worked charts in every form, what narrows a question, and bad input."""

import json
import os
import re
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import RDF, BNode, Graph, Literal, Namespace, URIRef

from kg.answer import answer
from kg.asking import topics
from kg.cli import main
from kg.judgement import Judgement, judge, judge_all
from kg.render import judgement
from loader.calendar import BRANCHES, PAIRS
from loader.cast import AnyGiven
from loader.data import folder
from loader.iris import ns
from loader.liuyao import UNITS
from loader.ontology import ontology
from loader.qimen import CENTRE, QimenChart
from loader.qimen_given import QimenTyped, qimen_given
from tests.test_qimen_chart import FLYING, ROTATING, wanted

G = Namespace("https://w3id.org/guigu/ns/")
ID = "https://w3id.org/guigu/id/"
NAMES = ("坎一", "坤二", "震三", "巽四", "中五", "乾六", "兌七", "艮八", "離九")
AT = {"A": "2024-04-25T09:30+08:00", "B": "2023-10-12T14:20+08:00", "C": "2024-12-21T18:30+08:00"}
TYPED = {"A": ("穀雨", "陽8"), "B": ("寒露", "陰遁九局"), "C": ("冬至", "yang4")}
ALMANAC = {
    "A": {
        "term": "穀雨", "yuan": "下元", "ju": {"dun": "陽", "number": 8, "method": "chaibu"}, "xunshou": {"head": "甲子", "yi": "戊"},
        "zhifu": {"star": "天任", "from": 8, "to": 9}, "zhishi": {"door": "生門", "from": 8, "to": 4}, "void": ["戌", "亥"], "horse": ["巳"],
        "places": {"天門": "亥卯巳", "地戶": "午酉子卯", "天馬": "亥", "驛馬": "巳", "陽貴": "子", "陰貴": "申"},
    },
    "B": {
        "term": "寒露", "yuan": "中元", "ju": {"dun": "陰", "number": 9, "method": "chaibu"}, "xunshou": {"head": "甲寅", "yi": "癸"},
        "zhifu": {"star": "天輔", "from": 4, "to": 8}, "zhishi": {"door": "杜門", "from": 4, "to": 8}, "void": ["子", "丑"], "horse": ["巳"],
        "places": {"天門": "午戌子", "地戶": "申亥寅巳", "天馬": "午", "驛馬": "巳", "陽貴": "巳", "陰貴": "卯"},
    },
    "C": {
        "term": "冬至", "yuan": "下元", "ju": {"dun": "陽", "number": 4, "method": "chaibu"}, "xunshou": {"head": "甲子", "yi": "戊"},
        "zhifu": {"star": "天輔", "from": 4, "to": 9}, "zhishi": {"door": "杜門", "from": 4, "to": 4}, "void": ["戌", "亥"], "horse": ["巳"],
        "places": {"天門": "亥卯巳", "地戶": "戌丑辰未", "天馬": "亥", "驛馬": "巳", "陽貴": "子", "陰貴": "申"},
    },
}  # fmt: skip
"""What the almanac gives, by hand: 月將 酉 over 巳, 辰 over 未, 丑 over 酉; 建 辰 over 巳, 戌 over 未, 子 over 酉; the horse of the day."""
PATTERNS = {
    "A": "飛干1 螣蛇夭矯5 重詐6",
    "B": "五不遇時 白虎猖狂1 白入熒2 三奇入墓6 天網四張8 門迫8",
    # By hand too: the day is 未, the hour 酉, and of 杜門 on duty 酉 is forbidden.
    "C": "煞曜 門伏吟 月格2 白入熒2 白虎猖狂3 真詐6",
    "C by 置閏": "門伏吟 白虎猖狂2 月格3 白入熒3 三奇入墓8 真詐8",
    "C by 茅山": "門伏吟 地假3 月格8 白入熒8 白虎猖狂9",
    "A rotating": "歲悖格3 重詐3 大格4",
    "B rotating": "五不遇時 日悖格4 歲悖格4 飛鳥跌穴4 休詐7 天網四張8 門迫8",
    "C rotating": "煞曜 門伏吟 三奇入墓8 三奇得使8",
}
OPTIONS = {
    "C by 置閏": ["--convention", "ju=zhirun"],
    "C by 茅山": ["--convention", "ju=maoshan"],
    **{f"{name} rotating": ["--convention", "plate=rotating"] for name in AT},
}
GROUPS = {"伏吟", "返吟", "三詐", "五假", "九遁", "悖格"}
"""Patterns that name several others."""


@pytest.fixture(scope="module", autouse=True)
def _judge_once() -> Iterator[None]:
    """Judge each chart once for all the forms in which it is asked for: reasoning is the slow part."""
    known: dict[tuple[str, str], Judgement] = {}

    def once(given: AnyGiven, engine: str) -> Judgement:
        key = (given.iri, engine)
        return known.get(key) or known.setdefault(key, judge(given, engine))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kg.judgement.judge", once)
        yield


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@cache
def qimen(name: str, *more: str, topic: str = "childbirth") -> Result:
    result = run("qimen", "--at", AT[name[0]], *OPTIONS.get(name, []), "--topic", topic, *more)
    assert result.exit_code == 0, result.stderr
    return result


def data(name: str, *more: str, topic: str = "childbirth") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(qimen(name, *more, "--format", "json", topic=topic).stdout)
    schema = json.loads((folder("ontology") / "shapes" / "cast.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(found)
    return found


def fired(told: dict[str, Any]) -> set[str]:
    return {v["clause"] for v in told["verdicts"]}


def graph(name: str, *more: str, topic: str = "childbirth") -> Graph:
    return Graph().parse(data=qimen(name, *more, "--format", "ttl", topic=topic).stdout, format="turtle")


def typed(name: str, *more: str) -> list[str]:
    """The options that give a worked chart by its pillars."""
    pillars, (term, _) = FLYING[name][0].split(), TYPED[name]
    return ["qimen", *(x for u, p in zip(UNITS, pillars, strict=True) for x in (f"--{u}", p)), "--term", term, "--topic", "childbirth", *more]


# -- the three worked charts -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", AT)
def test_the_almanac_of_the_worked_charts(name: str) -> None:
    chart = data(name)["chart"]
    assert list(chart["pillars"].values()) == FLYING[name][0].split()
    places = {k: "".join(v) for k, v in chart["places"].items() if k != "私門"}
    assert {**{k: chart[k] for k in ALMANAC[name]}, "places": places} == ALMANAC[name]


@pytest.mark.parametrize("name", PATTERNS)
def test_plates_and_patterns_of_the_worked_charts(name: str) -> None:
    chart = data(name)["chart"]
    plates = ROTATING[name[0]][2] if "rotating" in name else FLYING[name][2]
    found = {}
    for p in chart["palaces"]:
        door = (p["door"] or "").removesuffix("門")
        found[p["name"]] = " ".join(x for x in (p["earth"], "".join(p["heaven"]), "+".join(p["star"]), door, p["spirit"], p["earth_spirit"]) if x)
        if "rotating" in name and p["number"] == CENTRE:
            assert (p["heaven"], p["star"], p["door"], p["spirit"], p["earth_spirit"]) == ([], [], None, None, None)
            del found[p["name"]]
    assert [p["number"] for p in chart["palaces"]] == list(range(1, 10))
    assert found == wanted(plates)
    shown = chart["patterns"]
    assert " ".join(f"{p['pattern']}{''.join(map(str, p['palaces']))}" for p in shown if p["pattern"] not in GROUPS) == PATTERNS[name]
    for p in chart["palaces"]:
        assert p["patterns"] == sorted(x["pattern"] for x in shown if p["number"] in x["palaces"])


@pytest.mark.parametrize(("name", "day", "hour", "frame"), [("A", "fire", "wood", "earth"), ("B", "metal", "fire", "water"), ("C", "fire", "metal", "metal")])
def test_melodies_and_frame_of_the_worked_charts(name: str, day: str, hour: str, frame: str) -> None:
    g = graph(name)
    (chart,) = g.subjects(RDF.type, G.Cast)
    for unit, element in (("day", day), ("hour", hour)):
        assert (URIRef(f"{chart}/pillar/{unit}-nayin"), G.element, URIRef(f"{ID}element/{element}")) in g
    assert list(g.subject_objects(G.frameElement)) == [(next(g.subjects(RDF.type, G.OriginPalace)), URIRef(f"{ID}element/{frame}"))]


@pytest.mark.parametrize("name", AT)
@pytest.mark.parametrize("with_ju", [True, False])
def test_pillars_with_term_and_ju_are_the_moment(name: str, with_ju: bool) -> None:
    result = run(*typed(name, *(["--ju", TYPED[name][1]] if with_ju else []), "--format", "json"))
    direct, moment = json.loads(result.stdout), data(name)
    assert direct["chart"]["ju"].pop("method") == ("given" if with_ju else "chaibu")
    moment["chart"]["ju"].pop("method")
    assert direct["chart"] == moment["chart"]
    # Pillars do not tell whether the term changes within the hour, as it does in C.
    assert fired(moment) - fired(direct) == ({"qm-taichan-182"} if name == "C" else set())
    assert fired(direct) <= fired(moment)
    assert (moment["not_judged"], direct["not_judged"]) == ([], [{"clause": "qm-taichan-182", "unknown": ["AtTermChange"]}])


def test_conventions_of_the_moment() -> None:
    late = ["qimen", "--at", "2024-04-25T23:30+08:00", "--topic", "childbirth", "--format", "json"]
    assert list(json.loads(run(*late).stdout)["chart"]["pillars"].values())[2:] == ["庚申", "丙子"]
    midnight = json.loads(run(*late, "--convention", "day-boundary=00:00").stdout)["chart"]
    assert list(midnight["pillars"].values())[2:] == ["己未", "丙子"]
    # The pillars of such an hour can be given too, and only under that convention.
    direct = [x.replace("己巳", "丙子") for x in typed("A", "--format", "json")]
    assert json.loads(run(*direct, "--convention", "day-boundary=00:00").stdout)["chart"] == midnight
    assert run(*direct).exit_code == 2
    assert data("A", "--convention", "void-pillar=day")["chart"]["void"] == ["子", "丑"]


# -- the forms of the answer -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["A", "C by 置閏", "A rotating"])
def test_text_form_draws_nine_palaces(name: str) -> None:
    text, chart = qimen(name).stdout, data(name)["chart"]
    boxes = [[cell.strip() for cell in line.strip("│").split("│")] for line in text.splitlines() if line.startswith("│")]
    assert len(boxes) == 12
    for row, numbers in enumerate(((4, 9, 2), (3, 5, 7), (8, 1, 6))):
        for column, number in enumerate(numbers):
            title, spirit, star, door = (boxes[4 * row + k][column] for k in range(4))
            p = chart["palaces"][number - 1]
            assert title.split()[0] == p["name"] == NAMES[number - 1]
            assert ("元" in title) == (number == chart["zhifu"]["from"])
            assert spirit == (p["spirit"] or "")
            assert star.split() == [x for x in ("+".join(p["star"]), "".join(p["heaven"])) if x]
            assert door.split() == [x for x in (p["door"], p["earth"]) if x]


def test_text_form_begins_with_the_almanac_and_quotes() -> None:
    lines = qimen("A").stdout.splitlines()
    assert lines[:4] == [
        "甲辰年  戊辰月  己未日  己巳時  旬空 戌亥",
        "穀雨下元  陽遁八局 (拆補)  旬首 甲子戊",
        "值符 天任 艮八→離九  值使 生門 艮八→巽四",
        "天門 亥卯巳  地戶 午酉子卯  天馬 亥  私門 巳子戌  驛馬 巳  陽貴 子  陰貴 申",
    ]
    assert "格 · 격 · patterns: 飛干（坎一）  螣蛇夭矯（中五）  三詐（乾六）  重詐（乾六）" in lines
    assert any("「生，胎產利」" in line for line in lines)
    assert any("qm-taichan-017 · 奇門遁甲秘笈大全 胎產占 ¶1 · 生門 in 巽四" in line for line in lines)


def test_why_is_shown_under_each_verdict() -> None:
    assert "✓" not in qimen("A").stdout
    assert "✓ 生門 in 巽四: 值使 — it is at home in 艮八, 5 hours ago" in qimen("A", "--why").stdout


@pytest.mark.parametrize(("form", "parser"), [("ttl", "turtle"), ("jsonld", "json-ld")])
def test_rdf_forms_have_palaces_patterns_and_verdicts(form: str, parser: str) -> None:
    g, told = Graph().parse(data=qimen("A", "--format", form).stdout, format=parser), data("A")
    (chart,) = g.subjects(RDF.type, G.Cast)
    palaces = {int(str(n)): p for p, n in g.subject_objects(G.number)}
    assert {(p, RDF.type, G.Palace) for p in palaces.values()} <= set(g)
    label = ontology().label
    for p in told["chart"]["palaces"]:
        me = palaces[p["number"]]
        assert [label(str(s)) for s in g.objects(me, G.heavenStem)] == p["heaven"]
        for prop, key in ((G.earthStem, "earth"), (G.palaceDoor, "door"), (G.palaceDeity, "spirit"), (G.earthDeity, "earth_spirit")):
            assert label(str(g.value(me, prop))) == p[key]
        assert sorted(label(str(s)) for s in g.objects(me, G.formsPattern)) == p["patterns"]
    assert {label(str(x)) for x in g.objects(chart, G.showsPattern)} == {p["pattern"] for p in told["chart"]["patterns"]}
    for prop, ids in ((G.fires, {v["clause"] for v in told["verdicts"]}), (G.stands, {v["clause"] for v in told["verdicts"] if v["standing"]})):
        assert {str(x).rsplit("/", 1)[-1] for x in g.objects(chart, prop)} == ids
    assert (chart, G.ju, Literal("陽遁8局 穀雨", lang="zh-hant")) in g
    # Nothing of the compiler: no class of an expression, no blank node, no OWL.
    nodes = {x for triple in g for x in triple if not isinstance(x, Literal)}
    kinds = {str(x).removeprefix(ID).split("/")[0] for x in nodes if str(x).startswith(ID)}
    assert kinds <= {"branch", "deity", "door", "element", "kin", "ninestar", "pair", "pattern", "stem", "topic"}
    assert not [x for x in nodes if isinstance(x, BNode) or "/owl#" in str(x)]


def test_same_input_same_bytes() -> None:
    assert qimen("A", "--format", "ttl").stdout == run("qimen", "--at", AT["A"], "--topic", "childbirth", "--format", "ttl").stdout


def test_output_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "answer.txt"
    assert qimen("A", "--output", str(target)).stdout == ""
    assert target.read_text("utf-8") == qimen("A").stdout

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    failed = run("qimen", "--at", AT["B"], "--topic", "childbirth", "--output", str(target))
    assert failed.exit_code == 2
    assert "No space left" in failed.stderr
    assert target.read_text("utf-8") == qimen("A").stdout
    assert list(tmp_path.iterdir()) == [target]


# -- what narrows the question -----------------------------------------------------------------------------------------


def persons(at: str, topic: str, born: str, sex: str | None = None) -> tuple[tuple[str, str | None], ...]:
    return tuple((p.birth, p.year_of_age) for p in qimen_given(QimenTyped(at=at, birth=born, sex=sex), (topic,))[0].persons)


def test_years_of_age_run_forward_for_men_and_backward_for_women() -> None:
    # In 2024 the 31st year: 30 from 丙寅 forward, 30 from 壬申 backward.
    assert persons(AT["A"], "burial", "1994", "man") == (("甲戌", "丙申"),)
    assert persons(AT["A"], "burial", "1994", "woman") == (("甲戌", "壬寅"),)
    assert persons(AT["A"], "burial", "1994") == (("甲戌", None),)
    # Of a birth the mother is meant.
    assert persons(AT["A"], "childbirth", "1994") == (("甲戌", "壬寅"),)
    # Before 立春 it is still the year before.
    assert persons("2024-01-20T09:30+08:00", "burial", "1994", "man") == (("甲戌", "乙未"),)
    # The first year, and the last that can be asked: 119 from the first.
    assert persons(AT["A"], "burial", "2024", "man") == (("甲辰", "丙寅"),)
    assert persons(AT["A"], "burial", "2024", "woman") == (("甲辰", "壬申"),)
    assert persons(AT["A"], "burial", "1905", "man") == (("乙巳", "乙丑"),)
    assert persons(AT["A"], "burial", "1905", "woman") == (("乙巳", "癸酉"),)
    assert persons(AT["A"], "burial", "甲戌", "man") == (("甲戌", None),)
    told = data("A", "--birth-year", "1994", "--sex", "man", topic="farming")
    assert told["cast"]["input"]["persons"] == [["person", "甲戌", "丙申"]]


def test_a_man_and_a_woman_of_a_marriage() -> None:
    both = ["--man-born", "1990", "--woman-born", "1993", "--ask", "first-marriage"]
    assert data("A", *both, topic="marriage")["cast"]["input"]["persons"] == [["man", "庚午", "庚子"], ["woman", "癸酉", "辛丑"]]
    g = graph("A", *both, topic="marriage")
    (chart,) = g.subjects(RDF.type, G.Cast)
    assert (chart, RDF.type, G.FirstMarriage) in g
    assert (URIRef(f"{chart}/natal/man-birth"), RDF.type, G.ManPillar) in g
    assert (URIRef(f"{chart}/natal/woman-birth"), G.pair, URIRef(f"{ID}pair/guiyou")) in g
    # 庚 of the man stands over 辛 in 坤二, 癸 of the woman over 丁 in the centre.
    for who, palace in (("man", 2), ("woman", 5)):
        assert (URIRef(f"{chart}/natal/{who}-birth"), G.landsIn, URIRef(f"{chart}/palace/{palace}")) in g


def test_the_mountain_of_a_grave() -> None:
    assert data("C", "--mountain", "子山", topic="burial")["cast"]["input"]["mountain"] == "zi"
    g = graph("C", "--mountain", "zi", topic="burial")
    assert [g.value(p, G.number) for p in g.subjects(RDF.type, G.SittingMountain)] == [Literal(1)]


def test_the_stem_of_a_crop() -> None:
    assert data("A", "--crop", "乙", topic="farming")["cast"]["input"]["crop"] == "yi"
    g = graph("A", "--crop", "乙", topic="farming")
    assert [str(x).split("/", 6)[-1] for x in g.subjects(RDF.type, G.ChiefStem)] == ["stem/yi"]


def test_which_birth_is_asked_about() -> None:
    assert data("B", "--ask", "second-birth")["cast"]["input"]["asks"] == ["second-birth"]
    assert len(list(graph("B", "--ask", "second-birth").subjects(RDF.type, G.SecondBirth))) == 1


def test_every_topic_keeps_the_schema_and_every_verdict_is_of_it() -> None:
    found = data("B", "--from", "2026-11-30", topic="all")
    assert found["cast"]["input"]["topics"] == list(topics("qimen"))
    assert {v["clause"].split("-")[0] for v in found["verdicts"]} == {"qm"}
    assert all(v["quote"] and v["because"] for v in found["verdicts"])


def test_the_schema_tells_the_two_kinds_apart() -> None:
    schema = json.loads((folder("ontology") / "shapes" / "cast.schema.json").read_text("utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    hour = data("A")
    cast = json.loads(run("cast", "--hexagram", "剝", "--topic", "childbirth", "--format", "json").stdout)
    assert validator.is_valid(cast)
    assert not validator.is_valid({**hour, "chart": cast["chart"]})
    assert not validator.is_valid({**cast, "chart": hour["chart"]})
    assert not validator.is_valid({**hour, "star_share": cast["star_share"]})
    assert not validator.is_valid({k: v for k, v in cast.items() if k != "asked"})


# -- why ---------------------------------------------------------------------------------------------------------------


def test_why_and_why_not() -> None:
    fires = run("why", "qm-taichan-017", "--at", AT["A"])
    assert fires.exit_code == 0
    assert fires.stdout.splitlines()[1:3] == ["qm-taichan-017 fires: 值使 and 生門", "  ✓ 生門 in 巽四: 值使 and 生門"]
    missed = json.loads(run("why", "qm-taichan-017", "--at", AT["B"], "--format", "json").stdout)
    assert missed["fires"] is False
    assert missed["because"][0]["holds"] is False
    by_pillars = run("why", "qm-taichan-017", *typed("A", "--ju", "陽8")[1:])
    assert by_pillars.stdout == fires.stdout
    marriage = run("why", "qm-hunyin-191", "--at", AT["A"], "--man-born", "1990", "--woman-born", "1993", "--convention", "plate=rotating")
    assert marriage.exit_code == 0


def test_why_of_each_tradition_refuses_the_options_of_the_other() -> None:
    hexagram = run("why", "qm-taichan-017", "--at", AT["A"], "--hexagram", "觀", "--toss", "--in-year", "2024")
    assert hexagram.exit_code == 2
    assert hexagram.stderr.startswith("guigu: --hexagram, --toss, --in-year: qm-taichan-017 judges hour charts, which do not read this.")
    assert "[GUIGU.INPUT]" in hexagram.stderr
    hour = run("why", "yy-taichan-037", "--hexagram", "觀", "--month", "辰", "--day", "戊辰", "--ju", "陽8", "--woman-born", "1994")
    assert hour.exit_code == 2
    assert hour.stderr.startswith("guigu: --ju, --woman-born: yy-taichan-037 judges hexagrams")
    assert run("why", "qm-taichan-017", "--at", AT["A"], "--seed", "0", "--age", "0").stderr.startswith("guigu: --seed, --age: ")
    assert run("why", "qm-taichan-017").stderr.endswith("[GUIGU.CAST.TIME]\n")
    assert run("why", "qm-taichan-999", "--at", AT["A"]).exit_code == 2


@pytest.mark.parametrize("command", ["qimen", "why"])
def test_help_shows_an_example(command: str) -> None:
    text = run(command, "--help").stdout
    assert "xample" in text
    assert "--at 2024-04-25T09:30+08:00" in text


# -- bad input ---------------------------------------------------------------------------------------------------------

BIRTH = ["--topic", "childbirth"]
A = ["--at", AT["A"]]
PILLARS = typed("A")[1:]
BAD = {
    "no time": BIRTH,
    "no topic": A,
    "a moment and pillars": [*A, "--day", "己未", *BIRTH],
    "a moment and a 局": [*A, "--ju", "陽8", *BIRTH],
    "a moment and a term": [*A, "--term", "穀雨", *BIRTH],
    "no term": typed("A")[1:9] + BIRTH,
    "no hour": ["--year", "甲辰", "--month", "戊辰", "--day", "己未", "--term", "穀雨", *BIRTH],
    "a branch for the month": ["--month", "辰", *typed("A")[5:], "--year", "甲辰"],
    "unknown term": [*PILLARS, "--term", "榖雨"],
    "a 局 of another term": [*PILLARS, "--ju", "陽3"],
    "a 局 of the other 遁": [*PILLARS, "--ju", "陰8"],
    "no 局": [*PILLARS, "--ju", "陽10"],
    "pillars without 局 by 置閏": [*PILLARS, "--convention", "ju=zhirun"],
    "an hour that the day has not": [*PILLARS, "--hour", "戊辰", "--hour", "辛巳"],
    "no such pair": [*PILLARS, "--day", "甲丑"],
    "before the range": ["--at", "1500-04-25T09:30+08:00", *BIRTH],
    "after the range": ["--at", "2101-04-25T09:30+08:00", *BIRTH],
    "no offset": ["--at", "2024-04-25T09:30", *BIRTH],
    "no such date": ["--at", "2024-02-30T09:30+08:00", *BIRTH],
    "bad zone": ["--at", "2024-04-25T09:30", "--zone", "Asia/Seul", *BIRTH],
    "a zone without a moment": [*PILLARS, "--zone", "Asia/Seoul"],
    "mean sun without longitude": [*A, *BIRTH, "--convention", "solar-time=mean"],
    "unknown topic": [*A, "--topic", "childbrith"],
    "a topic of the hexagrams only": [*A, "--topic", "smallpox"],
    "unknown mountain": [*A, "--topic", "burial", "--mountain", "子岩"],
    "unknown crop": [*A, "--topic", "farming", "--crop", "rice"],
    "unknown question": [*A, *BIRTH, "--ask", "birth-neer"],
    "first and second birth": [*A, *BIRTH, "--ask", "first-birth", "--ask", "second-birth"],
    "first marriage and another": [*A, "--topic", "marriage", "--ask", "first-marriage", "--ask", "remarriage"],
    "unknown convention": [*A, *BIRTH, "--convention", "moon=full"],
    "unknown option of a convention": [*A, *BIRTH, "--convention", "plate=round"],
    "convention without value": [*A, *BIRTH, "--convention", "plate"],
    "unknown engine": [*A, *BIRTH, "--engine", "hermit"],
    "bad date": [*A, *BIRTH, "--from", "tomorrow"],
    "bad birth year": [*A, *BIRTH, "--birth-year", "99"],
    "five digits": [*A, *BIRTH, "--birth-year", "19940"],
    "not yet born": [*A, *BIRTH, "--birth-year", "2025"],
    "not yet born, of either sex": [*A, "--topic", "burial", "--birth-year", "2025"],
    "older than any": [*A, *BIRTH, "--birth-year", "1904"],
    "a man not yet born": [*A, "--topic", "marriage", "--man-born", "2025"],
    "a woman older than any": [*A, "--topic", "marriage", "--woman-born", "1600"],
    "no such chapter": [*A, *BIRTH, "--chapter", "/no/such/chapter.yaml"],
}


@pytest.mark.parametrize("arguments", BAD.values(), ids=BAD.keys())
def test_bad_input_is_one_sentence_and_exit_2(arguments: list[str], tmp_path: Path) -> None:
    result = run("qimen", *arguments, "--output", str(tmp_path / "answer.txt"))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert re.fullmatch(r"guigu: .+ \[GUIGU(\.[A-Z]+)+\]\n", result.stderr)
    assert list(tmp_path.iterdir()) == []


def test_near_matches_are_named() -> None:
    for case, near in (("unknown topic", "childbirth"), ("unknown term", "穀雨"), ("unknown mountain", "子山"), ("a 局 of another term", "陽5 2 8")):
        assert near in run("qimen", *BAD[case]).stderr, case


HOSTILE = {"long": "x" * 100_000, "control": "\x00\x07\x1b[31m\n", "surrogate": "\ud800\udfff", "many characters": "甲" * 5000}
OURS = [
    "at",
    "zone",
    *UNITS,
    "topic",
    "ask",
    "term",
    "ju",
    "birth-year",
    "man-born",
    "woman-born",
    "mountain",
    "crop",
    "convention",
    "chapter",
    "engine",
    "from",
]
OURS += ["output"]
CLICKS = ["sex", "longitude", "reading", "format"]
"""Options of which click itself checks the value."""


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize("option", [*OURS, *CLICKS])
def test_hostile_text_is_refused_and_not_repeated_at_length(option: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = [*BIRTH, "--at", "2024-04-25T09:30"] if option == "zone" else BIRTH if option == "at" else PILLARS
    result = run("qimen", *arguments, f"--{option}", text)
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    if option in OURS:
        assert re.fullmatch(r"guigu: .+ \[GUIGU(\.[A-Z]+)+\]\n", result.stderr)
        assert len(result.stderr) < 1000
    assert list(tmp_path.iterdir()) == []


# -- any moment --------------------------------------------------------------------------------------------------------

MOMENTS = st.builds(
    lambda at, hours: at.replace(microsecond=0, tzinfo=timezone(timedelta(hours=hours))).isoformat(),
    st.datetimes(datetime(1900, 1, 1), datetime(2099, 12, 31)),
    st.integers(-12, 14),
)


def laid(at: str, topic: str, **conventions: str) -> QimenChart:
    return QimenChart(qimen_given(QimenTyped(at=at, conventions=conventions), (topic,))[0])


@settings(max_examples=60)
@given(MOMENTS, st.sampled_from(["flying", "rotating"]), st.sampled_from(["chaibu", "zhirun", "maoshan"]), st.sampled_from(["23:00", "00:00"]))
def test_the_chart_of_any_moment(at: str, plate: str, method: str, boundary: str) -> None:
    c = laid(at, "childbirth", plate=plate, ju=method, **{"day-boundary": boundary})
    label = ontology().label
    day, hour = (PAIRS.index(c.given.pillars[u]) for u in ("day", "hour"))
    assert hour // 12 == (day + (boundary == "00:00" and datetime.fromisoformat(at).hour == 23)) % 5
    assert label(c.head) == PAIRS[hour // 10 * 10]
    assert {label(b) for b in c.void} == set(BRANCHES) - {p[1] for p in PAIRS[hour // 10 * 10 : hour // 10 * 10 + 10]}
    # 戊 lies in the palace of the 局, and the other eight stems follow round the palaces.
    order = [(c.ju.number - 1 + (k if c.ju.yang else -k)) % 9 + 1 for k in range(9)]
    assert [label(c.palace(n).earth) for n in order] == list("戊己庚辛壬癸丁丙乙")
    terms = [label(t) for t in ontology().ordered("SolarTerm")]
    assert c.ju.term
    assert c.ju.yang == ((terms.index(c.ju.term) - terms.index("冬至")) % 24 < 12)
    if method != "zhirun":
        assert c.ju.term == c.given.term
    # Nothing is lost and nothing stands twice.
    for kind in ("heaven", "stars"):
        found = [s for p in c.palaces for s in getattr(p, kind)]
        assert len(found) == len(set(found)) == 9
    for kind in ("door", "deity"):
        found = [s for p in c.palaces if (s := getattr(p, kind))]
        assert len(found) == len(set(found)) == (9 if plate == "flying" else 8)
    assert c.star_on_duty in c.palace(c.arrival).stars
    assert c.instrument in c.palace(c.arrival).heaven
    assert c.palace(c.door_arrival).door == c.door_on_duty


@settings(max_examples=5)
@given(st.lists(MOMENTS, min_size=4, max_size=4, unique=True), st.sampled_from(topics("qimen")), st.sampled_from(["flying", "rotating"]), st.booleans())
def test_any_moment_and_topic_has_an_answer(moments: list[str], topic: str, plate: str, proofs: bool) -> None:
    # Four at a time: the axioms are closed once for all of them.
    for j in judge_all([laid(at, topic, plate=plate).given for at in moments]):
        text = judgement(j, proofs=proofs)
        assert len({len(line) for line in text.splitlines() if line.startswith(("┌", "├", "└"))}) == 1
        told = json.loads(json.dumps(answer(j), ensure_ascii=False))
        assert [v["clause"] for v in told["verdicts"]] == [c.id for c in j.clauses if c.id in j.fires]
        assert all(v["because"] for v in told["verdicts"])
        assert len(told["chart"]["patterns"]) == len(set(j.closed.leads(j.chart.iri, ns("showsPattern"))))
        order = [p["palaces"] or [0] for p in told["chart"]["patterns"]]
        assert order == sorted(order)
