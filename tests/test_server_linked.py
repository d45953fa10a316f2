"""Linked data over HTTP: each IRI leads to a document, documents are true and kept, and pages are put in."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import rdflib

from kg.server.dataset import Dataset
from kg.server.pages import Pages
from kg.server.serving import running
from kg.server.settings import Settings
from loader import iris
from tests import redirects
from tests.serving import CLAUSE, DEFAULT, GRAPHS, LIMITS, SHARED, VOID, call, dataset


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running(LIMITS, load=dataset) as address:
        yield address


@pytest.mark.parametrize(
    ("accept", "ending"),
    [
        ("text/turtle", "ttl"),
        ("application/ld+json", "jsonld"),
        ("application/n-triples", "nt"),
        ("application/rdf+xml", "rdf"),
        ("text/turtle;q=0.1, application/ld+json;q=0.2", "jsonld"),
        ("*/*", "ttl"),
        ("", "ttl"),
        ("text/html", "ttl"),
    ],
)
def test_an_iri_leads_to_its_document(url: str, accept: str, ending: str) -> None:
    headers = {"Accept": accept} if accept else {}
    reply = call(url, "/clause/yy-test-001", **headers)
    assert (reply.status, reply.headers["location"], reply.headers["vary"]) == (303, f"/data/clause/yy-test-001.{ending}", "Accept")
    document = call(url, reply.headers["location"])
    assert document.status == 200
    assert document.headers["link"] == f'<{CLAUSE}>; rel="describes"'
    name = {"ttl": "turtle", "jsonld": "json-ld", "nt": "nt", "rdf": "xml"}[ending]
    graph = rdflib.Graph().parse(data=document.body, format=name)
    me, mother = rdflib.URIRef(CLAUSE), rdflib.URIRef(iris.symbol("aspect", "mother"))
    # What is said of it, of its parts and of its blank nodes; labels of what it points to, and no more of that; nothing of other things.
    assert len(list(graph.predicate_objects(me))) == 5
    assert list(graph.objects(rdflib.URIRef(f"{CLAUSE}/timing"))) == [rdflib.Literal("month")]
    assert {str(o) for o in graph.objects(mother)} == {"產母"}
    assert rdflib.Literal("of a blank node") in set(graph.objects())
    assert rdflib.Literal("of another") not in set(graph.objects())


def test_documents_are_kept_by_their_tag(url: str) -> None:
    first = call(url, "/data/clause/yy-test-001.ttl")
    tag = first.headers["etag"]
    assert re.fullmatch(r'"[0-9.]+-[0-9a-f]{16}"', tag)
    assert call(url, "/data/clause/yy-test-001.ttl").headers["etag"] == tag
    for known in (tag, f"W/{tag}", f'"x", {tag}', "*"):
        again = call(url, "/data/clause/yy-test-001.ttl", If_None_Match=known)
        assert (again.status, again.body, again.headers["etag"]) == (304, b"", tag)
    assert call(url, "/data/clause/yy-test-001.ttl", If_None_Match='"x"').status == 200
    assert call(url, "/data/clause/yy-test-001.nt").headers["etag"] != tag
    # The same data give the same bytes in another process, blank nodes included.
    with running(Settings(port=0, workers=1), load=lambda _s: Dataset(DEFAULT.replace("_:b1", "_:other").encode())) as other:
        assert call(other, "/data/clause/yy-test-001.ttl").body == first.body


@pytest.mark.parametrize(
    "path",
    [
        "/clause/nowhere",
        "/clause/yy-test-00",
        "/clause/",
        "/ns/",
        "/id/x/../../etc/passwd",
        "/data/clause/yy-test-001",
        "/data/clause/yy-test-001.exe",
        "/data/../../../etc/passwd.ttl",
        "/data/%2e%2e/%2e%2e/etc/passwd.ttl",
        "/data/clause/yy-test-001%00.ttl",
        "/data/.ttl",
        "/data//etc/passwd.ttl",
        "/page/clause/yy-test-001",
        "/ontology.exe",
        "/void.",
        "/np/RA123",
        "/clause/%E5%88%9D",
        "/clause/yy-test-001%22%3E",
        "/clause/" + "x" * 5_000,
    ],
)
def test_unknown_paths_are_404(url: str, path: str) -> None:
    reply = call(url, path)
    assert reply.status == (303 if path == "/ns/" else 404)
    assert reply.type == ("" if path == "/ns/" else "text/plain; charset=utf-8")


def test_documents_of_the_whole(url: str) -> None:
    assert call(url, "/ns").headers["location"] == "/ontology"
    ontology = rdflib.Graph().parse(data=call(url, "/ontology").body, format="turtle")
    assert set(ontology.subjects()) == {rdflib.URIRef(iris.ns("Clause"))}
    void = rdflib.Graph().parse(data=call(url, "/void.nt").body, format="nt")
    me = rdflib.URIRef(iris.BASE + "void")
    assert void.value(me, VOID.triples).toPython() == len(DEFAULT.strip().splitlines())
    assert void.value(me, VOID.sparqlEndpoint) == rdflib.URIRef(f"{url}/sparql")
    assert {str(s) for s in void.objects(me, VOID.subset)} == set(GRAPHS)
    context = call(url, "/context.jsonld")
    assert context.type == "application/ld+json"
    assert "@context" in json.loads(context.body)
    assert b"Disallow: /sparql" in call(url, "/robots.txt").body
    assert json.loads(call(url, "/healthz").body)["status"] == "ready"


def test_pages_are_put_in() -> None:
    from starlette.responses import HTMLResponse
    from starlette.routing import Route

    def thing(_request: object, iri: str) -> HTMLResponse:
        return HTMLResponse(f"a page on {iri}")

    async def home(_request: object) -> HTMLResponse:
        return HTMLResponse("home")

    pages = Pages(routes=[Route("/", home)], thing=thing, fault=lambda _r, fault, status: HTMLResponse(f"page: {fault.code}", status))
    graph = iris.BASE + "graph/test"
    with running(Settings(port=0, workers=1), pages=pages, load=lambda _s: Dataset(DEFAULT.encode(), {graph: SHARED.encode()})) as url:
        assert call(url, "/").body == b"home"
        for accept in ("text/html", "*/*", "image/png", ""):
            assert call(url, "/clause/yy-test-001", **({"Accept": accept} if accept else {})).headers["location"] == "/page/clause/yy-test-001"
        assert call(url, "/clause/yy-test-001", Accept="text/html;q=0.5, text/turtle").headers["location"] == "/data/clause/yy-test-001.ttl"
        page = call(url, "/page/clause/yy-test-001")
        assert page.body.decode() == f"a page on {CLAUSE}"
        assert "default-src 'self'" in page.headers["content-security-policy"]
        assert call(url, "/page/clause/nowhere").status == 404
        assert call(url, "/nowhere", Accept="text/html").body == b"page: GUIGU.SERVER.PATH"
        assert call(url, "/nowhere").body.startswith(b"GUIGU.SERVER.PATH")
        # A graph that is named by an IRI of ours is a document of all that it holds.
        moved = call(url, "/graph/test")
        assert moved.headers["location"] == "/data/graph/test.ttl"
        assert len(rdflib.Graph().parse(data=call(url, "/data/graph/test.rdf").body, format="xml")) == 1


def test_an_error_of_a_page_is_told_without_its_trace(caplog: pytest.LogCaptureFixture) -> None:
    from starlette.routing import Route

    def broken(_request: object) -> None:
        raise ZeroDivisionError("secret")

    with running(Settings(port=0, workers=1), pages=Pages(routes=[Route("/broken", broken)]), load=lambda _s: Dataset(b"")) as url:
        reply = call(url, "/broken")
    assert (reply.status, reply.body) == (500, b"GUIGU.SERVER.FAILED: the server failed.\n")
    assert "default-src 'self'" in reply.headers["content-security-policy"]
    assert "secret" in caplog.text, "it stands in the log"


def test_iris_lead_where_the_rules_of_w3id_say() -> None:
    path = Path(__file__).parents[1] / "docs" / "w3id" / ".htaccess"
    rules = redirects.rules(path.read_text("utf-8"))
    pages = Pages(thing=lambda _r, _iri: None)  # type: ignore[arg-type, return-value] # never called
    with running(Settings(port=0, workers=1), pages=pages, load=lambda _s: Dataset(DEFAULT.encode())) as url:
        for iri in ("clause/yy-test-001", "clause/yy-test-001/timing", "id/aspect/mother", "ns/Clause", "ns/", "ns"):
            for accept in ("text/turtle", "application/ld+json", "application/n-triples", "application/rdf+xml", "text/html", "*/*"):
                status, target = redirects.resolve(rules, iri, accept)
                reply = call(url, f"/{iri}", Accept=accept)
                assert (reply.status, reply.headers["location"]) == (status, urlsplit(target).path)
