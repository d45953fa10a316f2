"""Why the chart states a fact: one sentence with the table or rule behind it."""

from collections.abc import Callable
from typing import Final

from kg import qimen_reasons
from loader import iris, kinship
from loader.cast import AnyChart
from loader.facts import star_readings
from loader.iris import ns, symbol
from loader.limits import at_age
from loader.liuyao import Chart, Line, Pillar
from loader.names import Term
from loader.ontology import ontology
from loader.qimen import QimenChart
from loader.saying import Said, Value, fields_of, has, joined, place, said, say

_TABLED: Final = ("generates", "controls", "generatedBy", "controlledBy")


def describe(chart: AnyChart, individual: str) -> Said:
    """An individual as a person would say it: `line 3 申 兄弟`, `the day 戊辰`, `the cast`.

    >>> from kg.judgement import cast
    >>> chart = cast([8, 8, 9, 7, 8, 8], "childbirth", pillars={"month": "辰", "day": "戊辰"}).chart
    >>> [describe(chart, chart.visible[2].iri).text(language) for language in ("en", "ko", "zh-hant")]
    ['line 3 申 兄弟', '3효 申 兄弟', '三爻兄弟申']
    """
    if isinstance(chart, QimenChart):
        return qimen_reasons.describe(chart, individual)
    if individual == chart.iri:
        return say("the-cast")
    x = _bearer(chart, individual)
    if isinstance(x, Pillar):
        return say("pillar", unit=say(f"unit-{x.unit}"), pillar=_label(x.pair or x.branch))
    if x is not None:
        return say("line" if x.role == "line" else f"line-{x.role}", place=place(x.position), branch=_label(x.branch), kin=_label(x.kin))
    return say("figure-changed") if individual == iris.part(chart.iri, "changed") else said(iris.key(individual))


def _bearer(chart: Chart, individual: str) -> Line | Pillar | None:
    return next((x for x in (*chart.bearers, *chart.mutual_lines) if x.iri == individual), None)


def reason(chart: AnyChart, term: Term | None, individual: str, value: str | None = None) -> Said | None:
    """Why a stated class or value holds of an individual, or None where the words say it already."""
    if isinstance(chart, QimenChart):
        return qimen_reasons.reason(chart, term, individual, value)
    if term is None:
        return None
    local, x = iris.key(term.iri), _bearer(chart, individual)
    if term.denotes and "/star/" in term.denotes:
        return _star(chart, term.denotes, x)
    if term.denotes and "/spirit/" in term.denotes and isinstance(x, Line):
        return say("spirit", stem=_label(chart.pillars["day"].stem), spirit=_label(chart.spirits[0]))
    if term.denotes and "/kin/" in term.denotes and x is not None:
        return _kin(chart, x)
    if local.startswith("Season") and x is not None and "month" in chart.pillars:
        return say("season", element=_label(x.element), branch=_label(chart.pillars["month"].branch))
    if has(f"six-{local}"):
        return say(f"six-{local}", **{name: _FIELDS[name](chart, x) for name in fields_of(f"six-{local}")})
    if local in _VALUES and x is not None:
        return _VALUES[local](chart, x)
    if value and local in ("branch", "element", "kin", "pair", "liesIn") and x is not None:
        return say("it-is", value=_label(value)) if local != "kin" else _kin(chart, x)
    return say("by-element") if local in _TABLED else None


def _label(iri: str | None) -> str:
    return ontology().label(iri) if iri else "?"


def _kin(chart: Chart, x: Line | Pillar) -> Said:
    names = {"branch": x.branch, "element": x.element, "kin": x.kin, "palace": chart.palace, "palace_element": chart.palace_element}
    return say("kin", **{field: _label(iri) for field, iri in names.items()})


def _star(chart: Chart, star: str, x: Line | Pillar | None) -> Said | None:
    if x is None:
        return None
    for s, table in chart.tables.star_tables():
        if s != star:
            continue
        for pillar, values in star_readings(chart, table):
            if x.branch in values or x.stem in values:
                places = "".join(_label(str(v)) for v in values)
                return say("star", unit=say(f"unit-{pillar.unit}"), pillar=_label(pillar.pair or pillar.branch), star=_label(star), places=places)
    return None


def _stage(what: str, branch: Callable[[Chart, Line | Pillar], str | None]) -> Callable[[Chart, Line | Pillar], Said]:
    def told(chart: Chart, x: Line | Pillar) -> Said:
        at = branch(chart, x)
        if not at:
            return said("?")
        return say("stage", element=_label(x.element), what=say(f"stage-at-{what}"), branch=_label(at), stage=_label(chart.stage(x.element, at)))

    return told


