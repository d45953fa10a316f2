"""The page at `/sparql` for people: a form for a query, with examples and completion; and the terms that it completes."""

import json
import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kg.pages import naming
from kg.question import THEMES, Question, question, questions
from kg.server.faults import status
from kg.server.negotiation import GRAPHS, SOLUTIONS
from kg.web import frame
from kg.web.asking import asked, told
from loader import iris
from loader.errors import GuiguError, UnknownName
from loader.ontology import ontology
from loader.saying import LANGUAGES

START: Final = """SELECT ?work ?title WHERE {
  ?work a g:Work ;
        skos:prefLabel ?title .
  FILTER(LANG(?title) = "zh-hant")
} ORDER BY ?title
"""
"""The query that stands in the editor at first."""
TABS: Final = ("aspect", "significators", "concordance", "symbols-shared", "kinship-departures")
"""Questions that have a tab of their own beside it."""
_BUNDLE: Final = ("yasgui/yasgui.min.js", "yasgui/yasgui.min.css")
"""Static files of YASGUI, where they were bundled."""
_TERM: Final = re.compile(rf"{re.escape(iris.BASE)}(?:ns|id/[a-z-]+)/[^/]+")
"""Terms and concepts; the cells of a table are neither."""
_SENT: Final = ("sparql-running", "sparql-failed", "sparql-took", "sparql-shown", "sparql-query", "sparql-malformed", "ask-none")
"""Words that the scripts of the page use."""


@dataclass(frozen=True, slots=True)
class Example:
    """A query that stands ready: its name, its titles, and its text."""

    name: str
    title: dict[str, str]
    sparql: str


@dataclass(frozen=True, slots=True)
class EditorView:
    """The editor.

    Attributes:
        query: the query that stands in it.
        title: of the question that this is, by language, or None.
        fault: why it is not the one that was asked for.
        forms: names of the forms of an answer.
        tabs: queries that stand ready.
        themes: the questions, by theme.
        prefixes: prefix to IRI.
        bundled: whether the editor of YASGUI is there.
        words: what the scripts say, in the language of the interface.
    """

    query: str
    title: dict[str, str] | None
    fault: str | None
    forms: tuple[str, ...]
    tabs: tuple[Example, ...]
    themes: tuple[tuple[str, tuple[Question, ...]], ...]
    prefixes: dict[str, str]
    bundled: bool
    words: dict[str, str]


def routes() -> list[Route]:
    """The routes beside the page itself."""
    return [Route("/terms.json", _terms)]


def page(request: Request, _path: str) -> Response:
    """The page: with `ask=NAME` and parameters as `/ask/NAME` takes them, the query of a question; with `edit=QUERY`, that query."""
    query, title, fault, number = START, None, None, 200
    try:
        if name := request.query_params.get("ask", ""):
            q = question(name)
            query, title = q.bound(asked(request).values), q.title
        elif "edit" in request.query_params:
            query = request.query_params["edit"]
    except GuiguError as error:
        fault, number = told(error), status(error)
    every = questions().values()
    words = frame.words(frame.language(request))
    view = EditorView(
        query=query,
        title=title,
        fault=fault,
        forms=tuple(dict.fromkeys(form.name for form in (*SOLUTIONS, *GRAPHS))),
        tabs=tuple(Example(q.name, q.title, q.sparql) for q in map(question, TABS)),
        themes=tuple((theme, tuple(q for q in every if q.theme == theme)) for theme in THEMES),
        prefixes=dict(sorted(iris.PREFIXES.items())),
        bundled=bundled(),
        words={key: words.by_key[key] for key in _SENT},
    )
    return frame.respond(request, "editor.html", frame.said("sparql-title"), view, number)


def bundled() -> bool:
    """Whether the editor of YASGUI was bundled."""
    try:
        return all(frame.asset(name) for name in _BUNDLE)
    except UnknownName:
        return False


async def _terms(_request: Request) -> Response:
    """The terms, as JSON."""
    return Response(await run_in_threadpool(terms), headers={"Cache-Control": "no-cache"}, media_type="application/json")


@cache
def terms() -> str:
    """Every class, property and concept with its names: `{"terms": [[iri, kind, "name · name · name"], ...]}`.

    `kind` is `c` for a class, `p` for a property, `i` for the rest.

    >>> midwife = iris.symbol("aspect", "midwife")
    >>> next(t for t in json.loads(terms())["terms"] if t[0] == midwife)[1:]
    ['i', '穩婆 · 산파 · midwife']
    """
    o = ontology()
    classes = set(o.subjects(iris.TYPE, iris.OWL + "Class"))
    properties = {s for kind in ("ObjectProperty", "DatatypeProperty", "AnnotationProperty") for s in o.subjects(iris.TYPE, iris.OWL + kind)}
    used = {p for _, p, _ in o.triples() if not p.startswith(iris.BASE)}
    listed = []
    for iri in sorted(used | {s for s, _, _ in o.triples() if _TERM.fullmatch(s)}):
        names = naming.labels(iri) or ((LANGUAGES[0], naming.label(iri, LANGUAGES[0])),)
        kind = "c" if iri in classes else "p" if iri in properties | used else "i"
        listed.append([iri, kind, " · ".join(dict.fromkeys(text for _, text in names))])
    return json.dumps({"terms": listed}, ensure_ascii=False, separators=(",", ":"))
