"""nbval, called as in `make test`, fails when a stored output differs from a new run.

And what ran is kept, as a build of the book would have made it.
"""

import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from jupyter_cache import get_cache
from nbclient import NotebookClient
from samples import code, displayed, notebook

ROOT = Path(__file__).parents[2]
NOX = runpy.run_path(str(ROOT / "noxfile.py"))


def sample():
    """A notebook whose outputs are those of its code."""
    return notebook(
        code("print(0.8446)", "0.8446\n"),
        displayed("1 - 0.25", "text/plain", "0.75"),
        code("x = 2"),
    )


def unchanged(notebook):
    """Leave everything as it runs."""


def printed_number_changed(notebook):
    notebook.cells[0].outputs[0].text = "0.8447\n"


def shown_number_changed(notebook):
    notebook.cells[1].outputs[0].data["text/plain"] = "0.76"


def output_removed(notebook):
    notebook.cells[1].outputs = []


def output_added(notebook):
    notebook.cells[2].outputs = [nbformat.v4.new_output("stream", name="stdout", text="2\n")]


def counts_removed(notebook):
    for cell in notebook.cells:
        cell.execution_count = None


def changed_where_it_varies(notebook):
    printed_number_changed(notebook)
    notebook.cells[0].metadata.tags = ["varies"]


# The changes, and the verdicts on the three cells.
CHANGES = {
    unchanged: ["PASSED", "PASSED", "PASSED"],
    printed_number_changed: ["FAILED", "PASSED", "PASSED"],
    shown_number_changed: ["PASSED", "FAILED", "PASSED"],
    output_removed: ["PASSED", "FAILED", "PASSED"],
    output_added: ["PASSED", "PASSED", "FAILED"],
    changed_where_it_varies: ["PASSED", "PASSED", "PASSED"],
    counts_removed: ["FAILED", "FAILED", "PASSED"],
}
each_change = pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)


RICH = """
import ipywidgets, matplotlib.pyplot as plt
from IPython.display import clear_output, display
print("gone"); clear_output(); print("here")
slider = ipywidgets.IntSlider(3); display(slider)
plt.plot([1, 2]); plt.show()
"""


def rich():
    """A notebook that clears, draws, shows a widget and changes it in the next cell."""
    return notebook(code(RICH), code("slider.value = 5\nslider.value"))


def broken():
    """A notebook whose second cell fails."""
    return notebook(code("x = 1"), code("1 / 0"), code("x = 2"))


def skipped():
    """A notebook with a cell that nbval leaves out."""
    return notebook(code("1"), code("# NBVAL_SKIP\n2"))


NOTEBOOKS = {"rich": rich, "broken": broken, "skipped": skipped}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with one notebook a change, and some others."""
    folder = tmp_path_factory.mktemp("strict")
    for change in CHANGES:
        changed = sample()
        change(changed)
        # The cache goes by the code: without a remark all of these would be the same to it.
        changed.cells[2].source += f"  # {change.__name__}"
        nbformat.write(changed, folder / f"{change.__name__}.ipynb")
    for name, make in NOTEBOOKS.items():
        nbformat.write(make(), folder / f"{name}.ipynb")
    return folder


@pytest.fixture(scope="module")
def verdicts(folder) -> dict[str, list[str]]:
    """Run nbval once over all notebooks; the verdicts on the cells by the notebook's name."""
    setting = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(folder)]
    setting += ["-p", "no:cacheprovider", f"--keep-runs={folder / 'cache'}", "-n", "0"]
    command = [sys.executable, "-m", "pytest", "-rA", "-q", *NOX["NBVAL"], *setting, str(folder)]
    environment = os.environ | NOX["PLUGINS"]
    result = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    lines = re.findall(r"^(PASSED|FAILED) (?:.*/)?(\w+)\.ipynb::", result.stdout, re.MULTILINE)
    names = [path.stem for path in folder.glob("*.ipynb")]
    return {name: [verdict for verdict, stem in lines if stem == name] for name in names}


@each_change
def test_nbval_fails_exactly_the_cells_that_were_changed(change, verdicts):
    assert sorted(verdicts[change.__name__]) == sorted(CHANGES[change])


def kept(folder: Path, name: str) -> nbformat.NotebookNode | None:
    """The notebook as the build of a book would find it in the cache; None if it is not there."""
    try:
        cache = get_cache(folder / "cache")
        return cache.merge_match_into_notebook(nbformat.read(folder / f"{name}.ipynb", 4))[1]
    except KeyError:
        return None


def without_ids(notebook: nbformat.NotebookNode) -> list[str]:
    """A notebook's outputs and its widgets' states, as text without random names."""
    [widgets] = notebook.metadata.widgets.values()
    parts = [*(cell.outputs for cell in notebook.cells), *widgets["state"].values()]
    texts = (json.dumps(part, sort_keys=True) for part in parts)
    return sorted(re.sub(r"[0-9a-f]{32}", "…", text) for text in texts)


def test_a_complete_run_is_cached_as_a_build_would_execute_it(folder, verdicts):
    assert verdicts["rich"] == ["FAILED", "FAILED"]  # it ran, and nothing was stored
    found, wanted = kept(folder, "rich"), NotebookClient(rich()).execute()
    assert without_ids(found) == without_ids(wanted)
    text = " ".join(without_ids(found))
    assert all(part in text for part in ("image/png", "widget-view", '"value": 5', "here"))
    assert "gone" not in text
    assert [cell.execution_count for cell in found.cells] == [1, 2]


@pytest.mark.parametrize("name", ["broken", "skipped"])
def test_an_incomplete_run_is_not_cached(name, folder, verdicts):
    assert verdicts[name].count("FAILED") <= 1
    assert kept(folder, name) is None
