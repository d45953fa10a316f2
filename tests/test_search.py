"""Searches for strings: variant characters are folded, every place is found, and a string is never text of the query."""

import unicodedata
from functools import cache

import pytest

from kg.parameter import Parameter
from kg.question import question
from kg.rows import Rows
from kg.store import EmbeddedStore, doctrine_store
from loader.chapter import chapters
from loader.data import folder
from loader.errors import InputError
from loader.variants import fold

TABLE = [line.split("\t") for line in (folder("ontology") / "variants.tsv").read_text("utf-8").splitlines() if not line.startswith("#")][1:]
TEXTS = {(p.place, language): text for c in chapters() for p in c.passages for language, text in (("lzh", p.lzh), ("ko", p.ko))}
HOSTILE = ('x" . ?s ?p ?o . #', "x' } UNION { ?s ?p ?o", 'VALUES ?string { "胎" }', "}", "{", '"""', "<https://w3id.org/guigu/>", "?at", "%20", "&quot;")


@cache
def store() -> EmbeddedStore:
    return doctrine_store()


def search(name: str, *strings: str) -> list[dict[str, str]]:
    found = question(name).ask(store(), {"string": strings})
    assert isinstance(found, Rows)
    return found.texts()


def passages(string: str, language: str = "lzh") -> list[str]:
    return [row["passage"] for row in search("concordance", string) if row["language"] == language]


# --- the table


def test_every_row_of_the_table_leads_in_one_step_to_a_character_of_the_documents() -> None:
    written = {c for text in TEXTS.values() for c in text}
    variants = [row[0] for row in TABLE]
    assert len(set(variants)) == len(variants)
    for variant, folded, source in TABLE:
        assert len(variant) == len(folded) == 1
        assert folded not in variants, "a chain would need two folds"
        assert folded in {fold(c) for c in written}
        kind = source.split(":")[0]
        assert kind in ("texts", "print", "OpenCC", "Unihan")
        assert kind == "print" or (variant in written) == (kind == "texts"), variant


def test_a_fold_keeps_places_and_is_folded_once() -> None:
    for text in TEXTS.values():
        assert len(fold(text)) == len(text)
        assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    "apart", ["干乾幹", "里裡", "谷穀", "發髮", "只隻", "致緻", "復覆", "丑醜", "己已巳", "元玄", "申甲由", "戊戌戍", "未末", "午牛", "卯卵"]
)
def test_words_that_only_look_alike_stay_apart(apart: str) -> None:
    assert len({fold(c) for c in apart}) == len(apart)


@pytest.mark.parametrize(
    "together",
    [
        "沖冲衝",
        "克剋尅",
        "螣騰腾",
        "直值値",
        "歲嵗岁",
        "為爲为",
        "婦妇",
        "產産产",
        "劫刼",
        "略畧",
        "疏疎踈",
        "游遊",
        "殺煞杀",
        "陰阴",
        "陽阳",
        "門门",
        "應应",
        "財财",
    ],
)
def test_one_word_is_one_however_it_is_written(together: str) -> None:
    assert len({fold(c) for c in together}) == 1


def test_stems_and_branches_are_reached_from_no_other_word() -> None:
    """A variant of 丑 or 午 would make a search for a branch find another word."""
    assert {row[0] for row in TABLE if row[1] in "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥"} == set()


# --- searches worked by hand from the documents


def test_simplified_and_printed_variants_find_the_clash() -> None:
    where = ["000 ¶3", "000 ¶18", "000 ¶19", "000 ¶21", "003 ¶6", "003 ¶6"]
    assert passages("六沖") == passages("六冲") == passages("六衝") == where


def test_a_simplified_character_finds_every_woman() -> None:
    chinese = ["001 ¶21", "003 ¶15", "003 ¶17", "003 ¶18", *["003 ¶21"] * 3, *["003 ¶22"] * 3, *["003 ¶23"] * 3, *["003 ¶24"] * 3, *["003 ¶25"] * 4]
    assert passages("妇") == passages("婦") == chinese
    assert passages("产妇", "ko") == ["000 ¶1"], "the Korean writes 産婦"


def test_a_korean_word_is_found_in_the_translation() -> None:
    assert [(r["passage"], r["language"]) for r in search("concordance", "접산파")] == [("000 ¶1", "ko"), ("000 ¶1", "ko"), ("000 ¶10", "ko")]
    decomposed = unicodedata.normalize("NFD", "접산파")
    assert search("concordance", decomposed) == search("concordance", "접산파")


def test_the_chief_is_found_under_both_spellings_as_the_text_writes_it() -> None:
    here = {(row["passage"], row["here"]) for row in search("concordance", "值符")}
    assert {("001 ¶6", "值符"), ("001 ¶6", "直符"), ("001 ¶17", "直符"), ("001 ¶34", "值符")} <= here


def test_a_stem_is_not_a_trigram() -> None:
    assert passages("乾坤") == ["000 ¶17"]
    assert passages("干坤") == []
    assert passages("干支") != []


def test_a_string_across_two_clauses_is_found_in_the_passage_only() -> None:
    assert passages("胎墮。三臨鬼") == ["000 ¶1"]
    assert search("concordance-clauses", "胎墮。三臨鬼") == []


def test_the_characters_around_a_place_are_those_of_the_text() -> None:
    row = search("concordance", "难生")[0]
    assert (row["passage"], row["language"]) == ("000 ¶1", "lzh")
    assert (row["before"], row["here"], row["after"]) == ("。二臨鬼子災，空則胎墮。三臨鬼", "難生", "，空則無人看生。四臨鬼，損夫，")


@pytest.mark.parametrize("string", ["沖", "官鬼", "의", "「자손」", "a"])
def test_every_place_is_found_once(string: str) -> None:
    """Against a plain search of the texts."""
    expected = {(place, language, i) for (place, language), text in TEXTS.items() for i in range(len(text)) if fold(text).startswith(fold(string), i)}
    rows = search("concordance", string)
    assert {(r["passage"], r["language"], int(r["place"])) for r in rows} == expected
    assert len(rows) == len(expected)
    for row in rows:
        text, place = TEXTS[row["passage"], row["language"]], int(row["place"])
        assert row["before"] + row["here"] + row["after"] in text
        assert row["here"] == text[place : place + len(string)]
        assert row["before"] == text[max(0, place - 15) : place]


def test_the_concordance_reaches_the_end_of_the_longest_passage() -> None:
    assert max(len(text) for text in TEXTS.values()) < 2000, "add hundreds to queries/doctrine/concordance.rq"


def test_clauses_are_found_by_reading_translation_and_condition() -> None:
    assert {(r["clause"], r["language"]) for r in search("concordance-clauses", "MIDWIFE COMES")} == {("yy-taichan-022", "en")}
    assert ("yy-taichan-022", "ko") in {(r["clause"], r["language"]) for r in search("concordance-clauses", "접산하러 오는")}
    conditions = [r["text"] for r in search("concordance-clauses", "五爻 and 空亡") if r["language"] == ""]
    assert "五爻 and 空亡" in conditions


# --- a string is data


@pytest.mark.parametrize("name", ["concordance", "concordance-clauses"])
@pytest.mark.parametrize("string", HOSTILE)
def test_a_hostile_string_finds_nothing_and_breaks_nothing(name: str, string: str) -> None:
    assert search(name, string) == []


@pytest.mark.parametrize("string", ["", " ", "\n", "a\x00b", "\\", "沖" * 201])
def test_what_cannot_be_looked_for_is_refused(string: str) -> None:
    with pytest.raises(InputError):
        Parameter("string", "search", "沖", "").terms(string)
