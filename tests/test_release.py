"""A release: true of itself, the same bytes anywhere, read by others, and whole or not there at all."""

import gzip
import hashlib
import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pyoxigraph as ox
import pytest
from click.testing import CliRunner
from pyld import jsonld
from pyld.canon import URDNA2015

from kg.cli import main
from kg.dataset import Dataset, canonical, doctrine
from kg.difference import differences
from kg.release import read, whole, write
from kg.verify import verify
from loader import iris
from tests.releases import ROOT, copied, export, unpacked


def small(text: str = "a") -> Dataset:
    node, blank = ox.NamedNode(iris.clause("x")), ox.BlankNode("b")
    triples = [
        ox.Triple(node, ox.NamedNode(iris.ns("quote")), ox.Literal(text, language="lzh")),
        ox.Triple(node, ox.NamedNode(iris.ns("timing")), blank),
        ox.Triple(blank, ox.NamedNode(iris.ns("unit")), ox.Literal("day")),
    ]
    return canonical({"clauses": triples, "closure": []})


def canonical_set(quads: Iterable[ox.Quad]) -> set[ox.Quad]:
    found = ox.Dataset(quads)
    found.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    return set(found)


def test_the_manifest_is_true(release: Path) -> None:
    manifest = json.loads((release / "manifest.json").read_bytes())
    there = {p.relative_to(release).as_posix() for p in release.rglob("*") if p.is_file()}
    assert there - {"manifest.json"} == set(manifest["files"])
    for name, facts in manifest["files"].items():
        data = (release / name).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (facts["bytes"], facts["sha256"]), name


def test_every_form_holds_the_same_triples(release: Path) -> None:
    # TriG and Turtle are read by others in test_release_readers.
    manifest, dataset = read(release)
    quads = set(ox.parse(unpacked(release, "guigu.nq"), format=ox.RdfFormat.N_QUADS))
    assert len(quads) == sum(manifest["graphs"].values())
    wanted = canonical_set(quads), canonical_set(ox.Quad(q.subject, q.predicate, q.object) for q in quads)
    for name, form, union in (
        ("guigu.jsonld", ox.RdfFormat.JSON_LD, False),
        ("guigu.rdf", ox.RdfFormat.RDF_XML, True),
    ):
        assert canonical_set(ox.parse(unpacked(release, name), format=form)) == wanted[union], name
    for key, count in manifest["graphs"].items():
        assert len(dataset.graphs.get(key, ())) == count
        assert len(list(ox.parse(unpacked(release, f"graphs/{key}.ttl"), format=ox.RdfFormat.TURTLE))) == count


def _node(term: object) -> dict[str, str]:
    """A term as pyld has it."""
    if isinstance(term, ox.NamedNode):
        return {"type": "IRI", "value": term.value}
    if isinstance(term, ox.BlankNode):
        return {"type": "blank node", "value": f"_:other{term.value}"}
    assert isinstance(term, ox.Literal)
    language = {"language": term.language} if term.language else {}
    return {"type": "literal", "value": term.value, "datatype": term.datatype.value} | language


def test_a_second_implementation_gives_the_same_canonical_hash(release: Path) -> None:
    manifest, _ = read(release)
    by_graph: dict[str, list[dict[str, dict[str, str]]]] = {}
    quads = list(ox.parse(unpacked(release, "guigu.nq"), format=ox.RdfFormat.N_QUADS))
    random.Random(2).shuffle(quads)
    for q in quads:
        statement = {"subject": _node(q.subject), "predicate": _node(q.predicate), "object": _node(q.object)}
        by_graph.setdefault(str(q.graph_name.value), []).append(statement)
    # pyld names blank nodes by URDNA2015, whose names are those of RDFC-1.0.
    lines = URDNA2015().main(by_graph, {"format": "application/n-quads"})
    assert hashlib.sha256(lines.encode()).hexdigest() == manifest["sha256"]


def test_blank_nodes_are_named_by_what_they_say() -> None:
    first = canonical({"clauses": [ox.Triple(ox.BlankNode(), ox.NamedNode(iris.ns("unit")), ox.Literal("day"))]})
    again = canonical({"clauses": [ox.Triple(ox.BlankNode(), ox.NamedNode(iris.ns("unit")), ox.Literal("day"))]})
    assert first == again
    assert first.digest != canonical({"clauses": [ox.Triple(ox.BlankNode(), ox.NamedNode(iris.ns("unit")), ox.Literal("hour"))]}).digest


