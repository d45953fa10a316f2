"""guigu in a few calls: the same as the command line, with pictures for notebooks that hold nothing unescaped."""

import json
import subprocess
import sys
from html.parser import HTMLParser

import pyoxigraph as ox
import pytest
from click.testing import CliRunner

import kg
from kg import desk, page_parts
from kg.cli import main
from kg.rows import Rows
from loader.errors import InputError, QueryError, UnknownName


class Tags(HTMLParser):
    """Whether every element that is opened is closed, and the text that is shown."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.shown = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.shown += data


@pytest.fixture(scope="module")
def cast() -> desk.Cast:
    return kg.cast("雷山小過", moving=3, month="辰", day="戊辰", topic="childbirth")


def test_a_cast_is_that_of_the_command_line(cast: desk.Cast) -> None:
    arguments = ["cast", "--hexagram", "雷山小過", "--moving", "3", "--month", "辰", "--day", "戊辰", "--topic", "childbirth", "--format", "json"]
    told = json.loads(CliRunner().invoke(main, arguments).stdout)
    assert cast.iri == told["cast"]["iri"]
    assert [v.id for v in cast.verdicts] == [v["clause"] for v in told["verdicts"]]
    assert str(cast).startswith("辰月  戊辰日")


def test_verdicts_by_number_by_clause_and_by_aspect(cast: desk.Cast) -> None:
    boy = cast.verdicts["yy-taichan-088"]
    assert (boy.quote, boy.says, boy.sign, boy.stands) == ("雷地豫卦，乃陰包陽，生男也", "boy", "平", True)
    assert cast.verdicts[0].id == "yy-taichan-015"
    assert [v.id for v in cast.verdicts[:2]] == ["yy-taichan-015", "yy-taichan-019"]
    assert [v.id for v in cast.verdicts.on("gender")] == ["yy-taichan-088"]
    with pytest.raises(UnknownName, match="not a known verdict of this cast"):
        cast.verdicts["yy-taichan-087"]


def test_why_and_why_not(cast: desk.Cast) -> None:
    """000 ¶5: 豫 has yin around yang, so a boy; 履 would have yang around yin, a girl."""
    assert cast.why("yy-taichan-088").holds
    missed = cast.why("yy-taichan-087")
    assert not missed.holds
    assert "✗ the cast: 陽包陰" in repr(missed)
    with pytest.raises(UnknownName, match="ask that too"):
        cast.why("yy-xiaoshi-138")


def test_an_hour_chart_and_its_conflict() -> None:
    hour = kg.hour("2024-04-25T09:30+08:00", topic="childbirth", birth_year=1994)
    assert hour.verdicts["qm-taichan-017"].says == "easy delivery"
    assert ("gender", ("qm-taichan-106", "qm-taichan-018")) in hour.conflicts
    assert repr(hour).startswith("<己未日 己巳時 陽遁八局, childbirth:")


def test_options_as_python_has_them() -> None:
    one = kg.cast([8, 8, 9, 7, 8, 8], topic=["胎產", "heirs"], month="辰", day="戊辰")
    assert one.judgement.chart.given.topics == ("childbirth", "heirs")
    other = kg.cast("小過", moving=[3], topic="childbirth", month="辰", day="戊辰", convention={"body": "shishen"}, birth_year=1994, age=33)
    assert other.judgement.chart.given.conventions["body"] == "shishen"
    with pytest.raises(UnknownName, match="month"):
        kg.cast("小過", topic="childbirth", mouth="辰")
    with pytest.raises(InputError, match="no hexagram"):
        kg.cast(topic="childbirth")


def test_questions(cast: desk.Cast) -> None:
    midwife = kg.ask("aspect", aspect="穩婆")
    assert {"yy-taichan-021", "qm-taichan-004"} <= {row["clause"] for row in midwife}
    assert midwife[0]["quote"] == "五臨鬼，化婆有力"
    assert midwife.written("csv").splitlines()[0] == ",".join(midwife.columns)
    assert {row["clause"] for row in kg.books(cast).ask("verdicts")} >= {"yy-taichan-088"}
    assert kg.books() is kg.books()
    assert kg.sparql("ASK { clause:yy-taichan-088 g:quote '雷地豫卦，乃陰包陽，生男也'@lzh }") is True
    with pytest.raises(QueryError, match="gives a graph"):
        kg.sparql("CONSTRUCT WHERE { clause:yy-taichan-088 g:quote ?q }")
    with pytest.raises(UnknownName, match="aspect"):
        kg.ask("aspects")


def test_what_a_notebook_shows(cast: desk.Cast) -> None:
    table = kg.ask("aspect", aspect="穩婆")
    for shown in (cast, cast.verdicts, cast.verdicts[0], cast.why("yy-taichan-088"), cast.why("yy-taichan-087"), table):
        page = Tags(shown._repr_html_())
        assert not page.open
        assert page.shown
    assert "「雷地豫卦，乃陰包陽，生男也」" in Tags(cast._repr_html_()).shown
    assert "<svg" in cast._repr_html_()
    assert Tags(cast.why("yy-taichan-015")._repr_html_()).shown.count("二爻 and 官鬼") == 1
    assert 'class="lit line"' in cast.why("yy-taichan-015")._repr_html_()


def test_markup_in_data_is_text() -> None:
    evil = "<script>alert(1)</script>"
    rows = Rows(("<b>",), ((ox.Literal(evil),),))
    html = desk.Table(rows)._repr_html_()
    assert "<script" not in html
    assert "<b>" not in html
    assert Tags(html).shown == f"<b>{evil}"
    assert page_parts.markup("{}", evil) == "&lt;script&gt;alert(1)&lt;/script&gt;"


def test_importing_kg_loads_nothing_else() -> None:
    code = "import sys, kg; dir(kg); print([m for m in ('rdflib', 'pyoxigraph', 'kg.desk', 'loader') if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"
    with pytest.raises(AttributeError):
        kg.nothing  # noqa: B018 - that it is not there is the test


def test_a_verdict_is_in_the_verdicts_by_its_id(cast: desk.Cast) -> None:
    assert "yy-taichan-088" in cast.verdicts
    assert cast.verdicts[0] in cast.verdicts
    assert "yy-taichan-087" not in cast.verdicts
