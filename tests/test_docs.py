"""The documents tell the truth: every command of the README runs, every error code and convention is real."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pyoxigraph as ox
import pytest
from click.testing import CliRunner

from kg.cli import main
from loader.chapter import chapters, clauses
from loader.data import folder
from loader.kinship import agrees, received

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = [line[len("$ guigu ") :] for line in README.splitlines() if line.startswith("$ guigu ")]


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_of_the_readme_runs(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("queries", "docs"):
        (tmp_path / name).symlink_to(ROOT / name)
    arguments = shlex.split(command)
    if "release" in arguments:  # the release of the tests was made by this command
        (tmp_path / "release").symlink_to(request.getfixturevalue("release"))
        if arguments[0] == "export":
            return
    for written in ("cast.ttl", "judged.nq", "census.ttl"):  # a file that an earlier command of the page writes
        makers = [c for c in COMMANDS if f"-o {written}" in c or c.startswith(f"census {written}")]
        if written in arguments and command not in makers:
            assert CliRunner().invoke(main, shlex.split(makers[0])).exit_code == 0
    if arguments == ["check"]:
        arguments += ["--casts", "0", "--doubts"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    assert result.stdout or len(list(tmp_path.iterdir())) > 2
    if arguments[0] == "check":
        assert "doubt yy-wangzu-005b 「再從庚寅年" in result.stdout
    if arguments[0] == "export" and arguments[1].endswith(".ttl"):
        assert len(list(ox.parse(path=arguments[1]))) > 100_000


def test_the_example_of_the_readme_is_what_make_run_prints() -> None:
    command = re.search(r"guigu (cast .+)", (ROOT / "Makefile").read_text("utf-8"))
    assert command
    printed = CliRunner().invoke(main, shlex.split(command[1])).stdout
    block = re.search(r"```text\n(.*?)```", README, re.S)
    assert block
    for line in block[1].splitlines():
        assert line.strip() in printed, line


def test_python_of_the_readme() -> None:
    import doctest

    blocks = re.findall(r"```python\n(.*?)```", README, re.S)
    assert blocks
    for block in blocks:
        test = doctest.DocTestParser().get_doctest(block, {}, "README", None, 0)
        assert doctest.DocTestRunner().run(test).failed == 0


def test_counts_of_the_readme() -> None:
    table = dict(re.findall(r"\| (\S+) [^|]*\| 00\d [^|]*\| (\d+) \|\n", README))
    assert table == {chapter.title["zh-hant"]: str(len(list(chapter.clauses()))) for chapter in chapters()}


def test_findings_of_the_readme() -> None:
    assert len([c for c in clauses().values() if c.dead]) == 9
    assert [c.id for c in clauses().values() if c.unformalised] == ["qm-zang-190"]
    assert (len([c for c in received() if not agrees(c)]), len(received())) == (18, 277)


def test_the_command_is_installed_and_answers() -> None:
    done = subprocess.run([sys.executable, "-m", "kg", "--version"], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.startswith("guigu, version ")


def test_nothing_of_the_data_needs_another_folder() -> None:
    for path in (*folder("ontology").rglob("*"), *folder("queries").rglob("*"), *(ROOT / "kg").rglob("*.py"), *(ROOT / "loader").rglob("*.py")):
        if path.is_file():
            assert "../shared" not in path.read_text("utf-8")
