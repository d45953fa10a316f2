"""The questions on which the two traditions are compared: each answered from the graph, with the clauses and quotes of the passages."""

import csv
import unicodedata
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from kg.question import question
from kg.rows import Rows
from kg.store import EmbeddedStore, doctrine_store
from loader import iris
from loader.chapter import clauses
from loader.ontology import ontology

TABLE = Path(__file__).resolve().parent / "cases" / "comparisons.tsv"
FINDINGS = {
    "agree": {5, 6, 10, 11, 16, 18, 22},
    "differ": {2, 3, 8, 12, 13, 19},
    "contradict": {1, 4, 15},
    "false-friend": {7, 9},
    "compatible": {17},
    "corrects": {14},
    "only-liuyao": {20, 21},
    "only-qimen": {23},
}


def cases() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t", strict=True))


@cache
def store() -> EmbeddedStore:
    return doctrine_store()


def asked(name: str, parameters: str = "") -> list[dict[str, str]]:
    """The rows of a question for `name=value;name=value`."""
    values: defaultdict[str, list[str]] = defaultdict(list)
    for pair in filter(None, parameters.split(";")):
        parameter, _, value = pair.partition("=")
        values[parameter].append(value)
    found = question(name).ask(store(), values)
    assert isinstance(found, Rows)
    return found.texts()


def compared(key: str) -> set[str]:
    """Ids of the clauses that a comparison compares."""
    return {iris.key(c) for c in ontology().iris(iris.symbol("comparison", key), iris.ns("compares"))}


def covered(quote: str, ids: set[str]) -> bool:
    """Whether the clauses quote every character of a quote, marks of punctuation apart, where it stands in their passage."""
    every = clauses()
    for passage in {id(every[i].passage): every[i].passage for i in ids}.values():
        start = passage.lzh.find(quote)
        if start < 0:
            continue
        held = {n for i in ids if every[i].passage is passage for n in range(every[i].span.start, every[i].span.end)}
        if all(n in held or unicodedata.category(passage.lzh[n]).startswith("P") for n in range(start, start + len(quote))):
            return True
    return False


@pytest.mark.parametrize("case", cases(), ids=lambda c: f"{c['number']}-{c['question']}")
def test_the_question_gives_the_clauses_and_quotes(case: dict[str, str]) -> None:
    rows = asked(case["question"], case["parameters"])
    found = {row["clause"]: row["quote"] for row in rows if row["clause"]}
    wanted = set(case["clauses"].split(","))
    assert wanted <= set(found)
    assert all(found[i] == clauses()[i].quote for i in wanted)
    for quote in case["quotes"].split("|"):
        assert covered(quote, wanted), quote
    assert wanted <= compared(case["comparison"])


@pytest.mark.parametrize("key", sorted({c["comparison"] for c in cases()}))
def test_a_comparison_compares_the_clauses_of_its_cases(key: str) -> None:
    wanted = {i for c in cases() if c["comparison"] == key for i in c["clauses"].split(",")}
    assert compared(key) == wanted
    assert {row["clause"] for row in asked("finding", f"comparison={key}")} == wanted


def test_there_are_twenty_three_comparisons_each_with_its_finding() -> None:
    rows = asked("findings")
    assert [row["number"] for row in rows] == [str(n) for n in range(1, 24)]
    by_finding = defaultdict(set)
    for row in rows:
        by_finding[row["finding"]].add(int(row["number"]))
    assert by_finding == FINDINGS
    assert {row["number"]: row["comparison"] for row in rows} == {c["number"]: c["comparison"] for c in cases()}


def test_what_is_found_fits_the_works_of_the_clauses() -> None:
    for row in asked("findings"):
        works = {row["work"] for row in asked("finding", f"comparison={row['comparison']}")}
        assert works == ({"qimen-miji"} if row["finding"] == "only-qimen" else {"yiyin", "qimen-miji"}), row


def test_a_comparison_is_asked_for_by_its_question_in_any_language() -> None:
    assert (
        asked("finding", "comparison=順生何義？")
        == asked("finding", "comparison=순생(順生)은 무슨 뜻인가?")
        == asked("finding", "comparison=What does 順生 mean?")
    )
