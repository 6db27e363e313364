"""The command that stores a chapter's outputs keeps only what is the same on every machine."""

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import store
from chapters import output_texts, read
from nbclient.exceptions import CellExecutionError
from rules import check_errors_and_warnings, check_format, check_nbval, check_output_types
from samples import code, displayed, notebook

PLOT = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()"
SLIDER = "import ipywidgets\nipywidgets.IntSlider(3)"
PICTURE = "from IPython.display import Image, display\ndisplay({'image/png': 'aGk='}, raw=True)"


@pytest.fixture(scope="module")
def twice(tmp_path_factory) -> tuple[bytes, bytes]:
    """The bytes of a notebook after the first and after the second run of the command."""
    path = tmp_path_factory.mktemp("store") / "00_sample.ipynb"
    sample = notebook(
        "# A title",
        code("for i in range(3):\n    print('line', i)", "what it printed long ago"),
        code("from IPython.display import HTML\nHTML('<b>0.25</b>')"),
        displayed(PLOT, "image/png", "aGk=", execution={"iopub.status.busy": "now"}),
        code(SLIDER, tags=["hide-input"]),
        code(PICTURE),
        code("import os\nos.path.exists('00_sample.ipynb')"),
    )
    sample.metadata.widgets = {"state": {}}
    sample.metadata.chapter = {"minutes": 5}
    sample.metadata.language_info = {"name": "python", "version": "3.1"}
    del sample.cells[2]["id"]
    sample.cells[1].execution_count = 77
    path.write_text(nbformat.v4.writes(sample), encoding="utf-8")
    return _stored(path), _stored(path)


def _stored(path: Path) -> bytes:
    subprocess.run([sys.executable, store.__file__, str(path)], check=True, capture_output=True)
    return path.read_bytes()


@pytest.fixture
def stored(twice, tmp_path):
    (tmp_path / "stored.ipynb").write_bytes(twice[0])
    return read(tmp_path / "stored.ipynb")


def test_a_second_run_gives_the_same_bytes(twice):
    assert twice[0] == twice[1]
    assert twice[0].endswith(b"}\n")


def test_the_result_obeys_the_rules(stored):
    for rule in (check_format, check_nbval, check_output_types, check_errors_and_warnings):
        assert rule(stored) == []


def test_only_text_outputs_are_stored(stored):
    texts = [[output_texts(o) for o in cell.outputs] for cell in stored.cells[1:]]
    assert texts == [
        [["line 0\nline 1\nline 2\n"]],
        [[" 0.25 ", "<IPython.core.display.HTML object>"]],
        [["<Figure size 640x480 with 1 Axes>"]],
        [["IntSlider(value=3)"]],
        [],
        [["True"]],
    ]


def test_machine_metadata_is_removed_and_author_metadata_is_kept(stored):
    assert stored.metadata.language_info == {"name": "python"}
    assert "widgets" not in stored.metadata
    assert stored.metadata.chapter == {"minutes": 5}
    assert stored.cells[3].metadata == {}
    assert stored.cells[4].metadata == {"tags": ["hide-input"]}


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        ("import sys\nprint('careful', file=sys.stderr)", ValueError, "cell 0 writes 'careful"),
        ("display({'application/json': {}}, raw=True)", ValueError, "shows application/json"),
        ("display({'image/svg+xml': '<svg/>'}, raw=True)", ValueError, "shows image/svg"),
        ("1 / 0", CellExecutionError, "ZeroDivisionError"),
    ],
)
def test_outputs_that_cannot_be_stored_stop_the_command_and_keep_the_file(
    source, error, message, tmp_path
):
    path = tmp_path / "bad.ipynb"
    path.write_text(nbformat.v4.writes(notebook(code(source))), encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(error, match=message):
        store.store(path)
    assert path.read_bytes() == before
