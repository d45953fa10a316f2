"""Work in pieces: nothing is lost, nothing is done twice, whoever dies in the middle."""

import os
import signal
import time
from concurrent.futures import Executor, Future
from pathlib import Path

import pytest

from kg.spread import spread, workers
from loader.errors import ClusterFault, InputError
from tests.clusters import Cluster

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


def test_a_cluster_does_what_one_process_does_when_a_worker_is_killed(tmp_path: Path, cluster: Cluster) -> None:
    def kill(done: int, _all: int) -> None:
        if done == 10:
            cluster.hands[0].kill()

    with workers(scheduler=cluster.address) as crew:
        assert crew[1] == 12  # three workers, four pieces for each
        spread(slow, PIECES, tmp_path, crew, kill)
    assert cluster.hands[0].wait(10) is not None
    assert found(tmp_path) == EXPECTED


def test_workers_that_do_not_see_the_folder_are_told_of(tmp_path: Path) -> None:
    class Elsewhere(Executor):
        def submit(self, *_: object) -> Future[None]:  # type: ignore[override]  # what is done is kept on another machine
            future: Future[None] = Future()
            future.set_result(None)
            return future

    with pytest.raises(ClusterFault, match="piece-0 was done and is not there"):
        spread(slow, PIECES, tmp_path, (Elsewhere(), 4))


def test_no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.spread._PATIENCE", 1)
    with pytest.raises(InputError, match="no Dask scheduler"), workers(scheduler="tcp://127.0.0.1:9"):
        pass
    with pytest.raises(InputError, match="no Dask scheduler"), workers(scheduler="nonsense://x"):
        pass
