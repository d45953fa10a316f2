"""The pages of casts, without a server: forms, answers by the same judgement as the command line, faults beside their fields."""

import asyncio
import io
import json
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from threading import Event
from urllib.parse import parse_qs, urlencode, urlsplit

import pyoxigraph as ox
import pytest
from click.testing import CliRunner
from httpx2 import Response
from pypdf import PdfReader
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.testclient import TestClient

from kg.cli import main
from kg.drawing import mark
from kg.server.faults import status, told
from kg.server.shield import Shield
from kg.typed import OWN, SHARED
from kg.web import casting, frame
from kg.web.bench import Bench
from kg.web.cast_months import Rule, months
from kg.web.cast_query import LONGEST, MOST, address, asked
from loader import iris
from loader.errors import EngineError, GuiguError, InputError
from loader.hexagram_input import toss
from loader.saying import LANGUAGES

XIAOGUO = {"hexagram": "雷山小過", "moving": "3", "month": "辰", "day": "戊辰", "topic": "childbirth"}
HOUR = {"tradition": "qimen", "at": "2024-04-25T09:30+08:00", "birth-year": "1994", "topic": "childbirth"}
CLI = ["cast", "--hexagram", "雷山小過", "--moving", "3", "--month", "辰", "--day", "戊辰", "--topic", "childbirth"]
CLI_HOUR = ["qimen", "--at", "2024-04-25T09:30+08:00", "--birth-year", "1994", "--topic", "childbirth"]
VOID = {"input", "meta", "link", "br", "img", "hr"}


