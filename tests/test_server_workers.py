"""The workers: limits that hold, processes that are replaced, memory that returns, and nothing that is left behind."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from click.testing import CliRunner

from kg.server.command import serve
from kg.server.dataset import Dataset
from kg.server.serving import running
from kg.server.settings import MIB, Settings
from loader.errors import InputError, OntologyError
from tests.serving import ASK, DIRECT, Reply, ask, call

# Two thousand triples: four patterns without a shared variable have 1.6e13 solutions, which no machine counts in a second.
DATA = "".join(f'<a:s{n}> <a:p{n % 7}> "object {n}" .\n' for n in range(2_000)).encode()
HOURS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
LIMIT = 1.0


def family(pid: int) -> dict[int, tuple[str, str, int]]:
    """All descendants of a process: state, command and bytes of memory."""
    found: dict[int, tuple[int, str, str, int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                memory = int((entry / "statm").read_text().split()[1]) * 4096
            except OSError:
                continue
            found[int(entry.name)] = (int(parent), state, command, memory)
    mine, grown = {pid}, True
    while grown:
        more = {p for p, (parent, *_) in found.items() if parent in mine} - mine
        mine, grown = mine | more, bool(more)
    return {p: found[p][1:] for p in mine - {pid} if p in found}


def runs(pid: int) -> bool:
    """Whether a process is there, dead ones that nobody has buried apart."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def workers() -> list[int]:
    """Processes of servers in this process that evaluate queries: the children of nurseries."""
    nurseries = [p for p, (_, command, _) in family(os.getpid()).items() if "kg.server.worker" in command]
    return sorted(p for n in nurseries for p in family(n))


def eventually(condition: object, seconds: float = 10) -> None:
    """Wait until something is true."""
    assert callable(condition)
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, condition
        time.sleep(0.02)


@pytest.fixture(scope="module")
def shared() -> Iterator[str]:
    before = set(family(os.getpid()))
    with running(Settings(port=0, seconds=LIMIT, memory=96 * MIB), load=lambda _s: Dataset(DATA)) as address:
        yield address
    assert set(family(os.getpid())) <= before


@pytest.fixture
def url(shared: str) -> str:
    """A server in good health, whatever was done to it before."""
    eventually(lambda: json.loads(call(shared, "/healthz").body)["workers"] == 2 == len(workers()))
    return shared


def ok(reply: Reply) -> bool:
    return reply.status == 200 and json.loads(reply.body)["boolean"] is True


def test_a_query_is_stopped_at_its_limit_while_others_go_on(url: str) -> None:
    started = time.monotonic()
    with ThreadPoolExecutor(1) as pool:
        hopeless = pool.submit(ask, url, HOURS)
        others = []
        while not hopeless.done():
            before = time.monotonic()
            assert ok(ask(url, ASK))
            others.append(time.monotonic() - before)
        took = time.monotonic() - started
    reply = hopeless.result()
    assert (reply.status, reply.body[:16]) == (503, b"GUIGU.QUERY.TIME")
    assert LIMIT <= took < LIMIT + 1
    assert len(others) >= 5
    assert max(others) < LIMIT, "none of them waited for the one that was stopped"
    # Nothing goes on evaluating: the process is gone, and another is there.
    eventually(lambda: len(workers()) == 2)
    assert ok(ask(url, ASK))


def test_hopeless_queries_from_all_sides_do_not_stop_the_server(url: str) -> None:
    with ThreadPoolExecutor(6) as pool:
        replies = list(pool.map(lambda _: ask(url, HOURS), range(6)))
    assert {r.status for r in replies} == {503}
    assert {r.body.split(b":")[0] for r in replies} <= {b"GUIGU.QUERY.TIME", b"GUIGU.SERVER.BUSY"}
    assert call(url, "/healthz").status == 200
    assert ok(ask(url, ASK))


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV])
def test_a_killed_worker_is_replaced(url: str, how: signal.Signals) -> None:
    first = workers()
    assert len(first) == 2
    for pid in first:
        os.kill(pid, how)
    assert ok(ask(url, ASK)) or how == signal.SIGSEGV
    eventually(lambda: len(workers()) == 2 and not set(workers()) & set(first))
    assert ok(ask(url, ASK))
    assert not [p for p, (state, *_) in family(os.getpid()).items() if state == "Z"]


def test_a_worker_killed_at_work_costs_its_query_only(url: str) -> None:
    first = workers()
    with ThreadPoolExecutor(1) as pool:
        hopeless = pool.submit(ask, url, HOURS)
        time.sleep(0.3)
        for pid in first:
            os.kill(pid, signal.SIGKILL)
        reply = hopeless.result()
    # It is tried once more, with another worker, and then stopped at its limit.
    assert (reply.status, reply.body[:16]) == (503, b"GUIGU.QUERY.TIME")
    assert ok(ask(url, ASK))


