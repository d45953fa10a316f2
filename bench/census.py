"""The census of six lines: every pair of hexagrams on every day of every month, all topics; `make bench` prints it."""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CASTS = 4096 * 12 * 60
TOPICS = 20
"""Topics that have clauses of six lines which fire."""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--jobs", type=int, default=2)
    jobs = options.parse_args().jobs
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "census"
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "kg", "census", str(folder), "--space", "days", "--jobs", str(jobs)], check=True, stderr=subprocess.DEVNULL)
        seconds = time.perf_counter() - start
        size = sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{CASTS:,} casts, each asked about {TOPICS} topics, {jobs} processes: {seconds:.0f} s, {CASTS / seconds:,.0f} casts a second with all topics,")
    print(f"counted with pairs, contradictions, witnesses and page; largest process {memory:.0f} MiB; {size / 1024:.0f} KiB written")


if __name__ == "__main__":
    main()
