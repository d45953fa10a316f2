"""Shared fixtures: judged casts by a few words."""

from collections.abc import Callable

import pytest

from kg.judgement import Judgement, check_questions, check_topics, judge
from loader.given import Typed, given

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
        conventions: dict[str, str] | None = None,
        **pillars: str,
    ) -> Judgement:
        typed = Typed(hexagram=hexagram, moving=moving or None, to=to, pillars=pillars, asks=check_questions(asks), birth=birth, conventions=conventions or {})
        cast, _ = given(typed, check_topics([topic]))
        return judge(cast, engine)

    return make
