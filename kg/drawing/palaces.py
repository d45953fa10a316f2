"""The 奇門 hour chart: pillars, 局, star and door on duty above; nine palaces in the order of the 洛書, south on top."""

from collections.abc import Collection
from typing import Final
from xml.etree import ElementTree as ET

from kg.drawing.svg import Canvas, across
from kg.drawing.words import WORDS
from kg.judgement import Judgement
from kg.qimen_chart import METHOD_NAMES, PALACE_SIGNS, SQUARE, YUAN_NAMES, ju_name, way
from kg.qimen_reasons import palace_name
from kg.render import UNIT_SIGNS
from loader import iris
from loader.iris import ns, symbol
from loader.ontology import ontology
from loader.qimen import CHIEF, Palace, QimenChart
from loader.qimen_facts import branches_of

_TEXT: Final = 21.0
_SMALL: Final = 14.0
_LEFT: Final = 10.0
_CELL: Final = (172.0, 142.0)
_STEM: Final = 116.0
"""How far into a palace its stems stand."""
_NATAL: Final = {
    "person-birth": "年命", "man-birth": "男命", "woman-birth": "女命", "person-age": "行年", "man-age": "男行年", "woman-age": "女行年",
}  # fmt: skip
_STANDING: Final = {"jia": "甲", "day-stem": "日", "hour-stem": "時"}
"""Kinds of what stands with a stem of the heaven plate, to the sign of it."""


def canvas(c: QimenChart, j: Judgement | None, language: str, lit: Collection[str]) -> Canvas:
    """The chart drawn; without a judgement the signs of a palace are those that the chart itself knows."""
    drawn = Canvas(c.iri, language, lit)
    y = _heading(drawn, c)
    for row, numbers in enumerate(SQUARE):
        for column, number in enumerate(numbers):
            _palace(drawn, c, j, c.palace(number), _LEFT + column * _CELL[0], y + row * _CELL[1])
    title, description = _said(c, language)
    drawn.said(title, description)
    return drawn


def _heading(drawn: Canvas, c: QimenChart) -> float:
    """What stands above the palaces; gives where it ends."""
    o = ontology()
    lines: list[list[tuple[str, str | None]]] = [[], [], [], []]
    for p in c.pillars:
        if p.unit in UNIT_SIGNS and p.pair:
            lines[0].append((o.label(p.pair) + UNIT_SIGNS[p.unit], p.iri))
        elif p.unit in _NATAL and p.pair:
            lines[3].append((f"{_NATAL[p.unit]} {o.label(p.pair)}", p.iri))
    lines[0].append((f"旬空 {''.join(map(o.label, c.void))}", None))
    term = f"{c.ju.term}{YUAN_NAMES.get(c.ju.yuan or 0, '')} " if c.ju.term else ""
    lines[1] += [(f"{term}{ju_name(c)}（{METHOD_NAMES[c.ju.method]}）", None), (f"旬首 {o.label(c.head)}{o.label(c.instrument)}", None)]
    for name, on_duty, end in (("值符", c.star_on_duty, c.arrival), ("值使", c.door_on_duty, c.door_arrival)):
        lines[2].append((f"{name} {o.label(on_duty)} {way(c.origin, end)}", None))
    asked = (("坐山", "mountain", c.given.mountain), ("主干", "stem", c.given.crop))
    lines[3] += [(f"{name} {o.label(symbol(kind, key))}", None) for name, kind, key in asked if key]
    y = 21.0
    for number, parts in enumerate(filter(None, lines)):
        x, size = _LEFT, _TEXT - 1 if number == 0 else _SMALL + 3
        for text, individual in parts:
            wide = across(text, size)
            into = drawn.group(individual, x - 3, y - 14, wide + 6, 28, css="pillar") if individual else drawn.top
            drawn.text(into, x, y, text, size)
            x += wide + 16
        y += 29
    return y - 6


