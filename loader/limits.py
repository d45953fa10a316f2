"""The limits of a life (三限): which line governs which years, in the original, the changed and the mutual hexagram.

易隱 卷二 counts them; 003 ¶2 and ¶33 name them. The greater limit (大限) gives each line five years from 世 on, the lesser (小限) one.
"""

from dataclasses import dataclass
from typing import Final

from loader.iris import ns
from loader.liuyao import Chart
from loader.ontology import ontology

FIGURES: Final = ("line", "changed", "mutual")
"""The hexagrams in the order in which they govern, by the role of their lines."""


@dataclass(frozen=True, slots=True)
class Limit:
    """Years of life under one line.

    Attributes:
        figure: `line` (the original hexagram), `changed` or `mutual`.
        position: of the line, from below.
        branch: IRI of its branch.
        first: age at which it begins, one at birth.
        last: age at which it ends.
    """

    figure: str
    position: int
    branch: str
    first: int
    last: int


def start(chart: Chart) -> int:
    """The age at which the greater limit begins: the element numbers of the stems of 世 and 應 added.

    >>> from loader.liuyao import Given, bits_of
    >>> from loader.tables import choose
    >>> dun = "".join("7" if b == "1" else "8" for b in bits_of(33))
    >>> start(Chart(Given(tuple(map(int, dun)), {}, ("fate",), conventions=choose({}))))
    3
    """
    o, numbers = ontology(), chart.tables.get("element-numbers")
    return sum(numbers.place(o.one(chart.visible[p - 1].stem, ns("element"))) for p in (chart.shi, chart.ying))


def limits(chart: Chart) -> tuple[Limit, ...]:
    """Every limit in the order of a life: thirty years to each hexagram, none for a changed one where no line moves."""
    years = chart.tables.get("limit-years")
    of_line, of_figure = years.place(ns("Line")), years.place(ns("Hexagram"))
    minor = chart.given.conventions.get("limit") == "minor"
    step = 1 if minor else of_line
    age = 1 if minor else start(chart)
    found: list[Limit] = []
    for figure in FIGURES:
        if figure == "changed" and not chart.moving:
            continue
        lines = chart.figure(figure)
        place, direction = chart.shi_of(figure), 1 if _upward(chart, figure) else -1
        for n in range(of_figure // step):
            position = (place - 1 + direction * n) % 6 + 1
            found.append(Limit(figure, position, lines[position - 1].branch, age, age + step - 1))
            age += step
    return tuple(found)


def _upward(chart: Chart, figure: str) -> bool:
    """Whether the limits of a hexagram are counted upward: by the stem of its 世, or by the line, as the convention says."""
    o, world = ontology(), chart.figure(figure)[chart.shi_of(figure) - 1]
    if chart.given.conventions.get("limit-direction") == "line":
        return world.yang
    return o.one(world.stem, ns("polarity")).endswith("/yang")


def at_age(chart: Chart, age: int) -> Limit | None:
    """The limit in which an age falls; before the first limit 世 governs (易隱: 即於世上起一歲斷之), after the last none."""
    every = limits(chart)
    if every and 0 < age < every[0].first:
        return Limit(every[0].figure, every[0].position, every[0].branch, 1, every[0].first - 1)
    return next((limit for limit in every if limit.first <= age <= limit.last), None)
