"""The progress bar: every item once, a live bar in a notebook, nothing in a script."""

import json
import subprocess
import sys

import nbformat
import pytest
from nbclient import NotebookClient

import transformer_lite as tl

CELL = """
from transformer_lite import progress
print(sum(progress(range({count}), "training")))
"""
VIEW = "application/vnd.jupyter.widget-view+json"


def run_cell(count: int):
    """Run one cell in a kernel; return its outputs and the state of its widgets."""
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(CELL.format(count=count))],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    NotebookClient(notebook, timeout=60, store_widget_state=True).execute()
    saved = notebook.metadata.widgets["application/vnd.jupyter.widget-state+json"]["state"]
    return notebook.cells[0].outputs, saved


@pytest.mark.parametrize("items", [range(3), ["a", "b"], [], (None,)])
def test_every_item_is_yielded_once_and_in_order(items):
    assert list(tl.progress(items, "going")) == list(items)


def test_items_without_a_length_are_refused_at_once():
    with pytest.raises(TypeError, match="items must have a length, got generator: "):
        tl.progress((i for i in range(3)), "going")


def test_a_script_shows_nothing_and_loads_no_widget():
    code = CELL.format(count=4) + "import sys; print('ipywidgets' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("6\nFalse\n", "")


@pytest.mark.filterwarnings("ignore")  # the kernel's own start
@pytest.mark.parametrize("count", [7, 250])
def test_a_notebook_shows_a_bar_that_ends_full_and_stores_no_text(count):
    outputs, models = run_cell(count)
    views = [output.data for output in outputs if output.output_type == "display_data"]
    assert [list(data) for data in views] == [[VIEW]]
    view = views[0][VIEW]
    view = json.loads(view) if isinstance(view, str) else view
    state = models[view["model_id"]]["state"]
    assert (state["value"], state["max"]) == (count, count)
    assert state["description"] == f"training: {count} of {count}"
