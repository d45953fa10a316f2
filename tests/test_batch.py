"""Casebooks: each row is judged as `guigu cast` judges it, in every form, in order, whatever stands in the file."""

import csv
import io
import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pyoxigraph as ox
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.batch import cells
from kg.asking import topics
from kg.batch import Judged, judge
from kg.batch.casebook import Hands, Summary, run
from kg.batch.columns import OPTIONS, RESULT, Columns, options
from kg.batch.limits import CELL, LINE, RECORD
from kg.batch.rows import dumped, loaded, read_csv
from kg.bulk import evaluate
from kg.bulk.machine import unpacked
from kg.bulk.standing import conflicting
from kg.cli import main
from kg.graph import cast_graph
from kg.judgement import judge as judge_one
from kg.sampling import sample
from kg.standing import conflicts, disagreements, gathered
from kg.typed import read
from loader import iris
from loader.calendar import BRANCHES
from loader.chapter import clauses
from loader.iris import ns
from loader.liuyao import Given
from loader.tables import choose
from tests.clusters import Cluster

DOCS = Path(__file__).resolve().parent.parent / "docs"
STILL = {"lines": "888888", "month": "午", "day": "甲子", "topic": "heirs"}


def casebook(count: int, seed: int = 1) -> list[dict[str, str]]:
    """Random rows, on each topic in turn, each with a question of its own, some under another reading."""
    found = []
    for number, one in enumerate(sample(count, seed=seed, tradition="liuyao")):
        assert isinstance(one, Given)
        row = {"id": f"c{number}", **cells(one)}
        if number % 5 == 0:
            row["reading"] = "received"
        found.append(row)
    return found


def as_csv(rows: Sequence[dict[str, str]], names: Sequence[str] = ("id", *OPTIONS)) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def cast(*args: str, data: bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["cast", *args], input=data)


def objects(data: bytes, *args: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in cast("--batch", "-", "--format", "jsonl", *args, data=data).stdout.splitlines()]


# -- the same as one cast ----------------------------------------------------------------------------------------------


def test_rows_are_judged_as_single_casts() -> None:
    rows = casebook(22)
    for row, found in zip(rows, judge(rows), strict=True):
        asked, _ = read(options(Columns.of(tuple(row)).given(row), {}), "liuyao")
        one = judge_one(asked)
        assert found.given == asked
        assert [(f.clause, f.overridden_by) for f in found.fired] == [(v.clause, v.overridden_by) for v in one.verdicts]
        assert [f.on for f in found.fired] == [tuple(sorted(h[len(one.chart.iri) + 1 :] for h in v.holders)) for v in one.verdicts]
        assert found.conflicts == one.conflicts
        assert found.fault is None
    assert len({f.clause.topic for found in judge(rows) for f in found.fired}) > 10


def test_overridden_verdicts_and_conflicts_are_told() -> None:
    """000 ¶2: of 大畜 two clauses on pregnancy hold, and the passage lets one prevail."""
    (found,) = judge([{"hexagram": "大畜", "month": "午", "day": "甲子", "topic": "childbirth"}])
    assert [(f.clause.id, f.overridden_by) for f in found.fired if not f.stands] == [("yy-taichan-037", ("yy-taichan-035",))]
    (found,) = judge([{"hexagram": "渙", "month": "午", "day": "甲子", "topic": "childbirth"}])
    assert [(c.about, c.sides) for c in found.conflicts] == [("gender", (("female", ("yy-taichan-091",)), ("male", ("yy-taichan-090",))))]


@pytest.mark.parametrize("reading", ["graded", "received"])
def test_conflicts_of_a_batch_are_those_of_each_cast(reading: str) -> None:
    """Pairs found once and met by words, against the query over what stands on each cast."""
    casts = [replace(g, topics=topics(), conventions=choose({"reading": reading})) for g in sample(40, seed=8, tradition="liuyao")]
    standing = evaluate(casts).standing(reading)
    found = conflicting(standing, reading)
    holds = unpacked(found.words, len(casts))
    for n in range(len(casts)):
        mine = gathered(pair for pair, on in zip(found.pairs, holds[:, n], strict=True) if on)
        assert mine == conflicts(standing.of(n), reading)
    assert holds.any(axis=0).all()


