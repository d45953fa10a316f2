"""Relatives of the querent: the element that the rule of 003 ¶18 gives each, the received tables, and the count to a line (003 ¶19).

The steps of the rule, the tables and the starting places are data of the ontology; this module only follows them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from loader import iris
from loader.errors import OntologyError
from loader.iris import ns, symbol
from loader.liuyao import Chart, Line
from loader.ontology import ontology
from loader.saying import Said, Value, joined, place, say
from loader.tables import Tables, choose

SELF: Final = symbol("relative", "querent")
ASKS: Final = {1: "elder-asks-junior", -1: "junior-asks-elder"}
"""Direction of the count to the question that says it: an elder counts upward to a junior, a junior downward to an elder."""


@dataclass(frozen=True, slots=True)
class Reckoned:
    """One step of the rule: `relative` has `element` because it stands so to `base`.

    Attributes:
        relative: IRI of the relative.
        element: IRI of the element.
        step: key of the step (`Generating`, `ControlledBy` ...); None for 世 itself.
        base: the relative from whose element it is found, or None.
        basis: `Rule`, `Extension` or `Analogy`, or `Received` where the cell of the received table is taken.
        clauses: ids of the clauses that say so.
    """

    relative: str
    element: str
    step: str | None
    base: str | None
    basis: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the received tables (003 ¶21-25): the element of a relative, as printed.

    Attributes:
        iri: its IRI.
        world: element of 世.
        relative: IRI of the relative.
        element: IRI of the element as received.
        printed: the label as printed.
        group: the run of characters in which it is printed.
        clause: id of the clause that holds it.
        grade: grade of the emendation proposed for it, or None.
        why: reason of the emendation, or None.
    """

    iri: str
    world: str
    relative: str
    element: str
    printed: str
    group: str
    clause: str
    grade: str | None
    why: str | None


@dataclass(frozen=True, slots=True)
class Place:
    """The line that stands for a relative: how it was found, and by which steps."""

    position: int
    how: str
    because: tuple[Said, ...]

    @property
    def where(self) -> Said:
        """The line in words: `line 3, flown`."""
        return say(f"at-{self.how}", place=place(self.position))


def _ids(subject: str, predicate: str) -> tuple[str, ...]:
    return tuple(iris.key(c) for c in ontology().iris(subject, ns(predicate)))


def _first(subject: str, predicate: str) -> str | None:
    return next(iter(ontology().iris(subject, ns(predicate))), None)


@cache
def relatives() -> tuple[str, ...]:
    """Every relative, in the order of the file; the first is 世, the querent."""
    return tuple(ontology().of_type("Relative"))


def element(relative: str, world: str, reading: str = "graded") -> tuple[Reckoned, ...]:
    """The element of a relative by the rule, step by step from 世; under the received reading the cell of the tables, if there is one.

    >>> wood = symbol("element", "wood")
    >>> [ontology().label(s.element) for s in element(symbol("relative", "mother"), wood)]
    ['木', '水', '火']

    Raises:
        OntologyError: the steps of the data lead in a circle or nowhere.
    """
    if reading == "received":
        cell = next((c for c in received() if c.relative == relative and c.world == world), None)
        if cell is not None:
            return (Reckoned(relative, cell.element, None, None, "Received", (cell.clause,)),)
    return _by_rule(relative, world)


@cache
def _by_rule(relative: str, world: str) -> tuple[Reckoned, ...]:
    chain: list[str] = []
    at: str | None = relative
    while at is not None and at != SELF:
        if at in chain:
            raise OntologyError("a relative is reckoned from itself", where=relative)
        chain.append(at)
        at = _first(at, "reckonedFrom")
    if at is None:
        raise OntologyError("a relative that the rule does not reach", where=relative)
    found = [Reckoned(SELF, world, None, None, "Rule", _ids(SELF, "statedBy"))]
    for one in reversed(chain):
        base = found[-1]
        step = iris.key(_first(one, "reckonedBy") or "")
        basis = iris.key(_first(one, "basis") or "")
        found.append(Reckoned(one, _step(step, base.element), step, base.relative, basis, _ids(one, "statedBy")))
    return tuple(found)


def _step(step: str, base: str) -> str:
    tables = Tables(choose({}))
    generates, controls = tables.get("element-generates"), tables.get("element-controls")
    every = ontology().of_type("Element")
    match step:
        case "Equal":
            return base
        case "Generating":
            return next(e for e in every if generates.one(e) == base)
        case "GeneratedBy":
            return generates.iri_of(base)
        case "Controlling":
            return next(e for e in every if controls.one(e) == base)
        case "ControlledBy":
            return controls.iri_of(base)
    raise OntologyError(f"no step is named {step!r}", todo="see ontology/kinship.ttl")


@cache
def received() -> tuple[Cell, ...]:
    """Every cell of the received tables, in the order of the passages."""
    o, found = ontology(), []
    for cell in o.subjects(ns("inTable"), symbol("table", "kinship-received")):
        emendation = _first(cell, "emendation")
        found.append(
            Cell(
                cell,
                o.one(cell, ns("row")),
                o.one(cell, ns("column")),
                o.one(cell, ns("value")),
                o.text(cell, ns("printed")) or "",
                o.text(cell, ns("group")) or "",
                iris.key(o.one(cell, ns("statedBy"))),
                o.text(emendation, ns("grade")) if emendation else None,
                o.text(emendation, ns("why")) if emendation else None,
            )
        )
    return tuple(sorted(found, key=lambda c: (c.clause, c.iri)))


def agrees(cell: Cell) -> bool:
    """Whether a received cell has the element that the rule gives."""
    return element(cell.relative, cell.world)[-1].element == cell.element


