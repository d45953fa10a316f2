"""The tables of 奇門 recomputed by rules that are written out here, and the emendations of 001 as data.

A cell that departs from its rule says so itself: it has an emendation, which gives the value of the rule, or a note.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache

import pytest

from loader.calendar import BRANCHES, PAIRS, STEMS
from loader.chapter import clauses
from loader.data import folder
from loader.iris import SKOS, ns, symbol
from loader.ontology import ontology
from loader.tables import Key, Tables, choose

Shown = str | int
Cells = dict[tuple[Shown, Shown | None], tuple[Shown, ...]]

DATA = ontology()
T = Tables(choose({}))
CYCLE = "木火土金水"
"""Each generates the next and controls the next but one."""
STAGES = ["長生", "沐浴", "冠帶", "臨官", "帝旺", "衰", "病", "死", "墓", "絕", "胎", "養"]
TERMS = re.findall("..", "冬至小寒大寒立春雨水驚蟄春分清明穀雨立夏小滿芒種夏至小暑大暑立秋處暑白露秋分寒露霜降立冬小雪大雪")
BITS = {"乾": "111", "兌": "110", "離": "101", "震": "100", "巽": "011", "坎": "010", "艮": "001", "坤": "000"}
TRIGRAMS = {1: "坎", 2: "坤", 3: "震", 4: "巽", 6: "乾", 7: "兌", 8: "艮", 9: "離"}
PALACE_ELEMENT = dict(enumerate("水土木木土金金土火", 1))
RING = (1, 8, 3, 4, 9, 2, 7, 6)
STAR_HOMES = dict(enumerate(["天蓬", "天芮", "天沖", "天輔", "天禽", "天心", "天柱", "天任", "天英"], 1))
GENERALS = ["登明", "河魁", "從魁", "傳送", "小吉", "勝光", "太乙", "天罡", "太沖", "功曹", "大吉", "神后"]
"""The month generals from 亥 backward."""
DOOR_HOMES = {1: "休門", 2: "死門", 3: "傷門", 4: "杜門", 6: "開門", 7: "驚門", 8: "生門", 9: "景門"}
FLOW = "甲乙丙丁庚辛壬癸"
"""The stems that 001 ¶24 gives water to: 戊 and 己 only have seats."""


# -- what the tables say -----------------------------------------------------------------------------------------------


def shown(key: Key) -> Shown:
    """A symbol by its label, a palace by its number."""
    if isinstance(key, int):
        return key
    return DATA.number(key, ns("number")) if "/luoshu/" in key else DATA.label(key)


def cells(key: str) -> Cells:
    return {(shown(r), None if c is None else shown(c)): tuple(map(shown, v)) for (r, c), v in T.get(key).cells.items()}


@cache
def nodes(key: str) -> dict[tuple[Shown, Shown | None], str]:
    """The cell nodes of a table, which carry notes and emendations."""
    found: dict[tuple[Shown, Shown | None], str] = {}
    for node in DATA.subjects(ns("inTable"), symbol("table", key)):
        row, column = (next((shown(v if isinstance(v, str) else int(v.text)) for v in DATA.objects(node, ns(p))), None) for p in ("row", "column"))
        assert row is not None, node
        assert (row, column) not in found, node
        found[row, column] = node
    return found


# -- the rules ---------------------------------------------------------------------------------------------------------


def by_row(pairs: Mapping[str, Shown] | Mapping[int, Shown]) -> Cells:
    return {(row, None): (value,) for row, value in pairs.items()}


def step(branch: str, steps: int) -> str:
    return BRANCHES[(BRANCHES.index(branch) + steps) % 12]


def element(stem: str) -> str:
    return CYCLE[STEMS.index(stem) // 2]


def branch_element(branch: str) -> str:
    """Three branches a season, of which the last is earth."""
    i = (BRANCHES.index(branch) - 2) % 12
    return "土" if i % 3 == 2 else "木火金水"[i // 3]


def growth(branch: str) -> str:
    """The first of its frame of three: 寅 申 巳 亥 begin one each."""
    return next(b for b in (step(branch, 4 * k) for k in range(3)) if b in "寅申巳亥")


def stage(stem: str, name: str) -> str:
    """Yang stems go forward from the 長生 of their element, earth with fire, yin stems backward from the place where the yang stem dies."""
    birth = dict(zip(CYCLE, "亥寅寅巳申", strict=True))[element(stem)]
    n = STAGES.index(name)
    return step(birth, n) if STEMS.index(stem) % 2 == 0 else step(birth, 7 - n)


def stages() -> Cells:
    return {(s, name): (stage(s, name),) for s in STEMS for name in STAGES}


def holding(palace: int) -> str:
    """The branches of a palace: one in the four quarters, two in the corners, clockwise from 子."""
    at = RING.index(palace)
    return BRANCHES[at // 2 * 3] if at % 2 == 0 else BRANCHES[at // 2 * 3 + 1 : at // 2 * 3 + 3]


def palace_of(branch: str) -> int:
    return next(p for p in RING if branch in holding(p))


def mountains(palace: int) -> tuple[str, ...]:
    """In a quarter the branch between the two stems of its element, in a corner the trigram between its two branches."""
    own = holding(palace)
    if len(own) == 2:
        return own[0], TRIGRAMS[palace], own[1]
    yang, yin = (s for s in STEMS if element(s) == branch_element(own))
    return yang, own, yin


def compass() -> list[str]:
    return [m for p in RING for m in mountains(p)]


def yellow_spring(stem: str) -> str:
    """The road 黃泉 is the nearest corner: 甲癸 flank 艮, 乙丙 巽, 丁庚 坤, 辛壬 乾."""
    round_ = compass()
    at = round_.index(stem)
    return next(m for away in range(1, 4) for m in (round_[at - away], round_[(at + away) % 24]) if m in BITS)


def officers(palace: int) -> tuple[str, ...]:
    """The pairs of the officer lines of the pure hexagram of a palace, by our own tables of 納甲, 生克 and kin."""
    trigram = next(t for t in DATA.of_type("Trigram") if DATA.label(t) == TRIGRAMS[palace])
    own = DATA.one(trigram, ns("element"))
    assert DATA.label(T.get("kin").iri_of(ns("ControlsPalace"))) == "官鬼"
    lines = [T.get("najia").iri_of(trigram, place) for place in range(1, 7)]
    return tuple(DATA.label(x) for x in lines if T.get("element-controls").all(DATA.one(DATA.one(x, ns("branch")), ns("element"))) == (own,))


def nobles(start: str, way: int) -> Cells:
    """The ten stems from the branch of 坤, past 辰 and 戌 (羅網), the start and its opposite; each hands its branch to its 五合 partner."""
    skipped = {"辰", "戌", start, step(start, 6)}
    road = [start, *(b for k in range(1, 24) if (b := step(start, way * k)) not in skipped)]
    return {(STEMS[(i + 5) % 10], None): (road[i],) for i in range(10)}


def star_seasons() -> Cells:
    """MJ1: the month of my child 旺, of my own element 相, of my parent 廢, of my wealth 休, of my officer 囚."""
    grades = ("相", "旺", "休", "囚", "廢")
    return {(e, b): (grades[(CYCLE.index(branch_element(b)) - CYCLE.index(e)) % 5],) for e in CYCLE for b in BRANCHES}


def frames() -> Cells:
    """Rows 1 4 7, 2 5 8, 3 6 9: the middle palace takes the frame of the first in a 節 and that of the last in a 氣."""
    own = {1: "水", 7: "金", 2: "土", 8: "土", 3: "火", 9: "木"}
    middle = {4: (1, 7), 5: (2, 8), 6: (3, 9)}
    return {(p, period): (own[middle.get(p, (p, p))[i]],) for p in range(1, 10) for i, period in enumerate("節氣")}


def numbers() -> Cells:
    """Each of the eight seasons begins with the palace of its trigram; each term goes one on, each 元 three back, in the yin half all the other way."""
    found: Cells = {}
    for i, term in enumerate(TERMS):
        way = 1 if i < 12 else -1
        first = RING[i // 3] + way * (i % 3)
        for yuan in range(3):
            found[term, yuan + 1] = ((first - 3 * way * yuan - 1) % 9 + 1,)
    return found


def deities(fifth: str, seventh: str, *, sixth: tuple[str, ...] = ("太常",)) -> Cells:
    names = ("值符", "螣蛇", "太陰", "六合", fifth, *sixth, seventh, "九地", "九天")
    return by_row(dict(enumerate(names, 1)))


def tombs(yi: tuple[str, ...], ding: str) -> Cells:
    """The palaces of the tombs of 乙 丙 丁, each tomb being that of a stem: its own, or that of the yang stem of its element."""
    return {
        ("乙", None): tuple(palace_of(stage(s, "墓")) for s in yi),
        ("丙", None): (palace_of(stage("丙", "墓")),),
        ("丁", None): (palace_of(stage(ding, "墓")),),
    }


def punished() -> Cells:
    """The palace whose branch is punished by the branch of the 甲 that hides under the instrument."""
    by_branch = {DATA.label(b): b for b in DATA.of_type("Branch")}
    return {("戊己庚辛壬癸"[k], None): (palace_of(DATA.label(T.get("branch-punishes").iri_of(by_branch[PAIRS[10 * k][1]]))),) for k in range(6)}


RULES: dict[str, Callable[[], Cells]] = {
    # qimen-chart
    "qimen-ju": numbers,
    "qimen-dun": lambda: by_row({t: "陽" if i < 12 else "陰" for i, t in enumerate(TERMS)}),
    "qimen-yuan": lambda: by_row({b: {0: 1, 2: 2, 1: 3}[i % 3] for i, b in enumerate(BRANCHES)}),  # 子午卯酉, 寅申巳亥, 辰戌丑未
    "qimen-order": lambda: by_row(dict(enumerate("戊己庚辛壬癸" + "乙丙丁"[::-1], 1))),
    "qimen-instrument": lambda: by_row({PAIRS[10 * k]: s for k, s in enumerate("戊己庚辛壬癸")}),
    "qimen-deities-yang": lambda: deities("勾陳", "朱雀"),
    "qimen-deities-yin": lambda: deities("白虎", "玄武"),
    "qimen-deities-yang-modern": lambda: deities("白虎", "玄武"),
    "qimen-deities-yang-rotating": lambda: deities("勾陳", "朱雀", sixth=()),
    "qimen-deities-yin-rotating": lambda: deities("白虎", "玄武", sixth=()),
    "qimen-deities-yang-rotating-modern": lambda: deities("白虎", "玄武", sixth=()),
    "qimen-ring": lambda: by_row(dict(enumerate(sorted(TRIGRAMS, key=lambda p: BRANCHES.index(holding(p)[0])), 1))),
    "qimen-lodge": lambda: by_row({5: 2}),
    "qimen-lodge-by-half": lambda: {(5, "陽"): (2,), (5, "陰"): (8,)},
    # The sun goes against the months: from 雨水 in 亥, so that general and month combine.
    "month-general": lambda: by_row({TERMS[(4 + 2 * k) % 24]: step("亥", -k) for k in range(12)}),
    # qimen-relations
    "stem-combines": lambda: by_row({s: STEMS[(i + 5) % 10] for i, s in enumerate(STEMS)}),
    "stem-combination-element": lambda: by_row({s: CYCLE[(i % 5 + 2) % 5] for i, s in enumerate(STEMS)}),  # 甲己 earth, then by generation
    "stem-clashes": lambda: by_row({a: b for i in range(4) for a, b in ((STEMS[i], STEMS[i + 6]), (STEMS[i + 6], STEMS[i]))}),
    "instrument-punishment": punished,
    "wonder-tomb": lambda: tombs(("甲",), "丁"),
    "wonder-tomb-baojian": lambda: tombs(("甲",), "丙"),
    "wonder-tomb-yi": lambda: tombs(("甲", "乙"), "丁"),
    # qimen-gates: the classes by name, places and branches by the lists from which they are counted
    "jia-class": lambda: by_row(
        {PAIRS[10 * k]: "孟仲季"[["寅申", "子午", "辰戌"].index(next(g for g in ("寅申", "子午", "辰戌") if PAIRS[10 * k][1] in g))] + "甲" for k in range(6)}
    ),
    "jia-figure": lambda: by_row({"甲寅": "全開", "甲申": "全闔", "甲辰": "全闔", "甲戌": "全闔"}),
    "gate-branches": lambda: {
        ("天門", None): tuple(step("亥", -GENERALS.index(g)) for g in ("太沖", "小吉", "從魁")),
        ("天馬", None): (step("亥", -GENERALS.index("太沖")),),
    },
    "household-places": lambda: {("地戶", None): tuple("建除滿平定執破危成收開閉".index(w) + 1 for w in "除定危開")},
    "private-places": lambda: {("私門", None): tuple("貴蛇雀合勾龍空虎常玄陰后".index(w) + 1 for w in "合常陰")},
    "noble-by-hour": lambda: by_row({b: "陽貴" if b in "卯辰巳午未申" else "陰貴" for b in BRANCHES}),
    "noble-way": lambda: by_row({b: "陽" if b in "亥子丑寅卯辰" else "陰" for b in BRANCHES}),
    "seasonal-class": lambda: by_row({"旺": "旺相", "相": "旺相", "休": "休", "囚": "囚", "死": "死廢"}),
    "seasonal-class-trigram": lambda: by_row({"旺": "旺相", "相": "旺相", "休": "休", "囚": "囚", "死": "死廢", "沒": "死廢", "廢": "死廢"}),
    "useful-symbols": lambda: {("胎產", None): ("值符", "六合"), ("婚姻", None): ("日干", "時干"), ("埋葬", None): ("值符", "時干"), ("田禾", None): ("主干",)},
    "useful-symbols-unnamed": lambda: by_row({"田禾": "時干"}),
    # qimen-stars
    "yang-noble": lambda: nobles("子", 1),
    "yin-noble": lambda: nobles("申", -1),
    "post-horse-qimen": lambda: by_row({b: step(growth(b), 6) for b in BRANCHES}),
    "heavenly-joy": lambda: by_row({step("寅", k): step("戌", k) for k in range(12)}),
    "heavenly-joy-by-season": lambda: by_row({step("寅", k): step("戌", k // 3 * 3) for k in range(12)}),
    "life-breath": lambda: by_row({step("寅", k): step("子", k) for k in range(12)}),
    "ninestar-element": lambda: by_row({star: PALACE_ELEMENT[home] for home, star in STAR_HOMES.items()}),
    "star-seasons": star_seasons,
    "mountains-of-doors": lambda: {(door, None): tuple(m + "山" for m in mountains(home)) for home, door in DOOR_HOMES.items()},
    "killing-branch": lambda: by_row({door: officers(home)[0][1] for home, door in DOOR_HOMES.items()}),  # 坎 has two, the lower one counts
    "killing-pillar": lambda: {(door, None): officers(home) for home, door in DOOR_HOMES.items()},
    "yellow-spring": lambda: by_row({s: yellow_spring(s) for s in FLOW}),
    "storehouse": lambda: by_row({s: stage(s, "墓") for s in FLOW}),
    "forbidden-facing": lambda: by_row({s: stage(s, "臨官" if STEMS.index(s) % 2 == 0 else "冠帶") for s in FLOW}),
    "forbidden-outflow": lambda: by_row({s: stage(s, "長生") for s in FLOW}),
    "stem-seat": lambda: by_row({"戊": "坎", "己": "離"}),  # tested against 納甲 below
    "stem-stages": stages,
    "stem-stages-received": lambda: {at: v for at, v in stages().items() if at == ("丙", "胎")},
    "qimen-frames": frames,
    "burial-frames": frames,
}
DEPARTING: dict[tuple[str, Shown, Shown | None], tuple[str, str]] = {
    ("stem-stages-received", "丙", "胎"): ("未", "子"),
    ("killing-pillar", "休門", None): ("辰戌", "戊辰戊戌"),
    ("killing-pillar", "開門", None): ("丙午", "壬午"),
    ("yellow-spring", "甲", None): ("震", "艮"),
    ("forbidden-facing", "丙", None): ("午", "巳"),
    ("forbidden-outflow", "庚", None): ("申", "巳"),
    ("forbidden-outflow", "壬", None): ("巳", "申"),
    ("forbidden-outflow", "乙", None): ("丑", "午"),
    ("forbidden-outflow", "丁", None): ("寅", "酉"),
    ("forbidden-outflow", "辛", None): ("辰", "子"),
    ("forbidden-outflow", "癸", None): ("巳", "卯"),
    ("burial-frames", 3, "節"): ("木", "火"),
    ("burial-frames", 3, "氣"): ("木", "火"),
    ("burial-frames", 9, "節"): ("火", "木"),
    ("burial-frames", 9, "氣"): ("火", "木"),
}
"""The cells that are not as their rule has them: what is received, what the rule gives."""


def text(values: tuple[Shown, ...]) -> str:
    return "".join(map(str, values))


def departing(key: str) -> Cells:
    """The cells of a table that depart, with what the rule gives."""
    rule, table = RULES[key](), cells(key)
    return {at: rule[at] for at in table if table[at] != rule[at]}


def emendation(node: str) -> str | None:
    return next(iter(DATA.iris(node, ns("emendation"))), None)


# -- the tables against the rules --------------------------------------------------------------------------------------


def test_every_table_has_a_rule() -> None:
    files = sorted((folder("ontology") / "tables").glob("qimen-*.ttl"))
    assert set(RULES) == {key for f in files for key in re.findall(r"^table:(\S+) a g:Table\b", f.read_text(encoding="utf-8"), re.MULTILINE)}


@pytest.mark.parametrize("key", RULES)
def test_a_table_is_its_rule_but_for_the_departing_cells(key: str) -> None:
    table, rule = cells(key), RULES[key]()
    assert table.keys() == rule.keys()
    assert {(key, *at): (text(table[at]), text(value)) for at, value in departing(key).items()} == {at: v for at, v in DEPARTING.items() if at[0] == key}


@pytest.mark.parametrize("key", RULES)
def test_a_cell_has_a_doubt_exactly_where_it_departs(key: str) -> None:
    away = departing(key)
    for at, node in nodes(key).items():
        emended, note = emendation(node), DATA.text(node, SKOS + "note")
        if emended:
            # What is read instead is the rule; where only a character is mended (干 for 乾), the cell has the value already.
            read = tuple(shown(v) for v in DATA.iris(emended, ns("value")))
            assert read == RULES[key]()[at], node
            assert DATA.text(emended, ns("received")) == DATA.text(node, ns("printed")) != DATA.text(emended, ns("read")), node
            assert DATA.text(emended, ns("grade")) in ("A", "B", "C"), node
            assert DATA.text(emended, ns("why")), node
        mended_in_writing = key == "yellow-spring" and at[0] in ("辛", "壬")
        assert bool(emended or note) is (at in away or mended_in_writing), node


def test_the_yin_stems_of_the_outflow_follow_no_stage() -> None:
    """001 ¶24: 乙 丁 辛 癸 stand at 衰 死 墓 胎, and the note of each cell says so."""
    for stem, name in zip("乙丁辛癸", ("衰", "死", "墓", "胎"), strict=True):
        assert cells("forbidden-outflow")[stem, None] == (stage(stem, name),)
        assert f"the stage {name} of {stem}" in (DATA.text(nodes("forbidden-outflow")[stem, None], SKOS + "note") or "")


def test_thirty_nine_of_forty_stages_are_as_stated() -> None:
    """001 ¶2 gives 胎 養 生 死 of each stem; the clause of a cell has its stage and branch, 丙胎 alone in the table of what is received."""
    short = {"胎": "胎", "養": "養", "長生": "生", "死": "死"}
    stated = {(key, at): c for key in ("stem-stages", "stem-stages-received") for at, n in nodes(key).items() for c in DATA.iris(n, ns("statedBy"))}
    assert len(stated) == 40
    assert ("stem-stages", ("丙", "胎")) not in stated
    for (key, (stem, name)), clause in stated.items():
        c = clauses()[clause.rsplit("/", 1)[-1]]
        assert re.search(f"{short[str(name)]}[於在]?{text(cells(key)[stem, name])}", c.quote), c.id
        assert re.findall(f"[{STEMS}](?=[，胎])", c.passage.lzh[: c.span.end])[-1] == stem, c.id


def test_a_printed_cell_stands_in_a_clause_that_it_cites() -> None:
    """In one of them: the chapters word the frames differently (五，節氣土 in ¶3, 節四維土 in ¶14)."""
    for key in RULES:
        for node in nodes(key).values():
            if printed := DATA.text(node, ns("printed")):
                cited = [clauses()[c.rsplit("/", 1)[-1]] for c in DATA.iris(node, ns("statedBy"))]
                assert any(printed in c.passage.lzh and (printed in c.quote or c.quote in printed) for c in cited), node


# -- palaces, mountains, seats -----------------------------------------------------------------------------------------


def test_palaces_are_those_of_the_later_heaven() -> None:
    for palace in DATA.of_type("LuoshuPalace"):
        n = DATA.number(palace, ns("number"))
        assert DATA.label(DATA.one(palace, ns("element"))) == PALACE_ELEMENT[n]
        if n == 5:
            assert not any(DATA.iris(palace, ns(p)) for p in ("trigram", "branch", "polarity"))
            continue
        assert DATA.label(DATA.one(palace, ns("trigram"))) == TRIGRAMS[n]
        assert "".join(map(DATA.label, DATA.iris(palace, ns("branch")))) == holding(n)
        # An odd number of yang lines is male.
        assert DATA.label(DATA.one(palace, ns("polarity"))) == ("陽" if BITS[TRIGRAMS[n]].count("1") % 2 else "陰")
        # Opposite palaces make ten.
        assert n + RING[(RING.index(n) + 4) % 8] == 10


def test_the_mountains_go_once_round_with_the_doors() -> None:
    found = [m for door in (DOOR_HOMES[p] for p in RING) for m in cells("mountains-of-doors")[door, None]]
    assert found == [DATA.label(m) for m in DATA.ordered("Mountain")] == [m + "山" for m in compass()]
    assert len(set(found)) == 24


def test_seats_and_killing_branches_are_of_the_lines() -> None:
    stems = {
        TRIGRAMS[p]: {DATA.label(T.get("najia").iri_of(t, n))[0] for n in range(1, 7)}
        for p in TRIGRAMS
        for t in DATA.of_type("Trigram")
        if DATA.label(t) == TRIGRAMS[p]
    }
    for stem in "戊己":
        assert [t for t, own in stems.items() if stem in own] == [text(cells("stem-seat")[stem, None])]
    # 八曜煞: 坎龍坤兔震山猴 巽雞乾馬兌蛇頭 艮虎離豬.
    eight = dict(zip("坎坤震巽乾兌艮離", "辰卯申酉午巳寅亥", strict=True))
    assert {TRIGRAMS[home]: text(cells("killing-branch")[door, None]) for home, door in DOOR_HOMES.items()} == eight


def test_the_month_general_combines_with_its_month() -> None:
    combines, terms = T.get("branch-combines"), DATA.ordered("SolarTerm")
    for (term, _), general in T.get("month-general").cells.items():
        opening = terms[terms.index(str(term)) - 1]
        assert combines.all(DATA.one(opening, ns("month"))) == general, term


# -- the emendations of the text ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "received", "read", "grade"),
    [
        ("qm-taichan-007", "木催", "催生", "A"),
        ("qm-taichan-043", "丙，胎未", "丙，胎子", "A"),
        ("qm-taichan-154", "官儀", "宮儀", "B"),
        ("qm-taichan-203", "主墓", "生墓", "C"),
        ("qm-hunyin-135", "金水", "金木", "B"),
        ("qm-hunyin-160", "儀不繫", "儀不擊", "A"),
        ("qm-zang-068", "忌丙午日時", "忌壬午日時", "A"),
        ("qm-zang-070", "甲，黃泉震", "甲，黃泉艮", "A"),
        ("qm-zang-145", "金開", "全開", "A"),
        ("qm-dianzhong-049", "未雹", "冰雹", "A"),
        ("qm-dianzhong-171", "秀入倉", "莠入倉", "B"),
    ],
)
def test_an_emendation_is_data(clause: str, received: str, read: str, grade: str) -> None:
    c = clauses()[clause]
    assert received in c.quote
    assert read not in c.passage.lzh
    assert (received, read, grade) in [(e.received, e.read, e.grade) for e in c.emend]


def test_every_emendation_is_of_its_passage_and_argued() -> None:
    for c in clauses().values():
        for e in c.emend if c.tradition == "qimen" else ():
            assert e.received in c.passage.lzh, c.id
            assert e.read != e.received, c.id
            assert e.why, c.id


def test_cell_and_clause_are_emended_alike() -> None:
    found = 0
    for key in RULES:
        for node in nodes(key).values():
            if not (mine := emendation(node)):
                continue
            for clause in DATA.iris(node, ns("statedBy")):
                received, read, grade = (DATA.text(mine, ns(p)) or "" for p in ("received", "read", "grade"))
                same = [e for e in clauses()[clause.rsplit("/", 1)[-1]].emend if received in e.received and read in e.read and e.grade == grade]
                assert len(same) == 1, (node, clause)
                found += 1
    assert found == 10
