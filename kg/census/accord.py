"""Where the two traditions agree or part: every cast of six lines against the hour chart of the same moment, over a year."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from kg.bulk import Casts, Fires, Question, evaluate, six_lines
from kg.bulk.machine import Words, unpacked
from kg.bulk.space import TERM, number
from kg.census.census import Crew, worked
from kg.standing import disagreements
from loader.calendar import BEIJING
from loader.chapter import clauses
from loader.clause import Clause
from loader.liuyao import UNITS
from loader.qimen import QimenGiven
from loader.qimen_given import QimenTyped, qimen_given

TOPIC: Final = "childbirth"
"""The topic of both traditions."""
WAYS: Final = ("silent", "lines", "hour", "agree", "part", "other")
"""Of an aspect: neither speaks; only six lines do; only the hour chart does; they agree; they disagree; they say what cannot be compared."""
_PIECE: Final = 128
"""Hours of a piece."""
_TOGETHER: Final = 16
"""Hours whose casts are judged together."""


@dataclass(frozen=True)
class Year:
    """The double hours of a civil year, in China.

    Attributes:
        year: its number.

    >>> year = Year(2026)
    >>> len(year), year.at(1).isoformat(), year.given(1).pillars["hour"]
    (4380, '2026-01-01T02:00:00+08:00', '丁丑')
    """

    year: int

    def __len__(self) -> int:
        return (datetime(self.year + 1, 1, 1, tzinfo=BEIJING) - datetime(self.year, 1, 1, tzinfo=BEIJING)).days * 12

    def at(self, number: int) -> datetime:
        """The middle of a double hour: 子 from 23:00 to 1:00 has 0:00."""
        return datetime(self.year, 1, 1, tzinfo=BEIJING) + timedelta(hours=2 * number)

    def given(self, number: int, topic: str = TOPIC) -> QimenGiven:
        """The input of the chart of an hour."""
        given, _ = qimen_given(QimenTyped(at=self.at(number).isoformat()), (topic,))
        return given


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some hours of a year, on a topic of both traditions."""

    year: int
    topic: str
    start: int

    @property
    def name(self) -> str:
        """The name of its file."""
        return f"accord-{self.topic}-{self.year}-{self.start:04}.json"


def _says(clause: Clause) -> frozenset[str]:
    """What a clause says of its aspect that another could say too: an outcome, a good or bad omen."""
    omen = clause.omen if clause.omen in ("auspicious", "inauspicious") and not clause.timing else None
    return frozenset(s for s in (clause.value, omen) if s)


@cache
def _met(topic: str) -> Mapping[str, tuple[frozenset[str], frozenset[str]]]:
    """For each clause of the hour chart, the clauses of six lines that disagree with it, and those that say the same of the same aspect."""
    lines, hours = ([c for c in clauses().values() if c.tradition == t and c.topic == topic and c.fires] for t in ("liuyao", "qimen"))
    of_lines = {c.id for c in lines}
    against: dict[str, set[str]] = {c.id: set() for c in hours}
    for clash in disagreements([c.id for c in (*lines, *hours)]):
        for one, other in ((clash.a, clash.b), (clash.b, clash.a)):
            if one in against and other in of_lines:
                against[one].add(other)
    alike = {h.id: frozenset(c.id for c in lines if c.about == h.about and _says(c) & _says(h)) for h in hours}
    return {i: (frozenset(against[i]), alike[i]) for i in against}


def compared(stretch: Stretch) -> bytes:
    """For each aspect how many pairs of cast and hour go which of `WAYS`."""
    hours, found = Year(stretch.year), Counter[tuple[str, str]]()
    stop = min(stretch.start + _PIECE, len(hours))
    given = [hours.given(n, stretch.topic) for n in range(stretch.start, stop)]
    charts = evaluate(given).standing()
    for start in range(0, len(given), _TOGETHER):
        some = given[start : start + _TOGETHER]
        casts = _every_cast(some, stretch.topic).standing()
        for n, words in enumerate(np.split(casts.words, len(some), axis=1), start):
            lines = Fires(casts.clauses, 4096, words)
            for aspect in shared_aspects(stretch.topic):
                for way, held in zip(WAYS, _ways(aspect, charts.of(n), lines, stretch.topic), strict=True):
                    found[aspect, way] += int(np.bitwise_count(held).sum())
    return json.dumps([[aspect, way, casts] for (aspect, way), casts in sorted(found.items())]).encode()


