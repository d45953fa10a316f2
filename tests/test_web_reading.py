"""Reading in the room: every page in three languages, characters marked exactly, clauses with their witnesses, and nothing that a request can break."""

import re
from urllib.parse import parse_qs, quote, unquote, urlsplit

import html5rdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.requests import Request

from kg import typed
from kg.judgement import judge
from kg.pages.words import TAGS
from kg.web import frame, reading, span
from loader import iris
from loader.chapter import chapters, clauses
from loader.errors import EngineError, InputError
from loader.saying import LANGUAGES
from loader.witness import witnesses
from tests.rooms import Room, attribute, text
from tests.serving import call
from tests.test_pages import _out_of_order, _untagged, read

MOMENT = "/compare/moment?at=2026-11-30T10:20&zone=Asia/Seoul&lines=789678&topic=childbirth"
PAGES = (
    "/",
    "/read",
    "/search",
    "/search?q=穩婆",
    "/search?q=沖&in=clauses&page=2",
    "/search?q=沖&in=passages",
    "/compare",
    "/compare?aspect=midwife",
    "/compare?comparison=bleeding",
    "/compare/kinship?doubts=1",
    "/compare/moment",
    MOMENT,
    "/page/clause/yy-taichan-013",
    "/page/clause/yy-taichan-092b",
    "/page/clause/qm-taichan-017",
    "/page/text/yiyin/qiusi",
    "/page/text/yiyin/qiusi?span=14:3-9",
    "/page/id/branch/wu",
    "/page/id/table/branch-clashes",
    "/page/id/scheme/kin",
    "/page/id/query/aspect",
    "/page/conventions",
)


@pytest.mark.parametrize("path", PAGES)
def test_every_page_in_three_languages(room: Room, path: str) -> None:
    for language in LANGUAGES:
        html = room.html(path, language)
        assert f'<html lang="{TAGS[language]}">' in html
        html5rdf.HTMLParser(strict=True).parse(html) if language == "en" else None
        page = read(html)
        assert [*page.faults, *_out_of_order(page)] == []
        assert [told for told in _untagged(page) if told[1] != "en"] == []
        # Nothing within the page that the policy would refuse, and nothing from other hosts.
        assert not re.search(r"<style|\sstyle=|<script(?![^>]*\ssrc=\"/static/)", html)
        assert [r for r in page.resources if not r.startswith("/") or r.startswith("//")] == []
        assert all(f'hreflang="{TAGS[other]}"' in html for other in LANGUAGES)


def test_links_lead_somewhere(room: Room) -> None:
    found: dict[str, set[str]] = {}
    for path in PAGES:
        for link in read(room.html(path)).links:
            parts = urlsplit(link)
            if not parts.scheme and link:
                found.setdefault(parts.path + (f"?{parts.query}" if parts.query else "") or path, set()).add(unquote(parts.fragment).partition(":~:")[0])
    assert len(found) > 400
    # A tenth of the pages of things, and all of the rest; of casts the judging is the matter of other tests.
    wanted = [link for n, link in enumerate(sorted(found)) if not link.startswith(("/cast", "/page/id/", "/page/clause/", "/compare?")) or n % 10 == 0]
    dead = []
    for link in wanted:
        reply = room.page(link)
        if reply.status == 303:
            target, _, anchor = reply.headers["location"].partition("#")
            found[link].add(anchor)
            reply = room.page(target)
        ids = {"", *re.findall(r'id="([^"]+)"', reply.body.decode())} if "text/html" in reply.type else {""}
        dead += [f"{link}#{anchor}" for anchor in found[link] if reply.status != 200 or anchor not in ids]
    assert dead == [], dead


