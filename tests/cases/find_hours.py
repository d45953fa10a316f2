"""Search hours at which a clause of the hour chart fires; run by hand when a chapter changes: python -m tests.cases.find_hours
gives the rows of ontology/witnesses/qimen.tsv."""

import random
import sys
from collections.abc import Iterator, Mapping

from kg.asking import topics
from kg.judgement import judge_all
from kg.sampling import random_hour
from loader.chapter import clauses
from loader.qimen import QimenGiven
from loader.qimen_given import QimenTyped, qimen_given
from tests.cases.find import holds

CHARTS = 400
"""Random charts of a topic that are tried; rarer clauses are then sought by hand."""


def row(clauses_found: list[str], given: QimenGiven) -> str:
    """One case: the topic, the moment, what narrows the question, and the clauses that hold."""
    people = {p.who: p.birth for p in given.persons}
    what = (given.topics[0], given.at, " ".join(given.asks), people.get("person"), people.get("man"), people.get("woman"), given.mountain, given.crop)
    return "\t".join([*(x or "" for x in what), " ".join(clauses_found)])


def given_of(case: Mapping[str, str]) -> QimenGiven:
    """The input of a row that is kept."""
    typed = QimenTyped(
        at=case["at"],
        asks=tuple(case["ask"].split()),
        birth=case["birth-year"] or None,
        man=case["man-born"] or None,
        woman=case["woman-born"] or None,
        mountain=case["mountain"] or None,
        crop=case["crop"] or None,
    )
    return qimen_given(typed, (case["topic"],))[0]


def search(topic: str) -> Iterator[str]:
    """Charts until every clause of a topic has held in one."""
    rng = random.Random(1)  # samples for a test, not secrets
    missing = {c.id: c for c in clauses().values() if c.tradition == "qimen" and c.topic == topic and c.when_text and not c.dead}
    for _ in range(0, CHARTS, 20):
        for j in judge_all([random_hour(rng, topic) for _ in range(20)]):
            found = [i for i, c in missing.items() if holds(j, c.under(j.reading))]
            if found and isinstance(j.chart.given, QimenGiven):
                yield row(found, j.chart.given)
            for i in found:
                del missing[i]
    sys.stderr.write(f"{topic}: not found {' '.join(missing)}\n")


if __name__ == "__main__":
    for asked in topics("qimen"):
        for line in search(asked):
            sys.stdout.write(line + "\n")
