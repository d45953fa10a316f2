"""A release: a folder that a stranger can load, cite and verify without us, written whole or not at all."""

import ctypes
import gzip
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyoxigraph as ox

from kg.dataset import CATALOGUE, Dataset, canonical, doctrine
from kg.pages import Download, Facts, site
from kg.version import VERSION
from loader import iris
from loader.data import folder
from loader.errors import InputError, quoted

_LARGE: Final = 2**20
"""Bytes from which a file is written as gzip."""
_LONGEST: Final = 2**30
"""Bytes to which a file of a release may unpack."""
_MARK: Final = "manifest.json"
_AT_FDCWD: Final = -100
_EXCHANGE: Final = 2  # RENAME_EXCHANGE of renameat2(2)

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class File:
    """A file of a release.

    Attributes:
        path: relative to the release.
        data: its bytes, before compression.
        media: its media type.
        graph: key of the graph that it holds, `*` for all of them, or None.
    """

    path: str
    data: bytes
    media: str
    graph: str | None = None

    @property
    def packed(self) -> "File":
        """The file as it is written: large RDF as gzip, without time or name, so that the bytes depend on the content alone."""
        if len(self.data) < _LARGE or self.graph is None:
            return self
        return File(f"{self.path}.gz", gzip.compress(self.data, 9, mtime=0), self.media, self.graph)


_FORMS: Final = (
    ("nq", "application/n-quads"),
    ("trig", "application/trig"),
    ("ttl", "text/turtle"),
    ("jsonld", "application/ld+json"),
    ("rdf", "application/rdf+xml"),
)


_PAGE_MEDIA: Final = {".html": "text/html", ".ttl": "text/turtle", ".css": "text/css", ".js": "text/javascript"}


def with_casts(names: Iterable[str]) -> Dataset:
    """The doctrine, and the casts and censuses of some files, each as a graph of their own."""
    names = tuple(names)
    if not names:
        return doctrine()
    from kg.casebook import graphs

    own = canonical(graphs(names, VERSION))
    return Dataset({**doctrine().graphs, **own.graphs})


def files(dataset: Dataset, progress: Progress = lambda _: None) -> Iterator[File]:
    """Every file of a release of the dataset, the manifest last."""
    written: list[File] = []
    for file in _files(dataset, progress):
        packed = file.packed
        written.append(packed)
        yield packed
    progress("manifest")
    yield File(_MARK, json.dumps(manifest(dataset, written), ensure_ascii=False, indent=2, sort_keys=True).encode() + b"\n", "application/json")


def _files(dataset: Dataset, progress: Progress) -> Iterator[File]:
    from kg.description import described

    data: list[File] = []
    for part in CATALOGUE:
        if part.key in dataset.graphs:
            progress(f"graph {part.key}")
            quads = list(ox.parse("".join(dataset.graphs[part.key]), format=ox.RdfFormat.N_QUADS))
            data.append(File(f"graphs/{part.key}.ttl", turtle(q.triple for q in quads), "text/turtle", part.key))
    for extra in sorted(set(dataset.graphs) - {p.key for p in CATALOGUE}):
        quads = list(ox.parse("".join(dataset.graphs[extra]), format=ox.RdfFormat.N_QUADS))
        data.append(File(f"graphs/{extra}.ttl", turtle(q.triple for q in quads), "text/turtle", extra))
    for ending, media in _FORMS:
        progress(f"whole as {ending}")
        data.append(File(f"guigu.{ending}", whole(dataset, ending), media, "*"))
    yield from data
    progress("questions, mappings and context")
    yield File("context.jsonld", (folder("ontology") / "context.jsonld").read_bytes(), "application/ld+json")
    for path in sorted(folder("queries").rglob("*.rq")):
        yield File(f"queries/{path.parent.name}/{path.name}", path.read_bytes(), "application/sparql-query")
    for path in sorted((folder("ontology") / "mappings").glob("*.tsv")):
        yield File(f"mappings/{path.name}", path.read_bytes(), "text/tab-separated-values")
    progress("descriptions")
    yield from described(dataset, [f.packed for f in data])
    if "clauses" in dataset.graphs and len(dataset.graphs) >= len(CATALOGUE):  # pages are of the whole doctrine
        progress("pages")
        downloads = tuple(Download(f.path, f.media, len(f.data)) for f in (d.packed for d in data))
        for name, content in site(Facts(VERSION, downloads), (q.triple for q in dataset.quads())):
            yield File(name, content, _PAGE_MEDIA.get(Path(name).suffix, "application/octet-stream"))


def turtle(triples: Iterator[ox.Triple]) -> bytes:
    """Turtle with our prefixes, those that are used."""
    found = list(triples)
    nodes = {n.value for t in found for n in (t.subject, t.predicate, t.object) if isinstance(n, ox.NamedNode)}
    used = {prefix: iri for prefix, iri in iris.PREFIXES.items() if any(n.startswith(iri) for n in nodes)}
    return ox.serialize(found, format=ox.RdfFormat.TURTLE, prefixes=used) or b""


