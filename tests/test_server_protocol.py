"""The endpoint over HTTP: the W3C protocol tests for queries, datasets, negotiation, limits, the service description, real clients."""

import csv
import io
import json
import re
import socket
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from urllib.parse import quote, urlsplit

import pyoxigraph as ox
import pytest
import rdflib
from rdflib.plugins.stores.sparqlstore import SPARQLStore
from SPARQLWrapper import CSV, JSON, JSONLD, POST, POSTDIRECTLY, RDFXML, TURTLE, XML, SPARQLWrapper

from kg.server.serving import running
from loader import iris
from tests.serving import ASK, CONSTRUCT, DEFAULT, DIRECT, FORM, GRAPHS, LIMITS, SD, SELECT, UPDATE, VOID, W3C, Reply, ask, call, dataset


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running(LIMITS, load=dataset) as address:
        yield address


def graph_parameters(kind: str, *numbers: int) -> str:
    return "&".join(f"{kind}-graph-uri={quote(f'{W3C}data{n}.rdf', safe='')}" for n in numbers)


# The SPARQL 1.1 Protocol tests of the W3C, https://w3c.github.io/rdf-tests/sparql/sparql11/protocol/: method, path, media type, body, and
# what is expected: a boolean, a table, a graph, or a status 4xx.
EMPTY = graph_parameters("default", 0)
TYPES = f"<{W3C}data1.rdf> a ?type . <{W3C}data2.rdf> a ?type ."
NAMED = f"GRAPH ?g1 {{ <{W3C}data1.rdf> a ?type }} GRAPH ?g2 {{ <{W3C}data2.rdf> a ?type }}"
Case = tuple[str, str, str, str | bytes, str]
W3C_TESTS: dict[str, Case] = {
    "query_post_form": ("POST", f"?{EMPTY}", FORM, "query=ASK%20%7B%7D", "true"),
    "query_dataset_default_graphs_get": ("GET", f"?query={quote(f'ASK {{ {TYPES} }}')}&{graph_parameters('default', 1, 2)}", "", "", "true"),
    "query_dataset_default_graphs_post": ("POST", f"?{graph_parameters('default', 1, 2)}", DIRECT, f"ASK {{ {TYPES} }}", "true"),
    "query_dataset_named_graphs_post": ("POST", f"?{graph_parameters('named', 1, 2)}", DIRECT, f"ASK {{ {NAMED} }}", "true"),
    "query_dataset_named_graphs_get": ("GET", f"?query={quote(f'ASK {{ {NAMED} }}')}&{graph_parameters('named', 1, 2)}", "", "", "true"),
    "query_dataset_full": (
        "POST",
        f"?{graph_parameters('default', 3)}&{graph_parameters('named', 1, 2)}",
        DIRECT,
        f"ASK {{ <{W3C}data3.rdf> a ?type {NAMED} }}",
        "true",
    ),
    "query_multiple_dataset": ("POST", f"?{graph_parameters('named', 1, 2)}", DIRECT, f"ASK FROM <{W3C}data3.rdf> {{ {NAMED} }}", "true"),
    "query_get": ("GET", f"?query=ASK%20%7B%7D&{EMPTY}", "", "", "true"),
    "query_content_type_select": ("POST", f"?{EMPTY}", DIRECT, "SELECT (1 AS ?value) {}", "table"),
    "query_content_type_ask": ("POST", f"?{EMPTY}", DIRECT, "ASK {}", "true"),
    "query_content_type_describe": ("POST", f"?{EMPTY}", DIRECT, "DESCRIBE <http://example.org/>", "graph"),
    "query_content_type_construct": ("POST", f"?{EMPTY}", DIRECT, "CONSTRUCT { <s> <p> 1 } WHERE {}", "graph"),
    "query_post_direct": ("POST", "", DIRECT, "ASK {}", "true"),
    "bad_query_method": ("PUT", f"?query=ASK%20%7B%7D&{EMPTY}", FORM, "", "4xx"),
    "bad_multiple_queries": ("GET", "?query=ASK%20%7B%7D&query=SELECT%20%2A%20%7B%7D", "", "", "4xx"),
    "bad_query_wrong_media_type": ("POST", "", "text/plain", "ASK {}", "4xx"),
    "bad_query_missing_form_type": ("POST", "", "", "query=ASK%20%7B%7D", "4xx"),
    "bad_query_missing_direct_type": ("POST", "", "", "ASK {}", "4xx"),
    "bad_query_non_utf8": ("POST", "", f"{DIRECT}; charset=UTF-16", "ASK {}".encode("utf-16"), "4xx"),
    "bad_query_syntax": ("GET", "?query=ASK%20%7B", "", "", "4xx"),
    # Updates are refused, all of them, also those that other services would do.
    "bad_update_get": ("GET", "?update=CLEAR%20ALL", "", "", "4xx"),
    "bad_multiple_updates": ("POST", "", FORM, "update=CLEAR%20NAMED&update=CLEAR%20DEFAULT", "4xx"),
    "bad_update_wrong_media_type": ("POST", "", "text/plain", "CLEAR NAMED", "4xx"),
    "bad_update_missing_form_type": ("POST", "", "", "update=CLEAR%20NAMED", "4xx"),
    "bad_update_non_utf8": ("POST", "", f"{UPDATE}; charset=UTF-16", "CLEAR NAMED".encode("utf-16"), "4xx"),
    "bad_update_syntax": ("POST", "", FORM, "update=CLEAR%20XYZ", "4xx"),
    "bad_update_dataset_conflict": ("POST", "", FORM, f"using-named-graph-uri={quote(W3C)}&update=CLEAR%20ALL", "4xx"),
    "update_post_form": ("POST", "", FORM, "update=CLEAR+ALL", "4xx"),
    "update_post_direct": ("POST", "", UPDATE, "CLEAR ALL", "4xx"),
    "update_dataset_default_graph": ("POST", f"?using-graph-uri={quote(W3C)}", UPDATE, "INSERT DATA { <a:s> <a:p> <a:o> }", "4xx"),
}


@pytest.mark.parametrize("path", ["/sparql", "/sparql/"])
@pytest.mark.parametrize("name", W3C_TESTS)
def test_w3c(url: str, name: str, path: str) -> None:
    method, parameters, kind, body, expected = W3C_TESTS[name]
    data = body.encode() if isinstance(body, str) else body
    reply = call(url, path + parameters, method, data if method != "GET" else None, **({"Content_Type": kind} if kind else {}))
    if expected == "4xx":
        assert 400 <= reply.status < 500
        assert re.fullmatch(rb"GUIGU\.[A-Z.]+: [^\n]+\n", reply.body)
        return
    assert reply.status == 200, reply.body
    if expected == "true":
        assert reply.type == "application/sparql-results+json"
        assert json.loads(reply.body)["boolean"] is True
    elif expected == "table":
        assert json.loads(reply.body)["results"]["bindings"][0]["value"]["value"] == "1"
    else:
        assert reply.type.startswith("text/turtle")
        triples = list(ox.parse(reply.body, format=ox.RdfFormat.TURTLE))
        if "construct" in name:
            assert triples[0].subject == ox.NamedNode(f"{url}/s"), "a relative IRI is resolved against the endpoint"


def count(reply: Reply) -> int:
    assert reply.status == 200, reply.body
    return int(json.loads(reply.body)["results"]["bindings"][0]["n"]["value"])


COUNT = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
COUNT_NAMED = "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }"


