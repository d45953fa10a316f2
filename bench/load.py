"""A minute of sixteen clients with mixed questions and documents: `python bench/load.py`; latencies, errors, and memory before and after.

With an address it asks a server that runs already; else it starts one of its own.
"""

import argparse
import http.client
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit

CLIENTS = 16
SECONDS = 60.0
_ASPECTS = ("mother", "midwife", "fetus", "gender", "delivery")
_CLAUSES = ("yy-taichan-013", "yy-taichan-088", "qm-taichan-017", "qm-taichan-106", "yy-xiaoshi-138")
_STRINGS = ("官鬼", "六合", "산부", "calamity", "穩婆")

# Kind of request to how it asks: path, and query where one is posted. `{}` is filled from the words beside it.
REQUESTS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "clauses of an aspect": ("SELECT ?c ?q {{ ?c g:about aspect:{} ; g:quote ?q }} ORDER BY ?c", "json", _ASPECTS),
    "a clause": ("DESCRIBE clause:{}", "ttl", _CLAUSES),
    "a string in the text": ('SELECT ?c ?q {{ ?c a g:Clause ; g:folded ?q FILTER(CONTAINS(?q, "{}")) }} LIMIT 20', "json", _STRINGS),
    "count by chapter": ("SELECT ?chapter (COUNT(*) AS ?n) {{ ?c g:quotes/g:inChapter ?chapter }} GROUP BY ?chapter ORDER BY ?chapter", "csv", ("",)),
    "a chapter as a graph": ("CONSTRUCT {{ ?c g:quote ?q }} WHERE {{ ?c g:topic topic:{} ; g:quote ?q }}", "nt", ("childbirth", "marriage")),
    "ask": ("ASK {{ clause:{} a g:Clause }}", "xml", _CLAUSES),
}
DOCUMENTS: dict[str, tuple[str, ...]] = {
    "document: clause": tuple(f"/data/clause/{c}.ttl" for c in _CLAUSES),
    "document: chapter": ("/data/text/yiyin/taichan.ttl", "/data/text/yiyin/taichan/5.jsonld"),
    "document: symbol": ("/data/id/branch/wu.ttl", "/data/ns/Void.rdf", "/clause/yy-taichan-013"),
    "pages": ("/", "/sparql", "/void", "/ontology"),
    "page: chapter": ("/page/text/yiyin/taichan", "/page/text/qimen-miji/taichan?lang=ko"),
    "page: clause": tuple(f"/page/clause/{c}" for c in _CLAUSES),
    "page: search": tuple(f"/search?q={quote(text)}" for text in _STRINGS),
    "page: question": tuple(f"/ask/aspect?aspect={aspect}" for aspect in _ASPECTS),
    "page: cast": (
        "/cast?lines=8,8,9,7,8,8&month=%E8%BE%B0&day=%E6%88%8A%E8%BE%B0&topic=childbirth",
        "/cast?tradition=qimen&at=2024-04-25T09:30%2B08:00&topic=childbirth",
    ),
}


