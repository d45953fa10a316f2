"""A cast judged: which clauses fire, which stand, where they conflict, and what could not be judged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from kg.asking import check_topics
from kg.closure import Closed, Stated, close
from kg.explain import Proof, Walk, may_fire, prove
from kg.reasoning import engine as engine_named
from kg.reckoning import Reckoning, reckon
from kg.standing import Conflict, conflicts, overridden
from kg.timing import When, resolve
from loader import iris
from loader.axioms import Program, compile_clauses
from loader.cast import AnyChart, AnyGiven, chart_of, facts_of, tradition_of
from loader.chapter import clauses
from loader.clause import READINGS, Clause
from loader.errors import InputError
from loader.liuyao import Given
from loader.tables import choose

DEFAULT_ENGINE: Final = "reasonable"
STATES: Final = ("動", "暗動", "空亡", "歲破", "月破", "日破", "旺相", "衰", "本宮", "卦身", "命爻", "胎爻")
"""Classes derived for every cast, whether or not a clause needs them: the states that a chart shows of its lines."""
SHOWN: Final = {"liuyao": STATES, "qimen": ("吉", "凶")}

_PROGRAMS: Final = 48
"""Programs that are kept, each for its topics and conventions; one takes up to 10 MiB, and who asks may name any conventions."""


@dataclass(frozen=True)
class Verdict:
    """A clause that fires on a cast.

    Attributes:
        clause: the clause, with its quote and passage.
        holders: the individuals that satisfy its condition (lines, pillars, or the cast itself).
        overridden_by: ids of firing clauses that defeat it; empty when it stands.
        proofs: for each holder, how it satisfies the condition.
        when: for each holder, the times that the clause names, if it names any.
    """

    clause: Clause
    holders: tuple[str, ...]
    overridden_by: tuple[str, ...]
    proofs: tuple[Proof, ...]
    when: tuple[When, ...]

    @property
    def stands(self) -> bool:
        """Whether no firing clause overrides it."""
        return not self.overridden_by


@dataclass(frozen=True, slots=True)
class Selected:
    """A clause that selects a useful god, and the lines or pillars that it selects in this cast."""

    clause: Clause
    holders: tuple[str, ...]


@dataclass(frozen=True)
class Judgement:
    """A closed cast and what the books say of it."""

    chart: AnyChart
    program: Program
    closed: Closed
    engine: str

    @property
    def reading(self) -> str:
        """The reading of the text by which the cast is judged."""
        return self.chart.given.conventions.get("reading", READINGS[0])

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses of the topics asked, in the order of the books, as the reading of the cast has them."""
        tradition = tradition_of(self.chart.given)
        return tuple(c.under(self.reading) for c in clauses().values() if c.topic in self.chart.given.topics and c.tradition == tradition)

    @cached_property
    def fires(self) -> frozenset[str]:
        """Ids of the clauses that fire."""
        return frozenset(iris.key(c) for c in self.closed.fires(self.chart.iri))

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Every verdict, standing or overridden, in the order of the books."""
        lost = overridden(self.fires, self.reading)
        found = []
        for clause in self.clauses:
            if clause.id not in self.fires:
                continue
            holders = tuple(self.closed.members(iris.symbol("fires", clause.id)))
            if self.program.conditions[clause.id].kinds != {"Cast"}:
                # The cast fires too, carried up from its lines; it is no witness of its own.
                holders = tuple(h for h in holders if h != self.chart.iri)
            proofs = self.proofs(clause, holders)
            when = tuple(resolve(clause.timing, h, self.chart, self.closed) for h in holders) if clause.timing else ()
            found.append(Verdict(clause, holders, lost.get(clause.id, ()), proofs, when))
        return tuple(found)

    @cached_property
    def reckonings(self) -> tuple[Reckoning, ...]:
        """The numbers that clauses compute, each with its sum."""
        return reckon(self.chart, self.closed, self.program, self.clauses)

    def holders(self, clause: Clause) -> tuple[str, ...]:
        """The individuals that satisfy the condition of a clause, whether or not it is of a kind that fires."""
        e = self.program.conditions.get(clause.id)
        walk = Walk(self.chart, self.closed, self.program)
        return tuple(i for i in sorted(self.closed.types) if walk.holds(e, i, clause.topic)) if e else ()

    def proofs(self, clause: Clause, holders: Sequence[str]) -> tuple[Proof, ...]:
        """How each of some individuals satisfies the condition of a clause."""
        e = self.program.conditions.get(clause.id)
        return tuple(prove(self.chart, self.closed, self.program, e, h, clause.topic) for h in holders) if e else ()

    @cached_property
    def useful_gods(self) -> tuple[Selected, ...]:
        """The lines and pillars that the clauses of the topics select as useful god (用神), each with the clause that selects it."""
        found = (Selected(c, self.holders(c)) for c in self.clauses if c.selects)
        return tuple(s for s in found if s.holders)

    @cached_property
    def roles(self) -> dict[str, tuple[Clause, ...]]:
        """Each line to the clauses of the topics that assign it a role (分宮)."""
        found: dict[str, tuple[Clause, ...]] = {}
        for clause in self.clauses:
            if clause.kind == "line-assignment":
                for line in self.holders(clause):
                    found[line] = (*found.get(line, ()), clause)
        return found

    @cached_property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Standing verdicts that disagree on one aspect."""
        return conflicts((v.clause.id for v in self.verdicts if v.stands), self.reading)

    @cached_property
    def not_judged(self) -> dict[str, frozenset[str]]:
        """Ids of clauses that did not fire but might, were all known; with what is unknown of that on which they rest."""
        unknown, found = self.chart.unknown, {}
        for i, rests in self.program.rests_on.items():
            clause = clauses()[i]
            if rests & unknown and clause.fires and i not in self.fires and may_fire(self.chart, self.closed, self.program, clause):
                found[i] = rests & unknown
        return found


