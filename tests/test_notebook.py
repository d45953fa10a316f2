"""The example notebook is what it prints: it is run, and every text that it gives is compared."""

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

PATH = Path(__file__).resolve().parent.parent / "docs" / "example.ipynb"


def texts(notebook: Any) -> list[str]:
    """What the cells print and give, as text."""
    return [str(o.get("text") or o["data"]["text/plain"]) for cell in notebook.cells for o in cell.get("outputs", ())]


def test_the_notebook_runs_and_gives_what_it_shows(tmp_path: Path) -> None:
    kept = nbformat.read(PATH, as_version=4)
    nbformat.validate(kept)
    run = nbformat.read(PATH, as_version=4)
    for cell in run.cells:
        cell.pop("outputs", None)
    NotebookClient(run, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert texts(run) == texts(kept)
    assert len(texts(kept)) > 8
    assert any("雷地豫卦，乃陰包陽，生男也" in text for text in texts(kept))
    pictures = [o for cell in run.cells for o in cell.get("outputs", ()) if "<svg" in str(o.get("data", {}).get("text/html", ""))]
    assert len(pictures) == 4  # two casts, and two explanations with their witnesses lit
