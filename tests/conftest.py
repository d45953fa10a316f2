"""Shared fixtures: judged casts by a few words."""

from collections.abc import Callable

import pytest
from hypothesis import settings

from kg.asking import check_questions, check_relative, check_role, check_topics
from kg.judgement import Judgement, judge
from loader.given import Typed, given
from tests.clusters import cluster
from tests.releases import release
from tests.rooms import room
from tests.servers import oxigraph_server, server, virtuoso_server

__all__ = ["cluster", "oxigraph_server", "release", "room", "server", "virtuoso_server"]  # fixtures, found here by every test

# How long an example takes depends on what else the machine does; timings are the bench's affair.
settings.register_profile("guigu", deadline=None)
settings.load_profile("guigu")

Judge = Callable[..., Judgement]


@pytest.fixture(scope="session")
def judged() -> Judge:
    """Judge a cast from words: `judged("剝", moving="5", month="申", day="戊子", topic="childbirth")`."""

    def make(
        hexagram: str,
        *,
        topic: str = "childbirth",
        moving: str = "",
        to: str | None = None,
        asks: tuple[str, ...] = (),
        engine: str = "reasonable",
        birth: str | None = None,
        relative: str | None = None,
        role: str | None = None,
        age: int | None = None,
        conventions: dict[str, str] | None = None,
        **pillars: str,
    ) -> Judgement:
        topics = check_topics([topic])
        typed = Typed(
            hexagram=hexagram,
            moving=moving or None,
            to=to,
            pillars=pillars,
            asks=check_questions(asks),
            birth=birth,
            relative=check_relative(relative),
            role=check_role(role, topics),
            age=age,
            conventions=conventions or {},
        )
        cast, _ = given(typed, topics)
        return judge(cast, engine)

    return make


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest, so that no worker is left alone with it at the end."""
    items.sort(key=lambda item: "test_findings" not in item.nodeid)
