"""The rows of a casebook: what stands in each, and at which line of its file."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import BinaryIO, Final

from kg.batch.limits import BYTES, CELL, LINE, RECORD
from loader.errors import InputError, quoted

_BOM: Final = b"\xef\xbb\xbf"
_CODE: Final = "GUIGU.BATCH.ROW"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a casebook.

    Attributes:
        number: of the line on which it begins; the header is line 1.
        cells: column to text; an empty cell may be left out.
        fault: what is wrong with the row itself, whatever stands in it.
    """

    number: int
    cells: Mapping[str, str]
    fault: InputError | None = None


def broken(what: str, todo: str | None = None) -> InputError:
    """The fault of a row that cannot be read."""
    return InputError(what, todo=todo, code=_CODE)


def dumped(rows: Iterable[Row]) -> bytes:
    """Rows as lines of JSON, to be read back by `loaded`."""
    return "".join(
        json.dumps([r.number, dict(r.cells), r.fault and [r.fault.what, r.fault.todo]], ensure_ascii=False, separators=(",", ":")) + "\n" for r in rows
    ).encode()


def loaded(data: bytes) -> Iterator[Row]:
    """The rows that `dumped` wrote.

    >>> [*loaded(dumped([Row(2, {"id": "渙"}), Row(3, {}, broken("no"))]))][0]
    Row(number=2, cells={'id': '渙'}, fault=None)
    """
    for line in data.decode().split("\n")[:-1]:
        number, cells, fault = json.loads(line)
        yield Row(number, cells, broken(*fault) if fault else None)


class _Lines:
    """The lines of a file as the csv module wants them; those of a row that went wrong can be read again, but for its first.

    Attributes:
        taken: the lines of the row at hand, each with its number, its text and what is wrong with it.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._number, self._bytes = stream, 0, 0
        self._again: list[tuple[int, str, str | None]] = []
        self.taken: list[tuple[int, str, str | None]] = []

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        if len(self.taken) == RECORD:
            raise csv.Error("a quote is not closed")
        one = self._again.pop() if self._again else self._read()
        self.taken.append(one)
        return one[1]

    def again(self) -> None:
        """Read all lines of the row at hand again, but not its first."""
        self._again += self.taken[:0:-1]

    def _read(self) -> tuple[int, str, str | None]:
        raw = self._stream.readline(LINE)
        if not raw:
            raise StopIteration
        self._number += 1
        self._count(raw)
        if self._number == 1:
            raw = raw.removeprefix(_BOM)
        if len(raw) == LINE and not raw.endswith(b"\n"):
            while (rest := self._stream.readline(LINE)) and not rest.endswith(b"\n"):
                self._count(rest)
            return self._number, "", f"the line is longer than {LINE} bytes"
        wrong = None
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            # Columns are counted as people do.
            text, wrong = raw.decode("utf-8", "replace"), f"byte {error.start + 1} of the line is not UTF-8"
        if "\0" in text:
            text, wrong = text.replace("\0", "\ufffd"), "a NUL stands in the line"
        return self._number, text, wrong

    def _count(self, raw: bytes) -> None:
        self._bytes += len(raw)
        if self._bytes > BYTES:
            raise InputError(f"the casebook is larger than {BYTES / 2**20:g} MiB", where="--batch", todo="part it")


def read_csv(stream: BinaryIO) -> tuple[tuple[str, ...], Iterator[Row]]:
    r"""The header of a casebook in CSV, and its rows as they are asked for; empty lines are passed over.

    What is wrong with a line is told of its row. A quote that is not closed costs its line only, not what comes after.

    Raises:
        InputError: there is no header, or it cannot be read. Of the rows: the file is too large.

    >>> import io
    >>> names, rows = read_csv(io.BytesIO("id,hexagram\n1,渙\n\n2,剝,5\n".encode()))
    >>> names, [(row.number, dict(row.cells), str(row.fault)) for row in rows]
    (('id', 'hexagram'), [(2, {'id': '1', 'hexagram': '渙'}, 'None'), (4, {'id': '2', 'hexagram': '剝'}, '3 cells under 2 columns.')])
    """
    records = _records(_Lines(stream))
    _, header, wrong = next(records, (0, [], None))
    if wrong or not header:
        raise InputError(wrong or "the casebook is empty", where="header", todo="name the columns in the first line", code="GUIGU.BATCH.HEADER")
    names = [name.strip() for name in header]
    while names and not names[-1]:  # a spreadsheet writes empty columns too
        names.pop()
    return tuple(names), (_row(names, *record) for record in records)


def _records(lines: _Lines) -> Iterator[tuple[int, list[str], str | None]]:
    """Each row that is not empty: its first line, its cells, and what is wrong with it."""
    reader = csv.reader(lines, strict=True)
    while True:
        lines.taken = []
        try:
            cells = next(reader, None)
        except csv.Error as error:
            number, _, wrong = lines.taken[0]
            lines.again()
            yield number, [], wrong or f"the line is no CSV: {error}"
            continue
        if cells is None:
            return
        wrong = next((w for _, _, w in lines.taken if w), None)
        if cells or wrong:
            yield lines.taken[0][0], cells, wrong


def _row(names: Sequence[str], number: int, cells: list[str], wrong: str | None) -> Row:
    while len(cells) > len(names) and not cells[-1].strip():
        cells.pop()
    found = {name: cell for name, cell in zip(names, cells, strict=False) if cell}
    if wrong:
        fault = broken(wrong, "Write it as a spreadsheet exports it, in UTF-8")
    elif len(cells) > len(names):
        fault = broken(f"{len(cells)} cells under {len(names)} columns")
    else:
        fault = None
    return cut(Row(number, found, fault))


def cut(row: Row) -> Row:
    """A row with no cell that is too long; one that was is a fault of the row.

    >>> row = cut(Row(2, {"note": "x" * 10_001}))
    >>> len(row.cells["note"]), str(row.fault)
    (10000, "the cell under 'note' is longer than 10000 characters.")
    """
    long = next((name for name, text in row.cells.items() if len(text) > CELL), None)
    if long is None:
        return row
    fault = row.fault or broken(f"the cell under {quoted(long)} is longer than {CELL} characters")
    return Row(row.number, {name: text[:CELL] for name, text in row.cells.items()}, fault)
