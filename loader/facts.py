"""The facts of a cast: every class and relation of its lines and pillars, stated completely, so that absence can be concluded."""

from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Final, Protocol

from loader import iris, kinship
from loader.clause import ROLE_KINDS
from loader.iris import TYPE, Triple, ns, symbol
from loader.limits import at_age
from loader.liuyao import PILLAR_CLASS, PILLAR_NAME, UNITS, Chart, Line, Pillar, named
from loader.ontology import ontology
from loader.tables import Key, Table, Tables, star_pillars

CAREER: Final = frozenset({"small-exam", "provincial-exam", "palace-exam", "military-exam", "office"})
_SOURCE: Final = {
    "generates": "GeneratesSource",
    "combinesWith": "CombinesSource",
    "controls": "ControlsSource",
    "punishes": "PunishesSource",
    "clashes": "ClashesSource",
    "harms": "HarmsSource",
    "supports": "SupportsSource",
    "standsOn": "EqualsSource",
}
QUESTION_CLASS: Final = {"child-of-mother": "ChildAsksForMother", "birth-far": "BirthFarOff", "birth-near": "BirthNear"}
"""Questions that are classes of the cast; the others are values of `asks`."""


class HasTables(Protocol):
    """A chart of either tradition: it has the tables under its conventions."""

    @property
    def tables(self) -> Tables:
        """The tables."""


def facts(chart: Chart) -> list[Triple]:
    """All facts of a cast as triples of IRIs."""
    parts = (_cast, _topics, _lines, _mutual, _pillars, _relations, _stars, _sets, _question)
    return [fact for part in parts for fact in part(chart)]


def figured(chart: Chart) -> Iterator[Triple]:
    """What is stated of the figures and of each line by itself: what a hexagram settles, and what the pillars known give each line."""
    for part in (_cast, _lines, _mutual):
        yield from part(chart)


def framed(chart: Chart) -> Iterator[Triple]:
    """What is stated of the cast itself and of each pillar by itself."""
    yield from _cast(chart)
    yield from _pillars(chart)


def asked(chart: Chart) -> Iterator[Triple]:
    """What is asked: topics, narrower questions, a role, a relative, an age, with the lines that they mean."""
    yield from _topics(chart)
    yield from _question(chart)


def _cast(chart: Chart) -> Iterator[Triple]:
    o, me = ontology(), chart.iri
    yield me, TYPE, ns("Cast")
    number = o.number(chart.hexagram, ns("number"))
    yield me, TYPE, ns(f"Hexagram{number}")
    yield me, ns("hexagram"), chart.hexagram
    yield me, ns("palace"), chart.palace
    for klass in o.iris(chart.hexagram, ns("hexagramClass")):
        yield me, TYPE, klass
    enclosure = _enclosure(chart)
    if enclosure:
        yield me, TYPE, ns(enclosure)
    if chart.changed:
        figure = iris.part(me, "changed")
        yield me, ns("hasChanged"), figure
        yield figure, TYPE, ns("ChangedHexagram")
        yield figure, TYPE, ns("ChangedFigure")
        yield figure, ns("hexagram"), chart.changed
        for klass in o.iris(chart.changed, ns("hexagramClass")):
            yield figure, TYPE, klass
    generates = chart.tables.get("element-generates")
    yield me, ns("offspringElement"), generates.iri_of(chart.palace_element)
    if chart.given.conventions.get("mutual-kin") == "najia":
        mutual = {line.kin for line in chart.mutual_lines}
    else:
        mutual = {chart.kin(o.one(line.trigram, ns("element"))) for line in chart.mutual_lines}
    for kin in sorted(mutual):
        yield me, ns("hasMutualKin"), kin
    if chart.season_term:
        grade = iris.key(chart.tables.get("trigram-season").iri_of(chart.season_term, chart.palace))
        if grade in ("wang", "xiang"):
            yield me, TYPE, ns("PalaceTrigramStrong")
        if grade in ("xiu", "qiu"):
            yield me, TYPE, ns("PalaceTrigramWeak")
    if chart.void and set(chart.tables.get("void-trigram").all(chart.palace)) <= set(chart.void):
        yield me, TYPE, ns("PalaceTrigramVoid")
    hour = chart.pillars.get("hour")
    if hour and 4 <= o.number(hour.branch, ns("order")) <= 9:
        yield me, TYPE, ns("ByDay")


