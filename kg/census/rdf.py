"""The rows of a census as RDF: a W3C Data Cube, so that questions can be asked of it beside the doctrine.

Each kind of row is a data set whose structure stands in `ontology/census.ttl`, each row an observation in it. A cast that shows something is
named by its IRI as `g:Witness`, with the command that opens it. It is not called a `g:Cast`, since nothing of it is judged here.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

import pyoxigraph as ox

from kg.casebook import made
from kg.census.relation import EXCLUDES
from kg.census.row import AccordRow, AspectRow, ChangeRow, ClauseRow, EffectRow, PairRow, Row
from kg.dataset import triple
from kg.release import turtle
from kg.store import fingerprint
from kg.version import VERSION
from loader import iris
from loader.chapter import clauses
from loader.clause import READINGS
from loader.errors import InputError, quoted
from loader.iris import ns
from loader.names import TRADITIONS
from loader.ontology import Literal, ontology
from loader.tables import variants

Value = str | int | Literal
"""An IRI, a count, or a text."""
Said = Mapping[str, Value | None]
"""A property of our namespace to what an observation says by it; None is left out."""

_LONGEST: Final = 1_000
"""Characters of a command."""
_CAST: Final = re.compile(re.escape(iris.BASE) + "cast/[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Origin:
    """How a census was taken.

    Attributes:
        reading: the reading of the text.
        conventions: those other than the defaults, for the whole of it, as NAME=KEY.
        version: of guigu.
        fingerprint: of ontology and code, see `kg.store.fingerprint`.
        engine: what judged.
    """

    reading: str = READINGS[0]
    conventions: tuple[str, ...] = ()
    version: str = VERSION
    fingerprint: str = ""
    engine: str = "bulk"

    @classmethod
    def here(cls, reading: str = READINGS[0], conventions: Iterable[str] = ()) -> "Origin":
        """The origin of what this installation counts now."""
        return cls(reading, tuple(conventions), fingerprint=fingerprint())


def written(rows: Iterable[Row], origin: Origin) -> bytes:
    """A census as Turtle; the same rows of the same origin give the same bytes.

    Raises:
        InputError: as `triples`.
    """
    return turtle(iter(triples(rows, origin)))


def triples(rows: Iterable[Row], origin: Origin) -> list[ox.Triple]:
    """A census as triples, in the order of the rows.

    Pairs of clauses that exclude each other are left out: they are many, and most say only that clauses speak of different hexagrams.

    Args:
        rows: of any kinds.
        origin: how they were counted.

    Raises:
        InputError: a row names something that the ontology does not have, or a cast or command that is none; or two are about the same.

    >>> found = triples([AspectRow("days", "childbirth", "midwife", 64, 0, 64, 0, 0)], Origin())
    >>> sorted({iris.key(t.object.value) for t in found if t.predicate.value == iris.TYPE})
    ['cube#DataSet', 'cube#Observation', 'prov#Activity', 'prov#Entity', 'prov#SoftwareAgent']
    """
    kept = [row for row in rows if not (isinstance(row, PairRow) and row.kind == EXCLUDES)]
    digest = hashlib.sha256("\n".join(map(repr, kept)).encode()).hexdigest()
    stated = {"version": origin.version, "fingerprint": origin.fingerprint, "reading": origin.reading, "conventions": list(origin.conventions), "rows": digest}
    me = iris.census(stated)
    observed = [(_DATA_SETS[type(row)], *_observed(row)) for row in kept]
    named = Counter((name, keys) for name, keys, _ in observed)
    if twice := next((keys for keys, times in named.items() if times > 1), None):
        raise InputError(f"two rows are about {quoted(' '.join((twice[0], *twice[1])))}", where="rows of a census", todo="give each census by itself")
    data_sets = dict.fromkeys(name for name, _, _ in observed)
    found = [*_head(me, origin), *(t for name in data_sets for t in _data_set(me, name))]
    for name, keys, said in observed:
        found += _observation(me, name, keys, said)
    return list(dict.fromkeys(found))


_DATA_SETS: Final[Mapping[type[Row], str]] = {
    ClauseRow: "clauses",
    PairRow: "pairs",
    AspectRow: "aspects",
    EffectRow: "conventions",
    ChangeRow: "changes",
    AccordRow: "traditions",
}


def _head(me: str, origin: Origin) -> Iterator[ox.Triple]:
    """What the census is, and how it came about."""
    axioms, counting = iris.graph("axioms"), iris.counted(me, "counting")
    yield triple(me, iris.TYPE, iris.PROV + "Entity")
    yield triple(me, iris.DCTERMS + "identifier", _text(iris.key(me)))
    yield triple(me, ns("countedReading"), _text(origin.reading))
    for convention in origin.conventions:
        yield triple(me, ns("countedConvention"), _text(convention))
    if origin.fingerprint:
        yield triple(me, ns("fingerprint"), _text(origin.fingerprint))
    yield triple(me, iris.PROV + "wasDerivedFrom", axioms)
    yield triple(me, iris.PROV + "wasGeneratedBy", counting)
    yield triple(axioms, iris.TYPE, iris.PROV + "Entity")
    yield from made(counting, (axioms,), origin.engine, origin.version)


def _data_set(me: str, name: str) -> Iterator[ox.Triple]:
    it, structure = iris.counted(me, name), iris.symbol("structure", name)
    yield triple(me, iris.DCTERMS + "hasPart", it)
    yield triple(it, iris.TYPE, iris.QB + "DataSet")
    yield triple(it, iris.QB + "structure", structure)
    for label in ontology().objects(structure, iris.RDFS + "label"):
        yield triple(it, iris.RDFS + "label", label)


def _observation(me: str, name: str, keys: tuple[str, ...], said: Said) -> Iterator[ox.Triple]:
    it = iris.counted(me, name, *keys)
    yield triple(it, iris.TYPE, iris.QB + "Observation")
    yield triple(it, iris.QB + "dataSet", iris.counted(me, name))
    for prop, value in said.items():
        if value is not None:
            yield triple(it, ns(prop), Literal(str(value), None, iris.XSD + "integer") if isinstance(value, int) else value)
    if isinstance(cast := said.get("witness"), str):
        yield triple(cast, iris.TYPE, ns("Witness"))


def _observed(row: Row) -> tuple[tuple[str, ...], Said]:
    """What tells an observation from the others of its data set, for its IRI; and what it says."""
    said: dict[str, Value | None]
    match row:
        case ClauseRow():
            said = {
                "countedClause": _clause(row.clause),
                "countCasts": row.casts,
                "countFires": row.fires,
                "countStands": row.stands,
                "witness": _witness(row.witness_cast),
                "command": _command(row.witness),
                "commandStanding": _command(row.stands_witness),
            }
            return (row.space, row.clause), _where(row.space, row.topic) | said
        case PairRow():
            said = {
                "relationKind": _symbol("relation-kind", row.kind),
                "countedClause": _clause(row.a),
                "otherClause": _clause(row.b),
                "countTogether": row.casts,
                "disagreesOn": _symbol("aspect", row.about) if row.about else None,
                "witness": _witness(row.witness_cast),
                "command": _command(row.witness),
                "commandApart": _command(row.apart_witness),
            }
            return (row.space, row.kind, row.a, row.b), _where(row.space, row.topic) | said
        case AspectRow():
            said = {
                "countedAspect": _symbol("aspect", row.about),
                "countCasts": row.casts,
                "countSilent": row.silent,
                "countSingle": row.single,
                "countAgreeing": row.agreeing,
                "countConflicting": row.conflicting,
            }
            return (row.space, row.topic, row.about), _where(row.space, row.topic) | said
        case EffectRow():
            said = {
                "countCasts": row.casts,
                "countChanged": row.changed,
                "countVerdicts": row.verdicts,
                "countGained": row.gained,
                "countLost": row.lost,
            }
            return _tried_keys(row), _tried(row) | said
        case ChangeRow():
            said = {"countedClause": _clause(row.clause), "countGained": row.gained, "countLost": row.lost, "command": _command(row.witness)}
            return (*_tried_keys(row), row.clause), _tried(row) | said
        case AccordRow():
            said = {
                "countedTopic": _symbol("topic", row.topic),
                "countedYear": row.year,
                "countedAspect": _symbol("aspect", row.about),
                "countSilent": row.silent,
                "countLinesOnly": row.lines,
                "countHourOnly": row.hour,
                "countAgree": row.agree,
                "countPart": row.part,
                "countOther": row.other,
            }
            return (row.topic, str(row.year), row.about), said


def _where(space: str, topic: str) -> dict[str, Value | None]:
    return {"inSpace": _symbol("space", space), "countedTopic": _symbol("topic", topic)}


def _tried(row: EffectRow | ChangeRow) -> dict[str, Value | None]:
    option = _options(row.convention).get(row.option)
    if option is None or row.tradition not in TRADITIONS:
        raise _unknown(f"{row.tradition} {row.convention}={row.option}", "option of a convention")
    return {"countedTradition": ns(row.tradition.capitalize()), "triedConvention": _text(f"{row.convention}={row.option}"), "tries": option}


def _tried_keys(row: EffectRow | ChangeRow) -> tuple[str, ...]:
    return row.tradition, row.convention, row.option.replace(":", "")


@cache
def _options(convention: str) -> Mapping[str, str]:
    """Key of each option of a convention, or of each variant of a table, to its IRI."""
    o = ontology()
    options = {o.text(option, ns("optionKey")) or "": option for option in o.iris(iris.symbol("convention", convention), ns("option"))}
    return options or variants(o).get(convention, {})


@cache
def _symbol(kind: str, key: str) -> str:
    iri = ontology().keyed(key, kind)
    if iri is None:
        raise _unknown(key, kind)
    return iri


def _clause(key: str) -> str:
    if key not in clauses():
        raise _unknown(key, "clause")
    return iris.clause(key)


def _witness(cast: str) -> str | None:
    if cast and not _CAST.fullmatch(cast):
        raise _unknown(cast, "IRI of a cast")
    return cast or None


def _command(command: str) -> Literal | None:
    if command and not (command.startswith("guigu ") and command.isprintable() and len(command) <= _LONGEST):
        raise _unknown(command, "command")
    return _text(command) if command else None


def _text(text: str) -> Literal:
    return Literal(text, None, iris.XSD + "string")


def _unknown(text: str, kind: str) -> InputError:
    return InputError(f"{quoted(text)} is no {kind}", where="row of a census", todo="count it anew with this version")
