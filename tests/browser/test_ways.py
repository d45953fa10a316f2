"""Ways through the room, as a person goes them: real clicks and keys in Chromium."""

from urllib.parse import urlencode

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

from kg.web import editor
from tests.browser.window import Window

pytestmark = pytest.mark.slow

SELECT = "SELECT ?clause ?quote { ?clause g:about aspect:midwife ; g:quote ?quote } ORDER BY ?clause"


def test_cast_and_read_a_verdict_down_to_its_characters(window: Window) -> None:
    window.go("/")
    window.follow("header nav a", "Cast")
    window.write("#hexagram", "雷山小過")
    window.write("#moving", "3")
    window.write("#month", "辰")
    window.write("#day", "戊辰")
    window.click("label", "childbirth")
    window.follow("form.cast .send button")
    # The address holds the cast, and no more than was given.
    for name in ("hexagram=", "moving=3", "month=", "day=", "topic=childbirth"):
        assert name in window.path
    verdict = window.one("#yy-taichan-088")
    assert "雷地豫卦，乃陰包陽，生男也" in verdict.text
    assert window.every("svg")
    window.click("#yy-taichan-088 summary")
    assert window.one("#yy-taichan-088 .proof").text
    window.follow("#yy-taichan-088 a.clause-id", "yy-taichan-088")
    assert window.path.startswith("/page/clause/yy-taichan-088")
    assert window.one("h1").text == "雷地豫卦，乃陰包陽，生男也"
    window.follow("#content .cite a")
    marked = "".join(e.text for e in window.every("main mark, main .lit"))
    assert "雷地豫卦，乃陰包陽，生男也" in marked


def test_an_hour_chart_is_cast(window: Window) -> None:
    window.go("/cast")
    window.follow(".kinds a[href*='qimen']")
    window.driver.execute_script("arguments[0].value = '2024-04-25T09:30'", window.one("#at"))
    window.write("#zone", "Asia/Shanghai")
    window.click("label", "childbirth")
    window.follow("form.cast .send button")
    assert "qm-taichan-017" in window.text
    assert window.every("svg")


def test_a_fault_of_the_form_is_told_at_its_field(window: Window) -> None:
    window.go("/cast")
    window.write("#hexagram", "地天秦")
    window.write("#day", "戊辰")
    window.write("#month", "辰")
    window.click("label", "childbirth")
    window.follow("form.cast .send button")
    assert "地天泰" in window.one("[role=alert]").text
    assert window.one("#hexagram").get_attribute("value") == "地天秦"
    assert window.one("#hexagram").get_attribute("aria-invalid") == "true"
    assert [c for c in window.complaints() if "400" not in c and "404" not in c] == []


def test_read_a_chapter_and_choose_a_clause(window: Window) -> None:
    window.go("/read")
    window.follow("main a", "胎產占")
    assert window.path.startswith("/page/text/")
    window.one("main .text.lzh")
    assert window.every("main .text.ko")
    window.go("/page/text/yiyin/taichan")
    run = window.one("main .run")
    assert run.text
    window.click("main .run")
    assert "#" in window.driver.current_url or window.path.startswith("/page/clause/")


def test_ask_a_question_and_follow_a_row(window: Window) -> None:
    window.go("/ask")
    window.follow("main a", "Clauses on an aspect")
    window.write("#aspect", "산파")
    window.follow(".asking .go button")
    assert window.path == "/ask/aspect?" + urlencode({"aspect": "산파"})
    assert "太陰，穩婆" in window.one("table.answer").text
    window.follow(".asking button.quiet")
    window.write("#aspect-2", "產母")
    window.follow(".asking .go button")
    assert window.path == "/ask/aspect?" + urlencode({"aspect": ["산파", "產母"]}, doseq=True)
    assert "太陰，穩婆" in window.text
    assert "初臨鬼" in window.text
    window.click("summary", "The query in SPARQL")
    assert "/id/aspect/midwife> <" in window.one("details pre").text
    window.follow("table.answer a.clause-id", "qm-taichan-004")
    assert window.path.startswith("/page/clause/qm-taichan-004")


def test_ask_of_the_cast_that_is_served(window: Window) -> None:
    window.go("/ask/verdicts")
    assert "yy-taichan-036" in window.one("table.answer").text
    assert "渙 甲子日" in window.one("table.answer").text


def test_ask_of_a_cast_that_was_just_made(window: Window) -> None:
    window.go("/cast?" + urlencode({"hexagram": "雷山小過", "moving": "3", "month": "辰", "day": "戊辰", "topic": "childbirth"}))
    window.follow(".doing a", "Ask of this cast")
    window.follow("main a[href^='/ask/verdicts?cast=']")
    # The cast that is served stands beside the one of the address, and each leads to its page.
    assert "雷地豫卦，乃陰包陽，生男也" in window.one("table.answer").text
    assert "渙 甲子日" in window.one("table.answer").text
    window.follow("table.answer a", "小過")
    assert "yy-taichan-088" in window.text


