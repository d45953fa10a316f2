"""The reading room as its tests see it: one server for a run of tests, with a cast beside the doctrine."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from urllib.parse import quote

import html5rdf
import pytest

from kg.graph import cast_graph, serialize
from kg.judgement import cast
from kg.server.serving import running
from kg.server.settings import Settings
from kg.web import pages
from tests.serving import Reply, call

LINES = [8, 8, 9, 7, 8, 8]
"""雷山小過 with line 3 moving."""


@dataclass(frozen=True)
class Room:
    """A server, and the cast that it serves."""

    url: str
    cast: str
    kept: dict[tuple[str, str], Reply] = field(default_factory=dict)

    def page(self, path: str, language: str = "en", **headers: str) -> Reply:
        """A page, once however often it is looked at; what is no URL yet in a path is escaped."""
        if (path, language) not in self.kept or headers:
            reply = call(self.url, quote(path, safe="/?&=:#%+,-~._!"), Accept="text/html", Accept_Language=language, **headers)
            if headers:
                return reply
            self.kept[path, language] = reply
        return self.kept[path, language]

    def html(self, path: str, language: str = "en") -> str:
        """The HTML of a page that is there."""
        reply = self.page(path, language)
        assert reply.status == 200, (path, reply.status, reply.body[:500])
        return reply.body.decode()


def text(html: str) -> str:
    """The text of a page, without its tags."""
    found = html5rdf.parse(html, namespaceHTMLElements=False)
    return " ".join("".join(found.itertext()).split())


def attribute(html: str, start: str) -> str:
    """The value of the attribute that is written after some text."""
    return unescape(html.partition(start)[2].partition('"')[0])


@pytest.fixture(scope="session")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """The reading room, with the cast of the README among its data."""
    j = cast(LINES, "childbirth", pillars={"month": "辰", "day": "戊辰"})
    file = tmp_path_factory.mktemp("room") / "cast.ttl"
    file.write_text(serialize(cast_graph(j), "ttl"), "utf-8")
    with running(Settings(port=0, workers=1, data=(str(file),)), pages=pages()) as url:
        yield Room(url, j.chart.iri)
