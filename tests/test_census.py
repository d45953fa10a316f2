"""The census: its counts against casts judged one by one by another engine, and by hand; nothing lost when it is stopped or spread."""

import itertools
import shlex
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.bulk import evaluate, hexagrams_of
from kg.census import accord, effect
from kg.census.census import Census, Piece, counted, take
from kg.census.relation import CONTRADICTS, EXCLUDES, IMPLIES, SAME, relations
from kg.census.row import clause_rows, pair_rows
from kg.census.space import Asked, AskedHours, Days, Hours, Moments, Space, moves
from kg.census.table import FILES, rows_of
from kg.census.tally import Tally
from kg.cli import main
from kg.judgement import Judgement, judge_all
from kg.spread import workers
from kg.standing import conflicts
from kg.typed import read
from loader.cast import AnyGiven
from loader.chapter import clauses
from loader.errors import InputError
from loader.liuyao import Given
from loader.tables import choose
from tests.clusters import Cluster

BO = Days.of(hexagram=["剝", "歸妹"], month=["辰"], day=["戊辰"])
"""A slice of 128 casts."""


def census(*spaces: Space, topics: tuple[str, ...], folder: Path) -> Census:
    with workers() as crew:
        return take(spaces, folder, crew, topics)


def given_of(space: Space, topic: str, number: int) -> AnyGiven:
    """A cast of a space as its options make it."""
    return read(space.options(topic, number), space.tradition)[0]


def judged(space: Space, topic: str, numbers: range) -> list[Judgement]:
    """Casts of a space by the reasoner, each from its options."""
    return judge_all([given_of(space, topic, n) for n in numbers])


@pytest.mark.parametrize(
    ("space", "topic"),
    [
        (BO, "childbirth"),
        (replace(BO, chosen=(("reading", "received"),)), "small-exam"),
        (Moments(4), "year-fortune"),
        (Asked(4), "kin"),
        (Asked(4), "fate"),
        (Hours(), "marriage"),
        (AskedHours(4), "burial"),
    ],
    ids=lambda v: v if isinstance(v, str) else v.key,
)
def test_counts_are_those_of_casts_judged_one_by_one(space: Space, topic: str) -> None:
    few = range(40, 44) if len(space) > 44 else range(4)
    reading = dict(getattr(space, "chosen", ())).get("reading", "graded")
    tally = Tally.of(space.fires(topic, few.start, few.stop), reading, few.start)
    casts = judged(space, topic, few)
    assert tally.casts == len(casts) == 4
    standing = [frozenset(v.clause.id for v in j.verdicts if v.stands) for j in casts]
    for n, a in enumerate(tally.clauses):
        fired = [few.start + i for i, j in enumerate(casts) if a in j.fires]
        assert (tally.fires[n, n], tally.first[n]) == (len(fired), fired[0] if fired else -1), a
        stood = [few.start + i for i, s in enumerate(standing) if a in s]
        assert (tally.stands[n, n], tally.first_stands[n]) == (len(stood), stood[0] if stood else -1), a
        for m, b in enumerate(tally.clauses):
            assert tally.fires[n, m] == sum({a, b} <= j.fires for j in casts)
            assert tally.stands[n, m] == sum({a, b} <= s for s in standing)
    clashed = Counter(
        (c.about, *pair)
        for j in casts
        for c in j.conflicts
        for (_, one), (_, other) in itertools.combinations(c.sides, 2)
        for pair in itertools.product(one, other)
    )
    for (about, a, b), count in zip(tally.pairs, tally.clashes.tolist(), strict=True):
        # A conflict over both outcome and omen is one clash.
        assert (count > 0) == bool(clashed[about, a, b] + clashed[about, b, a]), (a, b)
    for about, (silent, single, agreeing, conflicting) in zip(tally.aspects, tally.shares.tolist(), strict=True):
        spoken = [sum(clauses()[i].under(reading).about == about for i in s) for s in standing]
        parted = [any(c.about == about for c in j.conflicts) for j in casts]
        assert (silent, single) == (spoken.count(0), spoken.count(1))
        assert conflicting == sum(parted)
        assert agreeing == sum(s > 1 and not p for s, p in zip(spoken, parted, strict=True))


def test_counts_over_the_whole_space_by_hand(tmp_path: Path) -> None:
    """Line 1 carries 官鬼 (yy-taichan-013) in three hexagrams: 兌 and 歸妹 (巳 fire, palace metal), 賁 (卯 wood, palace earth).

    Each is cast with 64 patterns of moving lines, in twelve months on sixty days. 大畜 (yy-taichan-035) is one hexagram.
    """
    with workers() as crew:
        found = take([Days(months=("辰",))], tmp_path / "pieces", crew, ("childbirth",))
    rows = {r.clause: r for r in clause_rows(found)}
    assert rows["yy-taichan-013"].casts == 4096 * 60
    assert rows["yy-taichan-013"].fires == 3 * 64 * 60
    assert rows["yy-taichan-035"].fires == rows["yy-taichan-035"].stands == 64 * 60
    # The simplest witness has no moving line.
    assert rows["yy-taichan-013"].witness.split()[3] in {"7,7,8,7,7,8", "7,7,8,7,8,8", "7,8,7,8,8,7"}


