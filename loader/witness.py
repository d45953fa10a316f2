"""Witnesses: for every clause with a condition a kept cast on which it holds, from `ontology/witnesses/`."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from loader.data import folder
from loader.names import TRADITIONS

_MOMENT: Final = frozenset({"year", "month", "day", "hour"})
"""What a civil date-time says too."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A cast on which a clause holds.

    Attributes:
        clause: id of the clause.
        tradition: `liuyao` or `qimen`.
        options: options of `guigu cast` or `guigu qimen` without their dashes, to their values as a user would type them; several
            values of one option stand with blanks between.
    """

    clause: str
    tradition: str
    options: Mapping[str, str]


def path(tradition: str) -> Path:
    """The file of the witnesses of a tradition."""
    return folder("ontology") / "witnesses" / f"{tradition}.tsv"


def rows(tradition: str) -> list[dict[str, str]]:
    """The rows of the file of a tradition, each column to its text, which may be empty."""
    lines = path(tradition).read_text("utf-8").splitlines()
    return list(csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t", quoting=csv.QUOTE_NONE))


@cache
def witnesses() -> dict[str, Witness]:
    """Id of a clause to its witness, for all clauses with a condition that can hold.

    >>> witnesses()["qm-taichan-017"].options
    {'topic': 'childbirth', 'at': '1995-08-08T01:00:00+08:00'}
    >>> sorted(witnesses()["yy-zuye-002"].options)
    ['age', 'at', 'birth-year', 'lines', 'role', 'topic']
    """
    found: dict[str, Witness] = {}
    for tradition in TRADITIONS:
        for row in rows(tradition):
            ids = (row.get("clauses") or row["clause"]).split()
            for clause in ids:
                found.setdefault(clause, Witness(clause, tradition, _options(row)))
    return found


def _options(row: Mapping[str, str]) -> dict[str, str]:
    """The options of a row. A moment says all that the pillars say; the term of pillars alone is no option of six lines."""
    options = {name: text for name, text in row.items() if text and name not in ("clause", "clauses", "term")}
    return {name: text for name, text in options.items() if not ("at" in options and name in _MOMENT)}
