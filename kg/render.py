"""A judgement as text: the chart drawn as the field draws it, verdicts by aspect with their quotes."""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Final

from kg import qimen_chart
from kg.answer import star_share
from kg.explain import Proof, unknown_words
from kg.judgement import Judgement, Verdict
from kg.reasons import describe, limit_words
from kg.reckoning import Reckoning
from kg.text import OMEN_SIGNS, pad
from kg.timing import When, coming
from loader import kinship
from loader.cast import AnyChart
from loader.clause import ROLE_KINDS
from loader.iris import ns, symbol
from loader.liuyao import UNITS, Line
from loader.ontology import ontology
from loader.qimen import QimenChart
from loader.saying import joined, say

UNIT_SIGNS: Final = {"year": "年", "month": "月", "day": "日", "hour": "時"}
_YANG, _YIN = "━━━━━", "━━ ━━"
MARKS: Final = {9: "○", 6: "×"}
STATE_SIGNS: Final = {
    "Void": "空",
    "MonthBroken": "月破",
    "DayBroken": "日破",
    "YearBroken": "歲破",
    "HiddenMoving": "暗動",
    "GuaShen": "身",
    "LifeLine": "命",
    "FetusLine": "胎",
}
"""Classes of lines to the signs that a chart shows of them."""
_AT: Final = {
    "once": "at once",
    "within-day": "on the day itself",
    "within-month": "within this month",
    "after-month": "after this month",
    "within-year": "within this year",
}


def chart(j: Judgement) -> str:
    """The chart, line 6 on top: spirit, hidden line, line with kin and 納甲, movement, 世 and 應, changed line, states.

    Nothing is shown that was not given: without a day no spirits and no voids.
    """
    c, o = j.chart, ontology()
    if isinstance(c, QimenChart):
        return qimen_chart.drawing(j, c)
    pillars = "  ".join(f"{o.label(p.pair or p.branch)}{UNIT_SIGNS[u]}" for u in UNITS if (p := c.pillars.get(u)))
    void = f"  旬空 {''.join(map(o.label, c.void))}" if c.void else ""
    title = f"{_full(c.hexagram)} · {o.label(c.palace)}宮{place_in_palace(c.generation)}"
    if c.changed:
        title += f"  之  {_full(c.changed)}"
    body = f"卦身 {o.label(c.body_branch)}"
    rows = [f"{pillars}{void}  {body}".strip(), title, ""]
    for i in range(5, -1, -1):
        v, h, x = c.visible[i], c.hidden[i], c.changed_lines[i]
        role = "世" if v.position == c.shi else "應" if v.position == c.ying else ""
        row = pad(o.label(c.spirits[i]) if c.spirits else "", 6)
        row += pad(f"伏{najia(h)}" if h else "", 14)
        row += pad(najia(v), 12) + pad(_YANG if v.yang else _YIN, 7)
        row += pad(MARKS.get(c.given.lines[i], ""), 3) + pad(role, 4)
        row += pad(f"{_YANG if x.yang else _YIN}  {najia(x)}" if x else "", 18)
        rows.append((row + states(j, v)).rstrip())
    return "\n".join(rows)


def _full(hexagram: str) -> str:
    return f"{chr(0x4DBF + ontology().number(hexagram, ns('number')))} {full_name(hexagram)}"


def full_name(hexagram: str) -> str:
    """The name of a hexagram with those of its trigrams: `雷山小過`."""
    return max((x.text for x in ontology().labels(hexagram) if x.language == "zh-hant"), key=len)


def chart_name(c: AnyChart) -> str:
    """What a chart is called in Chinese: `雷山小過 之 雷地豫`, `己未日 己巳時 陽遁八局`."""
    if isinstance(c, QimenChart):
        return f"{c.given.pillars['day']}日 {c.given.pillars['hour']}時 {qimen_chart.ju_name(c)}"
    return full_name(c.hexagram) + (f" 之 {full_name(c.changed)}" if c.changed else "")


def place_in_palace(generation: int) -> str:
    """What a place in a palace is called: 八純 for 0, 一世 ... 歸魂."""
    return ("八純", "一世", "二世", "三世", "四世", "五世", "游魂", "歸魂")[generation]


def najia(line: Line) -> str:
    """Kin, stem, branch and element of a line: `兄弟丙申金`."""
    o = ontology()
    return f"{o.label(line.kin)}{o.label(line.pair)}{o.label(line.element)}"


def states(j: Judgement, v: Line) -> str:
    """The signs of what a line is: `空 月破 暗動`."""
    return " ".join(sign for local, sign in STATE_SIGNS.items() if j.closed.holds(v.iri, ns(local)))


def judgement(j: Judgement, start: date | None = None, *, proofs: bool = False) -> str:
    """The whole answer as text: chart, verdicts by aspect, conflicts, what was not judged.

    Args:
        j: the judgement.
        start: the day from which coming dates are sought, or None for none.
        proofs: whether each verdict shows why it fires.
    """
    parts = [chart(j), "", *asked(j), *_useful(j)]
    by_aspect: dict[str, list[Verdict]] = {}
    for v in j.verdicts:
        by_aspect.setdefault(v.clause.about or "overall", []).append(v)
    if not by_aspect:
        parts.append("No clause on the topic fires on this cast.")
    for aspect, found in by_aspect.items():
        parts.append(heading(aspect))
        for v in found:
            parts.extend(_verdict(j, v, start, proofs))
        parts.append("")
    for r in j.reckonings:
        parts.extend(reckoned(r))
    if j.reckonings:
        parts.append("")
    for c in j.conflicts:
        sides = " against ".join(f"{_says(c.ground, says)} ({', '.join(ids)})" for says, ids in c.sides)
        parts.append(f"⚠ The clauses disagree on {heading(c.about)}: {sides}.")
    parts.extend(_notes(j))
    return "\n".join(parts).rstrip() + "\n"


