"""Sixteen clients at one time, over the doctrine: no error, and what cannot be answered hinders nobody. `bench/load.py` does it for a minute."""

import threading
import time

import pytest

from bench.load import CLIENTS, DOCUMENTS, REQUESTS, Load, loaded
from kg.server.serving import running
from kg.server.settings import Settings
from kg.web import pages
from tests.serving import Reply, ask

SECONDS = 8
"""The limit of a query: far more than any of the sixteen clients needs, even where other tests share the processors."""
HOURS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"


@pytest.mark.slow
def test_sixteen_clients() -> None:
    stopped: list[tuple[Reply, float]] = []

    def hopeless(url: str) -> None:
        for _ in range(2):
            before = time.monotonic()
            stopped.append((ask(url, HOURS), time.monotonic() - before))

    with running(Settings(port=0, seconds=SECONDS, patience=20), pages=pages()) as url:
        thread = threading.Thread(target=hopeless, args=(url,))
        thread.start()
        load: Load = loaded(url, CLIENTS, 12)
        thread.join()
    assert load.errors == []
    assert len(set(load.seconds)) > len({*REQUESTS, *DOCUMENTS}) / 2
    assert max(t for times in load.seconds.values() for t in times) < 20
    for reply, seconds in stopped:
        assert (reply.status, reply.body[:16]) == (503, b"GUIGU.QUERY.TIME")
        assert SECONDS <= seconds < SECONDS + 20  # it may have waited for a worker
