"""The 六爻 chart: original, changed, hidden and mutual lines, computed from six numbers, a moment and the tables.

Python computes the chart; what the books make of it stands in the ontology.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Final

from loader import iris
from loader.errors import InputError
from loader.iris import ns, symbol
from loader.ontology import ontology
from loader.tables import Tables

UNITS: Final = ("year", "month", "day", "hour")
PILLAR_CLASS: Final = {u: f"{u.capitalize()}Pillar" for u in UNITS}
PILLAR_NAME: Final = {"year": "TaiSui", "month": "YueJian", "day": "RiChen", "hour": "ShiJian"}


@dataclass(frozen=True, slots=True)
class Line:
    """A line: `role` is `line` (visible), `hidden`, `changed` or `mutual`; symbols by IRI; `position` 1 to 6 from below."""

    iri: str
    role: str
    position: int
    yang: bool
    pair: str
    stem: str
    branch: str
    element: str
    trigram: str
    kin: str


@dataclass(frozen=True, slots=True)
class Pillar:
    """The pillar of a year, month, day or hour; `stem` and `pair` are None where only the branch was given."""

    iri: str
    unit: str
    branch: str
    element: str
    kin: str
    stem: str | None
    pair: str | None


@dataclass(frozen=True)
class Given:
    """What a cast is made from; equal input makes the same cast.

    Attributes:
        lines: six numbers 6 to 9, bottom to top: 6 old yin, 7 young yang, 8 young yin, 9 old yang.
        pillars: unit to a pair such as `戊辰`, or a branch such as `辰`; units may be missing.
        topics: ids of the topics asked about.
        asks: keys of questions that narrow the topic (`birth-near`, ...).
        birth_branch: branch of the querent's birth year (本命), or None.
        relative: key of the relative asked about, or None.
        role: key of the role (分宮) asked about, or None.
        age: age of the person asked about, one at birth, or None.
        term: Chinese name of the solar term in force, or None.
        at: the civil moment as it was given, or None.
        conventions: all conventions with their options.
    """

    lines: tuple[int, ...]
    pillars: Mapping[str, str]
    topics: tuple[str, ...]
    asks: tuple[str, ...] = ()
    birth_branch: str | None = None
    relative: str | None = None
    role: str | None = None
    age: int | None = None
    term: str | None = None
    at: str | None = None
    conventions: Mapping[str, str] = field(default_factory=dict)

    def as_input(self) -> dict[str, object]:
        """The input as plain data, for the hash and for the record."""
        return {
            "method": "liuyao",
            "lines": list(self.lines),
            "pillars": {u: self.pillars[u] for u in UNITS if u in self.pillars},
            "topics": list(self.topics),
            "asks": list(self.asks),
            "birth": self.birth_branch,
            "relative": self.relative,
            "role": self.role,
            "age": self.age,
            "term": self.term,
            "at": self.at,
        }

    @property
    def iri(self) -> str:
        """IRI of the cast."""
        return iris.cast({**self.as_input(), "conventions": dict(self.conventions)})


@cache
def named(term: str) -> Mapping[str, str]:
    """Chinese label to IRI of the symbols of a class: `named("Branch")["午"]`."""
    o = ontology()
    return {o.label(s): s for s in o.of_type(term)}


@cache
def _hexagram_by_bits() -> dict[str, str]:
    o = ontology()
    return {o.text(h, ns("bits")) or "": h for h in o.of_type("Hexagram")}


@cache
def _trigram_by_bits() -> dict[str, str]:
    o = ontology()
    return {o.text(t, ns("bits")) or "": t for t in o.of_type("Trigram")}


@cache
def hexagram_names() -> Mapping[str, frozenset[int]]:
    """Every label of every hexagram to the numbers that it may mean."""
    o = ontology()
    found: dict[str, set[int]] = {}
    for h in o.of_type("Hexagram"):
        for literal in o.labels(h):
            found.setdefault(literal.text, set()).add(o.number(h, ns("number")))
    return {name: frozenset(numbers) for name, numbers in found.items()}


def bits_of(number: int) -> str:
    """The six lines of a hexagram by its King Wen number, bottom to top, 1 for yang."""
    return ontology().text(symbol("hexagram", number), ns("bits")) or ""


def kin_of(tables: Tables, reference: str, element: str) -> str:
    """Kin of an element to the one from which it is counted: what generates it is 父母, what it controls 妻財, and so on."""
    generates, controls = tables.get("element-generates"), tables.get("element-controls")
    if element == reference:
        relation = "SameElement"
    elif generates.one(reference) == element:
        relation = "GeneratedByPalace"
    elif controls.one(reference) == element:
        relation = "ControlledByPalace"
    elif controls.one(element) == reference:
        relation = "ControlsPalace"
    else:
        relation = "GeneratesPalace"
    return tables.get("kin").iri_of(ns(relation))


def mid_term_of(term: str) -> str:
    """The mid-month term (中氣) from which on a solar term of that Chinese name stands: itself, or the one before.

    >>> ontology().label(mid_term_of("寒露"))
    '秋分'
    """
    every = ontology().ordered("SolarTerm")
    at = every.index(named("SolarTerm")[term])
    # Terms alternate, 立春 first: the odd places of this list are the mid-month terms.
    return every[at] if at % 2 else every[at - 1]


def season_term_of(tables: Tables, term: str) -> str:
    """The one of the eight terms (立春 春分 ...) from which on the trigrams have their strength at a solar term of that Chinese name."""
    eight, every = {str(row) for row, _ in tables.get("trigram-season").cells}, ontology().ordered("SolarTerm")
    at = every.index(named("SolarTerm")[term])
    # A term before the first of the eight belongs to the last of the year before: the list is walked backward, round its end.
    return next(every[at - k] for k in range(len(every)) if every[at - k] in eight)


@dataclass(frozen=True)
class Chart:
    """A complete 六爻 chart.

    >>> from loader.tables import choose
    >>> c = Chart(Given((8, 8, 9, 7, 8, 8), {"month": "辰", "day": "戊辰"}, ("childbirth",), conventions=choose({})))
    >>> ontology().label(c.hexagram), ontology().label(c.visible[2].branch), ontology().label(c.visible[2].kin)
    ('小過', '申', '兄弟')
    """

    given: Given

    @cached_property
    def iri(self) -> str:
        """IRI of the cast."""
        return self.given.iri

    @cached_property
    def tables(self) -> Tables:
        """The tables under the conventions of the cast."""
        return Tables(self.given.conventions)

    @cached_property
    def bits(self) -> str:
        """The original hexagram, bottom to top."""
        return "".join("1" if n in (7, 9) else "0" for n in self.given.lines)

    @cached_property
    def moving(self) -> frozenset[int]:
        """Positions of the moving lines."""
        return frozenset(i for i, n in enumerate(self.given.lines, 1) if n in (6, 9))

    @cached_property
    def hexagram(self) -> str:
        """The original hexagram."""
        return _hexagram_by_bits()[self.bits]

    @cached_property
    def changed_bits(self) -> str:
        """The changed hexagram, bottom to top; the original where no line moves."""
        return "".join(b if i not in self.moving else "10"[int(b)] for i, b in enumerate(self.bits, 1))

    @cached_property
    def changed(self) -> str | None:
        """The changed hexagram (之卦), None where no line moves."""
        return _hexagram_by_bits()[self.changed_bits] if self.moving else None

    @cached_property
    def mutual_bits(self) -> str:
        """The mutual hexagram (互卦): lines 2-3-4 below, 3-4-5 above."""
        return self.bits[1:4] + self.bits[2:5]

    @cached_property
    def palace(self) -> str:
        """The trigram of the palace."""
        return ontology().one(self.hexagram, ns("palace"))

    @cached_property
    def palace_element(self) -> str:
        """Its element, from which all kin are counted."""
        return ontology().one(self.palace, ns("element"))

    @cached_property
    def generation(self) -> int:
        """Place in the palace: 0 pure, 1 to 5, 6 游魂, 7 歸魂."""
        return ontology().number(self.hexagram, ns("generation"))

    @cached_property
    def shi(self) -> int:
        """Position of 世."""
        return self.tables.get("shi").place(self.generation)

    @cached_property
    def ying(self) -> int:
        """Position of 應."""
        return self.tables.get("ying").place(self.generation)

    def figure(self, role: str) -> tuple[Line, ...]:
        """All six lines of the original hexagram (`line`), the changed one (`changed`) or the mutual one (`mutual`)."""
        bits = {"line": self.bits, "changed": self.changed_bits, "mutual": self.mutual_bits}[role]
        return tuple(self._line(role, bits, i) for i in range(1, 7))

    def shi_of(self, role: str) -> int:
        """Position of 世 in one of the three hexagrams of `figure`."""
        bits = {"line": self.bits, "changed": self.changed_bits, "mutual": self.mutual_bits}[role]
        return self.tables.get("shi").place(ontology().number(_hexagram_by_bits()[bits], ns("generation")))

    def kin(self, element: str) -> str:
        """Kin of an element, from the palace of the original hexagram (定六親法)."""
        return kin_of(self.tables, self.palace_element, element)

    def _line(self, role: str, bits: str, position: int) -> Line:
        o = ontology()
        trigram = _trigram_by_bits()[bits[:3] if position <= 3 else bits[3:]]
        pair = self.tables.get("najia").iri_of(trigram, position)
        branch = o.one(pair, ns("branch"))
        element = o.one(branch, ns("element"))
        iri = iris.part(self.iri, role, position)
        return Line(iri, role, position, bits[position - 1] == "1", pair, o.one(pair, ns("stem")), branch, element, trigram, self.kin(element))

    @cached_property
    def visible(self) -> tuple[Line, ...]:
        """The six lines of the original hexagram."""
        return self.figure("line")

    @cached_property
    def changed_lines(self) -> tuple[Line | None, ...]:
        """What each moving line becomes."""
        return tuple(self._line("changed", self.changed_bits, i) if i in self.moving else None for i in range(1, 7))

    @cached_property
    def mutual_lines(self) -> tuple[Line, ...]:
        """The lines of the mutual hexagram with their own 納甲."""
        return self.figure("mutual")

    @cached_property
    def hidden_bits(self) -> str:
        """The hexagram that lies under the visible one, by the convention `hidden-lines`."""
        o, palace = ontology(), ontology().text(self.palace, ns("bits")) or ""
        opposite = "".join("10"[int(b)] for b in palace)
        how = self.given.conventions.get("hidden-lines", "palace")
        if how == "opposite":
            if self.generation == 7:
                return opposite + palace
            return "".join(opposite if self.bits[s : s + 3] == palace else palace for s in (0, 3))
        if how == "mixed" and self.generation == 0:
            return opposite * 2
        if how == "mixed" and self.generation == 7:
            third = next(h for h in o.of_type("Hexagram") if o.one(h, ns("palace")) == self.palace and o.number(h, ns("generation")) == 3)
            return o.text(third, ns("bits")) or ""
        return palace * 2

    @cached_property
    def hidden(self) -> tuple[Line | None, ...]:
        """The hidden line (伏) under each line, None where it is the same stem and branch."""
        lines = [self._line("hidden", self.hidden_bits, i) for i in range(1, 7)]
        return tuple(h if h.pair != v.pair else None for h, v in zip(lines, self.visible, strict=True))

    @cached_property
    def pillars(self) -> dict[str, Pillar]:
        """The pillars that are known, by unit."""
        o, found = ontology(), {}
        for unit in UNITS:
            text = self.given.pillars.get(unit)
            if text is None:
                continue
            pair = named("Pair").get(text)
            branch = o.one(pair, ns("branch")) if pair else named("Branch").get(text)
            if branch is None:
                raise InputError(f"{text!r} is no pillar", where=unit, todo="give a pair such as 戊辰 or a branch such as 辰")
            element = o.one(branch, ns("element"))
            stem = o.one(pair, ns("stem")) if pair else None
            found[unit] = Pillar(iris.part(self.iri, "pillar", unit), unit, branch, element, self.kin(element), stem, pair)
        return found

    @cached_property
    def unknown(self) -> frozenset[str]:
        """What is not known: `YearPillar`, `MonthStem`, `SolarTerm` ..., as the names of the vocabulary rest on them."""
        missing = {PILLAR_CLASS[u] for u in UNITS if u not in self.pillars}
        missing |= {f"{u.capitalize()}Stem" for u in UNITS if u not in self.pillars or self.pillars[u].stem is None}
        unknown = {"SolarTerm": self.season_term, "MidTerm": self.mid_term}
        return frozenset(missing | {name for name, found in unknown.items() if found is None})

    @cached_property
    def void(self) -> tuple[str, ...]:
        """The two void branches (旬空) by the day pair; none where the pair is not known."""
        day = self.pillars.get("day")
        if day is None or day.pair is None:
            return ()
        return tuple(str(b) for b in self.tables.get("void").all(ontology().one(day.pair, ns("decade"))))

    @cached_property
    def spirits(self) -> tuple[str, ...]:
        """The six spirits from line 1 upward, by the day stem."""
        day = self.pillars.get("day")
        if day is None or day.stem is None:
            return ()
        order = ontology().ordered("Spirit")
        first = order.index(self.tables.get("spirit-start").iri_of(day.stem))
        return tuple(order[(first + i) % 6] for i in range(6))

    @cached_property
    def body_branch(self) -> str:
        """The branch of 卦身 (月卦身): count 子 from line 1 up to a yang 世, 午 to a yin one."""
        branches = ontology().ordered("Branch")
        start = 0 if self.bits[self.shi - 1] == "1" else 6
        return branches[(start + self.shi - 1) % 12]

    @cached_property
    def body(self) -> frozenset[int]:
        """Positions of the body lines, by the convention `body`."""
        if self.given.conventions.get("body") == "shishen":
            return frozenset({self.tables.get("shishen").place(self.visible[self.shi - 1].branch)})
        return frozenset(v.position for v in self.visible if v.branch == self.body_branch)

    @cached_property
    def season_term(self) -> str | None:
        """The one of the eight terms (立春 春分 ...) in force: by the moment, or by the month where that settles it.

        Each of the eight begins in the first or in the middle of a month; a 仲 month (卯 午 酉 子) has two of them.
        """
        o = ontology()
        table = self.tables.get("trigram-season")
        eight = sorted({str(row) for row, _ in table.cells}, key=lambda t: o.number(t, ns("order")))
        if self.given.term is not None:
            return season_term_of(self.tables, self.given.term)
        month = self.pillars.get("month")
        if month is None:
            return None
        # 寅 is the first month; its two terms are numbers 1 and 2.
        first = (o.number(month.branch, ns("order")) - 3) % 12 * 2 + 1
        started = [[t for t in eight if o.number(t, ns("order")) <= n] or [eight[-1]] for n in (first, first + 1)]
        return started[0][-1] if started[0][-1] == started[1][-1] else None

    @cached_property
    def mid_term(self) -> str | None:
        """The mid-month term (中氣) in force, which only the moment settles: within a month the last one or its own may hold."""
        return mid_term_of(self.given.term) if self.given.term else None

    @cached_property
    def bearers(self) -> tuple[Line | Pillar, ...]:
        """Everything that bears a branch and can act or be acted on."""
        lines = [*self.visible, *self.hidden, *self.changed_lines]
        return (*(x for x in lines if x is not None), *self.pillars.values())

    def stage(self, element: str, branch: str) -> str:
        """Stage of an element at a branch (十二長生)."""
        return self.tables.get("stages").iri_of(element, branch)
