"""The forms in which judged rows are written, a piece of a casebook at a time."""

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from kg.batch import quads
from kg.batch.columns import RESULT
from kg.batch.judging import Fired, Judged, told
from kg.batch.parquet import table
from kg.standing import Conflict

_BETWEEN: Final = "; "
_FORMULA: Final = re.compile(r"[=+\-@\t\r]")
_NUMBER: Final = re.compile(r"[+-]?[0-9]+([.][0-9]+)?")


def written(found: Sequence[Judged], form: str, names: Sequence[str], graph: str) -> bytes:
    """Judged rows in a form.

    Args:
        found: the rows.
        form: `csv` (without its header), `jsonl`, `parquet` or `nq`.
        names: the columns of the casebook.
        graph: IRI of the casebook, for N-Quads.
    """
    if form == "jsonl":
        return "".join(json.dumps(_object(j), ensure_ascii=False) + "\n" for j in found).encode()
    if form == "nq":
        return quads.written(found, graph)
    if form == "parquet":
        return table([_flat(j) for j in found], names)
    return _csv([[_cell(record.get(name)) for name in heading(names)] for record in map(_flat, found)])


def heading(names: Sequence[str]) -> tuple[str, ...]:
    """The columns of a result: those of the casebook stand behind the row number.

    >>> heading(["id", "lines"])[:5]
    ('row', 'id', 'lines', 'cast', 'topics')
    """
    return "row", *names, *RESULT[1:]


def csv_heading(names: Sequence[str]) -> bytes:
    """The first line of a result in CSV."""
    return _csv([heading(names)])


def _csv(rows: Iterable[Iterable[str]]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows(rows)
    return out.getvalue().encode()


def _cell(value: Any) -> str:
    r"""A cell that no spreadsheet takes for a formula: before what looks like one stands an apostrophe.

    >>> _cell("=1+1"), _cell("-126.5"), _cell(["a", "b"]), _cell(None), _cell("\t=x")
    ("'=1+1", '-126.5', 'a; b', '', "'\t=x")
    """
    text = "" if value is None else _BETWEEN.join(value) if isinstance(value, list) else str(value)
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def _flat(j: Judged) -> dict[str, Any]:
    """A row of a result, by column."""
    added = (
        j.row.number,
        j.given.iri if j.given else None,
        list(j.given.topics) if j.given else [],
        [f.clause.id for f in j.fired],
        [f.clause.id for f in j.fired if not f.stands],
        [f.clause.id for f in j.fired if f.stands],
        list(map(_said, j.conflicts)),
        list(j.uncertain),
        told(j.fault) if j.fault else None,
    )
    return {**j.row.cells, **dict(zip(RESULT, added, strict=True))}


def _said(c: Conflict) -> str:
    """A conflict in one line: `gender (outcome): female yy-taichan-091 / male yy-taichan-088 yy-taichan-090`."""
    return f"{c.about} ({c.ground}): {' / '.join(' '.join((says, *ids)) for says, ids in c.sides)}"


def _object(j: Judged) -> Mapping[str, Any]:
    """A row as JSON; names are those of `guigu cast --format json`."""
    return {
        "row": j.row.number,
        "cells": j.row.cells,
        "cast": j.given.iri if j.given else None,
        "topics": j.given.topics if j.given else [],
        "verdicts": [_verdict(f) for f in j.fired],
        "conflicts": [{"about": c.about, "ground": c.ground, "sides": [{"says": says, "clauses": ids} for says, ids in c.sides]} for c in j.conflicts],
        "notes": j.uncertain,
        "error": {"code": j.fault.code, "message": str(j.fault)} if j.fault else None,
    }


def _verdict(f: Fired) -> Mapping[str, Any]:
    c = f.clause
    return {
        "clause": c.id,
        "topic": c.topic,
        "about": c.about,
        "value": c.value,
        "omen": c.omen,
        "standing": f.stands,
        "overridden_by": f.overridden_by,
        "on": [slot or "cast" for slot in f.on],
    }
