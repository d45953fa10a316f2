"""Who is spoken of in a proof, in the language of the page."""

from typing import Final

from kg.pages.words import Words
from kg.qimen_reasons import palace_name, part_of
from kg.reasons import describe
from loader import iris
from loader.cast import AnyChart
from loader.liuyao import UNITS, Pillar
from loader.ontology import ontology
from loader.qimen import HourPillar, Palace, Plate, QimenChart

_STEMS: Final = ("day-stem", "hour-stem")


def who(chart: AnyChart, individual: str, w: Words) -> str:
    """An individual as a person would say it: `line 3 申 兄弟`, `3효 申 兄弟`.

    >>> from kg.web.frame import words
    >>> from kg.judgement import cast
    >>> chart = cast([8, 8, 9, 7, 8, 8], "childbirth", pillars={"month": "辰", "day": "戊辰"}).chart
    >>> [who(chart, chart.visible[2].iri, words(language)) for language in ("en", "ko", "zh-hant")]
    ['line 3 申 兄弟', '3효 申 兄弟', '3爻 申 兄弟']
    """
    if w.language == "en":
        return describe(chart, individual)
    if individual == chart.iri:
        return w("who-cast")
    return (_hour(chart, individual, w) if isinstance(chart, QimenChart) else _six(chart, individual, w)) or describe(chart, individual)


def _six(chart: AnyChart, individual: str, w: Words) -> str | None:
    if isinstance(chart, QimenChart):
        return None
    o = ontology()
    for x in (*chart.bearers, *chart.mutual_lines):
        if x.iri == individual:
            if isinstance(x, Pillar):
                return f"{w(f'field-{x.unit}')} {o.label(x.pair or x.branch)}"
            return f"{w(f'who-{x.role}', x.position)} {o.label(x.branch)} {o.label(x.kin)}"
    return w("who-figure") if individual == iris.part(chart.iri, "changed") else None


def _hour(chart: QimenChart, individual: str, w: Words) -> str | None:
    x, label = part_of(chart, individual), ontology().label
    if isinstance(x, Palace):
        return palace_name(x.number)
    if isinstance(x, Plate):
        return f"{palace_name(x.palace)} {w(f'who-{x.kind}') + ' ' if x.kind in _STEMS else ''}{label(x.symbol)}"
    if isinstance(x, HourPillar) and x.unit in UNITS and x.pair:
        return f"{w(f'field-{x.unit}')} {label(x.pair)}"
    return None
