"""The chapters' own run: two at a time, kept for the build; one that fails names its cell."""

import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from jupyter_cache import get_cache

SCRIPT = Path(__file__).parents[1] / ".ci/run_chapters.py"


def write(folder: Path, name: str, *cells: str) -> None:
    """Write a notebook of code cells."""
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source, id=f"c{i}") for i, source in enumerate(cells)]
    )
    nbformat.write(notebook, folder / "notebooks" / f"{name}.ipynb")


@pytest.fixture
def book(tmp_path):
    """A book of two chapters, with the script in its place: folder and command."""
    for name in (".ci", "notebooks"):
        (tmp_path / name).mkdir()
    (tmp_path / "_config.yml").write_text("execute:\n  timeout: 60\n")
    shutil.copy(SCRIPT.with_name("kernels.py"), tmp_path / ".ci")
    shutil.copytree(SCRIPT.with_name("kernels.dist-info"), tmp_path / ".ci/kernels.dist-info")
    script = shutil.copy(SCRIPT, tmp_path / ".ci")
    return tmp_path, [sys.executable, script]


def run(command: list[str]) -> tuple[int, str]:
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stderr == ""
    return done.returncode, done.stdout


def kept(folder: Path) -> dict[str, str]:
    """What the cache holds: the text of each chapter's last cell by the chapter's name."""
    cache = get_cache(folder / "_build/.jupyter_cache")
    found = {}
    for record in cache.list_cache_records():
        notebook = cache.get_cache_bundle(record.pk).nb
        found[Path(record.uri).stem] = "".join(out.text for out in notebook.cells[-1].outputs)
    return found


def test_each_chapter_runs_once_and_a_failed_one_names_its_cell(book):
    folder, command = book
    threads = "print(os.environ['OMP_NUM_THREADS'], os.path.basename(os.getcwd()))"
    write(folder, "a", "import os", threads)
    write(folder, "b", "x = 1", "x / 0", "print('not reached')")
    status, said = run(command)
    assert status == 1
    assert "FAILED in cell 2 of 3: ZeroDivisionError: division by zero; " in said
    last = "  b, cell 2 of 3: ZeroDivisionError: division by zero\n"
    assert said.endswith(last) and (folder / "_build/failed.txt").read_text().endswith(last)
    assert kept(folder) == {"a": "1 notebooks\n", "b": ""}
    # The build finds the chapter in the cache as far as it came; only that one runs again.
    write(folder, "b", "print('mended')")
    status, said = run(command)
    assert status == 0 and "Running 1 chapters" in said and "  b " in said
    assert not (folder / "_build/failed.txt").exists()
    assert kept(folder) == {"a": "1 notebooks\n", "b": "mended\n"}
    assert run(command) == (0, "")