def _every_cast(hours: Sequence[QimenGiven], topic: str) -> Fires:
    """Six lines of every kind cast in each of some hours, hour by hour."""
    time = {u: np.repeat([number(u, h.pillars[u]) for h in hours], 4096) for u in UNITS}
    time[TERM] = np.repeat([number(TERM, h.term) for h in hours], 4096)
    return six_lines(Casts.of(np.tile(np.arange(4096), len(hours)), **time), Question((topic,)))


def _ways(aspect: str, said: frozenset[str], lines: Fires, topic: str) -> tuple[Words, ...]:
    speaks = [i for i in said if clauses()[i].about == aspect]
    mine = _about(lines.clauses, aspect)
    against = frozenset[str]().union(*(_met(topic)[i][0] for i in speaks)) & mine
    alike = frozenset[str]().union(*(_met(topic)[i][1] for i in speaks))
    every = _any(lines, mine)
    none = np.zeros_like(every)
    if not speaks:
        return ~every, every, none, none, none, none
    part = _any(lines, against)
    agree = _any(lines, alike) & ~part
    return none, none, ~every, agree, part, every & ~part & ~agree


@cache
def _about(ids: tuple[str, ...], aspect: str) -> frozenset[str]:
    return frozenset(i for i in ids if clauses()[i].about == aspect)


def way_of(aspect: str, said: frozenset[str], hour: QimenGiven, topic: str, pair: int) -> str:
    """Which of `WAYS` one cast goes on an aspect.

    Args:
        aspect: the aspect.
        said: the clauses that stand on the hour chart.
        hour: the input of the hour chart.
        topic: the topic.
        pair: the pair of hexagrams of the cast, see `kg.bulk.space.HEXAGRAMS`.
    """
    words = _ways(aspect, said, _every_cast([hour], topic).standing(), topic)
    return next(way for way, row in zip(WAYS, words, strict=True) if unpacked(row, 4096)[pair])


def _any(fires: Fires, ids: frozenset[str]) -> Words:
    found: Words = np.bitwise_or.reduce(fires.words[[n for n, i in enumerate(fires.clauses) if i in ids]], axis=0)
    return found


@cache
def shared_aspects(topic: str) -> tuple[str, ...]:
    """The aspects of a topic of which clauses of both traditions speak, in the order of the books.

    >>> shared_aspects("childbirth")[:3]
    ('mother', 'fetus', 'miscarriage')
    """
    lines, hours = ({c.about: None for c in clauses().values() if c.tradition == t and c.topic == topic and c.fires} for t in ("liuyao", "qimen"))
    return tuple(about for about in lines if about and about in hours)


def accord(topic: str, year: int, folder: Path, crew: Crew, progress: Callable[[int, int], None] = lambda _done, _all: None) -> dict[str, dict[str, int]]:
    """Compare the two traditions on a topic over a year.

    Returns:
        Aspect to each of `WAYS` to the number of casts; every pair of hexagrams counts in every double hour.

    Raises:
        InputError: as `kg.census.census.take`.
    """
    pieces = {s.name: s for s in (Stretch(year, topic, start) for start in range(0, len(Year(year)), _PIECE))}
    found = {aspect: dict.fromkeys(WAYS, 0) for aspect in shared_aspects(topic)}
    for data in worked(compared, pieces, (topic, year), folder, crew, progress):
        for aspect, way, casts in json.loads(data):
            found[aspect][way] += casts
    return found
