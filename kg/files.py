"""Files written whole or not at all."""

import os
import sys
import tempfile
from pathlib import Path

from loader.errors import InputError, quoted


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
    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(data)
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
