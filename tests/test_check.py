"""What `guigu check` must find, on chapter files with one fault each, and the check itself over all chapters."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.check import check_all, check_files
from kg.cli import main
from kg.judgement import program, topics
from kg.profile import outside
from loader.tables import choose

GOOD = """\
chapter: good
text: yiyin
document: "000"
tradition: liuyao
title: {zh-hant: 例, ko: 예, en: example}
topic: childbirth
passages:
  - id: 1
    lzh: 初臨鬼母災，空則母損。
    ko: 초효 위에 관귀가 앉으면 재앙이 있다. 공이면 손이 있다.
    clauses:
      - id: yy-good-001
        quote: 初臨鬼母災
        ko: 초효 위에 관귀가 앉으면 재앙이 있다
        kind: verdict
        when: 初爻 and 官鬼
        about: mother
        omen: inauspicious
        en: Calamity for the mother.
      - id: yy-good-002
        quote: 空則母損
        ko: 공이면 손이 있다
        kind: verdict
        when: 初爻 and 空亡
        about: mother
        omen: inauspicious
        en: Loss of the mother.
"""

FAULTS = {
    "unknown name": ("初爻 and 官鬼", "初爻 and 官甩", "官甩"),
    "quote not in the passage": ("quote: 空則母損", "quote: 空則父損", "does not hold"),
    "quote that stands twice": ("quote: 空則母損", "quote: 母", "stands 2 times"),
    "mixed subjects": ("初爻 and 空亡", "初爻 and 大畜", "mixed subjects"),
    "and with or": ("初爻 and 空亡", "初爻 and 空亡 or 動", "parentheses"),
    "uncovered characters": ("quote: 空則母損", "quote: 空則", "no clause quotes"),
    "unknown field": ("about: mother\n        omen: inauspicious\n        en: Loss", "abuot: mother\n        omen: inauspicious\n        en: Loss", "no field"),
    "unknown aspect": ("about: mother\n        omen: inauspicious\n        en: Loss", "about: aunt\n        omen: inauspicious\n        en: Loss", "no aspect"),
    "unknown omen": ("omen: inauspicious\n        en: Loss", "omen: bad\n        en: Loss", "is not one of"),
    "no condition and no reason": ("        when: 初爻 and 空亡\n", "", "without 'when'"),
    "overrides nothing": ("en: Loss of the mother.", "en: Loss of the mother.\n        overrides: [yy-none-001]", "which is no clause"),
    "alias": ("title: {zh-hant: 例, ko: 예, en: example}", "title: &t {zh-hant: 例, ko: 예, en: example}", "anchors"),
    "not yaml": ("passages:", "passages: [", "not YAML"),
}


def test_a_good_chapter_passes(tmp_path: Path) -> None:
    path = tmp_path / "good.yaml"
    path.write_text(GOOD, "utf-8")
    report = check_files([path])
    assert report.passed, report.text
    assert "100%" in report.text


@pytest.mark.parametrize(("old", "new", "words"), FAULTS.values(), ids=FAULTS.keys())
def test_each_fault_is_named_with_its_place(old: str, new: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    assert old in GOOD
    path.write_text(GOOD.replace(old, new), "utf-8")
    result = CliRunner().invoke(main, ["check", str(path)])
    assert result.exit_code == 1
    assert words in result.stdout
    assert "bad.yaml" in result.stdout
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"chapter: \xff\xfe", "not UTF-8"), (b"a: '" + b"x" * 10_000_000 + b"'", "bytes"), (b"", "empty"), (b"[" * 20_000, "not YAML")],
    ids=["utf-8", "10 MB line", "empty", "deep"],
)
def test_hostile_files(content: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "hostile.yaml"
    path.write_bytes(content)
    report = check_files([path])
    assert not report.passed
    assert words in report.text


def test_all_that_travels_with_guigu_passes() -> None:
    report = check_all(casts=0)
    assert report.passed, report.text


def test_the_compiled_axioms_are_inside_the_profile() -> None:
    axioms = [t for layer in program(topics(), choose({})).axioms.values() for t in layer]
    assert axioms
    assert list(outside(axioms)) == []
