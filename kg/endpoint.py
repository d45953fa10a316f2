"""A SPARQL 1.1 endpoint as a store; SPARQLWrapper writes the requests, `kg.transport` sends them within its bounds."""

import math
import re
from collections.abc import Container
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote

import pyoxigraph as ox
from SPARQLWrapper import GET, INSERT, POST, SPARQLWrapper

from kg.rows import Found, Rows, Term, Triples
from kg.store import LONGEST, parsed, prefixed
from kg.transport import Answer, Server, check_url, plain
from loader import iris
from loader.errors import InputError, QueryError, quoted

_LONGEST_GET: Final = 1_500  # Characters of a query, as an address writes them; a longer one is posted.
_ROWS: Final = ("application/sparql-results+json", "application/json")
_GRAPHS: Final = {"application/n-triples": ox.RdfFormat.N_TRIPLES, "text/plain": ox.RdfFormat.N_TRIPLES, "text/turtle": ox.RdfFormat.TURTLE}
_GRAPH_ACCEPTED: Final = "application/n-triples, text/turtle;q=0.9"
# Possessive, so that a comment of many '#' costs no more than its length.
_FORM: Final = re.compile(r"(?:\s|#[^\n]*+|BASE\s*+<[^<>]*+>|PREFIX\s[^<>:]*+:\s*+<[^<>]*+>)*+(SELECT|ASK|CONSTRUCT|DESCRIBE)\b", re.IGNORECASE)
_TRUTH: Final = {"1": "true", "0": "false"}
_SERVICE: Final = "See that the address is that of a SPARQL query service"


@dataclass(frozen=True)
class EndpointStore:
    """A SPARQL 1.1 endpoint.

    Attributes:
        url: address of the query service.
        graph: the graph that is asked, sent as `default-graph-uri`; None is the endpoint's own default graph.
        timeout: seconds that a request may take in all, with further tries and however slowly the answer drips.
        user: name given where the endpoint asks for one (HTTP digest or basic), never unasked.
        password: its password.
        update_url: address of the update service, if that is another.

    Raises:
        InputError: an address, graph or timeout that cannot be one.

    >>> EndpointStore("http://localhost:7878/query", graph=iris.DOCTRINE_GRAPH).timeout
    30
    """

    url: str
    graph: str | None = None
    timeout: float = 30
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    update_url: str | None = None

    def __post_init__(self) -> None:
        for url in (self.url, self.update_url or self.url):
            check_url(url)
        if not 0 < self.timeout < math.inf:
            raise InputError(f"{self.timeout} is no number of seconds", where="--timeout")
        try:
            ox.NamedNode(self.graph or iris.NS)
        except ValueError as error:
            raise InputError(f"{quoted(self.graph or '')} is no IRI", where="--graph") from error

    def query(self, sparql: str) -> Found:
        """Run a query; see `Store`.

        Raises:
            QueryError: it is no query.
            EndpointError: no answer in the time, or none that the protocol allows; its code says which, see `kg.transport`.
        """
        found = _FORM.match(sparql)
        if found is None or len(sparql) > LONGEST:
            raise QueryError("this is no query", where="SPARQL", todo=f"Write SELECT, ASK, CONSTRUCT or DESCRIBE, at most {LONGEST} characters")
        form, sparql = found[1].upper(), prefixed(sparql)
        rows = form in ("SELECT", "ASK")
        wrapper = _wrapper(self.url, sparql, form, _ROWS[0] if rows else _GRAPH_ACCEPTED)
        if self.graph:
            wrapper.addParameter("default-graph-uri", self.graph)
        wrapper.setMethod(GET if len(quote(sparql)) <= _LONGEST_GET else POST)
        server = self._server(self.url)
        answer = server.answer(wrapper._createRequest)
        if answer.status != 200:
            raise server.fault("PARTIAL", f"it gives a part of the answer only (status {answer.status})", "Ask for less")
        return _rows(answer, form, server) if rows else _triples(answer, server)

    def update(self, sparql: str) -> None:
        """Run a SPARQL update; one that may be done twice, since it is sent again where the connection breaks or the server fails.

        Raises:
            EndpointError: it is refused, or there is no answer in the time.
        """
        url = self.update_url or self.url
        wrapper = _wrapper(url, sparql, INSERT, "*/*")  # every form of update makes the same request
        wrapper.setMethod(POST)
        self._server(url).answer(wrapper._createRequest)

    def _server(self, url: str) -> Server:
        return Server(url, self.timeout, self.user, self.password)


def _wrapper(url: str, sparql: str, form: str, accept: str) -> SPARQLWrapper:
    try:
        sparql.encode()
    except UnicodeEncodeError as error:
        raise QueryError("a character of the query is half a surrogate pair", where="SPARQL") from error
    wrapper = SPARQLWrapper(url, agent="guigu")
    wrapper.queryString, wrapper.queryType = sparql, form  # setQuery guesses the form, by expressions that take long for a long text
    wrapper.setOnlyConneg(True)
    wrapper.customHttpHeaders = {"Accept": accept}
    return wrapper


def _rows(answer: Answer, form: str, server: Server) -> Rows | bool:
    _check_kind(answer, _ROWS, server)
    found: Rows | bool | str
    try:
        found = parsed(answer.body)
    except QueryError as error:
        found = plain(error.what)
    if isinstance(found, str):  # raised here, so that no traceback keeps what pyoxigraph may free on this thread only
        raise server.fault("ANSWER", found, _SERVICE)
    if isinstance(found, bool) != (form == "ASK"):
        raise server.fault("ANSWER", "it answers another form of query than was asked", _SERVICE)
    if isinstance(found, bool):
        return found
    most = answer.headers.get("X-SPARQL-MaxRows", "")  # Virtuoso says so where it may have cut an answer
    if re.fullmatch("[0-9]{1,9}", most) and len(found.rows) >= int(most):
        raise server.fault("PARTIAL", f"it gives no more than {most} rows, so the answer may be cut", "Ask for less, or raise ResultSetMaxRows there")
    return Rows(found.columns, tuple(tuple(map(_usual, row)) for row in found.rows))


def _triples(answer: Answer, server: Server) -> Triples:
    _check_kind(answer, _GRAPHS, server)
    try:
        # A graph is a set, but servers that stream an answer repeat triples.
        return Triples(tuple(dict.fromkeys(q.triple for q in ox.parse(answer.body, format=_GRAPHS[answer.kind]))))
    except (SyntaxError, ValueError) as error:
        raise server.fault("ANSWER", f"the answer is no RDF: {plain(str(error))}", _SERVICE) from error


def _check_kind(answer: Answer, wanted: Container[str], server: Server) -> None:
    if answer.kind not in wanted:
        what = "it answers with a web page" if answer.kind == "text/html" else f"its answer is of type {quoted(answer.kind)}"
        raise server.fault("ANSWER", f"{what}, not with what a query asks for", _SERVICE)


def _usual(term: Term | None) -> Term | None:
    """Virtuoso writes a true boolean as 1; every other store as true."""
    if isinstance(term, ox.Literal) and term.datatype.value == iris.XSD + "boolean":
        return ox.Literal(_TRUTH.get(term.value, term.value), datatype=term.datatype)
    return term
