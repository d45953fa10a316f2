"""The store of this process: what a query may not do, and what a user's file may not be."""

import pytest
from click.testing import CliRunner
from rdflib import Graph

from kg.cli import main
from kg.store import EmbeddedStore, RdflibStore, Store
from loader.errors import GuiguError, QueryError

SERVICES = [
    "SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
    "SELECT * { service silent <http://127.0.0.1:9/> { ?s ?p ?o } }",
    "SELECT * { \\u0053ERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
    "ASK{?s ?p true SERVICESILENT<http://127.0.0.1:9/>{}}",
    "PREFIX : <http://127.0.0.1:9/> ASK { SERVICE:{} }",
    "PREFIX u: <http://127.0.0.1:9/> ASK { u:a\\#b ?p ?o SERVICE u:x { } }",
    "ASK { # a comment that ends\rSERVICE <http://127.0.0.1:9/> { } }",
    "PREFIX u: <http://127.0.0.1:9/> ASK { FILTER(1<'a>b')SERVICE u:x{} }",
    "ASK { ?s ?p '\\u0027' SERVICE <http://127.0.0.1:9/> { } '' }",
    "SELECT * { ?s ?p ?o SERVICE ?o { ?a ?b ?c } }",
]


@pytest.mark.parametrize("query", SERVICES)
@pytest.mark.parametrize("store", [EmbeddedStore([]), RdflibStore(Graph())])
def test_no_query_asks_another_endpoint(store: Store, query: str) -> None:
    with pytest.raises(QueryError, match="asks another endpoint"):
        store.query(query)


def test_the_word_may_stand_where_it_asks_nothing() -> None:
    query = 'SELECT ?service { ?service g:service "SERVICE <http://x/> {}" . # SERVICE\n ?s ?p <http://example.org/service> }'
    EmbeddedStore([]).query(query)


@pytest.mark.parametrize("query", ["SELECT", "INSERT DATA { <a:a> <a:a> <a:a> }", "DROP ALL", "x" * 300_000, "SELECT * { ?s ?p \ud800 }", "ASK {}" + "{" * 500])
def test_what_is_no_query_is_told(query: str) -> None:
    for store in (EmbeddedStore([]), RdflibStore(Graph())):
        with pytest.raises(GuiguError):
            store.query(query)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("cast.ttl", "this is no Turtle", "cast.ttl:1:"),
        ("cast.ttl", "<a> <b> <c> .", "cast.ttl:1:"),
        ("cast.docx", "", "names no form of RDF"),
        ("missing.ttl", None, "cannot read"),
        ("cast.trig", "<http://a/g> { <http://a/s> <http://a/p> 1 }", "cast.trig"),
    ],
)
def test_bad_data_is_told(tmp_path, name: str, content: str | None, message: str) -> None:  # type: ignore[no-untyped-def] # pytest's own
    path = tmp_path / name
    if content is not None:
        path.write_text(content)
    result = CliRunner().invoke(main, ["ask", "casts", "--data", str(path)])
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr
