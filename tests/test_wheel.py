"""The wheel carries both packages whole, and all of their modules load from it."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = "transformer_lite", "lessons"
WITHOUT = shutil.ignore_patterns("__pycache__")
# Prints where each module is, and then all that was loaded: a wheel brings along only the
# dependencies of pyproject.toml.
LOAD_ALL = """\
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
    print(sys.modules[name].__file__)
print(*{name.partition(".")[0] for name in sys.modules})
"""
ONLY_THE_BOOK_NEEDS = {"sphinx", "docutils", "sklearn", "py_mini_racer", "pytest", "transformers"}


def run(folder: Path, *command: str | Path, **environment: str) -> str:
    """Run Python in a folder, and return what it prints."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def files_of(home: Path) -> set[Path]:
    """The files of the packages in a folder, each by its path from there."""
    files = (path for package in PACKAGES for path in (home / package).rglob("*.*"))
    return {path.relative_to(home) for path in files if path.is_file()}


def test_the_wheel_is_whole_and_runs_without_the_clone(tmp_path):
    source, unpacked = tmp_path / "source", tmp_path / "unpacked"
    for folder in ("transformer_lite", "book/lessons"):
        shutil.copytree(ROOT / folder, source / folder, ignore=WITHOUT)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    offline = ("--no-index", "--no-build-isolation", "--disable-pip-version-check")
    run(source, "-m", "pip", "wheel", ".", "--no-deps", *offline, "--wheel-dir", tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(unpacked)
    wanted = {file for home in (source, source / "book") for file in files_of(home)}
    assert files_of(unpacked) == wanted
    modules = [path.with_suffix("").parts for path in sorted(wanted) if path.suffix == ".py"]
    names = [".".join(parts).removesuffix(".__init__") for parts in modules]
    told = run(tmp_path, "-c", LOAD_ALL, *names, PYTHONPATH=str(unpacked))
    *places, loaded = told.splitlines()
    assert {unpacked / path for path in wanted if path.suffix == ".py"} == set(map(Path, places))
    assert not ONLY_THE_BOOK_NEEDS & set(loaded.split())
