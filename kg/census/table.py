"""The rows of a census as Parquet files and as a table for a terminal."""

import io
from collections.abc import Sequence
from dataclasses import astuple, fields
from pathlib import Path
from typing import Final

from kg.arrow import pyarrow
from kg.census.row import AccordRow, AspectRow, ChangeRow, ClauseRow, EffectRow, PairRow, Row
from kg.files import write_bytes
from loader.chapter import clauses
from loader.errors import InputError

FILES: Final[dict[str, type[Row]]] = {
    "clauses": ClauseRow, "pairs": PairRow, "aspects": AspectRow, "conventions": EffectRow, "changes": ChangeRow, "traditions": AccordRow,
}  # fmt: skip
"""Name of each file to the rows in it."""


def parquet(kind: type[Row], rows: Sequence[Row]) -> bytes:
    """Rows of one kind as Parquet; a column is a string or a 64-bit number.

    Raises:
        InputError: pyarrow is not installed.
    """
    arrow = pyarrow()
    schema = arrow.schema([(f.name, arrow.int64() if f.type is int else arrow.string()) for f in fields(kind)])
    columns = zip(*map(astuple, rows), strict=True) if rows else [()] * len(schema)
    stream = io.BytesIO()
    arrow.parquet.write_table(arrow.table([list(c) for c in columns], schema=schema), stream)
    return stream.getvalue()


def rows_of(folder: Path, name: str) -> list[Row]:
    """The rows of one of `FILES` in the folder of a census; none where the census did not ask for them.

    Raises:
        InputError: the file is there and cannot be read, or pyarrow is not installed.
    """
    arrow = pyarrow()
    path, kind = folder / f"{name}.parquet", FILES[name]
    if not path.exists():
        return []
    try:
        found = arrow.parquet.read_table(path).to_pylist()
        return [kind(**row) for row in found]
    except (OSError, TypeError, ValueError) as error:
        raise InputError(f"no file of a census: {error}", where=str(path), todo="take the census again") from error


def save(folder: Path, name: str, rows: Sequence[Row]) -> None:
    """Write one of `FILES` into the folder of a census, whole or not at all.

    Raises:
        InputError: it cannot be written, or pyarrow is not installed.
    """
    write_bytes(parquet(FILES[name], rows), folder / f"{name}.parquet")


def text(rows: Sequence[ClauseRow]) -> str:
    """How often each clause fires, as a person reads it.

    >>> row = ClauseRow("days", "heirs", "yy-qiusi-003", 720, 90, 45, "", "guigu cast --lines 8,8,8,8,8,8", "", "")
    >>> print(text([row]))
    days · heirs · 720 casts
            90  12.500 %  stands     45  yy-qiusi-003 「有福無胎者螟蛉」
    """
    lines, head = [], ("", "")
    for row in rows:
        if head != (head := (row.space, row.topic)):
            lines.append(f"{row.space} · {row.topic} · {row.casts:,} casts")
        share = f"{row.fires / row.casts:8.3%}".replace("%", " %")
        lines.append(f"{row.fires:10,} {share}  stands {row.stands:6,}  {row.clause} 「{clauses()[row.clause].quote}」")
    return "\n".join(lines)