def _topics(chart: Chart) -> Iterator[Triple]:
    me = chart.iri
    for topic in chart.given.topics:
        yield me, ns("askedAbout"), symbol("topic", topic)
    if CAREER & set(chart.given.topics):
        yield me, TYPE, ns("CareerQuestion")


def _question(chart: Chart) -> Iterator[Triple]:
    """What is asked beyond the topic: narrower questions, the role of a line, the relative, the limit of life."""
    me, given, o = chart.iri, chart.given, ontology()
    asks = set(given.asks)
    if given.role:
        yield me, ns("asksRole"), o.keyed(given.role, *ROLE_KINDS) or symbol("role", given.role)
    if given.relative:
        relative = symbol("relative", given.relative)
        yield me, ns("asksRelative"), relative
        inner = iris.key(o.one(relative, ns("side"))) == "InnerKin"
        way = kinship.direction(relative, given.asks)
        asks |= {"inner-kin" if inner else "outer-kin", *([kinship.ASKS[way]] if way else []), *([q] if (q := kinship.questions_of().get(relative)) else [])}
        yield from _relative(chart, relative)
    for question in sorted(asks):
        if question in QUESTION_CLASS:
            yield me, TYPE, ns(QUESTION_CLASS[question])
        yield me, ns("asks"), symbol("question", question)
    limit = at_age(chart, given.age) if given.age else None
    if limit and limit.figure == "line":
        yield chart.visible[limit.position - 1].iri, TYPE, ns("LimitLine")


def _relative(chart: Chart, relative: str) -> Iterator[Triple]:
    """The lines of the relative asked about: with his kin, reached by the count, and where that line lies for him (003 ¶16-20, ¶26)."""
    o, asks = ontology(), chart.given.asks
    kin = next(iter(o.iris(relative, ns("kinClass"))), None)
    if kin:
        yield from ((x.iri, TYPE, ns("AskedKin")) for x in (*chart.visible, *chart.hidden) if x and x.kin == kin)
    place = kinship.flown(chart, relative, asks)
    if place:
        line = chart.visible[place.position - 1]
        yield line.iri, TYPE, ns("FlownLine")
        own = next((e for e in o.of_type("Element") if chart.kin(e) == kin), None)
        for table, klass in (("element-generates", "InGeneratingPlace"), ("element-controls", "InTabooPlace")):
            if own and chart.tables.get(table).one(line.element) == own:
                yield line.iri, TYPE, ns(klass)
    if int(o.text(relative, ns("generation")) or 0) >= 2:
        shown, found = kinship.line_of(chart, relative), kinship.place_of(chart, relative, asks)
        ancestor = shown or (chart.visible[found.position - 1] if found else None)
        if ancestor:
            yield ancestor.iri, TYPE, ns("AncestorLine")
        branch = kinship.descendants(chart, relative, asks)
        if branch:
            yield chart.visible[branch.position - 1].iri, TYPE, ns("AncestorDescendantLine")


def _enclosure(chart: Chart) -> str | None:
    """陽包陰, 陰包陽 (000 ¶5): outer lines alike, within them the other polarity, unbroken by default."""
    first, inner, last = chart.bits[0], chart.bits[1:5], chart.bits[5]
    other = "10"[int(first)]
    if first != last or other not in inner:
        return None
    if chart.given.conventions.get("enclosure") != "any" and other * inner.count(other) not in inner:
        return None
    return "YangEnclosesYin" if first == "1" else "YinEnclosesYang"


def _bearer(chart: Chart, x: Line | Pillar) -> Iterator[Triple]:
    yield x.iri, TYPE, ns("Bearer")
    yield x.iri, ns("ofCast"), chart.iri
    yield x.iri, ns("branch"), x.branch
    yield x.iri, ns("element"), x.element
    yield x.iri, ns("kin"), x.kin
    if x.stem:
        yield x.iri, ns("stem"), x.stem
    if x.pair:
        yield x.iri, ns("pair"), x.pair
    month = chart.pillars.get("month")
    if month:
        yield x.iri, TYPE, seasonal(chart, month.branch, x.element)
    if x.branch in chart.void:
        yield x.iri, TYPE, ns("Void")


