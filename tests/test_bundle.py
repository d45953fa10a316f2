"""Pinned files of npm packages: only what is pinned is taken, and only what is wanted of it."""

import base64
import hashlib
import io
import json
import re
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from tools import bundle
from tools.bundle import PACKAGES, ROOT, Package, checked, main, there, unpacked

FILES = {"package/package.json": b'{"name": "small", "version": "1.2.3"}', "package/build/small.js": b"1;", "package/../escape.js": b"2;"}


def tarball(folder: Path) -> tuple[Path, Package]:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as packed:
        for name, content in FILES.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            packed.addfile(member, io.BytesIO(content))
    path = folder / "small-1.2.3.tgz"
    path.write_bytes(data.getvalue())
    integrity = "sha512-" + base64.b64encode(hashlib.sha512(data.getvalue()).digest()).decode()
    return path, Package("small", "1.2.3", integrity, ("build/small.js",), "into")


def test_only_what_is_wanted_is_unpacked(tmp_path: Path) -> None:
    path, package = tarball(tmp_path)
    assert not there(package, tmp_path)
    unpacked(path, package, tmp_path)
    assert {p.name: p.read_bytes() for p in (tmp_path / "into").iterdir()} == {"small.js": b"1;", "package.json": FILES["package/package.json"]}
    assert there(package, tmp_path)
    # Another version is another package.
    assert not there(replace(package, version="1.2.4"), tmp_path)


def test_what_is_not_pinned_is_refused(tmp_path: Path) -> None:
    path, package = tarball(tmp_path)
    data = path.read_bytes()
    assert checked(data, package.integrity) == data
    with pytest.raises(ValueError, match="not the one that is pinned"):
        checked(data + b"\0", package.integrity)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    path, package = tarball(tmp_path)
    with pytest.raises(KeyError):
        unpacked(path, replace(package, files=("build/other.js",)), tmp_path)


def test_a_fault_of_npm_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # no npm there
    monkeypatch.setattr(bundle, "ROOT", tmp_path)
    monkeypatch.setattr(bundle, "there", lambda _package: False)
    assert main(["audit"]) == 1
    assert capsys.readouterr().err.startswith("axe-core 4.14.1 cannot be had: ")
    assert main(["nonsense"]) == 2


def test_what_is_fetched_is_not_committed() -> None:
    ignored = (ROOT / ".gitignore").read_text("utf-8").splitlines()
    assert all(f"{package.folder}/" in ignored for package in PACKAGES.values())


@pytest.mark.skipif(not there(PACKAGES["editor"]), reason="the editor of YASGUI was not bundled ('make editor' does it)")
def test_the_bundle_is_of_the_package_that_is_pinned() -> None:
    package = PACKAGES["editor"]
    folder = ROOT / package.folder
    told = json.loads((folder / "package.json").read_text("utf-8"))
    assert (told["name"], told["version"], told["license"]) == (package.name, package.version, "MIT")
    # Its style sheet loads nothing from anywhere.
    assert not re.search(r"url\((?!data:)|@import", (folder / "yasgui.min.css").read_text("utf-8"))
