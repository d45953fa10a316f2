"""The pages on which casts are made and answered, at `/cast`; the same answer as RDF, JSON, SVG and PDF at `/cast.ttl` and so on."""

import json
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kg import answer as answers
from kg.drawing import drawing
from kg.explanation import explanation, witnesses
from kg.graph import cast_graph, serialize
from kg.server.sending import held, tag
from kg.typed import beginning
from kg.variants import data, variants
from kg.web import cast_answer, cast_query, frame
from kg.web.bench import Bench
from kg.web.cast_form import Form, place
from kg.web.cast_paper import pdf
from kg.web.cast_query import PATH, Asked, asked, judged
from loader import iris
from loader.errors import InputError, UnknownName

MEDIA: Final = {
    "ttl": "text/turtle; charset=utf-8",
    "jsonld": "application/ld+json",
    "json": "application/json",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
}
"""Forms of an answer to their media types."""
_DOING: Final = ("go", "edit", "toss", "seed", "lang")
"""Parameters that say what to do; they stand in no address of an answer, `lang` apart."""


def routes() -> list[Route]:
    """The routes of the pages, with a bench of their own."""
    bench = Bench()

    async def page(request: Request) -> Response:
        return await _page(request, bench)

    async def document(request: Request) -> Response:
        return await _document(request, bench)

    return [Route(PATH, page), Route(f"{PATH}.{{ending}}", document)]


async def _page(request: Request, bench: Bench) -> Response:
    query = request.query_params
    one = Asked(cast_query.TRADITIONS[0])
    try:
        one = asked((name, value) for name, value in query.multi_items() if name not in _DOING)
        if "toss" in query:
            return _moved(request, one.tossed(cast_query.seed(query.get("seed"))))
        if "edit" in query or not (one.values("topic") or "go" in query):
            return await bench.run(lambda: _form(request, one))
        if "go" in query:
            await bench.run(lambda: judged(one))
            return _moved(request, one)
        return await bench.run(lambda: _answer(request, one))
    except InputError as fault:
        faults = {place(fault, one.tradition): frame.as_fields(str(fault))}
        return await bench.run(lambda: _form(request, one, faults))


def _moved(request: Request, to: Asked) -> Response:
    """On to the address that holds the cast and nothing else."""
    return RedirectResponse(frame.link(request, to.address()), 303, {"Cache-Control": "no-store"})


def _form(request: Request, one: Asked, faults: dict[str, str] | None = None) -> Response:
    form = Form(one, faults or {}, _explicit(request))
    return frame.respond(request, "cast.html", frame.said("cast-title"), form, 400 if faults else 200)


def _explicit(request: Request) -> str | None:
    """The language that an address asks for: a form must hold it, or it would be lost."""
    return frame.language(request) if "lang" in request.query_params else None


def _answer(request: Request, one: Asked) -> Response:
    judgement, notes = judged(one)
    found = cast_answer.answer(one, judgement, notes, frame.language(request), _explicit(request))
    title = {language: f"{found.name} · {said}" for language, said in frame.said("cast-answer").items()}
    return frame.respond(request, "cast-answer.html", title, found)


async def _document(request: Request, bench: Bench) -> Response:
    ending = request.path_params["ending"]
    if ending not in MEDIA:
        raise UnknownName(f"cast.{ending}", "document", [f"cast.{known}" for known in MEDIA], code="GUIGU.SERVER.PATH")
    try:
        one = asked((name, value) for name, value in request.query_params.multi_items() if name not in _DOING)
        found = await bench.run(lambda: written(one, ending, frame.language(request)))
    except UnknownName as fault:
        # A wrong word in a question is no missing page.
        raise InputError(fault.what, where=fault.where, todo=fault.todo, code=fault.code) from fault
    body, iri = found
    headers = {
        "Cache-Control": "no-cache",
        "Content-Disposition": f'inline; filename="guigu-{iris.key(iri)}.{ending}"',
        "ETag": tag(body),
        "Link": f'<{iri}>; rel="describes"',
    }
    if ending in ("svg", "pdf"):
        headers["Vary"] = "Accept-Language"
    if held(request, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type=MEDIA[ending])


def written(one: Asked, form: str, language: str) -> tuple[bytes, str]:
    """The answer in one of the forms of `MEDIA`, as `guigu cast` and `guigu qimen` write it, and the IRI of the cast.

    Raises:
        InputError: what was given cannot be used.
    """
    j, notes = judged(one)
    if form == "pdf":
        return pdf(cast_answer.answer(one, j, notes, language)), j.chart.iri
    if form == "svg":
        clause = one.value("clause")
        lit = witnesses(explanation(j, clause).proofs) if clause else ()
        return drawing(j, language, lit).encode(), j.chart.iri
    found = variants(j, cast_answer.kinds(one))
    if form == "json":
        told = answers.answer(j, beginning(j.chart.given.at, start=one.value("from")), notes) | ({"variants": data(found)} if found else {})
        return (json.dumps(told, ensure_ascii=False, indent=2) + "\n").encode(), j.chart.iri
    return serialize(cast_graph(j, found), form).encode(), j.chart.iri
