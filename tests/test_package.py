"""The wheel carries its data: installed without the checkout, the command answers."""

import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.slow
def test_the_wheel_answers_from_an_empty_folder(tmp_path: Path) -> None:
    source = tmp_path / "source"
    ignored = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis")
    shutil.copytree(ROOT, source, ignore=ignored)
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(tmp_path), str(source)]
    subprocess.run(pip, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("guigu-*.whl")
    shutil.rmtree(source)
    # The libraries of this environment serve; only guigu itself must come from the wheel.
    venv.create(tmp_path / "env", with_pip=True, system_site_packages=False)
    python = tmp_path / "env" / "bin" / "python"
    site = next((tmp_path / "env" / "lib").glob("python*/site-packages"))
    (site / "libraries.pth").write_text(str(Path(pytest.__file__).parent.parent), "utf-8")
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", "--ignore-installed", str(wheel)], check=True, capture_output=True)
    command = [str(tmp_path / "env" / "bin" / "guigu"), "cast", "--hexagram", "豫", "--month", "午", "--day", "甲子", "--topic", "childbirth"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path)
    assert "yy-taichan-088" in done.stdout
