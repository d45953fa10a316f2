"""A Dask cluster on this machine, whose workers a test may kill."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import pytest
from distributed import Client


@dataclass(frozen=True)
class Cluster:
    """A scheduler and its workers.

    Attributes:
        address: of the scheduler.
        hands: the workers, each a process with one thread.
    """

    address: str
    hands: list[subprocess.Popen[bytes]]


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler of Dask and three workers, each a process, all of them there."""
    folder = tmp_path_factory.mktemp("dask")
    address = folder / "scheduler.json"
    env = os.environ | {"DASK_DISTRIBUTED__WORKER__DAEMON": "False", "PYTHONPATH": os.pathsep.join(sys.path)}

    def start(*args: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-m", *args], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=env, cwd=folder)

    scheduler = start("distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", "--host", "127.0.0.1", "--scheduler-file", str(address))
    found = ""
    deadline = time.monotonic() + 60
    while not found and time.monotonic() < deadline:
        time.sleep(0.1)
        with suppress(OSError, ValueError):  # it is not there yet, or not whole
            found = json.loads(address.read_text())["address"]
    hands = [
        start("distributed.cli.dask_worker", "--scheduler-file", str(address), "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
        for _ in range(3)
    ]
    try:
        with Client(found, set_as_default=False, timeout=60) as client:
            client.wait_for_workers(len(hands), timeout=60)
        yield Cluster(found, hands)
    finally:
        for process in (*hands, scheduler):
            process.kill()
            process.wait()
