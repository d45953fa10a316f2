"""What `guigu compare` answers: one of aspect, symbol, moment, chain or communities, as text, JSON or Markdown."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from kg import compare, sheet
from kg.parameter import Parameter, known
from kg.store import Store
from loader import iris
from loader.errors import InputError, UnknownName, listed, quoted
from loader.ontology import ontology

FORMS: Final = ("table", "json", "md")
_NODE_TYPES: Final = ("relative", "symbol", "aspect", "role")
"""What an end of a chain may be; the first that has the name is meant."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment, to be judged by six lines and by the hour chart.

    Attributes:
        at: civil date-time.
        zone: its zone, where it has no offset.
        lines: six numbers 6 to 9 as typed, or None where a hexagram is named.
        hexagram: its name.
        moving: its moving lines.
        topic: what is asked.
    """

    at: str
    zone: str | None
    lines: str | None
    hexagram: str | None
    moving: str | None
    topic: str


def resolved(kind: str, values: Sequence[str]) -> tuple[str, ...]:
    """IRIs of what a user names.

    Raises:
        UnknownName: it names nothing of the kind, with near matches.

    >>> resolved("aspect", ["穩婆"])
    ('https://w3id.org/guigu/id/aspect/midwife',)
    """
    parameter = Parameter(kind, kind, "", "")
    return tuple(dict.fromkeys(t.value for v in values for t in parameter.terms(v)))


def judged(moment: Moment) -> sheet.Sheet:
    """The moment judged by both, side by side.

    Raises:
        InputError: a topic that one of them does not treat, or what a cast cannot be made of.
    """
    from kg.asking import topics
    from kg.judgement import judge
    from loader.given import Typed, given
    from loader.qimen_given import QimenTyped, qimen_given

    both = [t for t in topics() if t in topics("qimen")]
    topic = tuple(map(iris.key, resolved("topic", [moment.topic])))
    if not set(topic) <= set(both):
        raise InputError(f"{quoted(moment.topic)} is not treated by both", where="--topic", todo=f"both treat: {', '.join(both)}")
    own: dict[str, Any] = {"lines": moment.lines, "hexagram": moment.hexagram, "moving": moment.moving}
    cast, _ = given(Typed(at=moment.at, zone=moment.zone, **own), topic)
    hour, _ = qimen_given(QimenTyped(at=moment.at, zone=moment.zone), topic)
    return sheet.by_moment(judge(cast), judge(hour))


def chain_ends(names: Sequence[str]) -> tuple[list[tuple[str, ...]], bool]:
    """The nodes that the two ends of a chain name, and whether both are relatives.

    Raises:
        UnknownName: a name is none of relative, symbol, aspect or role.
    """
    ends, kinds = [], []
    for name in names:
        kind = next((k for k in _NODE_TYPES if name in known(k)), None)
        if kind is None:
            every = [n for k in _NODE_TYPES for n in known(k)]
            raise UnknownName(name, listed(_NODE_TYPES), every, where="--chain")
        ends.append(resolved(kind, [name]))
        kinds.append(kind)
    return ends, kinds == ["relative", "relative"]


def chain(store: Store, names: Sequence[str]) -> tuple[compare.Link, ...]:
    """The shortest chain between two names; between relatives, by the steps in which they are reckoned from each other."""
    ends, kin = chain_ends(names)
    return compare.chain(compare.chains(store, kin=kin), *ends)


def write_sheet(found: sheet.Sheet, form: str) -> str:
    """A sheet in one of `FORMS`."""
    if form == "json":
        return _json(found.data())
    return sheet.text(found) if form == "table" else sheet.markdown(found)


def write_chain(links: Sequence[compare.Link], store: Store, form: str) -> str:
    """A chain in one of `FORMS`, each step with the first of its clauses quoted."""
    from kg.question import question

    quotes: dict[str, dict[str, str]] = {}
    if links:
        rows = question("clause").rows(store, {"clause": [link.clauses[0] for link in links]})
        quotes = {row["clause"]: row for row in rows.texts()}
    steps = [
        {
            **asdict(link),
            "from": compare.name_of(link.start),
            "to": compare.name_of(link.end),
            "says": compare.relation_name(link.relation),
            "quote": quotes.get(link.clauses[0], {}).get("quote", ""),
            "passage": quotes.get(link.clauses[0], {}).get("passage", ""),
        }
        for link in links
    ]
    if form == "json":
        return _json(steps)
    if not steps:
        return "No chain of clauses links the two.\n"
    if form == "md":
        head = "| from | tie | to | quote | clause |\n| --- | --- | --- | --- | --- |\n"
        return head + "".join(f"| {s['from']} | {s['says']} | {s['to']} | 「{s['quote']}」 | {s['clauses'][0]}, {s['passage']} |\n" for s in steps)
    lines = [str(steps[0]["from"])]
    for s in steps:
        more = f" and {len(s['clauses']) - 1} more" if len(s["clauses"]) > 1 else ""
        lines += [f"  {s['says']}: 「{s['quote']}」 {s['clauses'][0]} · {s['passage']}{more}", str(s["to"])]
    return "\n".join(lines) + "\n"


def write_communities(found: Sequence[compare.Community], form: str) -> str:
    """Communities of clauses in one of `FORMS`."""
    rows = [{"clauses": list(c.clauses), "mentions": [{"symbol": s, "label": compare.name_of(s), "clauses": n} for s, n in c.symbols]} for c in found]
    if form == "json":
        return _json(rows)
    o = ontology()
    lines = [] if form == "table" else ["| clauses | what they mention | among them |", "| --- | --- | --- |"]
    for c in found:
        named = ", ".join(f"{o.label(s)} {n}" for s, n in c.symbols)
        among = ", ".join(c.clauses[:4])
        lines.append(f"{len(c.clauses):4}  {named}\n      {among}" if form == "table" else f"| {len(c.clauses)} | {named} | {among} |")
    return "\n".join(lines) + "\n"


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"
