"""*Compare*: an aspect, a symbol, a question or a moment in the two traditions side by side, and the kinship tables."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kg import compare, kinship
from kg.asking import check_element, topics
from kg.comparison import Moment, judged, resolved
from kg.parameter import known
from kg.question import question
from kg.server.room import room
from kg.sheet import Sheet
from kg.store import EmbeddedStore
from kg.web import frame
from kg.web.bench import Bench
from kg.web.cast_form import ZONES
from loader import iris
from loader.chapter import clauses
from loader.clause import Clause
from loader.errors import InputError, UnknownName, listed
from loader.iris import symbol
from loader.ontology import ontology

if TYPE_CHECKING:
    import networkx as nx

KINDS: Final = ("aspect", "symbol", "comparison")
"""What may be laid side by side."""
_MOST: Final = 5
"""Names that may be given for one thing."""
_LONGEST: Final = 100
"""Characters of a field."""
_MOMENT: Final = ("at", "zone", "lines", "hexagram", "moving", "topic")
_OMENS: Final = frozenset({"auspicious", "inauspicious"})


@dataclass(frozen=True, slots=True)
class Pair:
    """What the two works say under one heading.

    Attributes:
        about: IRI of the aspect, or None where the clauses are of none.
        sides: the clauses of each work, in the order of `kg.compare.WORKS`.
        omens: whether the omens of the two `agree`, `disagree` or `agree in part`; empty where one gives none.
    """

    about: str | None
    sides: tuple[tuple[Clause, ...], tuple[Clause, ...]]
    omens: str = ""


@dataclass(frozen=True, slots=True)
class Likeness:
    """What both works tie to a thing, what each alone does, and how like they are, from 0 to 1."""

    common: tuple[str, ...]
    only: tuple[tuple[str, ...], tuple[str, ...]]
    jaccard: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """One thing in both works.

    Attributes:
        kind: `aspect`, `symbol` or `comparison`.
        things: IRIs of what is compared.
        pairs: what is said of it; what both speak of comes first.
        likeness: how the neighbourhoods compare, or None.
        finding: IRI of what is found of a question, and the answer; or None.
    """

    kind: str
    things: tuple[str, ...]
    pairs: tuple[Pair, ...]
    likeness: Likeness | None = None
    finding: tuple[str, str] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Things whose names differ: what both works have goes by one name, and is two."""
        return tuple({ontology().label(t): t for t in reversed(self.things)}.values())[::-1]


@dataclass(frozen=True, slots=True)
class Shared:
    """A thing that both works have.

    Attributes:
        iri: the thing, as the first work has it.
        names: by which it is asked for, in both works.
        counts: the clauses of each work.
    """

    iri: str
    names: tuple[str, ...]
    counts: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Answered:
    """A question on which both were compared: its IRI, what is found, the answer in English."""

    iri: str
    finding: str
    answer: str


@dataclass(frozen=True, slots=True)
class Overview:
    """What can be compared: aspects and symbols that both works have, and the questions that were answered."""

    aspects: tuple[Shared, ...]
    symbols: tuple[Shared, ...]
    answered: tuple[Answered, ...]
    form: "MomentForm"


@dataclass(frozen=True, slots=True)
class MomentForm:
    """The form of a moment: what stands in its fields, the topics that both treat, what is wrong with it, and what both judged."""

    fields: Mapping[str, str]
    topics: tuple[str, ...]
    zones: tuple[str, ...] = ZONES
    wrong: str = ""
    pairs: tuple[Pair, ...] | None = None


@dataclass(frozen=True, slots=True)
class Kinship:
    """The kinship tables: the elements of 世, and each relative with its row under each of them."""

    worlds: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Mapping[str, Any], ...]], ...]
    doubts: bool
    departing: int


