"""Hostile requests: hidden calls of other endpoints, odd HTTP, bombs; never a 500, never a trace."""

import http.server
import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import quote, urlsplit

import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.federation import check_services
from kg.server.dataset import Dataset
from kg.server.negotiation import best
from kg.server.serving import running
from kg.server.settings import Settings
from loader.errors import QueryError
from tests.serving import ASK, DIRECT, LIMITS, SD, ask, call, dataset


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running(LIMITS, load=dataset) as address:
        yield address


# SERVICE


class _Counted(http.server.BaseHTTPRequestHandler):
    calls = 0

    def do_POST(self) -> None:
        type(self).calls += 1
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b'{"head":{"vars":["z"]},"results":{"bindings":[{"z":{"type":"literal","value":"from afar"}}]}}'
        self.send_response(200)
        self.send_header("Content-Type", "application/sparql-results+json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST  # noqa: N815 - the name that http.server looks for

    def log_message(self, *_args: object) -> None:
        pass


@pytest.fixture(scope="module")
def afar() -> Iterator[str]:
    """Another endpoint, which counts how often it is asked."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Counted)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/sparql"
    server.shutdown()
    server.server_close()


# Ways to write SERVICE that Oxigraph takes; `U` is the endpoint, declared as the prefix `u:` too.
HIDDEN = [
    "ASK { SERVICE <U> { ?s ?p ?o } }",
    "ASK { service silent <U> { ?s ?p ?o } }",
    "ASK { SERVICESILENT<U>{ ?s ?p ?o } }",
    "ASK { OPTIONAL{}SERVICE<U>{ ?s ?p ?o } }",
    "PREFIX u: <U> ASK { SERVICE u: { ?s ?p ?o } }",
    "PREFIX : <U> ASK { SERVICE:{ ?s ?p ?o } }",
    "PREFIX u: <U> ASK { FILTER(1<2)SERVICE u:{ ?s ?p ?o }FILTER(3>2) }",
    "PREFIX u: <U> ASK { FILTER(1<'a>b')SERVICE u:{ ?s ?p ?o }FILTER('x'='x') }",
    "PREFIX u: <U> ASK { OPTIONAL { u:a\\#b ?p ?o } SERVICE u: { ?s ?q ?z } }",
    "PREFIX u: <U> ASK { OPTIONAL { u:a\\'b ?p ?o } SERVICE u: { ?s ?q ?z } OPTIONAL { u:a\\'b ?p ?o } }",
    "ASK { # a comment\r SERVICE <U> { ?s ?p ?o } \n}",
    "ASK { FILTER('\\u0027'='x')SERVICE<U>{ ?s ?p ?o }FILTER('\\u0027'='x') }",
    "BASE <U> ASK { SERVICE <> { ?s ?p ?o } }",
    "ASK { VALUES ?u { <U> } SERVICE ?u { ?s ?p ?o } }",
    "ASK { { SELECT * { SERVICE <U> { ?s ?p ?o } } } }",
    "SELECT * { FILTER EXISTS { SERVICE <U> { ?s ?p ?o } } }",
    "CONSTRUCT { ?s ?p ?z } WHERE { SERVICE <U> { ?s ?p ?z } }",
]


@pytest.mark.parametrize("query", HIDDEN)
def test_service_is_refused(url: str, afar: str, query: str) -> None:
    before = _Counted.calls
    reply = ask(url, query.replace("U>", f"{afar}>"))
    assert reply.status in (403, 400)
    assert b"GUIGU.QUERY.SERVICE" in reply.body or b"GUIGU.QUERY.SYNTAX" in reply.body
    assert _Counted.calls == before


# What may stand beside a call, most of it made to hide one from a reader who takes other things for strings, IRIs or comments.
BESIDE = st.sampled_from(
    [
        *("FILTER(1<2)", "FILTER(3>2)", "FILTER(1<'a>b')", "FILTER('x'='x')", "FILTER('\\u0027'!='x')", 'FILTER("\\u0022"!="x")'),
        *('FILTER(1<"a>b")', "FILTER(<U>=u:)", "FILTER('''x'''='''x''')", "FILTER(''!='x')", 'FILTER("""x" """!="")', "FILTER(1<2&&'>'!='')"),
        *("OPTIONAL{}", "OPTIONAL { u:a\\#b ?p ?o }", "OPTIONAL { u:a\\'b ?p ?o }", 'OPTIONAL { u:a\\"b ?p ?o }', "OPTIONAL { ?s ?p u:a.b }"),
        *("OPTIONAL { ?s ?p true }", "OPTIONAL { ?s ?p 1 }", "OPTIONAL { ?s ?p <a:b'> }", "OPTIONAL { ?s ?p <a:#b> }", "OPTIONAL { ?s ?p <'> }"),
        *("SERVICE SILENT <http://127.0.0.1:1/> { ?s ?p ?o }", "service silent<http://127.0.0.1:1/>{}"),  # allowed; no port that Oxigraph asks
        *("# a comment\n", "# it's\n", "# a comment\r", "# 'it\r", "# <\n", "{}", "VALUES ?v { 1 }", "VALUES ?w { 'x' }", "MINUS { ?s ?p ?o }", "\\u0027"),
    ]
)
CALLS = st.sampled_from(
    [
        *("SERVICE SILENT <http://127.0.0.1:1/>", ""),
        *("SERVICE<U>", "service <U>", "SERVICE u:", "SERVICE:", "SERVICE : ", "SERVICESILENT<U>", "SERVICE SILENT u:", "SERVICEu:", "SERVICE<>"),
        *("true.SERVICE<U>", "SERVICE#\n<U>", "SERVICE#\r<U>", "{}SERVICE<U>", "SERVICE u:\\#", "\\u0053ERVICE <U>"),
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(BESIDE, max_size=4), CALLS, st.lists(BESIDE, max_size=4), st.sampled_from(["", " "]))
def test_what_passes_asks_nobody(afar: str, before: list[str], called: str, after: list[str], between: str) -> None:
    query = "PREFIX u: <U> PREFIX : <U> BASE <U> ASK { " + between.join([*before, called + "{ ?s ?q ?z }", *after]) + "\n}"
    query = query.replace("U>", f"{afar}>")
    try:
        check_services(query, {"127.0.0.1:1"})
    except QueryError:
        return
    calls = _Counted.calls
    with suppress(SyntaxError, OSError, RuntimeError):
        ox.Store().query(query)
    assert _Counted.calls == calls, query


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?service { ?service ?p ?o }",
        "ASK { ?s u:service ?o . ?s u:a-service <http://example.org/service#SERVICE> }",
        "ASK { ?s ?p 'SERVICE <http://example.org/> {}' } # SERVICE",
        'ASK { ?s ?p """a "SERVICE" of \'"""@en-service . FILTER(1<2) }'.replace("@en-service", ""),
        "SELECT ?serviceName WHERE { FILTER(?serviceName<3&&?x>4) }",
    ],
)
def test_service_as_a_name_is_none(query: str) -> None:
    check_services(query)


