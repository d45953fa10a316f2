"""What the answer to a cast shows: the chart, verdicts by aspect with why they fire, what a clause lacks, conflicts, times, numbers."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Final

from kg.answer import star_share
from kg.drawing import drawing, mark
from kg.explain import Proof, unknown_words
from kg.explanation import Explanation, explanation, witnesses
from kg.judgement import Judgement, Verdict
from kg.pages.words import Words
from kg.reasons import describe, limit_words
from kg.render import chart_name
from kg.timing import When
from kg.typed import beginning
from kg.variants import KINDS, Variant, variants
from kg.web.cast_months import Times, times, when_said
from kg.web.cast_query import PATH, Asked
from loader.chapter import clauses
from loader.clause import ROLE_KINDS, Clause
from loader.errors import UnknownName
from loader.iris import ns, symbol
from loader.kinship import Place, place_of
from loader.liuyao import Chart
from loader.ontology import ontology
from loader.saying import Said, joined, say

FORMS: Final = ("pdf", "svg", "ttl", "jsonld", "json")
"""Forms in which an answer may be taken away."""
_NAMES: Final = {"pdf": "PDF", "svg": "SVG", "ttl": "Turtle", "jsonld": "JSON-LD", "json": "JSON"}
_MANY: Final = 400
"""Clauses that are proposed for an explanation, at most."""


@dataclass(frozen=True, slots=True)
class Aspect:
    """The verdicts on an aspect; the IRI is None for those that are on none."""

    iri: str | None
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class Open:
    """Clauses that were not judged for want of something."""

    unknown: tuple[str, ...]
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Relative:
    """The relative asked about, and where he stands, if the chart tells."""

    iri: str
    place: Place | None

    @property
    def where(self) -> Said:
        """The line that stands for him, in words."""
        return self.place.where if self.place else say("at-none")

    @property
    def because(self) -> tuple[Said, ...]:
        """The steps by which the line was found."""
        return self.place.because if self.place else ()


@dataclass(frozen=True)
class Answer:
    """The answer to a cast.

    Attributes:
        asked: what was asked.
        judgement: the judgement.
        notes: what is uncertain of the moment.
        start: the day from which coming days are sought.
        focus: the clause that is looked at, or None.
        language: that of the page.
        lang: the language that the address asks for, or None.
    """

    asked: Asked
    judgement: Judgement
    notes: tuple[Said, ...]
    start: date
    focus: Explanation | None
    language: str
    lang: str | None = None

    @cached_property
    def chart(self) -> str:
        """The chart as SVG; the witnesses of the clause that is looked at are lit."""
        return drawing(self.judgement, self.language, witnesses(self.focus.proofs) if self.focus else ())

    @property
    def name(self) -> str:
        """What the chart is called in Chinese: `雷山小過 之 雷地豫`, `己巳時 陽遁八局`."""
        return chart_name(self.judgement.chart)

    @cached_property
    def aspects(self) -> tuple[Aspect, ...]:
        """The verdicts by aspect, in the order of the books."""
        found: dict[str | None, list[Verdict]] = {}
        for v in self.judgement.verdicts:
            found.setdefault(v.clause.about, []).append(v)
        return tuple(Aspect(symbol("aspect", about) if about else None, tuple(verdicts)) for about, verdicts in found.items())

    @cached_property
    def times(self) -> Times:
        """The times that verdicts name."""
        return times(self.judgement, self.start)

    @property
    def missing(self) -> tuple[str, ...]:
        """What must be known to judge the clause that is looked at, where it might yet hold."""
        return tuple(sorted(self.judgement.not_judged.get(self.focus.clause.id, ()))) if self.focus else ()

    @cached_property
    def open(self) -> tuple[Open, ...]:
        """What was not judged, by what is not known."""
        found: dict[tuple[str, ...], list[Clause]] = {}
        for i, unknown in self.judgement.not_judged.items():
            found.setdefault(tuple(sorted(unknown)), []).append(clauses()[i])
        return tuple(Open(unknown, tuple(of)) for unknown, of in found.items())

    @cached_property
    def variants(self) -> tuple[Variant, ...]:
        """The variants that are asked for."""
        return variants(self.judgement, kinds(self.asked))

    @cached_property
    def stars(self) -> dict[str, int] | None:
        """How many lines carry stars; an hour chart has no such lines."""
        return star_share(self.judgement.chart) if isinstance(self.judgement.chart, Chart) else None

    @property
    def relative(self) -> Relative | None:
        """The relative asked about."""
        c = self.judgement.chart
        if not isinstance(c, Chart) or c.given.relative is None:
            return None
        iri = symbol("relative", c.given.relative)
        return Relative(iri, place_of(c, iri, c.given.asks))

    @property
    def limit(self) -> Said | None:
        """The stage of life asked about, in words; None where none is."""
        return limit_words(self.judgement.chart) if isinstance(self.judgement.chart, Chart) else None

    @property
    def wants_relative(self) -> bool:
        """Whether a relative might be asked about and is not."""
        j = self.judgement
        return isinstance(j.chart, Chart) and j.chart.given.relative is None and ns("FlownLine") in j.program.signature

    @property
    def files(self) -> tuple[tuple[str, str, str], ...]:
        """Ending, name and path of each form in which the answer may be taken away."""
        return tuple((form, _NAMES[form], self.asked.address(f"{PATH}.{form}")) for form in FORMS)

    @property
    def proposed(self) -> tuple[str, ...]:
        """Ids of the clauses of the topics asked, where they are not too many to choose from."""
        found = self.judgement.clauses
        return tuple(c.id for c in found) if len(found) <= _MANY else ()

    def light(self, clause: str) -> str:
        """The address of this answer with a clause looked at and its witnesses lit."""
        return self.asked.address(clause=clause) + "#chart"

    def clause(self, clause_id: str) -> Clause:
        """A clause by its id."""
        return clauses()[clause_id]

    def said(self, when: When, w: Words) -> str:
        """A time that a clause names, in words."""
        return when_said(when, w)

    def outcome(self, ground: str, key: str) -> str:
        """The IRI of what a side of a conflict says."""
        return symbol("outcome" if ground == "outcome" else "omen", key)

    def who(self, individual: str) -> Said:
        """An individual as a person would say it."""
        return describe(self.judgement.chart, individual)

    def unknown(self, what: Iterable[str]) -> Said:
        """What is not known, in words."""
        return joined(unknown_words(what), say("listed"))

    def roles(self, individual: str) -> tuple[str, ...]:
        """IRIs of the roles that the topics give a line."""
        o = ontology()
        found = [o.keyed(key, *ROLE_KINDS) for c in self.judgement.roles.get(individual, ()) for key in c.signifies]
        return tuple(dict.fromkeys(iri for iri in found if iri))

    def marks(self, proofs: Iterable[Proof]) -> str:
        """The ids on the chart of the witnesses of proofs, parted by blanks."""
        return " ".join(map(mark, witnesses(proofs)))


def kinds(asked: Asked) -> tuple[str, ...]:
    """The kinds of variant that are asked for.

    Raises:
        UnknownName: there is no such kind.
    """
    for kind in asked.values("variants"):
        if kind not in KINDS:
            raise UnknownName(kind, "kind of variant", KINDS, where="--variants", todo=f"There are: {', '.join(KINDS)}")
    return tuple(asked.values("variants"))


def answer(asked: Asked, judgement: Judgement, notes: tuple[Said, ...], language: str, lang: str | None = None) -> Answer:
    """The answer to a cast that is judged.

    Raises:
        InputError: a day, a kind of variant or a clause that cannot be shown.
    """
    kinds(asked)
    start = beginning(judgement.chart.given.at, dates=True, start=asked.value("from"))
    assert start is not None  # noqa: S101 - with dates there is one
    clause = asked.value("clause")
    return Answer(asked, judgement, notes, start, explanation(judgement, clause) if clause else None, language, lang)
