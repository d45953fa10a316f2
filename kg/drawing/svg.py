"""Drawing in SVG: text, bars and boxes in groups that belong to individuals; no style, no script, every colour that of the text around."""

from collections.abc import Collection
from typing import Final
from xml.etree import ElementTree as ET

from kg.pages.words import TAGS
from kg.text import width
from loader import iris

_NAMESPACE: Final = "http://www.w3.org/2000/svg"
_LANG: Final = "{http://www.w3.org/XML/1998/namespace}lang"
_FACES: Final = "'Noto Serif CJK TC', 'Noto Serif TC', 'Source Han Serif TC', 'Songti TC', PMingLiU, serif"
_GLOW: Final = "0.16"
"""How far what is lit is filled with the colour of the text; a page may say more by the class `lit`."""


def mark(individual: str) -> str:
    """The id in a drawing of an individual of a cast: its IRI below the base.

    >>> mark(iris.part(iris.BASE + "cast/0123456789abcdef", "line", 3))
    'cast-0123456789abcdef-line-3'
    """
    return individual.removeprefix(iris.BASE).replace("/", "-")


def across(text: str, size: float) -> float:
    """How wide a text of Chinese characters is.

    >>> across("兄弟 3", 10)
    30.0
    """
    return width(text) * size / 2


class Canvas:
    """An SVG image that grows by what is drawn on it.

    Attributes:
        root: the `svg` element.
        wide: its width in units.
        high: its height.
    """

    def __init__(self, cast: str, language: str, lit: Collection[str]) -> None:
        self.wide = self.high = 0.0
        self._lit = lit
        self._cast = cast
        name = mark(cast)
        self.root = ET.Element("svg", {"xmlns": _NAMESPACE, "id": name, "class": "chart", "role": "img", "aria-labelledby": f"{name}-title {name}-desc"})
        self.root.attrib |= {"font-family": _FACES, "fill": "currentColor", "stroke": "none"}
        if cast in lit:
            self.root.set("class", "lit chart")
        self._said = [ET.SubElement(self.root, tag, {"id": f"{name}-{tag}", _LANG: TAGS[language]}) for tag in ("title", "desc")]
        self.top = ET.SubElement(self.root, "g", {_LANG: TAGS["zh-hant"]})

    def said(self, title: str, description: str) -> None:
        """Say what the image shows, for those who do not see it."""
        for element, text in zip(self._said, (title, description), strict=True):
            element.text = text

    def group(self, individual: str, x: float, y: float, wide: float, high: float, *, css: str, into: ET.Element | None = None) -> ET.Element:
        """A group that belongs to an individual, before a box that is filled where it is lit."""
        lit = individual in self._lit
        found = ET.SubElement(self.top if into is None else into, "g", {"id": mark(individual), "class": f"lit {css}" if lit else css})
        self.box(found, x, y, wide, high, css="back", opacity=_GLOW if lit else "0")
        return found

    def text(self, into: ET.Element, x: float, y: float, text: str, size: float, *, anchor: str = "start", faint: bool = False) -> None:
        """Text whose middle line runs at `y`."""
        attributes = {"x": _number(x), "y": _number(y + size * 0.36), "font-size": _number(size)}
        if anchor != "start":
            attributes["text-anchor"] = anchor
        if faint:
            attributes["fill-opacity"] = "0.72"
        ET.SubElement(into, "text", attributes).text = text
        end = {"start": x + across(text, size), "middle": x + across(text, size) / 2, "end": x}[anchor]
        self._reach(end, y + size * 0.6)

    def box(self, into: ET.Element, x: float, y: float, wide: float, high: float, *, css: str, opacity: str = "1") -> None:
        """A filled box."""
        attributes = {"class": css, "x": _number(x), "y": _number(y), "width": _number(wide), "height": _number(high)}
        if opacity != "1":
            attributes["fill-opacity"] = opacity
        ET.SubElement(into, "rect", attributes)
        self._reach(x + wide, y + high)

    def frame(self, into: ET.Element, x: float, y: float, wide: float, high: float) -> None:
        """The outline of a box."""
        attributes = {"x": _number(x), "y": _number(y), "width": _number(wide), "height": _number(high)}
        ET.SubElement(into, "rect", attributes | {"class": "frame", "fill": "none", "stroke": "currentColor", "stroke-opacity": "0.5"})
        self._reach(x + wide, y + high)

    def _reach(self, x: float, y: float) -> None:
        self.wide, self.high = max(self.wide, x), max(self.high, y)

    def written(self, margin: float = 10) -> str:
        """The image as text, with a margin on the right and below."""
        wide, high = self.wide + margin, self.high + margin
        self.root.attrib |= {"viewBox": f"0 0 {_number(wide)} {_number(high)}", "width": _number(wide), "height": _number(high)}
        if self._cast in self._lit:
            found = ET.Element("rect", {"class": "back", "width": _number(wide), "height": _number(high), "fill-opacity": _GLOW})
            self.root.insert(len(self._said), found)
        return ET.tostring(self.root, encoding="unicode") + "\n"


def _number(value: float) -> str:
    """A length without more digits than it needs.

    >>> _number(12.0), _number(7.25)
    ('12', '7.2')
    """
    return f"{value:.1f}".removesuffix(".0")