def seasonal(chart: HasTables, month: str, element: str) -> str:
    """The class of what has an element in a month, by its grade (旺相休囚死)."""
    return ns(f"Season{iris.key(chart.tables.get('month-season').iri_of(month, element)).capitalize()}")


def _lines(chart: Chart) -> Iterator[Triple]:
    o = ontology()
    pure = {o.one(chart.tables.get("najia").iri_of(chart.palace, i), ns("branch")) for i in range(1, 7)}
    day, month = chart.pillars.get("day"), chart.pillars.get("month")
    kinds = {"line": "VisibleLine", "hidden": "HiddenLine", "changed": "ChangedLine"}
    for x in (b for b in chart.bearers if isinstance(b, Line)):
        yield from _figure_line(chart, x)
        yield x.iri, TYPE, ns("Line")
        yield x.iri, TYPE, ns(kinds[x.role])
        if chart.spirits:
            yield x.iri, TYPE, carries("Spirit", chart.spirits[x.position - 1])
        if day:
            yield x.iri, ns("stageByDay"), chart.stage(x.element, day.branch)
        if month:
            yield x.iri, ns("stageByMonth"), chart.stage(x.element, month.branch)
    ying = chart.visible[chart.ying - 1]
    rising = chart.tables.get("rising-line").place(chart.mid_term) if chart.mid_term else None
    for x in chart.visible:
        yield chart.iri, ns("hasLine"), x.iri
        yield x.iri, TYPE, ns("AnyLine")
        yield x.iri, TYPE, ns(f"Line{x.position}")
        if x.branch in pure:
            yield x.iri, TYPE, ns("PalaceBranch")
        if x.position == rising:
            yield x.iri, TYPE, ns("RisingLine")
        if x.position == chart.shi:
            yield x.iri, TYPE, ns("Shi")
        if x.position == chart.ying:
            yield x.iri, TYPE, ns("Ying")
        if x.position in chart.body:
            yield x.iri, TYPE, ns("GuaShen")
        if chart.given.birth_branch and x.branch == named("Branch")[chart.given.birth_branch]:
            yield x.iri, TYPE, ns("LifeLine")
        yield x.iri, ns("stageAtYing"), chart.stage(x.element, ying.branch)
        if x.position in chart.moving:
            yield x.iri, TYPE, ns("Moving")
            if len(chart.moving) == 1:
                yield x.iri, TYPE, ns("OnlyMoving")
    for v, h, c in zip(chart.visible, chart.hidden, chart.changed_lines, strict=True):
        if h is not None:
            yield v.iri, ns("hides"), h.iri
            yield h.iri, ns("stageByFlying"), chart.stage(h.element, v.branch)
            yield from _against_source(chart, h, v)
        if c is not None:
            yield v.iri, ns("changesTo"), c.iri
            yield v.iri, ns("stageByChange"), chart.stage(v.element, c.branch)
            yield from _against_source(chart, c, v)


def _mutual(chart: Chart) -> Iterator[Triple]:
    """The lines of the mutual hexagram, which only counts speak of: they bear a branch and act on nothing."""
    day = chart.pillars.get("day")
    for x in chart.mutual_lines:
        yield x.iri, TYPE, ns("MutualLine")
        yield from _figure_line(chart, x)
        if day:
            yield x.iri, ns("stageByDay"), chart.stage(x.element, day.branch)


def _figure_line(chart: Chart, x: Line) -> Iterator[Triple]:
    yield from _bearer(chart, x)
    yield x.iri, TYPE, ns("YangLine" if x.yang else "YinLine")
    yield x.iri, ns("liesIn"), x.trigram
    if x.trigram == chart.palace:
        yield x.iri, TYPE, ns("OwnPalace")


