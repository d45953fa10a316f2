"""Search a firing cast for every conditioned clause and keep them in firing.tsv: `python tests/cases/find.py [seconds]`.

Random casts first; what they leave is sought near casts that satisfy most of the condition, by changing one thing at a time.
"""

import csv
import random
import sys
import time
from dataclasses import replace
from pathlib import Path

from kg.explain import Walk
from kg.judgement import judge_all, topics
from loader.chapter import clauses
from loader.clause import Clause
from loader.liuyao import UNITS, Given
from loader.ontology import ontology
from loader.tables import choose

FILE = Path(__file__).with_name("firing.tsv")
ASKS = {"": (), "birth-near": ("birth-near",), "all": ("birth-far", "child-of-mother", "conception-date", "miscarriage-date", "calming-fetus", "eruption-date")}
PAIRS = [ontology().label(p) for p in ontology().ordered("Pair")]


def random_cast(rng: random.Random, topic: str) -> Given:
    pillars = {u: rng.choice(PAIRS) for u in UNITS}
    return Given(tuple(rng.choice((6, 7, 8, 9)) for _ in range(6)), pillars, (topic,), rng.choice(list(ASKS.values())), conventions=choose({}))


def neighbour(rng: random.Random, g: Given) -> Given:
    if rng.random() < 0.5:
        lines = list(g.lines)
        lines[rng.randrange(6)] = rng.choice((6, 7, 8, 9))
        return replace(g, lines=tuple(lines))
    return replace(g, pillars={**g.pillars, rng.choice(UNITS): rng.choice(PAIRS)})


def search(budget: float) -> dict[str, Given]:
    rng, found, start = random.Random(20261130), {}, time.monotonic()
    wanted = {c.id: c for c in clauses().values() if c.when is not None and not c.dead}
    for topic in topics():
        for _ in range(15):
            keep(judge_all(unique([random_cast(rng, topic) for _ in range(40)])), wanted, found)
    while (left := [c for i, c in wanted.items() if i not in found]) and time.monotonic() - start < budget:
        climb(rng, rng.choice(left), wanted, found)
        print(len(wanted) - len(found), "left", file=sys.stderr)
    return found


def unique(casts: list[Given]) -> list[Given]:
    return list({g.iri: g for g in casts}.values())


def climb(rng: random.Random, clause: Clause, wanted: dict[str, Clause], found: dict[str, Given]) -> None:
    """From the best of some random casts, take the best neighbour, and again."""
    best = [random_cast(rng, clause.topic) for _ in range(40)]
    for _ in range(12):
        judged = judge_all(unique(best))
        keep(judged, wanted, found)
        if clause.id in found:
            return
        ranked = sorted(judged, key=lambda j: -score(j, clause))[:4]
        best = [j.chart.given for j in ranked] + [neighbour(rng, rng.choice(ranked).chart.given) for _ in range(36)]


def score(j, clause: Clause) -> int:  # type: ignore[no-untyped-def]
    walk, e = Walk(j.chart, j.closed, j.program), j.program.conditions[clause.id]
    return max((walk.satisfied(e, i, clause.topic) for i in j.closed.types), default=0)


def keep(judged, wanted: dict[str, Clause], found: dict[str, Given]) -> None:  # type: ignore[no-untyped-def]
    for j in judged:
        for i, c in wanted.items():
            if i not in found and c.topic == j.chart.given.topics[0] and holds(j, c):
                found[i] = j.chart.given


def holds(j, c: Clause) -> bool:  # type: ignore[no-untyped-def]
    """Whether a clause fires, or, of a kind that never fires, whether its condition holds of some individual."""
    if c.fires:
        return c.id in j.fires
    walk, e = Walk(j.chart, j.closed, j.program), j.program.conditions[c.id]
    return any(walk.holds(e, i, c.topic) for i in j.closed.types)


def main() -> None:
    found = search(float(sys.argv[1]) if len(sys.argv) > 1 else 600)
    with FILE.open("w", encoding="utf-8", newline="") as stream:
        out = csv.writer(stream, delimiter="\t", lineterminator="\n")
        out.writerow(["clause", "topic", "lines", *UNITS, "asks"])
        for i in (c for c in clauses() if c in found):
            g = found[i]
            out.writerow([i, g.topics[0], "".join(map(str, g.lines)), *(g.pillars[u] for u in UNITS), " ".join(g.asks)])
    missing = [c.id for c in clauses().values() if c.when is not None and not c.dead and c.id not in found]
    print(f"{len(found)} found; missing: {', '.join(missing) or 'none'}")


if __name__ == "__main__":
    main()