def test_counts_of_void_are_counts_by_query(release: Path) -> None:
    store, meta = ox.Store(), ox.Store()
    store.load(unpacked(release, "guigu.nq"), format=ox.RdfFormat.N_QUADS)
    meta.load((release / "void.ttl").read_bytes(), format=ox.RdfFormat.TURTLE)
    void = "PREFIX void: <http://rdfs.org/ns/void#> "

    def stated(query: str) -> dict[str, int]:
        return {row[0].value: int(row[1].value) for row in meta.query(void + query)}

    def counted(query: str) -> list[list[str]]:
        return [[row[i].value for i in range(len(row))] for row in store.query(query, use_default_graph_as_union=True)]

    by_class = stated("SELECT ?c ?n { ?p void:class ?c ; void:entities ?n }")
    assert by_class == {c: int(n) for c, n in counted("SELECT ?c (COUNT(DISTINCT ?s) AS ?n) { ?s a ?c FILTER(isIRI(?c)) } GROUP BY ?c")}
    by_property = stated("SELECT ?c ?n { ?p void:property ?c ; void:triples ?n }")
    assert by_property == {c: int(n) for c, n in counted("SELECT ?p (COUNT(*) AS ?n) { SELECT DISTINCT ?s ?p ?o { ?s ?p ?o } } GROUP BY ?p")}
    totals = stated("SELECT ?x ?n { ?d a void:Dataset ; void:distinctSubjects ?n BIND('subjects' AS ?x) }")
    assert totals == {"subjects": int(counted("SELECT (COUNT(DISTINCT ?s) AS ?n) { ?s ?p ?o }")[0][0])}
    graphs = {str(q.graph_name.value) for q in ox.parse(unpacked(release, "guigu.nq"), format=ox.RdfFormat.N_QUADS)}
    subsets = stated("SELECT ?g ?n { ?d void:subset ?g . ?g void:triples ?n }")
    for graph in graphs:
        found = list(store.quads_for_pattern(None, None, None, ox.NamedNode(graph)))
        assert subsets[graph] == len(found)


def test_sizes_and_checksums_of_dcat_are_true(release: Path) -> None:
    meta = ox.Store()
    meta.load((release / "dcat.ttl").read_bytes(), format=ox.RdfFormat.TURTLE)
    rows = list(
        meta.query(
            """PREFIX dcat: <http://www.w3.org/ns/dcat#> PREFIX dcterms: <http://purl.org/dc/terms/> PREFIX spdx: <http://spdx.org/rdf/terms#>
            SELECT ?path ?size ?sum { ?d dcterms:title ?path ; dcat:byteSize ?size ; spdx:checksum/spdx:checksumValue ?sum }"""
        )
    )
    assert len(rows) > 10
    for row in rows:
        data = (release / row["path"].value).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (int(row["size"].value), row["sum"].value)


def test_each_graph_states_its_rights(release: Path) -> None:
    meta = ox.Store()
    meta.load((release / "void.ttl").read_bytes(), format=ox.RdfFormat.TURTLE)
    licence = ox.NamedNode(iris.DCTERMS + "license")
    assert not list(meta.quads_for_pattern(ox.NamedNode(iris.graph("translation")), licence, None))
    (text,) = meta.quads_for_pattern(ox.NamedNode(iris.graph("text")), licence, None)
    assert "publicdomain" in text.object.value
    unlicensed = {g.object.value for g in meta.quads_for_pattern(None, ox.NamedNode("http://rdfs.org/ns/void#subset"), None)} - {
        q.subject.value for q in meta.quads_for_pattern(None, licence, None)
    }
    assert unlicensed == {iris.graph("translation"), iris.graph("anchors")}  # both hold Korean words
    # What is licensed as ours holds no Korean translation, and no passage.
    _, dataset = read(release)
    assert not any(f"<{iris.ns('translation')}>" in line or f"<{iris.ns('text')}>" in line for line in dataset.graphs["clauses"])


def test_a_release_verifies_and_a_changed_one_does_not(release: Path, tmp_path: Path) -> None:
    assert verify(release, doctrine()).passed
    copy = tmp_path / "copy"
    subprocess.run(["cp", "-r", str(release), str(copy)], check=True)
    lines = unpacked(copy, "guigu.nq").decode().splitlines(keepends=True)
    changed = next(i for i, line in enumerate(lines) if "初臨鬼母災" in line and "quote>" in line)
    lines[changed] = lines[changed].replace("災", "安")
    (copy / "guigu.nq.gz").write_bytes(gzip.compress("".join(lines).encode(), mtime=0))
    report = verify(copy, doctrine())
    assert any(f.startswith("guigu.nq.gz: changed") for f in report.faults)
    assert any("canonical hash" in f for f in report.faults)
    # The graph is named, and what differs in it is shown.
    assert any(f.startswith("graph clauses: 1 statements") for f in report.faults) or any(f.startswith("graph anchors: 1") for f in report.faults)
    assert any("初臨鬼母安" in f for f in report.faults)