def test_service_is_allowed_by_host(afar: str) -> None:
    host = urlsplit(afar).netloc
    allowed = Settings(port=0, workers=1, services=frozenset({host, "127.0.0.2"}))
    with running(allowed, load=lambda _s: Dataset(b"")) as url:
        before = _Counted.calls
        reply = ask(url, f"SELECT * {{ SERVICE <{afar}> {{ ?s ?p ?z }} }}")
        assert json.loads(reply.body)["results"]["bindings"][0]["z"]["value"] == "from afar"
        assert _Counted.calls == before + 1
        for other in ("http://localhost/", f"http://{host}@example.org/", f"ftp://{host}/", "http://example.org/", f"http://{host}.example.org/"):
            assert ask(url, f"ASK {{ SERVICE <{other}> {{ ?s ?p ?z }} }}").status == 403
        for hidden in HIDDEN[4:]:
            if "SERVICE <U>" not in hidden:
                assert ask(url, hidden.replace("U>", f"{afar.replace('127.0.0.1', 'localhost')}>")).status in (400, 403)
        assert ask(url, "ASK { SERVICE <http://127.0.0.2:1/> { ?s ?p ?z } }").status == 502
        assert _Counted.calls == before + 1
        assert (None, SD.feature, SD.BasicFederatedQuery) in rdflib.Graph().parse(data=call(url, "/sparql").body, format="turtle")