def page(request: Request) -> Response:
    """What can be compared, or one thing side by side."""
    asked = {kind: [text for text in map(str.strip, request.query_params.getlist(kind)) if text] for kind in KINDS}
    asked = {kind: texts for kind, texts in asked.items() if texts}
    if not asked:
        return frame.respond(request, "compare.html", frame.said("room-compare-title"), _overview(room(request).library.store))
    if len(asked) > 1:
        raise InputError(f"{listed(asked, 'and')} are asked for at once", todo="Give one of them")
    ((kind, texts),) = asked.items()
    if len(texts) > _MOST:
        raise InputError(f"{len(texts)} names are too many", where=kind, todo=f"Give at most {_MOST}")
    view = _comparison(room(request).library.store, kind, texts)
    o = ontology()
    title = {language: f"{' · '.join(dict.fromkeys(o.label(t, language) for t in view.things))} — {said}" for language, said in _title().items()}
    return frame.respond(request, "compare-one.html", title, view)


def _title() -> dict[str, str]:
    return frame.said("room-compare-title")


def _overview(store: EmbeddedStore) -> Overview:
    return Overview(
        tuple(Shared(r["aspect"], _asked_by("aspect", r["aspect"]), (int(r["liuyao"]), int(r["qimen"]))) for r in _rows(store, "aspects-in-both")),
        tuple(
            Shared(r["liuyao"], _asked_by("symbol", r["liuyao"], r["qimen"]), (int(r["clausesLiuyao"]), int(r["clausesQimen"])))
            for r in _rows(store, "symbols-shared")
        ),
        tuple(Answered(r["comparison"], r["finding"], r["answer"]) for r in _rows(store, "findings")),
        _form({}),
    )


def _asked_by(kind: str, *things: str) -> tuple[str, ...]:
    """Names by which things are asked for: their Chinese labels where these mean them, else their IRIs."""
    names, o = known(kind), ontology()
    return tuple(dict.fromkeys(label if thing in names.get(label := o.label(thing), ()) else thing for thing in things))


def _rows(store: EmbeddedStore, name: str, **given: Iterable[str]) -> list[dict[str, str]]:
    """Rows of the answer to a question of the library: IRIs and texts by column."""
    found = question(name).rows(store, {k: list(v) for k, v in given.items()})
    return [{c: t.value for c, t in zip(found.columns, row, strict=True) if t is not None} for row in found.rows]


def _comparison(store: EmbeddedStore, kind: str, texts: Sequence[str]) -> Comparison:
    """One thing in both works.

    Raises:
        InputError: there is none of that name, with near matches.
    """
    graph = _ties(store)
    try:
        things = tuple(dict.fromkeys(thing for text in texts for thing in ([text] if text in graph else resolved(kind, [text]))))
    except UnknownName as error:
        # A wrong word in a question is no missing page.
        raise InputError(error.what, where=kind, todo=error.todo, code=error.code) from error
    if kind == "comparison":
        rows = _rows(store, "finding", comparison=things)
        answers = {r["comparison"]: (r["finding"], r["answer"]) for r in _rows(store, "findings")}
        return Comparison(kind, things, _pairs(iris.key(r["clause"]) for r in rows), finding=answers.get(things[0]))
    if kind == "aspect":
        ids = [iris.key(r["clause"]) for r in _rows(store, "aspect", aspect=things)]
    else:
        ids = [c for work in compare.WORKS for found in compare.neighbours(graph, things, work).values() for c in found]
    like = compare.likeness(graph, dict.fromkeys(compare.WORKS, things))
    only = (tuple(like.only[compare.WORKS[0]]), tuple(like.only[compare.WORKS[1]]))
    return Comparison(kind, things, _pairs(ids), Likeness(tuple(like.common), only, like.jaccard))


@lru_cache(maxsize=4)
def _ties(store: EmbeddedStore) -> "nx.MultiGraph[str]":
    return compare.ties(store)


def _pairs(ids: Iterable[str]) -> tuple[Pair, ...]:
    """Clauses by their aspects and works, in the order of the books; aspects of both works first."""
    wanted = set(ids)
    found: dict[str | None, tuple[list[Clause], list[Clause]]] = {}
    for c in clauses().values():
        if c.id in wanted:
            about = symbol("aspect", c.about) if c.about else None
            work = compare.WORKS.index(symbol("work", c.passage.chapter.work))
            found.setdefault(about, ([], []))[work].append(c)
    pairs = [Pair(about, (tuple(left), tuple(right)), _omens(left, right)) for about, (left, right) in found.items()]
    return tuple(sorted(pairs, key=lambda p: not all(p.sides)))


