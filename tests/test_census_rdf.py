"""A census as RDF: a data cube in order, true to its rows, that questions can use and that nothing can break out of."""

import shlex
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path

import pyoxigraph as ox
import pytest
from click.testing import CliRunner
from pyshacl import validate
from rdflib import Graph

from kg.casebook import graphs
from kg.census.census import take
from kg.census.effect import trials
from kg.census.rdf import Origin, triples, written
from kg.census.relation import relations
from kg.census.row import AccordRow, AspectRow, ChangeRow, ClauseRow, EffectRow, PairRow, Row, aspect_rows, clause_rows, pair_rows
from kg.census.space import EVERY_PAIR, Days
from kg.cli import main
from kg.question import questions
from kg.release import turtle
from kg.rows import Rows
from kg.store import EmbeddedStore, doctrine, quads
from kg.verification import findings
from loader import iris
from loader.data import folder
from loader.errors import InputError
from loader.ontology import ontology
from tests.censuses import CAST, CLAUSE, COMMAND, ORIGIN, ROWS

BO = 0b100000
"""剝, its lines from the bottom as bits from the lowest: five yin, one yang on top."""
PREFIX = "".join(f"PREFIX {p}: <{i}>\n" for p, i in iris.PREFIXES.items())


@cache
def sliced() -> tuple[Row, ...]:
    """What a census of 剝 on one day finds."""
    import tempfile

    space = Days(tuple(pair for pair in EVERY_PAIR if pair // 64 == BO), ("辰",), ("戊辰",))
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(1) as crew:
        found = take([space], Path(name) / "pieces", (crew, 1), ("childbirth",))
        return (*clause_rows(found), *pair_rows(found, list(relations(found))), *aspect_rows(found))


def stored(found: "bytes | list[ox.Triple]") -> ox.Store:
    """The doctrine and a census, in one store."""
    store = ox.Store()
    store.extend(quads(doctrine(), "doctrine"))
    store.extend(quads(found, "census", ox.RdfFormat.TURTLE) if isinstance(found, bytes) else (ox.Quad(*t) for t in found))
    return store


# --- the integrity constraints of the recommendation (https://www.w3.org/TR/vocab-data-cube/, section 11.1), as it writes them: each asks for
#     a fault. Beside each is a change of the data that makes the fault: a triple taken away, a triple added, each by key.

NORMAL = """
INSERT { ?cs qb:componentProperty ?p . ?p a qb:DimensionProperty } WHERE { ?cs qb:dimension ?p } ;
INSERT { ?cs qb:componentProperty ?p . ?p a qb:MeasureProperty } WHERE { ?cs qb:measure ?p } ;
INSERT { ?cs qb:componentProperty ?p . ?p a qb:AttributeProperty } WHERE { ?cs qb:attribute ?p }
"""
"""What of its normalization (section 10.1) concerns us."""
CONSTRAINTS = {
    "IC-1": """{ ?obs a qb:Observation . FILTER NOT EXISTS { ?obs qb:dataSet ?dataset1 . } }
        UNION { ?obs a qb:Observation ; qb:dataSet ?dataset1, ?dataset2 . FILTER (?dataset1 != ?dataset2) }""",
    "IC-2": """{ ?dataset a qb:DataSet . FILTER NOT EXISTS { ?dataset qb:structure ?dsd . } }
        UNION { ?dataset a qb:DataSet ; qb:structure ?dsd1, ?dsd2 . FILTER (?dsd1 != ?dsd2) }""",
    "IC-3": "?dsd a qb:DataStructureDefinition . FILTER NOT EXISTS { ?dsd qb:component [qb:componentProperty [a qb:MeasureProperty]] }",
    "IC-4": "?dim a qb:DimensionProperty . FILTER NOT EXISTS { ?dim rdfs:range [] }",
    "IC-5": "?dim a qb:DimensionProperty ; rdfs:range skos:Concept . FILTER NOT EXISTS { ?dim qb:codeList [] }",
    "IC-6": """?dsd qb:component ?componentSpec . ?componentSpec qb:componentRequired "false"^^xsd:boolean ; qb:componentProperty ?component .
        FILTER NOT EXISTS { ?component a qb:AttributeProperty }""",
    "IC-11": """?obs qb:dataSet/qb:structure/qb:component/qb:componentProperty ?dim . ?dim a qb:DimensionProperty ;
        FILTER NOT EXISTS { ?obs ?dim [] }""",
    "IC-12": """FILTER( ?allEqual ) { SELECT (MIN(?equal) AS ?allEqual) WHERE {
        ?obs1 qb:dataSet ?dataset . ?obs2 qb:dataSet ?dataset . FILTER (?obs1 != ?obs2)
        ?dataset qb:structure/qb:component/qb:componentProperty ?dim . ?dim a qb:DimensionProperty .
        ?obs1 ?dim ?value1 . ?obs2 ?dim ?value2 . BIND( ?value1 = ?value2 AS ?equal) } GROUP BY ?obs1 ?obs2 }""",
    "IC-13": """?obs qb:dataSet/qb:structure/qb:component ?component . ?component qb:componentRequired "true"^^xsd:boolean ; qb:componentProperty ?attr .
        FILTER NOT EXISTS { ?obs ?attr [] }""",
    "IC-14": """?obs qb:dataSet/qb:structure ?dsd . FILTER NOT EXISTS { ?dsd qb:component/qb:componentProperty qb:measureType }
        ?dsd qb:component/qb:componentProperty ?measure . ?measure a qb:MeasureProperty ; FILTER NOT EXISTS { ?obs ?measure [] }""",
    "IC-19": """?obs qb:dataSet/qb:structure/qb:component/qb:componentProperty ?dim . ?dim a qb:DimensionProperty ; qb:codeList ?list .
        ?list a skos:ConceptScheme . ?obs ?dim ?v . FILTER NOT EXISTS { ?v a skos:Concept ; skos:inScheme ?list }""",
}
FAULTS = {
    "IC-1": "DELETE { ?o qb:dataSet ?d } WHERE { ?o g:countedClause clause:yy-taichan-013 ; qb:dataSet ?d }",
    "IC-2": "INSERT { ?d qb:structure <https://w3id.org/guigu/id/structure/pairs> } WHERE { ?d qb:structure <https://w3id.org/guigu/id/structure/clauses> }",
    "IC-3": "DELETE { ?s qb:component ?c } WHERE { ?s qb:component ?c . ?c qb:measure g:countTogether }",
    "IC-4": "DELETE { g:inSpace rdfs:range ?r } WHERE { g:inSpace rdfs:range ?r }",
    "IC-5": "DELETE { g:countedTradition qb:codeList ?l } WHERE { g:countedTradition qb:codeList ?l }",
    "IC-6": "INSERT { ?c qb:componentRequired false } WHERE { ?c qb:measure g:countFires }",
    "IC-11": "DELETE { ?o g:inSpace ?s } WHERE { ?o g:countedClause clause:yy-taichan-013 ; g:inSpace ?s }",
    "IC-12": """INSERT { census:x qb:dataSet ?d ; ?p ?v }
        WHERE { ?o g:countedClause clause:yy-taichan-013 ; qb:dataSet ?d ; ?p ?v . ?p a qb:DimensionProperty }""",
    "IC-13": "DELETE { ?c qb:componentRequired ?r } INSERT { ?c qb:componentRequired true } WHERE { ?c qb:attribute g:command ; qb:componentRequired ?r }",
    "IC-14": "DELETE { ?o g:countStands ?s } WHERE { ?o g:countedClause clause:yy-taichan-013 ; g:countStands ?s }",
    "IC-19": "INSERT { ?o g:countedTopic topic:no-such } WHERE { ?o g:countedClause clause:yy-taichan-013 }",
}


@pytest.fixture(scope="module")
def by_hand() -> ox.Store:
    store = stored(triples(ROWS, ORIGIN))
    store.update(PREFIX + NORMAL)
    return store


def ask(store: ox.Store, name: str) -> bool:
    return bool(store.query(f"{PREFIX}ASK {{ {CONSTRAINTS[name]} }}"))


@pytest.mark.parametrize("name", sorted(CONSTRAINTS))
def test_the_cube_is_well_formed(name: str, by_hand: ox.Store) -> None:
    assert not ask(by_hand, name)


@pytest.mark.parametrize("name", sorted(CONSTRAINTS))
def test_each_constraint_finds_its_fault(name: str, by_hand: ox.Store) -> None:
    store = ox.Store()
    store.extend(by_hand)
    store.update(PREFIX + FAULTS[name])
    assert ask(store, name)


def test_a_counted_slice_is_well_formed_too() -> None:
    store = stored(triples(sliced(), Origin()))
    store.update(PREFIX + NORMAL)
    assert [name for name in CONSTRAINTS if name != "IC-12" and ask(store, name)] == []
    # IC-12 compares each two observations, which takes long over hundreds: here by what its dimensions are.
    found = Counter((row.space, row.clause) for row in sliced() if isinstance(row, ClauseRow))
    assert max(found.values()) == 1


# --- true to the rows


def test_the_counts_are_those_of_the_rows() -> None:
    """Each row has one observation, whose counts are the numbers of the row."""
    store = stored(written(sliced(), Origin()))
    clauses = "?c g:countedClause ?key ; g:countCasts ?n1 ; g:countFires ?n2 ; g:countStands ?n3"
    shares = "g:countSilent ?n2 ; g:countSingle ?n3 ; g:countAgreeing ?n4 ; g:countConflicting ?n5"
    assert found(store, clauses, 3) == sorted((r.clause, r.casts, r.fires, r.stands) for r in sliced() if isinstance(r, ClauseRow))
    wanted = sorted((r.about, r.casts, r.silent, r.single, r.agreeing, r.conflicting) for r in sliced() if isinstance(r, AspectRow))
    assert found(store, f"?c g:countedAspect ?key ; g:countCasts ?n1 ; {shares}", 5) == wanted
    assert len(wanted) > 10


def found(store: ox.Store, pattern: str, numbers: int) -> list[tuple[object, ...]]:
    """Key and counts of the observations of a pattern, in order."""
    rows = store.query(f"{PREFIX}SELECT * {{ {pattern} }}")
    assert isinstance(rows, ox.QuerySolutions)
    return sorted((iris.key(row["key"].value), *(int(row[f"n{n}"].value) for n in range(1, numbers + 1))) for row in rows)


def test_every_kind_of_row_is_an_observation_but_exclusions() -> None:
    found = triples(ROWS, ORIGIN)
    observed = [t.subject for t in found if t.object == ox.NamedNode(iris.QB + "Observation")]
    assert len(observed) == len(set(observed)) == len(ROWS) - 1
    assert {type(row) for row in ROWS} == {ClauseRow, PairRow, AspectRow, EffectRow, ChangeRow, AccordRow}
    assert not any("excludes" in str(t) for t in found)
    assert not any(isinstance(x, ox.BlankNode) for t in found for x in t)


def test_an_option_is_tied_to_what_it_is() -> None:
    """An option of a convention to that option, a variant of a table to the table; 00:00 has a key that an IRI cannot hold."""
    tied = {t.subject.value.rsplit("/", 2)[-1]: t.object.value for t in triples(ROWS, ORIGIN) if t.predicate.value == iris.ns("tries")}
    assert tied["0000"] == iris.symbol("convention", "day-boundary/00")
    assert tied["rotating"] == iris.symbol("convention", "plate/rotating")
    assert tied["earth-with-fire"].startswith(iris.symbol("table", ""))


def test_every_option_that_can_be_tried_is_known() -> None:
    """Each is an option that is not the default, or the variant of a table."""
    rows = [EffectRow(trial.tradition, trial.convention, trial.option, 1, 1, 1, 1, 1) for trial in trials(1)]
    tied = {t.object.value for t in triples(rows, ORIGIN) if t.predicate.value == iris.ns("tries")}
    o = ontology()
    options = {x for x in o.of_type("Option") if o.text(x, iris.ns("isDefault")) != "true" and "solar-time" not in x}
    assert options <= tied
    assert tied - options == set(o.subjects_of(iris.ns("variantOf")))


def test_the_same_rows_give_the_same_bytes_and_others_another_census() -> None:
    assert written(ROWS, ORIGIN) == written(list(ROWS), ORIGIN)
    named = {min(t.subject.value for t in triples(*case) if "/census/" in t.subject.value) for case in OTHERS}
    assert len(named) == len(OTHERS)


OTHERS = (
    (ROWS, ORIGIN),
    (ROWS[1:], ORIGIN),
    ((replace(CLAUSE, fires=63), *ROWS[1:]), ORIGIN),
    (ROWS, replace(ORIGIN, reading="received")),
    (ROWS, replace(ORIGIN, conventions=())),
    (ROWS, replace(ORIGIN, version="0.2.0")),
    (ROWS, replace(ORIGIN, fingerprint="")),
)


def test_its_origin_is_told() -> None:
    found = {t.predicate.value: t.object.value for t in triples(ROWS, ORIGIN) if t.predicate.value.startswith((iris.PROV, iris.NS))}
    assert found[iris.ns("fingerprint")] == ORIGIN.fingerprint
    assert found[iris.ns("countedConvention")] == "star-pillars=day"
    assert found[iris.PROV + "wasAssociatedWith"] == iris.symbol("engine", "bulk")
    assert found[iris.PROV + "wasDerivedFrom"] == iris.graph("axioms")
    assert found[iris.PROV + "actedOnBehalfOf"] == iris.release("0.1.0", "software")
    assert len(Origin.here().fingerprint) == 20


# --- shapes and verification


def test_the_shapes_hold_of_a_counted_slice() -> None:
    kept = (iris.TYPE, iris.RDFS + "subClassOf", iris.SKOS + "inScheme", iris.QB)
    about = [q.triple for q in quads(doctrine(), "doctrine") if q.predicate.value.startswith(kept)]
    labels = [q.triple for q in quads(doctrine(), "doctrine") if "/id/structure/" in str(q.subject)]
    data, shapes = Graph(), Graph()
    data.parse(data=ox.serialize([*about, *labels, *triples(sliced(), Origin()), *triples(ROWS, ORIGIN)], format=ox.RdfFormat.N_TRIPLES), format="nt")
    shapes.parse(folder("ontology") / "shapes" / "census.ttl")
    conforms, _, text = validate(data, shacl_graph=shapes, inference="none", advanced=False)
    assert conforms, text[:3000]


def test_no_verification_query_finds_a_fault() -> None:
    store = EmbeddedStore([*quads(doctrine(), "doctrine"), *(ox.Quad(*t) for t in triples(sliced(), Origin.here()))])
    assert [str(f) for f in findings(store)] == []


# --- witnesses


def test_a_witness_is_the_cast_that_its_command_opens() -> None:
    row = next(r for r in sliced() if isinstance(r, ClauseRow) and r.clause == "yy-taichan-144")
    done = CliRunner().invoke(main, [*shlex.split(row.witness)[1:], "--format", "ttl"])
    judged = EmbeddedStore(quads(done.stdout.encode(), "cast", ox.RdfFormat.TURTLE))
    judged.store.extend(ox.Quad(*t) for t in triples(sliced(), Origin()))
    # The line of 子孫, 5, moves alone: the simplest cast on which offspring moves.
    assert "--lines 8,8,8,8,6,7 " in row.witness
    assert judged.query("ASK { ?count g:countedClause clause:yy-taichan-144 ; g:witness ?cast . ?cast a g:Cast, g:Witness ; g:fires clause:yy-taichan-144 }")


def test_a_witness_is_not_taken_for_a_judged_cast() -> None:
    store = EmbeddedStore(stored(triples(ROWS, ORIGIN)))
    for name in ("casts", "verdicts", "lines", "omens"):
        found = questions()[name].ask(store)
        assert isinstance(found, Rows)
        assert found.rows == (), name
    assert not store.query("ASK { ?cast a g:Cast }")


# --- what is wrong


def hostile() -> Iterator[Row]:
    good = CLAUSE
    pair = PairRow("days", "childbirth", "same", "yy-taichan-015", "yy-taichan-020", "", 64, COMMAND, CAST, "")
    for text in ("x> <a:a> <a:a", 'x" . <a:a> <a:a> "', "../../graph/doctrine", "days/yy", "X", "", "\n"):
        yield replace(good, space=text)
        yield replace(good, topic=text)
        yield replace(good, clause=text)
        yield replace(pair, kind=text)
        yield replace(pair, b=text)
        yield AspectRow("days", "childbirth", text, 1, 1, 0, 0, 0)
        yield EffectRow("liuyao", text, "day", 1, 1, 1, 1, 1)
        yield EffectRow("liuyao", "star-pillars", text, 1, 1, 1, 1, 1)
        yield EffectRow(text, "star-pillars", "day", 1, 1, 1, 1, 1)
        yield AccordRow(text, 2026, "midwife", 1, 0, 0, 0, 0, 0)
        if text:
            yield replace(good, witness_cast=text)
            yield replace(good, witness_cast=CAST + text)
            yield replace(good, witness=text)
    yield replace(good, witness=f"{COMMAND}\n<a:a> <a:a> <a:a> .")
    yield replace(good, stands_witness=f"{COMMAND}{' --why' * 1000}")
    yield replace(pair, about="no-such")


@pytest.mark.parametrize("row", list(hostile()), ids=lambda row: type(row).__name__)
def test_a_row_that_names_what_is_not_is_refused(row: Row) -> None:
    with pytest.raises(InputError, match="row of a census"):
        triples([row], ORIGIN)


def test_two_rows_on_the_same_are_refused() -> None:
    twice = replace(CLAUSE, fires=63)
    with pytest.raises(InputError, match="two rows"):
        triples([CLAUSE, twice], ORIGIN)


def test_a_command_stays_a_literal() -> None:
    command = "guigu cast --x \"\\\" . <a:a> <b:b> <c:c> . #'''"
    row = replace(CLAUSE, witness=command)
    found = list(ox.parse(written([row], ORIGIN), format=ox.RdfFormat.TURTLE))
    assert [q.object.value for q in found if q.predicate.value == iris.ns("command")] == [command]
    assert not any(str(x) == "<a:a>" for q in found for x in q.triple)
    assert {q.triple for q in found} == set(triples([row], ORIGIN))


# --- beside the doctrine and in a release


def test_a_census_is_asked_with_data(tmp_path: Path) -> None:
    file = tmp_path / "census.ttl"
    file.write_bytes(written(ROWS, ORIGIN))
    ask = ["ask", "census-contradictions", "--topic", "childbirth", "--format", "csv", "--data", str(file)]
    done = CliRunner().invoke(main, ask)
    assert done.exit_code == 0, done.output
    header, row = done.stdout.splitlines()
    assert header == "space,about,a,quoteA,b,quoteB,casts,command"
    assert "delivery" in row
    assert "子動者易生" in row
    assert row.endswith(f'7,"{COMMAND}"')


def test_a_census_goes_into_a_graph_of_its_own(tmp_path: Path) -> None:
    census, cast, other = (tmp_path / f"{name}.ttl" for name in ("census", "cast", "other"))
    census.write_bytes(written(ROWS, ORIGIN))
    made = CliRunner().invoke(main, ["cast", "--hexagram", "渙", "--month", "午", "--day", "甲子", "--topic", "childbirth", "--format", "ttl", "-o", str(cast)])
    assert made.exit_code == 0
    found = graphs(map(str, (census, cast)), "0.1.0")
    assert set(found) == {"census", "casts"}
    assert set(found["census"]) == set(triples(ROWS, ORIGIN))
    (judged,) = (t.subject for t in found["casts"] if t.object == ox.NamedNode(iris.ns("Cast")))
    fires = sum(t.subject == judged and t.predicate.value == iris.ns("fires") for t in found["casts"])
    assert fires == sum(t.object == ox.NamedNode(iris.RDF + "Statement") for t in found["casts"]) > 0
    other.write_bytes(turtle(iter(triples(ROWS, ORIGIN)[:3])))
    with pytest.raises(InputError, match="neither a cast nor a census"):
        graphs([str(other)], "0.1.0")
