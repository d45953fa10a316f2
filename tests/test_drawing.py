"""The drawings: charts as the books print them, well-formed, said in words, and lit exactly where the witnesses are."""

from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from kg.cli import main
from kg.drawing import drawing, mark
from kg.explanation import explanation, witnesses
from kg.judgement import Judgement, judge
from kg.typed import read
from loader import iris
from loader.cast import AnyChart, chart_of

SVG = "{http://www.w3.org/2000/svg}"
HOUR = {"at": "2024-04-25T09:30+08:00", "birth_year": "1994", "topic": ["childbirth"]}


def chart(tradition: str = "liuyao", **options: object) -> AnyChart:
    return chart_of(read({"topic": ["childbirth"], **options}, tradition)[0])


def parsed(found: Judgement | AnyChart, language: str = "en", lit: tuple[str, ...] = ()) -> ET.Element:
    return ET.fromstring(drawing(found, language, lit))  # noqa: S314 - our own drawing


def texts(root: ET.Element, individual: str) -> list[str]:
    """What stands in the group of an individual, parts of it left out that are groups of others."""
    group = next(e for e in root.iter() if e.get("id") == mark(individual))
    return [t.text or "" for t in group.findall(f"{SVG}text")]


@pytest.fixture(scope="module")
def xiaoguo(judged) -> Judgement:  # type: ignore[no-untyped-def]
    found: Judgement = judged("雷山小過", moving="3", month="辰", day="戊辰")
    return found


def test_a_hexagram_as_the_readme_shows_it(xiaoguo: Judgement) -> None:
    root, c = parsed(xiaoguo), xiaoguo.chart
    lines = [texts(root, iris.part(c.iri, "line", n)) for n in range(1, 7)]
    assert lines == [
        ["勾陳", "父母丙辰土", "應"],
        ["螣蛇", "官鬼丙午火", "胎"],
        ["白虎", "兄弟丙申金", "○"],
        ["玄武", "官鬼庚午火", "胎", "世"],
        ["青龍", "兄弟庚申金"],
        ["朱雀", "父母庚戌土", "空 月破 暗動"],
    ]
    assert texts(root, iris.part(c.iri, "hidden", 4)) == ["子孫丁亥水"]
    assert texts(root, iris.part(c.iri, "changed", 3)) == ["妻財乙卯木"]
    assert texts(root, iris.part(c.iri, "pillar", "day")) == ["戊辰日"]
    every = {t.text for t in root.iter(f"{SVG}text")}
    assert {"雷山小過", "之 雷地豫", "兌宮游魂", "旬空 戌亥　卦身 卯"} <= every


@pytest.mark.parametrize(
    ("options", "moving", "position", "expected"),
    [
        # 增刪卜易: 山地剝 with line 5 moving, 申月 戊子日
        ({"hexagram": "山地剝", "moving": "5", "month": "申", "day": "戊子"}, {5: "×"}, 5, "官鬼辛巳火"),
        # 增刪卜易: 雷火豐 with line 1 moving, 子月 乙亥日
        ({"hexagram": "雷火豐", "moving": "1", "month": "子", "day": "乙亥"}, {1: "○"}, 1, "官鬼丙辰土"),
    ],
)
def test_moving_lines_of_the_casebooks(options: dict[str, str], moving: dict[int, str], position: int, expected: str) -> None:
    c = chart(**options)
    root = parsed(c)
    marked = {n: m for n in range(1, 7) for m in texts(root, iris.part(c.iri, "line", n)) if m in "○×"}
    assert marked == moving
    assert texts(root, iris.part(c.iri, "changed", position)) == [expected]


def test_lines_stand_from_the_bottom_and_are_drawn_by_their_bars() -> None:
    c = chart(lines="7,7,8,7,9,6", month="午", day="甲子")
    root = parsed(c)
    groups = {n: next(e for e in root.iter() if e.get("id") == mark(iris.part(c.iri, "line", n))) for n in range(1, 7)}
    bars = {n: [b.get("class") for b in g.findall(f"{SVG}rect")][1:] for n, g in groups.items()}
    assert bars == {1: ["yang"], 2: ["yang"], 3: ["yin", "yin"], 4: ["yang"], 5: ["yang"], 6: ["yin", "yin"]}
    heights = [float(groups[n].findall(f"{SVG}rect")[0].get("y", "")) for n in range(1, 7)]
    assert heights == sorted(heights, reverse=True)


def test_nothing_is_drawn_that_is_not_known() -> None:
    drawn = drawing(chart(hexagram="乾為天", month="辰"))
    assert not [word for word in ("六神", "伏神", "之 ", "旬空", "青龍") if word in drawn]


