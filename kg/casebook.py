"""What a user has stored, to be released: casts, with the provenance of every verdict (which clause, engine, version), and censuses."""

from collections.abc import Iterable, Iterator

import pyoxigraph as ox

from kg.dataset import triple
from kg.store import file_quads
from loader import iris
from loader.errors import InputError
from loader.ontology import Literal

CASTS, CENSUS = "casts", "census"
"""Keys of the graphs of a release into which casts and censuses go."""


def graphs(files: Iterable[str], version: str) -> dict[str, list[ox.Triple]]:
    """The triples of some files, by the graph into which they go: `CASTS`, with a PROV derivation for every `fires`, and `CENSUS`.

    Raises:
        InputError: a file cannot be read, or holds neither a cast nor an observation of a census.
    """
    stated: dict[str, dict[ox.Triple, None]] = {}
    for name in files:
        found = [q.triple for q in file_quads(name)]
        classes = {t.object for t in found if t.predicate.value == iris.TYPE}
        if ox.NamedNode(iris.ns("Cast")) in classes:
            key = CASTS
        elif ox.NamedNode(iris.QB + "Observation") in classes:
            key = CENSUS
        else:
            raise InputError(
                "neither a cast nor a census is in it", where=name, todo="write a cast with 'guigu cast ... --format ttl', a census with 'guigu census'"
            )
        stated.setdefault(key, {}).update(dict.fromkeys(found))
    return {key: [*found, *(_derived(list(found), version) if key == CASTS else ())] for key, found in stated.items()}


def made(activity: str, used: Iterable[str], engine: str, version: str) -> Iterator[ox.Triple]:
    """PROV of a work of ours: what it used, the engine that did it, and the version of guigu on whose behalf."""
    agent, software = iris.symbol("engine", engine), iris.release(version, "software")
    yield triple(activity, iris.TYPE, iris.PROV + "Activity")
    for entity in used:
        yield triple(activity, iris.PROV + "used", entity)
    yield triple(activity, iris.PROV + "wasAssociatedWith", agent)
    yield triple(agent, iris.TYPE, iris.PROV + "SoftwareAgent")
    yield triple(agent, iris.RDFS + "label", _text(engine))
    yield triple(agent, iris.PROV + "actedOnBehalfOf", software)
    yield triple(software, iris.TYPE, iris.PROV + "SoftwareAgent")
    yield triple(software, iris.RDFS + "label", _text(f"guigu {version}"))


def _text(text: str) -> Literal:
    return Literal(text, None, iris.XSD + "string")


def _derived(stated: list[ox.Triple], version: str) -> Iterator[ox.Triple]:
    node = ox.NamedNode
    engines = {t.subject: t.object.value for t in stated if t.predicate.value == iris.ns("engine") and isinstance(t.object, ox.Literal)}
    for cast, engine in sorted(engines.items(), key=lambda x: str(x[0])):
        if not isinstance(cast, ox.NamedNode):
            continue
        judging = node(f"{cast.value}/judging")
        yield from made(judging.value, (cast.value, iris.graph("axioms")), engine, version)
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