# Hostile requests


def raw(url: str, data: bytes, seconds: float = 0.2) -> bytes:
    """What the server answers to some bytes; nothing where it waits for more."""
    place = urlsplit(url)
    reply = b""
    with socket.create_connection((str(place.hostname), place.port), timeout=seconds) as connection, suppress(TimeoutError, ConnectionError):
        connection.sendall(data)
        while piece := connection.recv(65536):
            reply += piece
    return reply


def check_reply(reply: bytes) -> None:
    assert b"Traceback" not in reply
    assert b'File "' not in reply
    for status in re.findall(rb"HTTP/1\.1 (\d{3})", reply[:20]):
        assert int(status) < 500 or int(status) == 503, reply[:500]


@pytest.mark.parametrize(
    ("head", "body", "status"),
    [
        ("GET /" + "a" * 300_000, "", 400),
        ("GET / HTTP/1.1\r\n" + "X: y\r\n" * 60_000, "", 400),
        ("GET /sparql?query=ASK%7B%7D HTTP/x", "", 400),
        ("POST /sparql HTTP/1.1\r\nTransfer-Encoding: chunked", "6\r\nASK {}\r\n0\r\n\r\n", 200),
        ("POST /sparql HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3", "6\r\nASK {}\r\n0\r\n\r\n", 200),
        ("POST /sparql HTTP/1.1\r\nContent-Length: 6\r\nContent-Length: 7", "ASK {}", 400),
        ("POST /sparql HTTP/1.1\r\nContent-Length: -6", "ASK {}", 400),
        ("POST /sparql HTTP/1.1\r\nTransfer-Encoding: chunked", "no length\r\nASK {}", 400),
        ("GET http://evil.example/sparql HTTP/1.1", "", 404),
        ("GET * HTTP/1.1", "", 404),
        ("GET /data/graph/../../etc/passwd.nt HTTP/1.1\r\nRange: bytes=0-1", "", 404),
    ],
    ids=range(11),
)
def test_requests_on_the_edge_of_http(url: str, head: str, body: str, status: int) -> None:
    start, _, rest = head.partition("\r\n")
    lines = [start, *([rest] if rest else []), "Host: x", f"Content-Type: {DIRECT}", "Connection: close", "", body]
    reply = raw(url, "\r\n".join(lines).encode(), 10)
    check_reply(reply)
    # A request that is too long may be cut off before its answer is read.
    assert reply.startswith(f"HTTP/1.1 {status}".encode()) or (len(head) > 200_000 and reply == b"")


PATHS = st.one_of(
    st.sampled_from(
        ["/", "/sparql", "/sparql/", "/data/", "/data/clause/yy-test-001.", "/clause/", "/id/", "/ns/", "/void", "/ontology.", "/page/", "/%00", "//"]
    ),
    st.text(max_size=30).map(lambda t: "/" + quote(t)),
    st.text(max_size=20).map(lambda t: "/data/" + quote(t) + ".ttl"),
    st.text(alphabet="./%2e0abc\\~", max_size=20).map(lambda t: "/" + t),
)
QUERIES = st.one_of(
    st.just(""),
    st.text(max_size=60).map(lambda t: "?query=" + quote(t)),
    st.text(max_size=20).map(lambda t: f"?query={quote(ASK)}&default-graph-uri={quote(t)}&format={quote(t)}"),
    st.text(alphabet="abc=&%;+2qury", max_size=40).map(lambda t: "?" + t),
)
NAMES = st.sampled_from(
    [
        *(["Accept", "Content-Type", "If-None-Match", "Host"] * 3),
        *("Content-Encoding", "Transfer-Encoding", "Content-Length", "Range", "Expect", "Upgrade"),
    ]
)
VALUES = st.one_of(
    st.sampled_from(
        ["*/*", "text/turtle;q=x", '";', "application/sparql-query; charset=", "chunked", "-1", "99999999999999999999", "100-continue", "bytes=0-1", "h2c"]
    ),
    st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), max_size=60),
    st.text(alphabet=st.characters(min_codepoint=0, max_codepoint=255), max_size=10),
    st.text(alphabet=',;="q*/. \\', max_size=200),
)


