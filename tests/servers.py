"""SPARQL servers for tests, started on a free port of this machine and gone afterwards: Oxigraph and Virtuoso.

A server that is not installed skips the tests that want it, except where CI is set: there it must be installed.
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pyoxigraph as ox
import pytest

from kg.endpoint import EndpointStore
from kg.load import Loaded, load
from loader.iris import DOCTRINE_GRAPH

START = 120.0  # Seconds that a server may take to answer first; Virtuoso makes its database meanwhile.
STOP = 10.0

INI = """
[Database]
DatabaseFile = {folder}/virtuoso.db
ErrorLogFile = {folder}/virtuoso.log
LockFile = {folder}/virtuoso.lck
TransactionFile = {folder}/virtuoso.trx
xa_persistent_file = {folder}/virtuoso.pxa
ErrorLogLevel = 3
FileExtend = 200
MaxCheckpointRemap = 2000
Striping = 0
TempStorage = TempDatabase

[TempDatabase]
DatabaseFile = {folder}/temp.db
TransactionFile = {folder}/temp.trx
MaxCheckpointRemap = 2000
Striping = 0

[Parameters]
ServerPort = 127.0.0.1:{sql}
DisableUnixSocket = 1
ServerThreads = 10
CheckpointInterval = 0
CaseMode = 2
AllowOSCalls = 0
DirsAllowed = {folder}
NumberOfBuffers = 20000
MaxDirtyBuffers = 15000
ThreadsPerQuery = 2
AsyncQueueMaxThreads = 2

[HTTPServer]
ServerPort = 127.0.0.1:{web}
ServerThreads = 5
EnabledDavVSP = 0
HTTPProxyEnabled = 0

[SPARQL]
ResultSetMaxRows = 1000000
MaxQueryCostEstimationTime = 0
MaxQueryExecutionTime = 0
"""


@dataclass(frozen=True)
class Server:
    """A running server."""

    name: str
    query_url: str
    update_url: str
    user: str | None = None
    password: str | None = None

    def store(self, graph: str | None = DOCTRINE_GRAPH, timeout: float = 120) -> EndpointStore:
        """The server as a store that asks one graph."""
        return EndpointStore(self.query_url, graph, timeout, self.user, self.password, self.update_url)

    def load(self, triples: Iterable[ox.Triple], graph: str = DOCTRINE_GRAPH) -> Loaded:
        """Put triples into a graph, replacing what is there."""
        return load(self.store(graph), triples, graph)


_loaded: set[tuple[Server, str]] = set()


def loaded(server: Server, quads: Iterable[ox.Quad], graph: str = DOCTRINE_GRAPH) -> EndpointStore:
    """A graph of the server with the quads in it; they are sent once, however often this is called."""
    if (server, graph) not in _loaded:
        server.load((q.triple for q in quads), graph)
        _loaded.add((server, graph))
    return server.store(graph)


@contextmanager
def oxigraph() -> Iterator[Server]:
    """An Oxigraph server in memory."""
    beside = Path(sys.executable).with_name("oxigraph")
    binary = str(beside) if beside.exists() else shutil.which("oxigraph") or missing("Oxigraph server", "pip install oxigraph==0.5.13")
    with tempfile.TemporaryDirectory(prefix="guigu-oxigraph-") as folder:
        (port,) = _ports(1)
        base = f"http://127.0.0.1:{port}"
        with _running([binary, "serve", "--bind", f"127.0.0.1:{port}"], Path(folder), f"{base}/query"):
            yield Server("oxigraph", f"{base}/query", f"{base}/update")


@contextmanager
def virtuoso() -> Iterator[Server]:
    """A Virtuoso server with a database of its own."""
    binary = shutil.which("virtuoso-t") or missing("Virtuoso", "apt-get install virtuoso-opensource-7-bin")
    with tempfile.TemporaryDirectory(prefix="guigu-virtuoso-", ignore_cleanup_errors=True) as folder:
        sql, web = _ports(2)
        ini = Path(folder, "virtuoso.ini")
        ini.write_text(INI.format(folder=folder, sql=sql, web=web))
        base = f"http://127.0.0.1:{web}"
        with _running([binary, "+foreground", "+configfile", str(ini)], Path(folder), f"{base}/sparql"):
            yield Server("virtuoso", f"{base}/sparql", f"{base}/sparql-auth", "dba", "dba")


@pytest.fixture(scope="session")
def oxigraph_server() -> Iterator[Server]:
    with oxigraph() as server:
        yield server


@pytest.fixture(scope="session")
def virtuoso_server() -> Iterator[Server]:
    with virtuoso() as server:
        yield server


@pytest.fixture(scope="session", params=["oxigraph", "virtuoso"])
def server(request: pytest.FixtureRequest) -> Server:
    """Each server in turn; one of each runs in a test process, from its first use to the end."""
    found = request.getfixturevalue(f"{request.param}_server")
    assert isinstance(found, Server)
    return found


def missing(name: str, how: str) -> NoReturn:
    """Skip, or fail in CI."""
    if os.environ.get("CI"):
        pytest.fail(f"{name} is not installed: {how}")
    pytest.skip(f"{name} is not installed: {how}")


def _ports(count: int) -> list[int]:
    """Free ports; all are taken at once, so that no two are the same."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


@contextmanager
def _running(command: list[str], folder: Path, url: str) -> Iterator[None]:
    log = folder / "out.log"
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
        try:
            _wait(process, url, log)
            yield
        finally:
            process.terminate()
            try:
                process.wait(STOP)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait(process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    # No proxy of the environment stands between this machine and itself.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    deadline = time.monotonic() + START
    while time.monotonic() < deadline and process.poll() is None:
        with suppress(OSError), opener.open(f"{url}?query=ASK%7B%7D", timeout=5):
            return
        time.sleep(0.05)
    said = log.read_text("utf-8", "replace")[-2000:]
    raise RuntimeError(f"{process.args!r} does not answer at {url}:\n{said}")
