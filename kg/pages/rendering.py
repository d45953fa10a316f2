"""Pages as HTML: the templates of `templates/`, filled for one page in one language with the links that its surroundings want."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from kg.pages import naming
from kg.pages.address import FolderLinks, Links, listing
from kg.pages.page import Page
from kg.pages.words import TAGS, Words, words
from loader import iris
from loader.iris import ns, symbol
from loader.saying import LANGUAGES

_HERE: Final = Path(__file__).parent
NAVIGATION: Final = (
    ("texts", listing("index")),
    ("symbols", listing("symbols")),
    ("terms", iris.NS),
    ("tables", listing("tables")),
    ("questions", listing("questions")),
    ("conventions", listing("conventions")),
    ("works", symbol("scheme", "work")),
    ("criticism", listing("criticism")),
)
"""Words and pages of the navigation."""


@cache
def environment() -> Environment:
    """The templates: everything is escaped, and a name that is missing is an error."""
    env = Environment(
        loader=FileSystemLoader(_HERE / "templates", encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    env.globals |= {
        "tags": TAGS,
        "languages": LANGUAGES,
        "words_of": words,
        "navigation": NAVIGATION,
        "listing": listing,
        "labels": naming.labels,
        "definition": naming.definition,
        "tooltip": naming.tooltip,
        "local": naming.local,
        "pieces": naming.pieces,
        "symbol": symbol,
        "ns": ns,
        "omen_of": omen,
        "size": size,
        "script": script,
        "BASE": iris.BASE,
    }
    env.tests["web"] = web
    return env


def render(page: Page, language: str, links: Links | None = None, kept: dict[str, str] | None = None) -> str:
    """A page as HTML.

    Args:
        page: the page.
        language: language of the interface.
        links: how its links are written; by default as files of a folder.
        kept: names and clauses that were rendered before, to be used again; one dictionary for pages of one language whose links are
            written alike, such as those of one depth in a folder.

    Raises:
        OntologyError: the pages do not speak the language.
    """
    return environment().get_template(page.template).render(surroundings(words(language), links or FolderLinks(page.path, language), kept, page))


def surroundings(said: Words, links: Links, kept: dict[str, str] | None = None, page: Page | None = None) -> dict[str, Any]:
    """What the templates find around them, beside the globals of `environment`.

    Args:
        said: the words of the language of the interface.
        links: how links are written.
        kept: as `render` has it.
        page: the page, where it is one of ours.
    """

    def label(iri: str) -> str:
        key = f"p-{naming.local(iri)}"
        return said(key) if not iri.startswith(iris.BASE) and said.has(key) else naming.label(iri, said.language)

    store = {} if kept is None else kept

    def keep(key: str, macro: Callable[..., str], *args: object) -> str:
        found = store.get(key)
        if found is None:  # asked once only: a server shares the names among threads, and may forget them
            found = store[key] = macro(*args)
        return found

    around: dict[str, Any] = {"w": said, "language": said.language, "links": links, "href": links.thing, "label": label, "keep": keep}
    return around if page is None else around | {"page": page, "view": page.view}


def omen(key: str | None) -> str:
    """The class of style for an omen: `good`, `ill`, `mixed` or none."""
    return {"auspicious": "good", "inauspicious": "ill", "mixed": "mixed"}.get(key or "", "")


def size(count: int) -> str:
    """Bytes as a person reads them.

    >>> size(512), size(2048), size(3 * 2**20)
    ('512 B', '2.0 KB', '3.0 MB')
    """
    if count < 1024:
        return f"{count} B"
    return f"{count / 1024:.1f} KB" if count < 2**20 else f"{count / 2**20:.1f} MB"


def script(text: str) -> str:
    """Language tag of a text that says none, by its script: what a question gives and finds is of any language.

    >>> script("穩婆"), script("산파"), script("qm-taichan-004")
    ('lzh', 'ko', 'en')
    """
    if any("\uac00" <= c <= "\ud7a3" for c in text):
        return "ko"
    han = any("\u3400" <= c <= "\u9fff" for c in text)
    return "lzh" if han and not any(c.isascii() and c.isalpha() for c in text) else "en"


def web(iri: object) -> bool:
    """Whether something is an address of the web: only that may become a link out of the pages.

    >>> web("https://example.org/"), web("javascript:alert(1)")
    (True, False)
    """
    return isinstance(iri, str) and urlsplit(iri).scheme in ("http", "https") and not iri.startswith(iris.BASE)
