"""Casebooks in Parquet, read and written."""

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from kg.arrow import pyarrow
from kg.batch.columns import RESULT
from kg.batch.limits import BYTES, COLUMNS, ROWS
from kg.batch.rows import Row, cut
from loader.errors import InputError, quoted

if TYPE_CHECKING:
    import pyarrow as pa

MAGIC: Final = b"PAR1"
"""How a file of Parquet begins."""
LISTS: Final = ("topics", "fires", "overridden", "stands", "conflicts", "uncertain")
"""Columns of a result with several values."""
_AT_ONCE: Final = 4096
_FOOTER: Final = 16 * 2**20


def read_parquet(stream: BinaryIO, name: str) -> tuple[tuple[str, ...], Iterator[Row]]:
    """The columns of a casebook in Parquet, and its rows as they are asked for; the first is number 2, as under a header.

    Args:
        stream: the file; it must be seekable.
        name: of the file, for faults.

    Raises:
        InputError: it is no Parquet, is too large, or a column is neither text nor numbers. Of the rows: the file is damaged.
    """
    arrow = pyarrow("--batch")
    with _faults(arrow, name):
        shape = arrow.parquet.ParquetFile(stream, thrift_string_size_limit=_FOOTER, thrift_container_size_limit=_FOOTER // 16).schema_arrow
        if len(shape) > COLUMNS:
            raise InputError(f"{len(shape)} columns", where=quoted(name), todo=f"at most {COLUMNS} are read", code="GUIGU.BATCH.HEADER")
        for field in shape:
            _check(arrow, field)
        # What is repeated is unpacked once: a long text in every row must not fill the memory.
        texts = [field.name for field in shape if _is_text(arrow, field.type)]
        file = arrow.parquet.ParquetFile(stream, read_dictionary=texts, thrift_string_size_limit=_FOOTER, thrift_container_size_limit=_FOOTER // 16)
        _check_size(file.metadata, name)
    return tuple(field.name for field in shape), _rows(arrow, file, name)


@contextmanager
def _faults(arrow: Any, name: str) -> Iterator[None]:
    try:
        yield
    except (arrow.ArrowException, OSError, ValueError, MemoryError) as error:
        raise InputError(f"{quoted(name)} cannot be read as Parquet: {quoted(str(error))}", where="--batch") from error


def _is_text(arrow: Any, kind: Any) -> bool:
    if arrow.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(arrow.types.is_string(kind) or arrow.types.is_large_string(kind))


def _check(arrow: Any, field: Any) -> None:
    numbers = (arrow.types.is_integer, arrow.types.is_floating, arrow.types.is_null)
    if not (_is_text(arrow, field.type) or any(fits(field.type) for fits in numbers)):
        raise InputError(
            f"it is of type {quoted(str(field.type))}",
            where=f"column {quoted(field.name)}",
            todo="write text or numbers, several values of a cell with ';' between them",
            code="GUIGU.BATCH.HEADER",
        )


def _check_size(metadata: Any, name: str) -> None:
    size = sum(metadata.row_group(n).total_byte_size for n in range(metadata.num_row_groups))
    if metadata.num_rows > ROWS or size > BYTES:
        raise InputError(f"{metadata.num_rows} rows of {size / 2**20:.0f} MiB", where=quoted(name), todo=f"at most {ROWS} of {BYTES / 2**20:g} MiB are read")


def _rows(arrow: Any, file: Any, name: str) -> Iterator[Row]:
    number = 1
    batches = file.iter_batches(batch_size=_AT_ONCE)
    while True:
        with _faults(arrow, name):
            batch = next(batches, None)
            columns = {} if batch is None else {field: _texts(arrow, column) for field, column in zip(batch.schema.names, batch.columns, strict=True)}
        if batch is None:
            return
        for n in range(batch.num_rows):
            number += 1
            yield cut(Row(number, {field: text for field, texts in columns.items() if (text := texts[n])}))


def _texts(arrow: Any, column: Any) -> list[str]:
    if not arrow.types.is_dictionary(column.type):
        # A float of which some are missing has a NaN there, if another program wrote it.
        return ["" if value is None or value != value else str(value) for value in column.to_pylist()]
    words = column.dictionary.to_pylist()
    return ["" if at is None else words[at] or "" for at in column.indices.to_pylist()]


def schema(names: Sequence[str]) -> "pa.Schema":
    """The columns of a result in Parquet.

    Args:
        names: the columns of the casebook, which are carried through as text.

    Raises:
        InputError: pyarrow is not installed.
    """
    arrow = pyarrow("--format")
    kinds = {"row": arrow.int32(), **dict.fromkeys(LISTS, arrow.list_(arrow.string()))}
    ordered = ("row", *names, *RESULT[1:])
    return arrow.schema([arrow.field(name, kinds.get(name, arrow.string()) if name in RESULT else arrow.string()) for name in ordered])


def table(found: Sequence[Mapping[str, Any]], names: Sequence[str]) -> bytes:
    """Rows of a result as a file of Parquet."""
    arrow = pyarrow("--format")
    out = io.BytesIO()
    arrow.parquet.write_table(arrow.Table.from_pylist(list(found), schema=schema(names)), out)
    return out.getvalue()


@contextmanager
def joining(stream: BinaryIO, names: Sequence[str]) -> Iterator[Any]:
    """Something that is called with each file that `table` gave, and puts all of them into one."""
    arrow = pyarrow("--format")
    with arrow.parquet.ParquetWriter(stream, schema(names)) as writer:
        yield lambda data: writer.write_table(arrow.parquet.read_table(io.BytesIO(data)))
