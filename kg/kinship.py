"""The kinship tables: the element that the rule gives each relative, beside what the received tables print."""

from collections.abc import Sequence
from typing import Any

from kg.text import pad
from loader import iris
from loader.kinship import SELF, Cell, agrees, element, received, relatives, told
from loader.ontology import ontology


def table(worlds: Sequence[str], *, doubts: bool = False) -> list[dict[str, Any]]:
    """Each relative for each element of 世: the element by the rule with its steps, and every received cell.

    Args:
        worlds: IRIs of the elements of 世.
        doubts: only relatives of whom some received cell departs from the rule.
    """
    o, rows = ontology(), []
    for world in worlds:
        cells: dict[str, list[Cell]] = {}
        for cell in received():
            if cell.world == world:
                cells.setdefault(cell.relative, []).append(cell)
        for relative in relatives():
            mine = cells.get(relative, [])
            if relative == SELF or (doubts and all(agrees(c) for c in mine)):
                continue
            steps = element(relative, world)
            rows.append(
                {
                    "world": o.label(world),
                    "relative": iris.key(relative),
                    "labels": {language: o.label(relative, language) for language in ("zh-hant", "ko", "en")},
                    "rule": o.label(steps[-1].element),
                    "basis": steps[-1].basis,
                    "because": [told(s) for s in steps],
                    "received": [_cell(c) for c in mine],
                }
            )
    return rows


def _cell(c: Cell) -> dict[str, Any]:
    return {
        "element": ontology().label(c.element),
        "agrees": agrees(c),
        "printed": c.printed,
        "group": c.group,
        "clause": c.clause,
        "grade": c.grade,
        "why": c.why,
    }


def text(rows: Sequence[dict[str, Any]]) -> str:
    """The table for people: a cell that departs from the rule is marked, with its group, clause and grade."""
    lines: list[str] = []
    world = None
    for row in rows:
        if row["world"] != world:
            world = row["world"]
            lines += ["", f"世 {world}   relative                                    rule   received (003 ¶21-25)"]
        found = []
        for c in row["received"]:
            found.append(c["element"] if c["agrees"] else f"✗ {c['element']} 「{c['group']}」 {c['clause']}, grade {c['grade'] or '-'}")
        labels = row["labels"]
        basis = "" if row["basis"] == "Rule" else f" ({row['basis'].lower()})"
        name = pad(labels["zh-hant"], 10) + pad(labels["ko"], 14) + pad(labels["en"], 34)
        lines.append(f"  {name}{pad(row['rule'] + basis, 16)}{'; '.join(found) or '-'}")
    departing = sum(not c["agrees"] for row in rows for c in row["received"])
    total = sum(len(row["received"]) for row in rows)
    lines += ["", f"{departing} of {total} received cells shown depart from the rule."]
    return "\n".join(lines).strip() + "\n"
