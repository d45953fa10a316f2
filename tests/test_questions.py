"""The library of questions: every file is in order, answers its example, and answers alike on every engine."""

import shlex
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pyoxigraph as ox
import pytest
import rdflib
from click.testing import CliRunner

from kg.cli import main
from kg.parameter import Parameter
from kg.question import Question, questions
from kg.rows import Found, Rows, Triples, said
from kg.store import EmbeddedStore, RdflibStore, doctrine, quads

NAMES = sorted(questions())


@cache
def cast_data(command: str) -> bytes:
    """The graph that a command line of `guigu` writes."""
    done = CliRunner().invoke(main, [*shlex.split(command), "--format", "ttl"])
    assert done.exit_code == 0, done.output
    return done.stdout.encode()


@cache
def every_quad() -> tuple[ox.Quad, ...]:
    """The doctrine and the data of every example."""
    return (*quads(doctrine(), "doctrine"), *example_quads(*questions().values()))


def example_quads(*asked: Question) -> Iterator[ox.Quad]:
    """What is asked beside the doctrine in the examples of some questions."""
    for command in sorted({c for q in asked for c in q.example.casts}):
        yield from quads(cast_data(command), command, ox.RdfFormat.TURTLE)
    for q in asked:
        yield from quads(q.example.turtle, q.name, ox.RdfFormat.TURTLE)


@cache
def embedded() -> EmbeddedStore:
    return EmbeddedStore(every_quad())


@cache
def in_rdflib() -> RdflibStore:
    graph = rdflib.Graph()
    graph.parse(data=ox.serialize((q.triple for q in every_quad()), format=ox.RdfFormat.N_TRIPLES), format="nt")
    return RdflibStore(graph)


@cache
def doctrine_only() -> EmbeddedStore:
    return EmbeddedStore(quads(doctrine(), "doctrine"))


def plain(found: Found, question: Question) -> list[object]:
    """An answer that compares equal whatever the engine: in order where the question orders, else sorted."""
    if isinstance(found, Triples):
        return sorted(map(str, found.triples))
    assert isinstance(found, Rows)
    rows = [tuple("" if t is None else str(t) for t in row) for row in found.rows]
    return list(rows) if "ORDER BY" in question.sparql else sorted(rows)


@pytest.mark.parametrize("name", NAMES)
def test_the_example_is_answered(name: str) -> None:
    q = questions()[name]
    store = doctrine_only()
    if q.example.casts or q.example.data:
        store = EmbeddedStore(quads(doctrine(), "doctrine"))
        store.store.extend(example_quads(q))
    found = q.ask(store, q.example.parameters)
    if isinstance(found, Triples):
        assert found.triples
        return
    assert isinstance(found, Rows)
    assert set(found.columns) == set(q.columns)
    texts = [{c: said(t) for c, t in zip(found.columns, row, strict=True)} for row in found.rows]
    assert q.example.rows, "an example without rows shows nothing"
    for wanted in q.example.rows:
        assert any(all(value in row[column] for column, value in wanted.items()) for row in texts), (wanted, texts[:20])


@pytest.mark.parametrize("name", NAMES)
def test_the_default_in_the_query_is_the_default_of_the_parameter(name: str) -> None:
    q = questions()[name]
    asked = q.bound({p.name: [p.default] for p in q.parameters})
    assert plain(embedded().query(q.sparql), q) == plain(embedded().query(asked), q)


@pytest.mark.parametrize("name", NAMES)
def test_rdflib_answers_alike(name: str) -> None:
    q = questions()[name]
    asked = q.bound(q.example.parameters)
    assert plain(in_rdflib().query(asked), q) == plain(embedded().query(asked), q)


def test_a_value_that_looks_like_the_block_of_another_parameter_stays_a_value() -> None:
    texts = tuple(Parameter(name, "text", "x", "") for name in ("a", "b"))
    two = replace(questions()["aspect"], parameters=texts, sparql='SELECT ?a ?b WHERE { VALUES ?a { "x" } VALUES ?b { "x" } }')
    hostile = 'VALUES ?b { "y" } } UNION { ?s ?p ?o'
    found = two.ask(EmbeddedStore([]), {"a": [hostile], "b": ['" } #']})
    assert isinstance(found, Rows)
    assert found.texts() == [{"a": hostile, "b": '" } #'}]