@settings(max_examples=250, deadline=None)
@given(
    st.sampled_from(["GET", "GET", "POST", "POST", "HEAD", "OPTIONS", "PUT", "get", "G\x00T", "CONNECT"]),
    PATHS,
    QUERIES,
    st.lists(st.tuples(NAMES, VALUES), max_size=5),
    st.one_of(st.binary(max_size=200), st.text(max_size=60).map(lambda t: ("query=" + quote(t)).encode())),
)
def test_hostile_requests(url: str, method: str, path: str, query: str, headers: list[tuple[str, str]], body: bytes) -> None:
    lines = [f"{method} {path}{query} HTTP/1.1", "Connection: close", *(f"{n}: {v}" for n, v in headers)]
    if not any(n == "Host" for n, _ in headers):
        lines.append("Host: x")
    if not any(n in ("Content-Length", "Transfer-Encoding") for n, _ in headers):
        lines.append(f"Content-Length: {len(body)}")
    check_reply(raw(url, "\r\n".join([*lines, "", ""]).encode("latin-1", "replace") + body))


@settings(max_examples=30, deadline=None)
@given(st.binary(max_size=400))
def test_bytes_that_are_no_request(url: str, data: bytes) -> None:
    check_reply(raw(url, data + b"\r\n\r\n"))


@settings(max_examples=60, deadline=None)
@given(
    st.text(max_size=200)
    | st.lists(st.sampled_from(["SELECT", "*", "{", "}", "(", ")", "?x", "<a:b>", "'", '"', "\\", "#", "\n", "^", "+", "."]), max_size=40).map(" ".join)
)
def test_hostile_queries(url: str, query: str) -> None:
    reply = call(url, "/sparql", "POST", query.encode("utf-8", "replace"), Content_Type=DIRECT)
    assert reply.status in (200, 400, 403)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=100), st.lists(st.text(max_size=10), max_size=3))
def test_any_accept_has_a_best_or_none(header: str, offers: list[str]) -> None:
    assert best(header, offers) in (*offers, None)


@pytest.mark.parametrize(
    "query",
    [
        "ASK " + "{" * 9_000 + "}" * 9_000,
        "ASK { FILTER(" + "(" * 9_000 + "1" + ")" * 9_000 + ") }",
        "ASK { FILTER(" + "!" * 19_000 + "1) }",
        "ASK { ?s ?p " + "[" * 9_000 + "]" * 9_000 + " }",
        "ASK { ?s " + "(" * 6_000 + "a" + ")*" * 6_000 + " ?o }",
        "ASK { ?s " + "^" * 9_000 + "a ?o }",
        "SELECT * { " + "?a ?b ?c OPTIONAL { ?d ?e ?f } " * 600 + "}",
        "SELECT (COUNT(*) AS ?n) { " + " ".join(f"?a{i} ?b{i} ?c{i} ." for i in range(40)) + " }",
        "SELECT * { BIND('xxxxxxxxxxxxxxxx' AS ?x0) " + " ".join(f"BIND(CONCAT(?x{i},?x{i},?x{i},?x{i}) AS ?x{i + 1})" for i in range(15)) + " }",
        'SELECT (REPLACE("' + "a" * 9_000 + '", "(a*)*b", "") AS ?x) {}',
        "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o } ORDER BY ?a",
    ],
    ids=["groups", "brackets", "not", "blank", "closures", "inverse", "optional", "cross", "concat", "regex", "order"],
)
def test_bombs_are_refused_and_the_server_lives(url: str, query: str) -> None:
    reply = call(url, "/sparql", "POST", query.encode(), Content_Type=DIRECT)
    assert reply.status in (200, 400, 503), reply.body
    assert reply.status == 200 or re.fullmatch(rb"GUIGU\.(QUERY|SERVER)\.[A-Z]+: [^\n]+\n", reply.body)
    assert json.loads(ask(url, "ASK {}").body)["boolean"]
