"""Text on a terminal, where East Asian characters are two columns wide."""

import unicodedata
from typing import Final

OMEN_SIGNS: Final = {"auspicious": "吉", "inauspicious": "凶", "mixed": "吉凶", "neutral": "平"}
"""Keys of omens to the signs that stand before a verdict."""


def width(text: str) -> int:
    """Columns that a text takes on a terminal: East Asian wide characters take two.

    >>> width("官鬼a")
    5
    """
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def pad(text: str, columns: int) -> str:
    """The text filled with blanks to so many columns."""
    return text + " " * max(0, columns - width(text))
