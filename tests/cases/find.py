"""Search a firing cast for every conditioned clause and keep them in firing.tsv: `python tests/cases/find.py [seconds a topic]`.

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
from functools import cache
from pathlib import Path

from kg.asking import roles_of, topics
from kg.explain import Walk
from kg.judgement import judge_all
from kg.topics import questions_of
from loader import iris
from loader.chapter import clauses
from loader.clause import Clause
from loader.kinship import SELF, relatives
from loader.liuyao import UNITS, Given
from loader.ontology import ontology
from loader.tables import choose

FILE = Path(__file__).with_name("firing.tsv")
PAIRS = [ontology().label(p) for p in ontology().ordered("Pair")]
TERMS = [ontology().label(t) for t in ontology().ordered("SolarTerm")]
STEMS = [ontology().label(s) for s in ontology().ordered("Stem")]
BRANCHES = [ontology().label(b) for b in ontology().ordered("Branch")]
RELATIVES = [iris.key(r) for r in relatives() if r != SELF]
KINDRED = ("kin", "ancestors", "parents", "brothers")
COLUMNS = ("clause", "topic", "lines", *UNITS, "asks", "birth", "relative", "role", "age", "term")


@cache
def asks_of(topic: str) -> tuple[str, ...]:
    # Who asks whom follows from the relative.
    derived = {"inner-kin", "outer-kin", "elder-asks-junior", "junior-asks-elder"}
    derived |= {iris.key(q) for q in ontology().of_type("Question") if ontology().iris(q, iris.ns("ofRelative"))}
    return tuple(q for q in questions_of(topic) if q not in derived)


def stem_of(branch: str, of: str, first: int) -> str:
    """The pair of a month or hour: its stem follows from that of the year (五虎遁, from 寅) or of the day (五鼠遁, from 子)."""
    # 甲 and 己 begin with 丙寅 and 甲子, 乙 and 庚 with 戊寅 and 丙子, and so on.
    offset = {"寅": 2, "子": 0}[BRANCHES[first]]
    start = STEMS.index(of) % 5 * 2 + offset
    return STEMS[(start + (BRANCHES.index(branch) - first) % 12) % 10] + branch


def moment(year: str, month: str, day: str, hour: str) -> dict[str, str]:
    """Four pillars that can meet: of month and hour the branch is taken, the stem follows."""
    return {"year": year, "month": stem_of(month, year[0], 2), "day": day, "hour": stem_of(hour, day[0], 0)}


def can_meet(pillars: dict[str, str]) -> bool:
    """Whether four pillars can be those of one moment."""
    return dict(pillars) == moment(pillars["year"], pillars["month"][1], pillars["day"], pillars["hour"][1])


def term_in(rng: random.Random, month: str) -> str:
    """One of the two terms of a month: 寅 has 立春 and 雨水."""
    first = (BRANCHES.index(month[1]) - 2) % 12 * 2
    return TERMS[first + rng.randrange(2)]


def random_cast(rng: random.Random, topic: str) -> Given:
    pillars = moment(rng.choice(PAIRS), rng.choice(BRANCHES), rng.choice(PAIRS), rng.choice(BRANCHES))
    asks = tuple(q for q in asks_of(topic) if rng.random() < 0.5)
    if {"birth-near", "birth-far"} <= set(asks):
        asks = tuple(q for q in asks if q != rng.choice(("birth-near", "birth-far")))
    relative = rng.choice(RELATIVES) if topic in KINDRED else None
    if relative and rng.random() < 0.3:
        asks += (rng.choice(("elder-asks-junior", "junior-asks-elder")),)
    return Given(
        tuple(rng.choice((6, 7, 8, 9)) for _ in range(6)),
        pillars,
        (topic,),
        asks,
        birth_branch=rng.choice(BRANCHES) if topic == "fate" else None,
        relative=relative,
        role=rng.choice(list(roles_of(topic))) if roles_of(topic) else None,
        age=rng.randrange(1, 90) if topic in ("fate", "year-fortune") else None,
        term=term_in(rng, pillars["month"]),
        conventions=choose({}),
    )


def neighbour(rng: random.Random, g: Given) -> Given:
    dice = rng.random()
    if dice < 0.45:
        lines = list(g.lines)
        lines[rng.randrange(6)] = rng.choice((6, 7, 8, 9))
        return replace(g, lines=tuple(lines))
    if dice < 0.9 or g.relative is None:
        changed = {**g.pillars, rng.choice(UNITS): rng.choice(PAIRS)}
        pillars = moment(changed["year"], changed["month"][1], changed["day"], changed["hour"][1])
        return replace(g, pillars=pillars, term=term_in(rng, pillars["month"]))
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


def holds(j, c: Clause) -> bool:  # type: ignore[no-untyped-def]
    """Whether a clause fires, or, of a kind that never fires, whether its condition holds of some individual."""
    if c.fires:
        return c.id in j.fires
    walk, e = Walk(j.chart, j.closed, j.program), j.program.conditions[c.id]
    return any(walk.holds(e, i, c.topic) for i in j.closed.types)


def load() -> dict[str, Given]:
    with FILE.open(encoding="utf-8", newline="") as stream:
        return {
            row["clause"]: Given(
                tuple(map(int, row["lines"])),
                {u: row[u] for u in UNITS if row[u]},
                (row["topic"],),
                tuple(row["asks"].split()),
                birth_branch=row.get("birth") or None,
                relative=row.get("relative") or None,
                role=row.get("role") or None,
                age=int(row["age"]) if row.get("age") else None,
                term=row.get("term") or None,
                conventions=choose({}),
            )
            for row in csv.DictReader(stream, delimiter="\t")
        }


def save(found: dict[str, Given]) -> None:
    with FILE.open("w", encoding="utf-8", newline="") as stream:
        out = csv.writer(stream, delimiter="\t", lineterminator="\n")
        out.writerow(COLUMNS)
        for i in (c for c in clauses() if c in found):
            g = found[i]
            rest = (" ".join(g.asks), g.birth_branch or "", g.relative or "", g.role or "", g.age or "", g.term or "")
            out.writerow([i, g.topics[0], "".join(map(str, g.lines)), *(g.pillars.get(u, "") for u in UNITS), *rest])


def main() -> None:
    budget = float(sys.argv[1]) if len(sys.argv) > 1 else 120
    kept = load() if FILE.exists() else {}
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