def test_dataset_of_the_request(url: str) -> None:
    one, two, three = GRAPHS
    everything = len(DEFAULT.strip().splitlines())
    assert count(ask(url, COUNT)) == everything
    assert count(ask(url, COUNT_NAMED)) == 6
    assert count(ask(url, COUNT, **{"default-graph-uri": one})) == 2
    assert count(ask(url, COUNT, **{"default-graph-uri": [one, two]})) == 3, "the merge of two graphs has a shared triple once"
    assert count(ask(url, COUNT, **{"default-graph-uri": [one, one]})) == 2
    assert count(ask(url, COUNT_NAMED, **{"default-graph-uri": one})) == 0, "a dataset without named graphs"
    assert count(ask(url, COUNT_NAMED, **{"named-graph-uri": [one, three]})) == 4
    assert count(ask(url, COUNT, **{"named-graph-uri": one})) == 0, "a dataset without default graph"
    assert count(ask(url, COUNT, **{"default-graph-uri": "http://example.org/nowhere"})) == 0
    assert count(ask(url, COUNT.replace("{ ?s", f"FROM <{one}> {{ ?s"))) == 2
    assert count(ask(url, COUNT.replace("{ ?s", f"FROM <{one}> {{ ?s"), **{"default-graph-uri": "http://example.org/nowhere"})) == 0
    assert count(ask(url, COUNT_NAMED.replace("{ GRAPH", f"FROM NAMED <{two}> {{ GRAPH"))) == 2
    # What was merged for one request is not seen by another.
    assert count(ask(url, COUNT_NAMED)) == 6
    for bad in ("", "nowhere", "http://a b", "http://example.org/\x00"):
        assert ask(url, COUNT, **{"default-graph-uri": bad}).status == 400


@pytest.mark.parametrize(
    ("query", "accept", "expected"),
    [
        (SELECT, "", "application/sparql-results+json"),
        (SELECT, "*/*", "application/sparql-results+json"),
        (SELECT, "application/sparql-results+xml", "application/sparql-results+xml"),
        (SELECT, "application/sparql-results+xml;q=0.4, text/csv;q=0.5", "text/csv; charset=utf-8"),
        (SELECT, "text/*", "text/csv; charset=utf-8"),
        (SELECT, "text/*, text/csv;q=0.1", "text/tab-separated-values; charset=utf-8"),
        (SELECT, "application/json", "application/json"),
        (SELECT, "application/sparql-results+json;q=0, */*;q=0.1", "application/sparql-results+xml"),
        (SELECT, "text/turtle", None),
        (SELECT, "text/csv;q=0", None),
        (SELECT, "image/png", None),
        (SELECT, "TEXT/CSV ; q=1.000", "text/csv; charset=utf-8"),
        (SELECT, "nonsense", "application/sparql-results+json"),
        (SELECT, "text/csv;q=2", "application/sparql-results+json"),
        (ASK, "text/tab-separated-values", "text/tab-separated-values; charset=utf-8"),
        (ASK, "application/sparql-results+xml", "application/sparql-results+xml"),
        (ASK, "text/turtle", None),
        (CONSTRUCT, "", "text/turtle; charset=utf-8"),
        (CONSTRUCT, "application/n-triples", "application/n-triples"),
        (CONSTRUCT, "application/rdf+xml, text/turtle;q=0.9", "application/rdf+xml"),
        (CONSTRUCT, "application/ld+json", "application/ld+json"),
        (CONSTRUCT, "application/json", "application/json"),
        (CONSTRUCT, "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8", "application/xml"),
        (CONSTRUCT, "text/csv", None),
        ("DESCRIBE <http://example.org/a>", "application/n-triples;q=0.2, text/turtle;q=0.1", "application/n-triples"),
    ],
)
def test_form_by_accept(url: str, query: str, accept: str, expected: str | None) -> None:
    reply = ask(url, query, accept)
    assert reply.headers["vary"] == "Accept"
    if expected is None:
        assert reply.status == 406
        assert reply.type == "text/plain; charset=utf-8"
    else:
        assert (reply.status, reply.type) == (200, expected)


