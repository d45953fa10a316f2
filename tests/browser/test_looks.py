"""How each kind of page is to be read: by assistive technology (axe-core), on a phone, on a screen; and pictures of it for a person.

`GUIGU_SHOTS=folder` writes the pictures, in English at both widths, and in the other languages on a phone.
"""

import os
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from tests.browser.window import DESK, PHONE, Window

pytestmark = pytest.mark.slow

HEXAGRAM = {"hexagram": "雷山小過", "moving": "3", "month": "辰", "day": "戊辰", "topic": "childbirth"}
HOUR = {"tradition": "qimen", "at": "2024-04-25T09:30+08:00", "topic": "childbirth", "birth-year": "1994"}
KINDS = {
    "home": "/",
    "read": "/read",
    "chapter": "/page/text/yiyin/zuye",
    "clause": "/page/clause/yy-taichan-013",
    "symbol": "/page/id/aspect/midwife",
    "table": "/page/id/table/stages",
    "cast": "/cast",
    "cast-hour": "/cast?tradition=qimen",
    "cast-fault": f"/cast?{urlencode({'hexagram': '地天秦', 'go': '1'})}",
    "answer": f"/cast?{urlencode(HEXAGRAM)}",
    "answer-why": f"/cast?{urlencode(HEXAGRAM | {'clause': 'yy-taichan-037'})}",
    "answer-hour": f"/cast?{urlencode(HOUR)}",
    "ask": "/ask",
    "question": "/ask/aspect",
    "question-cast": "/ask/verdicts",
    "question-fault": "/ask/aspect?aspect=midwive",
    "compare": "/compare",
    "compare-aspect": "/compare?aspect=midwife",
    "compare-symbol": f"/compare?symbol={quote('白虎')}",
    "kinship": "/compare/kinship",
    "search": "/search",
    "search-found": f"/search?q={quote('白虎')}",
    "sparql": "/sparql",
    "fault": "/nothing-here",
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_of_page(window: Window, kind: str) -> None:
    window.go(KINDS[kind])
    if kind == "sparql":
        window.click("form[data-ready] .go button")
        window.one(".result table")
    by_day = window.audit()
    window.wide(PHONE)
    dark(window, "dark")
    try:
        by_night = window.audit()
    finally:
        dark(window, "light")
    assert (by_day, by_night) == ([], [])
    assert window.overflow() <= 0
    assert len(window.every("h1")) == 1
    status = {"fault": "404", "question-fault": "404", "cast-fault": "40"}.get(kind)
    if status:
        assert all(f"a status of {status}" in c for c in window.complaints())


def dark(window: Window, scheme: str) -> None:
    window.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})


@pytest.mark.skipif("GUIGU_SHOTS" not in os.environ, reason="GUIGU_SHOTS names no folder for pictures")
def test_pictures_for_a_person(window: Window) -> None:
    folder = Path(os.environ["GUIGU_SHOTS"])
    folder.mkdir(parents=True, exist_ok=True)
    for kind, path in KINDS.items():
        for name, width, extra in (("desk", DESK, ""), ("phone", PHONE, ""), ("phone-ko", PHONE, "lang=ko"), ("desk-zh", DESK, "lang=zh-hant")):
            window.wide(width)
            window.go(path + (f"{'&' if '?' in path else '?'}{extra}" if extra else ""))
            window.picture(folder / f"{kind}-{name}.png")
        dark(window, "dark")
        window.picture(folder / f"{kind}-dark.png")
        dark(window, "light")
    window.complaints()  # of the pages that tell a fault
