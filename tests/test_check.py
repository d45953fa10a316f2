"""What `guigu check` must find, on chapter files with one fault each, and the check itself over all chapters."""

import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from kg.asking import topics
from kg.check import _chapter, _count, check_files
from kg.cli import main
from kg.judgement import program
from kg.profile import outside
from loader.chapter import parse_chapter
from loader.errors import ChapterError, ConditionError
from loader.tables import choose

ROOT = Path(__file__).resolve().parent.parent
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


@given(st.integers(0, len(GOOD)), st.integers(0, 40), st.text("abc:-'[]{}#&*!|>%@` \n\t初官鬼空0", max_size=8))
def test_any_edit_of_a_chapter_is_read_or_refused(start: int, cut: int, put: str) -> None:
    text = GOOD[:start] + put + GOOD[start + cut :]
    with suppress(ChapterError, ConditionError):
        chapter = parse_chapter(text, "edited.yaml")
        list(_chapter(chapter))
        _count(chapter)


def test_the_compiled_axioms_are_inside_the_profile() -> None:
    axioms = [t for layer in program(topics(), choose({})).axioms.values() for t in layer]
    assert axioms
    assert list(outside(axioms)) == []


CAST_FAULTS = ("unknown name", "quote not in the passage", "mixed subjects", "and with or", "alias")
CAST = [sys.executable, "-m", "kg", "cast", "--hexagram", "剝", "--month", "午", "--day", "甲子", "--topic", "childbirth"]


@pytest.mark.parametrize("content", [*(GOOD.replace(*FAULTS[f][:2]).encode() for f in CAST_FAULTS), b"\xff", b"a: '" + b"x" * 10_000_000 + b"'"])
def test_a_cast_with_a_bad_chapter_is_refused_in_one_sentence(content: bytes, tmp_path: Path) -> None:
    path, target = tmp_path / "bad.yaml", tmp_path / "answer.txt"
    path.write_bytes(content)
    # A process of its own: an added chapter stays for the whole of it.
    done = subprocess.run([*CAST, "--chapter", str(path), "--output", str(target)], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 2
    assert done.stdout == ""
    assert re.fullmatch(r"guigu: .+ \[GUIGU\.[A-Z.]+\]\n", done.stderr)
    assert "bad.yaml" in done.stderr
    assert not target.exists()


def test_a_chapter_of_ones_own_is_judged_beside_the_others(tmp_path: Path) -> None:
    path = tmp_path / "good.yaml"
    path.write_text(GOOD.replace("初爻 and 官鬼", "初爻"), "utf-8")
    done = subprocess.run([*CAST, "--chapter", str(path)], capture_output=True, text=True, check=True, cwd=ROOT)
    assert "yy-good-001" in done.stdout
    assert "yy-taichan-" in done.stdout
