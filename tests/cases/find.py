"""Search a firing cast for every conditioned clause and keep them in ontology/witnesses/liuyao.tsv: `python -m tests.cases.find [seconds a topic]`.

The kept cases first; then random casts; what they leave is sought near casts that satisfy most of the condition, by changing one
thing at a time. Topics are searched side by side.
"""

import csv
import multiprocessing
import os
import random
import sys
import time
from dataclasses import replace

from kg.asking import topics
from kg.explain import Walk
from kg.judgement import Judgement, judge_all
from kg.sampling import can_meet, moment, random_cast, term_in
from loader import iris
from loader.chapter import clauses
from loader.clause import Clause
from loader.kinship import SELF, relatives
from loader.liuyao import UNITS, Given
from loader.ontology import ontology
from loader.tables import choose
from loader.witness import path, rows

PAIRS = [ontology().label(p) for p in ontology().ordered("Pair")]
RELATIVES = [iris.key(r) for r in relatives() if r != SELF]
COLUMNS = ("clause", "topic", "lines", *UNITS, "ask", "birth-year", "relative", "role", "age", "term", "at")


def neighbour(rng: random.Random, g: Given) -> Given:
    dice = rng.random()
    if dice < 0.45:
        lines = list(g.lines)
        lines[rng.randrange(6)] = rng.choice((6, 7, 8, 9))
        return replace(g, lines=tuple(lines))
    if dice < 0.9 or g.relative is None:
        changed = {**g.pillars, rng.choice(UNITS): rng.choice(PAIRS)}
        pillars = moment(changed["year"], changed["month"][1], changed["day"], changed["hour"][1])
        return replace(g, pillars=pillars, term=term_in(rng, pillars["month"]), at=None)
    return replace(g, relative=rng.choice(RELATIVES))


def search(topic: str, budget: float, kept: dict[str, Given]) -> dict[str, Given]:
    rng, found, start = random.Random(f"20261130 {topic}"), {}, time.monotonic()
    wanted = {c.id: c for c in clauses().values() if c.topic == topic and c.when_text and not c.dead}
    if kept:
        keep(judge_all(unique(list(kept.values()))), wanted, found)
    for _ in range(15):
        if len(found) < len(wanted) and time.monotonic() - start < budget:
            keep(judge_all(unique([random_cast(rng, topic) for _ in range(40)])), wanted, found)
    while (left := [c for i, c in wanted.items() if i not in found]) and time.monotonic() - start < budget:
        climb(rng, rng.choice(left), wanted, found)
    print(f"{topic}: {len(found)} of {len(wanted)}", file=sys.stderr, flush=True)
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
            if i not in found and holds(j, c):
                found[i] = j.chart.given


def holds(j: Judgement, c: Clause) -> bool:
    """Whether a clause fires, or, of a kind that never fires, whether its condition holds of some individual."""
    return c.id in j.fires if c.fires else bool(j.holders(c))


def load() -> dict[str, Given]:
    return {
        row["clause"]: Given(
            tuple(map(int, row["lines"])),
            {u: row[u] for u in UNITS if row[u]},
            (row["topic"],),
            tuple(row["ask"].split()),
            birth_branch=row["birth-year"] or None,
            relative=row["relative"] or None,
            role=row["role"] or None,
            age=int(row["age"]) if row["age"] else None,
            term=row["term"] or None,
            at=row["at"] or None,
            conventions=choose({}),
        )
        for row in rows("liuyao")
    }


def save(found: dict[str, Given]) -> None:
    head = [line for line in path("liuyao").read_text("utf-8").splitlines(keepends=True) if line.startswith("#")]
    with path("liuyao").open("w", encoding="utf-8", newline="") as stream:
        stream.writelines(head)
        out = csv.writer(stream, delimiter="\t", lineterminator="\n")
        out.writerow(COLUMNS)
        for i in (c for c in clauses() if c in found):
            g = found[i]
            rest = (" ".join(g.asks), g.birth_branch or "", g.relative or "", g.role or "", g.age or "", g.term or "", g.at or "")
            out.writerow([i, g.topics[0], "".join(map(str, g.lines)), *(g.pillars.get(u, "") for u in UNITS), *rest])


def main() -> None:
    budget = float(sys.argv[1]) if len(sys.argv) > 1 else 120
    kept = load()
    work = [(t, budget, {i: g for i, g in kept.items() if i in clauses() and clauses()[i].topic == t and can_meet(g.pillars)}) for t in topics()]
    found: dict[str, Given] = {}
    with multiprocessing.Pool(os.cpu_count()) as pool:
        for part in pool.starmap(search, work, chunksize=1):
            found |= part
    save(found)
    missing = [c.id for c in clauses().values() if c.when_text and not c.dead and c.id not in found]
    print(f"{len(found)} found; missing: {', '.join(missing) or 'none'}")


if __name__ == "__main__":
    main()