def test_each_form_says_the_same(url: str) -> None:
    query = 'SELECT ?o ?nothing { { <http://example.org/a> ?p ?o } UNION { ?c ?q ?o FILTER(lang(?o) = "lzh") } } ORDER BY ?o'
    replies = {form: ask(url, query, format=form) for form in ("json", "xml", "csv", "tsv")}
    rows = json.loads(replies["json"].body)["results"]["bindings"]
    assert {(r["o"]["value"], r["o"].get("xml:lang"), r["o"].get("datatype")) for r in rows} == {
        ("7", None, iris.XSD + "integer"),
        ("初臨鬼母災", "lzh", None),
    }
    tree = ET.fromstring(replies["xml"].body)  # noqa: S314 - the server's own answer
    assert {e.text for e in tree.iter("{http://www.w3.org/2005/sparql-results#}literal")} == {"7", "初臨鬼母災"}
    assert sorted(csv.reader(io.StringIO(replies["csv"].body.decode()))) == [["7", ""], ["o", "nothing"], ["初臨鬼母災", ""]]
    assert sorted(replies["tsv"].body.decode().splitlines()) == ['"初臨鬼母災"@lzh\t', "7\t", "?o\t?nothing"]
    forms = {"ttl": "turtle", "nt": "nt", "rdf": "xml", "jsonld": "json-ld"}
    graphs = [rdflib.Graph().parse(data=ask(url, CONSTRUCT, format=form).body, format=name) for form, name in forms.items()]
    assert len(graphs[0]) == 7
    assert all(set(g.objects()) == set(graphs[0].objects()) for g in graphs)


def test_our_prefixes_need_no_declaration_and_others_do(url: str) -> None:
    assert json.loads(ask(url, "ASK { clause:yy-test-001 a g:Clause }").body)["boolean"]
    reply = ask(url, "ASK {\n  ?s nowhere:p ?o }")
    assert reply.status == 400
    assert reply.body.startswith(b"GUIGU.QUERY.SYNTAX: query:2:")


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("ASK { ?s ", "GUIGU.QUERY.SYNTAX: query:1:"),
        ("", "GUIGU.QUERY.SYNTAX"),
        ("INSERT DATA { <a:s> <a:p> <a:o> }", "GUIGU.QUERY.SYNTAX"),
        ("ASK {} ; DROP ALL", "GUIGU.QUERY.SYNTAX"),
        ("SELECT (<http://example.org/f>(1) AS ?x) {}", "GUIGU.QUERY.FAILED"),
    ],
)
def test_bad_queries_are_told_in_a_sentence(url: str, query: str, code: str) -> None:
    reply = ask(url, query)
    assert reply.status == 400
    assert reply.type == "text/plain; charset=utf-8"
    assert reply.body.decode().startswith(code)
    assert reply.body.count(b"\n") == 1


def test_limits_of_a_request(url: str) -> None:
    long = "ASK {} #" + "x" * LIMITS.query
    assert ask(url, long).status == 414
    assert call(url, "/sparql", "POST", long.encode(), Content_Type=DIRECT).status == 413
    assert call(url, "/sparql", "POST", f"query={quote(long)}".encode(), Content_Type=FORM).status == 413
    assert call(url, "/sparql", "POST", b"x" * 400_000, Content_Type=FORM).status == 413
    assert call(url, "/sparql", "POST", b"&".join([b"a=b"] * 2_000), Content_Type=FORM).status == 413
    assert call(url, "/sparql", "POST", b"\x1f\x8b", Content_Type=DIRECT, Content_Encoding="gzip").status == 415
    assert call(url, "/sparql", "POST", b"ASK { \xff }", Content_Type=DIRECT).status == 400
    assert call(url, "/sparql", "POST", b"query=%ff", Content_Type=FORM).status == 400
    assert call(url, "/sparql?query=%ff").status == 400
    assert call(url, "/sparql", "POST", b"", Content_Type=FORM).status == 400
    assert call(url, "/sparql?query=ASK%7B%7D", "POST", b"ASK {}", Content_Type=DIRECT).status == 400
    short = "ASK {} #" + "x" * (LIMITS.query - 8)
    assert ask(url, short).status == 200


