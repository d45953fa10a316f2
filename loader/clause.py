"""The parts of a text: chapters of passages, passages of clauses, and what a clause says."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from loader import iris
from loader.condition import Tree

VERDICTS: Final = frozenset({"verdict", "timing"})
"""Kinds of clause that fire."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A node of a file: where it stands."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Span:
    """A run of characters of a passage, by code-point offsets in NFC text: `start` inclusive, `end` exclusive."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Timing:
    """When a thing comes about: branches named by stage, relation, void or element of a line, or a moment without branch.

    Attributes:
        units: `year`, `month`, `day`, `hour` or `decade` (旬), any of which may be meant.
        stages: the branch at which the line's element is in one of these stages.
        relations: the coming branch clashes (沖), combines with (合), generates (生) or equals (臨) the line.
        void: the decade in which the line's branch is void.
        element: branches of the line's element.
        branches: fixed branches.
        of: `this`, or an expression that names visible lines, or `伏` and a kin for what this line hides.
        at: `once`, `after-month`, `within-month`, where no branch is meant.
    """

    units: tuple[str, ...] = ()
    stages: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    void: bool = False
    element: bool = False
    branches: tuple[str, ...] = ()
    of: str = "this"
    at: str | None = None


@dataclass(frozen=True, slots=True)
class Emendation:
    """A reading proposed for received characters, with its grade (A safe, B probable, C doubtful) and reason."""

    received: str
    read: str
    grade: str
    why: str


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of a passage: what it quotes, when it holds, what it says."""

    id: str
    passage: "Passage"
    kind: str
    quote: str
    span: Span
    ko: str
    ko_span: Span
    en: str
    topic: str
    mark: Mark = field(compare=False)
    when: Tree | None = None
    when_text: str = ""
    about: str | None = None
    value: str | None = None
    omen: str | None = None
    timing: Timing | None = None
    signifies: str | None = None
    selects: str | None = None
    defines: str | None = None
    overrides: tuple[str, ...] = ()
    authority: str | None = None
    doubt: str | None = None
    emend: tuple[Emendation, ...] = ()
    note: str | None = None
    dead: str | None = None
    unformalised: str | None = None

    @property
    def iri(self) -> str:
        """Its IRI."""
        return iris.clause(self.id)

    @property
    def fires(self) -> bool:
        """Whether it is of a kind that appears as a verdict and has a condition."""
        return self.kind in VERDICTS and self.when is not None


@dataclass(slots=True, eq=False)
class Passage:
    """One paragraph: classical text, Korean translation, and its clauses in the order of the file."""

    chapter: "Chapter"
    number: int
    lzh: str
    ko: str
    topic: str
    clauses: list[Clause] = field(default_factory=list)

    @property
    def iri(self) -> str:
        """Its IRI."""
        return iris.passage(self.chapter.work, self.chapter.name, self.number)

    def uncovered(self) -> list[int]:
        """Offsets of characters, punctuation apart, that no clause quotes."""
        covered = {i for c in self.clauses for i in range(c.span.start, c.span.end)}
        return [i for i, ch in enumerate(self.lzh) if i not in covered and unicodedata.category(ch)[0] in "LN"]

    @property
    def characters(self) -> int:
        """How many characters it has, punctuation apart."""
        return sum(unicodedata.category(ch)[0] in "LN" for ch in self.lzh)


@dataclass(slots=True, eq=False)
class Chapter:
    """A chapter file."""

    name: str
    work: str
    document: str
    tradition: str
    title: dict[str, str]
    topic: str
    file: str
    passages: list[Passage] = field(default_factory=list)

    @property
    def iri(self) -> str:
        """Its IRI."""
        return iris.chapter(self.work, self.name)

    def clauses(self) -> Iterator[Clause]:
        """Its clauses in order."""
        for passage in self.passages:
            yield from passage.clauses
