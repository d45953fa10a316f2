"""The count itself: spaces and topics in pieces, over as many workers as there are, and all pieces together."""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Final, TypeVar

from kg.asking import topics
from kg.census.space import Space
from kg.census.tally import Tally
from kg.files import write_bytes
from kg.spread import spread
from kg.store import fingerprint
from loader.clause import READINGS
from loader.errors import InputError

PIECE: Final = 2**16
"""Casts of a piece: some tenths of a second of work."""
_PLAN: Final = "plan.json"
Crew = tuple[Executor, int]
_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Piece:
    """Some casts of a space on a topic."""

    space: Space
    topic: str
    start: int
    reading: str

    @property
    def name(self) -> str:
        """The name of its file."""
        return f"{self.space.key}-{self.topic}-{self.start:09}.npz"


def counted(piece: Piece) -> bytes:
    """The tally of a piece."""
    fires = piece.space.fires(piece.topic, piece.start, piece.start + PIECE)
    return Tally.of(fires, piece.reading, piece.start).to_bytes()


@dataclass(frozen=True)
class Census:
    """The tallies of spaces.

    Attributes:
        spaces: the spaces, in order.
        tallies: key of a space and topic to its tally.
        reading: the reading of the text.
    """

    spaces: tuple[Space, ...]
    tallies: Mapping[tuple[str, str], Tally]
    reading: str = READINGS[0]

    def space(self, key: str) -> Space:
        """The space of a key."""
        return next(s for s in self.spaces if s.key == key)


def take(
    spaces: Sequence[Space],
    folder: Path,
    crew: Crew,
    asked: Sequence[str] = (),
    reading: str = READINGS[0],
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> Census:
    """Take a census.

    Args:
        spaces: what is counted.
        folder: where the pieces are kept until all are there; one that was begun there goes on where it stopped.
        crew: the workers, see `kg.spread.workers`.
        asked: topics; by default all of each tradition.
        reading: the reading of the text that the spaces are judged under.
        progress: told the pieces that are done and all of them.

    Raises:
        InputError: something else was begun in the folder, or it cannot be written.
    """
    pieces = {
        piece.name: piece
        for space in spaces
        for topic in topics(space.tradition)
        if topic in asked or not asked
        for piece in (Piece(space, topic, start, reading) for start in range(0, len(space), PIECE))
    }
    found = worked(counted, pieces, (tuple(spaces), tuple(asked), reading), folder, crew, progress)
    parts: dict[tuple[str, str], list[Tally]] = {}
    for piece, data in zip(pieces.values(), found, strict=True):
        parts.setdefault((piece.space.key, piece.topic), []).append(Tally.from_bytes(data))
    return Census(tuple(spaces), {key: reduce(Tally.plus, found) for key, found in parts.items()}, reading)


def worked(
    work: Callable[[_Item], bytes], pieces: Mapping[str, _Item], plan: object, folder: Path, crew: Crew, progress: Callable[[int, int], None]
) -> Iterator[bytes]:
    """What is kept of pieces, in their order, once all of them are done.

    Args:
        work: what is done with a piece.
        pieces: name of the file of each to the piece.
        plan: what is to be done; its `repr` tells it from anything else.
        folder: where the pieces are kept.
        crew: the workers.
        progress: told the pieces that are done and all of them.

    Raises:
        InputError: something else was begun in the folder, or it cannot be written.
    """
    _begin(folder, plan)
    spread(work, pieces, folder, crew, progress)
    return ((folder / name).read_bytes() for name in pieces)


def _begin(folder: Path, plan: object) -> None:
    """Make the folder of some pieces ready, or find that the same was begun there.

    Raises:
        InputError: as `worked`.
    """
    mine = json.dumps({"guigu": fingerprint(), "plan": hashlib.sha256(repr(plan).encode()).hexdigest()})
    try:
        folder.mkdir(parents=True, exist_ok=True)
        there = (folder / _PLAN).read_text("utf-8") if (folder / _PLAN).exists() else None
        strange = there is None and any(folder.iterdir())
    except (OSError, ValueError) as error:
        raise InputError(f"cannot use the folder: {getattr(error, 'strerror', error)}", where=str(folder)) from error
    if strange or there not in (None, mine):
        what = "the folder is not empty" if strange else "something else was begun here, with other options or another version"
        raise InputError(what, where=str(folder), todo="name another folder, or remove it")
    if there is None:
        write_bytes(mine.encode(), folder / _PLAN)


def end(folder: Path) -> None:
    """Take away the pieces of a census that is whole."""
    for path in folder.glob("pieces*"):
        shutil.rmtree(path)
