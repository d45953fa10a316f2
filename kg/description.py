"""What a release says of itself: VoID and DCAT 3 of the dataset and its files, PROV of its making, schema.org for search engines.

Every number in it is counted from the dataset or measured on the file.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

import pyoxigraph as ox

from kg.dataset import CATALOGUE, RIGHTS, Dataset, triple
from kg.version import VERSION
from loader import iris
from loader.data import folder
from loader.ontology import Literal

if TYPE_CHECKING:
    from kg.release import File

DCAT: Final = "http://www.w3.org/ns/dcat#"
SPDX: Final = "http://spdx.org/rdf/terms#"
FOAF: Final = "http://xmlns.com/foaf/0.1/"
_MEDIA: Final = "https://www.iana.org/assignments/media-types/"
_VOCABULARIES: Final = (
    iris.NS,
    iris.SKOS,
    iris.DCTERMS,
    iris.OWL,
    iris.RDFS,
    iris.OA,
    iris.CITO,
    "https://w3id.org/sssom/",
    iris.SH,
)
_TITLES: Final = {
    "en": "guigu: a knowledge graph of classical divination doctrine",
    "ko": "귀곡: 고전 점술 교의의 지식 그래프",
    "zh-hant": "鬼谷：術數經義之知識圖",
}
_ABOUT: Final = (
    "What two classical Chinese books of divination say, clause by clause, as an OWL 2 RL ontology: conditions, conclusions, tables and kinship, "
    "each with the characters that it quotes and their Korean translation."
)
EXAMPLES: Final = (iris.clause("yy-taichan-013"), iris.clause("qm-taichan-017"), iris.symbol("aspect", "midwife"), iris.ns("Clause"))

Statement = tuple[str, str, str | Literal]


def _text(text: str, language: str | None = None) -> Literal:
    return Literal(text, language, iris.RDF + "langString" if language else iris.XSD + "string")


def _number(value: int) -> Literal:
    return Literal(str(value), None, iris.XSD + "integer")


def described(dataset: Dataset, files: Iterable["File"]) -> Iterator["File"]:
    """The descriptions as files: `void.ttl`, `dcat.ttl`, `prov.ttl`, `dataset.jsonld`."""
    from kg.release import File, turtle

    found = list(files)
    counted = counts(dataset)
    for name, statements in (("void", void(dataset, counted, found)), ("dcat", dcat(found)), ("prov", prov(dataset))):
        yield File(f"{name}.ttl", turtle(triple(*s) for s in statements), "text/turtle")
    yield File("dataset.jsonld", json.dumps(schema_org(found), ensure_ascii=False, indent=2, sort_keys=True).encode() + b"\n", "application/ld+json")


def counts(dataset: Dataset) -> dict[str, Counter[str]]:
    """What VoID counts in the union of the graphs: `class` to instances, `predicate` to triples, and `all` of `triples`, `subjects`, `objects`."""
    triples = {q.triple for q in dataset.quads()}
    subjects = {str(t.subject) for t in triples}
    objects = {str(t.object) for t in triples}
    classes: Counter[str] = Counter()
    predicates: Counter[str] = Counter()
    for t in triples:
        predicates[t.predicate.value] += 1
        if t.predicate.value == iris.TYPE and isinstance(t.object, ox.NamedNode):
            classes[t.object.value] += 1
    entities = {str(t.subject) for t in triples if isinstance(t.subject, ox.NamedNode) and t.subject.value.startswith(iris.BASE)}
    every = Counter({"triples": len(triples), "subjects": len(subjects), "objects": len(objects), "entities": len(entities)})
    return {"class": classes, "predicate": predicates, "all": every}


def void(dataset: Dataset, counted: dict[str, Counter[str]], files: Iterable["File"]) -> Iterator[Statement]:
    """VoID: sizes, partitions, vocabularies, dumps; and the named graphs as subsets, each with its licence."""
    me = iris.release(VERSION, "dataset")
    yield me, iris.TYPE, iris.VOID + "Dataset"
    for language, title in _TITLES.items():
        yield me, iris.DCTERMS + "title", _text(title, language)
    yield me, iris.DCTERMS + "description", _text(_ABOUT, "en")
    yield me, iris.DCTERMS + "rights", _text(RIGHTS, "en")
    yield me, iris.VOID + "uriSpace", _text(iris.BASE)
    for name, prop in (("triples", "triples"), ("subjects", "distinctSubjects"), ("objects", "distinctObjects"), ("entities", "entities")):
        yield me, iris.VOID + prop, _number(counted["all"][name])
    yield me, iris.VOID + "classes", _number(len(counted["class"]))
    yield me, iris.VOID + "properties", _number(len(counted["predicate"]))
    for vocabulary in _VOCABULARIES:
        yield me, iris.VOID + "vocabulary", vocabulary
    for example in EXAMPLES:
        yield me, iris.VOID + "exampleResource", example
    for file in files:
        if file.graph == "*":
            yield me, iris.VOID + "dataDump", iris.release(VERSION, file.path)
    for part in CATALOGUE:
        if part.key not in dataset.graphs:
            continue
        yield me, iris.VOID + "subset", part.iri
        yield part.iri, iris.TYPE, iris.VOID + "Dataset"
        for language, title in zip(("en", "ko", "zh-hant"), part.title, strict=True):
            yield part.iri, iris.DCTERMS + "title", _text(title, language)
        yield part.iri, iris.DCTERMS + "description", _text(part.description, "en")
        yield part.iri, iris.DCTERMS + "rights", _text(part.rights, "en")
        if part.licence:
            yield part.iri, iris.DCTERMS + "license", part.licence
        yield part.iri, iris.VOID + "triples", _number(len(dataset.graphs[part.key]))
    for kind, prop, of, number in (("class", "classPartition", "class", "entities"), ("predicate", "propertyPartition", "property", "triples")):
        for iri, count in sorted(counted[kind].items()):
            partition = iris.release(VERSION, f"{kind}/{hashlib.sha256(iri.encode()).hexdigest()[:12]}")
            yield me, iris.VOID + prop, partition
            yield partition, iris.VOID + of, iri
            yield partition, iris.VOID + number, _number(count)


def dcat(files: Iterable["File"]) -> Iterator[Statement]:
    """DCAT 3: the dataset in its series, and each file as a distribution with its size and checksum."""
    series, me = iris.BASE + "release", iris.release(VERSION, "dataset")
    yield series, iris.TYPE, DCAT + "DatasetSeries"
    yield series, iris.DCTERMS + "title", _text("guigu", "en")
    yield me, iris.TYPE, DCAT + "Dataset"
    yield me, DCAT + "inSeries", series
    yield me, DCAT + "version", _text(VERSION)
    yield me, iris.DCTERMS + "identifier", _text(iris.release(VERSION))
    yield me, iris.DCTERMS + "creator", iris.BASE + "project"
    yield me, iris.DCTERMS + "publisher", iris.BASE + "project"
    yield iris.BASE + "project", iris.TYPE, FOAF + "Agent"
    yield iris.BASE + "project", FOAF + "name", _text("The guigu project")
    for language, title in _TITLES.items():
        yield me, iris.DCTERMS + "title", _text(title, language)
    yield me, iris.DCTERMS + "description", _text(_ABOUT, "en")
    yield me, iris.DCTERMS + "rights", _text(RIGHTS, "en")
    for language in ("lzh", "ko", "en"):
        yield me, iris.DCTERMS + "language", f"http://id.loc.gov/vocabulary/iso639-2/{ {'lzh': 'chi', 'ko': 'kor', 'en': 'eng'}[language] }"
    for keyword in ("divination", "六爻", "奇門遁甲", "OWL 2 RL", "易隱"):
        yield me, DCAT + "keyword", _text(keyword)
    for file in files:
        node = iris.release(VERSION, file.path)
        yield me, DCAT + "distribution", node
        yield node, iris.TYPE, DCAT + "Distribution"
        yield node, iris.DCTERMS + "title", _text(file.path)
        yield node, DCAT + "downloadURL", node
        yield node, DCAT + "mediaType", _MEDIA + file.media
        if file.path.endswith(".gz"):
            yield node, DCAT + "compressFormat", _MEDIA + "application/gzip"
        yield node, DCAT + "byteSize", Literal(str(len(file.data)), None, iris.XSD + "nonNegativeInteger")
        yield node, SPDX + "checksum", f"{node}#checksum"
        yield f"{node}#checksum", iris.TYPE, SPDX + "Checksum"
        yield f"{node}#checksum", SPDX + "algorithm", SPDX + "checksumAlgorithm_sha256"
        yield f"{node}#checksum", SPDX + "checksumValue", Literal(hashlib.sha256(file.data).hexdigest(), None, iris.XSD + "hexBinary")
        part = next((p for p in CATALOGUE if p.key == file.graph), None)
        if part and part.licence:
            yield node, iris.DCTERMS + "license", part.licence
        elif part:
            yield node, iris.DCTERMS + "rights", _text(part.rights, "en")


def prov(dataset: Dataset) -> Iterator[Statement]:
    """PROV-O: the build that made the graphs, the sources that it used, each with its hash, and the software."""
    build, software = iris.release(VERSION, "build"), iris.release(VERSION, "software")
    yield build, iris.TYPE, iris.PROV + "Activity"
    yield build, iris.RDFS + "label", _text(f"build of guigu {VERSION}", "en")
    yield build, iris.PROV + "wasAssociatedWith", software
    yield software, iris.TYPE, iris.PROV + "SoftwareAgent"
    yield software, iris.RDFS + "label", _text(f"guigu {VERSION}")
    yield software, iris.PROV + "actedOnBehalfOf", iris.BASE + "project"
    yield iris.BASE + "project", iris.TYPE, iris.PROV + "Organization"
    for name in ("ontology", "queries"):
        root = folder(name)
        for path in sorted(p for p in root.rglob("*") if p.is_file()):
            source = iris.release(VERSION, f"source/{name}/{path.relative_to(root).as_posix()}")
            yield build, iris.PROV + "used", source
            yield source, iris.TYPE, iris.PROV + "Entity"
            yield source, SPDX + "checksum", f"{source}#checksum"
            yield f"{source}#checksum", iris.TYPE, SPDX + "Checksum"
            yield f"{source}#checksum", SPDX + "algorithm", SPDX + "checksumAlgorithm_sha256"
            yield f"{source}#checksum", SPDX + "checksumValue", Literal(hashlib.sha256(path.read_bytes()).hexdigest(), None, iris.XSD + "hexBinary")
    for part in CATALOGUE:
        if part.key not in dataset.graphs:
            continue
        yield part.iri, iris.TYPE, iris.PROV + "Entity"
        yield part.iri, iris.PROV + "wasGeneratedBy", build
    for key in ("axioms", "closure", "anchors"):
        yield iris.graph(key), iris.PROV + "wasDerivedFrom", iris.graph("clauses")
    for key in ("text", "translation"):
        for work in ("yiyin", "qimen-miji"):
            yield iris.graph(key), iris.PROV + "hadPrimarySource", iris.symbol("work", work)


def schema_org(files: Iterable["File"]) -> dict[str, Any]:
    """The dataset for search engines, as schema.org JSON-LD."""
    return {
        "@context": "https://schema.org/",
        "@id": iris.release(VERSION, "dataset"),
        "@type": "Dataset",
        "name": list(_TITLES.values()),
        "description": _ABOUT,
        "version": VERSION,
        "copyrightNotice": RIGHTS,
        "hasPart": [
            {"@type": "Dataset", "@id": part.iri, "name": list(part.title), "description": part.description, "copyrightNotice": part.rights}
            | ({"license": part.licence} if part.licence else {})
            for part in CATALOGUE
        ],
        "creator": {"@type": "Organization", "name": "The guigu project"},
        "inLanguage": ["lzh", "ko", "en"],
        "keywords": ["divination", "六爻", "奇門遁甲", "易隱", "OWL 2 RL", "linked data"],
        "distribution": [
            {
                "@type": "DataDownload",
                "contentUrl": iris.release(VERSION, file.path),
                "encodingFormat": file.media,
                "contentSize": f"{len(file.data)} B",
                "sha256": hashlib.sha256(file.data).hexdigest(),
            }
            for file in files
        ],
    }
