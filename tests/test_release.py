"""A release: true of itself, the same bytes anywhere, read by others, and whole or not there at all."""

import gzip
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyoxigraph as ox
import pytest
from click.testing import CliRunner
from pyld import jsonld

from kg.cli import main
from kg.dataset import Dataset, canonical, doctrine
from kg.difference import differences
from kg.release import read, whole, write
from kg.verify import verify
from loader import iris

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("release") / "guigu"
    result = CliRunner().invoke(main, ["export", str(target)])
    assert result.exit_code == 0, result.output
    return target


def small(text: str = "a") -> Dataset:
    node, blank = ox.NamedNode(iris.clause("x")), ox.BlankNode("b")
    triples = [
        ox.Triple(node, ox.NamedNode(iris.ns("quote")), ox.Literal(text, language="lzh")),
        ox.Triple(node, ox.NamedNode(iris.ns("timing")), blank),
        ox.Triple(blank, ox.NamedNode(iris.ns("unit")), ox.Literal("day")),
    ]
    return canonical({"clauses": triples, "closure": []})


def unpacked(root: Path, name: str) -> bytes:
    path = root / name
    return path.read_bytes() if path.exists() else gzip.decompress((root / f"{name}.gz").read_bytes())


def test_the_manifest_is_true(release: Path) -> None:
    manifest = json.loads((release / "manifest.json").read_bytes())
    there = {p.relative_to(release).as_posix() for p in release.rglob("*") if p.is_file()}
    assert there - {"manifest.json"} == set(manifest["files"])
    for name, facts in manifest["files"].items():
        data = (release / name).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (facts["bytes"], facts["sha256"]), name


def test_every_form_holds_the_same_triples(release: Path) -> None:
    manifest, dataset = read(release)
    quads = set(ox.parse(unpacked(release, "guigu.nq"), format=ox.RdfFormat.N_QUADS))
    assert len(quads) == sum(manifest["graphs"].values())
    for name, form, graphs in (
        ("guigu.trig", ox.RdfFormat.TRIG, True),
        ("guigu.jsonld", ox.RdfFormat.JSON_LD, True),
        ("guigu.ttl", ox.RdfFormat.TURTLE, False),
        ("guigu.rdf", ox.RdfFormat.RDF_XML, False),
    ):
        found = ox.Dataset(ox.parse(unpacked(release, name), format=form))
        wanted = ox.Dataset(quads if graphs else (ox.Quad(q.subject, q.predicate, q.object) for q in quads))
        for d in (found, wanted):
            d.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
        assert set(found) == set(wanted), name
    for key, count in manifest["graphs"].items():
        assert len(dataset.graphs.get(key, ())) == count
        assert len(list(ox.parse(unpacked(release, f"graphs/{key}.ttl"), format=ox.RdfFormat.TURTLE))) == count


@pytest.mark.slow
def test_a_second_implementation_gives_the_same_canonical_hash(release: Path) -> None:
    manifest, _ = read(release)
    # pyld's URDNA2015 and RDFC-1.0 name blank nodes alike.
    lines = jsonld.normalize(
        jsonld.from_rdf(unpacked(release, "guigu.nq").decode(), {"format": "application/n-quads", "useNativeTypes": False}),
        {"algorithm": "URDNA2015", "format": "application/n-quads"},
    )
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


_BUILD = "import sys; from kg.dataset import doctrine; print(doctrine().digest)"


@pytest.mark.slow
def test_time_zone_locale_folder_and_hash_seed_change_no_byte(release: Path, tmp_path: Path) -> None:
    manifest, _ = read(release)
    running = []
    for seed, zone, locale in (("0", "Asia/Seoul", "C"), ("1", "America/Lima", "C.UTF-8")):
        env = os.environ | {"PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": locale, "PYTHONPATH": str(ROOT)}
        running.append(subprocess.Popen([sys.executable, "-c", _BUILD], env=env, cwd=tmp_path, stdout=subprocess.PIPE, text=True))
    assert [p.communicate()[0].strip() for p in running] == [manifest["sha256"]] * 2


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
write(Path(sys.argv[1]), small("b" * 200_000))
"""


@pytest.mark.slow
def test_a_killed_export_leaves_the_old_release_or_the_new_one(tmp_path: Path) -> None:
    target = tmp_path / "release"
    write(target, small("a"))
    old = json.loads((target / "manifest.json").read_bytes())["sha256"]
    new = small("b" * 200_000).digest
    rng, seen = random.Random(1), set()
    for _ in range(12):
        running = subprocess.Popen([sys.executable, "-c", _WRITE.format(root=str(ROOT)), str(target)])
        time.sleep(rng.uniform(0.4, 2.2))
        running.send_signal(signal.SIGKILL)
        running.wait()
        manifest, dataset = read(target)
        assert dataset.digest == manifest["sha256"]
        assert manifest["sha256"] in (old, new)
        for name, facts in manifest["files"].items():
            assert hashlib.sha256((target / name).read_bytes()).hexdigest() == facts["sha256"]
        seen.add(manifest["sha256"])
    subprocess.run([sys.executable, "-c", _WRITE.format(root=str(ROOT)), str(target)], check=True)
    assert json.loads((target / "manifest.json").read_bytes())["sha256"] == new
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
