"""The bulk engine against `reasonable`: the same clauses fire, on the same individuals, for random casts and for every witness."""

import random
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.asking import topics
from kg.bulk import Casts, Fires, Grid, Question, evaluate, hexagrams_of, lines_of, settled, six_lines
from kg.bulk.circuit import FALSE, TRUE, Circuit
from kg.bulk.composition import Composition
from kg.bulk.machine import Machine, packed, unpacked, words_for
from kg.bulk.space import sizes, values
from kg.check import bulk_disagreements
from kg.judgement import judge, judge_all
from kg.sampling import random_cast, sample
from loader.cast import AnyGiven
from loader.chapter import clauses
from loader.errors import InputError
from loader.liuyao import UNITS, Chart, Given
from loader.qimen import QimenGiven
from loader.tables import choose
from loader.witness import rows
from tests.cases.find import load
from tests.cases.find_hours import given_of
from tests.chart_by_chart import facts_in

ELSEWHERE = {
    "reading": "received",
    "hidden-lines": "opposite",
    "body": "shishen",
    "enclosure": "any",
    "star-pillars": "day",
    "mutual-kin": "najia",
    "limit": "minor",
}
"""Conventions of other schools, of six lines."""

LINES = st.tuples(*[st.sampled_from((6, 7, 8, 9))] * 6)
PILLARS = st.fixed_dictionaries({}, optional={u: st.sampled_from(values(u)) for u in UNITS})


# -- the same verdicts -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("topic", topics())
def test_six_lines_fire_as_with_reasonable(topic: str) -> None:
    casts = list(sample(2, seed=topics().index(topic) + 300, topic=topic, tradition="liuyao"))
    assert list(bulk_disagreements(judge_all(casts))) == []


def test_unknown_pillars_fire_as_with_reasonable() -> None:
    """Each set of pillars that may be known, all but the day as bare branches, on casts of all topics at once."""
    rng, casts = random.Random(11), list[AnyGiven]()
    for known in ((), ("month",), ("day",), ("month", "day"), ("month", "day", "hour"), ("year", "month", "day")):
        cast = random_cast(rng, "childbirth")
        pillars = {u: p[1] if u != "day" else p for u, p in cast.pillars.items() if u in known}
        casts.append(replace(cast, pillars=pillars, term=None, topics=topics()))
    assert list(bulk_disagreements(judge_all(casts))) == []


def test_other_conventions_fire_as_with_reasonable() -> None:
    conventions = choose(ELSEWHERE)
    for topic in ("childbirth", "fate"):
        assert list(bulk_disagreements(judge_all([replace(g, conventions=conventions) for g in sample(2, seed=4, topic=topic, tradition="liuyao")]))) == []
    charts = [g for g in sample(2, seed=4, topic="childbirth", tradition="qimen") if isinstance(g, QimenGiven)]
    turned = [replace(g, conventions=choose({"plate": "rotating", "reading": "received"})) for g in charts]
    assert list(bulk_disagreements(judge_all(turned))) == []


@st.composite
def asked_casts(draw: st.DrawFn) -> Given:
    """A cast with all that can be asked of it, drawn so that a disagreement shrinks to the simplest one."""
    topic = draw(st.sampled_from(("childbirth", "kin", "ancestors", "fate", "heirs")))
    template = random_cast(random.Random(draw(st.integers(0, 50))), topic)
    pillars = draw(PILLARS)
    return replace(template, lines=draw(LINES), pillars=pillars, term=draw(st.none() | st.sampled_from(values("term"))))


@settings(max_examples=8, deadline=None)
@given(asked_casts())
def test_any_cast_fires_as_with_reasonable(cast: Given) -> None:
    judged = judge(cast).fires
    found = evaluate([cast]).of(0)
    clause = min(judged ^ found, default=None)
    assert clause is None, f"{clause} on {cast.as_input()}"


def test_casts_of_any_kind_keep_their_order() -> None:
    casts = [*sample(6, seed=8), *(replace(g, conventions=choose({"reading": "received"})) for g in sample(2, seed=9, tradition="liuyao"))]
    random.Random(1).shuffle(casts)
    fires = evaluate(casts)
    assert [fires.of(n) for n in range(len(casts))] == [evaluate([g]).of(0) for g in casts]
    assert any(fires.counts())


def test_no_casts_at_all() -> None:
    assert evaluate([]).casts == 0
    assert six_lines(Grid.whole().casts(5, 5)).counts().sum() == 0


