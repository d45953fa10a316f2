"""The mappings between the two traditions: the table, its triples, and what it refuses."""

import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib import Graph, URIRef
from rdflib.namespace import OWL, RDF, RDFS
from rdflib.term import Literal

from kg.graph import doctrine_graph
from loader import iris
from loader.chapter import clauses
from loader.data import folder
from loader.errors import OntologyError
from loader.mappings import SEMAPV, SSSOM, Mapping, mapping_set, mappings, parse, read
from loader.ontology import ontology

PATH = folder("ontology") / "mappings" / "traditions.sssom.tsv"
TEXT = PATH.read_text("utf-8")
ROW = next(line for line in TEXT.splitlines() if line.startswith("g:CombineHexagram"))


@pytest.fixture(scope="module")
def doctrine() -> Graph:
    return doctrine_graph()


def test_counts() -> None:
    assert len(mappings()) == 69
    assert sum(m.negated for m in mappings()) == 27
    assert len({m.iri for m in mappings()}) == len(mappings())


def test_both_ends_are_in_the_graph(doctrine: Graph) -> None:
    for m in mappings():
        assert (URIRef(m.subject), None, None) in doctrine, m
        assert (URIRef(m.object), None, None) in doctrine, m


def test_a_positive_mapping_is_stated_and_a_negative_one_is_not(doctrine: Graph) -> None:
    for m in mappings():
        assert ((URIRef(m.subject), URIRef(m.predicate), URIRef(m.object)) in doctrine) is not m.negated, m
        relations = {p for p in doctrine.predicates(URIRef(m.subject), URIRef(m.object)) if str(p).startswith(iris.SKOS)}
        assert not (m.negated and relations), m


def test_every_mapping_is_a_node_of_sssom(doctrine: Graph) -> None:
    nodes = set(doctrine.subjects(RDF.type, URIRef(SSSOM + "Mapping")))
    assert nodes == {URIRef(m.iri) for m in mappings()}
    for m in mappings():
        me = URIRef(m.iri)
        assert (me, OWL.annotatedSource, URIRef(m.subject)) in doctrine
        assert (me, OWL.annotatedProperty, URIRef(m.predicate)) in doctrine
        assert (me, OWL.annotatedTarget, URIRef(m.object)) in doctrine
        assert (me, URIRef(SSSOM + "mapping_justification"), URIRef(SEMAPV + "ManualMappingCuration")) in doctrine
        assert ((me, URIRef(SSSOM + "predicate_modifier"), URIRef(SSSOM + "NegatedPredicate")) in doctrine) is m.negated
        assert (me, RDFS.comment, Literal(m.comment, lang="en")) in doctrine
        assert (me, RDF.type, OWL.Axiom) not in doctrine, "an axiom would state what a negated mapping denies"
    whole = URIRef(mapping_set().iri)
    assert set(doctrine.objects(whole, URIRef(SSSOM + "mappings"))) == nodes


def test_no_mapping_joins_what_is_one_term_already() -> None:
    pairs = {(m.subject, m.object) for m in mappings()}
    assert not pairs & {(b, a) for a, b in pairs}


def test_comments_name_clauses_that_stand_where_they_say() -> None:
    every = clauses()
    for m in mappings():
        for prefix, numbers in re.findall(r"((?:yy|qm)-[a-z]+-)(\d+[a-z]?(?:, \d{3}(?! ¶)[a-z]?)*)", m.comment):
            for number in numbers.split(", "):
                assert every[prefix + number].passage.place in m.comment, m.comment


def test_the_table_says_what_the_ontology_calls_its_terms() -> None:
    with pytest.raises(OntologyError, match="the ontology has 六合卦"):
        parse(TEXT.replace("g:CombineHexagram\t六合卦", "g:CombineHexagram\t六合"), "x.tsv")
    assert ontology().label(iris.ns("CombineHexagram")) == "六合卦"


