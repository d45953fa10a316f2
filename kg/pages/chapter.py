"""The page of a chapter: its passages in Chinese and Korean, each character with the clauses that quote it, and below what these say."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial

from kg.pages.address import Links, path
from kg.pages.concordance import concordance, named
from kg.pages.page import Page, Plans
from kg.pages.phrase import Phrase, condition, of
from kg.pages.runs import Run, chinese, fragment, korean
from kg.reckoning import step
from loader import saying
from loader.chapter import chapters
from loader.clause import AUTHORITY_KINDS, ROLE_KINDS, Chapter, Clause, Passage, Timing
from loader.iris import symbol
from loader.ontology import ontology


@dataclass(frozen=True, slots=True)
class Times:
    """When a thing comes about, with the IRIs of the stages, branches and kin that a timing rule names."""

    timing: Timing
    stages: tuple[str, ...]
    branches: tuple[str, ...]
    kin: str | None


@dataclass(frozen=True, slots=True)
class Said:
    """What a clause concludes.

    Attributes:
        about: the aspect, or None.
        found: outcome and omen.
        roles: for whom or what something stands.
        taken: the class that it fills, as useful god.
        defined: the class that it defines.
        times: when, or None.
    """

    about: str | None
    found: tuple[str, ...]
    roles: tuple[str, ...] = ()
    taken: str | None = None
    defined: str | None = None
    times: Times | None = None

    @property
    def anything(self) -> bool:
        """Whether there is anything to show."""
        return bool(self.about or self.found or self.roles or self.taken or self.defined or self.times)


@dataclass(frozen=True, slots=True)
class Other:
    """What a clause says under the reading that is not taken by default."""

    condition: Phrase
    said: Said


@dataclass(frozen=True, slots=True)
class ClauseView:
    """A clause as a page shows it.

    Attributes:
        clause: the clause.
        place: anchor of the run in which its quote begins.
        place_ko: anchor of the run in which its Korean words begin.
        fragment: the text directive that marks its words in the passage.
        condition: the pieces of its condition.
        said: its conclusion.
        other: what it says by the other reading, or None.
        authority: IRIs of whom it cites.
        computes: the quantity to which it is a step, and the step in words, or None.
        overridden: ids of the clauses that override it.
    """

    clause: Clause
    place: str
    place_ko: str
    fragment: str
    condition: Phrase
    said: Said
    other: Other | None
    authority: tuple[str, ...]
    computes: tuple[str, saying.Said] | None
    overridden: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PassageView:
    """A passage with its runs and clauses."""

    passage: Passage
    chinese: tuple[Run, ...]
    korean: tuple[Run, ...]
    clauses: tuple[ClauseView, ...]

    def clause(self, run: Run) -> Clause | None:
        """The clause to which a run leads: the one with the shortest quote."""
        return next((v.clause for v in self.clauses if run.clauses and v.clause.id == run.clauses[0]), None)


@dataclass(frozen=True, slots=True)
class ChapterView:
    """A chapter with its passages, and the chapters of the same work before and after it."""

    chapter: Chapter
    passages: tuple[PassageView, ...]
    before: Chapter | None
    after: Chapter | None

    @property
    def counts(self) -> dict[str, int]:
        """How many clauses there are, and how many have a condition, a doubt, an emendation."""
        return counts(self.chapter.clauses())


def counts(found: Iterator[Clause]) -> dict[str, int]:
    """Counts of clauses by the keys of the words that say them."""
    every = list(found)
    return {
        "n-clauses": len(every),
        "n-conditions": sum(bool(c.when_text) for c in every),
        "n-doubts": sum(bool(c.doubt) for c in every),
        "n-emended": sum(bool(c.emend) for c in every),
    }


def chapter_pages() -> Plans:
    """The pages of all chapters."""
    every = chapters()
    return {path(c.iri): partial(chapter_page, c, tuple(other for other in every if other.work == c.work)) for c in every}


def chapter_page(chapter: Chapter, beside: tuple[Chapter, ...] = ()) -> Page:
    """The page of a chapter.

    Args:
        chapter: the chapter, of the books or not.
        beside: the chapters of its work in order, for the links to the ones before and after.
    """
    at = next((i for i, c in enumerate(beside) if c is chapter), None)
    before = beside[at - 1] if at else None
    after = beside[at + 1] if at is not None and at + 1 < len(beside) else None
    view = ChapterView(chapter, tuple(map(_passage, chapter.passages)), before, after)
    parts = [iri for p in chapter.passages for iri in (p.iri, *(i for c in p.clauses for i in _parts(c)))]
    return Page(chapter.iri, path(chapter.iri), "chapter.html", _title(chapter), view, tuple(parts))


def _title(chapter: Chapter) -> dict[str, str]:
    chinese_title = chapter.title["zh-hant"]
    return {language: title if title == chinese_title else f"{title} · {chinese_title}" for language, title in chapter.title.items()}


def _parts(c: Clause) -> Iterator[str]:
    yield c.iri
    if c.timing:
        yield f"{c.iri}/timing"
    if c.otherwise:
        yield f"{c.iri}/otherwise"
        if c.otherwise.timing:
            yield f"{c.iri}/otherwise/timing"
    yield from (f"{c.iri}/emendation/{number}" for number in range(1, len(c.emend) + 1))


def _passage(p: Passage) -> PassageView:
    return PassageView(p, chinese(p), korean(p), tuple(map(clause_view, p.clauses)))


def clause_view(c: Clause) -> ClauseView:
    """A clause as a page shows it."""
    o, other = ontology(), c.otherwise
    return ClauseView(
        c,
        f"p{c.passage.number}.{c.span.start}",
        f"k{c.passage.number}.{c.ko_span.start}",
        fragment(c.passage.lzh, c.span.start, c.span.end),
        of(c),
        _said(c),
        Other(condition(other.when_text, c.tradition) if other.when_text else (), _other_said(c)) if other else None,
        tuple(o.keyed(key, *AUTHORITY_KINDS) or symbol(AUTHORITY_KINDS[0], key) for key in c.authority),
        (symbol("quantity", c.computes.quantity), step(c.computes)) if c.computes else None,
        concordance().overridden.get(c.id, ()),
    )


def _said(c: Clause) -> Said:
    o = ontology()
    return Said(
        symbol("aspect", c.about) if c.about else None,
        _found(c.value, c.omen),
        tuple(o.keyed(key, *ROLE_KINDS) or symbol(ROLE_KINDS[0], key) for key in c.signifies),
        named(c.selects, c.tradition) if c.selects else None,
        named(c.defines, c.tradition) if c.defines else None,
        _times(c.timing) if c.timing else None,
    )


def _other_said(c: Clause) -> Said:
    other = c.otherwise
    if other is None:
        return Said(None, ())
    about = symbol("aspect", other.about) if other.about else None
    return Said(about, _found(other.value, other.omen), times=_times(other.timing) if other.timing else None)


def _found(value: str | None, omen: str | None) -> tuple[str, ...]:
    return tuple(symbol(kind, key) for kind, key in (("outcome", value), ("omen", omen)) if key)


def _times(t: Timing) -> Times:
    stages, branches, kin = (_by_label(kind) for kind in ("Stage", "Branch", "Kin"))
    return Times(
        t,
        tuple(stages.get(s, symbol("stage", s)) for s in t.stages),
        tuple(branches.get(b, symbol("branch", b)) for b in t.branches),
        kin.get(t.kin) if t.kin else None,
    )


@cache
def _by_label(kind: str) -> dict[str, str]:
    o = ontology()
    return {o.label(s): s for s in o.of_type(kind)}


def cited(passage: Passage, start: int, end: int, links: Links) -> str | None:
    """The href of a run of characters of a passage: it leads to the passage, and browsers that can mark the characters.

    >>> from kg.pages.address import FolderLinks
    >>> passage = chapters()[0].passages[0]
    >>> print(cited(passage, 0, 3, FolderLinks("index", "en")))
    text/yiyin/taichan.html#p1:~:text=%E9%81%8A%E5%8D%97%E5%AD%90
    """
    to = links.thing(passage.iri)
    return to + fragment(passage.lzh, start, end) if to else None
