"""Where questions are put: the doctrine and casts in a store of this process, or at an endpoint, behind one protocol."""

import hashlib
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, Protocol

import pyoxigraph as ox
import rdflib
from platformdirs import user_cache_path

from kg.federation import check_services
from kg.files import read_bytes, write_bytes
from kg.rows import Found, Rows, Triples
from loader import iris
from loader.data import folder
from loader.errors import InputError, QueryError, quoted

LONGEST: Final = 200_000
"""Characters of a query."""


class Store(Protocol):
    """Something that answers SPARQL 1.1 queries; `loader.iris.PREFIXES` need no declaration."""

    def query(self, sparql: str) -> Found:
        """Run a query.

        Raises:
            QueryError: it is no query, or asks for what is not allowed.
            EndpointError: a remote store failed.
        """
        ...


class EmbeddedStore:
    """The embedded store (pyoxigraph), in memory: the default.

    >>> EmbeddedStore([]).query("ASK { ?s ?p ?o }")
    False
    """

    def __init__(self, quads: Iterable[ox.Quad]) -> None:
        self.store = ox.Store()
        self.store.extend(quads)

    def query(self, sparql: str) -> Found:
        """Run a query over the default graph; see `Store`."""
        _check(sparql)
        try:
            found = self.store.query(sparql, prefixes=iris.PREFIXES)
            if isinstance(found, ox.QueryBoolean):
                return bool(found)
            if isinstance(found, ox.QueryTriples):
                return Triples(tuple(found))
            return _rows(found)
        except SyntaxError as error:
            raise QueryError(str(error).strip(), where="SPARQL") from error
        except (OSError, ValueError, RuntimeError) as error:
            raise QueryError(f"the query failed: {error}", where="SPARQL") from error


class RdflibStore:
    """An rdflib graph: slow, kept to show that the questions do not depend on one engine.

    >>> RdflibStore(rdflib.Graph()).query("ASK { ?s ?p ?o }")
    False
    """

    def __init__(self, graph: rdflib.Graph) -> None:
        self.graph = graph

    def query(self, sparql: str) -> Found:
        """Run a query; see `Store`."""
        _check(sparql)
        try:
            result = self.graph.query(sparql, initNs=iris.PREFIXES)
            if result.type == "ASK":
                return bool(result.askAnswer)
            if result.graph is not None:
                data = result.graph.serialize(format="nt")
                return Triples(tuple(q.triple for q in ox.parse(data, format=ox.RdfFormat.N_TRIPLES)))
            # Through the W3C form, so that rdflib's terms become those of every other engine.
            return parsed(result.serialize(format="json") or b"")
        except Exception as error:  # rdflib raises many kinds, some of its parser's own
            raise QueryError(f"the query failed: {error}", where="SPARQL") from error


def parsed(answer: bytes) -> Rows | bool:
    """Rows from SPARQL 1.1 Query Results JSON.

    Raises:
        QueryError: it is not that.
    """
    try:
        found = ox.parse_query_results(answer, format=ox.QueryResultsFormat.JSON)
        if isinstance(found, ox.QueryBoolean):
            return bool(found)
        return _rows(found)
    except (SyntaxError, ValueError) as error:
        raise QueryError(f"the answer is no SPARQL result in JSON: {error}", where="SPARQL") from error


def _rows(found: ox.QuerySolutions) -> Rows:
    names = [v.value for v in found.variables]
    return Rows(tuple(names), tuple(tuple(row[n] for n in names) for row in found))


def prefixed(sparql: str) -> str:
    """The query with those of our prefixes that it uses and does not declare, on its first line: for engines that cannot be told them.

    >>> prefixed("ASK { ?s a g:Clause }")
    'PREFIX g: <https://w3id.org/guigu/ns/> ASK { ?s a g:Clause }'
    >>> prefixed("PREFIX g: <http://example.org/> ASK { ?s a g:Clause }")
    'PREFIX g: <http://example.org/> ASK { ?s a g:Clause }'
    """
    used = set(re.findall(r"([a-z]+):", sparql)) - set(re.findall(r"PREFIX\s+([a-z]+):", sparql, re.IGNORECASE))
    return "".join(f"PREFIX {prefix}: <{iri}> " for prefix, iri in iris.PREFIXES.items() if prefix in used) + sparql


def _check(sparql: str) -> None:
    if len(sparql) > LONGEST:
        raise QueryError(f"a query of {len(sparql)} characters", where="SPARQL", todo=f"at most {LONGEST} are read")
    check_services(sparql)


@cache
def doctrine() -> bytes:
    """The doctrine as N-Triples, sorted; kept in the user's cache until the ontology or the code changes.

    Compiling every chapter takes seconds, reading the result a third of one.
    """
    path = user_cache_path("guigu") / f"doctrine-{fingerprint()}.nt"
    try:
        return path.read_bytes()
    except OSError:  # not yet there, or not readable: made anew
        pass
    from kg.graph import doctrine_graph, serialize

    data = serialize(doctrine_graph(), "nt").encode()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for old in path.parent.glob("doctrine-*.nt"):
            old.unlink(missing_ok=True)
        write_bytes(data, path)
    except (OSError, InputError):  # a cache that cannot be written costs time, nothing else
        pass
    return data


def fingerprint() -> str:
    """A mark of the ontology, the questions and the code: what was made under another is made anew."""
    digest = hashlib.sha256(sys.version.encode())
    code = Path(__file__).resolve().parent
    for path in _sources(folder("ontology"), folder("queries"), code, Path(str(sys.modules["loader"].__file__)).parent):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:20]


def _sources(*roots: Path) -> Iterator[Path]:
    for root in roots:
        # What serves the doctrine does not change it.
        yield from sorted(
            p for p in root.rglob("*") if p.suffix in (".ttl", ".yaml", ".tsv", ".rq", ".py") and not {"server", "pages", "web", "drawing"} & set(p.parts)
        )


def quads(data: bytes, where: str, form: ox.RdfFormat = ox.RdfFormat.N_TRIPLES) -> Iterator[ox.Quad]:
    """Quads of RDF text, all in the default graph.

    Raises:
        InputError: it does not parse; `where` with line and column.
    """
    try:
        # Blank nodes of two files are never the same, whatever they are called.
        # A judged casebook is a graph of N-Quads, whose name says nothing of a cast.
        for quad in ox.parse(data, format=form, without_named_graphs=form != ox.RdfFormat.N_QUADS, rename_blank_nodes=True):
            yield ox.Quad(quad.subject, quad.predicate, quad.object)
    except SyntaxError as error:
        raise InputError(error.msg or "not RDF", where=f"{where}:{error.lineno}:{error.offset}") from error


def file_quads(name: str) -> Iterator[ox.Quad]:
    """Quads of a user's file of RDF, by its ending; `-` is Turtle on stdin.

    Raises:
        InputError: unreadable, too large, of an unknown form, or malformed.
    """
    form = ox.RdfFormat.TURTLE if name == "-" else ox.RdfFormat.from_extension(Path(name).suffix.lstrip(".") or "-")
    if form is None:
        raise InputError(f"the ending of {quoted(name)} names no form of RDF", where="--data", todo="use .ttl, .nt, .jsonld, .rdf, .trig or .nq")
    data = read_bytes(name, where="--data")
    yield from quads(data, name, form)


def doctrine_store(files: Iterable[str] = ()) -> EmbeddedStore:
    """The doctrine, with the casts or other RDF of a user's files."""
    store = EmbeddedStore(quads(doctrine(), "doctrine"))
    for name in files:
        store.store.extend(file_quads(name))
    return store