def test_a_stopped_worker_does_not_stop_its_query_for_ever(url: str) -> None:
    for pid in workers():
        os.kill(pid, signal.SIGSTOP)
    started = time.monotonic()
    assert ask(url, ASK).status == 503
    assert time.monotonic() - started < LIMIT + 1
    eventually(lambda: ask(url, ASK).status == 200, 2 * LIMIT + 2)


def test_a_killed_nursery_is_started_again(url: str) -> None:
    nursery = next(p for p, (_, command, _) in family(os.getpid()).items() if "kg.server.worker" in command)
    os.kill(nursery, signal.SIGKILL)
    eventually(lambda: ask(url, ASK).status == 200 and nursery not in family(os.getpid()))
    eventually(lambda: len(workers()) == 2)
    assert not [p for p, (state, *_) in family(os.getpid()).items() if state == "Z"]


def test_memory_is_limited_and_returns(url: str) -> None:
    def all_memory() -> int:
        own = int(Path("/proc/self/statm").read_text().split()[1]) * 4096
        return own + sum(memory for _, _, memory in family(os.getpid()).values())

    assert ok(ask(url, ASK))
    before = all_memory()
    for _ in range(2):
        reply = ask(url, "SELECT ?a ?d ?g { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?c")
        assert (reply.status, reply.body[:18]) == (503, b"GUIGU.QUERY.MEMORY")
    large = ask(url, "SELECT * { ?a ?b ?c . ?d ?e ?f } LIMIT 100000")  # some 20 MB
    assert large.status == 200
    assert len(large.body) > 20 * MIB
    grouped = ask(url, "SELECT ?a (COUNT(*) AS ?n) { { SELECT DISTINCT ?a ?d { ?a ?b ?c . ?d ?e ?f } LIMIT 400000 } } GROUP BY ?a")
    assert grouped.status in (200, 503)
    del large
    eventually(lambda: all_memory() < before + 48 * MIB)
    assert ok(ask(url, ASK))


def test_too_many_are_told_to_come_again() -> None:
    settings = Settings(port=0, workers=1, seconds=2, waiting=1, patience=0.5)
    with running(settings, load=lambda _s: Dataset(DATA)) as url, ThreadPoolExecutor(6) as pool:
        replies = list(pool.map(lambda _: ask(url, HOURS), range(6)))
        assert sorted(r.body.split(b":")[0] for r in replies).count(b"GUIGU.QUERY.TIME") == 1
        for reply in replies:
            assert reply.status == 503
            assert ("retry-after" in reply.headers) == reply.body.startswith(b"GUIGU.SERVER.BUSY")


