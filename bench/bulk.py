"""The bulk engine: casts a second, memory, time a cast by the number of casts, and the ratio to the other engines; `make bench` prints it."""

import argparse
import resource
import time
from dataclasses import replace

import numpy as np

from kg.bulk import Casts, Grid, HourGrid, Question, evaluate, hour_charts, six_lines
from kg.bulk.space import values
from kg.judgement import judge_all
from kg.reasoning import ENGINES
from kg.sampling import sample
from loader.liuyao import UNITS, Given

CHUNK = 64 * 1024
SIZES = (10_000, 100_000, 1_000_000, 3_000_000)
HOURS = (10_000, 100_000, 300_000)


def random_casts(count: int, seed: int = 1) -> Casts:
    """Casts with all four pillars, a term and a birth year, which need not be able to meet."""
    rng = np.random.default_rng(seed)
    pillars = {unit: rng.integers(0, 60, count) for unit in UNITS}
    return Casts.of(hexagrams=rng.integers(0, 4096, count), term=rng.integers(0, 24, count), birth=rng.integers(0, 12, count), **pillars)


def given_of(casts: Casts, n: int, question: Question) -> Given:
    pillars = {u: values(u)[casts.codes[u][n]] for u in UNITS}
    bare = question.on(int(casts.codes["hexagrams"][n]))
    return replace(bare, pillars=pillars, term=casts.value("term", n), birth_branch=casts.value("birth", n))


def timed(label: str, casts: int, seconds: float) -> float:
    print(f"{label:60} {casts:9,} casts {seconds:8.2f} s  {seconds / casts * 1e6:12.2f} µs a cast  {casts / seconds:10,.2f} casts a second", flush=True)
    return seconds / casts


def memory() -> None:
    print(f"memory: peak of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB", flush=True)


def whole_space() -> None:
    grid, by_size = Grid.whole(), []
    start = time.perf_counter()
    six_lines(grid.casts(0, 64))
    print(f"{'putting the circuit together, month and day known':60} {time.perf_counter() - start:.1f} s")
    for size in SIZES:
        # Some hundredths of a second say little, so a small number is judged again and again.
        rounds = max(1, 1_000_000 // size)
        start = time.process_time()
        for _ in range(rounds):
            for at in range(0, size, CHUNK):
                # Three million are a little more than the whole space: the last ones are its first again.
                first = at % len(grid)
                six_lines(grid.casts(first, first + min(CHUNK, size - at))).counts()
        by_size.append(timed("whole space, month and day, all clauses of all topics", size, (time.process_time() - start) / rounds))
    print(f"{'slowest to fastest, a cast':60} {max(by_size) / min(by_size):.2f}")
    memory()


def hours() -> None:
    grid, by_size = HourGrid.whole(), []
    start = time.perf_counter()
    hour_charts(grid.charts(0, 64))
    print(f"{'putting the circuit of hour charts together':60} {time.perf_counter() - start:.1f} s")
    for size in HOURS:
        start, fired = time.process_time(), 0
        for at in range(0, size, CHUNK):
            fired += int(hour_charts(grid.charts(at, min(size, at + CHUNK))).counts().sum())
        by_size.append(timed("hour charts of all moments, all clauses of all topics", size, time.process_time() - start))
    print(f"{'slowest to fastest, a chart':60} {max(by_size) / min(by_size):.2f}")
    memory()


def inputs() -> None:
    for label, casts in (
        ("inputs of six lines, each with a question of its own", list(sample(20_000, tradition="liuyao"))),
        ("inputs of hour charts, each with a question of its own", list(sample(20_000, tradition="qimen"))),
    ):
        evaluate(casts[: len(casts) // 10])
        start = time.process_time()
        evaluate(casts)
        timed(label, len(casts), time.process_time() - start)
    memory()


def compared(question: Question, label: str, engines: tuple[str, ...], few: int) -> None:
    """The engines on the same casts; they must fire the same."""
    casts = random_casts(300_000)
    six_lines(casts[:64], question)
    start = time.process_time()
    found = six_lines(casts, question)
    fast = timed(f"bulk, random casts, {label}", len(casts), time.process_time() - start)
    givens = [given_of(casts, n, question) for n in range(few)]
    judge_all(givens[:1])
    for name in engines:
        start = time.process_time()
        judged = [judge_all([g], name)[0] for g in givens]
        slow = timed(f"{name}, the first of them", few, time.process_time() - start)
        print(f"{f'{name} to bulk, a cast':60} {slow / fast:,.0f}", flush=True)
        assert [j.fires for j in judged] == [found.of(n) for n in range(few)]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--compared", type=int, default=4, help="casts on which the engines are compared")
    few = options.parse_args().compared
    whole_space()
    hours()
    inputs()
    compared(Question(), "all topics", ("reasonable",), few)
    compared(Question(("heirs",)), "heirs", tuple(ENGINES), few)
    memory()


if __name__ == "__main__":
    main()