class Page(HTMLParser):
    """A page: its elements with their attributes and their text, in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[list[str]] = []
        self._open: list[int] = []
        self.feed(html)
        assert not self._open, "an element is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {k: v or "" for k, v in attrs}))
        self.texts.append([])
        if tag not in VOID:
            self._open.append(len(self.elements) - 1)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {k: v or "" for k, v in attrs}))
        self.texts.append([])

    def handle_endtag(self, tag: str) -> None:
        assert self.elements[self._open.pop()][0] == tag, tag

    def handle_data(self, data: str) -> None:
        for i in self._open:
            self.texts[i].append(data)

    def all(self, tag: str, **wanted: str) -> Iterator[tuple[dict[str, str], str]]:
        """Attributes and text of the elements of a tag, and of a class or id."""
        for (name, attributes), text in zip(self.elements, self.texts, strict=True):
            if name == tag and all(value in attributes.get(key, "").split() for key, value in wanted.items()):
                yield attributes, " ".join("".join(text).split())

    def one(self, tag: str, **wanted: str) -> tuple[dict[str, str], str]:
        (found,) = self.all(tag, **wanted)
        return found


@cache
def command(*arguments: str) -> str:
    """What the command line prints."""
    return CliRunner().invoke(main, list(arguments)).stdout


def _fault(_request: Request, error: Exception) -> Response:
    assert isinstance(error, GuiguError)
    return told(error)  # type: ignore[return-value] # what the server makes of a fault where no page tells it


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    application = Starlette(routes=[*casting.routes(), *frame.routes()], middleware=[Middleware(Shield)], exception_handlers={GuiguError: _fault})  # type: ignore[dict-item]
    with TestClient(application, follow_redirects=False) as found:
        yield found


def page(client: TestClient, status_code: int = 200, path: str = "/cast", **parameters: str | list[str]) -> Page:
    response = client.get(f"{path}?{urlencode({k.replace('_', '-'): v for k, v in parameters.items()}, doseq=True)}")
    assert response.status_code == status_code, response.text[:300]
    return Page(response.text)


# --- the address


def test_an_address_is_one_for_one_cast() -> None:
    given = [*reversed(list(XIAOGUO.items())), ("year", ""), ("utm_source", "x"), ("moving", "3"), ("topic", "childbirth")]
    assert asked(given).address() == address(XIAOGUO)
    assert dict(parse_qs(urlsplit(address(HOUR)).query)) == {k: [v] for k, v in HOUR.items()}
    assert asked(parse_pairs(address(HOUR))) == asked(HOUR.items())


def parse_pairs(url: str) -> list[tuple[str, str]]:
    return [(k, v) for k, values in parse_qs(urlsplit(url).query).items() for v in values]


def test_an_address_has_its_limits() -> None:
    assert asked([("hexagram", "x" * LONGEST)]).value("hexagram") == "x" * LONGEST
    for bad in ([("hexagram", "x" * (LONGEST + 1))], [("topic", "heirs")] * (MOST + 1), [("tradition", "tarot")], [("line1", "7"), ("line2", "7")]):
        with pytest.raises(InputError):
            asked(bad)


# --- the form


@pytest.mark.parametrize(("tradition", "other"), [("liuyao", "qimen"), ("qimen", "liuyao")])
def test_the_form_has_a_labelled_field_for_every_option(client: TestClient, tradition: str, other: str) -> None:
    found = page(client, tradition=tradition)
    fields = [a for tag in ("input", "select") for a, _ in found.all(tag) if a.get("type") not in ("hidden", "checkbox")]
    labels = {a["for"] for a, _ in found.all("label") if "for" in a}
    assert {a["id"] for a in fields} <= labels
    names = {a["name"] for tag in ("input", "select", "button") for a, _ in found.all(tag) if "name" in a}
    options = {o.replace("_", "-") for o in (*OWN[tradition], *SHARED)} - {"seed", "lines"}
    assert options <= names
    assert not {o.replace("_", "-") for o in OWN[other]} & names
    assert found.one("form", **{"class": "cast"})[0]["method"] == "get"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_form_speaks_three_languages_and_keeps_the_one_asked_for(client: TestClient, language: str) -> None:
    found = page(client, lang=language)
    words = {"en": "Six numbers, from the bottom", "ko": "아래부터 여섯 수", "zh-hant": "自下而上六數"}
    assert found.one("p", id="six")[1] == words[language]
    assert [a["value"] for a, _ in found.all("input") if a["name"] == "lang"] == [language]
    assert "fault" not in [a.get("class") for _, a in found.elements]


def test_the_six_fields_lead_to_the_address_of_the_cast(client: TestClient) -> None:
    typed = {f"line{n}": v for n, v in enumerate("889788", 1)} | {"hexagram": "", "month": "辰", "day": "戊辰", "topic": "childbirth", "go": "1", "lang": "ko"}
    response = client.get("/cast?" + urlencode(typed))
    assert response.status_code == 303
    assert response.headers["location"] == address({"lines": "8,8,9,7,8,8", "month": "辰", "day": "戊辰", "topic": "childbirth"}) + "&lang=ko"
    again = page(client, **dict(parse_pairs(response.headers["location"])), edit="1")
    chosen = [a["value"] for tag, a in again.elements if tag == "option" and "selected" in a and a["value"] in "6789"]
    assert chosen == list("889788")[::-1]  # line 6 stands on top


def test_a_toss_leads_to_the_address_of_its_lines(client: TestClient) -> None:
    first = client.get("/cast?toss=1&seed=7&hexagram=泰&month=辰&topic=heirs").headers["location"]
    assert dict(parse_pairs(first)) == {"lines": ",".join(map(str, toss(7))), "month": "辰", "topic": "heirs"}
    free = {client.get("/cast?toss=1").headers["location"] for _ in range(12)}
    assert len(free) > 1
    assert all(re.fullmatch(r"/cast\?lines=[6-9](%2C[6-9]){5}", one) for one in free)
    assert client.get("/cast?toss=1&seed=-1").status_code == 400
    page(client, **dict(parse_pairs(free.pop())))  # lines without a question: the form, and no fault


@pytest.mark.parametrize(
    ("given", "field", "said"),
    [
        ({"hexagram": "雷山大過"}, "hexagram", "is not a known hexagram. Did you mean"),
        ({"moving": "7"}, "moving", "7"),
        ({"topic": "birds"}, "topic", "is not a known topic"),
        ({"topic": "", "go": "1"}, "topic", "no topic"),
        ({"month": "戊申酉"}, "month", "戊申酉"),
        ({"lines": "777777"}, "hexagram", "both give the hexagram"),
        ({"relative": "cat"}, "relative", "is not a known relative"),
        ({"age": "old"}, "age", "is no number"),
        ({"birth-year": "19"}, "birth-year", "is no year"),
        ({"convention": "body=soul"}, "convention", "no option"),
        ({"ask": ["birth-near", "birth-far"]}, "ask", "cannot be both"),
        ({"month": "", "day": "", "at": "2026-11-30T10:20"}, "at", "has no UTC offset"),
        ({"at": "2026-11-30T10:20+08:00"}, "month", "both give the time"),
    ],
)
def test_a_fault_stands_beside_its_field_and_what_was_typed_is_kept(client: TestClient, given: dict[str, str | list[str]], field: str, said: str) -> None:
    typed: dict[str, str | list[str]] = {**XIAOGUO, **given}
    found = page(client, 400, **typed)
    assert said in found.one("p", id=f"fault-{field}")[1]
    assert said in found.one("div", **{"class": "faults"})[1]
    assert "--" not in found.one("p", id=f"fault-{field}")[1]
    values = {a["name"]: a.get("value") for a, _ in found.all("input") if a.get("type") == "text" or "type" not in a or a["name"] == "at"}
    for name in ("hexagram", "moving", "month", "day", "at", "birth-year", "age"):
        assert values[name] == typed.get(name, ""), name
    checked = [a["value"] for a, _ in found.all("input") if "checked" in a and a["name"] == "topic"]
    assert checked == ([typed["topic"]] if typed["topic"] == "childbirth" else [])


def test_an_hour_chart_without_its_term_says_so(client: TestClient) -> None:
    found = page(client, 400, tradition="qimen", topic="farming", year="甲辰", month="戊辰", day="己未", hour="己巳")
    assert "pillars alone do not tell the solar term" in found.one("p", id="fault-term")[1]
    assert "all four pillars" in page(client, 400, tradition="qimen", topic="farming", year="甲辰").one("p", id="fault-at")[1]


# --- the answer


def test_the_cast_of_the_readme(client: TestClient) -> None:
    found = page(client, **XIAOGUO)
    attributes, text = found.one("article", id="yy-taichan-088")
    assert "「雷地豫卦，乃陰包陽，生男也」" in text
    assert "boy" in text
    assert "平" in text
    assert "If offspring is still and yin encloses yang" in text
    assert "/page/clause/yy-taichan-088" in {a["href"] for a, _ in found.all("a")}
    data = json.loads(command(*CLI, "--format", "json"))
    assert [a["id"] for a, _ in found.all("article")] == [v["clause"] for v in data["verdicts"]]
    assert data["cast"]["iri"] in [text for _, text in found.all("code")]
    assert found.one("svg")[0]["id"] == mark(data["cast"]["iri"])
    assert (attributes["class"], found.one("article", id="yy-taichan-015")[0]["class"]) == ("verdict ", "verdict ill")


def test_the_hour_chart_of_the_readme(client: TestClient) -> None:
    found = page(client, **HOUR)
    assert "「生，胎產利」" in found.one("article", id="qm-taichan-017")[1]
    iri = json.loads(command(*CLI_HOUR, "--format", "json"))["cast"]["iri"]
    why = next(a for a, text in found.all("details") if "生門 in 巽四" in text)
    assert why["data-lit"] == mark(iris.part(iri, "door", "life"))
    conflicts = found.one("section", **{"aria-labelledby": "conflicts-heading"})[1]
    assert "girl (qm-taichan-106) against" in conflicts
    assert "boy (qm-taichan-018)" in conflicts


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("given", [XIAOGUO | {"relative": "mother", "variants": "still"}, HOUR | {"clause": "qm-taichan-017"}], ids=["liuyao", "qimen"])
def test_an_answer_in_each_language(client: TestClient, given: dict[str, str], language: str) -> None:
    found = page(client, **given, lang=language)
    assert found.elements[1][1] == {"lang": {"zh-hant": "zh-Hant"}.get(language, language)} or found.elements[0][1]["lang"]
    ours = [a["href"] for a, _ in found.all("a") if a.get("href", "").startswith("/cast?") and "hreflang" not in a]
    assert ours
    assert all(f"lang={language}" in href for href in ours)
    reading = found.one("article", id="yy-taichan-088" if "hexagram" in given else "qm-taichan-017")[1]
    words = {"en": "If ", "ko": "까닭", "zh-hant": "何故"}
    assert words[language] in reading
    heads = [int(tag[1]) for tag, _ in found.elements if re.fullmatch("h[1-6]", tag)]
    assert heads[0] == 1
    assert all(b - a <= 1 for a, b in pairwise(heads))


def test_without_javascript_a_link_lights_the_witnesses(client: TestClient) -> None:
    found = page(client, **XIAOGUO)
    link = next(a["href"] for a, _ in found.all("a") if a.get("href", "").endswith("clause=yy-taichan-015#chart"))
    lit = Page(client.get(link).text)
    cast = found.one("svg")[0]["id"]
    assert [a["id"] for a, _ in lit.all("g", **{"class": "lit"})] == [f"{cast}-line-2"]
    assert "二臨鬼子災" in lit.one("div", id="focus")[1]
    assert not list(found.all("g", **{"class": "lit"}))
    # What JavaScript lights is the same.
    assert f"{cast}-line-2" in [a["data-lit"] for a, _ in found.all("details", **{"class": "why"})]


def test_why_not(client: TestClient) -> None:
    """000 ¶5: 履 has yang around yin, a girl; 豫, to which this cast goes, has it the other way round."""
    focus = page(client, **XIAOGUO, clause="yy-taichan-087").one("div", id="focus")[1]
    assert "does not hold; the nearest miss" in focus
    assert "✗does not hold the cast: 陽包陰" in focus
    assert "is not a known clause of the topics asked" in page(client, 400, **XIAOGUO, clause="qm-taichan-017").one("div", **{"class": "faults"})[1]


def test_times_stand_on_a_calendar(client: TestClient) -> None:
    """000 ¶7: the birth is on the day of the hidden offspring, here 亥; 2026-12-03 is a 己亥 day, and it comes back every twelve days."""
    found = page(client, **XIAOGUO, **{"from": "2026-11-30"})
    assert [text.split()[0] for _, text in found.all("td", **{"class": "due"})] == ["3", "15", "27"]
    assert found.one("caption")[1] == "2026-12"
    assert "2026-12-03, 2026-12-15, 2026-12-27" in found.one("li", id="rule-1")[1]
    weeks = [text for _, text in found.all("tr")]
    assert weeks[:2] == ["MonTueWedThuFriSatSun", "123 1456"]  # 2026-12-01 is a Tuesday
    assert "is no date" in page(client, 400, **XIAOGUO, **{"from": "soon"}).one("div", **{"class": "faults"})[1]


def test_months_are_few_and_whole() -> None:
    from datetime import date

    days = tuple(date(2026, m, 15) for m in range(1, 13))
    found = months([Rule(1, None, None, {"day": days})])  # type: ignore[arg-type] # only its days are read
    assert [(m.year, m.month) for m in found] == [(2026, n) for n in range(1, 7)]
    assert sum(day is not None for week in found[1].weeks for day in week) == 28
    assert [day.date.day for week in found[1].weeks for day in week if day and day.rules] == [15]


def test_what_is_not_known_is_told(client: TestClient) -> None:
    found = page(client, hexagram="渙", month="午", topic="childbirth")
    want = found.one("section", **{"aria-labelledby": "open-heading"})[1]
    assert "day pillar" in want
    data = json.loads(CliRunner().invoke(main, ["cast", "--hexagram", "渙", "--month", "午", "--topic", "childbirth", "--format", "json"]).stdout)
    for one in data["not_judged"]:
        assert one["clause"] in want


def test_variants(client: TestClient) -> None:
    """000 ¶5: were line 5 of 履 still, offspring would be still, and yang around yin a girl."""
    text = page(client, hexagram="履", moving="5", month="午", day="甲子", topic="childbirth", variants="still").one(
        "section", **{"aria-labelledby": "variants-heading"}
    )[1]
    assert "If line 5 were still" in text
    assert "gained 如天澤履卦，乃陽包陰生女也 yy-taichan-087" in text
    assert "lost 子動者易生 yy-taichan-144" in text
    page(client, 400, **XIAOGUO, variants="moving")


# --- the same answer in other forms


@pytest.mark.parametrize(("given", "line"), [(XIAOGUO, CLI), (HOUR, CLI_HOUR)], ids=["liuyao", "qimen"])
@pytest.mark.parametrize("form", ["ttl", "jsonld", "json"])
def test_a_document_is_that_of_the_command_line(client: TestClient, given: dict[str, str], line: list[str], form: str) -> None:
    response = client.get(f"/cast.{form}", params=given)
    assert response.status_code == 200
    assert response.headers["content-type"] == casting.MEDIA[form]
    assert response.text == command(*line, "--format", form)
    iri = re.search(r"<(\S+)>", response.headers["link"])
    assert iri
    assert iris.key(iri[1]) in response.headers["content-disposition"]
    assert client.get(f"/cast.{form}", params=given, headers={"If-None-Match": response.headers["etag"]}).status_code == 304
    if form == "ttl":
        fires = {
            q.object.value
            for q in ox.parse(response.content, format=ox.RdfFormat.TURTLE)
            if q.predicate.value == iris.ns("fires") and q.subject.value == iri[1]
        }
        assert iris.clause("yy-taichan-088" if given is XIAOGUO else "qm-taichan-017") in fires


def test_the_pdf_can_be_read(client: TestClient) -> None:
    def text(given: dict[str, str], **more: str) -> str:
        response = client.get("/cast.pdf", params=given | more)
        assert (response.status_code, response.headers["content-type"]) == (200, "application/pdf")
        assert response.content == client.get("/cast.pdf", params=given | more).content
        return "".join(p.extract_text() for p in PdfReader(io.BytesIO(response.content)).pages)

    english, korean, hour = text(XIAOGUO), text(XIAOGUO, lang="ko"), text(HOUR, lang="zh-hant")
    for words in ("雷山小過", "兄弟丙申金", "雷地豫卦，乃陰包陽，生男也", "yy-taichan-088", "boy"):
        assert words in english
    assert "뇌지예" in korean
    assert "생기" in korean
    assert "胎產利" in hour
    assert "己巳時" in hour


def test_the_svg_may_be_lit(client: TestClient) -> None:
    plain, lit = (client.get("/cast.svg", params=XIAOGUO | more).text for more in ({}, {"clause": "yy-taichan-015"}))
    assert (plain.count('"lit '), lit.count('"lit ')) == (0, 1)


def test_no_such_document(client: TestClient) -> None:
    assert client.get("/cast.exe", params=XIAOGUO).status_code == 404
    for form in casting.MEDIA:
        assert client.get(f"/cast.{form}", params=XIAOGUO | {"hexagram": "no"}).status_code == 400


# --- strangers


HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "\x00",
    "\ud7ff\uffff",
    "١",
    "9" * 99,
    "-1",
    "{{7*7}}",
    "' } DROP",
    "=",
    "𝟗",
    "../../etc/passwd",
    "%s%n",
]


@pytest.mark.parametrize("base", [XIAOGUO, HOUR], ids=["liuyao", "qimen"])
def test_no_value_of_any_parameter_is_more_than_text(client: TestClient, base: dict[str, str]) -> None:
    own = OWN[base.get("tradition", "liuyao")]
    names = {o.replace("_", "-") for o in (*own, *SHARED)} | {"tradition", "clause", "from", "variants", "line1", "lang", "edit"}
    for n, name in enumerate(sorted(names)):
        for value in (HOSTILE[(3 * n + k) % len(HOSTILE)] for k in range(3)):
            response = client.get("/cast", params=base | {name: value})
            assert response.status_code in (200, 303, 400), (name, value)
            assert not (value.startswith(("<", '"')) and value in response.text), name
            Page(response.text)


def test_many_parameters_are_refused(client: TestClient) -> None:
    assert client.get("/cast?" + "&".join(f"topic=t{n}" for n in range(500))).status_code == 400
    assert client.get("/cast?" + urlencode({"hexagram": "泰" * 5_000})).status_code == 400


def test_nothing_is_inline(client: TestClient) -> None:
    for given in ({}, XIAOGUO, HOUR):
        found = page(client, **given)
        assert not [a for _, a in found.elements if "style" in a or any(k.startswith("on") for k in a)]
        assert all("src" in a for a, _ in found.all("script"))
        assert not list(found.all("style"))
        for tag, key in (("script", "src"), ("link", "href"), ("img", "src")):
            assert all(a[key].startswith("/") and not a[key].startswith("//") for a, _ in found.all(tag))


def test_no_more_than_some_may_wait() -> None:
    async def crowd() -> list[tuple[int, str]]:
        bench, gate = Bench(at_once=1, waiting=2), Event()
        first = [asyncio.create_task(bench.run(gate.wait)) for _ in range(3)]
        await asyncio.sleep(0.05)
        refused: list[tuple[int, str]] = []
        for _ in range(2):
            with pytest.raises(EngineError) as fault:
                await bench.run(lambda: True)
            refused.append((status(fault.value), told(fault.value).headers["retry-after"]))
        gate.set()
        assert await asyncio.gather(*first) == [True] * 3
        assert await bench.run(lambda: 1) == 1
        return refused

    assert asyncio.run(crowd()) == [(503, "1"), (503, "1")]
