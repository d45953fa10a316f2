"""The patterns (格) of the hour chart: over all 1,080 charts what the definitions derive is what plain loops over the plates find."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from kg.closure import Stated, close
from kg.reasoning import engine
from loader.axioms import compile_clauses
from loader.calendar import PAIRS
from loader.iris import ns
from loader.ontology import ontology
from loader.qimen import Ju, Palace, QimenChart, QimenGiven
from loader.qimen_facts import facts
from loader.tables import choose

WONDERS, LUCKY = "乙丙丁", {"休門", "生門", "開門"}
DOORS = {"休": "水", "生": "土", "傷": "木", "杜": "木", "景": "火", "死": "土", "驚": "金", "開": "金"}
PALACES = "水土木木土金金土火"
CONTROLS = {"木": "土", "土": "水", "水": "火", "火": "金", "金": "木"}
STRUCK = {"戊": 3, "己": 2, "庚": 8, "辛": 9, "壬": 4, "癸": 4}


class Plain:
    """A palace in plain characters."""

    def __init__(self, c: QimenChart, p: Palace) -> None:
        label = ontology().label
        self.n, self.heaven, self.earth = p.number, "".join(map(label, p.heaven)), label(p.earth)
        self.door, self.spirit, self.below = (label(x) if x else "" for x in (p.door, p.deity, p.earth_deity))
        self.chief = c.instrument in p.heaven
        self.home = p.number == c.origin
        self.on_duty = c.door_on_duty == p.door
        self.day, self.hour, self.year, self.month = (label(c.instrument_of(c.pair(u))) for u in ("day", "hour", "year", "month"))
        self.yi = label(c.instrument)

    def over(self, heaven: str, earth: str) -> bool:
        return heaven == self.heaven and earth == self.earth

    @property
    def wonder(self) -> bool:
        return self.heaven in WONDERS

    @property
    def pretence(self) -> bool:
        return self.heaven in "丁己癸"


BY_PALACE: dict[str, Callable[[Plain], bool]] = {
    "青龍返首": lambda p: p.chief and p.earth == "丙",
    "飛鳥跌穴": lambda p: p.home and p.heaven == "丙",
    "白虎猖狂": lambda p: p.over("辛", "乙"),
    "青龍逃走": lambda p: p.over("乙", "辛"),
    "螣蛇夭矯": lambda p: p.over("癸", "丁"),
    "朱雀投江": lambda p: p.over("丁", "癸"),
    "熒入白": lambda p: p.over("丙", "庚"),
    "白入熒": lambda p: p.over("庚", "丙"),
    "大格": lambda p: p.over("庚", "癸"),
    "小格": lambda p: p.over("庚", "壬"),
    "刑格": lambda p: p.over("庚", "己"),
    "伏宮": lambda p: p.home and p.heaven == "庚",
    "飛宮": lambda p: p.chief and p.earth == "庚",
    "伏干": lambda p: p.over("庚", p.day),
    "飛干": lambda p: p.over(p.day, "庚"),
    "歲格": lambda p: p.over("庚", p.year),
    "月格": lambda p: p.over("庚", p.month),
    "日格": lambda p: p.over("庚", p.day),
    "時格": lambda p: p.over("庚", p.hour),
    "悖格": lambda p: p.heaven == "丙" and (p.home or p.earth in (p.year, p.month, p.day, p.hour, "丙")),
    "歲悖格": lambda p: p.over("丙", p.year),
    "月悖格": lambda p: p.over("丙", p.month),
    "日悖格": lambda p: p.over("丙", p.day),
    "時悖格": lambda p: p.over("丙", p.hour),
    "天網四張": lambda p: p.over("癸", p.hour),
    "地羅": lambda p: p.over("壬", p.hour),
    "六儀擊刑": lambda p: p.chief and STRUCK[p.yi] == p.n,
    "三奇入墓": lambda p: (p.heaven, p.n) in {("乙", 2), ("丙", 6), ("丁", 8)},
    "三奇得使": lambda p: p.earth in {"乙": "己辛", "丙": "戊庚", "丁": "壬癸"}.get(p.heaven, ""),
    # The door of the centre is read as 死門, earth.
    "門迫": lambda p: p.on_duty and CONTROLS[DOORS.get(p.door[0], "土")] == PALACES[p.n - 1],
    "玉女守門": lambda p: p.on_duty and p.earth == "丁",
    "天遁": lambda p: p.door == "生門" and p.over("丙", "丁"),
    "地遁": lambda p: p.door == "開門" and p.over("乙", "己"),
    "人遁": lambda p: p.door == "休門" and p.heaven == "丁" and p.spirit == "太陰",
    "風遁": lambda p: p.door in LUCKY and p.heaven == "乙" and p.n == 4,
    "雲遁": lambda p: p.door in LUCKY and p.over("乙", "辛"),
    "龍遁": lambda p: p.door == "休門" and p.heaven == "乙" and p.n == 1,
    "虎遁": lambda p: p.door == "休門" and p.over("乙", "辛") and p.n == 8,
    "神遁": lambda p: p.door == "生門" and p.heaven == "丙" and p.spirit == "九天",
    "鬼遁": lambda p: p.door == "杜門" and p.heaven in "乙丁" and p.spirit == "九地",
    "真詐": lambda p: p.door in LUCKY and p.wonder and p.below == "太陰",
    "休詐": lambda p: p.door in LUCKY and p.wonder and p.below == "六合",
    "重詐": lambda p: p.door in LUCKY and p.wonder and p.below == "九地",
    "天假": lambda p: p.door == "景門" and p.wonder and p.below == "九天",
    "地假": lambda p: p.pretence and ((p.door == "杜門" and p.below == "九地") or (p.door == "傷門" and p.below in ("太陰", "六合"))),
    "神假": lambda p: p.door == "傷門" and p.pretence and p.below == "九地",
    "人假": lambda p: p.door == "驚門" and p.spirit == "六合" and p.below == "九天",
    "鬼假": lambda p: p.door == "死門" and p.pretence and p.below == "九地",
}
GROUPS = {
    "九遁": ("天遁", "地遁", "人遁", "風遁", "雲遁", "龍遁", "虎遁", "神遁", "鬼遁"),
    "三詐": ("真詐", "休詐", "重詐"),
    "五假": ("天假", "地假", "神假", "人假", "鬼假"),
}
NEVER = {
    # What stands on the hour stem is the 儀 of the head of the decade, one of 戊 to 癸.
    "時悖格": "丙 never stands on the hour stem",
    # 九天 stands one palace behind the star on duty, so with the stem before its 儀 in 戊己庚辛壬癸丁丙乙: before the six 儀 stand 乙戊己庚辛壬.
    "神遁": "九天 of the heaven plate never stands with 丙 when the plate flies",
}


def charts() -> Iterator[QimenChart]:
    conventions = choose({})
    for yang, number, hour in itertools.product((True, False), range(1, 10), range(60)):
        pillars = {"year": "甲辰", "month": "戊辰", "day": PAIRS[hour // 12], "hour": PAIRS[hour]}
        yield QimenChart(QimenGiven(pillars, Ju(yang, number, None, None, "given"), ("childbirth",), conventions=conventions))


def by_loops(c: QimenChart) -> set[tuple[str, int]]:
    """Pattern and palace; 0 for the chart as a whole."""
    label, found = ontology().label, set[tuple[str, int]]()
    for p in (Plain(c, p) for p in c.palaces):
        mine = {name for name, test in BY_PALACE.items() if test(p)}
        mine |= {group for group, members in GROUPS.items() if mine & set(members)}
        found |= {(name, p.n) for name in mine}
    star = next(p.number for p in c.palaces if c.star_on_duty in p.stars)
    door = next(p.number for p in c.palaces if p.door == c.door_on_duty)
    for what, at in (("星", star), ("門", door)):
        if at == c.origin:
            found |= {(f"{what}伏吟", 0), ("伏吟", 0)}
        if at + c.origin == 10 and at != 5:
            found |= {(f"{what}返吟", 0), ("返吟", 0)}
    day, hour = (c.given.pillars[u][0] for u in ("day", "hour"))
    elements = dict(zip("甲乙丙丁戊己庚辛壬癸", "木木火火土土金金水水", strict=True))
    if CONTROLS[elements[hour]] == elements[day] and ("甲乙丙丁戊己庚辛壬癸".index(hour) - "甲乙丙丁戊己庚辛壬癸".index(day)) % 2 == 0:
        found.add(("五不遇時", 0))
    read = label(c.door_on_duty)[0].replace("中", "死")
    forbidden = dict(zip("休生傷杜景死驚開", ("辰戌", "寅", "申", "酉", "亥", "卯", "巳", "午"), strict=True))[read]
    if {c.given.pillars[u][1] for u in ("day", "hour")} & set(forbidden):
        found.add(("煞曜", 0))
    return found


def derived(batch: list[QimenChart]) -> list[set[tuple[str, int]]]:
    program = compile_clauses([], choose({}), "qimen")
    label, found = ontology().label, []
    for c, closed in zip(batch, close([Stated(c.iri, tuple(facts(c)), c.unknown) for c in batch], program, engine("reasonable")), strict=True):
        at = {(label(x), p.number) for p in c.palaces for x in closed.leads(p.iri, ns("formsPattern"))}
        shown = {label(x) for x in closed.leads(c.iri, ns("showsPattern"))}
        # A chart shows what a palace of it forms.
        assert {name for name, _ in at} <= shown
        found.append(at | {(name, 0) for name in shown - {name for name, _ in at}})
    return found


@pytest.mark.slow
def test_every_pattern_in_every_chart() -> None:
    every, counts = list(charts()), Counter[str]()
    for i in range(0, len(every), 90):
        batch = every[i : i + 90]
        for c, mine in zip(batch, derived(batch), strict=True):
            assert mine == by_loops(c), c.given.as_input()
            counts.update({name for name, _ in mine})
    names = {ontology().label(p) for p in ontology().of_type("Pattern")}
    assert names - counts.keys() == set(NEVER)
    # By hand: the star stays at home in a 甲 hour, and in the hour whose stem is the very 儀 (戊辰 in the decade of 甲子): twelve hours in sixty.
    # 時格 is the decade of 甲申, 天網四張 of 甲寅, 地羅 of 甲辰: ten hours in sixty each.
    assert [counts[n] for n in ("星伏吟", "時格", "天網四張", "地羅")] == [216, 180, 180, 180]
