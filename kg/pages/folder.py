"""The whole site as files of a folder: every page in every language, its RDF beside it, and the style."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import pyoxigraph as ox

from kg.graph import doctrine_graph
from kg.pages.address import ENDINGS, addresses
from kg.pages.chapter import chapter_pages
from kg.pages.page import Plans
from kg.pages.question import question_pages
from kg.pages.rendering import render
from kg.pages.survey import Facts, survey_pages
from kg.pages.symbol import symbol_pages
from kg.pages.table import table_pages
from kg.pages.term import term_pages
from kg.pages.twin import from_rdflib, source
from loader.errors import OntologyError
from loader.saying import LANGUAGES

_STATIC: Final = Path(__file__).parent / "static"
_PATH: Final = re.compile(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*")


def plans(facts: Facts) -> Plans:
    """Every path of a page to what makes it, the front page first.

    >>> plans(Facts("0.1.0"))["id/branch/wu"]().title["ko"]
    '오 · 午'

    Raises:
        OntologyError: two pages want one path, or a path would leave the folder.
    """
    found: Plans = {}
    for part in (survey_pages(facts), chapter_pages(), symbol_pages(), term_pages(), table_pages(), question_pages()):
        for path, plan in part.items():
            if not _PATH.fullmatch(path) or path in found:
                raise OntologyError("a page without a path of its own", where=path)
            found[path] = plan
    # Some file systems do not tell Wu from wu.
    if len({path.lower() for path in found}) < len(found):
        raise OntologyError("paths that differ in capital letters only")
    return found


def site(facts: Facts, triples: Iterable[ox.Triple] | None = None) -> Iterator[tuple[str, bytes]]:
    """Every file of the site: its path and its bytes, the same for the same sources.

    Args:
        facts: what the pages say of the release.
        triples: the graph of which the twins tell; by default the doctrine as `kg.graph.doctrine_graph` has it.

    Raises:
        OntologyError: as `plans`.
    """
    known = source(from_rdflib(doctrine_graph()) if triples is None else triples)
    kept: dict[tuple[str, int], dict[str, str]] = {}
    for path in sorted(_STATIC.iterdir()):
        yield f"static/{path.name}", path.read_bytes()
    for plan in plans(facts).values():
        page = plan()
        for language in LANGUAGES:
            alike = kept.setdefault((language, page.path.count("/")), {})
            yield page.path + ENDINGS[language], render(page, language, kept=alike).encode()
        yield f"{page.path}.ttl", known.twin(page)


def places() -> Iterator[tuple[str, str]]:
    """Every IRI that the pages show, with the file and anchor where it stands in the first language."""
    for iri, at in sorted(addresses().items()):
        yield iri, f"{at.page}{ENDINGS[LANGUAGES[0]]}" + (f"#{at.anchor}" if at.anchor else "")