def whole(dataset: Dataset, ending: str) -> bytes:
    """All graphs in one file; Turtle and RDF/XML hold their union, the others keep the graphs apart."""
    if ending == "nq":
        return "".join(dataset.lines()).encode()
    quads = dataset.quads()
    if ending == "trig":
        return ox.serialize(quads, format=ox.RdfFormat.TRIG, prefixes=iris.PREFIXES) or b""
    if ending == "jsonld":
        return _jsonld(quads)
    union = sorted({q.triple for q in quads}, key=str)
    form = ox.RdfFormat.TURTLE if ending == "ttl" else ox.RdfFormat.RDF_XML
    return ox.serialize(union, format=form, prefixes=iris.PREFIXES) or b""


def _jsonld(quads: list[ox.Quad]) -> bytes:
    from pyld import jsonld

    context = json.loads((folder("ontology") / "context.jsonld").read_bytes())
    expanded = json.loads(ox.serialize(quads, format=ox.RdfFormat.JSON_LD) or b"[]")
    for graph in expanded:
        for node in graph.get("@graph", [graph]):
            if iris.TYPE in node:
                # The serialiser writes rdf:type as any other property.
                node["@type"] = [value["@id"] for value in node.pop(iris.TYPE)]
    compact = jsonld.compact(expanded, context, {"graph": True})
    return json.dumps(compact, ensure_ascii=False, indent=1, sort_keys=True).encode() + b"\n"


def manifest(dataset: Dataset, written: list[File]) -> dict[str, Any]:
    """What a release holds: the canonical hash of the dataset, the size of each graph, and of each file its bytes and SHA-256."""
    return {
        "name": "guigu",
        "version": VERSION,
        "iri": iris.release(VERSION),
        "canonicalization": "RDFC-1.0",
        "sha256": dataset.digest,
        "graphs": {key: len(lines) for key, lines in sorted(dataset.graphs.items())},
        "files": {
            f.path: {"bytes": len(f.data), "sha256": hashlib.sha256(f.data).hexdigest(), "media": f.media} for f in sorted(written, key=lambda f: f.path)
        },
    }


def write(target: Path, dataset: Dataset | None = None, progress: Progress = lambda _: None) -> None:
    """Write a release into a folder: what was there before stays whole until the new one stands complete, then they are exchanged.

    Raises:
        InputError: the folder cannot be written, or holds something that is no release.
    """
    target = target.absolute()
    if target.is_symlink() or (target.exists() and not _replaceable(target)):
        raise InputError(f"{quoted(str(target))} is not a release", where="DIR", todo="name an empty or new folder, or one that guigu wrote")
    scratch: Path | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        for old in target.parent.glob(f".{target.name}.*.part"):  # left by an export that was killed
            shutil.rmtree(old, ignore_errors=True)
        scratch = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part"))
        scratch.chmod(0o755)
        for file in files(dataset or doctrine(), progress):
            path = scratch / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.data)
        os.sync()  # once for thousands of small files
        _exchange(scratch, target)
    except OSError as error:
        raise InputError(f"cannot write {quoted(str(target))}: {error.strerror}", where="DIR") from error
    finally:
        if scratch is not None:
            shutil.rmtree(scratch, ignore_errors=True)


def _replaceable(target: Path) -> bool:
    return target.is_dir() and (not any(target.iterdir()) or (target / _MARK).is_file())


def _exchange(new: Path, target: Path) -> None:
    """Put a folder in the place of another in one step, so that no moment shows a mixture or nothing."""
    if not target.exists():
        new.rename(target)
        return
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is not None and rename(_AT_FDCWD, os.fsencode(new), _AT_FDCWD, os.fsencode(target), _EXCHANGE) == 0:
        return
    # Where the system cannot exchange two folders there is a moment with neither, but never a mixture.
    aside = new.with_suffix(".old.part")
    target.rename(aside)
    new.rename(target)
    shutil.rmtree(aside, ignore_errors=True)


def _unpacked(path: Path) -> bytes:
    """Bytes of a file of a release, unpacked where it is gzip, within limits.

    Raises:
        InputError: it is larger than a release can be.
    """
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
        data: bytes = stream.read(_LONGEST + 1)
    if len(data) > _LONGEST:
        raise InputError(f"{quoted(str(path))} unpacks to more than {_LONGEST // 2**20} MiB", where="DIR")
    return data


def read(root: Path) -> tuple[Mapping[str, Any], Dataset]:
    """The manifest of a release, and its dataset as its N-Quads have it.

    Raises:
        InputError: it is no release, or cannot be read.
    """
    try:
        found = json.loads((root / _MARK).read_bytes())
        if not isinstance(found, dict) or not isinstance(found.get("files"), dict):
            raise ValueError("its manifest names no files")
        path = root / "guigu.nq"
        data = _unpacked(path if path.exists() else root / "guigu.nq.gz")
        by_graph: dict[str, list[str]] = {}
        for quad in ox.parse(data, format=ox.RdfFormat.N_QUADS):
            by_graph.setdefault(iris.key(str(quad.graph_name.value)), []).append(f"{quad} .\n")
        return found, Dataset({key: tuple(sorted(lines)) for key, lines in by_graph.items()})
    except (OSError, EOFError, ValueError, SyntaxError, AttributeError) as error:
        raise InputError(f"{quoted(str(root))} is no release: {error}", where="DIR") from error
