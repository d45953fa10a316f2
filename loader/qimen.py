"""The 奇門 hour chart: nine palaces with their stems, stars, doors and spirits, from the pillars of an hour and a 局.

Python lays the plates; what they mean stands in the ontology. Palaces are numbered by the 洛書: 坎1 坤2 震3 巽4 中5 乾6 兌7 艮8 離9.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Final, Literal

from loader import iris
from loader.errors import InputError
from loader.iris import ns, symbol
from loader.liuyao import PILLAR_CLASS, UNITS, mid_term_of, named, season_term_of
from loader.ontology import ontology
from loader.tables import Tables

PALACES: Final = range(1, 10)
CENTRE: Final = 5
CHIEF: Final = symbol("deity", "chief")


@dataclass(frozen=True, slots=True)
class Ju:
    """The 局 of a chart.

    Attributes:
        yang: 陽遁, from 冬至 to 夏至; else 陰遁.
        number: 1 to 9, the palace in which 戊 lies on the earth plate.
        term: Chinese name of the solar term whose row of the table it is; None where the 局 was given directly.
        yuan: 1 upper, 2 middle, 3 lower (上元 中元 下元); None where the 局 was given directly.
        method: `chaibu`, `zhirun`, `maoshan` or `given`.
    """

    yang: bool
    number: int
    term: str | None
    yuan: int | None
    method: str


@dataclass(frozen=True, slots=True)
class Person:
    """A person of the question: `man`, `woman` or `person` with the pair of the birth year, and the pair of the year of age (行年) if known."""

    who: Literal["man", "woman", "person"]
    birth: str
    year_of_age: str | None = None


@dataclass(frozen=True)
class QimenGiven:
    """What an hour chart is made from; equal input makes the same chart.

    Attributes:
        pillars: unit to a pair such as `己巳`; day and hour are always there.
        ju: the 局.
        topics: ids of the topics asked about.
        asks: keys of questions that narrow the topic.
        persons: those whose years were given.
        mountain: the sitting mountain (坐山) of a grave, or None.
        crop: the stem of the crop asked about (主干), or None.
        term: Chinese name of the solar term in force, or None.
        term_changes: whether the hour holds the change of a solar term; None where the moment is not known.
        at: the civil moment as it was given, or None.
        conventions: all conventions with their options.
    """

    pillars: Mapping[str, str]
    ju: Ju
    topics: tuple[str, ...]
    asks: tuple[str, ...] = ()
    persons: tuple[Person, ...] = ()
    mountain: str | None = None
    crop: str | None = None
    term: str | None = None
    term_changes: bool | None = None
    at: str | None = None
    conventions: Mapping[str, str] = field(default_factory=dict)

    def as_input(self) -> dict[str, object]:
        """The input as plain data, for the hash and for the record."""
        return {
            "method": "qimen",
            "pillars": {u: self.pillars[u] for u in UNITS if u in self.pillars},
            "ju": [self.ju.yang, self.ju.number, self.ju.term, self.ju.yuan, self.ju.method],
            "topics": list(self.topics),
            "asks": list(self.asks),
            "persons": [[p.who, p.birth, p.year_of_age] for p in self.persons],
            "mountain": self.mountain,
            "crop": self.crop,
            "term": self.term,
            "term_changes": self.term_changes,
            "at": self.at,
        }

    @property
    def iri(self) -> str:
        """IRI of the chart."""
        return iris.cast({**self.as_input(), "conventions": dict(self.conventions)})


@dataclass(frozen=True, slots=True)
class Palace:
    """A palace (宮); symbols by IRI, tuples empty where nothing stands there.

    Attributes:
        number: 1 to 9.
        trigram: None in the centre.
        branches: 坎 子, 艮 丑寅, ...; none in the centre.
        earth: stem of the earth plate.
        heaven: stems of the heaven plate: one, in a rotating plate two with the lodged one, in its centre none.
        stars: as `heaven`.
        door: None in the centre of a rotating plate.
        deity: spirit of the heaven plate.
        earth_deity: spirit of the earth plate; a rotating chart has none.
    """

    iri: str
    number: int
    trigram: str | None
    element: str
    branches: tuple[str, ...]
    earth: str
    heaven: tuple[str, ...]
    stars: tuple[str, ...]
    door: str | None
    deity: str | None
    earth_deity: str | None


@dataclass(frozen=True, slots=True)
class Plate:
    """A symbol as it stands: `kind` is `stem`, `star`, `door`, `deity`, `jia`, `day-stem` or `hour-stem`; `branches` those that it has."""

    iri: str
    kind: str
    symbol: str
    palace: int
    element: str
    branches: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HourPillar:
    """A pillar of the moment, its 納音 (`day-nayin`), the product of day and hour stem (`transformed`), or a year of a person (`man-birth`)."""

    iri: str
    unit: str
    pair: str | None
    stem: str | None
    branch: str | None
    element: str

    @property
    def natal(self) -> bool:
        """Whether it belongs to a person."""
        return self.unit.endswith(("-birth", "-age"))


@dataclass(frozen=True)
class QimenChart:
    """A complete hour chart.

    >>> from loader.tables import choose
    >>> ju = Ju(True, 8, "穀雨", 3, "chaibu")
    >>> given = QimenGiven({"year": "甲辰", "month": "戊辰", "day": "己未", "hour": "己巳"}, ju, ("childbirth",), conventions=choose({}))
    >>> chart = QimenChart(given)
    >>> [ontology().label(x) for x in (chart.head, chart.palaces[8].stars[0], chart.palaces[3].door)]
    ['甲子', '天任', '生門']
    """

    given: QimenGiven

    @cached_property
    def iri(self) -> str:
        """IRI of the chart."""
        return self.given.iri

    @cached_property
    def tables(self) -> Tables:
        """The tables under the conventions of the chart."""
        return Tables(self.given.conventions)

    @cached_property
    def flying(self) -> bool:
        """飛盤 by translation, else 轉盤."""
        return self.given.conventions.get("plate", "flying") == "flying"

    @property
    def ju(self) -> Ju:
        """Its 局."""
        return self.given.ju

    # -- the pillars -----------------------------------------------------------------------------------------------------

    def pair(self, unit: str) -> str:
        """IRI of the pair of a known pillar."""
        text = self.given.pillars[unit]
        found = named("Pair").get(text)
        if found is None:
            raise InputError(f"{text!r} is no pillar", where=unit, todo="give a pair such as 戊辰")
        return found

    @cached_property
    def day_stem(self) -> str:
        """Stem of the day."""
        return ontology().one(self.pair("day"), ns("stem"))

    @cached_property
    def hour_stem(self) -> str:
        """Stem of the hour."""
        return ontology().one(self.pair("hour"), ns("stem"))

    @cached_property
    def head(self) -> str:
        """旬首: the 甲 pair that heads the ten hours to which the hour belongs."""
        return ontology().one(self.pair("hour"), ns("decade"))

    @cached_property
    def instrument(self) -> str:
        """儀: the stem under which that 甲 hides."""
        return self.tables.get("qimen-instrument").iri_of(self.head)

    def instrument_of(self, pair: str) -> str:
        """The stem by which a pair stands on the plate: its own, or for 甲 the one under which it hides."""
        stem = ontology().one(pair, ns("stem"))
        return stem if stem != symbol("stem", "jia") else self.tables.get("qimen-instrument").iri_of(ontology().one(pair, ns("decade")))

    @cached_property
    def steps(self) -> int:
        """Hours from the head of the decade to this one, 0 to 9."""
        o = ontology()
        return o.number(self.pair("hour"), ns("order")) - o.number(self.head, ns("order"))

    # -- the plates ------------------------------------------------------------------------------------------------------

    def _order(self, key: str) -> tuple[str, ...]:
        table = self.tables.get(key)
        return tuple(table.iri_of(i) for i in sorted(int(row) for row, _ in table.cells))

    @cached_property
    def _sign(self) -> int:
        return 1 if self.ju.yang else -1

    @cached_property
    def earth(self) -> dict[int, str]:
        """Palace to the stem of the earth plate."""
        return {_wrap(self.ju.number + self._sign * k): stem for k, stem in enumerate(self._order("qimen-order"))}

    @cached_property
    def origin(self) -> int:
        """起元宮: home palace of the star on duty, where the 儀 of the 旬首 lies on the earth plate."""
        return next(p for p, stem in self.earth.items() if stem == self.instrument)

    @cached_property
    def arrival(self) -> int:
        """飛至宮: the palace of the hour stem on the earth plate, to which the star on duty goes; never the centre of a rotating plate."""
        found = next(p for p, stem in self.earth.items() if stem == self.instrument_of(self.pair("hour")))
        return found if self.flying else self.lodged(found)

    @cached_property
    def door_arrival(self) -> int:
        """The palace to which the door on duty walks, one palace an hour."""
        found = _wrap(self.origin + self._sign * self.steps)
        return found if self.flying else self.lodged(found)

    def lodged(self, palace: int) -> int:
        """The palace itself; for the centre the one in which it lodges (寄宮)."""
        if palace != CENTRE:
            return palace
        table = self.tables.get("qimen-lodge")
        # The variant that lodges by the half of the year has a column for it.
        return table.place(CENTRE, symbol("polarity", "yang" if self.ju.yang else "yin") if (CENTRE, None) not in table.cells else None)

    @cached_property
    def _ring(self) -> tuple[int, ...]:
        table = self.tables.get("qimen-ring")
        return tuple(table.place(i) for i in sorted(int(row) for row, _ in table.cells))

    def _moved(self, home: int, origin: int, arrival: int) -> int:
        """Where what is at home in a palace stands, when what belongs to `origin` stands in `arrival`."""
        if self.flying:
            return _wrap(home + arrival - origin)
        ring = self._ring
        shift = ring.index(arrival) - ring.index(self.lodged(origin))
        return ring[(ring.index(self.lodged(home)) + shift) % 8]

    @cached_property
    def star_on_duty(self) -> str:
        """值符."""
        return _home("NineStar")[self.origin]

    @cached_property
    def door_on_duty(self) -> str:
        """值使; of the centre the door 中 of a flying plate, in a rotating one that of the palace in which the centre lodges."""
        return _home("Door")[self.origin if self.flying else self.lodged(self.origin)]

    @cached_property
    def _deities(self) -> tuple[str, ...]:
        return self._order(f"qimen-deities-{'yang' if self.ju.yang else 'yin'}{'' if self.flying else '-rotating'}")

    def _laid(self, start: int) -> dict[int, str]:
        """Palace to spirit, from the palace of the first one."""
        if self.flying:
            return {_wrap(start + self._sign * k): d for k, d in enumerate(self._deities)}
        first = self._ring.index(start)
        return {self._ring[(first + self._sign * k) % 8]: d for k, d in enumerate(self._deities)}

    @cached_property
    def palaces(self) -> tuple[Palace, ...]:
        """The nine palaces, the first first."""
        stems: dict[int, list[str]] = {p: [] for p in PALACES}
        stars: dict[int, list[str]] = {p: [] for p in PALACES}
        doors: dict[int, str] = {}
        # The centre comes last, so that in a rotating plate the lodged star and stem stand behind those of the palace.
        for home in sorted(PALACES, key=lambda p: p == CENTRE):
            at = self._moved(home, self.origin, self.arrival)
            stems[at].append(self.earth[home])
            stars[at].append(_home("NineStar")[home])
            if self.flying or home != CENTRE:
                doors[self._moved(home, self.origin, self.door_arrival)] = _home("Door")[home]
        heaven, below = self._laid(self.arrival), self._laid(self.origin) if self.flying else {}
        o, found = ontology(), []
        for p in PALACES:
            trigram = next(iter(o.iris(symbol("luoshu", p), ns("trigram"))), None)
            found.append(
                Palace(
                    iris.part(self.iri, "palace", p),
                    p,
                    trigram,
                    o.one(symbol("luoshu", p), ns("element")),
                    tuple(sorted(o.iris(symbol("luoshu", p), ns("branch")), key=lambda b: o.number(b, ns("order")))),
                    self.earth[p],
                    tuple(stems[p]),
                    tuple(stars[p]),
                    doors.get(p),
                    heaven.get(p),
                    below.get(p),
                )
            )
        return tuple(found)

    def palace(self, number: int) -> Palace:
        """The palace of that number."""
        return self.palaces[number - 1]

    def holding(self, branch: str) -> Palace:
        """The palace of a branch."""
        return next(p for p in self.palaces if branch in p.branches)

    def standing(self, stem: str) -> Palace:
        """The palace in which a stem stands on the heaven plate."""
        return next(p for p in self.palaces if stem in p.heaven)

    # -- the individuals -------------------------------------------------------------------------------------------------

    @cached_property
    def plates(self) -> tuple[Plate, ...]:
        """Every stem, star, door and spirit as it stands; then 甲, and the stems of day and hour."""
        o, found = ontology(), []
        for p in self.palaces:
            here = [("stem", s) for s in p.heaven] + [("star", s) for s in p.stars] + [(k, s) for k, s in (("door", p.door), ("deity", p.deity)) if s]
            for kind, s in here:
                # The first spirit is the star on duty, and has no individual of its own.
                if s != CHIEF:
                    # A spirit has no element of its own: it goes by its palace.
                    element = next(iter(o.iris(s, ns("element"))), p.element)
                    branches = () if kind == "stem" else p.branches
                    found.append(Plate(iris.part(self.iri, kind, iris.key(s)), kind, s, p.number, element, branches))
        for kind, pair in (("jia", self.head), ("day-stem", self.pair("day")), ("hour-stem", self.pair("hour"))):
            stem = o.one(pair, ns("stem"))
            at = self.standing(self.instrument_of(pair)).number
            found.append(Plate(iris.part(self.iri, kind), kind, stem, at, o.one(stem, ns("element")), (o.one(pair, ns("branch")),)))
        return tuple(found)

    @cached_property
    def pillars(self) -> tuple[HourPillar, ...]:
        """The known pillars of the moment, the 納音 of day and hour, and the product of their stems if they combine."""
        o, found = ontology(), []
        for unit in UNITS:
            if unit in self.given.pillars:
                pair = self.pair(unit)
                stem = o.one(pair, ns("stem"))
                found.append(HourPillar(iris.part(self.iri, "pillar", unit), unit, pair, stem, o.one(pair, ns("branch")), o.one(stem, ns("element"))))
        for unit in ("day", "hour"):
            pair = self.pair(unit)
            found.append(
                HourPillar(iris.part(self.iri, "pillar", f"{unit}-nayin"), f"{unit}-nayin", pair, None, o.one(pair, ns("branch")), o.one(pair, ns("nayin")))
            )
        if self.hour_stem in self.tables.get("stem-combines").all(self.day_stem):
            product = self.tables.get("stem-combination-element").iri_of(self.day_stem)
            found.append(HourPillar(iris.part(self.iri, "pillar", "transformed"), "transformed", None, None, None, product))
        for person in self.given.persons:
            for what, text in (("birth", person.birth), ("age", person.year_of_age)):
                if text:
                    pair = named("Pair")[text]
                    stem = o.one(pair, ns("stem"))
                    unit = f"{person.who}-{what}"
                    found.append(HourPillar(iris.part(self.iri, "natal", unit), unit, pair, stem, o.one(pair, ns("branch")), o.one(stem, ns("element"))))
        return tuple(found)

    @cached_property
    def unknown(self) -> frozenset[str]:
        """What is not known: `YearPillar`, `SolarTerm` ..., as the names of the vocabulary rest on them."""
        missing = {PILLAR_CLASS[u] for u in UNITS if u not in self.given.pillars}
        if self.given.term is None:
            missing |= {"SolarTerm", "MidTerm"}
        return frozenset(missing | ({"AtTermChange"} if self.given.term_changes is None else set()) | ({"Yuan"} if self.ju.yuan is None else set()))

    @property
    def void_unit(self) -> str:
        """The pillar of whose decade the void branches are, by the convention `void-pillar`: `hour` or `day`."""
        return self.given.conventions.get("void-pillar", "hour")

    def void_of(self, unit: str) -> tuple[str, ...]:
        """The void branches of the decade of a pillar."""
        return tuple(str(b) for b in self.tables.get("void").all(ontology().one(self.pair(unit), ns("decade"))))

    @cached_property
    def void(self) -> tuple[str, ...]:
        """旬空: the void branches of the decade of the hour, by the convention `void-pillar` of the day."""
        return self.void_of(self.void_unit)

    @cached_property
    def season_term(self) -> str | None:
        """The one of the eight terms (立春 春分 ...) that rules the palaces."""
        return season_term_of(self.tables, self.given.term) if self.given.term else None

    @cached_property
    def mid_term(self) -> str | None:
        """The mid-month term (中氣) in force."""
        return mid_term_of(self.given.term) if self.given.term else None


def _wrap(palace: int) -> int:
    """A palace number again, counted round from 9 to 1."""
    return (palace - 1) % 9 + 1


@cache
def _home(kind: str) -> Mapping[int, str]:
    """Palace number to the star or door that is at home there."""
    o = ontology()
    return {o.number(s, ns("home")): s for s in o.of_type(kind)}
