"""The hour charts against three independent implementations: qimen-rs and kinqimen (rotating plate) and qimen-mingfa (flying plate)."""

import csv
import importlib
import importlib.util
import sys
from collections import defaultdict
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta, timezone
from functools import cache
from itertools import islice, product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from qimen_rs import Chart, calculate
from qimen_rs.types import Cycle

from loader.calendar import BRANCHES, PAIRS, STEMS, Moment, pillars_at, terms_before
from loader.iris import ns
from loader.ju import ju_at
from loader.liuyao import named
from loader.ontology import ontology
from loader.qimen import CENTRE, Ju, QimenChart, QimenGiven
from loader.tables import Tables, choose

BEIJING = timezone(timedelta(hours=8))
NUMBERS = "一二三四五六七八九"
TRIGRAMS = "坎坤震巽中乾兌艮離"
SIMPLIFIED = str.maketrans("惊蛰谷满种处阳阴", "驚蟄穀滿種處陽陰")
# 拆補 where simpler rules go astray: by the blocks of 置閏 the first is 白露 陰9, and the second follows 冬至 in the old year.
TRAPS = {"2004-09-01T12:00": (False, 1), "2021-12-30T18:00": (True, 1)}
RING = "坎艮震巽離坤兌乾"


# -- the moments -------------------------------------------------------------------------------------------------------


@cache
def moments() -> tuple[datetime, ...]:
    """A moment of 1991 to 2050 for each of the 1,080 charts, taken in turn from the four rows of the table of terms that have its 局."""
    spans: dict[str, list[tuple[datetime, datetime]]] = {}
    end = datetime(2051, 1, 1, tzinfo=BEIJING)
    for term, instant in islice(terms_before(end, days=61 * 366), 60 * 24):
        spans.setdefault(term, []).append((instant, end))
        end = instant
    tables, rows = Tables(choose({})), defaultdict[tuple[str, int], list[tuple[str, int]]](list)
    for term, yuan in product(spans, (1, 2, 3)):
        row = named("SolarTerm")[term]
        rows[tables.get("qimen-dun").iri_of(row), tables.get("qimen-ju").place(row, yuan)].append((term, yuan))
    found = []
    for k, (of_ju, hour) in enumerate(product(rows.values(), range(60))):
        term, yuan = of_ju[k % 4]
        # Fifteen days hold each 元 and hour once; a short term may lack it, so the next year is tried.
        block, branch = yuan * 5 - 5 + hour // 12, hour % 12
        found.append(next(m for i in range(60) for m in _in_span(*spans[term][(k * 7 + i) % 60], block, branch, k)))
    return tuple(sorted(found))  # in order, for the almanac keeps one year at hand


