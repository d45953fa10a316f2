"""Fetch pinned files of npm packages: the editor of YASGUI for the reading room, and axe-core for the accessibility tests.

    python tools/bundle.py editor audit

The tarball is fetched by `npm pack`, so from the registry that npm is set up for, and is used only if its SHA-512 is the one that stands
here. Nothing of a package is run. What is there already in that version is not fetched again.
"""

import base64
import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
_STAMP: Final = "package.json"
"""It tells name, version and licence of what lies beside it."""


@dataclass(frozen=True)
class Package:
    """Files of a package and where they go.

    Attributes:
        name: its name at npm.
        version: its version.
        integrity: SHA-512 of its tarball, as npm writes it.
        files: paths in the tarball; each goes into the folder by its last step.
        folder: where they go, below the root of the project.
    """

    name: str
    version: str
    integrity: str
    files: tuple[str, ...]
    folder: str


PACKAGES: Final[Mapping[str, Package]] = {
    "editor": Package(
        "@zazuko/yasgui",
        "4.6.2",
        "sha512-Zw45KdPoAE1KRaAoxIHdQqeJxvaVG1oQdntw0hy0ktX35Zu8ZccuOLrXCLwR+GU+0xMzLw8Mjw6BkSZV2vUuQw==",
        ("build/yasgui.min.js", "build/yasgui.min.css"),
        "kg/web/static/yasgui",
    ),
    "audit": Package(
        "axe-core",
        "4.14.1",
        "sha512-FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ==",
        ("axe.min.js",),
        "tests/browser/axe",
    ),
}


def there(package: Package, root: Path = ROOT) -> bool:
    """Whether the files of a package are there in its version."""
    folder = root / package.folder
    if not all((folder / Path(name).name).is_file() for name in (*package.files, _STAMP)):
        return False
    return json.loads((folder / _STAMP).read_text("utf-8")).get("version") == package.version


def checked(data: bytes, integrity: str) -> bytes:
    """Data, if they are what they should be.

    Raises:
        ValueError: they are not.

    >>> checked(b"", "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==")
    b''
    """
    found = "sha512-" + base64.b64encode(hashlib.sha512(data).digest()).decode()
    if found != integrity:
        raise ValueError(f"the tarball is not the one that is pinned: {found}")
    return data


def unpacked(tarball: Path, package: Package, root: Path = ROOT) -> None:
    """Take the files of a package out of its tarball.

    Raises:
        KeyError: one of them is not in it.
    """
    folder = root / package.folder
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(tarball) as packed:
        for name in (*package.files, _STAMP):
            member = packed.extractfile(f"package/{name}")
            if member is None:
                raise KeyError(name)
            (folder / Path(name).name).write_bytes(member.read())


def fetch(package: Package) -> None:
    """Fetch a package and take its files.

    Raises:
        OSError: npm is not installed.
        subprocess.CalledProcessError: npm cannot fetch it.
        ValueError: it is not the one that is pinned.
    """
    with tempfile.TemporaryDirectory() as place:
        command = ["npm", "pack", "--silent", "--ignore-scripts", f"{package.name}@{package.version}"]
        subprocess.run(command, cwd=place, check=True, stdout=subprocess.DEVNULL, timeout=300)  # noqa: S603 - all of it stands here
        (tarball,) = Path(place).glob("*.tgz")
        checked(tarball.read_bytes(), package.integrity)
        unpacked(tarball, package)


def main(names: Sequence[str]) -> int:
    """Fetch what is named and not there; the exit code."""
    if not names or not set(names) <= set(PACKAGES):
        sys.stderr.write(f"name one or more of: {', '.join(PACKAGES)}\n")
        return 2
    for name in names:
        package = PACKAGES[name]
        if there(package):
            continue
        try:
            fetch(package)
        except (OSError, subprocess.SubprocessError, ValueError, KeyError, tarfile.TarError) as error:
            sys.stderr.write(f"{package.name} {package.version} cannot be had: {error}\n")
            return 1
        sys.stderr.write(f"{package.name} {package.version} is in {package.folder}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
