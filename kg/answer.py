"""A judgement as plain data: the JSON that `guigu cast --format json` prints, as its schema describes it."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from kg import qimen_chart
from kg.explain import Proof
from kg.judgement import STATES, Judgement, Verdict
from kg.reasons import describe
from kg.reckoning import Reckoning
from kg.timing import When, coming
from loader import iris, kinship
from loader.facts import star_places
from loader.iris import ns, symbol
from loader.limits import at_age
from loader.liuyao import UNITS, Chart, Line
from loader.names import names
from loader.ontology import ontology
from loader.qimen import QimenChart
from loader.saying import Said


def answer(j: Judgement, start: date | None = None, notes: Sequence[Said] = ()) -> dict[str, Any]:
    """Everything that is known of a cast and said of it, in English; symbols by their Chinese term, positions from the bottom.

    Args:
        j: the judgement.
        start: the day from which coming dates are sought, or None for no dates.
        notes: what was uncertain of the input, such as a moment too near to a solar term.
    """
    found: dict[str, Any] = {
        "cast": {"iri": j.chart.iri, "engine": j.engine, "input": j.chart.given.as_input(), "conventions": dict(j.chart.given.conventions)},
        "chart": qimen_chart.data(j, j.chart) if isinstance(j.chart, QimenChart) else chart(j, j.chart),
        "useful_gods": [{"clause": s.clause.id, "quote": s.clause.quote, "of": [_individual(j, i) for i in s.holders]} for s in j.useful_gods],
        "verdicts": [verdict(j, v, start) for v in j.verdicts],
        "reckonings": [reckoning(r) for r in j.reckonings],
        "conflicts": [{"about": c.about, "ground": c.ground, "sides": [{"says": says, "clauses": list(ids)} for says, ids in c.sides]} for c in j.conflicts],
        "not_judged": [{"clause": i, "unknown": sorted(what)} for i, what in j.not_judged.items()],
        "notes": list(map(str, notes)),
    }
    if isinstance(j.chart, Chart):
        found |= {"asked": asked(j.chart), "star_share": star_share(j.chart)}
    return found


def chart(j: Judgement, c: Chart) -> dict[str, Any]:
    """The chart."""
    o = ontology()
    stars = star_places(c)

    def small(line: Line | None) -> dict[str, str] | None:
        return {"stem": o.label(line.stem), "branch": o.label(line.branch), "kin": o.label(line.kin)} if line else None

    def figure(iri: str | None) -> dict[str, Any] | None:
        if iri is None:
            return None
        return {
            "number": o.number(iri, ns("number")),
            "name": o.label(iri),
            "palace": o.label(o.one(iri, ns("palace"))),
            "generation": o.number(iri, ns("generation")),
        }

    lines = []
    for i, v in enumerate(c.visible):
        role = "世" if v.position == c.shi else "應" if v.position == c.ying else None
        lines.append(
            {
                "position": v.position,
                **{k: o.label(getattr(v, k)) for k in ("stem", "branch", "element", "kin")},
                "spirit": o.label(c.spirits[i]) if c.spirits else None,
                "yang": v.yang,
                "moving": v.position in c.moving,
                "role": role,
                "roles": [key for c in j.roles.get(v.iri, ()) for key in c.signifies],
                "hidden": small(c.hidden[i]),
                "changed": small(c.changed_lines[i]),
                "states": [s for s in STATES if j.closed.holds(v.iri, names().term(s, prop=False).iri)],
                "stars": [o.label(s) for s, places in sorted(stars.items()) if v.branch in places or v.stem in places],
            }
        )
    return {
        "hexagram": figure(c.hexagram),
        "changed": figure(c.changed),
        "pillars": {u: o.label(p.pair or p.branch) if (p := c.pillars.get(u)) else None for u in UNITS},
        "void": [o.label(b) for b in c.void],
        "lines": lines,
    }


def asked(c: Chart) -> dict[str, Any]:
    """Where the relative and the stage of life asked about stand; None for what was not asked."""
    given, o = c.given, ontology()
    relative = symbol("relative", given.relative) if given.relative else None
    place = kinship.place_of(c, relative, given.asks) if relative else None
    limit = at_age(c, given.age) if given.age else None
    return {
        "relative": {
            "key": given.relative,
            "name": o.label(relative),
            "position": place.position if place else None,
            "how": place.how if place else None,
            "because": list(map(str, place.because)) if place else [],
        }
        if relative
        else None,
        "limit": {"figure": limit.figure, "position": limit.position, "branch": o.label(limit.branch), "from": limit.first, "to": limit.last}
        if limit
        else None,
    }


def reckoning(r: Reckoning) -> dict[str, Any]:
    """A number with its sum."""
    o = ontology()
    return {
        "quantity": iris.key(r.quantity),
        "name": o.label(r.quantity),
        "amounts": list(r.amounts),
        "sum": str(r.sum),
        "clauses": list(r.clauses),
        "doubts": list(r.doubts),
    }


def _individual(j: Judgement, iri: str) -> dict[str, str]:
    return {"of": str(describe(j.chart, iri)), "iri": iri}


def verdict(j: Judgement, v: Verdict, start: date | None) -> dict[str, Any]:
    """One verdict with its quote and the individuals that made it fire."""
    c = v.clause
    return {
        "clause": c.id,
        "text": c.passage.chapter.work,
        "chapter": c.passage.chapter.name,
        "passage": c.passage.number,
        "quote": c.quote,
        "ko": c.ko,
        "en": c.en,
        "about": c.about,
        "value": c.value,
        "omen": c.omen,
        "timing": [times(w, start) for w in v.when] or None,
        "standing": v.stands,
        "overridden_by": list(v.overridden_by),
        "because": [proof(p) for p in v.proofs],
        "condition": c.when_text,
        "doubt": c.doubt,
    }


def times(w: When, start: date | None) -> dict[str, Any]:
    """A time that a clause names, with the next civil days where they are wanted."""
    o = ontology()
    found: dict[str, Any] = {
        "units": list(w.units),
        "branches": [o.label(b) for b in w.branches],
        "decades": [o.label(d) for d in w.decades],
        "ages": list(w.ages),
        "at": w.at,
        "because": list(map(str, w.because)),
    }
    if start is not None:
        found["dates"] = {unit: [d.isoformat() for d in days] for unit, days in coming(w, start).items()}
    return found


def proof(p: Proof) -> dict[str, Any]:
    """A step of an explanation."""
    found: dict[str, Any] = {"text": p.text, "of": str(p.individual), "iri": p.iri, "holds": p.holds}
    if p.reason:
        found["reason"] = str(p.reason)
    if p.clause:
        found["clause"] = p.clause
    if p.parts:
        found["parts"] = [proof(x) for x in p.parts]
    return found


def star_share(c: Chart) -> dict[str, int]:
    """Of the six lines, how many carry some auspicious and some inauspicious star: how much a clause on either can say."""
    o, places = ontology(), star_places(c)
    found = {}
    for term, key in (("AuspiciousStar", "auspicious"), ("InauspiciousStar", "inauspicious")):
        stars = set(o.subjects(ns("starClass"), ns(term)))
        on = {b for s, values in places.items() if s in stars for b in values}
        found[key] = sum(v.branch in on or v.stem in on for v in c.visible)
    return found
