"""Why the chart states a fact: one sentence with the table or rule behind it."""

from collections.abc import Callable
from typing import Final

from kg import qimen_reasons
from loader import iris, kinship
from loader.cast import AnyChart
from loader.facts import star_readings
from loader.iris import ns, symbol
from loader.limits import at_age
from loader.liuyao import UNITS, Chart, Line, Pillar
from loader.names import Term
from loader.ontology import ontology
from loader.qimen import QimenChart

_RULES: Final = {
    "Shi": "世 stands on line {shi} in hexagram {generation} of the palace of {palace}",
    "Ying": "應 stands on line {ying}, three places from 世",
    "GuaShen": "世 on line {shi} is {shi_polarity}: counted from {body_start} on line 1 the 卦身 is {body}",
    "Moving": "cast as {number}",
    "OnlyMoving": "no other line moves",
    "Void": "day {day} belongs to 旬 {decade}, void {void}",
    "OwnPalace": "its trigram {trigram} is the palace",
    "PalaceBranch": "{branch} is one of the branches of pure {palace}",
    "LifeLine": "{branch} is the branch of the birth year",
    "YangLine": "drawn unbroken",
    "YinLine": "drawn broken",
    "YangEnclosesYin": "lines 1 and 6 are yang, yin lies between",
    "YinEnclosesYang": "lines 1 and 6 are yin, yang lies between",
    "ByDay": "the hour is {hour}",
    "BirthFarOff": "the question says so",
    "BirthNear": "the question says so",
    "ChildAsksForMother": "the question says so",
    "CareerQuestion": "the topic is an examination or an office",
    "TaiSui": "the pillar of the year",
    "YueJian": "the pillar of the month",
    "RiChen": "the pillar of the day",
    "ShiJian": "the pillar of the hour",
    "PalaceTrigramStrong": "{palace} is {palace_grade} from {season_term}",
    "PalaceTrigramWeak": "{palace} is {palace_grade} from {season_term}",
    "PalaceTrigramVoid": "the branches proper to {palace} are void",
    "RisingLine": "from {mid_term} on line {rising} rises",
    "MutualLine": "a line of the mutual hexagram",
    "AskedKin": "{relative} is asked about, who belongs to {kin_class} ({kin_stated})",
    "FlownLine": "{flown}",
    "InGeneratingPlace": "{kin} generates {kin_class}, the kin of {relative}",
    "InTabooPlace": "{kin} controls {kin_class}, the kin of {relative}",
    "AncestorLine": "{place}",
    "AncestorDescendantLine": "{descendants}",
    "LimitLine": "{limit}",
}
_LINES: Final = {f"Line{i}" for i in range(1, 7)}
_TABLED: Final = {"generates": "by element", "controls": "by element", "generatedBy": "by element", "controlledBy": "by element"}


def describe(chart: AnyChart, individual: str) -> str:
    """An individual as a person would say it: `line 3 申 兄弟`, `the day 戊辰`, `the cast`."""
    if isinstance(chart, QimenChart):
        return qimen_reasons.describe(chart, individual)
    if individual == chart.iri:
        return "the cast"
    o = ontology()
    for x in (*chart.bearers, *chart.mutual_lines):
        if x.iri != individual:
            continue
        if isinstance(x, Pillar):
            return f"the {x.unit} {o.label(x.pair or x.branch)}"
        role = {"line": "line", "hidden": "hidden line", "changed": "changed line", "mutual": "mutual line"}[x.role]
        return f"{role} {x.position} {o.label(x.branch)} {o.label(x.kin)}"
    return "the changed hexagram" if individual == iris.part(chart.iri, "changed") else iris.key(individual)


def _bearer(chart: Chart, individual: str) -> Line | Pillar | None:
    return next((x for x in (*chart.bearers, *chart.mutual_lines) if x.iri == individual), None)


def reason(chart: AnyChart, term: Term | None, individual: str, value: str | None = None) -> str | None:
    """Why a stated class or value holds of an individual, or None where the words say it already."""
    if isinstance(chart, QimenChart):
        return qimen_reasons.reason(chart, term, individual, value)
    if term is None:
        return None
    local, x = iris.key(term.iri), _bearer(chart, individual)
    if term.denotes and "/star/" in term.denotes:
        return _star(chart, term.denotes, x)
    if term.denotes and "/spirit/" in term.denotes and isinstance(x, Line):
        day = chart.pillars["day"]
        return f"on a {_label(day.stem)} day {_label(chart.spirits[0])} begins on line 1"
    if term.denotes and "/kin/" in term.denotes and x is not None:
        return _kin(chart, x)
    if local.startswith("Season") and x is not None and "month" in chart.pillars:
        return f"{_label(x.element)} in month {_label(chart.pillars['month'].branch)}"
    if local in _RULES:
        return _RULES[local].format_map(_Values(chart, x))
    if local in _VALUES and x is not None:
        return _VALUES[local](chart, x)
    if value and local in ("branch", "element", "kin", "pair", "liesIn") and x is not None:
        return f"it is {_label(value)}" if local != "kin" else _kin(chart, x)
    return _TABLED.get(local)


