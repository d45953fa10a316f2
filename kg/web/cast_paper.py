"""An answer as PDF, to be printed or kept: the chart, the verdicts with their quotes, times and numbers.

The fonts are those that PDF names for Chinese and Korean; a reader brings its own for them, so the file stays small.
"""

import io
import re
from collections.abc import Iterator
from functools import cache
from typing import Final
from xml.etree import ElementTree as ET

from markupsafe import escape
from reportlab.graphics.shapes import Drawing, Rect, String
from reportlab.lib.colors import Color
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas as Paper
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Spacer

from kg.drawing import Canvas, canvas
from kg.judgement import Verdict
from kg.pages.words import Words
from kg.text import OMEN_SIGNS
from kg.web.cast_answer import Answer
from kg.web.cast_months import Rule, when_said
from kg.web.frame import words
from loader.iris import symbol
from loader.ontology import ontology

_HAN: Final = "MSung-Light"
_HANGUL: Final = "HYSMyeongJo-Medium"
_LATIN: Final = "Times-Roman"
_RUNS: Final = re.compile(r"(?P<latin>[\x20-\x7e\xa0-\xff]+)|(?P<hangul>[ᄀ-ᇿ㄰-㆏가-힣]+)|(?P<han>.)", re.DOTALL)
_MARGIN: Final = 54.0
_LARGEST: Final = 0.8
"""Points for a unit of the drawing, at most."""


def _style(name: str, size: float, *, before: float = 0, indent: float = 0, han: bool = False) -> ParagraphStyle:
    # Chinese breaks anywhere, the rest between words.
    wrap = "CJK" if han else None
    return ParagraphStyle(name, fontName=_LATIN, fontSize=size, leading=size * 1.45, spaceBefore=before, leftIndent=indent, wordWrap=wrap)


_TITLE: Final = _style("title", 16)
_HEAD: Final = _style("head", 12.5, before=12)
_QUOTE: Final = _style("quote", 12, before=5, indent=10, han=True)
_BODY: Final = _style("body", 9.5, indent=10)
_SMALL: Final = _style("small", 8, indent=10)


def pdf(answer: Answer) -> bytes:
    """The answer as PDF; equal answers give equal bytes."""
    _fonts()
    into = io.BytesIO()
    drawn = canvas(answer.judgement, answer.language)
    title = next(drawn.root.itertext())
    iri = answer.judgement.chart.iri

    def foot(paper: Paper, _document: SimpleDocTemplate) -> None:
        paper.setFont(_LATIN, 7.5)
        paper.drawString(_MARGIN, _MARGIN / 2, f"{iri} · {paper.getPageNumber()}")

    document = SimpleDocTemplate(
        into, pagesize=A4, title=title, author="guigu", invariant=1, lang=answer.language,
        leftMargin=_MARGIN, rightMargin=_MARGIN, topMargin=_MARGIN, bottomMargin=_MARGIN,
    )  # fmt: skip
    document.build(list(_flow(answer, title, drawn)), onFirstPage=foot, onLaterPages=foot)
    return into.getvalue()


@cache
def _fonts() -> None:
    han = UnicodeCIDFont(_HAN)
    # reportlab names for it the characters of another collection, which leaves a reader without any.
    han.encodingName = "UniCNS-UCS2-H"
    pdfmetrics.registerFont(han)
    pdfmetrics.registerFont(UnicodeCIDFont(_HANGUL))


def runs(text: str) -> str:
    """Text as markup of reportlab, each run of a script in a font that has it.

    >>> runs("a 卦 <b>")
    'a <font name="MSung-Light">卦</font> &lt;b&gt;'
    """
    found: list[tuple[str, str]] = []
    for run in _RUNS.finditer(text):
        font = {"latin": _LATIN, "hangul": _HANGUL, "han": _HAN}[run.lastgroup or "han"]
        if found and found[-1][0] == font:
            found[-1] = (font, found[-1][1] + run[0])
        else:
            found.append((font, run[0]))
    return "".join(str(escape(part)) if font == _LATIN else f'<font name="{font}">{escape(part)}</font>' for font, part in found)