@pytest.mark.parametrize("bundled", [True, False])
def test_run_sparql_in_the_editor(window: Window, monkeypatch: pytest.MonkeyPatch, bundled: bool) -> None:
    if not bundled:
        monkeypatch.setattr(editor, "_BUNDLE", ("yasgui/nothing.js",))
    elif not editor.bundled():
        pytest.skip("the editor of YASGUI was not bundled ('make editor' does it)")
    window.go("/ask/aspect")
    window.click("summary", "The query in SPARQL")
    window.follow("details a", "Open in the editor")
    window.one("form[data-ready]")
    assert bool(window.every(".yasqe .CodeMirror")) == bundled
    window.click("form.sparql .go button")
    assert "太陰，穩婆" in window.one(".result table").text
    # Another query stands ready in its tab; what was written in the first is still there afterwards.
    window.click(".queries a", "Concordance")
    window.click("form.sparql .go button")
    window.one(".result th", "passage")
    window.click(".queries a", "Clauses on an aspect")
    written(window, SELECT)
    window.control(Keys.ENTER)
    row = window.one(".result tbody tr", "qm-taichan-004")
    assert row.find_element(By.CSS_SELECTOR, "td[lang=lzh]").text == "太陰，穩婆"
    assert row.find_element(By.CSS_SELECTOR, "a").get_attribute("href") == f"{window.url}/clause/qm-taichan-004"
    assert {e.text for e in window.every(".result .files span a")} == {"CSV", "TSV", "JSON", "XML"}
    written(window, "SELECT nonsense")
    window.click("form.sparql .go button")
    assert "malformed" in window.one(".said.fault").text
    assert all("400" in c for c in window.complaints())
    # Nothing is kept in the browser.
    assert window.driver.execute_script("return localStorage.length + sessionStorage.length + document.cookie.length") == 0


def written(window: Window, query: str) -> None:
    """Replace the query by keys, in whichever editor is there."""
    window.click(".CodeMirror-lines" if window.every(".CodeMirror") else "#query")
    window.control("a")
    window.press(query)


def test_the_editor_completes_a_term_by_its_name(window: Window) -> None:
    if not editor.bundled():
        pytest.skip("the editor of YASGUI was not bundled ('make editor' does it)")
    window.go("/sparql")
    window.one("form[data-ready]")
    window.click(".CodeMirror-lines")
    window.control("a")
    window.press("SELECT * { ?c g:about aspect:穩")
    assert "aspect:midwife" in window.one(".CodeMirror-hint-active").text
    window.press(Keys.ENTER)
    assert window.driver.execute_script("return document.querySelector('.CodeMirror').textContent").count("aspect:midwife") == 1
    # Our prefixes are known: nothing is marked as malformed but the end that is missing.
    window.press(" }")
    assert not window.every(".parseErrorIcon")


def test_the_form_of_an_answer_is_a_file(window: Window) -> None:
    window.go("/sparql")
    window.one("form[data-ready]")
    Select(window.one("#format")).select_by_visible_text("tsv")
    action = window.driver.execute_script("return new URLSearchParams(new FormData(document.querySelector('form.sparql'))).toString()")
    assert "format=tsv" in action
    assert "g%3AWork" in action


def test_compare_an_aspect_in_both_books(window: Window) -> None:
    window.go("/compare")
    window.write("#aspect", "穩婆")
    window.press(Keys.ENTER)
    window.one("main", "太陰，穩婆")
    assert "空則無人收生" in window.text


def test_search_folds_variant_characters(window: Window) -> None:
    window.go("/")
    window.write("main #q", "産母")
    window.press(Keys.ENTER)
    window.one("main mark", "產母")
    assert window.path.startswith("/search?")


def test_switch_language_and_keep_it(window: Window) -> None:
    window.go("/ask/aspect?aspect=midwife")
    window.follow("nav.languages a", "한국어")
    assert window.one("html").get_attribute("lang") == "ko"
    assert window.path == "/ask/aspect?aspect=midwife&lang=ko"
    window.follow("header nav a", "찾기")
    assert window.one("html").get_attribute("lang") == "ko"
    window.follow("nav.languages a", "中文")
    assert window.one("html").get_attribute("lang") == "zh-Hant"


def test_the_keyboard_alone_suffices(window: Window) -> None:
    window.go("/")
    window.press(Keys.TAB)
    first = window.focus()
    assert first is not None
    assert first["href"] == "#content"
    window.tab_to("Ask")
    window.press(Keys.ENTER)
    window.one("h1", "Ask")
    window.tab_to("論一事項之諸條 · 사항에 관한 조목 · Clauses on an aspect")
    window.press(Keys.ENTER)
    window.one("table.answer")
    window.tab_to("aspect")
    window.control("a")
    window.press("mother", Keys.ENTER)
    window.one("table.answer", "yy-taichan")
    assert window.path.startswith("/ask/aspect?aspect=mother")
    window.go("/cast")
    window.tab_to("hexagram")
    window.press("渙")
    window.tab_to("month")
    window.press("午", Keys.TAB, "甲子")
    for _ in range(60):
        window.press(Keys.TAB)
        at = window.focus()
        if at and at["type"] == "checkbox":
            break
    window.press(Keys.SPACE)
    window.press(Keys.ENTER)
    assert window.one(".verdict .quote").text


def test_the_keyboard_leaves_the_editor(window: Window) -> None:
    window.go("/sparql")
    window.one("form[data-ready]")
    for _ in range(40):
        window.press(Keys.TAB)
        at = window.focus()
        if at and at["name"] == "textarea":
            break
    window.tab_to("Run")
    window.press(Keys.ENTER)
    assert "易隱" in window.one(".result table").text


def test_everything_works_without_scripts(window: Window) -> None:
    with window.without_scripts():
        window.go("/ask/aspect?aspect=midwife")
        assert "太陰，穩婆" in window.one("table.answer").text
        window.go("/sparql?ask=aspect")
        window.one("#query")
        assert "aspect:midwife" in str(window.one("#query").get_attribute("value"))
        window.go("/cast")
        window.write("#hexagram", "渙")
        window.write("#month", "午")
        window.write("#day", "甲子")
        window.click("label", "childbirth")
        window.click("form.cast .send button")
        assert window.one(".verdict .quote").text
        window.go("/search?q=midwife")
        assert "穩婆" in window.text
