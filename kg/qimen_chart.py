"""An hour chart drawn and as data: the nine palaces as the field draws them, south on top, and the facts about the whole."""

from collections.abc import Iterator
from typing import Any, Final

from kg.judgement import Judgement
from kg.qimen_reasons import palace_name
from kg.text import pad
from loader.iris import ns
from loader.liuyao import UNITS
from loader.ontology import ontology
from loader.qimen import Palace, QimenChart
from loader.qimen_facts import branches_of

SQUARE: Final = ((4, 9, 2), (3, 5, 7), (8, 1, 6))
_CELL: Final = 24
YUAN_NAMES: Final = {1: "上元", 2: "中元", 3: "下元"}
METHOD_NAMES: Final = {"chaibu": "拆補", "zhirun": "置閏", "maoshan": "茅山", "given": "given"}
PALACE_SIGNS: Final = {"Void": "空", "StarYima": "馬", "OriginPalace": "元"}
"""Classes of palaces to the signs that a chart shows of them."""
_FALLS: Final = {
    "HeavenGate": "天門",
    "EarthHousehold": "地戶",
    "HeavenHorse": "天馬",
    "PrivateGate": "私門",
    "StarYima": "驛馬",
    "QYangNoble": "陽貴",
    "QYinNoble": "陰貴",
}


def data(j: Judgement, c: QimenChart) -> dict[str, Any]:
    """The chart as plain data; symbols by their Chinese term."""
    label, falls = ontology().label, branches_of(c)
    return {
        "pillars": {u: c.given.pillars.get(u) for u in UNITS},
        "term": c.ju.term or c.given.term,
        "yuan": YUAN_NAMES.get(c.ju.yuan or 0),
        "ju": {"dun": "陽" if c.ju.yang else "陰", "number": c.ju.number, "method": c.ju.method},
        "xunshou": {"head": label(c.head), "yi": label(c.instrument)},
        "zhifu": {"star": label(c.star_on_duty), "from": c.origin, "to": c.arrival},
        "zhishi": {"door": label(c.door_on_duty), "from": c.origin, "to": c.door_arrival},
        "void": [label(b) for b in c.void],
        "horse": [label(b) for b in falls["StarYima"]],
        "places": {zh: [label(b) for b in falls[key]] for key, zh in _FALLS.items() if key in falls},
        "palaces": [_palace(j, p) for p in c.palaces],
        "patterns": patterns(j, c),
    }


def _palace(j: Judgement, p: Palace) -> dict[str, Any]:
    label = ontology().label
    return {
        "number": p.number,
        "name": palace_name(p.number),
        "earth": label(p.earth),
        "heaven": [label(s) for s in p.heaven],
        "star": [label(s) for s in p.stars],
        "door": label(p.door) if p.door else None,
        "spirit": label(p.deity) if p.deity else None,
        "earth_spirit": label(p.earth_deity) if p.earth_deity else None,
        "patterns": sorted(label(x) for x in j.closed.leads(p.iri, ns("formsPattern"))),
    }


def patterns(j: Judgement, c: QimenChart) -> list[dict[str, Any]]:
    """The patterns (格) that the chart shows, each with the palaces that form it."""
    label, found = ontology().label, []
    for pattern in j.closed.leads(c.iri, ns("showsPattern")):
        at = [p.number for p in c.palaces if pattern in j.closed.leads(p.iri, ns("formsPattern"))]
        found.append({"pattern": label(pattern), "palaces": at})
    return sorted(found, key=lambda x: (x["palaces"] or [0], x["pattern"]))


def drawing(j: Judgement, c: QimenChart) -> str:
    """The chart as text: pillars and 局, then three rows of three palaces.

    In each palace stand the spirit, the star with its heaven stem, the door with the earth stem, and what is void or ridden there.
    """
    label, falls = ontology().label, branches_of(c)
    pillars = "  ".join(f"{c.given.pillars[u]}{mark}" for u, mark in zip(UNITS, "年月日時", strict=True) if u in c.given.pillars)
    term = f"{c.ju.term}{YUAN_NAMES.get(c.ju.yuan or 0, '')}  " if c.ju.term else ""
    rows = [
        f"{pillars}  旬空 {''.join(map(label, c.void))}",
        f"{term}{ju_name(c)} ({METHOD_NAMES[c.ju.method]})  旬首 {label(c.head)}{label(c.instrument)}",
        f"值符 {label(c.star_on_duty)} {way(c.origin, c.arrival)}  值使 {label(c.door_on_duty)} {way(c.origin, c.door_arrival)}",
        "  ".join(f"{zh} {''.join(map(label, falls[key]))}" for key, zh in _FALLS.items() if key in falls),
        "",
    ]
    line = "─" * _CELL
    rows.append(f"┌{line}┬{line}┬{line}┐")
    for n, numbers in enumerate(SQUARE):
        cells = [list(_cell(j, c, c.palace(number))) for number in numbers]
        for parts in zip(*cells, strict=True):
            rows.append("│" + "│".join(pad(f" {part}", _CELL) for part in parts) + "│")
        rows.append(f"├{line}┼{line}┼{line}┤" if n < 2 else f"└{line}┴{line}┴{line}┘")
    shown = [f"{p['pattern']}{'（' + '、'.join(palace_name(i) for i in p['palaces']) + '）' if p['palaces'] else ''}" for p in patterns(j, c)]
    if shown:
        rows += ["", f"格 · 격 · patterns: {'  '.join(shown)}"]
    return "\n".join(rows)


def ju_name(c: QimenChart) -> str:
    """What the 局 is called: `陽遁八局`."""
    return f"{'陽' if c.ju.yang else '陰'}遁{'一二三四五六七八九'[c.ju.number - 1]}局"


def way(start: int, end: int) -> str:
    """A way from palace to palace: `艮八→離九`."""
    return f"{palace_name(start)}→{palace_name(end)}"


def _cell(j: Judgement, c: QimenChart, p: Palace) -> Iterator[str]:
    label = ontology().label
    marks = [sign for klass, sign in PALACE_SIGNS.items() if j.closed.holds(p.iri, ns(klass))]
    yield f"{palace_name(p.number)} {' '.join(marks)}".strip()
    yield label(p.deity) if p.deity else ""
    yield f"{'+'.join(map(label, p.stars))}  {''.join(map(label, p.heaven))}".strip()
    yield f"{pad(label(p.door) if p.door else '', 4)}  {label(p.earth)}"