FAULTS = {
    "unknown term": ("g:CombineHexagram\t", "g:CombineHexagrams\t", "the ontology has no"),
    "unknown prefix": ("g:CombineHexagram\t", "h:CombineHexagram\t", "known prefix"),
    "no prefix": ("g:CombineHexagram\t", "CombineHexagram\t", "known prefix"),
    "foreign term": ("g:CombineHexagram\t", "skos:Concept\t", "the ontology has no"),
    "predicate": ("skos:closeMatch\tNot\tdeity:six-harmony", "skos:broader\tNot\tdeity:six-harmony", "no mapping relation"),
    "modifier": ("\tNot\tdeity:six-harmony", "\tnot\tdeity:six-harmony", "no modifier"),
    "justification": ("semapv:ManualMappingCuration", "skos:closeMatch", "no justification"),
    "itself": ("deity:six-harmony\t六合", "g:CombineHexagram\t六合卦", "mapped to itself"),
    "twice": (ROW, f"{ROW}\n{ROW}", "stand twice"),
    "confidence over one": ("\t0.95\t", "\t1.5\t", "no confidence"),
    "confidence nan": ("\t0.95\t", "\tnan\t", "no confidence"),
    "no comment": (ROW.split("\t")[-1], "", "no comment"),
    "a cell too many": (ROW, f"{ROW}\tx", "10 cells"),
    "a cell too few": (ROW, ROW.rsplit("\t", 1)[0], "8 cells"),
    "a quotation left open": (ROW.split("\t")[-1], '"', "not a table"),
    "control character": (ROW.split("\t")[-1], "a\x07", "control character"),
}


@pytest.mark.parametrize(("old", "new", "words"), FAULTS.values(), ids=FAULTS.keys())
def test_a_bad_row_is_refused_with_its_line(old: str, new: str, words: str) -> None:
    assert old in ROW
    text = TEXT.replace(ROW, ROW.replace(old, new, 1))
    line = next(i for i, row in enumerate(TEXT.splitlines(), 1) if row == ROW)
    with pytest.raises(OntologyError, match=re.escape(words)) as fault:
        parse(text, "x.tsv")
    assert fault.value.where
    file, _, at = fault.value.where.partition(":")
    assert file == "x.tsv"
    assert line <= int(at) <= len(text.splitlines()) + 1


HEADS = {
    "no metadata": (re.sub(r"^#.*\n", "", TEXT, flags=re.MULTILINE), "lack a field"),
    "no licence": (TEXT.replace("# license:", "# licence:"), "lack a field"),
    "not YAML": (TEXT.replace("# license: ", "# license: ["), "not YAML"),
    "an alias": (TEXT.replace("# license: https", "# license: &a https").replace("# subject_source: work:yiyin", "# subject_source: *a"), "aliases"),
    "prefixes of another kind": (TEXT.replace("#   star: https://w3id.org/guigu/id/star/", "#   star: 3"), "texts"),
    "source without prefix": (TEXT.replace("# subject_source: work:yiyin", "# subject_source: yiyin"), "known prefix"),
    "a column less": (TEXT.replace("\tconfidence\t", "\t", 1), "columns of a mapping"),
    "no rows": ("".join(line + "\n" for line in TEXT.splitlines() if line.startswith(("#", "subject_id"))), "no mappings"),
    "empty": ("", "lack a field"),
    "deep": ("#" + "[" * 2_000, "not YAML"),
    "long": ("#" + "[" * 200_000, "metadata of 200000 characters"),
}


@pytest.mark.parametrize(("text", "words"), HEADS.values(), ids=HEADS.keys())
def test_a_bad_head_is_refused(text: str, words: str) -> None:
    with pytest.raises(OntologyError, match=words):
        parse(text, "x.tsv")


@pytest.mark.parametrize(("content", "words"), [(b"\xff", "not UTF-8"), (b"#" * 1_000_001, "more than 1000000 bytes")], ids=["utf-8", "large"])
def test_a_bad_file_is_refused(content: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.sssom.tsv"
    path.write_bytes(content)
    with pytest.raises(OntologyError, match=words) as fault:
        read(path)
    assert "bad.sssom.tsv" in str(fault.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OntologyError, match="cannot be read"):
        read(tmp_path / "none.tsv")


@given(st.integers(0, len(TEXT)), st.integers(0, 40), st.text("abc:-'\"[]{}#&*!|>%@` \n\t\r\0初1.N", max_size=8))
def test_any_edit_is_read_or_refused(start: int, cut: int, put: str) -> None:
    with suppress(OntologyError):
        assert all(isinstance(m, Mapping) for m in parse(TEXT[:start] + put + TEXT[start + cut :], "x.tsv").mappings)
