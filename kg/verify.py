"""Whether a release is what it says: its files against its manifest, and its dataset against the sources, rebuilt."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from kg.dataset import Dataset, doctrine
from kg.release import read
from kg.version import VERSION
from loader.errors import InputError, quoted

_SHOWN: Final = 5
"""Statements shown of each graph that differs."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was found: one line for each fault, none where the release is what it says."""

    faults: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether there is no fault."""
        return not self.faults


def verify(root: Path, rebuilt: Dataset | None = None, progress: Callable[[str], None] = lambda _: None) -> Report:
    """Check a release folder against its manifest and against the sources of this installation.

    Raises:
        InputError: it is no release.
    """
    progress("files against the manifest")
    manifest, dataset = read(root)
    faults = list(_files(root, manifest.get("files", {})))
    progress("dataset against its hash")
    if dataset.digest != manifest.get("sha256"):
        faults.append(f"dataset: the canonical hash is {dataset.digest}, the manifest says {manifest.get('sha256')}")
    if manifest.get("version") != VERSION:
        faults.append(f"version: the release is {quoted(str(manifest.get('version')))}, this is {VERSION}: only the same version can rebuild it")
        return Report(tuple(faults), ())
    progress("rebuilding from the sources")
    faults += _graphs(dataset, rebuilt or doctrine())
    return Report(tuple(faults), tuple(f"{key}: {len(lines)} triples" for key, lines in dataset.graphs.items()))


def _files(root: Path, stated: dict[str, dict[str, object]]) -> list[str]:
    found = []
    for name, facts in sorted(stated.items()):
        parts = PurePosixPath(name)
        if parts.is_absolute() or ".." in parts.parts:
            raise InputError(f"the manifest names {quoted(name)}", where=str(root), todo="a release names only files inside itself")
        path = root / name
        try:
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError as error:
            found.append(f"{name}: {error.strerror}")
            continue
        if digest != facts.get("sha256"):
            found.append(f"{name}: changed since it was written")
    there = {p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()}
    return found + [f"{name}: not in the manifest" for name in sorted(there - stated.keys() - {"manifest.json"})]


def _graphs(stated: Dataset, rebuilt: Dataset) -> list[str]:
    found = []
    for key in sorted(stated.graphs.keys() | rebuilt.graphs.keys()):
        a, b = (set(d.graphs.get(key, ())) for d in (stated, rebuilt))
        if a != b:
            found.append(f"graph {key}: {len(a - b)} statements that the sources do not give, {len(b - a)} missing")
            found += [f"  - {line.strip()}" for line in sorted(a - b)[:_SHOWN]] + [f"  + {line.strip()}" for line in sorted(b - a)[:_SHOWN]]
    return found
