"""Where the data folders `ontology/` and `queries/` lie: beside the packages in a checkout, inside `kg` in a wheel."""

from pathlib import Path

import loader


def folder(name: str) -> Path:
    """Return the data folder of that name.

    >>> folder("ontology").name
    'ontology'

    Raises:
        FileNotFoundError: the installation carries no such folder.
    """
    root = Path(loader.__file__).resolve().parent.parent
    for candidate in (root / name, root / "kg" / name):
        if candidate.is_dir():
            return candidate
    message = f"no data folder {name!r} beside {root}: install guigu again"
    raise FileNotFoundError(message)