def test_verdicts_stand_as_with_reasonable() -> None:
    casts = list(sample(5, seed=2, topic="childbirth", tradition="liuyao"))
    # 大畜, on which yy-taichan-035 prevails over yy-taichan-037.
    casts.append(Given((7, 7, 7, 8, 8, 7), {"month": "午", "day": "甲子"}, ("childbirth",), conventions=choose({})))
    standing = evaluate(casts).standing()
    judged = judge_all(casts)
    assert [standing.of(n) for n in range(len(casts))] == [frozenset(v.clause.id for v in j.verdicts if v.stands) for j in judged]
    assert any(not v.stands for j in judged for v in j.verdicts)


def test_every_clause_that_may_fire_has_a_row() -> None:
    wanted = [c.id for c in clauses().values() if c.tradition == "liuyao" and c.fires and c.when_text]
    assert list(six_lines(Grid.whole().casts(0, 64)).clauses) == wanted


# -- the witnesses ---------------------------------------------------------------------------------------------------------


def silent(witnesses: Mapping[str, AnyGiven]) -> list[str]:
    """Clauses that do not fire on their witness; clauses of kinds that never fire are left out."""
    wanted = {i: g for i, g in witnesses.items() if clauses()[i].fires}
    distinct = {g.iri: g for g in wanted.values()}
    at = {iri: n for n, iri in enumerate(distinct)}
    fires = evaluate(list(distinct.values()))
    return [i for i, g in wanted.items() if i not in fires.of(at[g.iri])]


def test_every_witness_of_six_lines_fires() -> None:
    witnesses = load()
    assert len(witnesses) > 800
    assert silent(dict(witnesses)) == []


@pytest.mark.slow
def test_every_witness_of_an_hour_fires() -> None:
    witnesses: dict[str, AnyGiven] = {}
    for case in rows("qimen"):
        witnesses |= dict.fromkeys(case["clauses"].split(), given_of(case))
    assert len(witnesses) > 600
    assert silent(witnesses) == []


# -- facts put together ----------------------------------------------------------------------------------------------------

BARE = st.builds(
    Given,
    lines=LINES,
    pillars=PILLARS,
    topics=st.just(()),
    birth_branch=st.none() | st.sampled_from(values("birth")),
    term=st.none() | st.sampled_from(values("term")),
)
"""Casts of which nothing is asked; their pillars need not be able to meet."""


