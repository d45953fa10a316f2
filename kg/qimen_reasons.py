"""Why an hour chart states a fact: one sentence with the table or rule behind it."""

from collections.abc import Callable
from typing import Final

from loader import iris
from loader.meetings import Part, everything
from loader.names import Term
from loader.ontology import ontology
from loader.qimen import HourPillar, Palace, Plate, QimenChart
from loader.qimen_facts import branches_of, grade_of

_UNITS: Final = {
    "year": "the year", "month": "the month", "day": "the day", "hour": "the hour", "day-nayin": "the 納音 of the day", "hour-nayin": "the 納音 of the hour",
    "transformed": "the product of day and hour stem",
    "man-birth": "the man's birth year", "woman-birth": "the woman's birth year", "person-birth": "the person's birth year",
    "man-age": "the man's year of age", "woman-age": "the woman's year of age", "person-age": "the person's year of age",
}  # fmt: skip
_KINDS: Final = {"stem": "", "star": "", "door": "", "deity": "", "jia": "", "day-stem": "day stem ", "hour-stem": "hour stem "}


def _label(s: str | None) -> str:
    return ontology().label(s) if s else "?"


def palace_name(number: int) -> str:
    """What a palace is called: `坎一`."""
    return _label(iris.symbol("luoshu", number))


def part_of(chart: QimenChart, individual: str) -> Part | None:
    """The palace, symbol or pillar of that IRI."""
    return next((x for x in everything(chart) if x.iri == individual), None)


def describe(chart: QimenChart, individual: str) -> str:
    """An individual as a person would say it: `palace 乾六`, `天任 in 離九`, `the day 己未`."""
    x = part_of(chart, individual)
    if isinstance(x, Palace):
        return f"palace {palace_name(x.number)}"
    if isinstance(x, Plate):
        return f"{_KINDS[x.kind]}{_label(x.symbol)} in {palace_name(x.palace)}"
    if isinstance(x, HourPillar):
        return f"{_UNITS[x.unit]} {_label(x.element) if x.pair is None or x.unit.endswith('nayin') else _label(x.pair)}"
    return "the chart" if individual == chart.iri else iris.key(individual)


_CHART: Final[dict[str, Callable[[QimenChart], str]]] = {
    "OriginPalace": lambda c: f"the hour is of {_label(c.head)}, hidden under {_label(c.instrument)}, which lies there on the earth plate",
    "StarOnDuty": lambda c: f"it is at home in {palace_name(c.origin)}, where {_label(c.instrument)} of {_label(c.head)} lies",
    "DoorOnDuty": lambda c: f"it is at home in {palace_name(c.origin)}, {c.steps} hours ago",
    "JiaElder": lambda c: f"the hour is of {_label(c.head)}",
    "JiaMiddle": lambda c: f"the hour is of {_label(c.head)}",
    "JiaYoungest": lambda c: f"the hour is of {_label(c.head)}",
    "OpenChart": lambda c: f"the star on duty, {_label(c.star_on_duty)}, is yang",
    "ClosedChart": lambda c: f"the star on duty, {_label(c.star_on_duty)}, is yin",
    "Void": lambda c: f"void {''.join(map(_label, c.void))}",
    "Orphan": lambda c: f"孤 {''.join(map(_label, c.void))}",
    "InMonthOpener": lambda c: f"the term in force is {c.given.term}",
    "InMidTerm": lambda c: f"the term in force is {c.given.term}",
    "FiveUnmet": lambda c: f"the hour stem {_label(c.hour_stem)} controls the day stem {_label(c.day_stem)}",
    "YellowSpringPalace": lambda c: f"the road to the springs of a {_label(c.day_stem)} day",
}
_VALUED: Final = frozenset(
    {
        "element",
        "kin",
        "branch",
        "stem",
        "pair",
        "heavenStem",
        "earthStem",
        "palaceStar",
        "palaceDoor",
        "palaceDeity",
        "earthDeity",
        "frameElement",
        "decadeHead",
    }
)
_GRADED: Final = frozenset({"QStrong", "QResting", "QImprisoned", "QDead"})


def reason(chart: QimenChart, term: Term | None, individual: str, value: str | None = None) -> str | None:
    """Why a stated class or value holds of an individual, or None where the words say it already."""
    if term is None:
        return None
    local, x = iris.key(term.iri), part_of(chart, individual)
    if local in _CHART:
        return _CHART[local](chart)
    falls = branches_of(chart).get(local)
    if falls:
        return f"{term.label} falls on {''.join(map(_label, falls))}"
    if local in _GRADED and x is not None:
        grade = grade_of(chart, x)
        when = (
            chart.given.term if isinstance(x, Palace) or (isinstance(x, Plate) and x.kind in ("door", "deity")) else f"month {chart.given.pillars.get('month')}"
        )
        return f"{_label(x.element)} is {_label(grade)} in {when}"
    if term.denotes and isinstance(x, Plate):
        return f"it stands in {palace_name(x.palace)}"
    if value and local in _VALUED:
        return f"it is {_label(value)}"
    return "by element" if local in ("generates", "controls", "generatedBy", "controlledBy") else None
