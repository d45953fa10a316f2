"""The hour chart: three charts worked by hand, all 1,080 by invariants, and the 局 at its traps."""

import itertools
from datetime import datetime

import pytest

from loader.calendar import PAIRS, parse_moment, pillars_at
from loader.ju import ju_at
from loader.ontology import ontology
from loader.qimen import CENTRE, Ju, QimenChart, QimenGiven
from loader.tables import Tables, choose

# Each palace: earth stem, heaven stem, star, door, spirit of the heaven plate, spirit of the earth plate.
FLYING = {
    "A": ("甲辰 戊辰 己未 己巳", (True, 8), """
        坎一 庚 己 天英 中 螣蛇 太陰; 坤二 辛 庚 天蓬 開 太陰 六合; 震三 壬 辛 天芮 驚 六合 勾陳; 巽四 癸 壬 天沖 生 勾陳 太常; 中五 丁 癸 天輔 景 太常 朱雀;
        乾六 丙 丁 天禽 休 朱雀 九地; 兌七 乙 丙 天心 死 九地 九天; 艮八 戊 乙 天柱 傷 九天 值符; 離九 己 戊 天任 杜 值符 螣蛇"""),
    "B": ("癸卯 壬戌 癸卯 己未", (False, 9), """
        坎一 乙 辛 天心 開 九地 六合; 坤二 丙 庚 天柱 驚 玄武 太陰; 震三 丁 己 天任 生 太常 螣蛇; 巽四 癸 戊 天英 景 白虎 值符; 中五 壬 乙 天蓬 休 六合 九天;
        乾六 辛 丙 天芮 死 太陰 九地; 兌七 庚 丁 天沖 傷 螣蛇 玄武; 艮八 己 癸 天輔 杜 值符 太常; 離九 戊 壬 天禽 中 九天 白虎"""),
    "C": ("甲辰 丙子 己未 癸酉", (True, 4), """
        坎一 丁 己 天禽 休 螣蛇 朱雀; 坤二 丙 庚 天心 死 太陰 九地; 震三 乙 辛 天柱 傷 六合 九天; 巽四 戊 壬 天任 杜 勾陳 值符; 中五 己 癸 天英 中 太常 螣蛇;
        乾六 庚 丁 天蓬 開 朱雀 太陰; 兌七 辛 丙 天芮 驚 九地 六合; 艮八 壬 乙 天沖 生 九天 勾陳; 離九 癸 戊 天輔 景 值符 太常"""),
    "C by 置閏": ("甲辰 丙子 己未 癸酉", (False, 1), """
        坎一 戊 壬 天心 休 白虎 值符; 坤二 乙 辛 天柱 死 六合 九天; 震三 丙 庚 天任 傷 太陰 九地; 巽四 丁 己 天英 杜 螣蛇 玄武; 中五 癸 戊 天蓬 中 值符 太常;
        乾六 壬 乙 天芮 開 九天 白虎; 兌七 辛 丙 天沖 驚 九地 六合; 艮八 庚 丁 天輔 生 玄武 太陰; 離九 己 癸 天禽 景 太常 螣蛇"""),
    "C by 茅山": ("甲辰 丙子 己未 癸酉", (True, 1), """
        坎一 戊 壬 天禽 休 勾陳 值符; 坤二 己 癸 天心 死 太常 螣蛇; 震三 庚 丁 天柱 傷 朱雀 太陰; 巽四 辛 丙 天任 杜 九地 六合; 中五 壬 乙 天英 中 九天 勾陳;
        乾六 癸 戊 天蓬 開 值符 太常; 兌七 丁 己 天芮 驚 螣蛇 朱雀; 艮八 丙 庚 天沖 生 太陰 九地; 離九 乙 辛 天輔 景 六合 九天"""),
}  # fmt: skip
# Earth stem, heaven stems, stars, door, spirit; the centre has its earth stem alone.
ROTATING = {
    "A": ("甲辰 戊辰 己未 己巳", (True, 8), """
        坎一 庚 辛丁 天芮+天禽 驚 勾陳; 坤二 辛 壬 天沖 杜 螣蛇; 震三 壬 丙 天心 休 九地; 巽四 癸 庚 天蓬 生 九天; 乾六 丙 己 天英 死 六合;
        兌七 乙 癸 天輔 景 太陰; 艮八 戊 乙 天柱 開 朱雀; 離九 己 戊 天任 傷 值符"""),
    "B": ("癸卯 壬戌 癸卯 己未", (False, 9), """
        坎一 乙 丁 天沖 傷 螣蛇; 坤二 丙 辛 天心 開 白虎; 震三 丁 戊 天英 景 九天; 巽四 癸 丙壬 天芮+天禽 死 九地; 乾六 辛 己 天任 生 太陰;
        兌七 庚 乙 天蓬 休 六合; 艮八 己 癸 天輔 杜 值符; 離九 戊 庚 天柱 驚 玄武"""),
    "C": ("甲辰 丙子 己未 癸酉", (True, 4), """
        坎一 丁 庚 天心 休 勾陳; 坤二 丙 癸 天英 死 螣蛇; 震三 乙 壬 天任 傷 九地; 巽四 戊 乙 天沖 杜 九天; 乾六 庚 辛 天柱 開 六合;
        兌七 辛 丙己 天芮+天禽 驚 太陰; 艮八 壬 丁 天蓬 生 朱雀; 離九 癸 戊 天輔 景 值符"""),
}  # fmt: skip


def chart(pillars: dict[str, str], yang: bool, number: int, **conventions: str) -> QimenChart:
    return QimenChart(QimenGiven(pillars, Ju(yang, number, None, None, "given"), ("childbirth",), conventions=choose(conventions)))