def test_answer_that_is_too_large(url: str) -> None:
    cross = "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
    reply = ask(url, cross)
    assert reply.status == 503
    assert reply.body.startswith(b"GUIGU.QUERY.SIZE")
    assert ask(url, cross + " LIMIT 50").status == 200


@pytest.mark.parametrize("body", [b"query=ASK%20%7B%7D", b"query=ASK+{}&default-graph-uri=" + quote(f"{W3C}data1.rdf").encode()])
def test_parameters_of_address_and_form_are_one(url: str, body: bytes) -> None:
    assert json.loads(call(url, "/sparql?x=y", "POST", body, Content_Type=f"{FORM}; charset=UTF-8").body)["boolean"]


def test_methods(url: str) -> None:
    got, head = ask(url, ASK), call(url, f"/sparql?query={quote(ASK)}", "HEAD")
    assert (head.status, head.type, head.body) == (200, got.type, b"")
    assert head.headers["content-length"] == str(len(got.body))
    for method in ("PUT", "DELETE", "PATCH", "TRACE", "FOO"):
        reply = call(url, "/sparql", method)
        assert reply.status == 405
        assert "POST" in reply.headers["allow"]
        assert call(url, "/void", method).status == 405
    assert call(url, "/void", "POST", b"").status == 405
    preflight = call(url, "/sparql", "OPTIONS", Origin="http://example.org", Access_Control_Request_Method="POST")
    assert preflight.status == 204
    assert "POST" in preflight.headers["access-control-allow-methods"]
    assert "Content-Type" in preflight.headers["access-control-allow-headers"]


@pytest.mark.parametrize("path", ["/", "/sparql", f"/sparql?query={quote(ASK)}", "/sparql?query=x", "/nowhere", "/void", "/clause/yy-test-001", "/healthz"])
def test_headers_of_every_response(url: str, path: str) -> None:
    headers = call(url, path).headers
    assert headers["access-control-allow-origin"] == "*"
    assert "default-src 'self'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers


@pytest.mark.parametrize(
    ("accept", "name"), [("", "turtle"), ("application/rdf+xml", "xml"), ("application/ld+json", "json-ld"), ("application/n-triples", "nt")]
)
def test_service_description_is_true(url: str, accept: str, name: str) -> None:
    reply = call(url, "/sparql", **({"Accept": accept} if accept else {}))
    graph = rdflib.Graph().parse(data=reply.body, format=name)
    service = graph.value(predicate=rdflib.RDF.type, object=SD.Service, any=False)
    assert graph.value(service, SD.endpoint) == rdflib.URIRef(f"{url}/sparql")
    assert set(graph.objects(service, SD.supportedLanguage)) == {SD.SPARQL11Query}
    assert not list(graph.objects(service, SD.feature)), "no federated query is allowed here"
    assert graph.value(service, SD.defaultEntailmentRegime) == rdflib.URIRef("http://www.w3.org/ns/entailment/Simple")
    for form, media in {
        "SPARQL_Results_JSON": "application/sparql-results+json",
        "SPARQL_Results_XML": "application/sparql-results+xml",
        "SPARQL_Results_CSV": "text/csv",
        "SPARQL_Results_TSV": "text/tab-separated-values",
    }.items():
        assert (service, SD.resultFormat, rdflib.URIRef(f"http://www.w3.org/ns/formats/{form}")) in graph
        assert ask(url, SELECT, media).status == 200
    dataset = graph.value(service, SD.defaultDataset)
    default = graph.value(dataset, SD.defaultGraph)
    assert graph.value(default, VOID.triples).toPython() == count(ask(url, COUNT))
    named = {str(graph.value(n, SD.name)): n for n in graph.objects(dataset, SD.namedGraph)}
    assert set(named) == set(GRAPHS)
    for iri, node in named.items():
        stated = graph.value(graph.value(node, SD.graph), VOID.triples)
        assert stated.toPython() == count(ask(url, f"SELECT (COUNT(*) AS ?n) {{ GRAPH <{iri}> {{ ?s ?p ?o }} }}"))
        closed = iri.endswith("data3.rdf")
        regime = "OWL-RDF-Based" if closed else "Simple"
        assert graph.value(node, SD.entailmentRegime) == rdflib.URIRef(f"http://www.w3.org/ns/entailment/{regime}")
        profile = rdflib.URIRef("http://www.w3.org/ns/owl-profile/RL") if closed else None
        assert graph.value(node, SD.supportedEntailmentProfile) == profile