def asked(j: Judgement) -> list[str]:
    """The relative and the stage of life asked about: where they stand, and by which steps."""
    if isinstance(j.chart, QimenChart):
        return []
    given, o = j.chart.given, ontology()
    lines = []
    if given.relative:
        relative = symbol("relative", given.relative)
        place = kinship.place_of(j.chart, relative, given.asks)
        where = str(place.where) if place else f"{say('at-none')} (--ask elder-asks-junior or junior-asks-elder)"
        lines.append(f"{o.label(relative)} · {o.label(relative, 'ko')} · {o.label(relative, 'en')}: {where}")
        lines += [f"  {step}" for step in (place.because if place else ())]
    if words := limit_words(j.chart):
        lines.append(f"限 · 한 · limit: {words}")
    return [*lines, ""] if lines else []


def _useful(j: Judgement) -> list[str]:
    """The useful gods (用神), each with the clause that selects it."""
    lines = []
    for s in j.useful_gods:
        who = joined((describe(j.chart, i) for i in s.holders), say("then"))
        lines.append(f"用神 · 용신 · useful god: {who}  「{s.clause.quote}」 {s.clause.id}")
    return [*lines, ""] if lines else []


def reckoned(r: Reckoning) -> Iterator[str]:
    """A number with its sum and the clauses that took part."""
    o = ontology()
    amount = " or ".join(map(str, r.amounts))
    yield f"{o.label(r.quantity)} · {o.label(r.quantity, 'ko')} · {o.label(r.quantity, 'en')}: {amount}"
    yield f"  {r.sum}  ({', '.join(r.clauses)})"
    yield from (f"  ? {doubt}" for doubt in r.doubts)


def heading(aspect: str) -> str:
    """An aspect in Chinese, Korean and English."""
    o, iri = ontology(), symbol("aspect", aspect)
    return f"{o.label(iri)} · {o.label(iri, 'ko')} · {o.label(iri, 'en')}"


def _says(ground: str, says: str) -> str:
    return ontology().label(symbol("outcome" if ground == "outcome" else "omen", says), "en")


def _verdict(j: Judgement, v: Verdict, start: date | None, proofs: bool) -> Iterator[str]:
    c, o = v.clause, ontology()
    value = f" → {o.label(symbol('outcome', c.value), 'en')}" if c.value else ""
    mark = "" if v.stands else f"  [overridden by {', '.join(v.overridden_by)}]"
    yield f"  {pad(OMEN_SIGNS.get(c.omen or '', ''), 4)}「{c.quote}」{value}{mark}"
    yield f"        {c.en}"
    yield f"        {c.ko}"
    chapter = c.passage.chapter
    place = f"{o.label(symbol('work', chapter.work))} {chapter.title.get('zh-hant', chapter.name)} ¶{c.passage.number}"
    yield f"        {c.id} · {place} · {'; '.join(_who(j, p) for p in v.proofs)}"
    for w in v.when:
        yield f"        ⏱ {_time(w, start)}"
        if proofs:
            yield from (f"          {because}" for because in w.because)
    if c.doubt:
        yield f"        ? {c.doubt}"
    if proofs:
        for p in v.proofs:
            yield from tree(p, "        ")


def _who(j: Judgement, p: Proof) -> str:
    """An individual with the roles that the topic gives its line."""
    o = ontology()
    names = [o.label(iri) for c in j.roles.get(p.iri, ()) for key in c.signifies if (iri := o.keyed(key, *ROLE_KINDS))]
    return f"{p.individual} ({'、'.join(dict.fromkeys(names))})" if names else str(p.individual)


def _time(w: When, start: date | None) -> str:
    o = ontology()
    if w.at:
        return _AT[w.at]
    units = " or ".join(w.units)
    names = "".join(map(o.label, w.branches))
    decades = f" in the decade of {' or '.join(map(o.label, w.decades))}" if w.decades else ""
    ages = f" at the ages {', '.join(w.ages)}" if w.ages else ""
    if not (w.branches or w.decades or w.ages):
        return f"no {units} in this cast"
    text = f"{names} {units}".strip() + decades + ages
    if start is not None:
        dates = "; ".join(f"{unit} {', '.join(d.isoformat() for d in days)}" for unit, days in coming(w, start).items() if days)
        text += f": {dates}" if dates else ""
    return text


def _notes(j: Judgement) -> Iterator[str]:
    if j.not_judged:
        words = joined(unknown_words({w for what in j.not_judged.values() for w in what}), say("listed"))
        yield f"Not judged for want of {words}: {len(j.not_judged)} clauses ({_some(j.not_judged)})."
    if isinstance(j.chart, QimenChart):
        return
    if j.chart.given.relative is None and ns("FlownLine") in j.program.signature:
        yield "No relative is asked about (--relative), so nothing is said of a line found by count."
    share = star_share(j.chart)
    yield f"Stars: {share['inauspicious']} of 6 lines carry an inauspicious star, {share['auspicious']} an auspicious one."


def _some(ids: Iterable[str], shown: int = 6) -> str:
    listed = list(ids)
    return ", ".join(listed[:shown]) + (", ..." if len(listed) > shown else "")


def tree(p: Proof, indent: str = "") -> Iterator[str]:
    """An explanation as an indented tree: ✓ holds, ✗ does not, ? not known."""
    mark = {True: "✓", False: "✗", None: "?"}[p.holds]
    why = f" — {p.reason}" if p.reason else ""
    by = f" [{p.clause}]" if p.clause else ""
    yield f"{indent}{mark} {p.individual}: {p.text}{by}{why}"
    for part in p.parts:
        yield from tree(part, indent + "  ")