def test_what_an_iri_leads_to(room: Room) -> None:
    for iri, place in (("clause/yy-taichan-013", ""), ("text/yiyin/taichan", ""), ("id/branch/wu", ""), ("cast/" + iris.key(room.cast), "")):
        reply = room.page(f"/{iri}")
        assert (reply.status, reply.headers["location"]) == (303, f"/page/{iri}{place}")
    # What shares a page leads to its place there; a part of a clause to the clause.
    for path, to in (
        ("text/yiyin/taichan/5", "/page/text/yiyin/taichan#p5"),
        ("ns/Clause", "/page/ns#Clause"),
        ("id/outcome/pregnant", "/page/id/aspect/pregnancy#outcome.pregnant"),
        ("clause/yy-taichan-027/otherwise", "/page/clause/yy-taichan-027"),
    ):
        reply = room.page(f"/page/{path}?lang=ko")
        if reply.status == 404:
            assert "otherwise" in path  # not every clause has another reading
            continue
        base, _, anchor = to.partition("#")
        assert (reply.status, reply.headers["location"]) == (303, f"{base}?lang=ko" + (f"#{anchor}" if anchor else ""))
    assert room.page("/page/clause/yy-nowhere-001").status == 404


# --- characters


@pytest.mark.parametrize(
    ("chapter", "parameter", "number", "start", "end"),
    [
        ("text/yiyin/taichan", "span", 5, 10, 14),
        ("text/yiyin/taichan", "span", 1, 0, 1),
        ("text/yiyin/taichan", "ko", 5, 3, 40),
        ("text/yiyin/taichan", "span", 12, 0, 10_000),
        ("text/qimen-miji/taichan", "span", 1, 20, 75),
        ("text/yiyin/feigong", "ko", 18, 0, 10_000),
    ],
)
def test_a_link_marks_exactly_its_characters(room: Room, chapter: str, parameter: str, number: int, start: int, end: int) -> None:
    passage = next(p for c in chapters() if c.iri == iris.BASE + chapter for p in c.passages if p.number == number)
    whole = passage.ko if parameter == "ko" else passage.lzh
    end = min(end, len(whole))
    html = room.html(f"/page/{chapter}?{parameter}={number}:{start}-{end}")
    assert "".join(re.findall(r"<mark[^>]*>([^<]*)</mark>", html)) == whole[start:end]
    assert html.count('id="marked"') == 1
    page = read(html)
    assert page.by_id["marked"][0] == whole[start : start + len(page.by_id["marked"][0])]
    # Marking changes no character, and no id is there twice.
    assert page.by_id[f"p{number}.{'ko' if parameter == 'ko' else 'lzh'}"][0] == whole
    assert len(page.ids) == len(set(page.ids))
    # What is marked stands between the same offsets for a script.
    first = re.search(r'data-from="(\d+)" data-to="\d+"[^>]*><mark id="marked"', html)
    assert first
    assert int(first[1]) == start


@pytest.mark.parametrize(
    "query",
    ["span=5:14-10", "span=5:10-10", "span=5:0-100000", "span=99:0-1", "span=", "span=5", "span=5:-1-3", "span=٥:0-1", "ko=5:0-100000", "span=5:0-1&ko=5:0-1"],
)
def test_characters_that_are_not_there(room: Room, query: str) -> None:
    reply = room.page(f"/page/text/yiyin/taichan?{query}")
    assert reply.status == 400
    assert "GUIGU.INPUT" in reply.body.decode()


def test_addresses_of_characters_are_read_as_they_are_written() -> None:
    for chapter in chapters():
        for p in chapter.passages:
            for parameter, whole in (("lzh", p.lzh), ("ko", p.ko)):
                query = parse_qs(urlsplit(span.address(p, 0, len(whole), parameter)).query)
                found = span.cited(chapter, {k: v[0] for k, v in query.items()})
                assert found == span.Cited(p.number, parameter, found.span)  # type: ignore[union-attr] # it would fail
                assert (found.span.start, found.span.end) == (0, len(whole))  # type: ignore[union-attr]


# --- a clause