def test_a_browser_gets_a_form_without_anything_inline(url: str) -> None:
    reply = call(url, "/sparql", Accept="text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
    assert reply.type == "text/html; charset=utf-8"
    assert b"<form" in reply.body
    assert not re.search(rb"<script|<style|style=|\son\w+=|https?://", reply.body)


def test_host_header_brings_nothing_into_the_description(url: str) -> None:
    for host in ('evil"><x', "a b", "a/b", "http://x", "", "x" * 300, "[::1", "a:b", "ä"):
        place = urlsplit(url)
        with socket.create_connection((str(place.hostname), place.port), timeout=10) as raw:
            raw.sendall(b"GET /sparql HTTP/1.1\r\nHost: " + host.encode("latin-1") + b"\r\nAccept: text/turtle\r\nConnection: close\r\n\r\n")
            reply = b"".join(iter(lambda: raw.recv(65536), b""))
        if reply.startswith(b"HTTP/1.1 200"):
            assert f"<{url}/sparql#service>".encode() in reply
        else:
            assert reply.startswith(b"HTTP/1.1 400")


def test_sparqlwrapper(url: str) -> None:
    wrapper = SPARQLWrapper(f"{url}/sparql")
    wrapper.setQuery(SELECT)
    for form in (JSON, XML, CSV):
        wrapper.setReturnFormat(form)
        found = wrapper.queryAndConvert()
        text = json.dumps(found) if form == JSON else found.toxml() if form == XML else found.decode()
        assert "7" in text
    for method, how in ((POST, None), (POST, POSTDIRECTLY)):
        wrapper.setMethod(method)
        if how:
            wrapper.setRequestMethod(how)
        wrapper.setReturnFormat(JSON)
        wrapper.addParameter("default-graph-uri", f"{W3C}data1.rdf")
        wrapper.setQuery(COUNT)
        assert wrapper.queryAndConvert()["results"]["bindings"][0]["n"]["value"] == "2"
        wrapper.clearParameter("default-graph-uri")
    wrapper = SPARQLWrapper(f"{url}/sparql")
    wrapper.setQuery(CONSTRUCT)
    for form in (TURTLE, RDFXML, JSONLD, XML):
        wrapper.setReturnFormat(form)
        found = wrapper.queryAndConvert()
        graph = found if isinstance(found, rdflib.Graph) else rdflib.Graph().parse(data=found, format="turtle")
        assert len(graph) == 7
    wrapper.setReturnFormat(JSON)
    wrapper.setQuery(ASK)
    assert wrapper.queryAndConvert()["boolean"] is True


@pytest.mark.parametrize("method", ["GET", "POST", "POST_FORM"])
def test_rdflib_sparqlstore(url: str, method: str) -> None:
    graph = rdflib.Graph(SPARQLStore(f"{url}/sparql", method=method))
    assert len(graph) == len(DEFAULT.strip().splitlines())
    assert list(graph.objects(rdflib.URIRef("http://example.org/a"), None)) == [rdflib.Literal(7)]
    named = rdflib.Graph(SPARQLStore(f"{url}/sparql", method=method), identifier=rdflib.URIRef(f"{W3C}data2.rdf"))
    assert set(named.subjects(rdflib.RDF.type)) == {rdflib.URIRef(f"{W3C}data2.rdf")}
    built = graph.query("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o FILTER(isLiteral(?o)) }").graph
    assert built is not None
    assert len(built) == 7
