"""The room and a window on it, for all tests of a process."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.cli import main
from kg.server.serving import running
from kg.server.settings import Settings
from kg.web import pages
from tests.browser.window import DESK, Window, opened

CAST = ("cast", "--hexagram", "渙", "--month", "午", "--day", "甲子", "--topic", "childbirth", "--format", "ttl")


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The room over the real doctrine, with a cast beside it, as `guigu serve --data` has it."""
    file: Path = tmp_path_factory.mktemp("casts") / "cast.ttl"
    assert CliRunner().invoke(main, [*CAST, "-o", str(file)]).exit_code == 0
    with running(Settings(port=0, data=(str(file),)), pages=pages()) as found:
        yield found


@pytest.fixture(scope="session")
def browser() -> Iterator[Window]:
    """A Chromium; one for all, since it takes a second to start."""
    with opened("") as window:
        yield window


@pytest.fixture
def window(browser: Window, url: str) -> Iterator[Window]:
    """A window that nothing was done in yet. Afterwards, no page may have complained, nor asked another host."""
    browser.url = url
    browser.wide(DESK)
    browser.complaints(), browser.elsewhere()
    yield browser
    assert browser.complaints() == []
    assert browser.elsewhere() == []