def _omens(left: Iterable[Clause], right: Iterable[Clause]) -> str:
    """How the omens of two sides compare, as `kg.sheet.by_moment` has it; empty where one side has none."""
    first, second = ({c.omen for c in side} & _OMENS for side in (left, right))
    if not first or not second:
        return ""
    return "agree" if len(first | second) == 1 else "part" if first & second else "disagree"


def moment(request: Request) -> Response:
    """One moment judged by both, or the form for it."""
    fields = {name: text for name in _MOMENT if (text := request.query_params.get(name, "").strip())}
    title = frame.said("room-moment-title")
    if not fields.keys() & {"at", "lines", "hexagram"}:
        return frame.respond(request, "compare-moment.html", title, _form(fields))
    try:
        _check(fields)
        own = {name: fields.get(name) for name in ("zone", "lines", "hexagram", "moving")}
        found = _judged(Moment(fields["at"], topic=fields["topic"], **own))
    except InputError as error:
        view = _form({name: text[:_LONGEST] for name, text in fields.items()}, frame.as_fields(str(error)))
        return frame.respond(request, "compare-moment.html", title, view, 400)
    ids = (e.clause for group in found.groups for e in (*group.left, *group.right))
    return frame.respond(request, "compare-moment.html", title, _form(fields, pairs=_pairs(ids)))


def _check(fields: dict[str, str]) -> None:
    """Refuse fields that are too long; what is left out gets its default.

    Raises:
        InputError: a field is too long, or the moment or the hexagram is missing.
    """
    for name, text in fields.items():
        if len(text) > _LONGEST:
            raise InputError(f"{len(text)} characters are too many", where=name, todo=f"Give at most {_LONGEST}")
    if "at" not in fields:
        raise InputError("no moment is given", where="at", todo="Give it as in 2026-11-30T10:20, with its zone")
    if not re.search(r"(?:[+-]\d\d:?\d\d|Z)$", fields["at"]):
        fields.setdefault("zone", ZONES[0])
    fields.setdefault("topic", _topics()[0])


def _topics() -> tuple[str, ...]:
    """Topics that both traditions treat."""
    hour = topics("qimen")
    return tuple(t for t in topics() if t in hour)


def _form(fields: Mapping[str, str], wrong: str = "", pairs: tuple[Pair, ...] | None = None) -> MomentForm:
    return MomentForm(fields, tuple(symbol("topic", t) for t in _topics()), wrong=wrong, pairs=pairs)


@lru_cache(maxsize=64)
def _judged(asked: Moment) -> Sheet:
    return judged(asked)


def kinships(request: Request) -> Response:
    """The kinship tables, the cells that depart from the rule marked; with `doubts=1` only the relatives who have such cells."""
    doubts = request.query_params.get("doubts", "") == "1"
    worlds = tuple(check_element(None))
    by_relative: dict[str, list[Mapping[str, Any]]] = {}
    for world in worlds:
        for row in kinship.table([world]):
            by_relative.setdefault(row["relative"], []).append(row)
    departs = {relative for relative, found in by_relative.items() if any(not c["agrees"] for row in found for c in row["received"])}
    rows = tuple((symbol("relative", key), tuple(found)) for key, found in by_relative.items() if not doubts or key in departs)
    departing = sum(not c["agrees"] for found in by_relative.values() for row in found for c in row["received"])
    return frame.respond(request, "compare-kinship.html", frame.said("room-kinship-title"), Kinship(worlds, rows, doubts, departing))


def routes() -> list[Route]:
    """The routes of what is compared; moments are judged on a bench of their own."""
    bench = Bench()

    async def at_bench(request: Request) -> Response:
        return await bench.run(lambda: moment(request))

    return [Route("/compare", page), Route("/compare/moment", at_bench), Route("/compare/kinship", kinships)]
