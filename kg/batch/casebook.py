"""A whole casebook: read and parted into pieces, each judged by some worker, the answers put together in the order of the rows."""

import hashlib
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Final

from kg.batch.columns import Columns
from kg.batch.forms import csv_heading, written
from kg.batch.judging import CHUNK, judge_rows, told
from kg.batch.limits import BYTES, ROWS
from kg.batch.parquet import MAGIC, joining, read_parquet, schema
from kg.batch.rows import Row, dumped, loaded, read_csv
from kg.files import write_bytes, writing
from kg.spread import spread, workers
from kg.store import fingerprint
from kg.typed import read
from loader import iris
from loader.chapter import add
from loader.errors import InputError, quoted

_SHOWN: Final = 5
"""Faults that a summary tells."""
_BOM: Final = b"\xef\xbb\xbf"
_CHECKED: Final = ("topic", "ask", "relative", "reading", "convention")
"""Defaults that are wrong whatever stands in a row."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What became of a casebook.

    Attributes:
        rows: how many there are.
        wrong: how many of them have a fault.
        first: number and fault of the first of those.
    """

    rows: int
    wrong: int
    first: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class _Piece:
    """Some rows of a casebook, and all that a worker must know to judge them.

    Attributes:
        path: of the rows, as `dumped` writes them.
        columns: of the casebook.
        defaults: options of rows that leave them out.
        form: in which they are written.
        graph: IRI of the casebook.
        chapters: files of chapters of the user's own.
    """

    path: Path
    columns: Columns
    defaults: Mapping[str, Any]
    form: str
    graph: str
    chapters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hands:
    """Who judges, and where.

    Attributes:
        jobs: processes of this machine.
        scheduler: address of the scheduler of a Dask cluster instead, or None.
        work: a folder in which what is done is kept, so that a run which was stopped goes on there; None for one that goes when the run ends.
    """

    jobs: int = 1
    scheduler: str | None = None
    work: str | None = None