def test_whether_two_verdicts_disagree_hangs_on_the_two_alone() -> None:
    every = disagreements(clauses())
    for pair in random.Random(3).sample(every, 15):
        assert pair in disagreements([pair.a, pair.b])
    assert disagreements([every[0].a]) == ()


# -- columns -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "same"),
    [
        ({"lines": "7,8,9,6,7,8"}, {"lines": "7,8,9,6,7,8"}),
        ({"hexagram": "雷山小過", "moving": "3"}, {"hexagram": "62", "moving": "3"}),
        ({"hexagram": "蒙", "to": "晉"}, {"hexagram": "蒙", "to": "晉"}),
        ({"year": "庚寅", "hour": "午"}, {"year": "庚寅", "hour": "午"}),
        ({"birth-year": "1994", "in-year": "2024", "topic": "fate"}, {"birth_year": "1994", "in_year": 2024, "topic": ["fate"]}),
        ({"birth_year": "甲戌", "age": "30", "topic": "fate"}, {"birth_year": "甲戌", "age": 30, "topic": ["fate"]}),
        ({"topic": "kin", "relative": "母", "ask": "junior-asks-elder"}, {"topic": ["kin"], "relative": "母", "ask": ["junior-asks-elder"]}),
        ({"topic": "office", "role": "長官"}, {"topic": ["office"], "role": "長官"}),
        ({"topic": "胎產；heirs"}, {"topic": ["childbirth", "heirs"]}),
        (
            {"convention": "star-pillars=day; enclosure=any", "reading": "received"},
            {"convention": ["star-pillars=day", "enclosure=any"], "reading": "received"},
        ),
        (
            {"at": "2026-11-30T10:20", "zone": "Asia/Seoul", "longitude": "126.98", "convention": "solar-time=mean"},
            {"at": "2026-11-30T10:20", "zone": "Asia/Seoul", "longitude": 126.98, "convention": ["solar-time=mean"]},
        ),
    ],
)
def test_every_column_is_an_option(row: dict[str, str], same: dict[str, Any]) -> None:
    plain = {} if {"lines", "hexagram"} & row.keys() else {"lines": "778899"}
    time = {} if "at" in row else {"month": "午", "day": "甲子"}
    topic = {} if "topic" in row else {"topic": "childbirth"}
    whole = {**plain, **time, **topic, **row}
    found, _ = read(options(Columns.of(tuple(whole)).given(whole), {}), "liuyao")
    wanted, _ = read({**plain, **time, **({"topic": ["childbirth"]} if topic else {}), **same}, "liuyao")
    assert found == wanted


def test_the_columns_are_the_options_of_the_command() -> None:
    command = {p.name for p in main.commands["cast"].params}
    assert set(OPTIONS) <= command
    assert {"toss", "seed"} == {o for o in command if o in ("toss", "seed", *OPTIONS)} - set(OPTIONS)


def test_options_are_defaults_of_empty_cells() -> None:
    rows = [{"lines": "777777", "topic": "heirs", "month": ""}, {"lines": "777777", "topic": "", "at": "2026-11-30T10:20"}]
    first, second = objects(as_csv(rows, ["lines", "topic", "month", "at"]), "--topic", "childbirth", "--topic", "kin", "--month", "辰", "--zone", "Asia/Seoul")
    one, _ = read({"lines": "777777", "month": "辰", "topic": ["heirs"]}, "liuyao")
    two, _ = read({"lines": "777777", "at": "2026-11-30T10:20", "zone": "Asia/Seoul", "topic": ["childbirth", "kin"]}, "liuyao")
    assert [first["cast"], second["cast"]] == [one.iri, two.iri]  # the default month does not stand against the moment


def test_a_casebook_reads_back_as_it_was_written() -> None:
    for row in casebook(80, seed=4):
        first, _ = read(options(Columns.of(tuple(row)).given(row), {}), "liuyao")
        assert isinstance(first, Given)
        again, _ = read(options(cells(first), {}), "liuyao")
        assert again == first


@pytest.mark.parametrize(
    ("header", "wanted"),
    [
        ("lines,topics", r"'topics'"),
        ("lines,mnoth", r"Did you mean month"),
        ("lines,title", r"--keep"),
        ("lines,birth-year,birth_year", r"'birth_year' stands twice"),
        ("lines,,month", r"'' is not a known column"),
        ("toss,topic", r"what fell"),
        ("lines,id,id", r"'id' stands twice"),
        ("", r"empty"),
        ('"lines,month', r"no CSV"),
        (",".join(f"note{n}" for n in range(201)), r"201 columns"),
    ],
)
def test_a_wrong_header_is_told_before_any_row_is_judged(header: str, wanted: str) -> None:
    result = cast("--batch", "-", data=f"{header}\n777777,x\n".encode() if header else b"")
    assert (result.exit_code, result.stdout) == (2, "")
    assert wanted in result.stderr


