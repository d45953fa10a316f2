"""Variants of a cast: the same cast with one moving line still, or judged under another reading of the text; and what they lose or gain."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from kg.judgement import Judgement, judge, judge_all
from kg.standing import overridden
from loader.clause import READINGS, Clause
from loader.iris import symbol
from loader.liuyao import Given
from loader.ontology import ontology

KINDS: Final = ("still", "readings")
"""Kinds of variant: each moving line still in turn, and each other reading of the text."""
_STILL: Final = {9: 7, 6: 8}
"""Old yang and old yin to the young line of the same drawing."""


@dataclass(frozen=True)
class Variant:
    """A cast that differs from another, the base, in one thing, judged.

    Attributes:
        judgement: the variant, judged.
        kind: one of `KINDS`.
        line: position of the line that moves in the base and is still here, or None.
        reading: the reading of the text that is taken here and not in the base, or None.
        lost: clauses that stand on the base and not here, as the base reads them, in the order of the books.
        gained: clauses that stand here and not on the base, as they are read here.
        changed: clauses that stand on both and conclude another thing here, each as the base reads it and as it is read here.
    """

    judgement: Judgement
    kind: str
    line: int | None
    reading: str | None
    lost: tuple[Clause, ...]
    gained: tuple[Clause, ...]
    changed: tuple[tuple[Clause, Clause], ...]


def variants(j: Judgement, kinds: Collection[str]) -> tuple[Variant, ...]:
    """The variants of a cast, judged: for `still` one for each moving line, from below, for `readings` one for each other reading.

    An hour chart has no lines, so for it `still` gives none.

    >>> from kg.judgement import cast
    >>> j = cast([7, 7, 8, 7, 9, 7], "childbirth", pillars={"month": "午", "day": "甲子"})
    >>> [(v.line, v.reading) for v in variants(j, ("still", "readings"))]
    [(5, None), (None, 'received'), (None, 'emended')]
    """
    made = [*(_still(j) if "still" in kinds else ()), *(_readings(j) if "readings" in kinds else ())]
    before = _standing(j) if made else {}
    return tuple(_variant(before, *one) for one in made)


def _still(j: Judgement) -> Iterator[tuple[Judgement, str, int | None, str | None]]:
    given = j.chart.given
    if not isinstance(given, Given):
        return
    moving = [i for i, n in enumerate(given.lines) if n in _STILL]
    casts = [replace(given, lines=(*given.lines[:i], _STILL[given.lines[i]], *given.lines[i + 1 :])) for i in moving]
    for i, found in zip(moving, judge_all(casts, j.engine), strict=True):
        yield found, "still", i + 1, None


def _readings(j: Judgement) -> Iterator[tuple[Judgement, str, int | None, str | None]]:
    given = j.chart.given
    for reading in READINGS:
        if reading != j.reading:
            other = replace(given, conventions={**given.conventions, "reading": reading})
            yield judge(other, j.engine), "readings", None, reading


def _variant(before: Mapping[str, Clause], j: Judgement, kind: str, line: int | None, reading: str | None) -> Variant:
    after = _standing(j)
    return Variant(
        j,
        kind,
        line,
        reading,
        lost=tuple(c for i, c in before.items() if i not in after),
        gained=tuple(c for i, c in after.items() if i not in before),
        changed=tuple((before[i], c) for i, c in after.items() if i in before and _conclusion(c) != _conclusion(before[i])),
    )


def _standing(j: Judgement) -> dict[str, Clause]:
    lost = overridden(j.fires, j.reading)
    return {c.id: c for c in j.clauses if c.id in j.fires and c.id not in lost}


def _conclusion(c: Clause) -> tuple[object, ...]:
    return c.about, c.value, c.omen, c.timing


def data(found: Sequence[Variant]) -> list[dict[str, Any]]:
    """The variants as plain data: ids of the clauses that each loses, gains, or reads otherwise."""
    return [
        {
            "kind": v.kind,
            **({"line": v.line} if v.line else {"reading": v.reading}),
            "lost": [c.id for c in v.lost],
            "gained": [c.id for c in v.gained],
            "changed": [c.id for _, c in v.changed],
        }
        for v in found
    ]


def text(found: Sequence[Variant]) -> str:
    """The variants for people: under each the clauses that it loses, gains, or reads otherwise, with their quotes."""
    return "".join(f"{line}\n" for v in found for line in _section(v))


def _section(v: Variant) -> Iterator[str]:
    yield ""
    yield f"If line {v.line} were still:" if v.line else f"Under the reading '{v.reading}':"
    for word, clauses in (("lost", v.lost), ("gained", v.gained)):
        yield from (f"  {word}: {c.id} 「{c.quote}」 {c.en}" for c in clauses)
    for before, after in v.changed:
        yield f"  changed: {after.id} 「{after.quote}」 {'; '.join(_instead(before, after))}"
    if not (v.lost or v.gained or v.changed):
        yield "  the same verdicts"


def _instead(before: Clause, after: Clause) -> Iterator[str]:
    for what, kind, old, new in (
        ("aspect", "aspect", before.about, after.about),
        ("outcome", "outcome", before.value, after.value),
        ("omen", "omen", before.omen, after.omen),
    ):
        if new != old and new:
            yield f"{what} {_label(kind, new)}" + (f" instead of {_label(kind, old)}" if old else "")
    if before.timing != after.timing:
        yield "another time"


def _label(kind: str, key: str) -> str:
    return ontology().label(symbol(kind, key), "en")
