"""Asking in the reading room: every question has its page, what a page shows is what the command says, and no address breaks it."""

import json
import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import quote, urlencode

import html5rdf
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.cli import main
from kg.question import questions
from kg.rows import said
from kg.server.pages import Pages
from kg.server.serving import running
from kg.server.settings import Settings
from kg.store import parsed
from kg.web import asking, editor, frame
from kg.web.asked_casts import asked_casts, written
from kg.web.fields import fields
from loader import iris
from loader.errors import InputError
from tests.serving import Reply, call

CAST = "/cast?" + urlencode({"hexagram": "渙", "month": "午", "day": "甲子", "topic": "childbirth", "ask": "birth-far"})
PARTS = (asking, editor, frame)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    pages = Pages(routes=[route for part in PARTS for route in part.routes()], editor=editor.page)
    with running(Settings(port=0, workers=1), pages=pages) as found:
        yield found


def page(url: str, path: str, language: str = "en") -> Reply:
    return call(url, path, Accept="text/html", Accept_Language=language)


def text(reply: Reply) -> str:
    return unescape(re.sub(r"<[^>]+>", " ", reply.body.decode()))


def address(name: str, form: str = "", /, **values: list[str] | str) -> str:
    return f"/ask/{name}{form}?{urlencode(values, doseq=True)}"


def rows(reply: Reply) -> list[dict[str, str]]:
    assert reply.status == 200, reply.body
    found = parsed(reply.body)
    assert not isinstance(found, bool)
    return [{c: said(t) for c, t in zip(found.columns, row, strict=True)} for row in found.rows]


@pytest.mark.parametrize("name", sorted(questions()))
def test_every_question_has_its_page_in_three_languages(url: str, name: str) -> None:
    q = questions()[name]
    for language, title in q.title.items():
        reply = page(url, f"/ask/{name}", language)
        html = reply.body.decode()
        assert reply.status == 200
        assert f"<title>{title} — guigu</title>" in unescape(html)
        assert f'<html lang="{"zh-Hant" if language == "zh-hant" else language}">' in html
        assert all(f'name="{p.name}"' in html for p in q.parameters)
        # It shows an answer, or says that it wants a cast; never neither.
        assert ('id="answer"' in html) != ('id="wanting"' in html)
        assert ('id="wanting"' in html) == (q.theme == "cast" or name == "side-by-side")
    if name in ("aspect", "verdicts", "span", "table", "clause"):
        html5rdf.HTMLParser(strict=True).parse(html)


@pytest.mark.parametrize("name", sorted(n for n, q in questions().items() if q.theme in ("doctrine", "comparison") and not q.example.casts))
def test_the_example_has_its_rows(url: str, name: str) -> None:
    q = questions()[name]
    found = rows(call(url, address(name, ".json", **{k: list(v) for k, v in q.example.parameters.items()})))
    for wanted in q.example.rows:
        assert any(all(value in row[column] for column, value in wanted.items()) for row in found), wanted


@pytest.mark.parametrize("name", ["timings", "what-if-still", "shared-verdicts", "side-by-side", "palaces"])
def test_a_question_is_asked_of_casts_in_the_address(url: str, name: str) -> None:
    q = questions()[name]
    given = {k: list(v) for k, v in q.example.parameters.items()} | {"cast": [written(command) for command in q.example.casts]}
    found = rows(call(url, address(name, ".json", **given)))
    for wanted in q.example.rows:
        assert any(all(value in row[column] for column, value in wanted.items()) for row in found), wanted
    # The page leads to the same by its link to the example, and from each cast to the page that shows it.
    shown = page(url, f"/ask/{name}").body.decode()
    assert f'href="{address(name, **given)}"' in unescape(shown)
    answered = unescape(page(url, address(name, **given)).body.decode())
    assert all(f'href="/cast?{written(command)}"' in answered for command in q.example.casts)


def test_a_cast_in_an_address_is_asked_there_and_nowhere_else(url: str) -> None:
    assert rows(call(url, address("verdicts", ".json", cast=[CAST])))
    assert rows(call(url, address("verdicts", ".json"))) == []
    assert json.loads(call(url, f"/sparql?{urlencode({'query': 'ASK { ?c a g:Cast }'})}", Accept="application/json").body)["boolean"] is False