def parts(casts: list[Given], conventions: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Facts that differ between the chart builder and the composition."""
    casts = [replace(g, conventions=conventions) for g in casts]
    built = facts_in([Chart(g) for g in casts])
    numbers = Casts.given(casts)
    composed = Composition(settled(conventions), numbers.codes.keys(), {prop for _, prop, _ in built})
    facts = dict(composed.stated.all())
    found = dict(zip(facts, Machine(composed.circuit, list(facts.values())).run(len(casts), numbers.codes, {}), strict=True))
    nothing = np.zeros(words_for(len(casts)), np.uint64)
    return [f for f in built.keys() | found.keys() if (built.get(f, nothing) != found.get(f, nothing)).any()]


@settings(max_examples=3, deadline=None)
@given(st.lists(BARE, min_size=20, max_size=60))
def test_facts_put_together_are_those_of_the_chart(casts: list[Given]) -> None:
    assert parts(casts, choose({})) == []


@settings(max_examples=1, deadline=None)
@given(st.lists(BARE, min_size=40, max_size=60))
def test_facts_put_together_follow_conventions(casts: list[Given]) -> None:
    assert parts(casts, choose(ELSEWHERE)) == []


def test_one_question_for_all_casts_is_that_of_each() -> None:
    """A relative and an age mean other lines in each hexagram."""
    for question in (Question(("kin",), relative="mother", asks=("child-of-mother",)), Question(("fate",), age=40)):
        casts = Casts.of(hexagrams=range(0, 4096, 97), month="辰", day="戊辰")
        givens = [replace(question.on(pair), pillars={"month": "辰", "day": "戊辰"}) for pair in casts.codes["hexagrams"].tolist()]
        together, apart = six_lines(casts, question), evaluate(givens)
        assert [together.of(n) for n in range(len(casts))] == [apart.of(n) for n in range(len(casts))]
        assert together.counts().any()


def test_chunks_are_joined_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    casts = Grid.whole().casts(100_000, 100_300)
    whole = six_lines(casts, holders=True)
    monkeypatch.setattr("kg.bulk.judge.CHUNK", 64)
    chunked = six_lines(casts, holders=True)
    assert (whole.words == chunked.words).all()
    assert all(whole.held_by(c, 299) == chunked.held_by(c, 299) for c in whole.clauses)


# -- numbers and names -----------------------------------------------------------------------------------------------------


@given(LINES)
def test_pairs_of_hexagrams_and_lines(lines: tuple[int, ...]) -> None:
    assert lines_of(hexagrams_of(lines)) == lines


def test_the_whole_space_has_every_cast_once() -> None:
    grid = Grid.whole(hexagrams=(3, 5), day=(0, 7, 9))
    casts = grid.casts(0, len(grid))
    every = {(int(h), casts.value("month", n), casts.value("day", n)) for n, h in enumerate(casts.codes["hexagrams"])}
    assert len(every) == len(grid) == 72
    assert {day for _, _, day in every} == {"甲子", "辛未", "癸酉"}
    assert casts.value("year", 0) is None


@pytest.mark.parametrize(
    ("axes", "words"),
    [
        ({"day": "戊卯"}, "no day"),
        ({"day": [1, 2, 3]}, "lengths differ"),
        ({"week": [1]}, "nothing that a cast is made of"),
        ({"month": [73]}, "from 0 to 72"),
        ({"month": [-1]}, "from 0 to 72"),
        ({"month": [0.5]}, "numbers or names"),
    ],
)
def test_casts_that_cannot_be(axes: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Casts.of(hexagrams=[0, 1], **axes)  # type: ignore[arg-type]


# -- the circuit -----------------------------------------------------------------------------------------------------------

Tree = tuple[str, list["Tree"]] | tuple[str, int]
LEAVES = st.tuples(st.sampled_from(("fact", "day", "month")), st.integers(0, 255))
TREES: st.SearchStrategy[Tree] = st.recursive(LEAVES, lambda t: st.tuples(st.sampled_from(("and", "or", "not")), st.lists(t, min_size=0, max_size=4)))


def built(c: Circuit, tree: Tree) -> int:
    how, what = tree
    if isinstance(what, int):
        return c.fact(("", "type", str(what % 5))) if how == "fact" else c.lookup(how, what)
    nodes = [built(c, t) for t in what]
    return c.every(nodes) if how == "and" else c.some(nodes) if how == "or" else c.negation(c.some(nodes))


def truth(tree: Tree, codes: Mapping[str, int], facts: set[int]) -> bool:
    how, what = tree
    if isinstance(what, int):
        return what % 5 in facts if how == "fact" else bool(what >> codes[how] & 1)
    found = [truth(t, codes, facts) for t in what]
    return all(found) if how == "and" else any(found) if how == "or" else not any(found)


@settings(max_examples=150, deadline=None)
@given(st.lists(TREES, min_size=1, max_size=5), st.integers(1, 130), st.randoms(use_true_random=False))
def test_a_circuit_says_what_plain_logic_says(trees: list[Tree], casts: int, rng: random.Random) -> None:
    c = Circuit({"day": 8, "month": 8})
    machine = Machine(c, [built(c, t) for t in trees])
    codes = {axis: np.array([rng.randrange(8) for _ in range(casts)], np.intp) for axis in ("day", "month")}
    holding = [{f for f in range(5) if rng.random() < 0.5} for _ in range(casts)]
    facts = {("", "type", str(f)): packed(np.array([f in h for h in holding])) for f in range(5)}
    out = machine.run(casts, codes, facts)
    assert not (out[:, -1] >> np.uint64((casts - 1) % 64) >> np.uint64(1)).any()
    wanted = [[truth(t, {a: int(v[n]) for a, v in codes.items()}, holding[n]) for n in range(casts)] for t in trees]
    assert unpacked(out, casts).tolist() == wanted


def test_a_table_of_one_axis_is_no_gate() -> None:
    c = Circuit({"day": 8, "month": 8})
    odd, late, spring = c.lookup("day", 0b10101010), c.lookup("day", 0b11110000), c.lookup("month", 0b111)
    both = c.every([odd, late, c.negation(odd)])
    assert both == FALSE
    assert c.some([odd, c.negation(odd), spring]) == TRUE
    assert Machine(c, [c.every([odd, late, spring])]).gates == 1


def test_counts_and_implications() -> None:
    rng = np.random.default_rng(5)
    holds = rng.random((7, 200)) < 0.2
    holds[3] = holds[2] | holds[5]
    fires = Fires(tuple("abcdefg"), 200, np.stack([packed(row) for row in holds]))
    assert (holds == fires.matrix().T).all()
    assert fires.counts().tolist() == holds.sum(axis=1).tolist()
    assert (fires.together() == holds.astype(int) @ holds.T.astype(int)).all()
    assert fires.implied()[2, 3]
    assert not fires.implied()[3, 2]
    assert [fires.of(n) for n in range(200)] == [frozenset(c for c, row in zip("abcdefg", holds, strict=True) if row[n]) for n in range(200)]


def test_every_axis_ends_with_the_unknown() -> None:
    by_size: dict[int, list[str]] = defaultdict(list)
    for axis, size in sizes().items():
        by_size[size].append(axis)
    assert by_size == {4096: ["hexagrams"], 73: [*UNITS], 25: ["term"], 13: ["birth"]}
