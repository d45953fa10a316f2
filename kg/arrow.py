"""The library pyarrow, which only Parquet needs, and which is not always there."""

from typing import Any

from loader.errors import InputError


def pyarrow(where: str | None = None) -> Any:  # it ships no types
    """Pyarrow with its Parquet.

    Args:
        where: the option that asks for it, for the fault.

    Raises:
        InputError: it is not installed.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise InputError("Parquet needs pyarrow", where=where, todo="install guigu[bulk]") from error
    return pyarrow