@dataclass
class Load:
    """What the clients met: seconds by kind of request, and what went wrong."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def count(self) -> int:
        """Requests made."""
        return sum(map(len, self.seconds.values()))


def requests(number: int) -> Iterator[tuple[str, str, str, bytes | None]]:
    """Endless requests of one client: kind, method, path, body; three of five are queries. The same number asks the same."""
    chance = random.Random(number)
    while True:
        if chance.random() < 0.4:
            kind = chance.choice(sorted(DOCUMENTS))
            yield kind, "GET", chance.choice(DOCUMENTS[kind]), None
            continue
        kind = chance.choice(sorted(REQUESTS))
        query, form, words = REQUESTS[kind]
        text = query.format(chance.choice(words))
        if chance.random() < 0.5:
            yield kind, "GET", f"/sparql?format={form}&query={quote(text)}", None
        else:
            yield kind, "POST", f"/sparql?format={form}", text.encode()


def client(url: str, number: int, until: float, load: Load) -> None:
    """Ask one request after the other over one connection."""
    place = urlsplit(url)
    with closing(http.client.HTTPConnection(str(place.hostname), place.port, timeout=30)) as connection:
        for kind, method, path, body in requests(number):
            if time.monotonic() >= until:
                return
            before = time.perf_counter()
            try:
                connection.request(method, path, body, {"Content-Type": "application/sparql-query"} if body else {})
                reply = connection.getresponse()
                data = reply.read()
                fault = None if reply.status in (200, 303) else f"{kind}: {reply.status} {data[:100]!r}"
            except (OSError, http.client.HTTPException) as error:
                fault = f"{kind}: {error!r}"
                connection.close()
            with load.lock:
                load.seconds[kind].append(time.perf_counter() - before)
                if fault:
                    load.errors.append(fault)


def loaded(url: str, clients: int, seconds: float) -> Load:
    """What so many clients meet in so many seconds."""
    load, until = Load(), time.monotonic() + seconds
    threads = [threading.Thread(target=client, args=(url, n, until, load)) for n in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return load


def report(load: Load, seconds: float) -> None:
    """Print latencies by kind, and what went wrong."""
    print(f"{'kind':28} {'requests':>8} {'median':>9} {'95 %':>9} {'99 %':>9} {'max':>9}")
    for kind, times in [*sorted(load.seconds.items()), ("all", [t for some in load.seconds.values() for t in some])]:
        hundredths = statistics.quantiles(times, n=100, method="inclusive") if len(times) > 1 else times * 99
        figures = (statistics.median(times), hundredths[94], hundredths[98], max(times))
        print(f"{kind:28} {len(times):8} " + " ".join(f"{1000 * f:6.0f} ms" for f in figures))
    print(f"{load.count / seconds:.0f} requests a second, {len(load.errors)} errors")
    for error in load.errors[:10]:
        print("  " + error)


def memory(pid: int) -> float:
    """MiB of a process and all below it; memory that they share is counted by shares."""
    family, grown = {pid}, True
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    while grown:
        more = {p for p, parent in parents.items() if parent in family} - family
        family, grown = family | more, bool(more)
    total = 0
    for member in family:
        try:
            lines = Path(f"/proc/{member}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


@contextmanager
def server(workers: int) -> Iterator[tuple[str, int]]:
    """A server of its own: its address and its process."""
    command = [sys.executable, "-c", "from kg.server.command import serve; serve()", "--port", "0", "--workers", str(workers)]
    started = time.perf_counter()
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        url = process.stderr.readline().split()[3].rstrip("/")
        print(f"{'answers after':28} {time.perf_counter() - started:.2f} s")
        while not ready(url):
            time.sleep(0.05)
        print(f"{'has loaded after':28} {time.perf_counter() - started:.2f} s")
        try:
            yield url, process.pid
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(10)


def ready(url: str) -> bool:
    """Whether a server has loaded its data."""
    place = urlsplit(url)
    with closing(http.client.HTTPConnection(str(place.hostname), place.port, timeout=10)) as connection:
        connection.request("GET", "/healthz")
        return bool(json.loads(connection.getresponse().read())["status"] == "ready")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", nargs="?", help="address of a server that runs")
    parser.add_argument("--clients", type=int, default=CLIENTS)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 2)
    given = parser.parse_args()
    if given.url:
        report(loaded(given.url, given.clients, given.seconds), given.seconds)
        return
    with server(given.workers) as (url, pid):
        before = memory(pid)
        load = loaded(url, given.clients, given.seconds)
        report(load, given.seconds)
        time.sleep(1)
        print(f"{'memory of all processes':28} {before:.0f} MiB before, {memory(pid):.0f} MiB after")
    sys.exit(1 if load.errors else 0)


if __name__ == "__main__":
    main()
