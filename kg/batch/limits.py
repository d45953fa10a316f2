"""What a casebook may hold."""

from typing import Final

ROWS: Final = 1_000_000
"""Casts."""
COLUMNS: Final = 200
CELL: Final = 10_000
"""Characters of a cell."""
LINE: Final = 100_000
"""Bytes of a line."""
RECORD: Final = 100
"""Lines over which one row may go, where a cell holds line ends."""
BYTES: Final = 2**30
"""Bytes in all; of Parquet, unpacked."""