def test_the_first_witness_moves_least() -> None:
    days = Days(months=("辰",), days=("戊辰",))
    fires = days.fires("childbirth", 0, len(days))
    for clause in fires.clauses:
        first = fires.first(clause)
        if first is not None:
            held = [n for n in range(fires.casts) if clause in fires.of(n)] if clause == "yy-taichan-066" else [first]
            assert moves(days.pairs[first]) == min(moves(days.pairs[n]) for n in held)


def test_relations_hold_on_every_cast(tmp_path: Path) -> None:
    found = census(BO, topics=("childbirth",), folder=tmp_path / "pieces")
    sets = [BO.fires("childbirth", 0, len(BO)).of(n) for n in range(len(BO))]
    every = {i for s in sets for i in s}
    kinds: dict[tuple[str, str], str] = {}
    order = {i: n for n, i in enumerate(clauses())}
    for a, b in itertools.permutations(every, 2):
        on_a, on_b = ({n for n, s in enumerate(sets) if i in s} for i in (a, b))
        if on_a < on_b:
            kinds[a, b] = IMPLIES
        elif order[a] < order[b] and on_a == on_b:
            kinds[a, b] = SAME
        elif order[a] < order[b] and not on_a & on_b:
            kinds[a, b] = EXCLUDES
    related = list(relations(found))
    assert {(r.a, r.b): r.kind for r in related if r.kind != CONTRADICTS} == kinds
    for r in related:
        if r.kind != EXCLUDES:
            assert {r.a, r.b} <= sets[r.together]
        if r.kind == IMPLIES:
            assert r.b in sets[r.apart]
            assert r.a not in sets[r.apart]


@pytest.mark.parametrize("space", [BO, Moments(6), Asked(6, (("star-pillars", "day"),)), Hours((("plate", "rotating"),)), AskedHours(6)], ids=lambda s: s.key)
def test_a_cast_of_a_space_is_the_one_that_its_options_make(space: Space) -> None:
    for topic in ("childbirth",) if space.tradition == "qimen" else ("childbirth", "kin", "fate", "office", "parents"):
        numbers = range(min(len(space), 6))
        fires = evaluate([given_of(space, topic, n) for n in numbers])
        mine = space.fires(topic, 0, len(numbers))
        assert [mine.of(n) for n in numbers] == [fires.of(n) for n in numbers]


def test_every_witness_opens_and_fires(tmp_path: Path) -> None:
    """By the command line, as a user would."""
    found = census(BO, Asked(64), topics=("childbirth",), folder=tmp_path / "pieces")
    rows = [r for r in clause_rows(found) if r.witness]
    assert len(rows) > 40
    for row in rows[::20]:
        words = shlex.split(row.witness)
        done = CliRunner().invoke(main, ["why", row.clause, *words[2:]])
        assert done.exit_code == 0, done.output
        assert row.clause in done.stdout
        written = CliRunner().invoke(main, [*words[1:], "--format", "ttl"])
        assert row.witness_cast.rpartition("/")[2] in written.stdout
        assert row.clause in written.stdout
    for pair in [p for p in pair_rows(found, list(relations(found))) if p.kind == CONTRADICTS][::40]:
        written = CliRunner().invoke(main, [*shlex.split(pair.witness)[1:], "--format", "json"])
        assert pair.a in written.stdout
        assert pair.b in written.stdout
        assert "conflict" in written.stdout


def rows_in(folder: Path) -> dict[str, list[object]]:
    return {name: list(rows_of(folder, name)) for name in FILES}


def run(*arguments: str) -> None:
    done = CliRunner().invoke(main, ["census", *arguments])
    assert done.exit_code == 0, done.output


def test_a_census_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.census.census.PIECE", 64)
    wanted = ("--topic", "midwife", "--hexagram", "剝", "--hexagram", "歸妹", "--month", "辰", "--month", "子")
    run(str(tmp_path / "whole"), *wanted)
    told = 0

    def stop(piece: Piece) -> bytes:
        nonlocal told
        told += 1
        if told == 5:
            raise KeyboardInterrupt
        return counted(piece)

    with monkeypatch.context() as patched:
        patched.setattr("kg.census.census.counted", stop)
        assert CliRunner().invoke(main, ["census", str(tmp_path / "stopped"), *wanted]).exit_code == 1
    assert len(list((tmp_path / "stopped" / "pieces").glob("*.npz"))) == 4
    other = CliRunner().invoke(main, ["census", str(tmp_path / "stopped"), "--topic", "heirs"])
    assert other.exit_code == 2
    assert "something else was begun here" in other.stderr
    run(str(tmp_path / "stopped"), *wanted)
    assert rows_in(tmp_path / "stopped") == rows_in(tmp_path / "whole")
    assert not list((tmp_path / "stopped").glob("pieces*"))


