"""Endpoints, friendly and hostile: whatever they answer, there is a result or one clear fault, within the time."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kg.transport
from kg.endpoint import EndpointStore
from kg.parameter import Parameter
from kg.question import Example, Question
from kg.rows import Rows, Triples
from kg.store import EmbeddedStore
from loader.errors import EndpointError, InputError, QueryError

if TYPE_CHECKING:
    from tests.servers import Server

ASK = "ASK { ?s ?p ?o }"
SELECT = "SELECT ?s WHERE { ?s ?p ?o }"
JSON = "application/sparql-results+json"
WORD = "sesame"
YES = b'{"head": {}, "boolean": true}'
ROWS = b'{"head": {"vars": ["s"]}, "results": {"bindings": [{"s": {"type": "literal", "value": "x"}}]}}'


@dataclass
class Asked:
    """A request that came in."""

    method: str
    path: str
    parameters: dict[str, list[str]]
    headers: dict[str, str]


class Hostile(BaseHTTPRequestHandler):
    """Answers as the test says."""

    protocol_version = "HTTP/1.1"
    server: "HostileServer"

    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        text = self.rfile.read(length).decode() if length else urlsplit(self.path).query
        self.server.asked.append(Asked(self.command, urlsplit(self.path).path, parse_qs(text), dict(self.headers)))
        self.close_connection = True
        with suppress(OSError):  # the other side may have had enough
            self.server.behave(self)

    do_POST = do_GET  # noqa: N815

    def log_message(self, *_: object) -> None:
        pass

    def say(self, body: bytes, kind: str | None = JSON, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in ({"Content-Type": kind} if kind else {}).items():
            self.send_header(name, value)
        for name, value in ({"Content_Length": str(len(body))} | headers).items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def raw(self, data: bytes, pause: float = 0) -> None:
        """Bytes as they are, one by one if there is a pause."""
        for piece in [data] if not pause else [data[i : i + 1] for i in range(len(data))]:
            self.wfile.write(piece)
            self.wfile.flush()
            if self.server.over.wait(pause):
                return


class HostileServer(ThreadingHTTPServer):
    daemon_threads = True
    behave: Callable[[Hostile], None]

    def __init__(self, behave: Callable[[Hostile], None]) -> None:
        super().__init__(("127.0.0.1", 0), Hostile)
        self.behave = behave  # type: ignore[method-assign]
        self.asked: list[Asked] = []
        self.over = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/sparql"


@contextmanager
def serving(behave: Callable[[Hostile], None]) -> Iterator[HostileServer]:
    server = HostileServer(behave)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()


def fault(behave: Callable[[Hostile], None], query: str = ASK, timeout: float = 5, **more: str) -> tuple[EndpointError, list[Asked]]:
    """The fault that a server causes, and what it was asked; it must come within the time."""
    with serving(behave) as server:
        started = time.monotonic()
        with pytest.raises(EndpointError) as caught:
            EndpointStore(server.url, timeout=timeout, **more).query(query)  # type: ignore[arg-type]
        assert time.monotonic() - started < timeout + 2
        assert caught.value.where == server.url
        assert caught.value.todo
        assert caught.value.code.startswith("GUIGU.ENDPOINT.")
        assert not any(c < " " for c in str(caught.value))
        return caught.value, server.asked


def forever(h: Hostile) -> None:
    h.server.over.wait(20)


def drip(h: Hostile) -> None:
    h.say(b"", Content_Length="100000")
    h.raw(b" " * 100_000, 0.05)


def drip_headers(h: Hostile) -> None:
    h.raw(b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 60_000, 0.05)


def drip_status(h: Hostile) -> None:
    h.say(b"", status=500, Content_Length="100000")
    h.raw(b" " * 2000, 0.05)


@pytest.mark.parametrize("behave", [forever, drip, drip_headers, drip_status])
def test_the_time_holds_however_slowly_the_answer_comes(behave: Callable[[Hostile], None]) -> None:
    before = threading.active_count()
    found, _ = fault(behave, timeout=0.7)
    assert found.code == "GUIGU.ENDPOINT.TIMEOUT"
    assert "no whole answer within 0.7 s" in str(found)
    until = time.monotonic() + 3
    while threading.active_count() > before and time.monotonic() < until:
        time.sleep(0.02)
    assert threading.active_count() <= before  # the thread that waited has ended


def test_a_name_server_that_does_not_answer_holds_nothing_up(monkeypatch: pytest.MonkeyPatch) -> None:
    wait = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: wait.wait(10))
    started = time.monotonic()
    with pytest.raises(EndpointError, match=r"no whole answer within 0\.3 s"):
        EndpointStore("http://example.invalid/sparql", timeout=0.3).query(ASK)
    assert time.monotonic() - started < 2.3
    wait.set()


def announced(h: Hostile) -> None:
    h.say(b"{", Content_Length=str(10 * 2**40))
    forever(h)


def endless(h: Hostile) -> None:
    h.raw(b"HTTP/1.1 200 OK\r\nContent-Type: " + JSON.encode() + b"\r\nTransfer-Encoding: chunked\r\n\r\n")
    while not h.server.over.is_set():
        h.raw(b"10000\r\n" + b" " * 2**16 + b"\r\n")


def until_closed(h: Hostile) -> None:
    h.raw(b"HTTP/1.0 200 OK\r\nContent-Type: " + JSON.encode() + b"\r\n\r\n")
    while not h.server.over.is_set():
        h.raw(b" " * 2**16)


@pytest.mark.parametrize("behave", [announced, endless, until_closed])
def test_a_huge_answer_is_not_read_to_its_end(behave: Callable[[Hostile], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kg.transport, "LARGEST_ANSWER", 2**20)
    found, asked = fault(behave)
    assert found.code == "GUIGU.ENDPOINT.SIZE"
    assert "larger than 1 MiB" in str(found)
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        (b"<html>It works!</html>", "text/html; charset=utf-8", "web page"),
        (b"yes", "text/plain", "type 'text/plain'"),
        (YES, "image/png", "type 'image/png'"),
        (b"", None, "type 'text/plain'"),
        (YES, "\x1b[2J", "type 'text/plain'"),
        (b"{", JSON, "no SPARQL result"),
        (b"", JSON, "no SPARQL result"),
        (b"[]", JSON, "no SPARQL result"),
        (b"\xff\xfe" * 9, JSON, "no SPARQL result"),
        (b'{"head": {}}', JSON, "no SPARQL result"),
        (b'{"a":' * 100_000, JSON, "no SPARQL result"),
        (b"[" * 1_000_000, JSON, "no SPARQL result"),
        (ROWS, JSON, "another form of query"),
    ],
)
def test_what_is_no_answer_is_called_so(body: bytes, kind: str | None, said: str) -> None:
    found, asked = fault(lambda h: h.say(body, kind))
    assert found.code == "GUIGU.ENDPOINT.ANSWER"
    assert said in str(found)
    assert len(asked) == 1


@pytest.mark.parametrize(
    "bindings",
    ['{"s": {"type": "literal", "value": 1}}', '{"s": {"type": "none", "value": "x"}}', '{"s": {"type": "uri", "value": "a b>"}}', '{"t": 1}', "1", "null"],
)
def test_rows_that_are_none_are_called_so(bindings: str) -> None:
    found, _ = fault(lambda h: h.say(f'{{"head": {{"vars": ["s"]}}, "results": {{"bindings": [{bindings}]}}}}'.encode()), SELECT)
    assert found.code == "GUIGU.ENDPOINT.ANSWER"


def test_yes_or_no_is_no_answer_to_a_select() -> None:
    found, _ = fault(lambda h: h.say(YES), SELECT)
    assert "another form of query" in str(found)


@pytest.mark.parametrize(("body", "kind"), [(b"<a> <b", "application/n-triples"), (b"<html>", "text/turtle"), (b"\xff", "text/plain"), (YES, JSON)])
def test_a_graph_that_is_none_is_called_so(body: bytes, kind: str) -> None:
    found, _ = fault(lambda h: h.say(body, kind), "CONSTRUCT WHERE { ?s ?p ?o }")
    assert found.code == "GUIGU.ENDPOINT.ANSWER"


def test_a_part_of_an_answer_is_not_taken_for_the_whole() -> None:
    found, _ = fault(lambda h: h.say(ROWS, status=206), SELECT)
    assert (found.code, "status 206" in str(found)) == ("GUIGU.ENDPOINT.PARTIAL", True)
    found, _ = fault(lambda h: h.say(ROWS, X_SPARQL_MaxRows="1"), SELECT)
    assert (found.code, "no more than 1 rows" in str(found)) == ("GUIGU.ENDPOINT.PARTIAL", True)


def test_a_packed_answer_is_not_unpacked() -> None:
    found, _ = fault(lambda h: h.say(b"\x1f\x8b" + b"\0" * 1000, Content_Encoding="gzip"))
    assert (found.code, "packed as 'gzip'" in str(found)) == ("GUIGU.ENDPOINT.ANSWER", True)


@pytest.mark.parametrize("to", ["http://127.0.0.2:1/", "http://example.invalid/sparql", "https://127.0.0.1/", "//evil.invalid/x", "ftp://127.0.0.1/x"])
def test_a_redirect_elsewhere_is_not_followed(to: str) -> None:
    found, asked = fault(lambda h: h.say(b"", status=302, Location=to))
    assert found.code == "GUIGU.ENDPOINT.REDIRECT"
    assert len(asked) == 1


@pytest.mark.parametrize("to", ["file:///etc/passwd", "data:,yes", "http://[", "http://127.0.0.1:x/", "", "/sparql"])
def test_a_redirect_to_nowhere_or_in_circles_is_not_followed_for_long(to: str) -> None:
    found, asked = fault(lambda h: h.say(b"", status=307, Location=to))
    assert found.code in ("GUIGU.ENDPOINT.REDIRECT", "GUIGU.ENDPOINT.ANSWER")
    assert len(asked) <= 11


def test_a_redirect_on_the_same_server_is_followed_but_not_with_a_long_query() -> None:
    def behave(h: Hostile) -> None:
        if h.path.startswith("/sparql"):
            h.say(b"", status=301, Location=h.path.replace("/sparql", "/query"))
        else:
            h.say(YES)

    with serving(behave) as server:
        assert EndpointStore(server.url).query(ASK) is True
        assert [a.path for a in server.asked] == ["/sparql", "/query"]
    found, _ = fault(behave, ASK + " " * 2000)
    assert found.code == "GUIGU.ENDPOINT.REDIRECT"


def test_a_server_that_fails_once_is_asked_again() -> None:
    with serving(lambda h: h.say(YES) if len(h.server.asked) > 1 else h.say(b"busy", status=503)) as server:
        assert EndpointStore(server.url).query(ASK) is True
        assert len(server.asked) == 2


def test_a_connection_that_breaks_once_is_made_again() -> None:
    with serving(lambda h: h.say(YES) if len(h.server.asked) > 1 else None) as server:
        assert EndpointStore(server.url).query(ASK) is True


@pytest.mark.parametrize(
    ("status", "code", "said", "times"),
    [
        (500, "SERVER", "the server fails (status 500): a b", 3),
        (503, "SERVER", "status 503", 3),
        (400, "REFUSED", "status 400): a b", 1),
        (404, "REFUSED", "See that the address is that of the SPARQL service", 1),
        (401, "LOGIN", "asks for a user", 1),
        (403, "LOGIN", "asks for a user", 1),
    ],
)
def test_a_status_says_what_is_the_matter(status: int, code: str, said: str, times: int) -> None:
    found, asked = fault(lambda h: h.say(b"a\x07 b\x1b\nsecond line", "text/plain", status))
    assert found.code == f"GUIGU.ENDPOINT.{code}"
    assert said in str(found)
    assert "second line" not in str(found)
    assert len(asked) == times


def test_further_tries_stay_within_the_time() -> None:
    found, asked = fault(lambda h: h.say(b"", status=500), timeout=0.7)
    assert found.code == "GUIGU.ENDPOINT.SERVER"
    assert len(asked) < 3


def cut(h: Hostile) -> None:
    h.say(YES[:9], Content_Length=str(len(YES)))


def cut_chunk(h: Hostile) -> None:
    h.raw(b"HTTP/1.1 200 OK\r\nContent-Type: " + JSON.encode() + b"\r\nTransfer-Encoding: chunked\r\n\r\n1d\r\n" + YES[:9])


@pytest.mark.parametrize("behave", [cut, cut_chunk, lambda _: None, lambda h: h.raw(b"HTTP/1.1 200 OK\r\nContent-")])
def test_a_connection_closed_within_the_answer_is_no_answer(behave: Callable[[Hostile], None]) -> None:
    found, _ = fault(behave)
    assert found.code in ("GUIGU.ENDPOINT.CLOSED", "GUIGU.ENDPOINT.ANSWER")


@pytest.mark.parametrize(
    "answer",
    [
        b"220 mail.invalid ESMTP\r\n",
        b"\0" * 100,
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 500 + b"\r\n",
        b"HTTP/1.1 200 " + b"x" * 99_999,
        b"HTTP/1.1 200 OK\r\nContent-Type: " + JSON.encode() + b"\r\nContent-Length: -5\r\n\r\nyes",
        b"HTTP/1.1 999 ?\r\n\r\n",
        b"HTTP/1.1 401 ?\r\n\r\n",
    ],
)
def test_what_is_no_http_is_called_so(answer: bytes) -> None:
    found, _ = fault(lambda h: h.raw(answer), user="u", password=WORD)
    assert found.code != "GUIGU.ENDPOINT.TIMEOUT"


@pytest.mark.parametrize(
    "challenge",
    ["Digest", "Digest realm", 'Digest realm="a", nonce="b", algorithm=NONE', 'Digest qop=auth-int, realm="a", nonce="b"', "Basic", "Negotiate x", "", '"'],
)
def test_no_challenge_leads_astray(challenge: str) -> None:
    found, asked = fault(lambda h: h.say(b"", status=401, WWW_Authenticate=challenge), user="u", password=WORD)
    assert found.code in ("GUIGU.ENDPOINT.LOGIN", "GUIGU.ENDPOINT.ANSWER")
    assert WORD not in str(found)
    assert len(asked) < 10


def test_a_user_is_named_only_where_the_server_asks() -> None:
    def behave(h: Hostile) -> None:
        if h.headers.get("Authorization") == "Basic dTpzZXNhbWU=":
            h.say(YES)
        else:
            h.say(b"", status=401, WWW_Authenticate='Basic realm="x"')

    with serving(behave) as server:
        assert EndpointStore(server.url, user="u", password=WORD).query(ASK) is True
        assert ["Authorization" in a.headers for a in server.asked] == [False, True]
    assert WORD not in repr(EndpointStore("http://127.0.0.1/", user="u", password=WORD))


@settings(max_examples=20, deadline=None)
@given(st.binary(max_size=200), st.sampled_from([ASK, SELECT, "DESCRIBE <http://a/>"]))
def test_any_bytes_are_an_answer_or_a_fault(body: bytes, query: str) -> None:
    with serving(lambda h: h.say(body, "text/turtle" if "DESC" in query else JSON)) as server, suppress(EndpointError):
        EndpointStore(server.url, timeout=5).query(query)
    with serving(lambda h: h.raw(body)) as server, suppress(EndpointError):
        EndpointStore(server.url, timeout=5).query(query)


def test_what_cannot_be_reached_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(forever) as server:
        url = server.url
    with pytest.raises(EndpointError, match="nothing listens there"):
        EndpointStore(url, timeout=5).query(ASK)

    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(EndpointError, match="cannot be reached: Name or service not known"):
        EndpointStore("http://no-such-host.invalid/sparql", timeout=5).query(ASK)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:7878",
        "file:///etc/passwd",
        "ftp://a/b",
        "http://",
        "http:///x",
        "http://a b/",
        "http://a:99999/",
        "http://[",
        "http://穩婆.example/",
        "http://a/\r\nX: y",
        "http://u:p@a/",
        "http://a/?x=y",
        "http://a/#x",
        "https://@a/",
    ],
)
def test_an_address_that_is_none_is_refused_at_once(url: str) -> None:
    with pytest.raises(InputError):
        EndpointStore(url)
    with pytest.raises(InputError):
        EndpointStore("http://a/", update_url=url or "x")


@pytest.mark.parametrize(("graph", "timeout"), [("no iri", 30.0), ("", 0.0), (None, 0.0), (None, -1.0), (None, float("nan")), (None, float("inf"))])
def test_a_graph_or_time_that_is_none_is_refused_at_once(graph: str | None, timeout: float) -> None:
    with pytest.raises(InputError):
        EndpointStore("http://a/", graph, timeout)


@pytest.mark.parametrize(
    "query", ["", "hello", "INSERT DATA { <a:a> <a:b> 1 }", "#" * 50_000, "# " * 50_000, "PREFIX " * 9_000, ASK + " " * 200_000, "ASK { ?s ?p '\ud800' }"]
)
def test_what_is_no_query_is_not_sent(query: str) -> None:
    with serving(lambda h: h.say(YES)) as server:
        started = time.monotonic()
        with pytest.raises(QueryError):
            EndpointStore(server.url).query(query)
        assert time.monotonic() - started < 2
        assert not server.asked


@pytest.mark.parametrize(
    "query",
    ["ask{}", "# select\nPREFIX select: <http://a#b>\nBASE <http://a/>\nprefix : <x>\n#x\nASK { ?s select:ask ?o }", "\ufeff"[:0] + "\n\tBASE<http://a/>ASK{}"],
)
def test_the_form_is_seen_behind_the_prologue(query: str) -> None:
    with serving(lambda h: h.say(YES)) as server:
        assert EndpointStore(server.url).query(query) is True
        assert server.asked[0].parameters["query"] == [query]


def test_a_short_query_is_got_and_a_long_one_posted_with_the_graph() -> None:
    with serving(lambda h: h.say(YES)) as server:
        store = EndpointStore(server.url, graph="http://a/穩婆")
        for query in (ASK, ASK + " #" + "穩" * 200, ASK + " #" + "x" * 5000):
            assert store.query(query) is True
            assert server.asked[-1].parameters == {"query": [query], "default-graph-uri": ["http://a/穩婆"]}
            assert server.asked[-1].headers["Accept"] == JSON
        EndpointStore(server.url).query(ASK)
        assert server.asked[-1].parameters == {"query": [ASK]}
        assert [a.method for a in server.asked] == ["GET", "POST", "POST", "GET"]


def test_an_update_is_posted_to_its_own_address() -> None:
    with serving(lambda h: h.say(b"", None, 204)) as server:
        EndpointStore(server.url, "http://a/", update_url=server.url.replace("/sparql", "/update")).update("CLEAR ALL")
        assert [(a.method, a.path, a.parameters) for a in server.asked] == [("POST", "/update", {"update": ["CLEAR ALL"]})]


def test_booleans_are_those_of_every_store() -> None:
    cell = {"type": "typed-literal", "datatype": "http://www.w3.org/2001/XMLSchema#boolean", "value": "1"}
    body = json.dumps({"head": {"vars": ["s"]}, "results": {"bindings": [{"s": cell}, {}]}}).encode()
    with serving(lambda h: h.say(body)) as server:
        assert EndpointStore(server.url).query(SELECT) == Rows(("s",), ((ox.Literal(True),), (None,)))


# On real servers.

GRAPH = "http://example.org/endpoint"
TRIPLES = [
    ox.Triple(ox.NamedNode("http://example.org/a"), ox.NamedNode("http://example.org/p"), term)
    for term in (ox.Literal("穩婆", language="lzh"), ox.Literal("𠀀 \" \\ \n '"), ox.Literal(3), ox.Literal(True), ox.NamedNode("http://example.org/b"))
]


@pytest.fixture
def real(server: "Server") -> EndpointStore:
    server.load(TRIPLES, GRAPH)
    server.load([ox.Triple(ox.NamedNode("http://example.org/other"), t.predicate, t.object) for t in TRIPLES], GRAPH + "/other")
    return server.store(GRAPH, timeout=20)


def test_servers_answer_every_form(real: EndpointStore) -> None:
    embedded = EmbeddedStore(ox.Quad(t.subject, t.predicate, t.object) for t in TRIPLES)
    for query in ("SELECT ?s ?o WHERE { ?s ?p ?o }", "SELECT ?s ?o WHERE { ?s ?p ?o }" + " #" + "x" * 3000):
        found, wanted = real.query(query), embedded.query(query)
        assert isinstance(found, Rows)
        assert isinstance(wanted, Rows)
        assert set(found.rows) == set(wanted.rows)
    assert real.query("ASK { <http://example.org/a> ?p 3 }") is True
    assert real.query("ASK { <http://example.org/other> ?p 3 }") is False  # only the graph that is named is asked
    for query in ("CONSTRUCT WHERE { ?s ?p ?o }", "DESCRIBE <http://example.org/a>"):
        graph = real.query(query)
        assert isinstance(graph, Triples)
        assert set(graph.triples) == set(TRIPLES)
    assert real.query("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o FILTER(?o = 99) }") == Triples(())


def test_servers_say_what_is_wrong_with_a_query(real: EndpointStore) -> None:
    with pytest.raises(EndpointError) as caught:
        real.query("SELECT ?s WHERE { ?s ?p }")
    assert caught.value.code == "GUIGU.ENDPOINT.REFUSED"


def test_virtuoso_refuses_a_wrong_password(virtuoso_server: "Server") -> None:
    with pytest.raises(EndpointError, match="refuses this user and password"):
        EndpointStore(virtuoso_server.update_url, user="dba", password=WORD).update("CLEAR GRAPH <http://example.org/none>")


EVIL = [
    'x" . ?s ?p ?o . #',
    "x' } ?s ?p ?o { #",
    '"@lzh } } INSERT DATA { <a:a> <a:b> <a:c> } #',
    "} UNION { ?s ?p ?o",
    '"""',
    "<http://example.org/a>",
    "?s",
    "%22%20.%20?s",
    "&default-graph-uri=http://example.org/endpoint/other",
    "+",
]


@pytest.mark.parametrize("value", EVIL)
def test_a_value_is_never_part_of_a_query(value: str, real: EndpointStore) -> None:
    text = Parameter("text", "text", "none", "What is sought.")
    sparql = 'SELECT ?s ?text WHERE {\n  VALUES ?text { "none" }\n  ?s <http://example.org/p> ?o .\n  FILTER(STR(?o) = ?text)\n}\n'
    question = Question("find", "doctrine", {}, "", (text,), {}, Example({}, (), "", (), ""), sparql)
    found = question.ask(real, {"text": [value]})
    assert isinstance(found, Rows)
    assert found.rows == ()
    # ... and a value is what it says: only the subject that has this very text is found.
    mine = ox.NamedNode("http://example.org/mine")
    real.update(f"INSERT DATA {{ GRAPH <{GRAPH}> {{ {ox.Triple(mine, TRIPLES[0].predicate, ox.Literal(value))} }} }}")
    assert question.ask(real, {"text": [value]}) == Rows(("s", "text"), ((mine, ox.Literal(value)),))