@lru_cache(_PROGRAMS)
def _program(chosen: tuple[str, ...], conventions: tuple[tuple[str, str], ...], tradition: str) -> Program:
    wanted = [c for c in clauses().values() if c.topic in chosen and c.tradition == tradition]
    return compile_clauses(wanted, dict(conventions), tradition, shown=SHOWN[tradition])


def program(chosen: Sequence[str], conventions: Mapping[str, str], tradition: str = "liuyao") -> Program:
    """The compiled clauses of the topics; kept, since casts with the same topics and conventions share it."""
    return _program(tuple(sorted(chosen)), tuple(sorted(conventions.items())), tradition)


def judge(given: AnyGiven, engine: str = DEFAULT_ENGINE) -> Judgement:
    """Judge a cast.

    >>> from loader.tables import choose
    >>> cast = Given((8, 8, 9, 7, 8, 8), {"month": "辰", "day": "戊辰"}, ("childbirth",), conventions=choose({}))
    >>> "yy-taichan-087" in judge(cast).fires
    False

    Raises:
        EngineError: no such engine.
    """
    return judge_all([given], engine)[0]


def judge_all(casts: Sequence[AnyGiven], engine: str = DEFAULT_ENGINE) -> list[Judgement]:
    """Judge casts of the same topics and conventions in one closure.

    Raises:
        InputError: they differ in topics or conventions.
        EngineError: no such engine.
    """
    make = engine_named(engine)
    if len({(tradition_of(g), g.topics, tuple(sorted(g.conventions.items()))) for g in casts}) > 1:
        raise InputError("the casts differ in topics or conventions", todo="judge them apart")
    charts = [chart_of(g) for g in casts]
    if not charts:
        return []
    compiled = program(casts[0].topics, casts[0].conventions, tradition_of(casts[0]))
    stated = [Stated(c.iri, tuple(facts_of(c)), c.unknown) for c in charts]
    return [Judgement(c, compiled, closed, engine) for c, closed in zip(charts, close(stated, compiled, make), strict=True)]


def cast(
    lines: Sequence[int],
    topic: str | Sequence[str],
    *,
    pillars: Mapping[str, str] | None = None,
    conventions: Mapping[str, str] | None = None,
    engine: str = DEFAULT_ENGINE,
) -> Judgement:
    """Cast and judge in one call, from six numbers and the pillars that are known.

    >>> cast([8, 8, 9, 7, 8, 8], "childbirth", pillars={"month": "辰", "day": "戊辰"}).chart.shi
    4
    """
    asked = check_topics([topic] if isinstance(topic, str) else topic)
    return judge(Given(tuple(lines), dict(pillars or {}), asked, conventions=choose(conventions or {})), engine)
