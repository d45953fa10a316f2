"""A picture of the comparison graph: symbols left, aspects right, an edge for each tie, coloured by work and drawn by omen."""

from collections import Counter
from typing import Final
from xml.sax.saxutils import escape

import networkx as nx

from kg.compare import WORKS
from loader.errors import InputError
from loader.ontology import ontology

MOST: Final = 160
"""Nodes on one side of a picture: more could not be read."""
_STEP: Final = 22
_COLOURS: Final = {WORKS[0]: "#b3452c", WORKS[1]: "#2c5fb3"}
_DASHES: Final = {"auspicious": "", "inauspicious": "6 3"}


def svg(graph: "nx.MultiGraph[str]") -> str:
    """The graph as SVG with our labels; a tie is a title that names its clauses, shown where one points.

    Solid is auspicious, dashed inauspicious, dotted what has no omen; the wider, the more clauses.

    Raises:
        InputError: it has no node, or too many to be read.
    """
    o = ontology()
    sides = [sorted(n for n, data in graph.nodes(data=True) if data["kind"] == kind) for kind in ("symbol", "aspect")]
    if not all(sides) or max(map(len, sides)) > MOST:
        raise InputError(
            f"a graph of {len(sides[0])} symbols and {len(sides[1])} aspects cannot be drawn",
            where="--picture",
            todo=f"name an --aspect or a --symbol; at most {MOST} nodes a side are drawn",
        )
    height = _STEP * (max(map(len, sides)) + 4)
    place: dict[str, tuple[int, float]] = {}
    for x, nodes in zip((330, 670), sides, strict=True):
        gap = (height - 3 * _STEP) / (len(nodes) + 1)
        place |= {n: (x, 2 * _STEP + gap * (i + 1)) for i, n in enumerate(nodes)}
    found: Counter[tuple[str, str, str, str]] = Counter()
    clauses: dict[tuple[str, str, str, str], list[str]] = {}
    for u, v, clause, data in graph.edges(keys=True, data=True):
        a, b = (u, v) if graph.nodes[u]["kind"] == "symbol" else (v, u)
        key = (a, b, data["work"], data["omen"])
        found[key] += 1
        clauses.setdefault(key, []).append(clause)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 {height}" font-family="Noto Serif CJK TC, Songti TC, serif" font-size="13">',
        f'<rect width="1000" height="{height}" fill="#fffdf8"/>',
    ]
    for x, work in zip((330, 670), WORKS, strict=True):
        lines.append(f'<text x="{x}" y="20" text-anchor="middle" fill="{_COLOURS[work]}">{escape(o.label(work))}</text>')
    for key, count in sorted(found.items()):
        (x1, y1), (x2, y2) = place[key[0]], place[key[1]]
        # The two works bend apart, so that ties of both stay seen.
        bend = 24 if key[2] == WORKS[0] else -24
        style = f'stroke="{_COLOURS.get(key[2], "#777")}" stroke-width="{min(1 + count / 2, 6):g}" stroke-dasharray="{_DASHES.get(key[3], "1 3")}"'
        title = escape(", ".join(sorted(clauses[key])))
        lines.append(f'<path d="M{x1} {y1:g} Q500 {(y1 + y2) / 2 - bend:g} {x2} {y2:g}" fill="none" {style} opacity="0.75"><title>{title}</title></path>')
    for node, (x, y) in sorted(place.items()):
        zh, en = o.label(node), o.label(node, "en")
        label = escape(zh if zh == en else f"{zh} {en}")
        anchor, shift = ("end", -8) if x < 500 else ("start", 8)
        lines.append(f'<circle cx="{x}" cy="{y:g}" r="3.5"/><text x="{x + shift}" y="{y + 4:g}" text-anchor="{anchor}">{label}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"
