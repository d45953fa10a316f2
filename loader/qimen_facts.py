"""The facts of an hour chart: every class and relation of its palaces, symbols and pillars, stated completely, so that absence can be concluded.

What acts on what is limited to what meets: a palace meets its star, its door and the branches of day and hour; a star, door or
spirit its palace; a stem the earth stem under it; the stems of day and hour each other; a pillar the other pillars; a person's
pillar the stems and branches of day and hour.
"""

from collections.abc import Iterator
from functools import cache
from itertools import permutations, product
from typing import Final

from loader import iris
from loader.iris import TYPE, Triple, ns, symbol
from loader.liuyao import kin_of
from loader.names import names
from loader.ontology import ontology
from loader.qimen import CENTRE, HourPillar, Palace, Plate, QimenChart

Part = Palace | Plate | HourPillar

_NUMBERS: Final = ("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
_HEADS: Final = {"jiayin": "JiaElder", "jiashen": "JiaElder", "jiazi": "JiaMiddle", "jiawu": "JiaMiddle", "jiachen": "JiaYoungest", "jiaxu": "JiaYoungest"}
_CLOSING: Final = frozenset({"jiashen", "jiachen", "jiaxu"})
"""甲 whose figure closes; 甲寅 opens, 甲子 and 甲午 are half open (三甲開闔)."""
_YUAN: Final = (None, "UpperYuan", "MiddleYuan", "LowerYuan")
QUESTION_CLASS: Final = {
    "first-birth": "FirstBirth", "second-birth": "SecondBirth", "third-birth": "ThirdBirth", "first-marriage": "FirstMarriage", "remarriage": "Remarriage",
}  # fmt: skip
"""Questions that are classes of the chart."""
_GRADES: Final = {"wang": "QStrong", "xiang": "QStrong", "xiu": "QResting", "qiu": "QImprisoned", "si": "QDead", "fei": "QDead", "mo": "QDead"}
"""旺 相, 休, 囚, 死 廢 沒; 胎 is none of them."""
_PILLARS: Final = {
    "day": ("QDayPillar",), "hour": ("QHourPillar",), "day-nayin": ("DayNayin",), "hour-nayin": ("HourNayin",), "transformed": ("TransformedQi",),
    "man-birth": ("PersonalPillar", "ManPillar"), "woman-birth": ("PersonalPillar", "WomanPillar"), "person-birth": ("PersonalPillar",),
    "man-age": ("PersonalPillar",), "woman-age": ("PersonalPillar",), "person-age": ("PersonalPillar",),
}  # fmt: skip
_USEFUL: Final = {
    "childbirth": ("star", "six-harmony"),
    "marriage": ("day-stem", "hour-stem"),
    "burial": ("star", "hour-stem"),
    "farming": ("crop", "hour-stem"),
}
"""用神 by chapter, of which the document gives no order (uncertain); of farming the hour stem only where no crop is named."""


def facts(chart: QimenChart) -> list[Triple]:
    """All facts of an hour chart as triples of IRIs."""
    parts = (_cast, _palaces, _plates, _pillars, _states, _meetings, _relations, _useful)
    return list(dict.fromkeys(fact for part in parts for fact in part(chart)))


def _cast(chart: QimenChart) -> Iterator[Triple]:
    me, given, head = chart.iri, chart.given, iris.key(chart.head)
    yield me, TYPE, ns("Cast")
    yield me, TYPE, ns(_HEADS[head])
    opens = ontology().one(chart.star_on_duty, ns("polarity")) == symbol("polarity", "yang")
    yield me, TYPE, ns("OpenChart" if opens else "ClosedChart")
    if opens and head == "jiayin":
        yield me, TYPE, ns("FullyOpen")
    if not opens and head in _CLOSING:
        yield me, TYPE, ns("FullyClosed")
    if given.term:
        yield me, TYPE, ns("InMidTerm" if mid(given.term) else "InMonthOpener")
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
    if stems[0] == stems[1] and _controls(chart, _element(chart.hour_stem), _element(chart.day_stem)):
        yield me, TYPE, ns("FiveUnmet")
    origin, flown = chart.palace(chart.origin), chart.palace(door)
    if any(_hurts(chart, a, b) for a, b in ((origin, flown), (flown, origin))):
        yield me, TYPE, ns("FlyingHiddenHurt")
    for topic in given.topics:
        yield me, ns("askedAbout"), symbol("topic", topic)
    for question in given.asks:
        yield me, ns("asks"), symbol("question", question)
        if question in QUESTION_CLASS:
            yield me, TYPE, ns(QUESTION_CLASS[question])


def mid(term: str) -> bool:
    """Whether a solar term is a 氣, the second of its month, and not a 節."""
    o = ontology()
    return next(o.number(t, ns("order")) % 2 == 0 for t in o.of_type("SolarTerm") if o.label(t) == term)


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
        # 建除 is laid from the branch of the month on that of the hour: 除 定 危 開 are the 2nd, 5th, 8th and 11th from it.
        "EarthHousehold": tuple(order[(order.index(hour) + k) % 12] for k in (1, 4, 7, 10)),
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
        found["HeavenGate"] = tuple(landed[symbol("branch", b)] for b in ("mao", "wei", "you"))
        found["HeavenHorse"] = (landed[symbol("branch", "mao")],)
        # By day, from 卯 to 申, the twelve generals follow the yang noble, by night the yin one; forward where it lands from 亥 to 辰.
        noble = order.index(landed[found["QYangNoble" if 3 <= order.index(hour) <= 8 else "QYinNoble"][0]])
        sign = 1 if noble in (11, 0, 1, 2, 3, 4) else -1
        found["PrivateGate"] = tuple(order[(noble + sign * k) % 12] for k in (3, 8, 10))
    return found


def door_read(chart: QimenChart) -> str:
    """The door on duty as the tables of doors know it: that of the centre is read as 死門."""
    return symbol("door", "death") if chart.door_on_duty == symbol("door", "centre") else chart.door_on_duty


def _palaces(chart: QimenChart) -> Iterator[Triple]:
    o, falls = ontology(), branches_of(chart)
    stems = {u: chart.instrument_of(chart.pair(u)) for u in ("year", "month", "day", "hour") if u in chart.given.pillars}
    spring = chart.tables.get("yellow-spring").all(chart.day_stem)
    star = _element(chart.star_on_duty)
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
                column = ns("MiddleTerm" if mid(chart.given.term) else "OpeningTerm")
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
        yield x.iri, ns("kin"), kin_of(chart.tables, _element(chart.day_stem), x.element)
        if x.kind not in ("day-stem", "hour-stem"):
            yield x.iri, TYPE, _classes()[x.symbol]
        if x.kind in ("day-stem", "hour-stem"):
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
        yield p.iri, ns("kin"), kin_of(chart.tables, _element(chart.day_stem), p.element)
        for prop, value in (("branch", p.branch), ("stem", p.stem), ("pair", p.pair)):
            if value:
                yield p.iri, ns(prop), value
        if p.natal and p.pair:
            yield p.iri, ns("landsIn"), chart.standing(chart.instrument_of(p.pair)).iri
            yield p.iri, ns("decadeHead"), ontology().one(p.pair, ns("decade"))


def _useful_of(chart: QimenChart, topic: str) -> Iterator[Plate]:
    """用神: the symbols that stand for what a topic asks about."""
    wanted: tuple[str, ...] = _USEFUL.get(topic, ())
    if topic == "farming":
        wanted = ("crop",) if chart.given.crop else ("hour-stem",)
    for x in chart.plates:
        words = {x.kind, iris.key(x.symbol)} - {"star"}
        if x.symbol == chart.star_on_duty:
            words.add("star")
        if x.kind == "stem" and iris.key(x.symbol) == chart.given.crop:
            words.add("crop")
        if words & set(wanted):
            yield x


def _useful(chart: QimenChart) -> Iterator[Triple]:
    for topic in chart.given.topics:
        yield from ((x.iri, TYPE, symbol("useful-god", topic)) for x in _useful_of(chart, topic))


# -- states --------------------------------------------------------------------------------------------------------------


def _states(chart: QimenChart) -> Iterator[Triple]:
    o = ontology()
    order = o.ordered("Branch")
    void, lone = set(chart.void), set(chart.void)
    hollow = lone | {order[(order.index(b) + 6) % 12] for b in lone}
    both = {str(b) for u in ("day", "hour") for b in chart.tables.get("void").all(o.one(chart.pair(u), ns("decade")))}
    for x in everything(chart):
        grade = grade_of(chart, x)
        if grade in _GRADES:
            yield x.iri, TYPE, ns(_GRADES[grade])
        if isinstance(x, HourPillar):
            mine, empty = {x.branch} - {None}, both
        else:
            mine, empty = {*(chart.palace(x.palace).branches if isinstance(x, Plate) else x.branches)}, void
        for klass, branches in (("Void", empty), ("Orphan", empty if isinstance(x, HourPillar) else lone), ("OrphanOrHollow", hollow)):
            if mine & branches:
                yield x.iri, TYPE, ns(klass)
    tombed = [x for x in chart.plates if _in_stage(chart, x, "mu")]
    yield from ((x.iri, TYPE, ns("QTombed")) for x in tombed)
    yield from ((chart.palace(x.palace).iri, TYPE, ns("QTombed")) for x in tombed if x.kind == "stem")
    yield from ((x.iri, TYPE, ns("InGrowth")) for x in chart.plates if _in_stage(chart, x, "changsheng"))


def everything(chart: QimenChart) -> tuple[Part, ...]:
    """Every palace, symbol and pillar of the chart."""
    return (*chart.palaces, *chart.plates, *chart.pillars)


def grade_of(chart: QimenChart, x: Part) -> str | None:
    """Key of the seasonal grade: of stars by their own table, of doors and palaces by the eight terms, of spirits by their palace, of the rest by the month."""
    if isinstance(x, Plate) and x.kind == "deity":
        return grade_of(chart, chart.palace(x.palace))
    if isinstance(x, Palace) or x_is_door(x):
        if not chart.season_term:
            return None
        number = x.number if isinstance(x, Palace) else ontology().number(x.symbol, ns("home")) if isinstance(x, Plate) else CENTRE
        # The centre has no trigram: it goes with the palace in which it lodges.
        trigram = chart.palace(chart.lodged(number)).trigram
        return iris.key(chart.tables.get("trigram-season").iri_of(chart.season_term, trigram))
    if "month" not in chart.given.pillars:
        return None
    month = ontology().one(chart.pair("month"), ns("branch"))
    if isinstance(x, Plate) and x.kind == "star":
        return iris.key(chart.tables.get("star-seasons").iri_of(x.element, month))
    return iris.key(chart.tables.get("month-season").iri_of(month, x.element))


def x_is_door(x: Part) -> bool:
    """Whether it is a door as it stands."""
    return isinstance(x, Plate) and x.kind == "door"


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


# -- what acts on what ---------------------------------------------------------------------------------------------------


def _element(s: str) -> str:
    return ontology().one(s, ns("element"))


def _generates(chart: QimenChart, a: str, b: str) -> bool:
    return chart.tables.get("element-generates").one(a) == b


def _controls(chart: QimenChart, a: str, b: str) -> bool:
    return chart.tables.get("element-controls").one(a) == b


def _branch_related(chart: QimenChart, how: str, a: str, b: str) -> bool:
    return b in chart.tables.get(f"branch-{how}").all(a)


def _branches_combine(chart: QimenChart, a: str, b: str) -> bool:
    """六合, or two of a 三合."""
    return _branch_related(chart, "combines", a, b) or (a != b and any({a, b} <= set(v) for v in chart.tables.get("frames").cells.values()))


def branches_held(x: Part) -> tuple[str, ...]:
    """The branches that an individual has."""
    return ((x.branch,) if x.branch else ()) if isinstance(x, HourPillar) else x.branches


def _struck(chart: QimenChart, stem: str, palace: int) -> bool:
    """六儀擊刑 of a stem: by default only of the one under which the 甲 of the hour hides."""
    if stem != chart.instrument and chart.given.conventions.get("jixing") != "any":
        return False
    return symbol("luoshu", palace) in chart.tables.get("instrument-punishment").all(stem)


@cache
def _met_words() -> tuple[tuple[str, str], ...]:
    return (("punishes", "Punished"), ("clashes", "Clashed"), ("harms", "Harmed"))


def _meetings(chart: QimenChart) -> Iterator[Triple]:
    """受克 受生 逢合 受刑 受沖 受害, and the star that generates or combines with what stands with it."""
    o = ontology()
    moment = [p for p in chart.pillars if p.unit in ("day", "hour")]
    for x in everything(chart):
        for element in _met_elements(chart, x):
            if _controls(chart, element, x.element):
                yield x.iri, TYPE, ns("Controlled")
            if _generates(chart, element, x.element):
                yield x.iri, TYPE, ns("Generated")
        if _meets_combination(chart, x):
            yield x.iri, TYPE, ns("Combined")
        if isinstance(x, HourPillar):
            others = [
                p for p in (chart.pillars if not x.natal else moment) if p.unit in ("year", "month", "day", "hour") and p.unit != x.unit.removesuffix("-nayin")
            ]
        else:
            own = {"day-stem": "day", "hour-stem": "hour"}.get(x.kind) if isinstance(x, Plate) else None
            others = [p for p in moment if p.unit != own]
        for (how, klass), mine, theirs in product(_met_words(), branches_held(x), others):
            if theirs.branch and _branch_related(chart, how, theirs.branch, mine):
                yield x.iri, TYPE, ns(klass)
        if isinstance(x, Palace) and any(_struck(chart, s, x.number) for s in x.heaven):
            yield x.iri, TYPE, ns("Punished")
        if isinstance(x, Plate) and x.kind in ("stem", "jia", "day-stem", "hour-stem"):
            stands = chart.palace(x.palace)
            if any(_struck(chart, s, x.palace) for s in stands.heaven if s == (chart.instrument if x.kind == "jia" else x.symbol)):
                yield x.iri, TYPE, ns("Punished")
            if x.kind == "stem" and stands.earth in chart.tables.get("stem-clashes").all(x.symbol):
                yield x.iri, TYPE, ns("Clashed")
        if isinstance(x, Plate) and x.kind != "star":
            for star in chart.palace(x.palace).stars:
                e = o.one(star, ns("element"))
                if _generates(chart, e, x.element) or _generates(chart, x.element, e):
                    yield x.iri, TYPE, ns("StarGeneratesOrCombines")


def _met_elements(chart: QimenChart, x: Part) -> Iterator[str]:
    """Elements of what it meets."""
    o = ontology()
    if isinstance(x, Palace):
        yield from (_element(s) for s in (*x.stars, x.door) if s and o.iris(s, ns("element")))
        yield from (_element(p.branch) for p in chart.pillars if p.unit in ("day", "hour") and p.branch)
    elif isinstance(x, Plate) and x.kind in ("star", "door", "deity"):
        yield chart.palace(x.palace).element
    elif isinstance(x, Plate):
        yield _element(chart.palace(x.palace).earth)
        if x.kind in ("day-stem", "hour-stem"):
            yield _element(chart.hour_stem if x.kind == "day-stem" else chart.day_stem)
    elif x.natal:
        yield from (_element(s) for p in chart.pillars if p.unit in ("day", "hour") for s in (p.stem, p.branch) if s)
    elif x.unit.endswith("-nayin"):
        yield from (p.element for p in chart.pillars if p.unit.endswith("-nayin") and p.unit != x.unit)
    elif x.unit != "transformed":
        yield from (p.element for p in chart.pillars if p.unit in ("year", "month", "day", "hour") and p.unit != x.unit)


def _meets_combination(chart: QimenChart, x: Part) -> bool:
    stems = chart.tables.get("stem-combines")
    moment = [p for p in chart.pillars if p.unit in ("day", "hour")]
    if isinstance(x, Palace):
        return any(_branches_combine(chart, b, p.branch) for b in x.branches for p in moment if p.branch)
    if isinstance(x, Plate):
        if x.kind in ("star", "door", "deity"):
            return False
        met = [chart.palace(x.palace).earth, *([chart.hour_stem] if x.kind == "day-stem" else [chart.day_stem] if x.kind == "hour-stem" else [])]
        return any(s in stems.all(x.symbol) for s in met)
    others = [p for p in (moment if x.natal else chart.pillars) if p.unit in ("year", "month", "day", "hour") and p.unit != x.unit.removesuffix("-nayin")]
    return any((x.stem and p.stem in stems.all(x.stem)) or (x.branch and p.branch and _branches_combine(chart, x.branch, p.branch)) for p in others)


def _hurts(chart: QimenChart, a: Part, b: Part) -> bool:
    return _controls(chart, a.element, b.element) or any(
        _branch_related(chart, how, x, y) for how, _ in _met_words() for x in branches_held(a) for y in branches_held(b)
    )


def _relations(chart: QimenChart) -> Iterator[Triple]:
    """生 克 合 刑 沖 害 between all individuals, and 催 between symbols."""
    stems = chart.tables.get("stem-combines")
    for x, y in permutations(everything(chart), 2):
        if _generates(chart, x.element, y.element):
            yield x.iri, ns("generates"), y.iri
        if _controls(chart, x.element, y.element):
            yield x.iri, ns("controls"), y.iri
        if _is_stem(x) and _is_stem(y):
            combines = y.symbol in stems.all(x.symbol)  # type: ignore[union-attr]  # _is_stem says that both are plates
        else:
            combines = not _is_stem(x) and not _is_stem(y) and any(_branches_combine(chart, a, b) for a in branches_held(x) for b in branches_held(y))
        if combines:
            yield x.iri, ns("qCombinesWith"), y.iri
        if not (isinstance(x, Plate) and x.kind in ("star", "door", "deity")) and not (isinstance(y, Plate) and y.kind in ("star", "door", "deity")):
            for how, _ in _met_words():
                if any(_branch_related(chart, how, a, b) for a in branches_held(x) for b in branches_held(y)):
                    yield x.iri, ns(how), y.iri
        if isinstance(x, Plate) and isinstance(y, Plate) and _urges(chart, x, y):
            yield x.iri, ns("urges"), y.iri


def _is_stem(x: Part) -> bool:
    return isinstance(x, Plate) and x.kind in ("stem", "jia", "day-stem", "hour-stem")


def _urges(chart: QimenChart, x: Plate, y: Plate) -> bool:
    """催: the palace of the one clashes or controls that of the other, or the one stands over the other's stem of the earth plate (uncertain)."""
    a, b = chart.palace(x.palace), chart.palace(y.palace)
    if _controls(chart, a.element, b.element) or any(_branch_related(chart, "clashes", p, q) for p in a.branches for q in b.branches):
        return True
    return x.kind == "stem" and y.kind == "stem" and a.earth == y.symbol
