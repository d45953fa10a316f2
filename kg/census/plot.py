"""Plots of a census, as SVG: the same rows give the same bytes."""

import io
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final

from kg.census.findings import PLOTTED, SECTIONS, Findings
from loader.errors import InputError
from loader.iris import symbol
from loader.ontology import ontology

_COLOURS: Final = ("#b8b8b8", "#4c78a8", "#54a24b", "#e45756", "#f2b134", "#8c6bb1")


def plots(found: Findings) -> dict[str, bytes]:
    """Section of the findings to its plot, for the sections of which there is something to say.

    Raises:
        InputError: matplotlib is not installed.
    """
    try:
        import matplotlib as mpl
    except ImportError as error:
        raise InputError("plots need matplotlib", todo="install guigu[bulk]") from error
    makers: dict[str, Callable[[Any, Findings], None]] = {
        "frequency": _frequency,
        "contradictions": _contradictions,
        "aspects": _aspects,
        "conventions": _conventions,
        "traditions": _traditions,
    }
    drawn = {}
    # Text stays text, so that a search finds it; the salt makes the names inside the file the same every time.
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "guigu", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False}):
        from matplotlib.figure import Figure

        for key in PLOTTED:
            if not list(SECTIONS[key][1](found)):
                continue
            figure = Figure(layout="constrained")
            makers[key](figure, found)
            stream = io.BytesIO()
            figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": "guigu census"})
            drawn[key] = stream.getvalue()
    return drawn


def _english(kind: str, key: str) -> str:
    return ontology().label(symbol(kind, key), "en")


def _frequency(figure: Any, found: Findings) -> None:
    """How many clauses fire on what share of the casts."""
    figure.set_size_inches(7, 3.2)
    axes = figure.subplots()
    edges = (0, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1)
    for n, (key, name) in enumerate((("days", "six lines"), ("hours", "hour chart"))):
        rows = [r for r in found.in_space(key) if r.fires]
        counts = [sum(low < r.fires / r.casts <= high for r in rows) for low, high in pairwise(edges)]
        axes.bar([x + 0.4 * n for x in range(len(counts))], counts, width=0.4, label=name, color=_COLOURS[1 + 2 * n])
    axes.set_xticks([x + 0.2 for x in range(len(edges) - 1)], [f"to {100 * edge:g} %" for edge in edges[1:]])
    axes.set_xlabel("share of the casts on which a clause fires")
    axes.set_ylabel("clauses")
    axes.legend(frameon=False)


def _bars(figure: Any, names: Sequence[str], parts: Sequence[tuple[str, Sequence[float], str]], unit: str) -> None:
    """Horizontal bars, one for each name, each of some parts side by side."""
    figure.set_size_inches(7, max(1.4, 0.6 + 0.22 * len(names)))
    axes = figure.subplots()
    left = [0.0] * len(names)
    for name, widths, colour in parts:
        axes.barh(range(len(names)), widths, left=left, label=name, color=colour)
        left = [a + b for a, b in zip(left, widths, strict=True)]
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.margins(y=0.01)
    axes.set_xlabel(unit)
    if len(parts) > 1:
        axes.legend(frameon=False, ncols=3, loc="lower left", bbox_to_anchor=(0, 1))


def _contradictions(figure: Any, found: Findings) -> None:
    """How many pairs of clauses disagree on some cast, by topic."""
    counts = Counter((r.space, r.topic) for r in found.pairs if r.kind == "contradicts" and r.space in ("days", "hours"))
    names = [f"{_english('topic', topic)}{' (hour chart)' if space == 'hours' else ''}" for space, topic in counts]
    _bars(figure, names, [("", list(counts.values()), _COLOURS[3])], "pairs of clauses that disagree on some cast")


def _aspects(figure: Any, found: Findings) -> None:
    """Shares of the aspects of childbirth."""
    rows = [r for r in found.aspects if r.space in ("days", "hours") and r.topic == "childbirth" and r.silent < r.casts]
    names = [f"{_english('aspect', r.about)}{' (hour chart)' if r.space == 'hours' else ''}" for r in rows]
    parts = [
        (name, [100 * getattr(r, field) / r.casts for r in rows], colour)
        for name, field, colour in (
            ("none", "silent", _COLOURS[0]),
            ("one", "single", _COLOURS[1]),
            ("agreeing", "agreeing", _COLOURS[2]),
            ("disagreeing", "conflicting", _COLOURS[3]),
        )
    ]
    _bars(figure, names, parts, "childbirth: % of the casts, by what the standing verdicts on an aspect are")


def _conventions(figure: Any, found: Findings) -> None:
    """The options that change most."""
    rows = sorted((r for r in found.conventions if r.changed), key=lambda r: (-r.changed / r.casts, r.convention, r.option))[:25]
    names = [f"{r.convention}={r.option}{' (hour chart)' if r.tradition == 'qimen' else ''}" for r in rows]
    _bars(figure, names, [("", [100 * r.changed / r.casts for r in rows], _COLOURS[5])], "% of the casts with other verdicts than by default")


def _traditions(figure: Any, found: Findings) -> None:
    """How the two traditions speak of each aspect."""
    names = [_english("aspect", r.about) for r in found.accord]
    every = [r.silent + r.lines + r.hour + r.agree + r.part + r.other for r in found.accord]
    parts = [
        (name, [100 * getattr(r, field) / n for r, n in zip(found.accord, every, strict=True)], colour)
        for name, field, colour in (
            ("neither speaks", "silent", _COLOURS[0]),
            ("only six lines", "lines", _COLOURS[1]),
            ("only the hour chart", "hour", _COLOURS[4]),
            ("agree", "agree", _COLOURS[2]),
            ("part", "part", _COLOURS[3]),
            ("cannot be compared", "other", _COLOURS[5]),
        )
    ]
    _bars(figure, names, parts, "% of all casts in all double hours of the year")