def _against_source(chart: Chart, x: Line, source: Line) -> Iterator[Triple]:
    for prop in relations_between(chart, x.branch, source.branch):
        if prop in _SOURCE:
            yield x.iri, TYPE, ns(_SOURCE[prop])
    if "generates" in relations_between(chart, source.branch, x.branch):
        yield x.iri, TYPE, ns("GeneratedBySource")


def carries(prefix: str, iri: str) -> str:
    """The class of what carries a spirit (`Spirit`) or a star (`Star`)."""
    return ns(prefix + "".join(word.capitalize() for word in iris.key(iri).split("-")))


def _pillars(chart: Chart) -> Iterator[Triple]:
    for p in chart.pillars.values():
        yield from _bearer(chart, p)
        yield p.iri, TYPE, ns("Pillar")
        yield p.iri, TYPE, ns(PILLAR_NAME[p.unit])
        yield chart.iri, ns("hasPillar"), p.iri


def relations_between(chart: HasTables, a: str, b: str) -> tuple[str, ...]:
    """Relations of one branch to another by table, as local names: 生 克 扶 比和 by element, 合 沖 刑 害 臨 by branch."""
    o, t = ontology(), chart.tables
    ea, eb = o.one(a, ns("element")), o.one(b, ns("element"))
    found = []
    if t.get("element-generates").one(ea) == eb:
        found.append("generates")
    if t.get("element-controls").one(ea) == eb:
        found.append("controls")
    if ea == eb:
        found.append("matches")
        found.append("standsOn" if a == b else "supports")
    for key, prop in (("combines", "combinesWith"), ("clashes", "clashes"), ("punishes", "punishes"), ("harms", "harms")):
        if b in t.get(f"branch-{key}").all(a):
            found.append(prop)
    return tuple(found)


def _relations(chart: Chart) -> Iterator[Triple]:
    known: dict[tuple[str, str], tuple[str, ...]] = {}
    for x, y in permutations(chart.bearers, 2):
        at = (x.branch, y.branch)
        if at not in known:
            known[at] = tuple(ns(p) for p in relations_between(chart, *at))
        for prop in known[at]:
            yield x.iri, prop, y.iri
        if x.pair and x.pair == y.pair:
            yield x.iri, ns("samePairAs"), y.iri


def _stars(chart: Chart) -> Iterator[Triple]:
    for star, values in star_places(chart).items():
        klass = carries("Star", star)
        for x in chart.bearers:
            if x.branch in values or (x.stem and x.stem in values):
                yield x.iri, TYPE, klass


def star_places(chart: Chart) -> Mapping[str, frozenset[Key]]:
    """Star to the branches and stems on which it falls in this cast."""
    found: dict[str, set[Key]] = {}
    for star, table in chart.tables.star_tables():
        for _, values in star_readings(chart, table):
            found.setdefault(star, set()).update(values)
    return {star: frozenset(values) for star, values in found.items()}


def star_readings(chart: Chart, table: Table) -> Iterator[tuple[Pillar, tuple[Key, ...]]]:
    """The pillars at which a star table is read in this cast, each with what it gives."""
    classes = {iris.key(c) for c in star_pillars(table.iri, chart.given.conventions)}
    for unit in UNITS:
        pillar = chart.pillars.get(unit)
        if pillar is None or PILLAR_CLASS[unit] not in classes:
            continue
        values = table.all(pillar.branch) + (table.all(pillar.stem) if pillar.stem else ())
        if values:
            yield pillar, values


def _sets(chart: Chart) -> Iterator[Triple]:
    """三合 and 三刑: complete on visible and changed lines and pillars."""
    on = [x for x in chart.bearers if isinstance(x, Pillar) or x.role != "hidden"]
    present = {x.branch for x in on}
    for values in chart.tables.get("frames").cells.values():
        if set(values) <= present:
            members = [x for x in on if x.branch in values]
            yield from ((x.iri, ns("framesWith"), y.iri) for x, y in permutations(members, 2))
    for (row, _), values in chart.tables.get("punishment-sets").cells.items():
        if set(values) <= present:
            yield from ((x.iri, TYPE, ns("InPunishmentSet")) for x in chart.visible if x.branch == row)
