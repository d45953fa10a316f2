"""Every figure of the README: warm cast, cold command line, memory; `make bench` prints them."""

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from kg.asking import topics
from kg.compare import communities, ties
from kg.graph import cast_graph, serialize
from kg.judgement import cast, judge
from kg.question import questions
from kg.sampling import sample
from kg.store import doctrine, doctrine_store, quads

CASTS = 20
COMMAND = [sys.executable, "-m", "kg", "cast", "--hexagram", "雷山小過", "--moving", "3", "--month", "辰", "--day", "戊辰", "--topic", "childbirth"]

ASK = [sys.executable, "-m", "kg", "ask", "aspect", "--aspect", "midwife"]
HOUR = [sys.executable, "-m", "kg", "qimen", "--at", "2024-04-25T09:30+08:00", "--topic", "childbirth"]


def timed(label: str, seconds: list[float]) -> None:
    print(f"{label:44} median {statistics.median(seconds):.3f} s   max {max(seconds):.3f} s   of {len(seconds)}")


def clock(action) -> float:  # type: ignore[no-untyped-def]
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def questions_timed() -> None:
    """Every question of the library on the embedded store, with the parameters of its example; the slowest five."""
    doctrine()
    timed("cold: guigu ask aspect, whole process", [clock(lambda: subprocess.run(ASK, check=True, capture_output=True)) for _ in range(5)])
    store = doctrine_store()
    for tradition in ("liuyao", "qimen"):  # questions of casts want casts
        for given in sample(3, topic="childbirth", tradition=tradition):
            store.store.extend(quads(serialize(cast_graph(judge(given)), "nt").encode(), "cast"))
    found = {q.name: statistics.median(clock(lambda q=q: q.ask(store, q.example.parameters)) for _ in range(5)) for q in questions().values()}
    timed(f"warm: a question, each of {len(found)}", list(found.values()))
    for name, seconds in sorted(found.items(), key=lambda x: -x[1])[:5]:
        print(f"    {seconds:.3f} s  {name}")
    timed("warm: the comparison graph, both works", [clock(lambda: ties(store)) for _ in range(5)])
    timed("warm: communities of clauses", [clock(lambda: communities(ties(store)))])


def release_timed() -> None:
    """A release written and verified by processes of their own, and the memory of the larger."""
    with tempfile.TemporaryDirectory() as scratch:
        target = str(Path(scratch) / "release")
        for command in (["export", target], ["verify", target]):
            run = [sys.executable, "-m", "kg", *command]
            timed(f"cold: guigu {command[0]}, whole process", [clock(lambda run=run: subprocess.run(run, check=True, capture_output=True))])
    print(f"{'memory: peak of the processes started':44} {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MiB")


def main() -> None:
    cold = [clock(lambda: subprocess.run(COMMAND, check=True, capture_output=True)) for _ in range(5)]
    timed("cold: guigu cast, whole process", cold)
    lines, pillars = [8, 8, 9, 7, 8, 8], {"month": "辰", "day": "戊辰"}
    cast(lines, "childbirth", pillars=pillars)
    timed("cold: guigu qimen, whole process", [clock(lambda: subprocess.run(HOUR, check=True, capture_output=True)) for _ in range(5)])
    timed("warm: childbirth, verdicts with reasons", [clock(lambda: cast(lines, "childbirth", pillars=pillars).verdicts) for _ in range(CASTS)])
    cast(lines, "all", pillars=pillars)
    timed("warm: all topics, verdicts with reasons", [clock(lambda: cast(lines, "all", pillars=pillars).verdicts) for _ in range(CASTS)])
    by_topic = {}
    for topic in topics():
        casts = list(sample(6, topic=topic, tradition="liuyao"))
        judge(casts[0])
        by_topic[topic] = [clock(lambda g=g: judge(g).verdicts) for g in casts]
    slowest = max(by_topic, key=lambda t: statistics.median(by_topic[t]))
    timed(f"warm: random casts, slowest topic: {slowest}", by_topic[slowest])
    by_hour = {}
    for topic in topics("qimen"):
        charts = list(sample(6, topic=topic, tradition="qimen"))
        judge(charts[0])
        by_hour[topic] = [clock(lambda g=g: judge(g).verdicts) for g in charts]
    slowest = max(by_hour, key=lambda t: statistics.median(by_hour[t]))
    timed(f"warm: random hour charts, slowest topic: {slowest}", by_hour[slowest])
    given = next(iter(sample(1, tradition="liuyao")))
    timed("owlrl: one cast, childbirth", [clock(lambda: judge(given, "owlrl"))])
    questions_timed()
    release_timed()
    print(f"{'memory: peak of this process':44} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