def direction(relative: str, asks: tuple[str, ...] = ()) -> int | None:
    """Which way the count goes: 1 upward to a junior, -1 downward to an elder; None where neither the relative nor the question says.

    003 ¶19: 大問小從世前一位數上去，小問大從世下一位數下去.
    """
    for way, question in ASKS.items():
        if question in asks:
            return way
    o = ontology()
    generation = int(o.text(relative, ns("generation")) or 0)
    if generation:
        return -1 if generation > 0 else 1
    seniority = _first(relative, "seniority")
    return None if seniority is None else -1 if iris.key(seniority) == "Elder" else 1


def flown(chart: Chart, relative: str, asks: tuple[str, ...] = ()) -> Place | None:
    """The line that the flying count reaches (飛爻): the number of the element, from the line beside the starting place.

    Returns:
        None where it is not known who is the elder.
    """
    after = _first(relative, "placedAfter")
    if after is not None:
        before = flown(chart, after, asks)
        if before is None:
            return None
        step = int(ontology().text(relative, ns("placeStep")) or 0)
        position = (before.position - 1 + step) % 6 + 1
        places = say("places-one" if abs(step) == 1 else "places-many", n=abs(step))
        key = "placed-ahead" if step > 0 else "placed-behind"
        found = say(key, relative=_label(relative), places=places, base=_label(after), place=place(position))
        return Place(position, "flown", (*before.because, _stated(found, _ids(relative, "countStatedBy"))))
    way = direction(relative, asks)
    if way is None:
        return None
    start, origin = _start(chart, relative, asks)
    if start is None:
        return None
    steps = element(relative, chart.visible[chart.shi - 1].element, chart.given.conventions.get("reading", "graded"))
    table = chart.tables.get("element-numbers")
    number = table.place(steps[-1].element)
    path = [(start - 1 + way * n) % 6 + 1 for n in range(1, number + 1)]
    key, listed = "count-up" if way > 0 else "count-down", joined(map(place, path), say("in-a-row"))
    count = say(key, element=_label(steps[-1].element), number=number, start=place(path[0]), path=listed)
    return Place(path[-1], "flown", (*origin, *map(told, steps), count))


def _start(chart: Chart, relative: str, asks: tuple[str, ...]) -> tuple[int | None, tuple[Said, ...]]:
    base = _first(relative, "countedFrom")
    if base is None:
        return chart.shi, ()
    from_where = place_of(chart, base, asks)
    if from_where is None:
        return None, ()
    begun = say("count-start", base=_label(base), place=place(from_where.position))
    return from_where.position, (*from_where.because, _stated(begun, _ids(relative, "countStatedBy")))


def line_of(chart: Chart, relative: str) -> Line | None:
    """The line that shows a relative without a count: own-palace and of his kin in his half, else hidden there (003 ¶16)."""
    kin = _first(relative, "kinClass")
    if kin is None:
        return None
    inner = iris.key(_first(relative, "side") or "") == "InnerKin"
    half = slice(0, 3) if inner else slice(3, 6)
    visible = next((v for v in chart.visible[half] if v.kin == kin and v.trigram == chart.palace), None)
    return visible or next((h for h in chart.hidden[half] if h is not None and h.kin == kin), None)


def place_of(chart: Chart, relative: str, asks: tuple[str, ...] = ()) -> Place | None:
    """Where a relative stands: the line that shows him, visible or hidden, else the line reached by the count."""
    line = line_of(chart, relative)
    if line is None:
        return flown(chart, relative, asks)
    how = "visible" if line.role == "line" else "hidden"
    half = say("half-inner" if line.position <= 3 else "half-outer")
    names = {"relative": relative, "kin": line.kin, "pair": line.pair}
    text = say(f"shown-{how}", half=half, place=place(line.position), **{field: _label(iri) for field, iri in names.items()})
    return Place(line.position, how, (text,))


def descendants(chart: Chart, relative: str, asks: tuple[str, ...] = ()) -> Place | None:
    """The line of an ancestor's descendants (某祖之子孫, 003 ¶27): counted up from his place by the element that his line generates.

    The passage does not say how it is found; this is the count of ¶19 applied to the ancestor in the place of the querent.
    """
    line, ancestor = line_of(chart, relative), place_of(chart, relative, asks)
    if ancestor is None:
        return None
    own = line.element if line is not None else chart.visible[ancestor.position - 1].element
    son = chart.tables.get("element-generates").iri_of(own)
    number = chart.tables.get("element-numbers").place(son)
    position = (ancestor.position - 1 + number) % 6 + 1
    text = say("descendants", own=_label(own), son=_label(son), number=number, place=place(position))
    return Place(position, "flown", (*ancestor.because, text))


def told(step: Reckoned) -> Said:
    """A step of the reckoning in words: `父 generates 世: 水 (yy-feigong-002)`."""
    if step.base is None or step.step is None:
        text = say("rule-Received" if step.basis == "Received" else "rule-Self", relative=_label(step.relative), element=_label(step.element))
    else:
        names: dict[str, Value] = {"relative": _label(step.relative), "base": _label(step.base), "element": _label(step.element)}
        text = say(f"rule-{step.step}", basis=say(f"basis-{step.basis}"), **names)
    return _stated(text, step.clauses)


def _stated(what: Said, clauses: tuple[str, ...]) -> Said:
    """What is said, with the ids of the clauses that say so."""
    return say("stated", what=what, clauses=joined(clauses, say("listed"))) if clauses else what


def _label(iri: str) -> str:
    return ontology().label(iri)


@cache
def questions_of() -> Mapping[str, str]:
    """Relative to the question that names him: 祖, 曾祖, 高祖, 伯叔祖, 堂兄弟."""
    o = ontology()
    return {relative: iris.key(q) for q in o.of_type("Question") for relative in o.iris(q, ns("ofRelative"))}