def _palace(drawn: Canvas, c: QimenChart, j: Judgement | None, p: Palace, x: float, y: float) -> None:
    o, (wide, high) = ontology(), _CELL
    palace = drawn.group(p.iri, x, y, wide, high, css="palace")
    drawn.frame(palace, x, y, wide, high)
    drawn.text(palace, x + 12, y + 20, palace_name(p.number), _SMALL + 1, faint=True)
    if signs := _signs(c, j, p):
        drawn.text(palace, x + wide - 12, y + 20, " ".join(signs), _SMALL + 1, anchor="end")
    if p.deity:
        # The first spirit is the star on duty, and no individual of its own.
        into = palace if p.deity == CHIEF else _plate(drawn, c, palace, "deity", p.deity, x + 12, y + 50, _TEXT)
        drawn.text(into, x + 12, y + 50, o.label(p.deity), _TEXT)
    for k, (star, stem) in enumerate(zip(p.stars, p.heaven, strict=True)):
        # A lodged star of a rotating plate stands behind that of the palace, and its stem above.
        at = x + 12 + k * (across("天任", _TEXT) + 6)
        drawn.text(_plate(drawn, c, palace, "star", star, at, y + 84, _TEXT), at, y + 84, o.label(star), _TEXT)
        at, level = x + _STEM, y + 84 - k * 34
        drawn.text(_plate(drawn, c, palace, "stem", stem, at, level, _TEXT), at, level, o.label(stem), _TEXT)
    if p.door:
        drawn.text(_plate(drawn, c, palace, "door", p.door, x + 12, y + 118, _TEXT), x + 12, y + 118, o.label(p.door), _TEXT)
    drawn.text(palace, x + _STEM, y + 118, o.label(p.earth), _TEXT)
    standing = [plate for plate in c.plates if plate.kind in _STANDING and plate.palace == p.number]
    for k, plate in enumerate(standing):
        at = y + 84 + (k - (len(standing) - 1) / 2) * 18
        into = drawn.group(plate.iri, x + wide - 32, at - 9, 20, 18, css=plate.kind, into=palace)
        drawn.text(into, x + wide - 29, at, _STANDING[plate.kind], _SMALL, faint=True)


def _plate(drawn: Canvas, c: QimenChart, into: ET.Element, kind: str, of: str, x: float, y: float, size: float) -> ET.Element:
    return drawn.group(iris.part(c.iri, kind, iris.key(of)), x - 3, y - 16, across(ontology().label(of), size) + 6, 32, css=kind, into=into)


def _signs(c: QimenChart, j: Judgement | None, p: Palace) -> list[str]:
    if j:
        return [sign for klass, sign in PALACE_SIGNS.items() if j.closed.holds(p.iri, ns(klass))]
    known = {"Void": set(c.void) & set(p.branches), "StarYima": set(branches_of(c)["StarYima"]) & set(p.branches), "OriginPalace": p.number == c.origin}
    return [sign for klass, sign in PALACE_SIGNS.items() if known[klass]]


def _said(c: QimenChart, language: str) -> tuple[str, str]:
    w, label = WORDS[language], ontology().label

    def names(iris_: Collection[str | None]) -> str:
        return " ".join(label(s, language) for s in iris_ if s)

    said = [f"{palace_name(n)}: {names([p.deity, *p.stars, *p.heaven, p.door, p.earth])}" for row in SQUARE for n in row if (p := c.palace(n))]
    duty = f"值符 {label(c.star_on_duty, language)} {way(c.origin, c.arrival)}, 值使 {label(c.door_on_duty, language)} {way(c.origin, c.door_arrival)}"
    pillars = " ".join(f"{c.given.pillars[u]}{sign}" for u, sign in UNIT_SIGNS.items() if u in c.given.pillars)
    return f"{w['hour']}: {pillars} {ju_name(c)}", f"{duty}. {w['on-top']}: {'; '.join(said)}."
