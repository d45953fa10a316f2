"""Random casts that can occur, for comparing engines and searching cases: the same seed gives the same casts."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from typing import Final

from kg.asking import EXCLUSIVE, roles_of, topics
from kg.topics import questions_of
from loader import iris
from loader.calendar import BEIJING
from loader.cast import AnyGiven
from loader.kinship import ASKS, SELF, relatives
from loader.liuyao import Given
from loader.names import TRADITIONS
from loader.ontology import ontology
from loader.qimen import QimenGiven
from loader.qimen_given import QimenTyped, qimen_given
from loader.tables import choose

KINDRED: Final = frozenset({"kin", "ancestors", "parents", "brothers"})
"""Topics that ask about a relative."""
LIFE: Final = frozenset({"fate", "year-fortune"})
"""Topics that ask about a stage of a life."""


@cache
def _labels(term: str) -> tuple[str, ...]:
    o = ontology()
    return tuple(o.label(s) for s in o.ordered(term))


def _stem(branch: str, of: str, first: str) -> str:
    """The pair of a month or hour: its stem follows from that of the year (五虎遁, from 寅) or of the day (五鼠遁, from 子)."""
    stems, branches = _labels("Stem"), _labels("Branch")
    # Years of 甲 and 己 begin with 丙寅, days of 甲 and 己 with 甲子; each next pair of stems two further on.
    start = stems.index(of) % 5 * 2 + {"寅": 2, "子": 0}[first]
    return stems[(start + (branches.index(branch) - branches.index(first)) % 12) % 10] + branch


def moment(year: str, month: str, day: str, hour: str) -> dict[str, str]:
    """Four pillars that can meet: of year and day the pair is given, of month and hour the branch.

    >>> moment("癸酉", "丑", "丁丑", "亥")
    {'year': '癸酉', 'month': '乙丑', 'day': '丁丑', 'hour': '辛亥'}
    """
    return {"year": year, "month": _stem(month, year[0], "寅"), "day": day, "hour": _stem(hour, day[0], "子")}


def can_meet(pillars: Mapping[str, str]) -> bool:
    """Whether four pillars can be those of one moment."""
    return dict(pillars) == moment(pillars["year"], pillars["month"][1], pillars["day"], pillars["hour"][1])


def term_in(rng: random.Random, month: str) -> str:
    """One of the two solar terms of a month: 寅 has 立春 and 雨水."""
    return _labels("SolarTerm")[(_labels("Branch").index(month[1]) - 2) % 12 * 2 + rng.randrange(2)]


@cache
def _asks(topic: str) -> tuple[str, ...]:
    # Inner or outer kin, who asks whom and the relative's own question follow from the relative.
    o = ontology()
    derived = {"inner-kin", "outer-kin", *ASKS.values(), *(iris.key(q) for q in o.of_type("Question") if o.iris(q, iris.ns("ofRelative")))}
    return tuple(q for q in questions_of(topic) if q not in derived)


def random_cast(rng: random.Random, topic: str) -> Given:
    """A cast on a topic with everything that narrows it: questions, a role, a relative, an age, a birth year."""
    pairs, branches = _labels("Pair"), _labels("Branch")
    pillars = moment(rng.choice(pairs), rng.choice(branches), rng.choice(pairs), rng.choice(branches))
    asks = tuple(q for q in _asks(topic) if rng.random() < 0.5)
    for both, _ in EXCLUSIVE:
        if set(both) <= set(asks):
            dropped = rng.choice(both)
            asks = tuple(q for q in asks if q != dropped)
    relative = rng.choice(relatives()) if topic in KINDRED else SELF
    if relative != SELF and rng.random() < 0.3:
        asks += (rng.choice(tuple(ASKS.values())),)
    roles = tuple(roles_of(topic))
    return Given(
        tuple(rng.choice((6, 7, 8, 9)) for _ in range(6)),
        pillars,
        (topic,),
        asks,
        birth_branch=rng.choice(branches) if topic in LIFE else None,
        relative=None if relative == SELF else iris.key(relative),
        role=rng.choice(roles) if roles else None,
        age=rng.randrange(1, 90) if topic in LIFE else None,
        term=term_in(rng, pillars["month"]),
        conventions=choose({}),
    )


def random_moment(rng: random.Random) -> datetime:
    """A random hour between 1950 and 2049, in China."""
    return datetime(1950, 1, 1, tzinfo=BEIJING) + timedelta(hours=rng.randrange(100 * 8766))


def random_typed_hour(rng: random.Random, topic: str) -> QimenTyped:
    """A random hour between 1950 and 2049 as a user would type it, with everything that narrows the question."""
    at = random_moment(rng)
    asks = _asks(topic)
    pairs, mountains = _labels("Pair"), _labels("Mountain")
    return QimenTyped(
        at=at.isoformat(),
        asks=(rng.choice(asks),) if asks and rng.random() < 0.6 else (),
        birth=rng.choice(pairs) if rng.random() < 0.5 else None,
        man=rng.choice(pairs) if topic == "marriage" else None,
        woman=rng.choice(pairs) if topic == "marriage" else None,
        mountain=rng.choice(mountains) if topic == "burial" else None,
        crop=rng.choice(_labels("Stem")) if topic == "farming" and rng.random() < 0.7 else None,
    )


def random_hour(rng: random.Random, topic: str) -> QimenGiven:
    """The chart of a random hour between 1950 and 2049, with everything that narrows the question."""
    return qimen_given(random_typed_hour(rng, topic), (topic,))[0]


def sample(count: int, seed: int = 1, topic: str | None = None, tradition: str | None = None) -> Iterator[AnyGiven]:
    """Random casts on a topic, or on each topic of each tradition in turn; of some hexagrams the year, the hour or the term is not known."""
    rng = random.Random(seed)  # noqa: S311  # samples for a test, not secrets
    every = [(t, one) for t in ([tradition] if tradition else TRADITIONS) for one in topics(t) if topic in (None, one)]
    for number in range(count):
        by, asked = every[number % len(every)]
        if by == "qimen":
            yield random_hour(rng, asked)
            continue
        cast = random_cast(rng, asked)
        known = {u: p for u, p in cast.pillars.items() if u in ("month", "day") or rng.random() < 0.7}
        yield replace(cast, pillars=known, term=cast.term if rng.random() < 0.7 else None)
