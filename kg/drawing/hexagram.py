"""The 六爻 chart: pillars above; below them the lines, line 6 on top, each with its spirit, what it hides, 世 or 應, and what it becomes."""

from collections.abc import Collection, Iterator
from typing import Final
from xml.etree import ElementTree as ET

from kg.drawing.svg import Canvas, across
from kg.drawing.words import WORDS
from kg.judgement import Judgement
from kg.render import MARKS, UNIT_SIGNS, full_name, najia, place_in_palace, states
from loader.liuyao import UNITS, Chart, Line
from loader.ontology import ontology

_TEXT: Final = 20.0
_SMALL: Final = 14.0
_ROW: Final = 50.0
_LEFT: Final = 10.0
_BAR: Final = (68.0, 9.0)
_SHORT: Final = 0.42
"""How much of a broken line each of its halves takes."""


class _Columns:
    """Where the columns begin; those that show nothing take no room."""

    def __init__(self, c: Chart) -> None:
        self.spirit = _LEFT
        self.hidden = self.spirit + (across("青龍", _TEXT) + 14 if c.spirits else 0)
        self.najia = self.hidden + (across("父母丁未土", _SMALL) + 16 if any(c.hidden) else 0)
        self.bar = self.najia + across("父母丁未土", _TEXT) + 10
        self.mark = self.bar + _BAR[0] + 8
        self.role = self.mark + (_TEXT + 4 if c.moving else 0)
        self.changed = self.role + _TEXT + 14
        self.becomes = self.changed + _BAR[0] + 8


def canvas(c: Chart, j: Judgement | None, language: str, lit: Collection[str]) -> Canvas:
    """The chart drawn; without a judgement only what the chart itself says stands at its lines."""
    drawn, at = Canvas(c.iri, language, lit), _Columns(c)
    _heading(drawn, c, at)
    for i in range(5, -1, -1):
        _row(drawn, c, j, at, i, 104 + (5 - i) * _ROW)
    title, description = _said(c, language)
    drawn.said(title, description)
    return drawn


def _heading(drawn: Canvas, c: Chart, at: _Columns) -> None:
    o, x = ontology(), _LEFT
    for unit in UNITS:
        if p := c.pillars.get(unit):
            text = f"{o.label(p.pair or p.branch)}{UNIT_SIGNS[unit]}"
            wide = across(text, _TEXT)
            drawn.text(drawn.group(p.iri, x - 3, 7, wide + 6, 28, css="pillar"), x, 21, text, _TEXT)
            x += wide + 16
    more = [f"旬空 {''.join(map(o.label, c.void))}"] if c.void else []
    drawn.text(drawn.top, x, 21, "　".join([*more, f"卦身 {o.label(c.body_branch)}"]), _SMALL + 2, faint=True)
    drawn.text(drawn.top, at.najia, 56, full_name(c.hexagram), _TEXT)
    drawn.text(drawn.top, at.bar, 56, f"{o.label(c.palace)}宮{place_in_palace(c.generation)}", _SMALL, faint=True)
    if c.changed:
        drawn.text(drawn.top, at.changed, 56, f"之 {full_name(c.changed)}", _TEXT)
    if c.spirits:
        drawn.text(drawn.top, at.spirit, 56, "六神", _SMALL, faint=True)
    if any(c.hidden):
        drawn.text(drawn.top, at.hidden, 56, "伏神", _SMALL, faint=True)


def _row(drawn: Canvas, c: Chart, j: Judgement | None, at: _Columns, i: int, y: float) -> None:
    v, h, x = c.visible[i], c.hidden[i], c.changed_lines[i]
    if h:
        group = drawn.group(h.iri, at.hidden - 4, y - 14, across(najia(h), _SMALL) + 8, 28, css="hidden")
        drawn.text(group, at.hidden, y, najia(h), _SMALL, faint=True)
    group = drawn.group(v.iri, at.najia - 6, y - 22, at.role + _TEXT + 4 - at.najia + 6, 44, css="line")
    if c.spirits:
        drawn.text(group, at.spirit, y, ontology().label(c.spirits[i]), _TEXT)
    signs = states(j, v) if j else "空" if v.branch in c.void else ""
    drawn.text(group, at.najia, y - (8 if signs else 0), najia(v), _TEXT)
    if signs:
        drawn.text(group, at.najia, y + 13, signs, _SMALL, faint=True)
    _bar(drawn, group, at.bar, y, v)
    if v.position in c.moving:
        drawn.text(group, at.mark, y, MARKS[c.given.lines[i]], _TEXT)
    if v.position in (c.shi, c.ying):
        drawn.text(group, at.role, y, "世" if v.position == c.shi else "應", _TEXT)
    if x:
        group = drawn.group(x.iri, at.changed - 4, y - 22, at.becomes + across(najia(x), _TEXT) + 4 - at.changed + 4, 44, css="changed")
        _bar(drawn, group, at.changed, y, x)
        drawn.text(group, at.becomes, y, najia(x), _TEXT)


def _bar(drawn: Canvas, into: ET.Element, x: float, y: float, line: Line) -> None:
    wide, high = _BAR
    if line.yang:
        drawn.box(into, x, y - high / 2, wide, high, css="yang")
    else:
        for start in (x, x + wide * (1 - _SHORT)):
            drawn.box(into, start, y - high / 2, wide * _SHORT, high, css="yin")


def _said(c: Chart, language: str) -> tuple[str, str]:
    w, label = WORDS[language], ontology().label
    title = f"{w['hexagram']} {full_name(c.hexagram)} ({label(c.hexagram, language)})"
    if c.changed:
        title += f", {w['changed']} {full_name(c.changed)} ({label(c.changed, language)})"
    return title, f"{w['upward']}: " + "; ".join(_line_said(c, i, language) for i in range(6)) + "."


def _line_said(c: Chart, i: int, language: str) -> str:
    v, h, x = c.visible[i], c.hidden[i], c.changed_lines[i]

    def said(line: Line) -> Iterator[str]:
        yield from (ontology().label(s, language) for s in (line.kin, line.pair, line.element))

    w = WORDS[language]
    parts = [f"{w['line']} {v.position} {' '.join(said(v))}", w["yang" if v.yang else "yin"]]
    if x:
        parts.append(f"{w['moving']} {' '.join(said(x))}")
    if v.position in (c.shi, c.ying):
        parts.append("世" if v.position == c.shi else "應")
    if c.spirits:
        parts.append(ontology().label(c.spirits[i], language))
    if h:
        parts.append(f"{w['hidden']} {' '.join(said(h))}")
    return ", ".join(parts)
