"""Casts that a user has stored, released with the provenance of every verdict: which clause, which engine, which version."""

from collections.abc import Iterable, Iterator

import pyoxigraph as ox

from kg.store import file_quads
from loader import iris
from loader.errors import InputError


def casts(files: Iterable[str], version: str) -> list[ox.Triple]:
    """The triples of some files of casts, and a PROV derivation for every `fires`.

    Raises:
        InputError: a file cannot be read, or holds no cast.
    """
    stated: dict[ox.Triple, None] = {}
    for name in files:
        found = [q.triple for q in file_quads(name)]
        if not any(t.predicate.value == iris.TYPE and t.object == ox.NamedNode(iris.ns("Cast")) for t in found):
            raise InputError("no cast in it", where=name, todo="write one with 'guigu cast ... --format ttl'")
        stated |= dict.fromkeys(found)
    return [*stated, *_derived(list(stated), version)]


def _derived(stated: list[ox.Triple], version: str) -> Iterator[ox.Triple]:
    node = ox.NamedNode
    engines = {t.subject: t.object.value for t in stated if t.predicate.value == iris.ns("engine") and isinstance(t.object, ox.Literal)}
    software = node(iris.release(version, "software"))
    for cast, engine in sorted(engines.items(), key=lambda x: str(x[0])):
        if not isinstance(cast, ox.NamedNode):
            continue
        judging, agent = node(f"{cast.value}/judging"), node(iris.symbol("engine", engine))
        yield ox.Triple(judging, node(iris.TYPE), node(iris.PROV + "Activity"))
        yield ox.Triple(judging, node(iris.PROV + "used"), cast)
        yield ox.Triple(judging, node(iris.PROV + "used"), node(iris.graph("axioms")))
        yield ox.Triple(judging, node(iris.PROV + "wasAssociatedWith"), agent)
        yield ox.Triple(agent, node(iris.TYPE), node(iris.PROV + "SoftwareAgent"))
        yield ox.Triple(agent, node(iris.RDFS + "label"), ox.Literal(engine))
        yield ox.Triple(agent, node(iris.PROV + "actedOnBehalfOf"), software)
        yield ox.Triple(software, node(iris.TYPE), node(iris.PROV + "SoftwareAgent"))
        yield ox.Triple(software, node(iris.RDFS + "label"), ox.Literal(f"guigu {version}"))
        for t in stated:
            if t.subject == cast and t.predicate.value == iris.ns("fires") and isinstance(t.object, ox.NamedNode):
                verdict = node(f"{cast.value}/verdict/{iris.key(t.object.value)}")
                yield ox.Triple(verdict, node(iris.TYPE), node(iris.PROV + "Entity"))
                yield ox.Triple(verdict, node(iris.TYPE), node(iris.RDF + "Statement"))
                yield ox.Triple(verdict, node(iris.RDF + "subject"), cast)
                yield ox.Triple(verdict, node(iris.RDF + "predicate"), t.predicate)
                yield ox.Triple(verdict, node(iris.RDF + "object"), t.object)
                yield ox.Triple(verdict, node(iris.PROV + "wasDerivedFrom"), t.object)
                yield ox.Triple(verdict, node(iris.PROV + "wasGeneratedBy"), judging)
