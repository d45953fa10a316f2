"""Hour charts in bulk: the same facts as the chart builder states, the same clauses and holders as `reasonable` finds, in the whole space."""

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from kg.asking import topics
from kg.bulk import HourCharts, HourGrid, HourQuestion, evaluate, hour_charts, settled
from kg.bulk.hour_composition import HourComposition
from kg.bulk.hour_question import facts_asked_of_hours
from kg.bulk.hours import CHART, NATAL, axes
from kg.bulk.machine import Machine, words_for
from kg.check import bulk_disagreements
from kg.judgement import judge_all
from kg.sampling import can_meet, sample
from loader.cast import chart_of
from loader.errors import InputError
from loader.qimen import Ju, Person, QimenGiven
from loader.qimen_given import QimenTyped, qimen_given
from loader.tables import choose, conventions
from tests.chart_by_chart import facts_in, judged

ASKS = ("first-birth", "second-birth", "third-birth", "first-marriage", "remarriage")


def schools() -> list[dict[str, str]]:
    """Conventions that together have every option there is: all the second ones, all the third and so on; then the second of a flying plate."""
    most = max(map(len, conventions().values()))
    other = [{name: options[min(k, len(options) - 1)].key for name, options in conventions().items()} for k in range(1, most)]
    return [*other, {**other[0], "plate": "flying"}]


def wild(count: int, seed: int, chosen: dict[str, str] | None = None) -> list[QimenGiven]:
    """Charts of anything, whether or not it can meet: pillars, 局, term and all that may be asked or left unknown."""
    rng = random.Random(seed)
    pairs = [p for p in axes()["day"].values if isinstance(p, str)]
    settings = choose(chosen or {})

    def one() -> QimenGiven:
        pillars = {u: rng.choice(pairs) for u in ("year", "month", "day", "hour") if u in ("day", "hour") or rng.random() < 0.8}
        persons = tuple(Person(who, rng.choice(pairs), rng.choice([*pairs, None])) for who in ("man", "woman", "person") if rng.random() < 0.5)
        anything = {name: rng.choice(axes()[name].values) for name in ("term", "mountain", "crop")}
        return QimenGiven(
            pillars,
            Ju(rng.random() < 0.5, rng.randrange(1, 10), None, rng.choice((1, 2, 3, None)), "given"),
            tuple(rng.sample(topics("qimen"), rng.randrange(5))),
            tuple(rng.sample(ASKS, rng.randrange(3))),
            persons,
            term_changes=rng.choice((True, False, None)),
            conventions=settings,
            **anything,  # type: ignore[arg-type]  # texts or None
        )

    return [one() for _ in range(count)]


# -- facts -----------------------------------------------------------------------------------------------------------------


def facts_that_differ(givens: Sequence[QimenGiven]) -> list[tuple[str, str, str]]:
    """Facts that differ between the chart builder and the composition."""
    built = facts_in([chart_of(g) for g in givens])
    charts = HourCharts.given(givens)
    composed = HourComposition(settled(givens[0].conventions), charts.codes.keys())
    facts = dict(composed.stated.all())
    asked = facts_asked_of_hours([HourQuestion.of(g) for g in givens], len(givens))
    found = dict(zip(facts, Machine(composed.circuit, list(facts.values())).run(len(givens), charts.codes, asked), strict=True))
    nothing = np.zeros(words_for(len(givens)), np.uint64)
    return sorted(f for f in built.keys() | found.keys() if (built.get(f, nothing) != found.get(f, nothing)).any())


def test_facts_put_together_are_those_of_the_chart() -> None:
    given = [g for g in sample(100, seed=31, tradition="qimen") if isinstance(g, QimenGiven)]
    assert facts_that_differ([*given, *wild(150, 32)]) == []


@pytest.mark.parametrize("school", schools())
def test_facts_put_together_follow_conventions(school: dict[str, str]) -> None:
    assert facts_that_differ(wild(40, 33, school)) == []


def test_schools_have_every_option() -> None:
    chosen = {(name, key) for school in (choose({}), *schools()) for name, key in school.items()}
    assert chosen == {(name, option.key) for name, options in conventions().items() for option in options}


