"""The facts of an hour chart: every class and relation of its palaces, symbols and pillars, stated completely, so that absence can be concluded."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import permutations
from typing import Final

from loader import iris
from loader.iris import TYPE, Triple, ns, symbol
from loader.liuyao import kin_of, named
from loader.meetings import Part, controls, element_of, everything, hurts, meetings, relations
from loader.names import names
from loader.ontology import ontology
from loader.qimen import CENTRE, HourPillar, Palace, Plate, QimenChart

_NUMBERS: Final = ("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
_YUAN: Final = (None, "UpperYuan", "MiddleYuan", "LowerYuan")
QUESTION_CLASS: Final = {
    "first-birth": "FirstBirth", "second-birth": "SecondBirth", "third-birth": "ThirdBirth", "first-marriage": "FirstMarriage", "remarriage": "Remarriage",
}  # fmt: skip
"""Questions that are classes of the chart."""
_PILLARS: Final = {
    "day": ("QDayPillar",), "hour": ("QHourPillar",), "day-nayin": ("DayNayin",), "hour-nayin": ("HourNayin",), "transformed": ("TransformedQi",),
    "man-birth": ("PersonalPillar", "ManPillar"), "woman-birth": ("PersonalPillar", "WomanPillar"), "person-birth": ("PersonalPillar",),
    "man-age": ("PersonalPillar",), "woman-age": ("PersonalPillar",), "person-age": ("PersonalPillar",),
}  # fmt: skip


def facts(chart: QimenChart) -> list[Triple]:
    """All facts of an hour chart as triples of IRIs."""
    parts = (_cast, _palaces, _plates, _pillars, _states, meetings, relations)
    found = dict.fromkeys(fact for part in parts for fact in part(chart))
    return list(found | dict.fromkeys(_useful(chart, found)))


def _cast(chart: QimenChart) -> Iterator[Triple]:
    me, given = chart.iri, chart.given
    yield me, TYPE, ns("Cast")
    yield me, TYPE, chart.tables.get("jia-class").iri_of(chart.head)
    opens = ontology().one(chart.star_on_duty, ns("polarity")) == symbol("polarity", "yang")
    yield me, TYPE, ns("OpenChart" if opens else "ClosedChart")
    figure = ns("FullyOpen" if opens else "FullyClosed")
    if figure in chart.tables.get("jia-figure").all(chart.head):
        yield me, TYPE, figure
    if given.term:
        yield me, TYPE, ns("InMidTerm" if _in_mid_term(chart) else "InMonthOpener")
    if given.term_changes:
        yield me, TYPE, ns("AtTermChange")
    if chart.ju.yuan:
        yield me, TYPE, ns(_YUAN[chart.ju.yuan] or "")
    if any(p.unit == "transformed" for p in chart.pillars):
        yield me, TYPE, ns("Transforming")
    star, door = (next(p.number for p in chart.palaces if s in (*p.stars, p.door)) for s in (chart.star_on_duty, chart.door_on_duty))
    for what, at, home in (("Stars", star, _home_of(chart, chart.star_on_duty)), ("Doors", door, _home_of(chart, chart.door_on_duty))):
        if at == home:
            yield me, TYPE, ns(f"{what}AtHome")
        # The centre has no opposite.
        if at + home == 10 and at != CENTRE:
            yield me, TYPE, ns(f"{what}Reversed")
    stems = [ontology().one(s, ns("polarity")) for s in (chart.hour_stem, chart.day_stem)]
    if stems[0] == stems[1] and controls(chart, element_of(chart.hour_stem), element_of(chart.day_stem)):
        yield me, TYPE, ns("FiveUnmet")
    origin, flown = chart.palace(chart.origin), chart.palace(door)
    if any(hurts(chart, a, b) for a, b in ((origin, flown), (flown, origin))):
        yield me, TYPE, ns("FlyingHiddenHurt")
    for topic in given.topics:
        yield me, ns("askedAbout"), symbol("topic", topic)
    for question in given.asks:
        yield me, ns("asks"), symbol("question", question)
        if question in QUESTION_CLASS:
            yield me, TYPE, ns(QUESTION_CLASS[question])


def _in_mid_term(chart: QimenChart) -> bool:
    """Whether the moment lies in a 氣, the second term of its month, and not in a 節."""
    return chart.given.term is not None and chart.mid_term == named("SolarTerm")[chart.given.term]


def _home_of(chart: QimenChart, s: str) -> int:
    home = ontology().number(s, ns("home"))
    return home if chart.flying else chart.lodged(home)


def _part(chart: QimenChart, iri: str, kind: str) -> Iterator[Triple]:
    yield iri, TYPE, ns(kind)
    yield iri, ns("ofCast"), chart.iri
    yield chart.iri, ns("hasPart"), iri


def branches_of(chart: QimenChart) -> dict[str, tuple[str, ...]]:
    """Classes of palaces that hold a branch, to the branches on which they fall in this chart (天門 天馬 驛馬 陽貴 胎位 ...)."""
    o, t = ontology(), chart.tables
    order = o.ordered("Branch")
    day, hour = (o.one(chart.pair(u), ns("branch")) for u in ("day", "hour"))

    def table(key: str, row: str, column: str | None = None) -> tuple[str, ...]:
        return tuple(str(b) for b in t.get(key).all(row, column))

    found = {
        "EarthHousehold": tuple(order[(order.index(hour) + int(k) - 1) % 12] for k in t.get("household-places").all(ns("EarthHousehold"))),
        "StarYima": table("post-horse-qimen", day),
        "QYangNoble": table("yang-noble", chart.day_stem),
        "QYinNoble": table("yin-noble", chart.day_stem),
        "FetalSeat": table("stem-stages", chart.hour_stem, symbol("stage", "tai")),
        "GrowthSeat": table("stem-stages", chart.hour_stem, symbol("stage", "changsheng")),
        "KillingPalace": table("killing-branch", door_read(chart)),
    }
    if "month" in chart.given.pillars:
        month = o.one(chart.pair("month"), ns("branch"))
        found |= {"StarTianxi": table("heavenly-joy", month), "LivingBreath": table("life-breath", month)}
    if chart.mid_term:
        shift = order.index(hour) - order.index(t.get("month-general").iri_of(chart.mid_term))
        landed = {b: order[(i + shift) % 12] for i, b in enumerate(order)}
        for klass in ("HeavenGate", "HeavenHorse"):
            found[klass] = tuple(landed[b] for b in table("gate-branches", ns(klass)))
        noble = landed[found[iris.key(t.get("noble-by-hour").iri_of(hour))][0]]
        way = 1 if t.get("noble-way").iri_of(noble) == symbol("polarity", "yang") else -1
        found["PrivateGate"] = tuple(order[(order.index(noble) + way * (int(k) - 1)) % 12] for k in t.get("private-places").all(ns("PrivateGate")))
    return found


def door_read(chart: QimenChart) -> str:
    """The door on duty as the tables of doors know it: that of the centre is read as 死門."""
    return symbol("door", "death") if chart.door_on_duty == symbol("door", "centre") else chart.door_on_duty


def _palaces(chart: QimenChart) -> Iterator[Triple]:
    o, falls = ontology(), branches_of(chart)
    stems = {u: chart.instrument_of(chart.pair(u)) for u in ("year", "month", "day", "hour") if u in chart.given.pillars}
    spring = chart.tables.get("yellow-spring").all(chart.day_stem)
    star = element_of(chart.star_on_duty)
    for p in chart.palaces:
        yield from _part(chart, p.iri, "Palace")
        yield p.iri, TYPE, ns(f"Palace{_NUMBERS[p.number - 1]}")
        yield p.iri, ns("element"), p.element
        if p.number == chart.arrival:
            # What the star on duty enters is kin to it (飛符入鬼鄉); of other palaces the books name no kin.
            yield p.iri, ns("kin"), kin_of(chart.tables, star, p.element)
        yield p.iri, ns("earthStem"), p.earth
        for prop, values in (("heavenStem", p.heaven), ("palaceStar", p.stars), ("palaceDoor", (p.door,)), ("palaceDeity", (p.deity,))):
            yield from ((p.iri, ns(prop), v) for v in values if v)
        below = p.earth_deity if chart.flying else p.deity
        if below:
            yield p.iri, ns("earthDeity"), below
        for klass, branches in falls.items():
            if set(branches) & set(p.branches):
                yield p.iri, TYPE, ns(klass)
        if p.number == chart.origin:
            yield p.iri, TYPE, ns("OriginPalace")
            if chart.given.term:
                table = chart.tables.get("burial-frames" if chart.given.topics == ("burial",) else "qimen-frames")
                column = ns("MiddleTerm" if _in_mid_term(chart) else "OpeningTerm")
                yield p.iri, ns("frameElement"), table.iri_of(symbol("luoshu", p.number), column)
        for unit, stem in stems.items():
            if p.earth == stem:
                yield p.iri, TYPE, ns(f"Earth{unit.capitalize()}Stem")
        if p.trigram and p.trigram in spring:
            yield p.iri, TYPE, ns("YellowSpringPalace")
        if chart.given.mountain and o.one(symbol("mountain", chart.given.mountain), ns("luoshu")) == symbol("luoshu", p.number):
            yield p.iri, TYPE, ns("SittingMountain")


@cache
def _classes() -> dict[str, str]:
    """Stem, star, door or spirit to the class of it as it stands."""
    return {t.denotes: t.iri for t in names("qimen").terms.values() if t.denotes and "PlateSymbol" in t.kinds}


def _plates(chart: QimenChart) -> Iterator[Triple]:
    ruling = ontology().one(ontology().one(chart.pair("month"), ns("branch")), ns("element")) if "month" in chart.given.pillars else None
    for x in chart.plates:
        yield from _part(chart, x.iri, "PlateSymbol")
        yield x.iri, ns("landsIn"), chart.palace(x.palace).iri
        yield x.iri, ns("element"), x.element
        yield x.iri, ns("kin"), kin_of(chart.tables, element_of(chart.day_stem), x.element)
        if x.kind not in ("day-stem", "hour-stem"):
            yield x.iri, TYPE, _classes()[x.symbol]
        else:
            # Individuals of their own: 甲 as a symbol is the head of the decade of the hour, never the stem of a 甲 day.
            yield x.iri, TYPE, ns("QDayStem" if x.kind == "day-stem" else "QHourStem")
        if x.symbol == chart.star_on_duty:
            yield x.iri, TYPE, ns("StarOnDuty")
        if x.symbol == chart.door_on_duty:
            yield x.iri, TYPE, ns("DoorOnDuty")
            if chart.given.conventions.get("centre-door") != "none":
                yield x.iri, TYPE, _classes()[door_read(chart)]
        if x.kind == "star" and x.element == ruling:
            yield x.iri, TYPE, ns("RulingStar")
        if x.kind == "stem" and chart.given.crop and x.symbol == symbol("stem", chart.given.crop):
            yield x.iri, TYPE, ns("ChiefStem")
    for x, y in permutations(chart.plates, 2):
        if x.palace == y.palace:
            yield x.iri, ns("sharesPalace"), y.iri


def _pillars(chart: QimenChart) -> Iterator[Triple]:
    for p in chart.pillars:
        yield from _part(chart, p.iri, "NatalPillar" if p.natal else "Pillar")
        for klass in _PILLARS.get(p.unit, ()):
            yield p.iri, TYPE, ns(klass)
        yield p.iri, ns("element"), p.element
        yield p.iri, ns("kin"), kin_of(chart.tables, element_of(chart.day_stem), p.element)
        for prop, value in (("branch", p.branch), ("stem", p.stem), ("pair", p.pair)):
            if value:
                yield p.iri, ns(prop), value
        if p.natal and p.pair:
            yield p.iri, ns("landsIn"), chart.standing(chart.instrument_of(p.pair)).iri
            yield p.iri, ns("decadeHead"), ontology().one(p.pair, ns("decade"))


def _useful(chart: QimenChart, stated: Iterable[Triple]) -> Iterator[Triple]:
    """用神: the symbols that stand for what each topic asks about, among those stated."""
    known = list(stated)
    for topic in chart.given.topics:
        iri = symbol("topic", topic)
        for key in ("useful-symbols", "useful-symbols-unnamed"):
            classes = chart.tables.get(key).all(iri)
            found = [s for s, p, klass in known if p == TYPE and klass in classes]
            yield from ((s, TYPE, symbol("useful-god", topic)) for s in found)
            if found:
                break


# -- states --------------------------------------------------------------------------------------------------------------


def _states(chart: QimenChart) -> Iterator[Triple]:
    o = ontology()
    order = o.ordered("Branch")
    void = set(chart.void)
    hollow = void | {order[(order.index(b) + 6) % 12] for b in void}
    both = {str(b) for u in ("day", "hour") for b in chart.tables.get("void").all(o.one(chart.pair(u), ns("decade")))}
    for x in everything(chart):
        grade = grade_of(chart, x)
        if grade:
            yield from ((x.iri, TYPE, str(klass)) for key in ("seasonal-class", "seasonal-class-trigram") for klass in chart.tables.get(key).all(grade))
        if isinstance(x, HourPillar):
            mine, empty = {x.branch} - {None}, both
        else:
            mine, empty = {*(chart.palace(x.palace).branches if isinstance(x, Plate) else x.branches)}, void
        for klass, branches in (("Void", empty), ("Orphan", empty), ("OrphanOrHollow", hollow)):
            if mine & branches:
                yield x.iri, TYPE, ns(klass)
    tombed = [x for x in chart.plates if _in_stage(chart, x, "mu")]
    yield from ((x.iri, TYPE, ns("QTombed")) for x in tombed)
    yield from ((chart.palace(x.palace).iri, TYPE, ns("QTombed")) for x in tombed if x.kind == "stem")
    yield from ((x.iri, TYPE, ns("InGrowth")) for x in chart.plates if _in_stage(chart, x, "changsheng"))


def grade_of(chart: QimenChart, x: Part) -> str | None:
    """The seasonal grade: of stars by their own table, of doors and palaces by the eight terms, of spirits by their palace, of the rest by the month."""
    if isinstance(x, Plate) and x.kind == "deity":
        return grade_of(chart, chart.palace(x.palace))
    if isinstance(x, Palace) or (isinstance(x, Plate) and x.kind == "door"):
        if not chart.season_term:
            return None
        number = x.number if isinstance(x, Palace) else ontology().number(x.symbol, ns("home"))
        # The centre has no trigram: it goes with the palace in which it lodges.
        trigram = chart.palace(chart.lodged(number)).trigram
        return chart.tables.get("trigram-season").iri_of(chart.season_term, trigram)
    if "month" not in chart.given.pillars:
        return None
    month = ontology().one(chart.pair("month"), ns("branch"))
    if isinstance(x, Plate) and x.kind == "star":
        return chart.tables.get("star-seasons").iri_of(x.element, month)
    return chart.tables.get("month-season").iri_of(month, x.element)


def _in_stage(chart: QimenChart, x: Plate, stage: str) -> bool:
    """Whether a stem, star or door stands in the palace of a stage (墓, 長生) of its own."""
    palace = chart.palace(x.palace)
    if x.kind == "deity":
        return False
    if x.kind in ("star", "door"):
        found = {b for (element, b), values in chart.tables.get("stages").cells.items() if element == x.element and symbol("stage", stage) in values}
        return bool(found & set(palace.branches))
    wonder = chart.tables.get("wonder-tomb").all(x.symbol)
    if stage == "mu" and wonder:
        return symbol("luoshu", palace.number) in wonder
    return bool(set(chart.tables.get("stem-stages").all(x.symbol, symbol("stage", stage))) & set(palace.branches))
