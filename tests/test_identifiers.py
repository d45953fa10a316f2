"""IRIs that last, anchors that find their characters, nanopublications, and the redirects of w3id.org."""

import unicodedata
from pathlib import Path

import pyoxigraph as ox
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from rdflib import Dataset as RdflibDataset

from kg.cli import main
from kg.dataset import closure, triples
from kg.identifiers import listing, lost, minted, published
from kg.nanopub import NP
from loader import iris
from loader.chapter import chapters, clauses
from loader.errors import OntologyError
from loader.iris import OA
from tests.redirects import resolve, rules

ROOT = Path(__file__).resolve().parent.parent
HTACCESS = (ROOT / "docs" / "w3id" / ".htaccess").read_text("utf-8")


def test_no_published_iri_disappears() -> None:
    # Without a deprecation entry in ontology/deprecated.ttl: see kg/identifiers.py.
    assert lost() == ()


def test_every_new_iri_is_listed_before_a_release() -> None:
    new = minted() - published()
    assert not new, f"{len(new)} new, such as {sorted(new)[:5]}: guigu export ontology/published.txt --format iris"
    assert listing().count("\n") == len(published()) + 1


def test_an_iri_that_is_gone_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    import kg.identifiers

    gone = iris.symbol("branch", "no-such")
    monkeypatch.setattr(kg.identifiers, "published", lambda: frozenset({gone, iris.symbol("branch", "wu")}))
    assert kg.identifiers.lost() == (gone,)


def test_iris_are_ascii() -> None:
    assert all(i.isascii() and " " not in i for i in published())


def test_every_selector_finds_the_characters_of_its_clause() -> None:
    texts = {f"{p.iri}/{language}": text for chapter in chapters() for p in chapter.passages for language, text in (("lzh", p.lzh), ("ko", p.ko))}
    assert all(unicodedata.is_normalized("NFC", text) for text in texts.values())
    said: dict[str, dict[str, list[str]]] = {}
    for t in triples("anchors"):
        said.setdefault(t.subject.value, {}).setdefault(t.predicate.value, []).append(t.object.value)
    for clause in clauses().values():
        anchor = said[f"{clause.iri}/anchor"]
        assert anchor[OA + "hasBody"] == [clause.iri]
        for target in anchor[OA + "hasTarget"]:
            source = texts[said[target][OA + "hasSource"][0]]
            quote, position = (said[f"{target}/{kind}"] for kind in ("quote", "position"))
            start, end = int(position[OA + "start"][0]), int(position[OA + "end"][0])
            assert source[start:end] == quote[OA + "exact"][0]
            # The quote with its surroundings is found once, where the position says.
            whole = quote[OA + "prefix"][0] + quote[OA + "exact"][0] + quote[OA + "suffix"][0]
            assert source.find(whole) <= start
            assert source[start - len(quote[OA + "prefix"][0]) :].startswith(whole)
        assert said[f"{clause.iri}/anchor/lzh/quote"][OA + "exact"] == [clause.quote]


def test_what_follows_says_nothing_new_of_symbols() -> None:
    stem = ox.NamedNode(iris.symbol("stem", "gui"))
    found = closure({key: triples(key) for key in ("ontology", "symbols", "axioms")})
    # 癸 is water; that the combination 戊癸 is fire belongs to the pair, not to the stem.
    assert not [t for t in found if t.subject == stem and t.predicate.value in (iris.ns("element"), iris.ns("fires"))]
    assert ox.Triple(stem, ox.NamedNode(iris.TYPE), ox.NamedNode(iris.ns("Symbol"))) in found
    assert not [t for t in found if t.subject == t.object]


def test_a_clause_as_nanopublication() -> None:
    result = CliRunner().invoke(main, ["export", "-", "--nanopub", "yy-taichan-013"])
    assert result.exit_code == 0, result.output
    dataset = RdflibDataset()
    dataset.parse(data=result.stdout, format="trig")
    graphs = {str(g.identifier).rsplit("#", 1)[-1]: g for g in dataset.graphs() if len(g)}
    assert set(graphs) == {"Head", "assertion", "provenance", "pubinfo"}
    # The rules of a nanopublication: the head names the three others, each of which is there.
    named = {str(o) for p, o in graphs["Head"].predicate_objects() if str(p).startswith(NP + "has")}
    assert named == {str(graphs[k].identifier) for k in ("assertion", "provenance", "pubinfo")}
    assert any(str(o) == "初臨鬼母災" for o in graphs["assertion"].objects())
    assert any(str(o) == iris.passage("yiyin", "taichan", 1) for o in graphs["provenance"].objects())
    assert CliRunner().invoke(main, ["export", "-", "--nanopub", "yy-taichan-013"]).stdout == result.stdout
    wrong = CliRunner().invoke(main, ["export", "-", "--nanopub", "yy-taichan-01"])
    assert wrong.exit_code == 2
    assert "Did you mean" in wrong.stderr


@pytest.mark.parametrize(
    ("path", "accept", "status", "target"),
    [
        ("clause/yy-taichan-013", "text/html,*/*;q=0.8", 303, "page/clause/yy-taichan-013"),
        ("clause/yy-taichan-013", "text/turtle", 303, "data/clause/yy-taichan-013.ttl"),
        ("id/branch/wu", "application/ld+json", 303, "data/id/branch/wu.jsonld"),
        ("text/yiyin/taichan/1", "application/rdf+xml", 303, "data/text/yiyin/taichan/1.rdf"),
        ("ns/Clause", "application/n-triples", 303, "data/ns/Clause.nt"),
        ("ns/", "*/*", 303, "ontology"),
        ("release/0.1.0/guigu.nq.gz", "*/*", 302, "releases/0.1.0/guigu.nq.gz"),
        ("release/0.1.0/ontology", "*/*", 303, "releases/0.1.0/graphs/ontology.ttl"),
        ("graph/clauses", "*/*", 303, "graph/clauses"),
    ],
)
def test_the_redirects(path: str, accept: str, status: int, target: str) -> None:
    assert resolve(rules(HTACCESS), path, accept) == (status, f"https://guigu.example/{target}")


def test_every_published_iri_leads_somewhere_and_no_other_does() -> None:
    known = rules(HTACCESS)
    for iri in sorted(published())[::23]:
        assert resolve(known, iri.removeprefix(iris.BASE), "text/turtle"), iri
    assert resolve(known, "no/such/thing") is None


@pytest.mark.parametrize("line", ["RewriteRule ^x$", "Redirect /a /b", "RewriteRule ^( https://x/ [R=303,L]", "RewriteCond %{HTTP_HOST} x"])
def test_a_rule_that_is_not_understood_is_told(line: str) -> None:
    with pytest.raises(OntologyError, match=":2"):
        rules(f"RewriteEngine on\n{line}")


@given(st.text(max_size=80))
def test_any_path_is_resolved_or_not(path: str) -> None:
    found = resolve(rules(HTACCESS), path)
    assert found is None or found[1].startswith("https://guigu.example/")
