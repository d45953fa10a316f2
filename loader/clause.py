"""The parts of a text: chapters of passages, passages of clauses, and what a clause says."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final

from loader import iris
from loader.condition import Tree, parsed

ROLE_KINDS: Final = ("role", "relative")
"""Kinds of symbol that a clause may say that a line stands for."""
AUTHORITY_KINDS: Final = ("work", "person")
"""Kinds of symbol that a clause may cite."""
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
        units: `year`, `month`, `day`, `hour`, `decade` (旬) or `limit` (限, a span of years of life), any of which may be meant.
        stages: the branch at which the line's element is in one of these stages.
        relations: the coming branch clashes (沖), combines with (合), generates (生) or equals (臨) the line.
        void: the decade in which the line's branch is void.
        element: branches of the line's element.
        kin: only branches of that kin, counted from the palace.
        branches: fixed branches.
        of: `this`, or a class of visible lines, or `伏` and a kin for what this line hides, or a relation such as `受刑於`.
        at: `once`, `within-day`, `within-month`, `after-month`, `within-year`, where no branch is meant.
    """

    units: tuple[str, ...] = ()
    stages: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    void: bool = False
    element: bool = False
    kin: str | None = None
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
class Computation:
    """What a clause does to a number: a step of a sum.

    Attributes:
        quantity: key of the number (`exam-rank`, `number-of-hits`, ...).
        add: tables to what is looked up in them: properties of the individual that satisfies the clause (`干`, `支`, `五行`), or
            symbols by name.
        times: the sum so far, and what this clause adds, is multiplied by it.
        count: each individual that satisfies the clause counts as one.
        back: steps of the sixty pairs, both ends counted, from the pair of `back[0]` to that of `back[1]` (`this`, `year`,
            `decade` for the head of the 旬).
        of: `this`, or `伏` and a kin for what the line hides, or a relation such as `化`.
    """

    quantity: str
    add: tuple[tuple[str, tuple[str, ...]], ...] = ()
    times: Fraction | None = None
    count: bool = False
    back: tuple[str, str] | None = None
    of: str = "this"


@dataclass(frozen=True, slots=True)
class Otherwise:
    """What a clause says under the reading that is not taken by default; empty or None where it says the same."""

    when_text: str = ""
    about: str | None = None
    value: str | None = None
    omen: str | None = None
    timing: Timing | None = None


READINGS: Final = ("graded", "received", "emended")
"""Readings of the text: emended where the grade is A (the default), as received, emended wherever an emendation is proposed."""


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
    when_text: str = ""
    about: str | None = None
    value: str | None = None
    omen: str | None = None
    timing: Timing | None = None
    signifies: tuple[str, ...] = ()
    selects: str | None = None
    defines: str | None = None
    overrides: tuple[str, ...] = ()
    authority: tuple[str, ...] = ()
    computes: Computation | None = None
    doubt: str | None = None
    emend: tuple[Emendation, ...] = ()
    otherwise: Otherwise | None = None
    note: str | None = None
    dead: str | None = None
    unformalised: str | None = None

    @property
    def iri(self) -> str:
        """Its IRI."""
        return iris.clause(self.id)

    @property
    def when(self) -> Tree | None:
        """Its condition, or None.

        Raises:
            ConditionError: it does not parse.
        """
        return parsed(self.when_text) if self.when_text else None

    @property
    def safe(self) -> bool:
        """Whether an emendation of grade A is taken by default."""
        return any(e.grade == "A" for e in self.emend)

    @property
    def tradition(self) -> str:
        """The tradition of its chapter: `liuyao` or `qimen`."""
        return self.passage.chapter.tradition

    def under(self, reading: str) -> "Clause":
        """The clause as it stands under one of `READINGS`."""
        other = self.otherwise
        if other is None or reading != ("received" if self.safe else "emended"):
            return self
        changed = {f: v for f in ("when_text", "about", "value", "omen", "timing") if (v := getattr(other, f))}
        return replace(self, **changed)

    @property
    def fires(self) -> bool:
        """Whether it is of a kind that appears as a verdict and has a condition."""
        return self.kind in VERDICTS and bool(self.when_text)


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

    @property
    def place(self) -> str:
        """Where it stands: document and paragraph, `000 ¶5`."""
        return f"{self.chapter.document} ¶{self.number}"

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