def test_columns_of_ones_own() -> None:
    (found,) = objects(as_csv([{**STILL, "title": "弟", "note-2": "x", "id": "7"}], ["id", "title", "note-2", *STILL]), "--keep", "title")
    assert {k: found["cells"][k] for k in ("id", "title", "note-2")} == {"id": "7", "title": "弟", "note-2": "x"}
    result = cast("--batch", "-", "--keep", "titel", data=as_csv([STILL], list(STILL)))
    assert result.exit_code == 2
    assert "'titel' is not a known column of this file" in result.stderr


# -- errors by row -----------------------------------------------------------------------------------------------------


def test_errors_are_told_by_row_and_the_others_are_judged(tmp_path: Path) -> None:
    data = "lines,month,day,topic\n777777,午,甲子,heirs\n77777,午,甲子,heirs\n\n777777,午,甲丑,heirs\n777777,午,甲子,hiers\n777777,午,甲子,heirs\n".encode()
    result = cast("--batch", "-", "-o", str(tmp_path / "out.csv"), data=data)
    assert result.exit_code == 1
    assert result.stderr.startswith("3 of 5 rows cannot be judged:\n  line 3: lines: 5 lines are given and a hexagram has six.")
    with (tmp_path / "out.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [(r["row"], r["error"].rpartition(" ")[2]) for r in rows] == [
        ("2", ""),
        ("3", "[GUIGU.CAST.LINES]"),
        ("5", "[GUIGU.CALENDAR.PILLAR]"),
        ("6", "[GUIGU.NAME.UNKNOWN]"),
        ("7", ""),
    ]
    assert [bool(r["fires"]) for r in rows] == [True, False, False, False, True]
    assert rows[0]["fires"] == rows[4]["fires"]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (b'"777777,\xe5\x8d\x88,x,heirs', "no CSV"),
        (b'777777,"a"b,x,heirs', "no CSV"),
        (b"777777,\xff\xfe,x,heirs", "byte 8 of the line is not UTF-8"),
        (b"777777,a\0b,x,heirs", "NUL"),
        (b"777777,,,heirs,5,6", "6 cells under 4 columns"),
        (b"777777," + b"x" * (CELL + 1) + b",x,heirs", "longer than"),
        (b"777777," + b"x" * (3 * LINE) + b",x,heirs", "longer than"),
    ],
)
def test_a_broken_line_costs_no_other_line(line: bytes, wanted: str) -> None:
    good = "777777,午,甲子,heirs".encode()
    found = objects(b"\n".join([b"lines,month,day,topic", good, line, good, good]) + b"\n")
    assert [f["row"] for f in found] == [2, 3, 4, 5]
    assert [f["error"] is None for f in found] == [True, False, True, True]
    assert (found[1]["error"]["code"], wanted in found[1]["error"]["message"]) == ("GUIGU.BATCH.ROW", True)


def test_a_cell_may_hold_line_ends_and_rows_keep_their_numbers() -> None:
    found = objects(b'id,lines,topic,note\r\n1,777777,heirs,"two\r\nlines"\r\n2,777777,heirs,\r\n')
    assert [(f["row"], f["cells"]["id"]) for f in found] == [(2, "1"), (4, "2")]
    assert found[0]["cells"]["note"] == "two\r\nlines"


def test_every_line_of_a_file_of_stray_quotes_is_told() -> None:
    lines = [b"id,lines"] + [b'"%d,777777' % n for n in range(4 * RECORD)]
    _, rows = read_csv(io.BytesIO(b"\n".join(lines)))
    found = list(rows)
    # Each quote closes at the next one, so two lines are one row that is wrong; what is read again is the second line.
    assert [r.number for r in found] == list(range(2, 4 * RECORD + 2))
    assert all(r.fault for r in found)


