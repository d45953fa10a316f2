"""What is said of a cast is said in English, Korean and Chinese, and each language speaks for itself."""

import re
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from kg.explain import Proof, unknown_words, why_not
from kg.judgement import Judgement, judge
from kg.reasons import describe, limit_words
from kg.reckoning import reckon, step
from kg.sampling import sample
from kg.web import casting, frame
from loader import iris
from loader.calendar import parse_moment, pillars_at
from loader.chapter import clauses
from loader.errors import OntologyError
from loader.iris import symbol
from loader.kinship import descendants, place_of, relatives, told
from loader.kinship import element as reckoned
from loader.liuyao import Chart
from loader.names import TRADITIONS, names
from loader.ontology import ontology
from loader.qimen_given import QimenTyped, qimen_given
from loader.saying import LANGUAGES, Said, fields_of, joined, keys, place, say
from tests.conftest import Judge

_IDS = re.compile(r"\b(?:yy|qm)-[a-z]+-\d+[a-z]?\b")
_LATIN = re.compile(r"[A-Za-z]")
_HANGUL = re.compile(r"[가-힣]")


def walked(p: Proof) -> Iterator[Said]:
    yield p.individual
    if p.reason:
        yield p.reason
    for part in p.parts:
        yield from walked(part)


def everything_said(j: Judgement) -> Iterator[Said]:
    """Who, why, when and how much, of what fires and of what does not."""
    yield from (describe(j.chart, i) for i in j.closed.types)
    for clause in j.clauses:
        holders = j.holders(clause)
        if holders:
            yield from (s for p in j.proofs(clause, holders) for s in walked(p))
        elif missed := why_not(j.chart, j.closed, j.program, clause):
            yield from walked(missed)
    yield from (b for v in j.verdicts for w in v.when for b in w.because)
    yield from (r.sum for r in reckon(j.chart, j.closed, j.program, j.clauses))
    yield from unknown_words(j.chart.unknown)


def foreign(told: Said) -> bool:
    """Whether a sentence has words of another language, ids of clauses apart."""
    ko, zh = (_IDS.sub("", told.text(language)) for language in ("ko", "zh-hant"))
    return bool(_LATIN.search(ko + zh) or _HANGUL.search(zh) or re.search(r"[{}]", told.en + ko + zh))


# --- the catalogue


@pytest.mark.parametrize("key", keys())
def test_a_sentence_has_the_same_fields_in_each_language(key: str) -> None:
    assert len({fields_of(key, language) for language in LANGUAGES}) == 1
    assert not foreign(say(key, **dict.fromkeys(fields_of(key), "卦")))


def test_a_sentence_on_a_class_is_on_one_of_its_tradition() -> None:
    for prefix, tradition in (("six", "liuyao"), ("hour", "qimen")):
        known = {iris.key(term.iri) for term in names(tradition).terms.values()}
        assert {k.removeprefix(f"{prefix}-") for k in keys() if k.startswith(f"{prefix}-")} <= known


def test_everything_that_may_be_unknown_has_a_name() -> None:
    rests = {what for tradition in TRADITIONS for term in names(tradition).terms.values() for what in term.rests_on}
    assert rests
    assert len(unknown_words(rests)) == len(rests)


def test_there_is_no_other_sentence() -> None:
    with pytest.raises(OntologyError, match="no sentence 'nonsense'"):
        say("nonsense")


def test_numbers_are_chinese_in_chinese() -> None:
    assert [place(n).text("zh-hant") for n in range(1, 7)] == list("初二三四五六")
    said = say("limit", age=30, place=place(1), branch="寅", figure=say("figure-line"), first=29, last=101)
    assert said.text("zh-hant") == "三十歲行本卦初爻寅之限，自二十九歲至101歲"
    assert [joined([n], "").text("zh-hant") for n in (0, 10, 12, 20, 99)] == ["〇", "十", "十二", "二十", "九十九"]


# --- casts


@pytest.mark.parametrize("tradition", TRADITIONS)
def test_each_language_speaks_for_itself(tradition: str) -> None:
    count = 0
    for given in sample(5, seed=7, tradition=tradition):
        for s in everything_said(judge(given)):
            count += 1
            assert not foreign(s), (s.en, s.ko, s.zh_hant)
    assert count > 1000


def test_relatives_are_counted_in_each_language(judged: Judge) -> None:
    chart = judged("坎為水", month="午", day="甲子", topic="kin").chart
    assert isinstance(chart, Chart)
    places = [find(chart, relative, asks) for find in (place_of, descendants) for relative in relatives() for asks in ((), ("elder-asks-junior",))]
    sentences = [s for p in places if p for s in (p.where, *p.because)]
    sentences += [told(s) for world in ontology().of_type("Element") for relative in relatives() for s in reckoned(relative, world, "received")]
    assert len(sentences) > 500
    assert [s for s in sentences if foreign(s)] == []


