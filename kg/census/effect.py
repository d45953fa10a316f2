"""What another school's convention, or another reading of the text, changes in the verdicts on casts drawn at random."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from kg.asking import topics
from kg.bulk import Fires
from kg.bulk.machine import unpacked
from kg.census.census import Crew, worked
from kg.census.space import Asked, AskedHours, Chosen
from loader import iris
from loader.iris import ns
from loader.names import TRADITIONS
from loader.ontology import ontology
from loader.tables import conventions

CASTS: Final = 512
"""Casts of each topic on which an option is tried."""
UNTOLD: Final = "solar-time"
"""The convention that hangs on a longitude, which the casts do not have."""


@dataclass(frozen=True, slots=True)
class Change:
    """What an option changes of one clause.

    Attributes:
        clause: its id.
        gained: on how many casts it fires under the option and not by default.
        lost: the other way.
        number: the first cast of its topic on which it does one and not the other.
    """

    clause: str
    gained: int
    lost: int
    number: int


@dataclass(frozen=True, slots=True)
class Effect:
    """What an option of a convention changes.

    Attributes:
        tradition: `liuyao` or `qimen`.
        convention: name of the convention.
        option: an option other than the default.
        casts: how many casts were judged both ways, the same number on each topic.
        changed: on how many another set of clauses fires.
        verdicts: how many verdicts there are by default on all the casts.
        changes: the clauses that change, in the order of the books.
    """

    tradition: str
    convention: str
    option: str
    casts: int
    changed: int
    verdicts: int
    changes: tuple[Change, ...]

    @property
    def trial(self) -> "Trial":
        """How it was found."""
        return Trial(self.tradition, self.convention, self.option, self.casts // len(topics(self.tradition)))

    @property
    def gained(self) -> int:
        """How many verdicts are gained."""
        return sum(c.gained for c in self.changes)

    @property
    def lost(self) -> int:
        """How many are lost."""
        return sum(c.lost for c in self.changes)


@dataclass(frozen=True, slots=True)
class Trial:
    """An option to be tried on some casts of each topic."""

    tradition: str
    convention: str
    option: str
    casts: int

    @property
    def name(self) -> str:
        """The name of its file."""
        return f"{self.tradition}-{self.convention}-{self.option.replace(':', '')}.json"


def trials(casts: int, traditions: Sequence[str] = tuple(TRADITIONS)) -> list[Trial]:
    """Every option that is not the default, under each tradition that it may concern."""
    of_hours = {iris.key(s) for path, s, p, o in ontology().statements if path.stem == "conventions-qimen" and o == ns("Convention")}
    return [
        Trial(tradition, name, option.key, casts)
        for tradition in traditions
        for name, options in conventions().items()
        if name != UNTOLD and (tradition == "qimen" or name not in of_hours)
        for option in options
        if not option.is_default
    ]


def space_of(trial: Trial) -> Asked | AskedHours:
    """The casts on which an option is tried, under it."""
    return _asked(trial.tradition, trial.casts, ((trial.convention, trial.option),))


def _asked(tradition: str, casts: int, chosen: Chosen = ()) -> Asked | AskedHours:
    return Asked(casts, chosen) if tradition == "liuyao" else AskedHours(casts, chosen)


@cache
def _before(tradition: str, topic: str, casts: int) -> Fires:
    return _asked(tradition, casts).fires(topic, 0, casts)


def tried(trial: Trial) -> bytes:
    """The effect of an option."""
    changed = verdicts = 0
    changes = []
    for topic in topics(trial.tradition):
        before, after = _before(trial.tradition, topic, trial.casts), space_of(trial).fires(topic, 0, trial.casts)
        verdicts += int(before.counts().sum())
        turned = before.words ^ after.words
        changed += int(np.bitwise_count(np.bitwise_or.reduce(turned, axis=0)).sum()) if len(turned) else 0
        for clause, old, new, row in zip(before.clauses, before.words, after.words, turned, strict=True):
            if row.any():
                gained, lost = (int(np.bitwise_count(words).sum()) for words in (new & ~old, old & ~new))
                changes.append(Change(clause, gained, lost, int(unpacked(row, before.casts).argmax())))
    casts = trial.casts * len(topics(trial.tradition))
    effect = Effect(trial.tradition, trial.convention, trial.option, casts, changed, verdicts, tuple(changes))
    return json.dumps(asdict(effect)).encode()


def effects(wanted: Sequence[Trial], folder: Path, crew: Crew, progress: Callable[[int, int], None] = lambda _done, _all: None) -> Iterator[Effect]:
    """Try options; one that changes nothing has no changes.

    Args:
        wanted: what is tried.
        folder: where the pieces are kept, as of `kg.census.census.take`.
        crew: the workers.
        progress: told the options that are done and all of them.

    Raises:
        InputError: as `take`.
    """
    return map(effect_of, worked(tried, {t.name: t for t in wanted}, wanted, folder, crew, progress))


def effect_of(data: bytes) -> Effect:
    """An effect from what `tried` gave."""
    found = json.loads(data)
    return Effect(**{**found, "changes": tuple(Change(**c) for c in found["changes"])})
