"""docs/findings.md tells what a census finds: it is taken again, and the page compared with it."""

from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.census import effect
from kg.census.findings import SECTIONS, Findings, page, sections
from kg.census.plot import plots
from kg.census.row import change_rows, effect_rows
from kg.cli import main
from loader.names import TRADITIONS

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = (DOCS / "findings.md").read_text("utf-8")
TRIED = ("emendations", "conventions")
"""Sections that try every option, which takes minutes; of them some options are tried here."""
TODO = "what the doctrine comes to has changed: look at the difference, then run 'make findings'"


@cache
def tried(trial: effect.Trial) -> effect.Effect:
    return effect.effect_of(effect.tried(trial))


def counted(folder: Path, *options: str) -> Findings:
    done = CliRunner().invoke(main, ["census", str(folder), *options])
    assert done.exit_code == 0, done.output
    return Findings.read(folder)


@pytest.mark.slow
def test_the_page_and_its_plots_tell_what_the_census_finds(tmp_path: Path) -> None:
    found = counted(tmp_path / "counted", "--with", "traditions")
    text = page(found, "findings")
    now, told = sections(text), sections(PAGE)
    titles = {SECTIONS[key][0] for key in TRIED}
    assert told.keys() - titles == now.keys()
    for title in now:
        assert told[title] == now[title], f"{title}: {TODO}"
    assert PAGE.partition("\n## ")[0] == text.partition("\n## ")[0], TODO
    for name, data in plots(found).items():
        assert (DOCS / "findings" / f"{name}.svg").read_bytes() == data, f"{name}: {TODO}"


@pytest.mark.slow
def test_the_page_tells_what_emendations_change() -> None:
    title, make = SECTIONS["emendations"]
    told = sections(PAGE)[title].splitlines()
    for tradition in TRADITIONS:
        effects = [tried(effect.Trial(tradition, "reading", "received", effect.CASTS))]
        some = Findings((), (), (), list(effect_rows(effects)), list(change_rows(effects)), ())
        rows = [line for line in make(some) if line.startswith("| ") and "received" in line]
        assert len(rows) > 2
        mine = [line for line in told if "received |" in line and line.startswith((f"| {tradition} ", "| yy-" if tradition == "liuyao" else "| qm-"))]
        assert mine == rows, TODO


@pytest.mark.slow
@pytest.mark.parametrize(("tradition", "convention", "option"), [("liuyao", "body", "shishen"), ("qimen", "plate", "rotating")])
def test_the_page_tells_what_an_option_changes(tradition: str, convention: str, option: str) -> None:
    trial = effect.Trial(tradition, convention, option, effect.CASTS)
    title, make = SECTIONS["conventions"]
    some = Findings((), (), (), list(effect_rows([tried(trial)])), (), ())
    rows = [line for line in make(some) if line.startswith(f"| `{convention}=")]
    assert len(rows) == 1
    assert rows[0] in sections(PAGE)[title], TODO


def test_every_cast_of_the_page_fires_what_it_is_named_for() -> None:
    """A few of them, by the command that the page prints and another engine."""
    lines = [line for line in PAGE.splitlines() if line.startswith("| ") and "`guigu " in line and "「" in line and "--convention" not in line]
    assert len(lines) > 100
    for line in lines[:: len(lines) // 8]:
        command = line[line.index("`guigu ") + 7 :].partition("`")[0].split()
        clause = next(word for word in line.split() if word.startswith(("yy-", "qm-")))
        done = CliRunner().invoke(main, [*command, "--format", "json"])
        assert done.exit_code == 0, done.output
        assert f'"{clause}"' in done.stdout, line


def test_a_slice_has_a_page_too(tmp_path: Path) -> None:
    text = page(counted(tmp_path / "heirs", "--topic", "heirs", "--month", "辰", "--day", "戊辰"))
    assert "yy-qiusi-003" in text
    assert "hour chart of" not in text
    assert "findings/" not in text
