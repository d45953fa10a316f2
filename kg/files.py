"""Files read within limits, and written whole or not at all; `-` is stdin or stdout."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from loader.errors import InputError, quoted

LARGEST: Final = 64 * 2**20
"""Bytes that a user's file may have."""


def read_bytes(name: str, *, where: str, largest: int = LARGEST) -> bytes:
    """Bytes of a user's file, or of stdin where the name is `-`.

    Raises:
        InputError: it cannot be read, or is larger than `largest` bytes.
    """
    try:
        if name == "-":
            data = sys.stdin.buffer.read(largest + 1)
        else:
            with Path(name).open("rb") as stream:
                data = stream.read(largest + 1)
    except (OSError, ValueError) as error:  # a name with a NUL or a lone surrogate is a ValueError
        raise InputError(f"cannot read {quoted(name)}: {getattr(error, 'strerror', error)}", where=where) from error
    if len(data) > largest:
        raise InputError(f"{quoted(name)} is larger than {largest / 2**20:g} MiB", where=where)
    return data


def read(name: str, *, where: str) -> str:
    """Text of a user's file in UTF-8, or of stdin where the name is `-`.

    Raises:
        InputError: as `read_bytes`, or it is not UTF-8.
    """
    try:
        return read_bytes(name, where=where, largest=2**20).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{quoted(name)} is not UTF-8 at byte {error.start}", where=where) from error


def write(text: str, output: str) -> None:
    """Write text to a file, or to stdout where `output` is `-`; a file appears whole or stays as it was.

    Raises:
        InputError: the file cannot be written.
    """
    if output == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    write_bytes(text.encode("utf-8"), Path(output))


def write_bytes(data: bytes, path: Path) -> None:
    """Write a file whole, or leave it as it was.

    Raises:
        InputError: the file cannot be written.
    """
    with writing(path) as stream:
        stream.write(data)


@contextmanager
def writing(path: Path) -> Iterator[BinaryIO]:
    """A stream to a file that takes the place of `path` when all is written; if anything fails, `path` stays as it was.

    Raises:
        InputError: the file cannot be written.
    """
    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(descriptor, "wb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            # mkstemp makes files private; a written answer is an ordinary file.
            os.chmod(name, 0o644)
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except (OSError, ValueError) as error:  # a name with a NUL or a lone surrogate is a ValueError
        raise InputError(f"cannot write {quoted(str(path))}: {getattr(error, 'strerror', error)}", where="--output") from error