def test_an_option_changes_what_casts_judged_both_ways_differ_in() -> None:
    trial = effect.Trial("liuyao", "body", "shishen", 3)
    wanted = {t.name: t for t in effect.trials(3)}
    assert trial in wanted.values()
    assert not any(t.convention == "plate" for t in wanted.values() if t.tradition == "liuyao")
    found = effect.effect_of(effect.tried(trial))
    before, after = (judged(space, topic, range(3)) for topic in ("childbirth",) for space in (Asked(3), effect.space_of(trial)))
    gained = Counter(i for a, b in zip(before, after, strict=True) for i in b.fires - a.fires)
    lost = Counter(i for a, b in zip(before, after, strict=True) for i in a.fires - b.fires)
    mine = {c.clause: c for c in found.changes if clauses()[c.clause].topic == "childbirth"}
    assert {i: c.gained for i, c in mine.items() if c.gained} == dict(gained)
    assert {i: c.lost for i, c in mine.items() if c.lost} == dict(lost)


def test_two_traditions_on_one_hour() -> None:
    """Against verdicts of both, judged one by one and held against each other as the conflicts of one cast are."""
    hour = accord.Year(2026).given(1234)
    chart = judge_all([hour])[0]
    said = {v.clause.id for v in chart.verdicts if v.stands}
    time = {u: chart.chart.given.pillars[u] for u in ("year", "month", "day", "hour")}
    casts = [(7, 7, 7, 8, 8, 7), (8, 8, 9, 7, 8, 8), (6, 7, 8, 9, 7, 8), (8, 8, 8, 8, 8, 8)]
    for lines in casts:
        judgement = judge_all([Given(lines, time, ("childbirth",), term=chart.chart.given.term, conventions=choose({}))])[0]
        mine = {v.clause.id for v in judgement.verdicts if v.stands}
        pair = hexagrams_of(lines)
        for aspect in accord.shared_aspects("childbirth"):
            here, there = ({i for i in ids if clauses()[i].about == aspect} for ids in (mine, said))
            across = [
                c
                for c in conflicts(here | there)
                if any({a, b} & here and {a, b} & there for (_, one), (_, other) in itertools.combinations(c.sides, 2) for a in one for b in other)
            ]
            says = [
                {s for i in ids for c in [clauses()[i]] for s in (c.value, None if c.timing or c.omen not in ("auspicious", "inauspicious") else c.omen) if s}
                for ids in (here, there)
            ]
            way = ("silent" if not there else "hour") if not here else "lines" if not there else "part" if across else "agree" if says[0] & says[1] else "other"
            assert accord.way_of(aspect, said, hour, "childbirth", pair) == way, (aspect, lines)


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["-", "--with", "conventions"], "need a folder"),
        (["-", "--hexagram", "剝", "--space", "hours"], "only days can be sliced"),
        (["-", "--hexagram", "剥x"], "not a known hexagram"),
        (["-", "--month", "丑丑"], "丑丑"),
        (["-", "--topic", "weather"], "not a known topic"),
        (["-", "--convention", "plate=square"], "no option"),
        (["-", "--scheduler", "tcp://127.0.0.1:9"], "no Dask scheduler"),
        (["/dev/null/x", "--month", "辰"], "/dev/null/x"),
    ],
)
def test_wrong_usage(arguments: list[str], fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.spread._PATIENCE", 1)
    done = CliRunner().invoke(main, ["census", *arguments])
    assert done.exit_code == 2, done.output
    assert fault in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "pieces").mkdir()
    (tmp_path / "pieces" / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="not empty"):
        census(BO, topics=("midwife",), folder=tmp_path / "pieces")
    assert (tmp_path / "pieces" / "mine.txt").read_text() == "mine"


def test_a_cluster_whose_workers_stand_in_another_folder(tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("counted", "--topic", "midwife", "--hexagram", "剝", "--month", "辰", "--day", "戊辰", "--scheduler", cluster.address)
    assert rows_of(tmp_path / "counted", "clauses")


def test_a_cluster_with_a_killed_worker_finds_the_same(tmp_path: Path, cluster: Cluster) -> None:
    """Row for row what one process finds, and what two do."""
    wanted = [Days(months=("辰", "戌"))]
    alone = census(*wanted, topics=("midwife",), folder=tmp_path / "alone")
    with workers(2) as crew:
        two = take(wanted, tmp_path / "two", crew, ("midwife",))

    def kill(done: int, _all: int) -> None:
        if done == 2:
            cluster.hands[0].kill()

    with workers(scheduler=cluster.address) as crew:
        spread_out = take(wanted, tmp_path / "dask", crew, ("midwife",), progress=kill)
    assert cluster.hands[0].wait(10) is not None
    for found in (two, spread_out):
        assert list(clause_rows(found)) == list(clause_rows(alone))
        assert list(pair_rows(found, list(relations(found)))) == list(pair_rows(alone, list(relations(alone))))
    names = [{p.name: p.read_bytes() for p in (tmp_path / n).iterdir()} for n in ("alone", "two", "dask")]
    assert names[0] == names[1] == names[2]
    assert len(names[0]) == 9  # 491,520 casts in eight pieces, and the plan
