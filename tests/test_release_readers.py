"""What others make of a release: Apache Jena and Raptor read every form, and Jena's ARQ answers the questions over the files."""

import os
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.question import questions
from kg.release import read
from kg.rows import Rows, Triples
from kg.store import EmbeddedStore, parsed
from tests.releases import unpacked
from tests.test_questions import plain
from tests.test_release import canonical_set

JARS = Path("/usr/share/java")
RAPPER = shutil.which("rapper")


def missing(what: str, how: str) -> None:
    """Skip on a person's machine, fail where everything is checked."""
    if os.environ.get("CI"):
        pytest.fail(f"{what} is not installed: {how}")
    pytest.skip(f"{what} is not installed: {how}")


@pytest.fixture(scope="module")
def whole(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The forms of the whole dataset, unpacked: Raptor reads no gzip."""
    root = tmp_path_factory.mktemp("readers")
    for name in ("guigu.trig", "guigu.jsonld", "guigu.ttl", "guigu.rdf"):
        (root / name).write_bytes(unpacked(release, name))
    return root


@pytest.fixture(scope="module")
def wanted(release: Path) -> tuple[set[ox.Quad], set[ox.Quad]]:
    """The dataset as its N-Quads have it, in canonical form: with its graphs, and their union."""
    quads = read(release)[1].quads()
    return canonical_set(quads), canonical_set(ox.Quad(q.subject, q.predicate, q.object) for q in quads)


@pytest.fixture(scope="module")
def jena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """The command that runs a class of Jena.

    Debian's jena-core looks for the messages of Xerces at another place than where it keeps them, so a copy goes before it.
    """
    core = JARS / "jena-core.jar"
    if not core.exists() or shutil.which("javac") is None:
        missing("Jena", "apt-get install libapache-jena-java default-jdk-headless")
    folder = tmp_path_factory.mktemp("jena")
    with zipfile.ZipFile(core) as jar:
        for name in jar.namelist():
            if name.startswith("org/apache/jena/ext/xerces/") and name.endswith(".properties"):
                target = folder / name.removeprefix("org/apache/jena/ext/")
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(jar.read(name))
    wanted = [p for p in sorted(JARS.glob("*.jar")) if p.is_symlink() and not any(w in p.name for w in ("log4j", "slf4j", "xerces"))]
    path = ":".join([str(folder), *map(str, wanted), str(JARS / "slf4j-api.jar"), str(JARS / "slf4j-nop.jar")])
    return ["java", "-Xmx3g", "-XX:+UseSerialGC", "-cp", path]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "syntax"), [("guigu.trig", "TRIG"), ("guigu.jsonld", "JSONLD10"), ("guigu.ttl", "TTL"), ("guigu.rdf", "RDFXML")])
def test_jena_reads_the_same(whole: Path, wanted: tuple[set[ox.Quad], set[ox.Quad]], jena: list[str], name: str, syntax: str) -> None:
    done = subprocess.run([*jena, "riotcmd.riot", f"--syntax={syntax}", "--output=nquads", str(whole / name)], capture_output=True, check=True, timeout=300)
    assert canonical_set(ox.parse(done.stdout, format=ox.RdfFormat.N_QUADS)) == wanted[name not in ("guigu.trig", "guigu.jsonld")]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "syntax"), [("guigu.ttl", "turtle"), ("guigu.rdf", "rdfxml")])
def test_raptor_reads_the_same(whole: Path, wanted: tuple[set[ox.Quad], set[ox.Quad]], name: str, syntax: str) -> None:
    if RAPPER is None:
        missing("Raptor", "apt-get install raptor2-utils")
    done = subprocess.run([str(RAPPER), "-q", "-i", syntax, "-o", "ntriples", str(whole / name)], capture_output=True, check=True, timeout=300)
    assert canonical_set(ox.parse(done.stdout, format=ox.RdfFormat.N_TRIPLES)) == wanted[True]


@pytest.mark.slow
def test_arq_answers_the_questions_alike(whole: Path, jena: list[str], tmp_path: Path) -> None:
    store = EmbeddedStore(ox.Quad(q.subject, q.predicate, q.object) for q in ox.parse((whole / "guigu.ttl").read_bytes(), format=ox.RdfFormat.TURTLE))
    asked = {q.name: q.bound(q.example.parameters) for q in questions().values() if not (q.example.casts or q.example.data)}
    wanted = {name: found for name, query in asked.items() if not isinstance(found := store.query(query), Triples | bool)}
    folders = [tmp_path / "queries", tmp_path / "answers"]
    for folder in folders:
        folder.mkdir()
    for name in wanted:
        (folders[0] / f"{name}.rq").write_text(asked[name])
    program = Path(__file__).resolve().parent / "jena" / "Ask.java"
    subprocess.run([*jena, str(program), str(whole / "guigu.ttl"), *map(str, folders)], check=True, capture_output=True, timeout=420)
    differing = []
    for name, rows in wanted.items():
        found = parsed((folders[1] / f"{name}.json").read_bytes())
        assert isinstance(found, Rows)
        if plain(found, questions()[name]) != plain(rows, questions()[name]):
            differing.append(name)
    assert differing == []