# -- clauses and holders -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("topic", topics("qimen"))
def test_hours_fire_as_with_reasonable(topic: str) -> None:
    charts = list(sample(8, seed=topics("qimen").index(topic) + 500, topic=topic, tradition="qimen"))
    judgements = judge_all(charts)
    assert list(bulk_disagreements(judgements)) == []
    assert all(j.fires for j in judgements)


def parts(givens: Sequence[QimenGiven]) -> list[tuple[str, str]]:
    """Clauses, each with a slot, that do not fire alike by tables and chart by chart."""
    slow, fast = judged(givens, holders=True), evaluate(givens, holders=True)
    assert slow.clauses == fast.clauses
    nothing = np.zeros(words_for(len(givens)), np.uint64)
    differ = [(c, "") for n, c in enumerate(slow.clauses) if (slow.words[n] != fast.words[n]).any()]
    for c in slow.clauses:
        mine, theirs = slow.holders.get(c, {}), fast.holders.get(c, {})
        differ += [(c, slot) for slot in mine.keys() | theirs.keys() if (mine.get(slot, nothing) != theirs.get(slot, nothing)).any()]
    return differ


def test_anything_fires_on_what_it_fires_chart_by_chart() -> None:
    assert parts(wild(200, 34)) == []


@pytest.mark.parametrize("school", schools()[1:3])
def test_other_schools_fire_on_what_they_fire_chart_by_chart(school: dict[str, str]) -> None:
    assert parts(wild(40, 35, school)) == []


# -- numbers -----------------------------------------------------------------------------------------------------------------


def test_a_grid_fires_as_its_inputs() -> None:
    grid = HourGrid.whole(year=(5, 60), term=(0, 7, 23), man_birth=(3, 60), mountain=(4,))
    some = range(0, len(grid), 97)
    for question in (HourQuestion(), HourQuestion(("burial",)), HourQuestion(("marriage",), ("first-marriage",))):
        fires = hour_charts(grid.charts(0, len(grid)), question)
        alone = evaluate([grid.charts(n, n + 1).given_at(0, question) for n in some])
        every = [frozenset(c for c in alone.of(k) if c in fires.clauses) for k in range(len(some))]
        assert [fires.of(n) for n in some] == every
        assert any(every)


def test_the_whole_space_lays_every_chart() -> None:
    grid = HourGrid.whole(year=(0,))
    charts = grid.charts(0, len(grid))
    assert len(grid) == 24 * 60 * 12
    assert set(charts.codes[CHART].tolist()) == set(range(1080))


def test_a_grid_is_of_moments_that_can_be() -> None:
    """Pillars that meet, and the 局 that 拆補 finds for them when they are typed."""
    grid, rng = HourGrid.whole(), random.Random(36)
    for n in rng.sample(range(len(grid)), 60):
        given = grid.charts(n, n + 1).given_at(0)
        assert can_meet(given.pillars)
        typed = qimen_given(QimenTyped(pillars=given.pillars, term=given.term), ())[0]
        assert (typed.ju.yang, typed.ju.number, typed.ju.yuan) == (given.ju.yang, given.ju.number, given.ju.yuan)


def test_the_grid_has_the_charts_of_real_hours() -> None:
    """By the ephemeris: the month that goes with a year and a term, the hour that goes with a day, the 局."""
    for given in sample(100, seed=40, tradition="qimen"):
        assert isinstance(given, QimenGiven)
        codes = {axis: int(row[0]) for axis, row in HourCharts.given([given]).codes.items()}
        grid = HourGrid.whole(year=(codes["year"],), term=(codes["term"],), day=(codes["day"],), hour=(codes[CHART] % 12,))
        assert {axis: int(row[0]) for axis, row in grid.charts(0, 1).codes.items() if axis != "change"}.items() <= codes.items()


def test_the_chart_of_the_readme_is_in_the_grid() -> None:
    """甲辰 year, 穀雨, 己未 day, 巳 hour: 陽遁八局, lower 元; 值使 生門, so qm-taichan-017 fires at a birth."""
    charts = HourGrid.whole(year=(40,), term=(5,), day=(55,), hour=(5,)).charts(0, 1)
    given = charts.given_at(0, HourQuestion(("childbirth",)))
    assert given.pillars == {"year": "甲辰", "month": "戊辰", "day": "己未", "hour": "己巳"}
    assert (given.ju.yang, given.ju.number, given.ju.yuan) == (True, 8, 3)
    assert "qm-taichan-017" in hour_charts(charts, HourQuestion(("childbirth",))).of(0)


