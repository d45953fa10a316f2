"""docs/findings.md tells what a census finds: it is taken again, and the page compared with it."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.census import effect
from kg.census.findings import SECTIONS, Findings, page, sections
from kg.census.plot import plots
from kg.census.row import change_rows, effect_rows
from kg.cli import main

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = (DOCS / "findings.md").read_text("utf-8")
TRIED = ("emendations", "conventions")
"""Sections that try every option, which takes minutes; of them some options are tried here."""
TODO = "what the doctrine comes to has changed: look at the difference, then run 'make findings'"


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Findings:
    folder = tmp_path_factory.mktemp("census") / "counted"
    done = CliRunner().invoke(main, ["census", str(folder), "--with", "traditions"])
    assert done.exit_code == 0, done.output
    return Findings.read(folder)


@cache
def tried(trial: effect.Trial) -> effect.Effect:
    return effect.effect_of(effect.tried(trial))


@pytest.mark.slow
def test_the_page_tells_what_the_census_finds(found: Findings) -> None:
    counted, told = sections(page(found, "findings")), sections(PAGE)
    titles = {SECTIONS[key][0] for key in TRIED}
    assert told.keys() - titles == counted.keys()
    for title in counted:
        assert told[title] == counted[title], f"{title}: {TODO}"
    assert PAGE.partition("\n## ")[0] == page(found).partition("\n## ")[0].rstrip("\n"), TODO


@pytest.mark.slow
def test_the_plots_show_what_the_census_finds(found: Findings) -> None:
    for name, data in plots(found).items():
        assert (DOCS / "findings" / f"{name}.svg").read_bytes() == data, f"{name}: {TODO}"


@pytest.mark.slow
def test_the_page_tells_what_emendations_change() -> None:
    effects = [tried(t) for t in effect.trials(effect.CASTS) if t.convention == "reading"]
    some = Findings((), (), (), list(effect_rows(effects)), list(change_rows(effects)), ())
    title, make = SECTIONS["emendations"]
    assert sections(PAGE)[title] == "\n".join(make(some)).strip(), TODO


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tradition", "convention", "option"), [("liuyao", "body", "shishen"), ("liuyao", "star-pillars", "day"), ("qimen", "plate", "rotating")]
)
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


def test_a_slice_has_a_page_too(found: Findings) -> None:
    heirs = replace(
        found,
        clauses=[r for r in found.clauses if (r.topic, r.space) == ("heirs", "days")],
        pairs=[r for r in found.pairs if (r.topic, r.space) == ("heirs", "days")],
        aspects=[],
        accord=[],
    )
    text = page(heirs)
    assert "yy-qiusi-003" in text
    assert "hour chart of" not in text
    assert "findings/" not in text
