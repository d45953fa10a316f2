"""Work in pieces: nothing is lost, nothing is done twice, whoever dies in the middle."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import Client

from kg.spread import spread, workers
from loader.errors import ClusterFault, InputError

PIECES = {f"piece-{n}": n for n in range(40)}


def slow(n: int) -> bytes:
    time.sleep(0.05)
    return f"{n} squared is {n * n}".encode()


def faulty(n: int) -> bytes:
    if n == 7:
        raise InputError("seven is not wanted", where="n")
    return b"fine"


def deadly(n: int) -> bytes:
    if n == 7:
        os.kill(os.getpid(), signal.SIGKILL)
    return b"fine"


def found(folder: Path) -> dict[str, str]:
    return {p.name: p.read_text() for p in folder.iterdir()}


EXPECTED = {name: f"{n} squared is {n * n}" for name, n in PIECES.items()}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler of Dask and three workers, each a process."""
    folder = tmp_path_factory.mktemp("dask")
    address = folder / "scheduler.json"
    env = os.environ | {"DASK_DISTRIBUTED__WORKER__DAEMON": "False", "PYTHONPATH": os.pathsep.join(sys.path)}

    def start(*args: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-m", *args], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=env, cwd=folder)

    scheduler = start("distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", "--host", "127.0.0.1", "--scheduler-file", str(address))
    deadline = time.monotonic() + 60
    while not address.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    hands = [
        start("distributed.cli.dask_worker", "--scheduler-file", str(address), "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
        for _ in range(3)
    ]
    try:
        found = json.loads(address.read_text())["address"]
        with Client(found, set_as_default=False) as client:
            client.wait_for_workers(len(hands), timeout=60)
        yield found, hands
    finally:
        for process in (*hands, scheduler):
            process.kill()
            process.wait()


def test_processes_do_what_one_does(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    with workers(2) as crew:
        spread(slow, PIECES, tmp_path, crew, lambda done, of: told.append((done, of)))
    assert found(tmp_path) == EXPECTED
    assert told == [(n, 40) for n in range(41)]


def test_a_fault_of_a_piece_reaches_the_user_and_leaves_what_is_done(tmp_path: Path) -> None:
    for jobs in (1, 2):
        folder = tmp_path / str(jobs)
        folder.mkdir()
        with pytest.raises(InputError, match="seven"), workers(jobs) as crew:
            spread(faulty, PIECES, folder, crew)
        assert "piece-0" in found(folder)
        assert "piece-7" not in found(folder)


def test_a_killed_process_is_told_and_the_rest_is_done_later(tmp_path: Path) -> None:
    with pytest.raises(ClusterFault, match="lost"), workers(2) as crew:
        spread(deadly, PIECES, tmp_path, crew)
    assert "piece-7" not in found(tmp_path)
    with workers(2) as crew:
        spread(slow, PIECES, tmp_path, crew)
    assert set(found(tmp_path)) == set(PIECES)


def test_a_cluster_does_what_one_process_does_when_a_worker_is_killed(tmp_path: Path, cluster: tuple[str, list[subprocess.Popen[bytes]]]) -> None:
    address, hands = cluster

    def kill(done: int, _all: int) -> None:
        if done == 10:
            hands[0].kill()

    with workers(scheduler=address) as crew:
        spread(slow, PIECES, tmp_path, crew, kill)
    assert hands[0].wait(10) is not None
    assert found(tmp_path) == EXPECTED


def test_no_scheduler() -> None:
    with pytest.raises(InputError, match="no Dask scheduler"), workers(scheduler="tcp://127.0.0.1:9"):
        pass
    with pytest.raises(InputError, match="no Dask scheduler"), workers(scheduler="nonsense://x"):
        pass
