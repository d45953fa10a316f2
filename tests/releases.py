"""The release that tests look at: built once in a run, by the first test that wants it, as a person would build it."""

import fcntl
import gzip
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
HERE = {"PYTHONHASHSEED": "1", "TZ": "Asia/Seoul", "LC_ALL": "C.UTF-8"}
"""Surroundings of the build; `test_release.py` makes another in others."""
SOURCES = ("kg", "loader", "ontology", "queries", "pyproject.toml", "README.md")


def export(target: Path, surroundings: dict[str, str], root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run `guigu export` by the sources in a folder, with other variables of the environment."""
    command = [sys.executable, "-P", "-c", "from kg.cli import main; main()", "export", str(target)]
    env = os.environ | {"PYTHONPATH": str(root)} | surroundings
    return subprocess.run(command, env=env, cwd=target.parent, capture_output=True, text=True, encoding="utf-8", timeout=600, check=False)


def copied(target: Path) -> Path:
    """A copy of the sources in another folder."""
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            target.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / name)
    return target


def unpacked(root: Path, name: str) -> bytes:
    """A file of a release, whether it is packed or not."""
    path = root / name
    return path.read_bytes() if path.exists() else gzip.decompress((root / f"{name}.gz").read_bytes())


@pytest.fixture(scope="session")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The release, one for all the processes of a run of tests."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    target = shared / "release"
    with (shared / "release.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the others wait for the first
        if not target.exists():
            done = export(target, HERE)
            assert done.returncode == 0, done.stderr
    return target