def test_empty_and_wrong_casebooks(tmp_path: Path) -> None:
    only = cast("--batch", "-", data=b"\xef\xbb\xbflines,topic\n")
    assert (only.exit_code, only.stdout.strip()) == (0, "row,lines,topic,cast,topics,fires,overridden,stands,conflicts,uncertain,error")
    for args, wanted in (
        (["--batch", str(tmp_path / "none.csv")], "cannot read"),
        (["--batch", str(tmp_path)], "cannot read"),
        (["--batch", "-", "-o", str(tmp_path / "none" / "x.csv")], "no folder"),
        (["--batch", "-", "-o", str(tmp_path / "x.xlsx")], "not written as xlsx"),
        (["--batch", "-", "--format", "json"], "not written as json"),
        (["--batch", "-", "--topic", "hiers"], "'hiers' is not a known topic"),
        (["--batch", "-", "--convention", "x=y"], "no convention"),
        (["--batch", "-", "--toss"], "--toss: this is of one cast"),
        (["--batch", "-", "--why", "--engine", "owlrl"], "--why, --engine"),
        (["--batch", "-", "--scheduler", "tcp://127.0.0.1:9"], "--work"),
        (["--hexagram", "渙", "--topic", "heirs", "--jobs", "2"], "no casebook"),
        (["--hexagram", "渙", "--topic", "heirs", "--format", "nq"], "no casebook"),
    ):
        result = cast(*args, data=as_csv([STILL], list(STILL)))
        assert (result.exit_code, result.stdout) == (2, ""), args
        assert wanted in result.stderr, args
    assert list(tmp_path.iterdir()) == []


# -- forms -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def judged() -> list[Judged]:
    return list(judge(casebook(44, seed=2)))


def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.csv"
    path.write_bytes(as_csv(casebook(44, seed=2)))
    return path


def test_csv_holds_what_is_judged(tmp_path: Path, judged: list[Judged]) -> None:
    assert cast("--batch", str(source(tmp_path)), "--output", str(tmp_path / "out.csv")).exit_code == 0
    text = (tmp_path / "out.csv").read_bytes().decode("utf-8")
    assert text[0] == "\ufeff"  # a spreadsheet knows by it that the file is UTF-8
    rows = list(csv.DictReader(io.StringIO(text[1:])))
    for row, one in zip(rows, judged, strict=True):
        assert one.given
        assert row["cast"] == one.given.iri
        assert row["id"] == one.row.cells["id"]
        assert row["fires"].split("; ") == [f.clause.id for f in one.fired] or not one.fired
        assert [c for c in row["stands"].split("; ") if c] == [f.clause.id for f in one.fired if f.stands]
        assert [c for c in row["overridden"].split("; ") if c] == [f.clause.id for f in one.fired if not f.stands]
        assert len([c for c in row["conflicts"].split("; ") if c]) == len(one.conflicts)
    assert [int(r["row"]) for r in rows] == list(range(2, 46))


def test_json_lines_hold_each_verdict(tmp_path: Path, judged: list[Judged]) -> None:
    found = objects(source(tmp_path).read_bytes())
    for data, one in zip(found, judged, strict=True):
        assert [v["clause"] for v in data["verdicts"]] == [f.clause.id for f in one.fired]
        assert all(v["on"] for v in data["verdicts"])
        assert {c["about"] for c in data["conflicts"]} == {c.about for c in one.conflicts}
    command = cast("--lines", "889788", "--month", "辰", "--day", "戊辰", "--topic", "childbirth", "--format", "json")
    single, (row,) = json.loads(command.stdout), objects(as_csv([{"lines": "889788", "month": "辰", "day": "戊辰", "topic": "childbirth"}]))
    assert row["cast"] == single["cast"]["iri"]
    assert row["conflicts"] == single["conflicts"]
    for name in ("clause", "about", "value", "omen", "standing", "overridden_by"):
        assert [v[name] for v in row["verdicts"]] == [v[name] for v in single["verdicts"]]
    holders = [sorted(p["iri"].removeprefix(single["cast"]["iri"]).lstrip("/") or "cast" for p in v["because"]) for v in single["verdicts"]]
    assert [v["on"] for v in row["verdicts"]] == holders


