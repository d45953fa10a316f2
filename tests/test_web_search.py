"""Searching and comparing in the reading room: the same finds as by hand, variants folded, both works side by side."""

import re
from html import unescape

import pytest

from kg.comparison import Moment, judged
from kg.kinship import table
from kg.question import question
from kg.store import doctrine_store
from kg.web import search
from loader import iris
from loader.chapter import chapters, clauses
from loader.errors import InputError
from loader.iris import symbol
from loader.ontology import ontology
from tests.rooms import Room, text
from tests.test_web_reading import MOMENT


def finds(html: str, kind: str) -> list[str]:
    """The pieces of a page that tell of finds of a kind."""
    part = re.search(rf'<h2 id="h-{kind}">.*?</section>', html, re.DOTALL)
    return re.findall(r"<li.*?</li>", part[0], re.DOTALL) if part else []


def marks(html: str) -> set[str]:
    return set(map(unescape, re.findall(r"<mark>([^<]*)</mark>", html)))


@pytest.mark.parametrize("query", ["收生婆", "산파", "midwife"])
def test_the_midwife_in_three_languages(room: Room, query: str) -> None:
    html = room.html(f"/search?q={query}")
    assert {m.lower() for m in marks(html)} == {query}
    assert any(query in text(li) for kind in search.GROUPS for li in finds(html, kind))
    if query == "收生婆":  # the reading that is proposed for 化婆
        assert 'href="/page/clause/yy-taichan-021"' in html
    else:
        assert any('href="/page/id/aspect/midwife"' in li for li in finds(html, "names"))


def test_variants_are_folded(room: Room) -> None:
    one, other = (room.html(f"/search?q={q}&in=clauses") for q in ("六冲", "六沖"))
    assert finds(one, "clauses") == finds(other, "clauses")
    assert finds(one, "clauses")
    assert "searched as" in text(one)
    assert "searched as" not in text(other)
    # Counted by hand: every place of either character in the Chinese and Korean texts.
    places = sum(t.count("冲") + t.count("沖") for c in chapters() for p in c.passages for t in (p.lzh, p.ko))
    assert f'<h2 id="h-passages">Passages <span class="count">{places}</span>' in room.html("/search?q=冲")
    assert marks(room.html("/search?q=直符")) >= {"值符", "直符"}


def test_a_find_in_a_passage_leads_to_its_characters(room: Room) -> None:
    html = room.html("/search?q=穩婆")
    found = finds(html, "passages")
    assert len(found) == 2
    path = unescape(re.findall(r'href="([^"]+)"', found[0])[0])
    target = room.html(path.partition("#")[0])
    assert "".join(re.findall(r"<mark[^>]*>([^<]*)</mark>", target)) == "穩婆"


def test_every_page_of_finds(room: Room) -> None:
    wanted = [
        c.id
        for c in clauses().values()
        if any("白虎" in t for t in (c.quote, c.ko, c.en, c.when_text, c.doubt or "", c.note or "", *(e.read + e.why for e in c.emend)))
    ]
    assert len(wanted) > search.MANY
    found: list[str] = []
    path = "/search?q=白虎&in=clauses"
    while path:
        html = room.html(path)
        found += [i for li in finds(html, "clauses") for i in re.findall(r"· ((?:yy|qm)-[\w-]+)", li)]
        more = re.search(r'rel="next" href="([^"]+)"', html)
        path = unescape(more[1]) if more else ""
    assert found == wanted
    assert room.page("/search?q=白虎&in=clauses&page=99").status == 400


def test_ids_and_places_are_understood(room: Room) -> None:
    assert 'href="/page/clause/yy-taichan-013"' in room.html("/search?q=yy-taichan-013")
    assert 'href="/page/text/yiyin/taichan#p5"' in room.html("/search?q=000 ¶5")


def test_what_cannot_be_searched_for(room: Room) -> None:
    for query in ("q=" + "a" * 101, "q=a%00b", "q=a&in=nowhere", "q=a&page=0", "q=a&page=x", "q=a&in=names&page=²"):
        assert room.page(f"/search?{query}").status == 400, query
    assert "0 found" in text(room.html("/search?q=qqqq"))
    assert room.page("/search?q=%20%20").status == 200
    with pytest.raises(InputError):
        search.asked("\ud800")