def test_a_clause_shows_all_that_it_is(room: Room) -> None:
    html = room.html("/page/clause/yy-taichan-013")
    shown = text(html)
    c = clauses()["yy-taichan-013"]
    for words in (c.quote, c.ko, c.en, "000 ¶1", "初爻", "官鬼", "凶"):
        assert words in shown
    assert re.findall(r"<mark>([^<]*)</mark>", html) == [c.quote, c.ko]
    assert f"/page/text/yiyin/taichan?span=1:{c.span.start}-{c.span.end}#marked" in unquote(html)
    assert 'href="/page/id/kin/officer"' in html
    # Doubts, emendations, other readings, and what can never hold.
    doubtful = next(c for c in clauses().values() if c.doubt and c.emend and c.otherwise and c.tradition == "liuyao")
    shown = text(room.html(f"/page/clause/{doubtful.id}"))
    assert " ".join(doubtful.doubt.split()) in shown  # type: ignore[union-attr] # it has one
    assert doubtful.emend[0].received in shown
    assert "By the other reading" in shown
    assert "the condition can never hold" in text(room.html("/page/clause/yy-taichan-092b"))


@pytest.mark.parametrize("clause", ["yy-taichan-013", "yy-zuye-002", "qm-taichan-017", "qm-zang-017"])
def test_a_clause_links_a_cast_on_which_it_holds(room: Room, clause: str) -> None:
    html = room.html(f"/page/clause/{clause}")
    address = attribute(html, '<a class="go" href="')
    assert address.startswith("/cast?")
    query = parse_qs(urlsplit(address).query)
    assert query.pop("clause") == [clause]
    tradition = query.pop("tradition", ["liuyao"])[0]
    many = ("topic", "ask", "convention")
    options = {k.replace("-", "_"): v if k in many else int(v[0]) if k == "age" else v[0] for k, v in query.items()}
    asked, _ = typed.read(options, tradition)
    j = judge(asked)
    c = clauses()[clause]
    assert clause in j.fires if c.fires else j.holders(c)
    assert witnesses()[clause].options["topic"] in query["topic"]


def test_casts_that_are_served(room: Room) -> None:
    key = iris.key(room.cast)
    assert f'href="/page/cast/{key}"' in room.html("/page/clause/yy-taichan-088")
    assert f'href="/page/cast/{key}"' not in room.html("/page/clause/yy-taichan-087")
    html = room.html(f"/page/cast/{key}", "ko")
    assert 'href="/page/clause/yy-taichan-088' in html
    assert f'href="/page/cast/{key}/line/3' in html
    line = room.html(f"/page/cast/{key}/line/3")
    assert f'href="/page/cast/{key}' in line
    assert "兄弟" in line


# --- languages, caching, files


def test_the_language_is_the_one_asked_for(room: Room) -> None:
    assert '<html lang="ko">' in room.html("/", "fr, ko;q=0.9, en;q=0.5")
    assert '<html lang="zh-Hant">' in room.html("/", "zh-CN")
    assert '<html lang="en">' in room.html("/", "xx")
    html = room.html("/page/clause/yy-taichan-013?lang=ko", "en")
    assert '<html lang="ko">' in html
    # Only what is asked for is kept in links.
    switch = r'<a href="[^"]*" hreflang="[^"]*" lang|<link rel="alternate"[^>]*>'
    links = [link for link in read(re.sub(switch, "<a lang", html).replace("<a lang", '<a href="#" lang')).links if link.startswith("/")]
    assert [link for link in links if "lang=ko" not in link and not link.startswith(("/data/", "/sparql", "/void"))] == []
    assert 'href="/read?lang=ko"' in html
    assert "lang=ko" not in re.sub(switch, "", room.html("/read", "ko"))
    assert '<html lang="en">' in room.html("/?lang=klingon", "en")


def test_a_hostile_path_makes_no_link_to_another_host(room: Room) -> None:
    for path in ("//evil.example/", "/%5C%5Cevil.example/", "/\\evil.example", "///evil.example?q=1"):
        reply = call(room.url, path, Accept="text/html")
        assert reply.status == 404
        links = read(reply.body.decode()).links
        assert links
        assert [link for link in links if not link.startswith(("/", "#")) or link.startswith(("//", "/\\"))] == []