def _label(iri: str | None) -> str:
    return ontology().label(iri) if iri else "?"


def _kin(chart: Chart, x: Line | Pillar) -> str:
    return f"{_label(x.branch)} {_label(x.element)} is {_label(x.kin)} in the palace of {_label(chart.palace)} {_label(chart.palace_element)}"


def _star(chart: Chart, star: str, x: Line | Pillar | None) -> str | None:
    if x is None:
        return None
    for s, table in chart.tables.star_tables():
        if s != star:
            continue
        for pillar, values in star_readings(chart, table):
            if x.branch in values or x.stem in values:
                places = "".join(_label(str(v)) for v in values)
                return f"at {pillar.unit} {_label(pillar.pair or pillar.branch)} {_label(star)} falls on {places}"
    return None


def _stage(what: str, branch: Callable[[Chart, Line | Pillar], str | None]) -> Callable[[Chart, Line | Pillar], str]:
    def say(chart: Chart, x: Line | Pillar) -> str:
        at = branch(chart, x)
        return f"{_label(x.element)} at {what} {_label(at)} is in {_label(chart.stage(x.element, at))}" if at else "?"

    return say


def _unit(unit: str) -> Callable[[Chart, Line | Pillar], str | None]:
    return lambda chart, _: chart.pillars[unit].branch if unit in chart.pillars else None


def _changed(chart: Chart, x: Line | Pillar) -> str | None:
    changed = chart.changed_lines[x.position - 1] if isinstance(x, Line) else None
    return changed.branch if changed else None


_VALUES: Final[dict[str, Callable[[Chart, Line | Pillar], str]]] = {
    "stageByDay": _stage("the day", _unit("day")),
    "stageByMonth": _stage("the month", _unit("month")),
    "stageByChange": _stage("its changed branch", _changed),
    "stageAtYing": _stage("the response", lambda chart, _: chart.visible[chart.ying - 1].branch),
    "stageByFlying": _stage("the line above", lambda chart, x: chart.visible[x.position - 1].branch if isinstance(x, Line) else None),
}


def _steps(place: kinship.Place | None) -> str:
    return "; ".join(place.because) if place else "?"


def limit_words(chart: Chart) -> str:
    """The limit in which the age asked about falls, in words; empty where no age was given."""
    found = at_age(chart, chart.given.age) if chart.given.age else None
    if found is None:
        return ""
    figure = {"line": "the original hexagram", "changed": "the changed hexagram", "mutual": "the mutual hexagram"}[found.figure]
    return f"at the age of {chart.given.age} line {found.position} {_label(found.branch)} of {figure} governs, from {found.first} to {found.last}"


class _Values(dict[str, str]):
    """The words that the rules above may need, worked out only when asked for."""

    def __init__(self, chart: Chart, x: Line | Pillar | None) -> None:
        super().__init__()
        self.chart, self.x = chart, x

    def __missing__(self, key: str) -> str:
        chart, x, o = self.chart, self.x, ontology()
        relative = symbol("relative", chart.given.relative or "")
        words: dict[str, Callable[[], str]] = {
            "shi": lambda: str(chart.shi),
            "ying": lambda: str(chart.ying),
            "generation": lambda: str(chart.generation + 1),
            "palace": lambda: _label(chart.palace),
            "shi_polarity": lambda: "yang" if chart.visible[chart.shi - 1].yang else "yin",
            "body_start": lambda: "子" if chart.visible[chart.shi - 1].yang else "午",
            "body": lambda: _label(chart.body_branch),
            "number": lambda: str(chart.given.lines[x.position - 1]) if isinstance(x, Line) else "?",
            "decade": lambda: _label(o.one(chart.pillars["day"].pair or "", ns("decade"))),
            "void": lambda: "".join(map(_label, chart.void)),
            "trigram": lambda: _label(x.trigram) if isinstance(x, Line) else "?",
            "branch": lambda: _label(x.branch) if x else "?",
            "season_term": lambda: _label(chart.season_term),
            "mid_term": lambda: _label(chart.mid_term),
            "rising": lambda: str(chart.tables.get("rising-line").place(chart.mid_term)) if chart.mid_term else "?",
            "kin": lambda: _label(x.kin) if x else "?",
            "relative": lambda: _label(relative),
            "kin_class": lambda: ", ".join(map(_label, o.iris(relative, ns("kinClass")))),
            "kin_stated": lambda: ", ".join(map(iris.key, o.iris(relative, ns("kinStatedBy")))),
            "flown": lambda: _steps(kinship.flown(chart, relative, chart.given.asks)),
            "place": lambda: _steps(kinship.place_of(chart, relative, chart.given.asks)),
            "descendants": lambda: _steps(kinship.descendants(chart, relative, chart.given.asks)),
            "limit": lambda: limit_words(chart),
            "palace_grade": lambda: _label(chart.tables.get("trigram-season").iri_of(chart.season_term or "", chart.palace)),
        }
        if key in UNITS:
            return _label(chart.pillars[key].pair or chart.pillars[key].branch)
        return words[key]()
