"""A chart as SVG, drawn as the field draws it: it stands alone as a file, or in a page, light or dark."""

from collections.abc import Collection

from kg.drawing import hexagram, palaces
from kg.drawing.svg import Canvas, mark
from kg.judgement import Judgement
from loader.cast import AnyChart
from loader.qimen import QimenChart

__all__ = ["Canvas", "canvas", "drawing", "mark"]


def drawing(found: Judgement | AnyChart, language: str = "en", lit: Collection[str] = frozenset()) -> str:
    """The chart as SVG.

    Args:
        found: a judgement; or a chart alone, which shows nothing that must be derived, such as 暗動.
        language: that of its title and of its description for those who do not see it, one of `kg.pages.words.LANGUAGES`.
        lit: IRIs of individuals to mark, such as the witnesses of a verdict.

    Returns:
        One `svg` element. Each line, pillar, palace and symbol is a group with the id `mark(iri)`, those of `lit` of the class `lit`.

    >>> from kg.judgement import cast
    >>> j = cast([8, 8, 9, 7, 8, 8], "childbirth", pillars={"month": "辰", "day": "戊辰"})
    >>> svg = drawing(j, "en", {j.chart.visible[2].iri})
    >>> svg.count('class="lit '), f'id="{mark(j.chart.visible[2].iri)}"' in svg
    (1, True)
    """
    return canvas(found, language, lit).written()


def canvas(found: Judgement | AnyChart, language: str = "en", lit: Collection[str] = frozenset()) -> Canvas:
    """The chart, drawn and not yet written: for what draws it otherwise, such as a PDF."""
    j, chart = (found, found.chart) if isinstance(found, Judgement) else (None, found)
    if isinstance(chart, QimenChart):
        return palaces.canvas(chart, j, language, lit)
    return hexagram.canvas(chart, j, language, lit)
