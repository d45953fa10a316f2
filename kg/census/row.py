"""What a census found as rows, each with a cast that anyone can open: the form in which it goes to Parquet, RDF and pages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kg.census.accord import WAYS
from kg.census.census import Census
from kg.census.effect import Effect, space_of
from kg.census.relation import Relation
from kg.census.space import Options, Space, command
from kg.census.tally import SHARES
from kg.typed import read
from loader.chapter import clauses


@dataclass(frozen=True, slots=True)
class Witness:
    """A cast that shows something; empty where there is none.

    Attributes:
        command: the command that opens it: `guigu cast ...` or `guigu qimen ...`.
        cast: its IRI.
    """

    command: str
    cast: str


@dataclass(frozen=True, slots=True)
class ClauseRow:
    """How often a clause holds in a space.

    Attributes:
        space: key of the space.
        topic: the topic.
        clause: id of the clause.
        casts: casts of the space.
        fires: on how many of them it fires.
        stands: on how many no other clause overrides it.
        dead: why it can never fire, where the text is known to leave no way.
        witness: the command of the first cast on which it fires, and the IRI of the cast in `witness_cast`; empty where there is none.
        stands_witness: the command of the first on which it stands.
    """

    space: str
    topic: str
    clause: str
    casts: int
    fires: int
    stands: int
    dead: str
    witness: str
    witness_cast: str
    stands_witness: str


@dataclass(frozen=True, slots=True)
class PairRow:
    """How two clauses are related in a space; see `kg.census.relation.Relation`."""

    space: str
    topic: str
    kind: str
    a: str
    b: str
    about: str
    casts: int
    witness: str
    witness_cast: str
    apart_witness: str


@dataclass(frozen=True, slots=True)
class AspectRow:
    """On how many casts of a space the standing verdicts on an aspect are none, one, several that agree, or some that disagree."""

    space: str
    topic: str
    about: str
    casts: int
    silent: int
    single: int
    agreeing: int
    conflicting: int


@dataclass(frozen=True, slots=True)
class EffectRow:
    """What an option of a convention changes of the verdicts on casts drawn at random; see `kg.census.effect.Effect`."""

    tradition: str
    convention: str
    option: str
    casts: int
    changed: int
    verdicts: int
    gained: int
    lost: int


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """What an option changes of one clause, with the command of the first cast on which it does."""

    tradition: str
    convention: str
    option: str
    clause: str
    gained: int
    lost: int
    witness: str


@dataclass(frozen=True, slots=True)
class AccordRow:
    """How six lines and hour chart speak of an aspect over every cast in every double hour of a year; see `kg.census.accord.WAYS`."""

    topic: str
    year: int
    about: str
    silent: int
    lines: int
    hour: int
    agree: int
    part: int
    other: int


Row = ClauseRow | PairRow | AspectRow | EffectRow | ChangeRow | AccordRow


def witness(space: Space, topic: str, number: int) -> Witness:
    """A cast of a space; nothing for the number -1."""
    if number < 0:
        return Witness("", "")
    options = space.options(topic, number)
    return Witness(_opening(space, options), read(options, space.tradition)[0].iri)


def _command(space: Space, topic: str, number: int) -> str:
    return _opening(space, space.options(topic, number)) if number >= 0 else ""


def _opening(space: Space, options: Options) -> str:
    return f"guigu {'cast' if space.tradition == 'liuyao' else 'qimen'} {command(options)}"


def clause_rows(census: Census) -> Iterator[ClauseRow]:
    """Every clause that may fire, in every space of its tradition."""
    for (key, topic), tally in census.tallies.items():
        space = census.space(key)
        for n, clause in enumerate(tally.clauses):
            shown = witness(space, topic, int(tally.first[n]))
            yield ClauseRow(
                key,
                topic,
                clause,
                tally.casts,
                int(tally.fires[n, n]),
                int(tally.stands[n, n]),
                clauses()[clause].dead or "",
                shown.command,
                shown.cast,
                _command(space, topic, int(tally.first_stands[n])),
            )


def pair_rows(census: Census, related: Sequence[Relation]) -> Iterator[PairRow]:
    """Every relation."""
    for r in related:
        space = census.space(r.space)
        shown = witness(space, r.topic, r.together)
        apart = _command(space, r.topic, r.apart)
        yield PairRow(r.space, r.topic, r.kind, r.a, r.b, r.about or "", r.casts, shown.command, shown.cast, apart)


def aspect_rows(census: Census) -> Iterator[AspectRow]:
    """Every aspect of every topic in every space."""
    for (key, topic), tally in census.tallies.items():
        for about, counts in zip(tally.aspects, tally.shares.tolist(), strict=True):
            yield AspectRow(key, topic, about, tally.casts, **dict(zip(SHARES, counts, strict=True)))


def effect_rows(effects: Sequence[Effect]) -> Iterator[EffectRow]:
    """Every option."""
    for e in effects:
        yield EffectRow(e.tradition, e.convention, e.option, e.casts, e.changed, e.verdicts, e.gained, e.lost)


def change_rows(effects: Sequence[Effect]) -> Iterator[ChangeRow]:
    """Every clause that an option changes."""
    for e in effects:
        space = space_of(e.trial)
        for c in e.changes:
            yield ChangeRow(e.tradition, e.convention, e.option, c.clause, c.gained, c.lost, _command(space, clauses()[c.clause].topic, c.number))


def accord_rows(topic: str, year: int, found: dict[str, dict[str, int]]) -> Iterator[AccordRow]:
    """Every aspect of which both traditions speak."""
    for about, ways in found.items():
        yield AccordRow(topic, year, about, *(ways[way] for way in WAYS))
