"""The columns of a casebook, and from the cells of a row to the options of a cast."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kg.batch.limits import COLUMNS
from kg.typed import MANY, OWN, SHARED, valued
from loader.errors import InputError, UnknownName, quoted
from loader.liuyao import UNITS

OPTIONS: Final = tuple(name for name in (*OWN["liuyao"], *SHARED) if name not in ("toss", "seed"))
"""The options of `guigu cast` that may be columns. A casebook says what fell, so nothing is tossed for it."""
RESULT: Final = ("row", "cast", "topics", "fires", "overridden", "stands", "conflicts", "uncertain", "error")
"""The columns that a result adds."""
_INSTEAD: Final[Mapping[str, Sequence[str]]] = {
    "lines": ("hexagram",),
    "hexagram": ("lines",),
    "moving": ("lines", "to"),
    "to": ("lines", "moving"),
    "at": UNITS,
    **dict.fromkeys(UNITS, ("at",)),
    "age": ("in_year",),
    "in_year": ("age",),
}
"""Option to those that say the same in another way: where a row has one of them, the default of the option is left aside."""
_BETWEEN: Final = re.compile("[;；]")


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a casebook.

    Attributes:
        names: as they stand in the file, in its order.
        options: for each, the option of `guigu cast` that it is, or None where it is carried through.
    """

    names: tuple[str, ...]
    options: tuple[str | None, ...]

    @classmethod
    def of(cls, names: Sequence[str], keep: Collection[str] = ()) -> "Columns":
        """Know each column by its name.

        Args:
            names: what the file calls them. `id` and those that begin with `note` are carried through.
            keep: others that are carried through.

        Raises:
            InputError: one is unknown, stands twice, or has the name of a column of the result; or they are too many.

        >>> Columns.of(["id", "Birth-Year", "title"], keep=["title"]).options
        (None, 'birth_year', None)
        """
        if len(names) > COLUMNS:
            raise InputError(f"{len(names)} columns", todo=f"at most {COLUMNS} are read", code="GUIGU.BATCH.HEADER")
        missing = sorted(set(keep) - set(names))
        if missing:
            raise UnknownName(missing[0], "column of this file", names, where="--keep", code="GUIGU.BATCH.HEADER")
        options = tuple(None if name in keep else _option(name) for name in names)
        known = [option or name for option, name in zip(options, names, strict=True)]
        for name in names:
            if name in RESULT:
                raise InputError(f"the result has a column {quoted(name)} of its own", where="header", todo="call it otherwise", code="GUIGU.BATCH.HEADER")
        for name in known:
            if known.count(name) > 1:
                raise InputError(f"column {quoted(name)} stands twice", where="header", todo="leave one of them out", code="GUIGU.BATCH.HEADER")
        return cls(tuple(names), options)

    def given(self, cells: Mapping[str, str]) -> dict[str, str]:
        """The cells that are filled in, by option."""
        return {o: text for o, name in zip(self.options, self.names, strict=True) if o and (text := cells.get(name, "").strip())}


def _option(name: str) -> str | None:
    plain = name.strip().casefold().replace("-", "_")
    if plain in OPTIONS:
        return plain
    if name == "id" or name.startswith("note"):
        return None
    if plain in ("toss", "seed"):
        raise InputError("a casebook says what fell", where=f"column {plain}", todo="write the lines or the hexagram", code="GUIGU.BATCH.HEADER")
    todo = "Give --keep NAME for a column of your own"
    raise UnknownName(name, "column", (*OPTIONS, "id", "note"), where="header", todo=todo, code="GUIGU.BATCH.HEADER")


def options(given: Mapping[str, str], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a cast as `kg.typed.read` takes them, from the cells that are filled in and the defaults of the others.

    Raises:
        InputError: a cell is no number where one is wanted.

    >>> options({"at": "2026-11-30T10:20+08:00", "topic": "heirs; kin"}, {"month": "辰", "reading": "received"})
    {'reading': 'received', 'at': '2026-11-30T10:20+08:00', 'topic': ['heirs', 'kin']}
    """
    found = {o: v for o, v in defaults.items() if not any(other in given for other in _INSTEAD.get(o, ()))}
    if "at" not in (*given, *found):
        found.pop("zone", None)
    for option, text in given.items():
        found[option] = [one for part in _BETWEEN.split(text) if (one := part.strip())] if option in MANY else valued(option, text)
    return found