def test_answers_that_nobody_fetches_are_bounded() -> None:
    large = "SELECT * { ?a ?b ?c . ?d ?e ?f } LIMIT 100000"
    settings = Settings(port=0, held=30 * MIB, sending=3, seconds=10)
    with running(settings, load=lambda _s: Dataset(DATA)) as url:
        place = urlsplit(url)
        with socket.create_connection((str(place.hostname), place.port)) as slow:
            slow.sendall(f"GET /sparql?query={quote(large)} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            assert slow.recv(12) == b"HTTP/1.1 200"
            reply = ask(url, large)
            assert (reply.status, reply.body[:17]) == (503, b"GUIGU.SERVER.BUSY")
            assert ok(ask(url, ASK)), "what is small still finds room"
            # Who does not read is left after a while, and what was kept for him is free again.
            eventually(lambda: ask(url, large).status == 200)


def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    with running(Settings(port=0, workers=1, reading=0.4), load=lambda _s: Dataset(DATA)) as url:
        place = urlsplit(url)
        with socket.create_connection((str(place.hostname), place.port), timeout=10) as slow:
            slow.sendall(f"POST /sparql HTTP/1.1\r\nHost: x\r\nContent-Type: {DIRECT}\r\nContent-Length: 100\r\n\r\nASK".encode())
            assert slow.recv(12) == b"HTTP/1.1 408"
        # A client that goes away while it is read, or while its query runs, leaves nothing behind.
        for text in ("Content-Length: 100\r\n\r\nASK", f"Content-Length: {len(ASK)}\r\n\r\n{ASK}"):
            with socket.create_connection((str(place.hostname), place.port), timeout=10) as gone:
                gone.sendall(f"POST /sparql HTTP/1.1\r\nHost: x\r\nContent-Type: {DIRECT}\r\n{text}".encode())
        assert ok(ask(url, ASK))


def test_it_answers_while_it_loads() -> None:
    asked, go = threading.Event(), threading.Event()
    found: list[Reply] = []

    def load(settings: Settings) -> Dataset:
        asked.set()
        go.wait(20)
        return Dataset(DATA)

    def early(port: int) -> None:
        asked.wait(20)
        paths = ("/healthz", "/sparql", f"/sparql?query={quote(ASK)}", "/clause/x", "/void", "/data/graph/x.ttl", "/")
        found.extend(call(f"http://127.0.0.1:{port}", path) for path in paths)
        go.set()

    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    thread = threading.Thread(target=early, args=(port,))
    thread.start()
    with running(Settings(port=port), load=load) as url:
        thread.join()
        *refused, home = found
        assert [r.status for r in refused] == [503] * 6
        assert all("retry-after" in r.headers for r in refused)
        assert json.loads(refused[0].body)["status"] == "loading"
        assert home.status == 200
        assert ok(ask(url, ASK))


def test_data_that_cannot_be_loaded() -> None:
    def load(_settings: Settings) -> Dataset:
        raise OntologyError("two cells for one row")

    before = set(family(os.getpid()))
    with pytest.raises(OntologyError, match="two cells"), running(load=load):
        pass
    assert set(family(os.getpid())) <= before


def test_an_address_that_cannot_be_listened_at(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for arguments in (["--port", str(taken.getsockname()[1])], ["--host", "no.such.host.invalid"], ["--host", "\0"], ["--host", "1.2.3.4"]):
            done = CliRunner().invoke(serve, arguments)
            assert isinstance(done.exception, InputError), arguments
    for arguments in (["--port", "65536"], ["--workers", "0"], ["--time-limit", "0"], ["--time-limit", "nan"], ["--allow-service", "http://x/"]):
        done = CliRunner().invoke(serve, arguments)
        assert done.exit_code == 2 or isinstance(done.exception, InputError), arguments


SERVER = """
import sys
from kg.server.dataset import Dataset
from kg.server.serving import serve
from kg.server.settings import Settings
serve(Settings(port=0, seconds=30), load=lambda s: Dataset(sys.stdin.buffer.read()), listening=lambda url: print(url, flush=True))
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_when_the_server_ends(how: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        assert server.stdin
        assert server.stdout
        assert server.stderr
        server.stdin.write(DATA)
        server.stdin.close()
        url = server.stdout.readline().decode().strip()
        eventually(lambda: call(url, "/healthz").status == 200)
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(ask, url, HOURS)
            time.sleep(0.3)
            left = family(server.pid)
            assert len(left) == 3
            server.send_signal(how)
            assert server.wait(10) == (0 if how == signal.SIGINT else -how)
        if how == signal.SIGKILL:
            assert isinstance(waiting.exception(), OSError)
        else:
            assert (waiting.result().status, waiting.result().body[:19]) == (503, b"GUIGU.SERVER.ENDING")
        # A query was running, which would have gone on for years; what nobody has buried yet (Z) runs no more.
        eventually(lambda: not any(runs(pid) for pid in left), 5)
        assert b"Traceback" not in server.stderr.read()


def test_the_command_serves_the_doctrine_with_a_cast(tmp_path: Path) -> None:
    cast = tmp_path / "cast.ttl"
    cast.write_text("@prefix g: <https://w3id.org/guigu/ns/> .\n<https://w3id.org/guigu/cast/test> a g:Cast ; g:stands [ a g:Clause ] .\n", "utf-8")
    command = [sys.executable, "-c", "from kg.server.command import serve; serve()", "--port", "0", "--data", str(cast), "--workers", "1"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr
        url = server.stderr.readline().split()[3].rstrip("/")
        try:
            eventually(lambda: call(url, "/healthz").status == 200, 300)
            # 胎產占 ¶1, 初臨鬼母災: the clause that the book has, and the cast beside it, in both graphs.
            query = 'ASK { clause:yy-taichan-013 g:quote "初臨鬼母災"@lzh . <https://w3id.org/guigu/cast/test> a g:Cast }'
            assert ok(ask(url, query))
            assert ok(ask(url, query, **{"default-graph-uri": "https://w3id.org/guigu/graph/doctrine"}))
            assert "初臨鬼母災" in call(url, "/data/clause/yy-taichan-013.ttl").body.decode()
            assert call(url, "/data/cast/test.ttl").status == 200
            assert len(call(url, "/ontology").body) > 50_000
        finally:
            server.send_signal(signal.SIGINT)
            assert server.wait(10) == 0