def test_a_grid_lays_the_ju_and_month_that_are_named() -> None:
    charts = HourGrid.whole(year=(0,), term=(24,), day=(0,), hour=(0,), ju=(0, 17), month=(60,)).charts(0, 9)
    assert [charts.given_at(n).ju for n in (0, 1)] == [Ju(True, 1, None, None, "given"), Ju(False, 9, None, None, "given")]
    assert charts.given_at(0).pillars == {"year": "甲子", "day": "甲子", "hour": "甲子"}
    assert charts.given_at(0).term is None


def test_inputs_and_numbers_are_the_same() -> None:
    for given in wild(50, 37):
        again = HourCharts.given([given]).given_at(0, HourQuestion.of(given))
        assert again.iri == replace(given, persons=again.persons).iri
        assert set(again.persons) == set(given.persons)


def test_what_is_left_out_is_unknown() -> None:
    """Fewer axes make a smaller circuit, not other verdicts."""
    bare = [replace(g, persons=(), mountain=None, crop=None, term_changes=None) for g in wild(100, 38)]
    charts = HourCharts.given(bare)
    fewer = HourCharts({axis: codes for axis, codes in charts.codes.items() if axis not in (*NATAL, "mountain", "crop", "change")})
    assert (hour_charts(fewer).words == hour_charts(charts).words).all()


def test_holders_and_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    charts = HourGrid.whole(year=(1,)).charts(100, 400)
    whole = hour_charts(charts, holders=True)
    monkeypatch.setattr("kg.bulk.judge.CHUNK", 64)
    chunked = hour_charts(charts, holders=True)
    assert (whole.words == chunked.words).all()
    assert all(whole.held_by(c, 299) == chunked.held_by(c, 299) for c in whole.clauses)
    assert any(whole.held_by(c, 299) for c in whole.of(299))


def test_no_charts_at_all() -> None:
    assert hour_charts(HourGrid.whole().charts(5, 5)).counts().sum() == 0


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"ju": "陽10"}, "no 局"),
        ({"hour": "甲丑"}, "no hour"),
        ({"day": "子"}, "no day"),
        ({"day": [60]}, "from 0 to 59"),
        ({"term": ["立春", "雨水", "驚蟄"]}, "lengths differ"),
        ({"week": [1]}, "nothing that an hour chart"),
        ({"chart": [1]}, "nothing that an hour chart"),
        ({"mountain": [0.5]}, "numbers or names"),
        ({"man_birth": "甲"}, "no man_birth"),
    ],
)
def test_charts_that_cannot_be(more: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        HourCharts.of(**{"ju": [0, 1], "hour": "甲子", "day": "甲子", **more})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("axes", "words"),
    [({"term": (24,)}, "from 0 to 23"), ({"hour": (12,)}, "from 0 to 11"), ({"week": (1,)}, "nothing that an hour chart"), ({"ju": (18,)}, "from 0 to 17")],
)
def test_grids_that_cannot_be(axes: dict[str, Sequence[int]], words: str) -> None:
    with pytest.raises(InputError, match=words):
        HourGrid.whole(**axes)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"pillars": {"day": "甲子", "hour": "甲"}}, "no hour"),
        ({"pillars": {"hour": "甲子"}}, "no day"),
        ({"ju": Ju(True, 10, None, None, "given")}, "no 局"),
        ({"term": "春分節"}, "no term"),
        ({"mountain": "nowhere"}, "no mountain"),
        ({"persons": (Person("man", "甲子"), Person("man", "乙丑"))}, "2 persons"),
    ],
)
def test_inputs_that_cannot_be(change: dict[str, object], words: str) -> None:
    given = wild(1, 39)[0]
    with pytest.raises(InputError, match=words):
        evaluate([replace(given, **change)])  # type: ignore[arg-type]