def test_an_hour_chart_as_the_readme_shows_it() -> None:
    j = judge(read(HOUR, "qimen")[0])
    root, c = parsed(j), j.chart

    def palace(number: int) -> list[str]:
        group = next(e for e in root.iter() if e.get("id") == mark(iris.part(c.iri, "palace", number)))
        return [t.text or "" for t in group.iter(f"{SVG}text")]

    assert palace(4) == ["巽四", "馬", "勾陳", "天沖", "壬", "生門", "癸"]
    assert palace(9) == ["離九", "值符", "天任", "戊", "杜門", "己", "甲"]
    assert palace(1) == ["坎一", "螣蛇", "天英", "己", "中門", "庚", "日", "時"]
    assert palace(6) == ["乾六", "空", "朱雀", "天禽", "丁", "休門", "丙"]
    assert palace(8) == ["艮八", "元", "九天", "天柱", "乙", "傷門", "戊"]
    every = {t.text for t in root.iter(f"{SVG}text")}
    assert {"甲辰年", "己巳時", "旬空 戌亥", "穀雨下元 陽遁八局（拆補）", "旬首 甲子戊", "值符 天任 艮八→離九", "值使 生門 艮八→巽四", "年命 甲戌"} <= every
    # South stands on top and east on the left, as 洛書 has it: 四九二 over 三五七 over 八一六.
    frames = {n: root.find(f".//{SVG}g[@id='{mark(iris.part(c.iri, 'palace', n))}']/{SVG}rect[@class='frame']") for n in range(1, 10)}
    place = {n: (float(f.get("y", "")), float(f.get("x", ""))) for n, f in frames.items() if f is not None}
    assert sorted(place, key=lambda n: place[n]) == [4, 9, 2, 3, 5, 7, 8, 1, 6]


def test_a_rotating_plate_lodges_star_and_stem_and_leaves_the_centre_empty() -> None:
    c = chart("qimen", at="2024-04-25T09:30+08:00", convention=["plate=rotating"])
    root = parsed(c)
    assert texts(root, iris.part(c.iri, "palace", 5)) == ["中五", "丁"]
    one = root.find(f".//{SVG}g[@id='{mark(iris.part(c.iri, 'palace', 1))}']")
    assert one is not None
    assert {"天芮", "天禽", "辛", "丁"} <= {t.text for t in one.iter(f"{SVG}text")}


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("yy-taichan-015", {"line-2"}),  # 二臨鬼子災: line 2
        ("yy-taichan-105", {"", "line-4", "hidden-4"}),  # 伏下見子孫: what line 4 hides, and the cast, which has none
        ("yy-taichan-088", {""}),  # 陰包陽: the cast as a whole
    ],
)
def test_exactly_the_witnesses_are_lit(xiaoguo: Judgement, clause: str, expected: set[str]) -> None:
    root = parsed(xiaoguo, lit=witnesses(explanation(xiaoguo, clause).proofs))
    lit = {(e.get("id") or "").removeprefix(mark(xiaoguo.chart.iri)).removeprefix("-") for e in root.iter() if "lit" in (e.get("class") or "").split()}
    assert lit == expected
    filled = [e for e in root.iter(f"{SVG}rect") if e.get("class") == "back" and e.get("fill-opacity") != "0"]
    assert len(filled) == len(expected)


def test_ids_are_those_of_the_individuals_and_differ() -> None:
    j = judge(read(HOUR, "qimen")[0])
    ids = [e.get("id") for e in parsed(j).iter() if e.get("id")]
    assert len(ids) == len(set(ids))
    assert {mark(p.iri) for p in (*j.chart.palaces, *j.chart.plates)} <= set(ids)  # type: ignore[union-attr] # an hour chart


@pytest.mark.parametrize(("language", "said"), [("en", "line 3 siblings"), ("ko", "효 3 형제"), ("zh-hant", "爻 3 兄弟 丙申 金, 陽, 動化 妻財 乙卯 木")])
def test_it_is_said_for_those_who_do_not_see_it(xiaoguo: Judgement, language: str, said: str) -> None:
    root = parsed(xiaoguo, language)
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert description is not None
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    assert "雷山小過" in (title.text or "")
    assert said in (description.text or "")


@pytest.mark.parametrize("tradition", ["liuyao", "qimen"])
def test_no_style_no_script_no_colour_of_its_own(xiaoguo: Judgement, tradition: str) -> None:
    drawn = drawing(xiaoguo if tradition == "liuyao" else chart("qimen", **{k: v for k, v in HOUR.items() if k != "topic"}))
    root = ET.fromstring(drawn)  # noqa: S314 - our own drawing
    assert {e.tag.removeprefix(SVG) for e in root.iter()} == {"svg", "title", "desc", "g", "rect", "text"}
    assert not [a for e in root.iter() for a in e.attrib if a == "style" or a.startswith("on")]
    assert {e.get(a) for e in root.iter() for a in ("fill", "stroke")} <= {None, "none", "currentColor"}
    assert [float(n) for n in (root.get("viewBox") or "").split()][2:] == [float(root.get("width", "")), float(root.get("height", ""))]


def test_the_command_line_writes_the_same(xiaoguo: Judgement) -> None:
    arguments = ["--hexagram", "雷山小過", "--moving", "3", "--month", "辰", "--day", "戊辰", "--topic", "childbirth", "--format", "svg"]
    assert CliRunner().invoke(main, ["cast", *arguments]).stdout == drawing(xiaoguo)