@pytest.mark.parametrize(
    ("name", "data"), [("manifest.json", b"{"), ("manifest.json", b"[]"), ("guigu.nq.gz", b"x"), ("manifest.json", b'{"files": {"../x": {}}}')]
)
def test_what_is_no_release_is_told(release: Path, tmp_path: Path, name: str, data: bytes) -> None:
    copy = tmp_path / "copy"
    subprocess.run(["cp", "-r", str(release), str(copy)], check=True)
    (copy / name).write_bytes(data)
    result = CliRunner().invoke(main, ["verify", str(copy)])
    assert result.exit_code == 2
    assert "GUIGU" in result.stderr


@pytest.mark.slow
def test_folder_time_zone_locale_and_hash_seed_change_no_byte(release: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    done = export(other, {"PYTHONHASHSEED": "0", "TZ": "America/Lima", "LC_ALL": "C"}, copied(tmp_path / "copy of the sources"))
    assert done.returncode == 0, done.stderr
    names = [{p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()} for root in (release, other)]
    assert names[0] == names[1]
    assert len(names[0]) > 3000
    assert [n for n in sorted(names[0]) if (release / n).read_bytes() != (other / n).read_bytes()] == []


def test_the_same_dataset_gives_the_same_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write(tmp_path / name, small())
        time.sleep(1.1 if name == "a" else 0)  # gzip and folders know the second
    files = [{p.relative_to(tmp_path / n): p.read_bytes() for p in (tmp_path / n).rglob("*") if p.is_file()} for n in ("a", "b")]
    assert files[0] == files[1]


_WRITE = """
import sys
from pathlib import Path
sys.path.insert(0, {root!r})
from tests.test_release import small
from kg.release import write
write(Path(sys.argv[1]), small("b" * 200_000), lambda text: print(text, flush=True))
"""
_STEPS = 10
"""Steps of progress that the export of `small` tells."""


@pytest.mark.slow
def test_a_killed_export_leaves_the_old_release_or_the_new_one(tmp_path: Path) -> None:
    target = tmp_path / "release"
    write(target, small("a"))
    old = json.loads((target / "manifest.json").read_bytes())["sha256"]
    new = small("b" * 200_000).digest
    rng, seen = random.Random(1), []
    # At each step, and often about the last, where the old one gives way.
    for steps in (*range(1, _STEPS, 2), *[_STEPS] * 6, None):
        running = subprocess.Popen([sys.executable, "-c", _WRITE.format(root=str(ROOT)), str(target)], stdout=subprocess.PIPE, text=True)
        assert running.stdout is not None
        told = list(running.stdout) if steps is None else [running.stdout.readline() for _ in range(steps)]
        if steps is not None:
            assert told[-1], "fewer steps than that"
            time.sleep(rng.uniform(0, 0.06) if steps == _STEPS else 0)
            running.send_signal(signal.SIGKILL)
        running.wait()
        running.stdout.close()
        manifest, dataset = read(target)
        assert dataset.digest == manifest["sha256"]
        for name, facts in manifest["files"].items():
            assert hashlib.sha256((target / name).read_bytes()).hexdigest() == facts["sha256"]
        seen.append(manifest["sha256"])
    assert seen[0] == old
    assert seen[-1] == new
    assert set(seen) == {old, new}
    # What killed exports left behind is cleared by the next one.
    assert [p.name for p in tmp_path.iterdir()] == ["release"]


def test_a_folder_that_is_no_release_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    result = CliRunner().invoke(main, ["export", str(tmp_path)])
    assert result.exit_code == 2
    assert "is not a release" in result.stderr
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


def test_differences_of_two_datasets() -> None:
    (change,) = differences(small("a"), small("b"))
    assert (change.iri, change.what) == (iris.clause("x"), "changed")
    assert any('"a"@lzh' in line for line in change.before)
    assert any('"b"@lzh' in line for line in change.after)
    assert [c.what for c in differences(Dataset({}), small())] == ["added"]
    assert [c.what for c in differences(small(), Dataset({}))] == ["removed"]
    assert differences(small(), small()) == ()


def test_diff_between_two_releases(tmp_path: Path) -> None:
    write(tmp_path / "old", small("a"))
    write(tmp_path / "new", small("b"))
    done = CliRunner().invoke(main, ["diff", str(tmp_path / "old"), str(tmp_path / "new")])
    assert done.exit_code == 1
    assert "changed: 1" in done.stdout
    ttl = CliRunner().invoke(main, ["diff", str(tmp_path / "old"), str(tmp_path / "new"), "--format", "ttl"]).stdout
    assert any(t.object == ox.NamedNode(iris.clause("x")) for t in ox.parse(ttl, format=ox.RdfFormat.TURTLE))
    assert CliRunner().invoke(main, ["diff", str(tmp_path / "old"), str(tmp_path / "old")]).exit_code == 0


def test_json_ld_needs_no_other_file() -> None:
    document = json.loads(whole(small(), "jsonld"))
    assert isinstance(document["@context"], dict)
    quads = jsonld.to_rdf(document, {"format": "application/n-quads"})
    assert len(quads.splitlines()) == 3
