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

import pytest
from qimen_rs import Chart, calculate
from qimen_rs.types import Cycle

from loader.calendar import BRANCHES, PAIRS, STEMS, Moment, pillars_at, terms_before
from loader.ju import ju_at
from loader.liuyao import named
from loader.ontology import ontology
from loader.qimen import CENTRE, Ju, QimenChart, QimenGiven
from loader.tables import Tables, choose

BEIJING = timezone(timedelta(hours=8))
NUMBERS = "一二三四五六七八九"
TRIGRAMS = "坎坤震巽中乾兌艮離"
SIMPLIFIED = str.maketrans("惊蛰谷满种处阳阴", "驚蟄穀滿種處陽陰")
# Each whose 拆補 is told wrong by something simpler: the blocks of 置閏 give 白露 陰9 for the first; the second lies in the last days of the year.
TRAPS = {"2004-09-01T12:00+08:00": (False, 1), "2021-12-30T18:00+08:00": (True, 1)}


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
