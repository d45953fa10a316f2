"""Casebooks end to end: `guigu cast --batch` on random casts, by the form of the result and the number of processes; `make bench` prints it."""

import argparse
import csv
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

from kg.batch.columns import OPTIONS
from kg.sampling import sample
from kg.typed import written as options_of
from loader.liuyao import UNITS, Given


def cells(given: Given) -> dict[str, str]:
    """An input as a row of a casebook."""
    return {name: text if isinstance(text, str) else "; ".join(text) if isinstance(text, tuple) else str(text) for name, text in options_of(given).items()}


def casts(count: int, *, moments: bool) -> Iterator[dict[str, str]]:
    """Rows with a question each, by pillars or by a moment of the years 1950 to 2049."""
    rng, first = random.Random(1), datetime(1950, 1, 1, tzinfo=timezone(timedelta(hours=8)))
    for number, given in enumerate(sample(count, tradition="liuyao")):
        assert isinstance(given, Given)
        row = {"id": str(number), **cells(given)}
        if moments:
            at = first + timedelta(minutes=rng.randrange(100 * 525_960))
            row = {o: v for o, v in row.items() if o not in UNITS} | {"at": at.isoformat()}
        yield row


def written(path: Path, count: int, *, moments: bool) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        out = csv.DictWriter(stream, ["id", *OPTIONS])
        out.writeheader()
        out.writerows(casts(count, moments=moments))


def timed(label: str, source: Path, form: str, *args: str) -> None:
    target = source.with_suffix(f".out.{form}")
    command = [sys.executable, "-m", "kg", "cast", "--batch", str(source), "-o", str(target), *args]
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    seconds, after, size = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN), target.stat().st_size / 2**20
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{f'{label} to {form} ' + ' '.join(args):40} {seconds:6.1f} s, of processors {busy:6.1f} s  {size:7.1f} MiB", flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--casts", type=int, default=100_000, help="how many")
    count = options.parse_args().casts
    with tempfile.TemporaryDirectory() as name:
        by_pillars, by_moment = Path(name) / "pillars.csv", Path(name) / "moments.csv"
        written(by_pillars, count, moments=False)
        written(by_moment, count, moments=True)
        print(f"{count:,} casts, each with a question of its own")
        for form in ("csv", "jsonl", "parquet", "nq"):
            timed("by pillars", by_pillars, form)
        timed("by pillars", by_pillars, "csv", "--jobs", "2")
        timed("by a moment", by_moment, "csv")
        timed("by a moment", by_moment, "csv", "--jobs", "2")
    print(f"memory: peak of a process {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