# --- compare


def ids(html: str, side: int) -> list[str]:
    """Ids of the clauses of one of the two sides, as they stand."""
    halves = re.findall(r'<p class="side">.*?</div>', html, re.DOTALL)
    return [i for half in halves[side::2] for i in re.findall(r"· ((?:yy|qm)-[\w-]+)", half)]


def test_an_aspect_in_both(room: Room) -> None:
    html = room.html("/compare?aspect=穩婆")
    rows = question("aspect").rows(doctrine_store(), {"aspect": ["midwife"]}).texts()
    assert {*ids(html, 0), *ids(html, 1)} == {row["clause"] for row in rows}
    assert (len(ids(html, 0)), len(ids(html, 1))) == (8, 2)
    assert all(i.startswith("yy-") for i in ids(html, 0))
    assert all(i.startswith("qm-") for i in ids(html, 1))
    assert ids(room.html("/compare?aspect=midwife"), 0) == ids(html, 0)


def test_a_symbol_and_an_answered_question(room: Room) -> None:
    tiger = room.html("/compare?symbol=白虎")
    assert {"yy-taichan-137", "yy-taichan-148"} <= set(ids(tiger, 0))
    assert "qm-taichan-148" in ids(tiger, 1)
    bleeding = room.html("/compare?comparison=bleeding")
    assert "yy-taichan-044" in ids(bleeding, 0)
    assert ids(bleeding, 1)[0] == "qm-taichan-003"
    assert "contradict" in text(bleeding)


def test_a_wrong_name_is_told_with_near_ones(room: Room) -> None:
    reply = room.page("/compare?aspect=midwif")
    assert reply.status == 400
    assert "Did you mean midwife" in text(reply.body.decode())
    assert room.page("/compare?aspect=midwife&symbol=白虎").status == 400


def test_a_moment_judged_by_both(room: Room) -> None:
    html = room.html(MOMENT)
    sheet = judged(Moment("2026-11-30T10:20", "Asia/Seoul", "789678", None, None, "childbirth"))
    for side, name in enumerate(("left", "right")):
        assert set(ids(html, side)) == {e.clause for g in sheet.groups for e in getattr(g, name)}
    assert "the omens disagree" in text(html)
    # 穩婆: 五臨鬼，化婆有力 against 也遂虞穩婆作弊.
    assert {"yy-taichan-021"} <= set(ids(html, 0))
    assert {"qm-taichan-205"} <= set(ids(html, 1))


@pytest.mark.parametrize(
    "query", ["at=2026", "lines=789678", "at=2026-11-30T10:20&lines=78967", "at=2026-11-30T10:20&lines=789678&topic=smallpox", "at=2026-11-30T10:20"]
)
def test_a_moment_that_cannot_be_judged_keeps_its_form(room: Room, query: str) -> None:
    reply = room.page(f"/compare/moment?{query}")
    html = reply.body.decode()
    assert reply.status == 400
    assert 'role="alert"' in html
    assert 'name="at"' in html
    assert "--" not in re.sub(r"<!--.*?-->", "", text(html))


def test_the_kinship_tables(room: Room) -> None:
    html = room.html("/compare/kinship")
    worlds = ontology().of_type("Element")
    rows = table(worlds)
    departing = [c for row in rows for c in row["received"] if not c["agrees"]]
    assert html.count('class="instead"') == len(departing) == 18
    assert all(f'href="/page/clause/{c["clause"]}"' in html for c in departing)
    assert html.count('<th scope="row">') == len({row["relative"] for row in rows})
    few = room.html("/compare/kinship?doubts=1")
    assert few.count('class="instead"') == 18
    assert few.count('<th scope="row">') == len({row["relative"] for row in rows if any(not c["agrees"] for c in row["received"])})
    assert iris.key(symbol("relative", "wife")) in few