def _unit(unit: str) -> Callable[[Chart, Line | Pillar], str | None]:
    return lambda chart, _: chart.pillars[unit].branch if unit in chart.pillars else None


def _changed(chart: Chart, x: Line | Pillar) -> str | None:
    changed = chart.changed_lines[x.position - 1] if isinstance(x, Line) else None
    return changed.branch if changed else None


_VALUES: Final[dict[str, Callable[[Chart, Line | Pillar], Said]]] = {
    "stageByDay": _stage("day", _unit("day")),
    "stageByMonth": _stage("month", _unit("month")),
    "stageByChange": _stage("change", _changed),
    "stageAtYing": _stage("ying", lambda chart, _: chart.visible[chart.ying - 1].branch),
    "stageByFlying": _stage("flying", lambda chart, x: chart.visible[x.position - 1].branch if isinstance(x, Line) else None),
}


def _steps(found: kinship.Place | None) -> Said:
    return joined(found.because, say("then")) if found else said("?")


def limit_words(chart: Chart) -> Said | None:
    """The limit in which the age asked about falls, in words; None where no age was given, or none governs it."""
    age = chart.given.age
    found = at_age(chart, age) if age else None
    if age is None or found is None:
        return None
    figure, branch = say(f"figure-{found.figure}"), _label(found.branch)
    return say("limit", age=age, place=place(found.position), branch=branch, figure=figure, first=found.first, last=found.last)


def _relative(chart: Chart) -> str:
    return symbol("relative", chart.given.relative or "")


def _polarity(chart: Chart, yang: Value, yin: Value) -> Value:
    return yang if chart.visible[chart.shi - 1].yang else yin


def _pillar(unit: str) -> Callable[[Chart, Line | Pillar | None], Value]:
    return lambda chart, _: _label(chart.pillars[unit].pair or chart.pillars[unit].branch)


_FIELDS: Final[dict[str, Callable[[Chart, Line | Pillar | None], Value]]] = {
    "shi": lambda chart, _: place(chart.shi),
    "ying": lambda chart, _: place(chart.ying),
    "generation": lambda chart, _: chart.generation + 1,
    "palace": lambda chart, _: _label(chart.palace),
    "shi_polarity": lambda chart, _: _polarity(chart, say("yang"), say("yin")),
    "body_start": lambda chart, _: _polarity(chart, "子", "午"),
    "body": lambda chart, _: _label(chart.body_branch),
    "number": lambda chart, x: chart.given.lines[x.position - 1] if isinstance(x, Line) else "?",
    "day": _pillar("day"),
    "hour": _pillar("hour"),
    "decade": lambda chart, _: _label(ontology().one(chart.pillars["day"].pair or "", ns("decade"))),
    "void": lambda chart, _: "".join(map(_label, chart.void)),
    "trigram": lambda _, x: _label(x.trigram) if isinstance(x, Line) else "?",
    "branch": lambda _, x: _label(x.branch) if x else "?",
    "season_term": lambda chart, _: _label(chart.season_term),
    "mid_term": lambda chart, _: _label(chart.mid_term),
    "rising": lambda chart, _: place(chart.tables.get("rising-line").place(chart.mid_term)) if chart.mid_term else "?",
    "kin": lambda _, x: _label(x.kin) if x else "?",
    "relative": lambda chart, _: _label(_relative(chart)),
    "kin_class": lambda chart, _: joined(map(_label, ontology().iris(_relative(chart), ns("kinClass"))), say("listed")),
    "kin_stated": lambda chart, _: joined(map(iris.key, ontology().iris(_relative(chart), ns("kinStatedBy"))), say("listed")),
    "flown": lambda chart, _: _steps(kinship.flown(chart, _relative(chart), chart.given.asks)),
    "placed": lambda chart, _: _steps(kinship.place_of(chart, _relative(chart), chart.given.asks)),
    "descendants": lambda chart, _: _steps(kinship.descendants(chart, _relative(chart), chart.given.asks)),
    "limit": lambda chart, _: limit_words(chart) or "",
    "palace_grade": lambda chart, _: _label(chart.tables.get("trigram-season").iri_of(chart.season_term or "", chart.palace)),
}
"""The fields of the sentences of `sayings.yaml` on a cast, each worked out where a sentence has it."""