def run(
    source: str,
    target: str,
    form: str,
    *,
    defaults: Mapping[str, Any],
    keep: Collection[str] = (),
    chapters: Sequence[str] = (),
    hands: Hands = Hands(),
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> Summary:
    """Judge a casebook.

    Nothing is judged before all of it was read, and nothing is written before all of it was judged.

    Args:
        source: a file of CSV or Parquet, or `-` for stdin.
        target: where the result goes, `-` for stdout.
        form: of the result, `csv`, `jsonl`, `parquet` or `nq`.
        defaults: options of rows that leave them out, as `kg.typed.read` takes them.
        keep: columns that are carried through, beside `id` and `note...`.
        chapters: files of chapters of the user's own.
        hands: who judges.
        progress: told the pieces that are done and all of them.

    Raises:
        InputError: the file, its header or a default cannot be used, or the result cannot be written.
        ClusterFault: workers were lost again and again.
    """
    _with_chapters(tuple(chapters))
    read({"lines": "777777", "topic": ["all"], **{o: defaults[o] for o in _CHECKED if o in defaults}}, "liuyao")
    if target != "-" and not Path(target).parent.is_dir():
        raise InputError(f"there is no folder for {quoted(target)}", where="--output")
    if hands.scheduler and chapters:
        raise InputError("chapters of your own stay on this machine", where="--chapter", todo="leave out --scheduler")
    with _folder(hands) as folder:
        with _opened(source) as stream:
            columns, digests = _parted(stream, source, keep, folder)
        if form == "parquet":
            schema(columns.names)
        settings = json.dumps(
            [columns.names, columns.options, dict(defaults), fingerprint(), [hashlib.sha256(Path(c).read_bytes()).hexdigest() for c in chapters]]
        )
        batch = hashlib.sha256("\n".join((settings, *digests)).encode()).hexdigest()[:16]
        pieces = {
            f"{batch}-{number:06}.{form}": _Piece(folder / _rows_name(digest), columns, defaults, form, f"{iris.BASE}batch/{batch}", tuple(chapters))
            for number, digest in enumerate(digests)
        }
        with workers(hands.jobs, hands.scheduler) as crew:
            spread(_judged, pieces, folder, crew, progress)
        return _joined([folder / name for name in pieces], columns.names, target, form, folder)


@cache
def _with_chapters(files: tuple[str, ...]) -> None:
    for file in files:
        add(file)


@contextmanager
def _folder(hands: Hands) -> Iterator[Path]:
    if hands.work is not None:
        folder = Path(hands.work).resolve()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            raise InputError(f"cannot use {quoted(hands.work)}: {getattr(error, 'strerror', error)}", where="--work") from error
        yield folder
    elif hands.scheduler:
        raise InputError("a cluster needs a folder that all its workers see", where="--scheduler", todo="name one by --work")
    else:
        with tempfile.TemporaryDirectory(prefix="guigu-") as name:
            yield Path(name)


@contextmanager
def _opened(source: str) -> Iterator[BinaryIO]:
    """A casebook as a file in which one can go back: what comes through a pipe is kept aside."""
    try:
        if source == "-":
            with _aside(sys.stdin.buffer) as kept:
                yield kept
            return
        with Path(source).open("rb") as stream:
            if stream.seekable():
                yield stream
            else:
                with _aside(stream) as kept:
                    yield kept
    except (OSError, ValueError) as error:  # a name with a NUL or a lone surrogate is a ValueError
        raise InputError(f"cannot read {quoted(source)}: {getattr(error, 'strerror', error)}", where="--batch") from error


@contextmanager
def _aside(stream: BinaryIO) -> Iterator[BinaryIO]:
    with tempfile.TemporaryFile() as kept:
        left = BYTES + 1
        while left and (data := stream.read(min(left, 2**20))):
            kept.write(data)
            left -= len(data)
        kept.seek(0)
        yield kept


def _parted(stream: BinaryIO, name: str, keep: Collection[str], folder: Path) -> tuple[Columns, list[str]]:
    """The columns, and the rows in pieces as files of the folder: the digest of each piece, in their order."""
    packed = stream.read(len(MAGIC)) == MAGIC
    stream.seek(0)
    names, rows = read_parquet(stream, name) if packed else read_csv(stream)
    columns = Columns.of(names, keep)
    digests: list[str] = []
    count = size = 0
    while chunk := list(islice(rows, CHUNK)):
        data = dumped(chunk)
        count, size = count + len(chunk), size + len(data)
        if count > ROWS or size > 2 * BYTES:
            raise InputError(f"more than {ROWS} casts, or cells of more than {2 * BYTES / 2**20:g} MiB", where="--batch", todo="part it")
        digests.append(hashlib.sha256(data).hexdigest()[:32])
        write_bytes(data, folder / _rows_name(digests[-1]))
    return columns, digests


def _rows_name(digest: str) -> str:
    return f"{digest}.rows"


def _judged(piece: _Piece) -> bytes:
    """A piece judged: a line that sums it up, then the result."""
    _with_chapters(piece.chapters)
    rows: list[Row] = list(loaded(piece.path.read_bytes()))
    found = judge_rows(rows, piece.columns, piece.defaults)
    wrong = [(j.row.number, told(j.fault)) for j in found if j.fault]
    head = json.dumps([len(found), len(wrong), wrong[:_SHOWN]]).encode() + b"\n"
    return head + written(found, piece.form, piece.columns.names, piece.graph)


def _joined(paths: Sequence[Path], names: Sequence[str], target: str, form: str, folder: Path) -> Summary:
    if target != "-":
        with writing(Path(target)) as out:
            if form == "csv":
                out.write(_BOM)  # by which a spreadsheet knows that it is UTF-8
            return _into(out, paths, names, form)
    if form != "parquet":
        summary = _into(sys.stdout.buffer, paths, names, form)
    else:
        # A file of Parquet ends with where its parts are, which a pipe cannot tell.
        with tempfile.TemporaryFile(dir=folder) as out:
            summary = _into(out, paths, names, form)
            out.seek(0)
            shutil.copyfileobj(out, sys.stdout.buffer)
    sys.stdout.buffer.flush()
    return summary


def _into(out: BinaryIO, paths: Sequence[Path], names: Sequence[str], form: str) -> Summary:
    rows, wrong, first = 0, 0, list[tuple[int, str]]()

    def bodies() -> Iterator[BinaryIO]:
        nonlocal rows, wrong
        for path in paths:
            with path.open("rb") as stream:
                count, faults, shown = json.loads(stream.readline())
                rows, wrong = rows + count, wrong + faults
                first.extend((number, text) for number, text in shown)
                yield stream

    if form == "parquet":
        with joining(out, names) as put:
            for body in bodies():
                put(body.read())
    else:
        if form == "csv":
            out.write(csv_heading(names))
        for body in bodies():
            shutil.copyfileobj(body, out)
    return Summary(rows, wrong, tuple(first[:_SHOWN]))