def _in_span(start: datetime, end: datetime, block: int, branch: int, k: int) -> Iterator[datetime]:
    for ahead in range(-1, 17):
        day = start.date() + timedelta(days=ahead)
        # 2024-01-01 was a 甲子 day. The double hour 子 is taken from 23:00 on in every other case.
        if (day - date(2024, 1, 1)).days % 15 == block:
            moment = datetime.combine(day, time(), BEIJING) + timedelta(hours=2 * branch - k // 12 % 2, minutes=k * 13 % 60)
            if start <= moment < end:
                yield moment


@cache
def pillars(moment: datetime) -> Moment:
    return pillars_at(moment)


@cache
def ju(moment: datetime) -> Ju:
    return ju_at(moment, pillars(moment), Tables(choose({})), "chaibu", day_boundary="23:00", leap=9)


@cache
def charts(plate: str) -> dict[datetime, QimenChart]:
    """The chart of each moment; nothing but 遁, 局 and hour pillar moves a plate, so these are all there are."""
    conventions, found = choose({"plate": plate}), {}
    for m in moments():
        found[m] = QimenChart(QimenGiven({"day": pillars(m).day, "hour": pillars(m).hour}, ju(m), ("childbirth",), conventions=conventions))
    assert len({(c.ju.yang, c.ju.number, c.given.pillars["hour"]) for c in found.values()}) == 1080
    return found


label = ontology().label


def each_trap() -> Iterator[tuple[datetime, bool, int]]:
    for at, (yang, number) in TRAPS.items():
        moment = datetime.fromisoformat(at).replace(tzinfo=BEIJING)
        assert (ju(moment).yang, ju(moment).number) == (yang, number)
        yield moment, yang, number


# -- qimen-rs ----------------------------------------------------------------------------------------------------------

PINYIN = dict(zip(["jia", "yi", "bing", "ding", "wu", "ji", "geng", "xin", "ren", "gui"], STEMS, strict=True))
PINYIN_BRANCH = dict(zip(["zi", "chou", "yin", "mao", "chen", "si", "wu", "wei", "shen", "you", "xu", "hai"], BRANCHES, strict=True))
RS_STARS = {"tian_" + k: "天" + v for k, v in zip(["peng", "rui", "chong", "fu", "qin", "xin", "zhu", "ren", "ying"], "蓬芮沖輔禽心柱任英", strict=True)}
RS_DOORS = {k: v + "門" for k, v in zip(["xiu", "si", "shang", "du", "kai", "jing", "sheng", "scene"], "休死傷杜開驚生景", strict=True)}
RS_DEITIES = {
    "zhi_fu": "值符",
    "teng_she": "螣蛇",
    "tai_yin": "太陰",
    "liu_he": "六合",
    "bai_hu": "白虎",
    "xuan_wu": "玄武",
    "jiu_di": "九地",
    "jiu_tian": "九天",
}
# It keeps the names of 陰遁 throughout; ours are 勾陳 朱雀 in 陽遁; the places agree.
RS_DEITIES_YANG = RS_DEITIES | {"bai_hu": "勾陳", "xuan_wu": "朱雀"}


def rs(moment: datetime) -> Chart:
    parts = {"year": moment.year, "month": moment.month, "day": moment.day, "hour": moment.hour, "minute": moment.minute}
    return calculate({**parts, "utc_offset_minutes": 480, "day_boundary": "zi_start"})


def pair(cycle: Cycle) -> str:
    found = PINYIN[cycle["stem"]] + PINYIN_BRANCH[cycle["branch"]]
    assert PAIRS[cycle["index"]] == found
    return found


def test_calendar_and_ju_of_qimen_rs() -> None:
    for moment in moments():
        theirs, p, at = rs(moment), pillars(moment), ju(moment)
        four = theirs["calendar"]["four_pillars"]
        assert (pair(four["year"]), pair(four["month"]), pair(four["day"]), pair(four["hour"])) == p.pillars, moment
        assert theirs["calendar"]["solar_term"]["name"].translate(SIMPLIFIED) == p.term == at.term, moment
        assert (theirs["dun"] == "yang", theirs["ju"]) == (at.yang, at.number), moment
        assert ["upper", "middle", "lower"].index(theirs["yuan"]) + 1 == at.yuan, moment


def test_rotating_plate_of_qimen_rs() -> None:
    for moment, c in charts("rotating").items():
        theirs = rs(moment)
        xun, leaders = theirs["xun"], theirs["leaders"]
        assert (pair(xun["head"]), PINYIN[xun["hidden_stem"]]) == (label(c.head), label(c.instrument)), moment
        assert {PINYIN_BRANCH[b] for b in xun["void_branches"]} == {label(b) for b in c.void}, moment
        assert (RS_STARS[leaders["star"]], RS_DOORS[leaders["door"]]) == (label(c.star_on_duty), label(c.door_on_duty)), moment
        assert (leaders["original_palace"], leaders["star_palace"], leaders["door_palace"]) == (c.origin, c.arrival, c.door_arrival), moment
        deities = RS_DEITIES_YANG if c.ju.yang else RS_DEITIES
        for their, p in zip(theirs["palaces"], c.palaces, strict=True):
            # 天禽 and its stem follow 天芮, and stand behind it, as with us.
            assert their["number"] == p.number
            assert PINYIN[their["earth_stem"]] == label(p.earth), moment
            assert [PINYIN[h["stem"]] for h in their["heaven_stems"]] == [label(h) for h in p.heaven], moment
            assert [RS_STARS[s] for s in their["stars"]] == [label(s) for s in p.stars], moment
            assert (RS_DOORS[their["door"]] if their["door"] else None) == (label(p.door) if p.door else None), moment
            assert (deities[their["deity"]] if their["deity"] else None) == (label(p.deity) if p.deity else None), moment


def test_traps_of_qimen_rs() -> None:
    for moment, yang, number in each_trap():
        assert (rs(moment)["dun"] == "yang", rs(moment)["ju"]) == (yang, number)


# -- kinqimen ----------------------------------------------------------------------------------------------------------

KIN_DEITIES = {"值符": "符", "螣蛇": "蛇", "太陰": "陰", "六合": "合", "勾陳": "勾", "朱雀": "雀", "白虎": "虎", "玄武": "玄", "九地": "地", "九天": "天"}


@pytest.fixture(scope="module")
def kinqimen() -> ModuleType:
    """The module of the package, which imports its own `config` as if it were run in its folder."""
    spec = importlib.util.find_spec("kinqimen")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("kinqimen is not installed (its ephem and sxtwl are built from source)")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(spec.submodule_search_locations[0])
        module = importlib.import_module("kinqimen")
        config = sys.modules.pop("config")
        del sys.modules["kinqimen"]
    # Pure functions of the moment, each called dozens of times for a chart.
    for name in ("jq", "gangzhi", "qimen_ju_name_chaibu", "zhifu_pai", "zhishi_pai", "zhifu_n_zhishi"):
        setattr(config, name, cache(getattr(config, name)))
    # Every part reckons 置閏 too, at a hundred times the cost of the rest, and drops it where 拆補 is asked.
    setattr(config, "qimen_ju_name_zhirun", lambda *_: None)  # noqa: B010
    return module


def kin(module: ModuleType, moment: datetime) -> dict[str, Any]:
    found: dict[str, Any] = module.Qimen(moment.year, moment.month, moment.day, moment.hour, moment.minute).pan(1)
    return found


def kin_pillars(moment: datetime) -> str:
    """Our pillars, but year and month as of the end of the day, which begins at 23:00: kinqimen lets the day of a 節 belong to it as a whole."""
    p = pillars(moment)
    end = pillars(datetime.combine((moment + timedelta(hours=1)).date(), time(23, 59, 59), BEIJING))
    return f"{end.year}年{end.month}月{p.day}日{p.hour}時"


def kin_ju(at: Ju) -> str:
    assert at.yuan
    return f"{'陽' if at.yang else '陰'}遁{NUMBERS[at.number - 1]}局{'上中下'[at.yuan - 1]}元"


def test_calendar_and_ju_of_kinqimen(kinqimen: ModuleType) -> None:
    on_a_term = 0
    for moment in moments():
        theirs, p = kin(kinqimen, moment), pillars(moment)
        expected = kin_pillars(moment)
        on_a_term += expected != "{}年{}月{}日{}時".format(*p.pillars)
        assert theirs["干支"] == expected, moment
        assert (theirs["節氣"], theirs["排局"]) == (p.term, kin_ju(ju(moment))), moment
    # The rule above is needed on the day of a 節 before its hour only.
    assert 0 < on_a_term < 30


def heaven(c: QimenChart) -> dict[str, str]:
    return {TRIGRAMS[p.number - 1]: label(p.heaven[0]) for p in c.palaces if p.heaven}


def kin_heaven(c: QimenChart) -> dict[str, str]:
    """Our heaven plate as kinqimen draws it."""
    earth = {TRIGRAMS[p - 1]: label(s) for p, s in c.earth.items()}
    if kin_goes_wrong(c):
        ring = RING if c.ju.yang else RING[::-1]
        return {ring[(ring.index("坤") + k) % 8]: earth[ring[(k - 1) % 8]] for k in range(8)}
    # It leaves the lodged stem in the centre; if the star on duty comes from there or goes there, it leaves it out.
    return heaven(c) if CENTRE in (c.origin, hour_stem_at(c)) else heaven(c) | {"中": earth["中"]}


def hour_stem_at(c: QimenChart) -> int:
    return next(p for p, s in c.earth.items() if s == c.instrument_of(c.pair("hour")))


def kin_goes_wrong(c: QimenChart) -> bool:
    """Whether 天芮 goes from 坤 to the centre, which is 坤: then nothing moves, and in kinqimen no star does.

    Its stems alone begin in 坤 with the one from the last palace of its list of the ring (乾, in 陰遁 坎), by a slip in `pan_sky`.
    """
    return (c.origin, hour_stem_at(c)) == (2, CENTRE)


def test_rotating_plate_of_kinqimen(kinqimen: ModuleType) -> None:
    wrong = 0
    for moment, c in charts("rotating").items():
        theirs = kin(kinqimen, moment)
        # 旬首 is that of the day, by its 儀.
        assert theirs["旬首"] == label(c.instrument_of(ontology().one(c.pair("day"), ns("decade")))), moment
        assert set(theirs["旬空"]["時空"]) == {label(b) for b in c.void}, moment
        # It names the centre where we name the palace in which it lodges, 坤; its plates go by 坤.
        duty = theirs["值符值使"]
        arrivals = [TRIGRAMS[p - 1] for p in (c.arrival, c.door_arrival)]
        assert duty["值符天干"] == [label(c.head), label(c.instrument)], moment
        assert [duty["值符星宮"][0], duty["值使門宮"][0]] == [label(c.star_on_duty)[1], label(c.door_on_duty)[0]], moment
        assert [duty[k][1].replace("中", "坤") for k in ("值符星宮", "值使門宮")] == arrivals, moment
        assert theirs["地盤"] == {TRIGRAMS[p - 1]: label(s) for p, s in c.earth.items()}, moment
        assert theirs["天盤"] == kin_heaven(c), moment
        # 禽 stands for 芮 and 禽.
        assert theirs["星"] == {TRIGRAMS[p.number - 1]: label(p.stars[-1])[1] for p in c.palaces if p.stars}, moment
        assert theirs["門"] == {TRIGRAMS[p.number - 1]: label(p.door)[0] for p in c.palaces if p.door}, moment
        assert theirs["神"] == {TRIGRAMS[p.number - 1]: KIN_DEITIES[label(p.deity)] for p in c.palaces if p.deity}, moment
        if kin_goes_wrong(c):
            wrong += 1
            assert theirs["星"]["坤"] == "禽"
            assert heaven(c) == {k: v for k, v in theirs["地盤"].items() if k != "中"}, moment
    assert wrong == 12


def test_traps_of_kinqimen(kinqimen: ModuleType) -> None:
    for moment, _, _ in each_trap():
        assert kin(kinqimen, moment)["排局"] == kin_ju(ju(moment))


# -- qimen-mingfa ------------------------------------------------------------------------------------------------------


def mingfa() -> Iterator[tuple[datetime, dict[str, str]]]:
    """What the npm package qimen-mingfa 1.0.16 makes of our moments, once written down by cases/qimen-mingfa.js."""
    with (Path(__file__).parent / "cases" / "qimen-mingfa.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            yield datetime.fromisoformat(row["at"]).replace(tzinfo=BEIJING), row


def test_calendar_and_ju_of_qimen_mingfa() -> None:
    rows = dict(mingfa())
    for moment, row in rows.items():
        p, at = pillars(moment), ju(moment)
        # Its year begins at the lunar New Year, which qimen-rs knows too; its month, as in kinqimen, on the day of the 節.
        year = PAIRS[(rs(moment)["calendar"]["lunar_date"]["year"] - 4) % 60]
        month = pillars(datetime.combine(moment.date(), time(23, 59, 59), BEIJING)).month
        assert row["pillars"] == f"{year} {month} {p.day} {p.hour}", moment
        assert row["term"].translate(SIMPLIFIED) == p.term, moment
        assert row["ju"].translate(SIMPLIFIED) == f"{'陽' if at.yang else '陰'}{at.number}", moment
    for moment, _, _ in each_trap():
        assert moment in rows


def test_flying_plate_of_qimen_mingfa() -> None:
    seen = set()
    for moment, row in mingfa():
        p, at = pillars(moment), ju(moment)
        seen.add((at.yang, at.number, p.hour))
        c = QimenChart(QimenGiven({"day": p.day, "hour": p.hour}, at, ("childbirth",), conventions=choose({})))
        # The door of the centre is written 中五.
        assert [row["head"], row["star"], row["door"][0]] == [label(c.head), label(c.star_on_duty), label(c.door_on_duty)[0]], moment
        assert row["earth"] == "".join(label(x.earth) for x in c.palaces), moment
        assert row["heaven"] == "".join(label(s) for x in c.palaces for s in x.heaven), moment
        assert row["stars"] == "".join(label(s)[1] for x in c.palaces for s in x.stars), moment
        assert row["doors"] == "".join(label(x.door)[0] for x in c.palaces if x.door), moment
        assert row["deities"] == "".join(label(x.deity)[1] for x in c.palaces if x.deity), moment
        assert row["earth deities"] == "".join(label(x.earth_deity)[1] for x in c.palaces if x.earth_deity), moment
    assert len(seen) == 1080
