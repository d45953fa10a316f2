"""The pages of a release: every link resolves, every character is shown, nothing comes from elsewhere, and hostile text stays text."""

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import html5rdf
import pyoxigraph as ox
import pytest

import kg.pages
from kg.pages import ENDINGS, LANGUAGES, Facts, FolderLinks, Page, address, chapter_page, cited, places, plans, render
from kg.pages.phrase import condition
from kg.pages.rendering import web
from kg.pages.runs import chinese, korean, runs
from loader import iris
from loader.chapter import chapters, clauses, parse_chapter
from loader.clause import Span
from loader.iris import symbol

FACTS = Facts("9.9.9", (kg.pages.Download("guigu.ttl.gz", "text/turtle", 2048),))
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
HAN, HANGUL, LATIN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]"), re.compile(r"[\uac00-\ud7a3]"), re.compile(r"[A-Za-z]")


@dataclass
class Element:
    """An element that is open: its tag, language and id, and how many pieces of text came before it."""

    tag: str
    lang: str
    id: str | None
    css: str
    start: int


class Reader(HTMLParser):
    """Reads a page: ids, links, resources, headings, the text of elements with an id, and what is not in order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[Element] = []
        self.pieces: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.resources: list[str] = []
        self.headings: list[int] = []
        self.texts: list[tuple[str, str]] = []
        self.by_id: dict[str, tuple[str, str]] = {}
        self.quotes: dict[str, tuple[str, str]] = {}
        self.faults: list[str] = []
        self.alternate: list[str] = []
        self.tags: set[str] = set()
        self.interface = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.tags.add(tag)
        if len(found) != len(attrs):
            self.faults.append(f"an attribute twice on <{tag}>")
        self.faults += [f"{name} on <{tag}>" for name in found if name.startswith("on")]
        if "id" in found:
            self.ids.append(found["id"])
        if tag == "a":
            self.links.append(found["href"])
            if any(e.tag == "a" for e in self.open):
                self.faults.append(f"a link within a link: {found['href']}")
        elif tag == "link" and "alternate" in found["rel"]:
            self.alternate.append(found["href"])
        else:
            self.resources += [found[name] for name in ("src", "href", "srcset", "data", "poster", "action") if name in found]
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in VOID:
            lang = found.get("lang", self.open[-1].lang if self.open else "")
            if tag == "html":  # what is in the language of the interface is told from what is said to be in one
                self.interface, lang = lang, "interface"
            self.open.append(Element(tag, lang, found.get("id"), found.get("class", ""), len(self.pieces)))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1].tag != tag:
            self.faults.append(f"</{tag}> closes {self.open[-1].tag if self.open else 'nothing'}")
            return
        done = self.open.pop()
        if done.id:
            self.by_id[done.id] = ("".join(self.pieces[done.start :]), done.lang)
        if done.css == "quote" and tag == "h3":
            owner = next(e.id for e in reversed(self.open) if e.tag == "article")
            self.quotes[owner or ""] = ("".join(self.pieces[done.start :]), done.lang)

    def handle_data(self, data: str) -> None:
        if self.open:
            self.pieces.append(data)
            if data.strip():
                self.texts.append((data, self.open[-1].lang))


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    if reader.open:
        reader.faults.append(f"<{reader.open[-1].tag}> is left open")
    return reader


def shown(page: Page, language: str = "en") -> Reader:
    return read(render(page, language))


def made(path: str) -> Page:
    return plans(FACTS)[path]()


# --- the whole site, as a release has it


def test_the_whole_site(release: Path) -> None:
    files = {p.relative_to(release).as_posix(): p.read_bytes() for p in release.rglob("*") if p.is_file()}
    pages = {path: read(data.decode()) for path, data in files.items() if path.endswith(".html")}
    assert len(pages) == len(LANGUAGES) * len(plans(FACTS)) > 2000
    faults = [f"{path}: {fault}" for path, page in pages.items() for fault in (*page.faults, *_out_of_order(page))]
    faults += [fault for path, page in pages.items() for fault in _dead_links(path, page, pages, files)]
    faults += [fault for path, page in pages.items() for fault in _from_elsewhere(path, page, files)]
    faults += [f"{path}: {text!r} is not said to be {wanted}" for path, page in pages.items() for text, wanted in _untagged(page)]
    faults += list(_lost_text(pages))
    faults += list(_lost_things(pages))
    faults += list(_faulty_twins(files))
    assert faults == []


def _out_of_order(page: Reader) -> Iterator[str]:
    yield from (f"id {i!r} twice" for i in {i for i in page.ids if page.ids.count(i) > 1} if len(page.ids) != len(set(page.ids)))
    if page.headings[:1] != [1] or page.headings.count(1) != 1:
        yield f"headings begin {page.headings[:3]}"
    yield from (f"h{after} after h{before}" for before, after in zip(page.headings, page.headings[1:], strict=False) if after > before + 1)


def _dead_links(path: str, page: Reader, pages: dict[str, Reader], files: dict[str, bytes]) -> Iterator[str]:
    for link in {*page.links, *page.alternate}:
        parts = urlsplit(link)
        if parts.scheme:
            if parts.scheme not in ("http", "https") or link in page.alternate:
                yield f"{path}: a link to {link}"
            continue
        target = os.path.normpath(os.path.join(os.path.dirname(path), parts.path)) if parts.path else path
        if link.startswith("/") or target.startswith(".."):
            yield f"{path}: {link} leaves the folder"
        elif target not in files:
            yield f"{path}: {link} leads nowhere"
        elif (anchor := unquote(parts.fragment.split(":~:")[0])) and anchor not in pages[target].by_id:
            yield f"{path}: {link} has no such anchor"


def _from_elsewhere(path: str, page: Reader, files: dict[str, bytes]) -> Iterator[str]:
    for resource in page.resources:
        if os.path.normpath(os.path.join(os.path.dirname(path), resource)) not in files:
            yield f"{path}: {resource} is no file of the site"
    if bad := page.tags & {"iframe", "object", "embed", "img", "style", "form"}:
        yield f"{path}: {bad}"


def _untagged(page: Reader) -> Iterator[tuple[str, str]]:
    """Text in one script alone that is not under its language."""
    for text, lang in page.texts:
        own = page.interface if lang == "interface" else lang
        latin, hangul, han = (bool(script.search(text)) for script in (LATIN, HANGUL, HAN))
        # English prose names Chinese and Korean words, and Korean prose Chinese ones.
        if hangul and not latin and own != "ko" and lang != "en":
            yield text, "ko"
        if han and not latin and not hangul and own not in ("lzh", "zh-Hant") and lang not in ("en", "ko"):
            yield text, "Chinese"


def _lost_text(pages: dict[str, Reader]) -> Iterator[str]:
    """Passages whose runs are not the passage, and clauses without their quote."""
    for chapter in chapters():
        for language in LANGUAGES:
            page = pages[f"text/{chapter.work}/{chapter.name}{ENDINGS[language]}"]
            for p in chapter.passages:
                for part, text in (("lzh", p.lzh), ("ko", p.ko)):
                    if page.by_id.get(f"p{p.number}.{part}") != (text, part):
                        yield f"{p.place} {part} in {language}"
            for c in chapter.clauses():
                if page.quotes.get(c.id) != (c.quote, "lzh"):
                    yield f"{c.id} in {language}"


def _lost_things(pages: dict[str, Reader]) -> Iterator[str]:
    """IRIs whose page or anchor is not there."""
    for iri, at in places():
        path, _, anchor = at.partition("#")
        if path not in pages or (anchor and anchor not in pages[path].by_id):
            yield f"{iri} is not at {at}"


def _faulty_twins(files: dict[str, bytes]) -> Iterator[str]:
    """Twins that do not parse, or say nothing of what their page is of."""
    for path, plan in plans(FACTS).items():
        try:
            subjects = {str(q.subject) for q in ox.parse(files[f"{path}.ttl"], format=ox.RdfFormat.TURTLE)}
        except (KeyError, SyntaxError) as error:
            yield f"{path}.ttl: {error}"
            continue
        if f"<{plan().iri}>" not in subjects:
            yield f"{path}.ttl says nothing of its page"


# --- the same bytes

SOME = (
    "index",
    "symbols",
    "criticism",
    "text/yiyin/douzhen",
    "id/branch/wu",
    "id/scheme/branch",
    "ns/Void",
    "id/table/void",
    "id/aspect/midwife",
    "id/query/aspect",
)
BUILD = f"""
import hashlib
from kg.pages import LANGUAGES, Facts, plans, render
from kg.pages.twin import source
from loader.ontology import ontology
import pyoxigraph as ox
known, found = source(t for path in ontology().files for t in ox.parse(path=path)), hashlib.sha256()
for path in {SOME!r}:
    page = plans(Facts("9.9.9"))[path]()
    for language in LANGUAGES:
        found.update(render(page, language).encode())
    found.update(known.twin(page))
