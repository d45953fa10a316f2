"""Every question of the library gives the same rows on real servers as in the store of this process."""

import pytest
from click.testing import CliRunner

from kg.cli import main
from kg.question import questions
from kg.rows import Rows, Triples
from loader.errors import GuiguError
from tests.servers import Server, loaded
from tests.test_questions import embedded, every_quad, plain


@pytest.mark.slow
def test_every_question_answers_alike(server: Server) -> None:
    store = loaded(server, every_quad())
    differing = []
    for q in questions().values():
        asked = q.bound(q.example.parameters)
        try:
            found, wanted = plain(store.query(asked), q), plain(embedded().query(asked), q)
        except GuiguError as error:
            differing.append(f"{q.name}: {error}")
            continue
        if found != wanted:
            differing.append(f"{q.name}: {len(found)} rows, {len(wanted)} wanted; {[r for r in found if r not in wanted][:2]}")
    assert not differing, "\n".join(differing)


@pytest.mark.slow
def test_the_commands_ask_an_endpoint(server: Server) -> None:
    loaded(server, every_quad())
    ask = ["ask", "aspect", "--aspect", "穩婆", "--format", "json"]
    compare = ["compare", "--aspect", "midwife", "--format", "json"]
    for command in (ask, compare):
        here, there = (CliRunner().invoke(main, [*command, *where]) for where in ([], ["--endpoint", server.query_url]))
        assert there.exit_code == 0, there.stderr
        assert there.stdout == here.stdout
    query = "SELECT ?s WHERE { ?s a g:Omen } ORDER BY ?s"  # our prefixes need no declaration there either
    here, there = (CliRunner().invoke(main, ["sparql", "-", *where], input=query) for where in ([], ["--endpoint", server.query_url]))
    assert there.exit_code == 0, there.stderr
    assert there.stdout == here.stdout


@pytest.mark.slow
def test_a_hostile_parameter_changes_nothing(server: Server) -> None:
    store = loaded(server, every_quad())
    q = questions()["concordance"]
    text = next(p.name for p in q.parameters)
    for value in ('x" . ?s ?p ?o . #', "x' } ; DROP ALL ; #", "}} INSERT DATA { <a:a> <a:a> <a:a> }"):
        found = q.ask(store, {text: [value]})
        assert isinstance(found, Rows | Triples)
        assert plain(found, q) == []
