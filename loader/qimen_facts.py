"""The facts of an hour chart: every class and relation of its palaces, symbols and pillars, stated completely, so that absence can be concluded."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import permutations
from typing import Final

from loader import iris
from loader.iris import TYPE, Triple, ns, symbol
from loader.liuyao import UNITS, kin_of, named
from loader.meetings import Part, controls, element_of, everything, hurts, meetings, relations
from loader.names import names
from loader.ontology import ontology
from loader.qimen import CENTRE, PALACES, HourPillar, Palace, Plate, QimenChart

_NUMBERS: Final = ("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
_YUAN: Final = (None, "UpperYuan", "MiddleYuan", "LowerYuan")
QUESTION_CLASS: Final = {
    "first-birth": "FirstBirth", "second-birth": "SecondBirth", "third-birth": "ThirdBirth", "first-marriage": "FirstMarriage", "remarriage": "Remarriage",
}  # fmt: skip
"""Questions that are classes of the chart."""
_MOMENT: Final = {"day-stem": "QDayStem", "hour-stem": "QHourStem"}
USEFUL: Final = ("useful-symbols", "useful-symbols-unnamed")
"""The tables of the symbols that stand for a topic, the one that is asked first in front."""
_PILLARS: Final = {
    "day": ("QDayPillar",), "hour": ("QHourPillar",), "day-nayin": ("DayNayin",), "hour-nayin": ("HourNayin",), "transformed": ("TransformedQi",),
    "man-birth": ("PersonalPillar", "ManPillar"), "woman-birth": ("PersonalPillar", "WomanPillar"), "person-birth": ("PersonalPillar",),
    "man-age": ("PersonalPillar",), "woman-age": ("PersonalPillar",), "person-age": ("PersonalPillar",),
}  # fmt: skip


def facts(chart: QimenChart) -> list[Triple]:
    """All facts of an hour chart as triples of IRIs."""
    parts = (figured, timed, of_stems, asked, _frame, of_day, sitting, _falls, _plates, _pillars, _states, meetings, relations)
    found = dict.fromkeys(fact for part in parts for fact in part(chart))
    return list(found | dict.fromkeys(_useful(chart, found)))


def figured(chart: QimenChart) -> Iterator[Triple]:
    """What 局 and hour settle of the chart itself and of each palace by itself."""
    me = chart.iri
    yield me, TYPE, ns("Cast")
    yield me, TYPE, chart.tables.get("jia-class").iri_of(chart.head)
    opens = ontology().one(chart.star_on_duty, ns("polarity")) == symbol("polarity", "yang")
    yield me, TYPE, ns("OpenChart" if opens else "ClosedChart")
    figure = ns("FullyOpen" if opens else "FullyClosed")
    if figure in chart.tables.get("jia-figure").all(chart.head):
        yield me, TYPE, figure
    star, door = (next(p.number for p in chart.palaces if s in (*p.stars, p.door)) for s in (chart.star_on_duty, chart.door_on_duty))
    for what, at, home in (("Stars", star, _home_of(chart, chart.star_on_duty)), ("Doors", door, _home_of(chart, chart.door_on_duty))):
        if at == home:
            yield me, TYPE, ns(f"{what}AtHome")
        # The centre has no opposite.
        if at + home == 10 and at != CENTRE:
            yield me, TYPE, ns(f"{what}Reversed")
    origin, flown = chart.palace(chart.origin), chart.palace(door)
    if any(hurts(chart, a, b) for a, b in ((origin, flown), (flown, origin))):
        yield me, TYPE, ns("FlyingHiddenHurt")
    for p in chart.palaces:
        yield from _palace(chart, p)


def timed(chart: QimenChart) -> Iterator[Triple]:
    """What the solar term, its change within the hour and the 元 say of the chart itself."""
    me, given = chart.iri, chart.given
    if given.term:
        yield me, TYPE, ns("InMidTerm" if _in_mid_term(chart) else "InMonthOpener")
    if given.term_changes:
        yield me, TYPE, ns("AtTermChange")
    if chart.ju.yuan:
        yield me, TYPE, ns(_YUAN[chart.ju.yuan] or "")


def of_stems(chart: QimenChart) -> Iterator[Triple]:
    """What the stems of day and hour together say of the chart itself."""
    if any(p.unit == "transformed" for p in chart.pillars):
        yield chart.iri, TYPE, ns("Transforming")
    day, hour = chart.day_stem, chart.hour_stem
    if ontology().one(hour, ns("polarity")) == ontology().one(day, ns("polarity")) and controls(chart, element_of(hour), element_of(day)):
        yield chart.iri, TYPE, ns("FiveUnmet")


def asked(chart: QimenChart) -> Iterator[Triple]:
    """What is asked: topics and narrower questions."""
    me = chart.iri
    for topic in chart.given.topics:
        yield me, ns("askedAbout"), symbol("topic", topic)
    for question in chart.given.asks:
        yield me, ns("asks"), symbol("question", question)
        if question in QUESTION_CLASS:
            yield me, TYPE, ns(QUESTION_CLASS[question])


def _in_mid_term(chart: QimenChart) -> bool:
    """Whether the moment lies in a 氣, the second term of its month, and not in a 節."""
    return chart.given.term is not None and chart.mid_term == named("SolarTerm")[chart.given.term]


def _home_of(chart: QimenChart, s: str) -> int:
    home = ontology().number(s, ns("home"))
    return home if chart.flying else chart.lodged(home)


def of_part(chart: QimenChart, iri: str, kind: str) -> Iterator[Triple]:
    """What is said of each individual: its kind, and whose part it is."""
    yield iri, TYPE, ns(kind)
    yield iri, ns("ofCast"), chart.iri
    yield chart.iri, ns("hasPart"), iri


def branches_of(chart: QimenChart) -> dict[str, tuple[str, ...]]:
    """Classes of palaces that hold a branch, to the branches on which they fall in this chart (天門 天馬 驛馬 陽貴 胎位 ...)."""
    return branches_by_hour(chart) | branches_by_day(chart) | branches_by_month(chart) | branches_by_term(chart)


def _branches(chart: QimenChart, table: str, row: str, column: str | None = None) -> tuple[str, ...]:
    return tuple(str(b) for b in chart.tables.get(table).all(row, column))


def branches_by_hour(chart: QimenChart) -> dict[str, tuple[str, ...]]:
    """Those of `branches_of` that 局 and hour settle."""
    order = ontology().ordered("Branch")
    hour = ontology().one(chart.pair("hour"), ns("branch"))
    return {
        "EarthHousehold": tuple(order[(order.index(hour) + int(k) - 1) % 12] for k in chart.tables.get("household-places").all(ns("EarthHousehold"))),
        "FetalSeat": _branches(chart, "stem-stages", chart.hour_stem, symbol("stage", "tai")),
        "GrowthSeat": _branches(chart, "stem-stages", chart.hour_stem, symbol("stage", "changsheng")),
        "KillingPalace": _branches(chart, "killing-branch", door_read(chart)),
    }


def branches_by_day(chart: QimenChart) -> dict[str, tuple[str, ...]]:
    """Those of `branches_of` that the day settles."""
    return {
        "StarYima": _branches(chart, "post-horse-qimen", ontology().one(chart.pair("day"), ns("branch"))),
        "QYangNoble": _branches(chart, "yang-noble", chart.day_stem),
        "QYinNoble": _branches(chart, "yin-noble", chart.day_stem),
    }


def branches_by_month(chart: QimenChart) -> dict[str, tuple[str, ...]]:
    """Those of `branches_of` that the month settles; none where it is not known."""
    if "month" not in chart.given.pillars:
        return {}
    month = ontology().one(chart.pair("month"), ns("branch"))
    return {"StarTianxi": _branches(chart, "heavenly-joy", month), "LivingBreath": _branches(chart, "life-breath", month)}


def branches_by_term(chart: QimenChart) -> dict[str, tuple[str, ...]]:
    """Those of `branches_of` that mid-month term, branch of the hour and stem of the day settle; none where the term is not known."""
    if not chart.mid_term:
        return {}
    o, t = ontology(), chart.tables
    order = o.ordered("Branch")
    hour = o.one(chart.pair("hour"), ns("branch"))
    shift = order.index(hour) - order.index(t.get("month-general").iri_of(chart.mid_term))
    landed = {b: order[(i + shift) % 12] for i, b in enumerate(order)}
    found = {klass: tuple(landed[b] for b in _branches(chart, "gate-branches", ns(klass))) for klass in ("HeavenGate", "HeavenHorse")}
    # The generals are counted from where that noble of the day lands which rules at the hour.
    noble = landed[branches_by_day(chart)[iris.key(t.get("noble-by-hour").iri_of(hour))][0]]
    way = 1 if t.get("noble-way").iri_of(noble) == symbol("polarity", "yang") else -1
    found["PrivateGate"] = tuple(order[(order.index(noble) + way * (int(k) - 1)) % 12] for k in t.get("private-places").all(ns("PrivateGate")))
    return found


def door_read(chart: QimenChart) -> str:
    """The door on duty as the tables of doors know it: that of the centre is read as 死門."""
    return symbol("door", "death") if chart.door_on_duty == symbol("door", "centre") else chart.door_on_duty


def _palace(chart: QimenChart, p: Palace) -> Iterator[Triple]:
    yield from of_part(chart, p.iri, "Palace")
    yield p.iri, TYPE, ns(f"Palace{_NUMBERS[p.number - 1]}")
    yield p.iri, ns("element"), p.element
    if p.number == chart.arrival:
        # What the star on duty enters is kin to it (飛符入鬼鄉); of other palaces the books name no kin.
        yield p.iri, ns("kin"), kin_of(chart.tables, element_of(chart.star_on_duty), p.element)
    yield p.iri, ns("earthStem"), p.earth
    for prop, values in (("heavenStem", p.heaven), ("palaceStar", p.stars), ("palaceDoor", (p.door,)), ("palaceDeity", (p.deity,))):
        yield from ((p.iri, ns(prop), v) for v in values if v)
    below = p.earth_deity if chart.flying else p.deity
    if below:
        yield p.iri, ns("earthDeity"), below
    if p.number == chart.origin:
        yield p.iri, TYPE, ns("OriginPalace")


def frame_table(topics: tuple[str, ...]) -> str:
    """Key of the table of 局 frames by which a question on some topics is judged."""
    return "burial-frames" if topics == ("burial",) else "qimen-frames"


def frame_elements(chart: QimenChart, table: str) -> dict[int, str]:
    """Each palace to its element by a table of frames, in the half of the month that the solar term begins; none where it is not known."""
    if not chart.given.term:
        return {}
    column = ns("MiddleTerm" if _in_mid_term(chart) else "OpeningTerm")
    return {p: chart.tables.get(table).iri_of(symbol("luoshu", p), column) for p in PALACES}


def _frame(chart: QimenChart) -> Iterator[Triple]:
    found = frame_elements(chart, frame_table(chart.given.topics))
    if found:
        yield chart.palace(chart.origin).iri, ns("frameElement"), found[chart.origin]


def of_day(chart: QimenChart) -> Iterator[Triple]:
    """What the stem of the day says of each palace by itself."""
    spring = chart.tables.get("yellow-spring").all(chart.day_stem)
    yield from ((p.iri, TYPE, ns("YellowSpringPalace")) for p in chart.palaces if p.trigram and p.trigram in spring)


def sitting(chart: QimenChart) -> Iterator[Triple]:
    """The palace of the sitting mountain, where one is given."""
    mountain = chart.given.mountain
    if mountain:
        seat = ontology().one(symbol("mountain", mountain), ns("luoshu"))
        yield from ((p.iri, TYPE, ns("SittingMountain")) for p in chart.palaces if seat == symbol("luoshu", p.number))


def earth_class(unit: str) -> str:
    """The class of the palace in which the stem of a pillar lies on the earth plate."""
    return ns(f"Earth{unit.capitalize()}Stem")


def _falls(chart: QimenChart) -> Iterator[Triple]:
    """The palaces that hold a branch of `branches_of`, or the stem of a pillar."""
    falls = branches_of(chart)
    stems = {u: chart.instrument_of(chart.pair(u)) for u in UNITS if u in chart.given.pillars}
    for p in chart.palaces:
        yield from ((p.iri, TYPE, ns(klass)) for klass, branches in falls.items() if set(branches) & set(p.branches))
        yield from ((p.iri, TYPE, earth_class(unit)) for unit, stem in stems.items() if p.earth == stem)


@cache
def _classes() -> dict[str, str]:
    """Stem, star, door or spirit to the class of it as it stands."""
    return {t.denotes: t.iri for t in names("qimen").terms.values() if t.denotes and "PlateSymbol" in t.kinds}


def duty(chart: QimenChart, x: Plate) -> Iterator[str]:
    """The classes of the star or door on duty."""
    if x.symbol == chart.star_on_duty:
        yield ns("StarOnDuty")
    if x.symbol == chart.door_on_duty:
        yield ns("DoorOnDuty")
        if chart.given.conventions.get("centre-door") != "none":
            yield plate_class("door", door_read(chart))


def plate_class(kind: str, s: str) -> str:
    """The class of a symbol as it stands.

    The stems of day and hour are individuals of their own: 甲 as a symbol is the head of the decade of the hour, never the stem of a 甲 day.
    """
    return ns(_MOMENT[kind]) if kind in _MOMENT else _classes()[s]


def ruling(chart: QimenChart) -> str | None:
    """The element of the month, by which a star rules; None where the month is not known."""
    return element_of(ontology().one(chart.pair("month"), ns("branch"))) if "month" in chart.given.pillars else None


def _plates(chart: QimenChart) -> Iterator[Triple]:
    day, month = element_of(chart.day_stem), ruling(chart)
    for x in chart.plates:
        yield from of_part(chart, x.iri, "PlateSymbol")
        yield x.iri, ns("landsIn"), chart.palace(x.palace).iri
        yield x.iri, ns("element"), x.element
        yield x.iri, ns("kin"), kin_of(chart.tables, day, x.element)
        yield x.iri, TYPE, plate_class(x.kind, x.symbol)
        yield from ((x.iri, TYPE, klass) for klass in duty(chart, x))
        if x.kind == "star" and x.element == month:
            yield x.iri, TYPE, ns("RulingStar")
        if x.kind == "stem" and chart.given.crop and x.symbol == symbol("stem", chart.given.crop):
            yield x.iri, TYPE, ns("ChiefStem")
    for x, y in permutations(chart.plates, 2):
        if x.palace == y.palace:
            yield x.iri, ns("sharesPalace"), y.iri


def of_pillar(chart: QimenChart, p: HourPillar) -> Iterator[Triple]:
    """What a pillar says of itself."""
    yield from of_part(chart, p.iri, "NatalPillar" if p.natal else "Pillar")
    for klass in _PILLARS.get(p.unit, ()):
        yield p.iri, TYPE, ns(klass)
    yield p.iri, ns("element"), p.element
    for prop, value in (("branch", p.branch), ("stem", p.stem), ("pair", p.pair)):
        if value:
            yield p.iri, ns(prop), value
    if p.natal and p.pair:
        yield p.iri, ns("decadeHead"), ontology().one(p.pair, ns("decade"))


def _pillars(chart: QimenChart) -> Iterator[Triple]:
    for p in chart.pillars:
        yield from of_pillar(chart, p)
        yield p.iri, ns("kin"), kin_of(chart.tables, element_of(chart.day_stem), p.element)
        if p.natal and p.pair:
            yield p.iri, ns("landsIn"), chart.standing(chart.instrument_of(p.pair)).iri


def _useful(chart: QimenChart, stated: Iterable[Triple]) -> Iterator[Triple]:
    """用神: the symbols that stand for what each topic asks about, among those stated."""
    known = list(stated)
    for topic in chart.given.topics:
        iri = symbol("topic", topic)
        for key in USEFUL:
            classes = chart.tables.get(key).all(iri)
            found = [s for s, p, klass in known if p == TYPE and klass in classes]
            yield from ((s, TYPE, symbol("useful-god", topic)) for s in found)
            if found:
                break


# -- states --------------------------------------------------------------------------------------------------------------


def _states(chart: QimenChart) -> Iterator[Triple]:
    void = set(chart.void)
    hollow = void | {opposite(b) for b in void}
    both = {*chart.void_of("day"), *chart.void_of("hour")}
    for x in everything(chart):
        yield from ((x.iri, TYPE, klass) for klass in seasonal_classes(chart, x))
        if isinstance(x, HourPillar):
            mine, empty = {x.branch} - {None}, both
        else:
            mine, empty = {*(chart.palace(x.palace).branches if isinstance(x, Plate) else x.branches)}, void
        for klass, branches in (("Void", empty), ("Orphan", empty), ("OrphanOrHollow", hollow)):
            if mine & branches:
                yield x.iri, TYPE, ns(klass)
    tombed = [x for x in chart.plates if in_stage(chart, x, "mu")]
    yield from ((x.iri, TYPE, ns("QTombed")) for x in tombed)
    yield from ((chart.palace(x.palace).iri, TYPE, ns("QTombed")) for x in tombed if x.kind == "stem")
    yield from ((x.iri, TYPE, ns("InGrowth")) for x in chart.plates if in_stage(chart, x, "changsheng"))


def opposite(branch: str) -> str:
    """The branch on the other side, six further on (虛, opposite to 孤)."""
    order = ontology().ordered("Branch")
    return order[(order.index(branch) + 6) % 12]


def seasonal_classes(chart: QimenChart, x: Part) -> list[str]:
    """The classes of strength of an individual; none where its grade is not known."""
    grade = grade_of(chart, x)
    keys = ("seasonal-class", "seasonal-class-trigram") if grade else ()
    return [str(klass) for key in keys for klass in chart.tables.get(key).all(grade or "")]


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


def in_stage(chart: QimenChart, x: Plate, stage: str) -> bool:
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