print(found.hexdigest())
"""


def test_the_same_bytes_whatever_the_hash_seed() -> None:
    root = str(Path(kg.pages.__file__).parents[2])
    environments = [{**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": root} for seed in ("1", "2")]
    running = [subprocess.Popen([sys.executable, "-c", BUILD], env=e, stdout=subprocess.PIPE, text=True) for e in environments]
    digests = [process.communicate()[0].strip() for process in running]
    assert digests[0] == digests[1]
    assert len(digests[0]) == hashlib.sha256().digest_size * 2


# --- HTML by an independent parser


@pytest.mark.parametrize("path", [*SOME, "tables", "questions", "conventions", "ns", "id/scheme/omen", "id/table/kinship-received"])
def test_an_html5_parser_finds_no_fault(path: str) -> None:
    html5rdf.HTMLParser(strict=True).parse(render(made(path), "ko"))


# --- runs of characters


def test_overlapping_and_nested_spans_are_cut_at_every_boundary() -> None:
    text = "一二三四五六七八"
    found = runs(text, [("outer", Span(0, 6)), ("inner", Span(2, 4)), ("across", Span(3, 7))])
    assert [(r.text, set(r.clauses)) for r in found] == [
        ("一二", {"outer"}),
        ("三", {"outer", "inner"}),
        ("四", {"outer", "inner", "across"}),
        ("五六", {"outer", "across"}),
        ("七", {"across"}),
        ("八", set()),
    ]
    assert found[2].clauses[0] == "inner"


def test_spans_beyond_the_text_lose_nothing() -> None:
    found = runs("一二三", [("a", Span(-5, 2)), ("b", Span(1, 99))])
    assert "".join(r.text for r in found) == "一二三"
    assert runs("", []) == ()


def test_every_passage_is_its_runs_and_every_quote_is_its_own() -> None:
    for chapter in chapters():
        for p in chapter.passages:
            for found, text in ((chinese(p), p.lzh), (korean(p), p.ko)):
                assert "".join(r.text for r in found) == text
                assert [r.start for r in found[1:]] == [r.end for r in found[:-1]]
            for c in p.clauses:
                assert "".join(r.text for r in chinese(p) if c.id in r.clauses) == c.quote


def test_emended_characters_are_marked() -> None:
    passage = chapters()[0].passages[0]  # 000 ¶1: 化婆 is read 收生婆
    assert [r.text for r in chinese(passage) if r.emended] == ["化婆"]


# --- what the pages say, from the passages


def test_a_clause_shows_quote_condition_and_conclusion() -> None:
    # 000 ¶1: 初臨鬼母災, line 1 with 官鬼 is calamity for the mother
    page = shown(made("text/yiyin/taichan"))
    text, _ = page.by_id["yy-taichan-013"]
    assert "初臨鬼母災" in text
    assert "line 1 and officer and ghost" in text
    assert "產母" in text
    assert "凶" in text
    assert "../../id/kin/officer.html" in page.links
    assert "../../ns/Line1.html" in page.links or any(link.endswith(f"{address(iris.ns('FirstLine')).page}.html") for link in page.links)


def test_an_aspect_lists_the_clauses_that_conclude_on_it() -> None:
    text = " ".join(t for t, _ in shown(made("id/aspect/midwife")).texts)
    assert "空則無人收生" in text  # 000 ¶1
    assert "太陰，穩婆" in text  # 001 ¶1


def test_a_symbol_lists_the_clauses_that_speak_of_it_and_its_tables() -> None:
    page = shown(made("id/kin/officer"))
    assert any(link.endswith("text/yiyin/taichan.html#yy-taichan-013") for link in page.links)
    assert "KinOfficer" in page.ids
    branch = shown(made("id/branch/wu"))
    assert "../../id/table/branch-clashes.html" in branch.links  # 子午沖


def test_the_kinship_table_marks_the_cells_that_depart_from_the_rule() -> None:
    page, html = made("id/table/kinship-received"), render(made("id/table/kinship-received"), "en")
    # 18 of the 277 cells depart (003 ¶18 against ¶21 to ¶25); two relatives are printed twice, so they fill 16 places of the grid.
    assert len(page.view.grid.remarks) == 18
    assert html.count('class="departs"') == 16
    ids = read(html).ids
    assert len([i for i in ids if re.fullmatch(r"(earth|wood|water|metal|fire)-[a-z0-9-]+", i)]) == 277


def test_a_variant_marks_where_it_departs_from_the_default() -> None:
    html = render(made("id/table/star-guiren-stem"), "en")
    assert html.count('class="departs"') == 1  # 卜筮全書: 庚 goes with 辛


def test_criticism_has_every_emendation_under_its_grade() -> None:
    page = shown(made("criticism"))
    text = page.by_id["content"][0]
    part = text[text.index("A · safe") : text.index("B · probable")]
    assert "申月戊申日" in part  # 000 ¶4
    assert "申月或申日" in part
    every = [e for c in clauses().values() for e in c.emend]
    assert sum(render(made("criticism"), "en").count(f"grade {g}</span>") for g in "ABC") >= len(every)
    assert all(c.doubt is None or c.doubt[:30].split("  ")[0] in text for c in clauses().values())


def test_the_front_page_names_the_files_of_the_release() -> None:
    page = shown(made("index"))
    assert "guigu.ttl.gz" in page.links
    assert "9.9.9" in page.by_id["content"][0]


def test_a_condition_is_read_with_what_its_names_mean() -> None:
    tokens = condition("初爻 and not (空 or 官鬼)", "liuyao")
    assert [t.text for t in tokens] == ["初爻", "and", "not", "(", "空", "or", "官鬼", ")"]
    assert tokens[4].iri == iris.ns("Void")
    assert tokens[6].iri == symbol("kin", "officer")
    assert condition("no such name", "liuyao")[0].kind == "mark"


def test_every_iri_has_one_place() -> None:
    found = [address(iri) for iri, _ in places()]
    assert len({(a.page, a.anchor) for a in found if a}) == len(found)
    assert address("https://example.org/") is None
    assert address(symbol("branch", "no-such")) is None
    assert address(iris.clause("yy-taichan-013") + "/emendation/1") == address(iris.clause("yy-taichan-013"))


def test_characters_are_cited_by_a_text_directive() -> None:
    passage = chapters()[0].passages[0]
    start = passage.lzh.index("空則母損")
    assert unquote(cited(passage, start, start + 4, FolderLinks("index", "ko")) or "") == "text/yiyin/taichan.ko.html#p1:~:text=空則母損"
    twice = passage.lzh.index("公姑", passage.lzh.index("公姑") + 1)
    assert "-," in (cited(passage, twice, twice + 2, FolderLinks("index", "en")) or "")  # which of them is said by what stands before


# --- a server


class ServerLinks:
    """Links as a server would write them."""

    def thing(self, iri: str) -> str | None:
        return f"/page/{iri.removeprefix(iris.BASE)}" if iri.startswith(iris.BASE) else None

    def here(self, language: str) -> str:
        return f"?lang={language}"

    def twin(self) -> str:
        return "/data/id/branch/wu.ttl"

    def static(self, name: str) -> str:
        return f"/static/{name}"


def test_a_server_writes_its_own_links() -> None:
    page = read(render(made("id/branch/wu"), "ko", ServerLinks()))
    assert all(link.startswith(("/page/", "?lang=", "/data/", "#")) for link in page.links)
    assert set(page.resources) == {"/static/pages.css", "/static/pages.js"}
    assert "/page/id/element/fire" in page.links


# --- hostile text

EVIL = "<script>alert(1)</script>\"><img src=x onerror=alert(2)>&amp;'"
HOSTILE = """
chapter: evil
text: yiyin
document: "999"
tradition: liuyao
title: {zh-hant: "<b>題</b>", ko: "<i>제목</i>", en: "</title><script>alert(3)</script>"}
topic: childbirth
passages:
  - id: 1
    lzh: |-
      空EVIL損
    ko: |-
      공EVIL손
    clauses:
      - id: yy-evil-001
        quote: |-
          EVIL
        ko: |-
          EVIL
        kind: verdict
        when: 初爻
        about: mother
        omen: inauspicious
        en: |-
          EVIL
        doubt: |-
          EVIL
        note: |-
          EVIL
        emend: {received: "<script>", read: "</script>", grade: A, why: "<svg onload=alert(4)>"}