def test_parquet_reads_back_and_in(tmp_path: Path, judged: list[Judged]) -> None:
    assert cast("--batch", str(source(tmp_path)), "--output", str(tmp_path / "out.parquet")).exit_code == 0
    table = pq.read_table(tmp_path / "out.parquet")
    assert table.column_names == ["row", "id", *OPTIONS, *RESULT[1:]]
    for row, one in zip(table.to_pylist(), judged, strict=True):
        assert (row["row"], row["fires"]) == (one.row.number + 1, [f.clause.id for f in one.fired])
        assert row["topics"] == list(one.given.topics if one.given else ())
    assert table.schema.field("stands").type == pa.list_(pa.string())
    # A casebook in Parquet, with numbers and words that are kept once, is judged as that in CSV; through a pipe too.
    rows = casebook(44, seed=2)
    columns: dict[str, Any] = {name: [row.get(name) for row in rows] for name in ("id", *OPTIONS)}
    columns["age"] = [int(a) if a else None for a in columns["age"]]
    columns["topic"] = pa.array(columns["topic"]).dictionary_encode()
    columns["zone"] = pa.nulls(len(rows))
    columns["longitude"] = [float("nan")] * len(rows)
    pq.write_table(pa.table(columns), tmp_path / "in.parquet")
    again = objects((tmp_path / "in.parquet").read_bytes())
    assert [a["cast"] for a in again] == [j.given.iri for j in judged if j.given]
    piped = cast("--batch", str(tmp_path / "in.parquet"), "--format", "parquet")
    assert pq.read_table(io.BytesIO(piped.stdout_bytes)).column("fires").to_pylist() == table.column("fires").to_pylist()


def test_quads_are_a_part_of_what_the_turtle_of_a_cast_states(tmp_path: Path, judged: list[Judged]) -> None:
    assert cast("--batch", str(source(tmp_path)), "--output", str(tmp_path / "out.nq")).exit_code == 0
    quads = list(ox.parse(path=str(tmp_path / "out.nq")))
    (graph,) = {q.graph_name for q in quads}
    assert isinstance(graph, ox.NamedNode)
    assert graph.value.startswith(iris.BASE + "batch/")
    a, own = ox.NamedNode(iris.TYPE), {ns("engine"), iris.DCTERMS + "identifier"}
    assert {q.subject.value for q in quads if q.predicate == a and q.object == ox.NamedNode(ns("Cast"))} == {j.given.iri for j in judged if j.given}  # type: ignore[union-attr]
    for one in judged[:6]:
        assert one.given
        stated = set(ox.parse(cast_graph(judge_one(one.given)).serialize(format="nt"), format=ox.RdfFormat.N_TRIPLES))
        triples = {q.triple for q in stated}
        mine = {q.triple for q in quads if q.subject.value.startswith(one.given.iri) and q.predicate.value not in own}  # type: ignore[union-attr]
        assert mine <= triples
        me = ox.NamedNode(one.given.iri)
        for prop in ("fires", "stands", "askedAbout", "asks", "asksRelative", "asksRole", "lineNumbers", "hexagram", "hasPillar", "age"):
            assert {t for t in mine if t.predicate.value == ns(prop)} == {t for t in triples if t.predicate.value == ns(prop) and t.subject == me}, prop
    asked = CliRunner().invoke(main, ["ask", "verdicts", "--data", str(tmp_path / "out.nq"), "--format", "csv"])
    assert asked.exit_code == 0
    assert len(asked.stdout.splitlines()) > 44


def test_errors_are_told_in_every_form(tmp_path: Path) -> None:
    data = as_csv([STILL, {**STILL, "lines": "7"}], list(STILL))
    for form in ("csv", "jsonl", "parquet", "nq"):
        assert cast("--batch", "-", "-o", str(tmp_path / f"out.{form}"), data=data).exit_code == 1
    assert pq.read_table(tmp_path / "out.parquet").column("error").to_pylist()[1].endswith("[GUIGU.CAST.LINES]")
    (told,) = [q for q in ox.parse(path=str(tmp_path / "out.nq")) if q.predicate.value == iris.RDFS + "comment"]
    assert str(told.subject).endswith("/row/3>")
    assert told.object.value.endswith("[GUIGU.CAST.LINES]")  # type: ignore[union-attr]


def test_no_cell_is_a_formula_in_a_spreadsheet(tmp_path: Path) -> None:
    hostile = ["=cmd|'/c calc'!A1", "+1+1", "@SUM(A1)", "\t=1", "-2+3", "-5", "plain"]
    data = as_csv([{**STILL, "note": text} for text in hostile], [*STILL, "note"])
    rows = list(csv.DictReader(io.StringIO(cast("--batch", "-", data=data).stdout)))
    assert [r["note"] for r in rows] == [*(f"'{text}" for text in hostile[:5]), "-5", "plain"]
    assert [o["cells"]["note"] for o in objects(data)] == hostile


