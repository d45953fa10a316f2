"""Why an hour chart states a fact: one sentence with the table or rule behind it."""

from typing import Final

from loader import iris
from loader.meetings import Part, everything
from loader.names import Term
from loader.ontology import ontology
from loader.qimen import HourPillar, Palace, Plate, QimenChart
from loader.qimen_facts import branches_of, grade_of
from loader.saying import Said, fields_of, has, said, say

_STEMS: Final = ("day-stem", "hour-stem")


def _label(s: str | None) -> str:
    return ontology().label(s) if s else "?"


def palace_name(number: int) -> str:
    """What a palace is called: `坎一`."""
    return _label(iris.symbol("luoshu", number))


def part_of(chart: QimenChart, individual: str) -> Part | None:
    """The palace, symbol or pillar of that IRI."""
    return next((x for x in everything(chart) if x.iri == individual), None)


def describe(chart: QimenChart, individual: str) -> Said:
    """An individual as a person would say it: `palace 乾六`, `天任 in 離九`, `the day 己未`."""
    x = part_of(chart, individual)
    if isinstance(x, Palace):
        return say("palace", palace=palace_name(x.number))
    if isinstance(x, Plate):
        return say(f"plate-{x.kind}" if x.kind in _STEMS else "plate", symbol=_label(x.symbol), palace=palace_name(x.palace))
    if isinstance(x, HourPillar):
        pillar = _label(x.element) if x.pair is None or x.unit.endswith("nayin") else _label(x.pair)
        key = f"pillar-{x.unit}"
        return say(key, pillar=pillar) if has(key) else say("pillar", unit=say(f"unit-{x.unit}"), pillar=pillar)
    return say("the-chart") if individual == chart.iri else said(iris.key(individual))


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


def reason(chart: QimenChart, term: Term | None, individual: str, value: str | None = None) -> Said | None:
    """Why a stated class or value holds of an individual, or None where the words say it already."""
    if term is None:
        return None
    local, x = iris.key(term.iri), part_of(chart, individual)
    if has(f"hour-{local}"):
        known = _fields(chart)
        return say(f"hour-{local}", **{name: known[name] for name in fields_of(f"hour-{local}")})
    falls = branches_of(chart).get(local)
    if falls:
        return say("falls", name=term.label, places="".join(map(_label, falls)))
    if local in _GRADED and x is not None:
        by_term = isinstance(x, Palace) or (isinstance(x, Plate) and x.kind in ("door", "deity"))
        when = (chart.given.term or "?") if by_term else say("month-of", pillar=chart.given.pillars["month"])
        return say("graded", element=_label(x.element), grade=_label(grade_of(chart, x)), when=when)
    if term.denotes and isinstance(x, Plate):
        return say("stands", palace=palace_name(x.palace))
    if value and local in _VALUED:
        return say("it-is", value=_label(value))
    return say("by-element") if local in ("generates", "controls", "generatedBy", "controlledBy") else None


def _fields(chart: QimenChart) -> dict[str, str | int]:
    """The fields of the sentences of `sayings.yaml` on an hour chart."""
    return {
        "head": _label(chart.head),
        "instrument": _label(chart.instrument),
        "origin": palace_name(chart.origin),
        "steps": chart.steps,
        "star": _label(chart.star_on_duty),
        "void": "".join(map(_label, chart.void)),
        "term": chart.given.term or "?",
        "hour_stem": _label(chart.hour_stem),
        "day_stem": _label(chart.day_stem),
    }