""".replace("EVIL", EVIL)


@pytest.mark.parametrize("language", LANGUAGES)
def test_hostile_text_stays_text(language: str) -> None:
    chapter = parse_chapter(HOSTILE, "evil.yaml")
    html = render(chapter_page(chapter), language)
    page = read(html)
    assert page.faults == []
    assert "img" not in page.tags
    assert "svg" not in page.tags
    assert html.count("<script") == 1  # our own
    assert page.by_id["p1.lzh"] == (f"空{EVIL}損", "lzh")
    assert page.by_id["p1.ko"] == (f"공{EVIL}손", "ko")
    assert page.quotes["yy-evil-001"] == (EVIL, "lzh")
    html5rdf.HTMLParser(strict=True).parse(html)


def test_only_addresses_of_the_web_become_links_out() -> None:
    assert not web("javascript:alert(1)")
    assert not web("data:text/html,x")
    assert not web(None)


# --- contrast


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", [0, 1])
def test_every_colour_of_text_can_be_read_on_its_ground(scheme: int) -> None:
    css = (Path(kg.pages.__file__).parent / "static" / "pages.css").read_text("utf-8")
    blocks = re.findall(r":root \{(.*?)\}", css, re.DOTALL)
    colours = dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6})", blocks[scheme]))
    for ground in ("paper", "card"):
        for ink in ("ink", "soft", "link", "ill", "good", "mixed", "critical"):
            a, b = sorted((_luminance(colours[ground]), _luminance(colours[ink])), reverse=True)
            assert (a + 0.05) / (b + 0.05) >= 4.5, (ground, ink)  # WCAG 2.2, 1.4.3
    assert "@import" not in css
    assert "url(" not in css