def test_casts_that_are_served_are_asked(tmp_path: object) -> None:
    file = f"{tmp_path}/cast.ttl"
    command = ["cast", "--hexagram", "渙", "--month", "午", "--day", "甲子", "--topic", "childbirth", "--format", "ttl", "-o"]
    assert CliRunner().invoke(main, [*command, file]).exit_code == 0
    pages = Pages(routes=[route for part in PARTS for route in part.routes()])
    with running(Settings(port=0, workers=1, data=(file,)), pages=pages) as url:
        shown = page(url, "/ask/verdicts")
    assert "渙 甲子日" in text(shown)
    assert "yy-taichan-036" in text(shown)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("aspect", {"aspect": ["穩婆"]}),
        ("aspect", {"aspect": ["산파", "mother"]}),
        ("significators", {"role": ["mother"]}),
        ("concordance", {"string": ["白虎"]}),
        ("kinship-departures", {}),
        ("span", {"passage": ["000 ¶2"], "from": ["97"], "to": ["99"]}),
        ("timing-by-relation", {"relation": ["合"]}),
    ],
)
@pytest.mark.parametrize("form", ["csv", "md"])
def test_a_file_is_what_the_command_writes(url: str, name: str, values: dict[str, list[str]], form: str) -> None:
    options = [part for key, given in values.items() for value in given for part in (f"--{key}", value)]
    done = CliRunner().invoke(main, ["ask", name, "--format", form, *options])
    assert done.exit_code == 0, done.output
    reply = call(url, address(name, f".{form}", **values))
    assert reply.type == f"{asking.MEDIA[form]}; charset=utf-8"
    assert reply.body == done.stdout_bytes
    assert reply.body.count(b"\n") > 1


def test_the_answer_leads_on(url: str) -> None:
    html = unescape(page(url, address("aspect", aspect="산파", lang="ko")).body.decode())
    assert '<a class="clause-id" href="/page/clause/qm-taichan-004?lang=ko">qm-taichan-004</a>' in html
    assert '<span lang="lzh">太陰，穩婆</span>' in html
    assert f'href="{address("aspect", ".csv", aspect="산파")}"' in html
    assert f'href="/sparql?{urlencode({"ask": "aspect", "aspect": "산파", "lang": "ko"})}"' in html


def test_a_long_answer_is_cut_on_the_page_and_whole_in_the_file(url: str) -> None:
    html = page(url, "/ask/ties-of-symbols").body.decode()
    every = call(url, "/ask/ties-of-symbols.tsv").body.count(b"\n") - 1
    assert every > asking.SHOWN
    assert html.count("<tr>") == asking.SHOWN + 1
    assert f"{every:,} rows" in html


def test_a_form_offers_what_may_be_given() -> None:
    q = questions()
    (aspect,) = fields(q["aspect"], {"aspect": ["산파"]}, "aspect", "ko")
    assert (aspect.kind, aspect.values) == ("list", ("산파", ""))
    assert next(c for c in aspect.choices if c.value == "산파").others == "穩婆 · midwife"
    # A short list is chosen from, whatever the language of the value that was given.
    door = fields(q["door"], {"door": ["개문"]}, "", "en")[0]
    chosen = next(c for c in door.choices if c.value == door.values[0])
    assert (door.kind, chosen.name) == ("select", "Door of Opening")
    grade = fields(q["emendations"], {}, "", "en")[0]
    assert (grade.kind, [c.value for c in grade.choices]) == ("select", ["A", "B", "C"])
    assert fields(q["clause"], {}, "", "en")[0].choices == ()
    assert fields(q["concordance"], {}, "", "en")[0].kind == "search"


@pytest.mark.parametrize(
    ("path", "status", "said_of_it"),
    [
        (address("aspect", aspect="midwive"), 404, "Did you mean midwife"),
        (address("aspect", colour="red"), 404, "There are: aspect"),
        (address("aspect", path="x", request="x"), 404, "is not a known parameter"),
        (address("concordance", string="\u200b\u0007"), 400, "no value"),
        (address("span", **{"from": "many"}), 400, "no whole number"),
        (address("verdicts", cast="hello"), 400, "not the address of a cast"),
        (address("verdicts", cast="http://["), 400, "not the address of a cast"),
        (address("verdicts", cast=["hexagram=渙", *(f"hexagram={n}" for n in range(1, 5))]), 400, "At most 4"),
        ("/ask/aspect?" + "&".join(f"aspect={n}" for n in range(101)), 400, "At most 100"),
        ("/ask/aspekt", 404, "Did you mean aspect"),
        ("/ask/aspect.docx", 404, "There are: csv"),
        ("/ask/aspect.csv?aspect=%FF", 404, "not a known aspect"),
    ],
)
def test_what_cannot_be_asked_is_told(url: str, path: str, status: int, said_of_it: str) -> None:
    reply = page(url, path)
    assert reply.status == status
    assert said_of_it in text(reply)
    assert "--" not in re.sub(r"<!--.*?-->", "", text(reply)) or reply.type.startswith("text/plain")