def four(text: str) -> dict[str, str]:
    return dict(zip(("year", "month", "day", "hour"), text.split(), strict=True))


def rows(c: QimenChart) -> dict[str, str]:
    label = ontology().label
    return {
        ["坎一", "坤二", "震三", "巽四", "中五", "乾六", "兌七", "艮八", "離九"][p.number - 1]: " ".join(
            [
                label(p.earth),
                "".join(map(label, p.heaven)),
                "+".join(map(label, p.stars)),
                label(p.door).removesuffix("門") if p.door else "",
                *(label(d) for d in (p.deity, p.earth_deity) if d),
            ]
        )
        for p in c.palaces
    }


def wanted(text: str) -> dict[str, str]:
    return {row.split()[0]: " ".join(row.split()[1:]) for row in text.split(";")}


@pytest.mark.parametrize("name", FLYING)
def test_flying_charts_worked_by_hand(name: str) -> None:
    pillars, ju, plates = FLYING[name]
    assert rows(chart(four(pillars), *ju)) == wanted(plates)


@pytest.mark.parametrize("name", ROTATING)
def test_rotating_charts_worked_by_hand(name: str) -> None:
    pillars, ju, plates = ROTATING[name]
    found = rows(chart(four(pillars), *ju, plate="rotating"))
    assert {k: v for k, v in found.items() if k != "中五"} == wanted(plates)


MOMENTS = [
    ("2024-04-25T09:30+08:00", {"chaibu": "穀雨3 陽8", "zhirun": "穀雨3 陽8", "maoshan": "穀雨2 陽2"}),
    ("2023-10-12T14:20+08:00", {"chaibu": "寒露2 陰9", "zhirun": "寒露2 陰9", "maoshan": "寒露1 陰6"}),
    ("2024-12-21T18:30+08:00", {"chaibu": "冬至3 陽4", "zhirun": "大雪3 陰1", "maoshan": "冬至1 陽1"}),
    # Two hours before, the term in force is still 大雪.
    ("2024-12-21T16:30+08:00", {"chaibu": "大雪3 陰1", "zhirun": "大雪3 陰1"}),
    # 處暑 is in force by the sky, but the block of its 上元 began on the 16th of August: by the blocks it is 白露.
    ("2004-09-01T12:00+08:00", {"chaibu": "處暑1 陰1", "zhirun": "白露1 陰9"}),
    ("2021-12-30T18:00+08:00", {"chaibu": "冬至1 陽1"}),
]


@pytest.mark.parametrize(("at", "method", "ju"), [(at, m, ju) for at, by in MOMENTS for m, ju in by.items()])
def test_ju_of_a_moment(at: str, method: str, ju: str) -> None:
    moment = parse_moment(at)
    found = ju_at(moment, pillars_at(moment), Tables(choose({})), method, day_boundary="23:00", leap=9)
    assert f"{found.term}{found.yuan} {'陽' if found.yang else '陰'}{found.number}" == ju
    if method == "chaibu":
        assert found.term == pillars_at(moment).term


def every_chart(**conventions: str) -> list[QimenChart]:
    """One chart for each 遁, 局 and hour pillar, on a day that has that hour."""
    found = []
    for yang, number, hour in itertools.product((True, False), range(1, 10), range(60)):
        # 甲 and 己 days begin with a 甲子 hour: the pair of the hour tells the stem of the day.
        day = PAIRS[hour // 12]
        found.append(chart({"day": day, "hour": PAIRS[hour]}, yang, number, **conventions))
    return found


@pytest.mark.parametrize("plate", ["flying", "rotating"])
def test_every_hour_chart_by_invariants(plate: str) -> None:
    for c in every_chart(plate=plate):
        assert len({p.earth for p in c.palaces}) == 9
        heaven = [s for p in c.palaces for s in p.heaven]
        stars = [s for p in c.palaces for s in p.stars]
        doors = [p.door for p in c.palaces if p.door]
        deities = [p.deity for p in c.palaces if p.deity]
        # Nothing is lost and nothing stands twice; in the rotating plate the centre has lodged.
        assert len(heaven) == len(set(heaven)) == len(stars) == len(set(stars)) == 9
        outer = 9 if plate == "flying" else 8
        assert len(doors) == len(set(doors)) == len(deities) == len(set(deities)) == outer
        # The star on duty stands over the stem of the hour, or its 儀 if that is 甲.
        hour = c.instrument_of(c.pair("hour"))
        at = next(p for p in c.palaces if c.star_on_duty in p.stars)
        lodges = next(p for p in c.palaces if p.earth == hour)
        assert at.number == (lodges.number if plate == "flying" else c.lodged(lodges.number))
        assert at.deity == "https://w3id.org/guigu/id/deity/chief"
        assert c.instrument in at.heaven
        # The door on duty walks a palace an hour from its home, forward in yang, through the centre too.
        walked = (c.origin + (1 if c.ju.yang else -1) * c.steps - 1) % 9 + 1
        stands = next(p for p in c.palaces if p.door == c.door_on_duty)
        assert stands.number == (walked if plate == "flying" else c.lodged(walked))
        if plate == "rotating":
            centre = c.palace(CENTRE)
            assert (centre.heaven, centre.stars, centre.door, centre.deity) == ((), (), None, None)


def test_leap_threshold_counts_days_both_ways() -> None:
    # 2024-12-21: the block of 甲子 2024-12-11 precedes 冬至 by ten days; see the charts above. A threshold of 8 moves only what lies between.
    moment = datetime.fromisoformat("2024-12-21T18:30+08:00")
    for leap in (8, 9):
        assert ju_at(moment, pillars_at(moment), Tables(choose({})), "zhirun", day_boundary="23:00", leap=leap).term == "大雪"
