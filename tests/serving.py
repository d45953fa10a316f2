"""What the tests of the server share: a small dataset, and requests sent as they stand."""

import http.client
from contextlib import closing
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

import rdflib

from kg.server.dataset import Dataset
from kg.server.settings import Settings
from loader import iris

W3C = "http://kasei.us/2009/09/sparql/data/"
FORM, DIRECT, UPDATE = "application/x-www-form-urlencoded", "application/sparql-query", "application/sparql-update"
SELECT, ASK, CONSTRUCT = "SELECT ?o { <http://example.org/a> ?p ?o }", "ASK { ?s ?p ?o }", "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o FILTER(isLiteral(?o)) }"
SD = rdflib.Namespace("http://www.w3.org/ns/sparql-service-description#")
VOID = rdflib.Namespace("http://rdfs.org/ns/void#")
TYPE = f"<{iris.TYPE}>"
SHARED = "<http://example.org/shared> <http://example.org/p> <http://example.org/o> ."
CLAUSE = iris.clause("yy-test-001")
DEFAULT = f"""
<{CLAUSE}> {TYPE} <{iris.ns("Clause")}> .
<{CLAUSE}> <{iris.ns("quote")}> "初臨鬼母災"@lzh .
<{CLAUSE}> <{iris.ns("timing")}> <{CLAUSE}/timing> .
<{CLAUSE}/timing> <{iris.ns("unit")}> "month" .
<{CLAUSE}> <{iris.ns("about")}> <{iris.symbol("aspect", "mother")}> .
<{CLAUSE}> <{iris.ns("note")}> _:b1 .
_:b1 <{iris.ns("note")}> "of a blank node" .
_:b2 <{iris.ns("note")}> "of another" .
<{iris.symbol("aspect", "mother")}> <{iris.SKOS}prefLabel> "產母"@zh-hant .
<{iris.symbol("aspect", "mother")}> <{iris.SKOS}definition> "not a label"@en .
<{iris.ns("Clause")}> {TYPE} <{iris.OWL}Class> .
<http://example.org/a> <http://example.org/number> "7"^^<{iris.XSD}integer> .
"""
GRAPHS = {f"{W3C}data{n}.rdf": f"<{W3C}data{n}.rdf> {TYPE} <http://xmlns.com/foaf/0.1/Document> .\n{SHARED}\n".encode() for n in (1, 2, 3)}
LIMITS = Settings(port=0, seconds=2, query=20_000, result=200_000, memory=128 * 2**20)


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def type(self) -> str:
        return self.headers.get("content-type", "")


def dataset(_settings: Settings) -> Dataset:
    """What is served: the default graph, and three named graphs of which one is said to be a closure."""
    return Dataset(DEFAULT.encode(), GRAPHS, frozenset({f"{W3C}data3.rdf"}))


def call(url: str, path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> Reply:
    """One request, sent as it stands: no header that is not given, Host and Content-Length apart."""
    place = urlsplit(url)
    with closing(http.client.HTTPConnection(str(place.hostname), place.port, timeout=20)) as connection:
        connection.putrequest(method, path, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        response = connection.getresponse()
        return Reply(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())


def ask(url: str, query: str, accept: str = "", **parameters: str | list[str]) -> Reply:
    headers = {"Accept": accept} if accept else {}
    return call(url, "/sparql?" + urlencode({"query": query} | parameters, doseq=True), **headers)