# -- order, and several workers ----------------------------------------------------------------------------------------

MANY = 9_000
"""Rows of more than two pieces."""


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """A casebook of some pieces with faults in it, and its result by one process."""
    folder = tmp_path_factory.mktemp("long")
    rng = random.Random(6)
    rows = [
        {
            "id": str(n),
            "lines": "".join(rng.choice("6789") for _ in range(6 if n % 1000 else 5)),
            "month": rng.choice(BRANCHES),
            "day": "甲子",
            "topic": "heirs",
        }
        for n in range(MANY)
    ]
    (folder / "in.csv").write_bytes(as_csv(rows, ["id", "lines", "month", "day", "topic"]))
    assert run(str(folder / "in.csv"), str(folder / "out.csv"), "csv", defaults={}) == Summary(MANY, 9, _faults(rows))
    return folder / "in.csv", (folder / "out.csv").read_bytes()


def _faults(rows: Sequence[dict[str, str]]) -> tuple[tuple[int, str], ...]:
    text = "lines: 5 lines are given and a hexagram has six. Write six numbers from bottom to top, such as 7,8,9,6,7,8. [GUIGU.CAST.LINES]"
    return tuple((n + 2, text) for n, row in enumerate(rows) if len(row["lines"]) == 5)[:5]


def test_order_is_kept(long: tuple[Path, bytes]) -> None:
    rows = list(csv.DictReader(io.StringIO(long[1].decode("utf-8-sig"))))
    assert [int(r["row"]) for r in rows] == list(range(2, MANY + 2))
    assert [int(r["id"]) for r in rows] == list(range(MANY))


def test_two_processes_give_what_one_gives(long: tuple[Path, bytes], tmp_path: Path) -> None:
    result = cast("--batch", str(long[0]), "--jobs", "2", "--output", str(tmp_path / "out.csv"))
    assert result.exit_code == 1
    assert (tmp_path / "out.csv").read_bytes() == long[1]


def test_a_cluster_gives_what_one_process_gives_when_a_worker_is_killed(long: tuple[Path, bytes], tmp_path: Path, cluster: Cluster) -> None:
    def kill(done: int, _all: int) -> None:
        if done == 1:
            cluster.hands[0].kill()

    hands = Hands(scheduler=cluster.address, work=str(tmp_path / "work"))
    run(str(long[0]), str(tmp_path / "out.csv"), "csv", defaults={}, hands=hands, progress=kill)
    assert (tmp_path / "out.csv").read_bytes() == long[1]


def test_what_is_done_is_kept_and_nothing_stale_is_taken(long: tuple[Path, bytes], tmp_path: Path) -> None:
    work, out = tmp_path / "work", tmp_path / "out.csv"
    told: list[tuple[int, int]] = []

    def judged_anew(**defaults: Any) -> int:
        told.clear()
        run(str(long[0]), str(out), "csv", defaults=defaults, hands=Hands(work=str(work)), progress=lambda done, of: told.append((done, of)))
        return told[0][1] - told[0][0]

    assert judged_anew() == 3
    first = out.read_bytes()
    assert first == long[1]
    next(work.glob("*-000001.csv")).unlink()
    assert judged_anew() == 1
    assert out.read_bytes() == first
    assert judged_anew(hour="子") == 3


def test_a_result_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out.csv"
    out.write_text("before")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("kg.batch.casebook.shutil.copyfileobj", full)
    result = cast("--batch", "-", "-o", str(out), data=as_csv([STILL], list(STILL)))
    assert (result.exit_code, "No space left" in result.stderr) == (2, True)
    assert [p.name for p in tmp_path.iterdir()] == ["out.csv"]
    assert out.read_text() == "before"