@settings(max_examples=60)
@given(
    st.sampled_from(["aspect", "concordance", "span", "symbol", "clause", "verdicts", "timing-by-relation", "hexagram", "table"]),
    st.sampled_from(["", ".csv", ".json", ".ttl"]),
    st.lists(
        st.tuples(
            st.sampled_from(["aspect", "string", "from", "to", "symbol", "clause", "relation", "cast", "more", "lang", "ask", "path", "x"]),
            st.one_of(st.text(max_size=30), st.sampled_from(["'\"><script>", "} UNION {", "\\u007D", "9" * 199, "<https://w3id.org/guigu/>", "%00", "\ud800"])),
        ),
        max_size=4,
    ),
)
def test_no_address_breaks_it(url: str, name: str, form: str, pairs: list[tuple[str, str]]) -> None:
    query = "&".join(f"{key}={quote(value.encode('utf-8', 'surrogatepass'))}" for key, value in pairs)
    reply = page(url, f"/ask/{name}{form}?{query}")
    assert reply.status in (200, 400, 404), reply.body
    if "html" in reply.type:  # plain text may say it: nosniff keeps it text
        assert b"<script>" not in reply.body.replace(b"</script>", b"")
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert call(url, f"/sparql?ask={name}&{query}", Accept="text/html").status in (200, 400, 404, 403)


def test_a_cast_is_read_from_an_address_or_its_query() -> None:
    whole, bare = asked_casts((f"http://127.0.0.1:8000{CAST}", CAST.partition("?")[2]))
    assert whole == bare
    assert whole.href == CAST
    assert f"<{iris.clause('yy-taichan-068')}>" in whole.triples
    with pytest.raises(InputError, match="not the address"):
        asked_casts(("/read",))


def test_the_editor_has_the_query_of_a_question(url: str) -> None:
    html = unescape(page(url, f"/sparql?{urlencode({'ask': 'aspect', 'aspect': ['穩婆', 'mother']}, doseq=True)}", "ko").body.decode())
    written_out = questions()["aspect"].bound({"aspect": ["穩婆", "mother"]})
    assert f">\n{written_out}</textarea>" in html
    assert "사항에 관한 조목" in html
    assert 'action="/sparql" method="get"' in html


def test_the_editor_takes_any_query_as_text(url: str) -> None:
    query = "SELECT * { ?s ?p '</textarea><script>alert(1)</script>' }"
    reply = page(url, f"/sparql?{urlencode({'edit': query})}")
    assert reply.status == 200
    assert query in unescape(reply.body.decode())
    assert b"<script>alert" not in reply.body
    html5rdf.HTMLParser(strict=True).parse(reply.body.decode())


def test_the_editor_without_its_bundle_is_a_text_field(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(editor, "_BUNDLE", ("yasgui/nothing.js",))
    html = page(url, "/sparql").body.decode()
    assert "yasgui" not in html
    assert "data-editor" not in html
    assert '<textarea id="query" name="query"' in html


def test_the_first_query_and_those_of_the_tabs_are_answered(url: str) -> None:
    for query in (editor.START, *(questions()[name].sparql for name in editor.TABS)):
        assert rows(call(url, f"/sparql?{urlencode({'query': query})}", Accept="application/sparql-results+json"))


def test_programs_still_get_the_service_description(url: str) -> None:
    assert call(url, "/sparql").type.startswith("text/turtle")
    assert call(url, "/sparql?ask=nonsense", Accept="text/html,*/*;q=0.8").status == 404


def test_every_term_is_completed_by_its_names(url: str) -> None:
    terms = {iri: (kind, names) for iri, kind, names in json.loads(call(url, "/terms.json").body)["terms"]}
    assert terms[iris.symbol("aspect", "midwife")] == ("i", "穩婆 · 산파 · midwife")
    assert terms[iris.ns("Clause")][0] == "c"
    assert terms[iris.ns("about")][0] == "p"
    assert iris.SKOS + "prefLabel" in terms
    assert not [iri for iri in terms if iri.startswith(f"{iris.BASE}id/table/") and iri.count("/") > 6]