def test_steps_of_computations() -> None:
    steps = [step(c.computes) for c in clauses().values() if c.computes]
    assert steps
    assert [s for s in steps if foreign(s)] == []


@pytest.mark.parametrize(("at", "said"), [("2022-02-04T04:49+08:00", "秒：此前為辛丑年辛丑月，此後為壬寅年壬寅月"), ("2022-02-04T04:53+08:00", "立春（")])
def test_a_moment_near_a_term(at: str, said: str) -> None:
    (note,) = pillars_at(parse_moment(at)).uncertain
    assert said in note.text("zh-hant")
    assert not foreign(note)


# --- what is said, by example


def test_a_reason_of_six_lines(judged: Judge) -> None:
    """小過 is the seventh of the palace 兌, 世 on line 4; 戊辰 is of the decade 甲子, whose voids are 戌亥."""
    j = judged("雷山小過", moving="3", month="辰", day="戊辰")
    every = {s.en: s for s in everything_said(j)}
    for en, ko, zh in (
        ("世 stands on line 4 in hexagram 7 of the palace of 兌", "兌궁의 7번째 괘로 세효가 4효에 있다", "兌宮第七卦，世在四爻"),
        ("day 戊辰 belongs to 旬 甲子, void 戌亥", "일진 戊辰: 甲子순에 속하고 공망은 戌亥", "日辰戊辰屬甲子旬，空戌亥"),
        ("the day 戊辰", "일진 戊辰", "日辰戊辰"),
        ("changed line 3 卯 妻財", "3효 변효 卯 妻財", "三爻變爻妻財卯"),
        ("hour pillar", "시주", "時柱"),
    ):
        assert (every[en].ko, every[en].zh_hant) == (ko, zh)


def test_a_reason_of_an_hour_chart() -> None:
    """2024-04-25 09:30: hour 己巳 of the decade 甲子, the door of 艮八 five hours on its way."""
    given, _ = qimen_given(QimenTyped(at="2024-04-25T09:30+08:00"), ["childbirth", "wealth"])
    every = {s.en: s for s in everything_said(judge(given))}
    assert every["it is at home in 艮八, 5 hours ago"].zh_hant == "本居艮八宮，去今五時"
    assert every["it is at home in 艮八, 5 hours ago"].ko == "5시진 전에는 본궁 艮八궁"
    assert every["palace 乾六"].zh_hant == "乾六宮"


def test_the_line_of_a_relative_and_the_limit_of_an_age(judged: Judge) -> None:
    """003 ¶19: the mother is found by count; 大壯 begins at seven on line 4, so from twelve line 5, 申, governs."""
    kin = judged("坎為水", month="午", day="甲子", topic="kin", relative="mother").chart
    assert isinstance(kin, Chart)
    found = place_of(kin, symbol("relative", "mother"))
    assert found is not None
    assert [found.where.text(language) for language in LANGUAGES] == ["line 3, flown", "3효, 비효", "三爻，飛"]
    assert found.because[-1].zh_hant == "木數三，自五爻數下：五四三"
    life = judged("大壯", month="午", day="甲子", topic="fate", age=13).chart
    assert isinstance(life, Chart)
    words = limit_words(life)
    assert words is not None
    assert words.zh_hant == "十三歲行本卦五爻申之限，自十二歲至十六歲"


# --- the pages


@pytest.mark.parametrize("language", ["ko", "zh-hant"])
@pytest.mark.parametrize(
    "asked",
    [
        {"tradition": "qimen", "at": "2024-04-25T09:30+08:00", "birth-year": "1994", "topic": "childbirth"},
        {"lines": "9,6,7,8,9,7", "at": "2022-02-04T04:50+08:00", "topic": "small-exam", "birth-year": "1994", "relative": "mother"},
    ],
    ids=["hour", "lines"],
)
def test_a_page_says_why_in_its_own_language(asked: dict[str, str], language: str) -> None:
    with TestClient(Starlette(routes=[*casting.routes(), *frame.routes()])) as client:
        html = client.get("/cast", params={**asked, "lang": language}).text
    told = re.findall(r'<span class="(?:who|reason)">(.*?)</span>', html)
    told += [item for part in re.findall(r'(?s)<ul class="(?:because|notes)">(.*?)</ul>', html) for item in re.findall("<li>(.*?)</li>", part)]
    assert len(told) > 50
    assert [text for text in told if _LATIN.search(_IDS.sub("", re.sub("<.*?>", "", text)))] == []