def _flow(answer: Answer, title: str, drawn: Canvas) -> Iterator[Flowable]:
    w, j = words(answer.language), answer.judgement
    yield Paragraph(runs(title), _TITLE)
    yield Spacer(1, 10)
    yield picture(drawn)
    for aspect in answer.aspects:
        yield Paragraph(runs(_trio(aspect.iri) if aspect.iri else w("cast-overall")), _HEAD)
        for v in aspect.verdicts:
            yield from _verdict(answer, v, w)
    if not j.verdicts:
        yield Paragraph(runs(w("cast-nothing")), _BODY)
    if rules := answer.times.rules:
        yield Paragraph(runs(w("cast-times")), _HEAD)
        yield from (Paragraph(runs(_time(rule, w)), _BODY) for rule in rules)
    if j.reckonings:
        yield Paragraph(runs(w("cast-numbers")), _HEAD)
        for r in j.reckonings:
            amounts = " / ".join(map(str, r.amounts))
            yield Paragraph(runs(f"{_trio(r.quantity)}: {amounts} = {r.sum.text(answer.language)} ({', '.join(r.clauses)})"), _BODY)
    if j.conflicts:
        yield Paragraph(runs(w("cast-conflicts")), _HEAD)
        for c in j.conflicts:
            sides = f" {w('cast-against')} ".join(f"{_outcome(c.ground, says, answer.language)} ({', '.join(ids)})" for says, ids in c.sides)
            yield Paragraph(runs(f"{_trio(symbol('aspect', c.about))}: {sides}"), _BODY)
    if answer.open:
        yield Paragraph(runs(w("cast-open")), _HEAD)
        for one in answer.open:
            unknown = answer.unknown(one.unknown).text(answer.language)
            yield Paragraph(runs(f"{w('cast-open-for')} {unknown}: {', '.join(c.id for c in one.clauses)}"), _SMALL)
    for note in answer.notes:
        yield Paragraph(runs(note.text(answer.language)), _SMALL)


def _verdict(answer: Answer, v: Verdict, w: Words) -> Iterator[Flowable]:
    c = v.clause
    sign = OMEN_SIGNS.get(c.omen or "", "")
    value = f" → {_outcome('outcome', c.value, answer.language)}" if c.value else ""
    lost = "" if v.stands else f" [{w('cast-overridden')} {', '.join(v.overridden_by)}]"
    yield Paragraph(runs(f"{sign}「{c.quote}」{value}{lost}"), _QUOTE)
    if answer.language != "zh-hant":
        yield Paragraph(runs(c.ko if answer.language == "ko" else c.en), _BODY)
    by = "; ".join(p.individual.text(answer.language) for p in v.proofs)
    work = ontology().label(symbol("work", c.passage.chapter.work))
    yield Paragraph(runs(f"{c.id} · {work} {c.passage.place} · {by}"), _SMALL)


def _time(rule: Rule, w: Words) -> str:
    found = "; ".join(f"{w(f'unit-{unit}')} {', '.join(d.isoformat() for d in days)}" for unit, days in rule.dates.items() if days)
    return f"{rule.number}. {rule.clause.id} 「{rule.clause.quote}」 {when_said(rule.when, w)}{': ' if found else ''}{found}"


def _trio(iri: str) -> str:
    return " · ".join(ontology().label(iri, language) for language in ("zh-hant", "ko", "en"))


def _outcome(ground: str, key: str, language: str) -> str:
    return ontology().label(symbol("outcome" if ground == "outcome" else "omen", key), language)


def picture(drawn: Canvas) -> Drawing:
    """The same drawing for reportlab: its boxes and texts, as large as the page allows."""
    drawn.written()
    wide, high = (float(drawn.root.attrib[side]) for side in ("width", "height"))
    scale = min(_LARGEST, (A4[0] - 2 * _MARGIN) / wide)
    found = Drawing(wide * scale, high * scale)
    for element in drawn.root.iter():
        if element.tag == "rect":
            found.add(_rect(element.attrib, high, scale))
        elif element.tag == "text":
            found.add(_string(element, high, scale))
    return found


def _rect(a: dict[str, str], high: float, scale: float) -> Rect:
    x, y, wide, tall = (float(a.get(k, "0")) * scale for k in ("x", "y", "width", "height"))
    found = Rect(x, high * scale - y - tall, wide, tall)
    found.strokeColor = found.fillColor = None
    if a.get("fill") == "none":
        found.strokeColor, found.strokeWidth = Color(0.5, 0.5, 0.5), 0.7
    else:
        found.fillColor = Color(0, 0, 0, float(a.get("fill-opacity", "1")))
    return found


def _string(element: ET.Element, high: float, scale: float) -> String:
    a = element.attrib
    x, y, size = float(a["x"]) * scale, (high - float(a["y"])) * scale, float(a["font-size"]) * scale
    found = String(x, y, element.text or "", fontName=_HAN, fontSize=size)
    if a.get("text-anchor") == "end":
        found.textAnchor = "end"
    if "fill-opacity" in a:
        found.fillColor = Color(0.3, 0.3, 0.3)
    return found