def test_pages_and_files_are_kept(room: Room) -> None:
    first = room.page("/read", "en")
    assert first.headers["cache-control"] == "no-cache"
    assert "Accept-Language" in first.headers["vary"]
    again = room.page("/read", "en", If_None_Match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    assert room.page("/read", "ko", If_None_Match=first.headers["etag"]).status == 200
    names = re.findall(r'"(/static/[^"]+)"', first.body.decode())
    assert {urlsplit(n).path for n in names} >= {"/static/pages.css", "/static/room.css", "/static/room.js", "/static/pages.js", "/static/icon.svg"}
    for name in names:
        reply = room.page(name)
        assert (reply.status, reply.headers["cache-control"]) == (200, "public, max-age=31536000, immutable")
    assert room.page("/static/room.css?v=0").headers["cache-control"] == "no-cache"
    for name in ("/static/../frame.py", "/static/%2e%2e/frame.py", "/static//etc/passwd", "/static/", "/static/nothing.css"):
        assert room.page(name).status == 404


# --- faults


def test_a_fault_is_a_page_in_the_language_of_the_reader(room: Room) -> None:
    reply = room.page("/nowhere", "ko")
    assert reply.status == 404
    assert "그런 쪽이 없습니다" in reply.body.decode()
    assert read(reply.body.decode()).faults == []
    assert call(room.url, "/nowhere", Accept="text/plain").type.startswith("text/plain")
    assert room.page("/clause/yy-nowhere-001").status == 404


def test_while_the_books_are_opened_the_page_asks_again() -> None:
    request = Request({"type": "http", "method": "GET", "path": "/page/x", "query_string": b"", "headers": [], "server": ("localhost", 80), "scheme": "http"})
    response = reading.fault(request, EngineError("the data are being loaded", code="GUIGU.SERVER.LOADING"), 503)
    assert response.headers["retry-after"] == "2"
    assert b'http-equiv="refresh"' in response.body
    response = reading.fault(request, InputError("--lines: '<script>' is no line"), 400)
    assert b"&lt;script&gt;" in response.body
    assert b"refresh" not in response.body
    assert b"--lines" not in response.body


NASTY = ("\0", "%00", "' OR 1=1", "<script>", "{{7*7}}", "}\nSELECT", "a" * 5_000, "\u202e", "%ED%A0%80", "%FF", "../..", "1e9", "-1", "9" * 400, "\\", "𠀀")
FIELDS = (
    *(("/search", name) for name in ("q", "in", "page")),
    *(("/compare", name) for name in ("aspect", "symbol", "comparison")),
    *(("/compare/moment", name) for name in ("at", "zone", "lines", "hexagram", "moving", "topic")),
    *(("/page/text/yiyin/qiusi", name) for name in ("span", "ko")),
    *(("/page/clause/yy-taichan-013", name) for name in ("lang", "x")),
)


@given(st.sampled_from(FIELDS), st.one_of(st.sampled_from(NASTY), st.text(max_size=30)))
@settings(max_examples=150)
def test_hostile_parameters_never_give_500(room: Room, field: tuple[str, str], value: str) -> None:
    path, name = field
    written = value if re.fullmatch(r"(?:%[0-9A-F]{2})+", value) else quote(value.encode("utf-8", "surrogatepass"))
    rest = "&at=2026-11-30T10:20&lines=789678" if path == "/compare/moment" and name not in ("at", "lines") else ""
    reply = call(room.url, f"{path}?{name}={written}{rest}", Accept="text/html", Accept_Language=quote(value)[:200])
    assert reply.status < 500, (path, name, value)
    assert b"Traceback" not in reply.body
    assert b"<script>" not in reply.body.replace(b"<script src", b"")


def test_the_words_are_said_once_in_each_language() -> None:
    assert {len(frame.words(language).by_key) for language in LANGUAGES} == {len(frame.words("en").by_key)}
    assert all(text.strip() for language in LANGUAGES for text in frame.words(language).by_key.values())