def test_without_pyarrow_only_parquet_is_missed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pq.write_table(pa.table({"lines": ["777777"]}), tmp_path / "in.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    data = as_csv([STILL], list(STILL))
    assert cast("--batch", "-", "--format", "nq", data=data).exit_code == 0
    for args in (["-", "--format", "parquet"], [str(tmp_path / "in.parquet")]):
        result = cast("--batch", *args, data=data)
        assert (result.exit_code, "install guigu[bulk]" in result.stderr) == (2, True)


# -- hostile files -----------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.binary(max_size=300) | st.text(alphabet='ab,"\n\r\0;=é\ufeff', max_size=200).map(lambda t: t.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_read_and_each_fault_is_told(data: bytes) -> None:
    names, rows = read_csv(io.BytesIO(b"id,note\n" + data))
    found = list(rows)
    assert names == ("id", "note")
    assert [r.number for r in found] == sorted({r.number for r in found})
    assert all(set(r.cells) <= {"id", "note"} for r in found)
    again = list(loaded(dumped(found)))
    assert [(r.number, dict(r.cells), str(r.fault)) for r in again] == [(r.number, dict(r.cells), str(r.fault)) for r in found]


@settings(max_examples=40)
@given(st.lists(st.dictionaries(st.sampled_from(("id", *OPTIONS)), st.text(max_size=8), max_size=6), max_size=4))
def test_any_cells_are_judged_or_told(rows: list[dict[str, str]]) -> None:
    for row, found in zip(rows, judge(rows), strict=True):
        assert (found.fault is None) != (found.given is None), row


def test_a_parquet_file_that_is_damaged_or_lies(tmp_path: Path) -> None:
    pq.write_table(pa.table({"lines": ["777777"] * 500, "topic": ["heirs"] * 500}), tmp_path / "good.parquet")
    good = (tmp_path / "good.parquet").read_bytes()
    rng = random.Random(9)
    for number in range(60):
        data = bytearray(good)
        if number % 3:
            for _ in range(4):
                data[rng.randrange(4, len(data))] = rng.randrange(256)
        else:
            data = data[: rng.randrange(4, len(data))]
        result = cast("--batch", "-", "--format", "jsonl", data=bytes(data))
        assert result.exit_code in (0, 1, 2), number
        assert result.exception is None or isinstance(result.exception, SystemExit), number
    for column, wanted in ((pa.array([["a"]]), "list"), (pa.array([{"a": 1}]), "struct"), (pa.array([b"x"]), "binary")):
        pq.write_table(pa.table({"lines": ["777777"], "topic": column}), tmp_path / "odd.parquet")
        result = cast("--batch", str(tmp_path / "odd.parquet"))
        assert (result.exit_code, wanted in result.stderr) == (2, True)


def test_a_parquet_file_larger_than_it_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long text that stands once in the file and in every row of it is cut, row by row."""
    text = "x" * 1_000_000
    pq.write_table(
        pa.table({"lines": ["777777"] * 300, "topic": ["heirs"] * 300, "note": pa.array([text] * 300).dictionary_encode()}), tmp_path / "big.parquet"
    )
    assert (tmp_path / "big.parquet").stat().st_size < 200_000
    found = objects((tmp_path / "big.parquet").read_bytes())
    assert len(found) == 300
    assert all(len(f["cells"]["note"]) == CELL and f["error"]["code"] == "GUIGU.BATCH.ROW" for f in found)
    for limit, module in (("ROWS", "parquet"), ("ROWS", "casebook"), ("BYTES", "rows"), ("BYTES", "parquet")):
        with monkeypatch.context() as patched:
            patched.setattr(f"kg.batch.{module}.{limit}", 100)
            data = (tmp_path / "big.parquet").read_bytes() if module == "parquet" else as_csv([STILL] * 200, list(STILL))
            result = cast("--batch", "-", data=data)
            assert (result.exit_code, result.stdout) == (2, "")


# -- documents ---------------------------------------------------------------------------------------------------------


def test_the_casebook_of_the_documents_is_what_the_book_prints() -> None:
    """增刪卜易 prints 山地剝 becoming 觀 by line 5, 雷山小過 becoming 豫 by line 3, 雷火豐 becoming 小過 by line 1."""
    with (DOCS / "casebook.csv").open(encoding="utf-8", newline="") as stream:
        found: Iterator[dict[str, str]] = csv.DictReader(stream)
        moved = [row for row in found if row["moving"]]
    for row, becomes in zip(moved, ("觀", "豫", "小過"), strict=True):
        by_moving, _ = read({"hexagram": row["hexagram"], "moving": row["moving"], "topic": ["heirs"]}, "liuyao")
        by_name, _ = read({"hexagram": row["hexagram"], "to": becomes, "topic": ["heirs"]}, "liuyao")
        assert by_moving == by_name
