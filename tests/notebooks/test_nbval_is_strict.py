"""nbval, called as the Makefile calls it, fails when a stored output is not what runs."""

import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from samples import code, displayed, notebook

ROOT = Path(__file__).parents[2]


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


CHANGES = [
    unchanged,
    printed_number_changed,
    shown_number_changed,
    output_removed,
    output_added,
    counts_removed,
]


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory) -> dict[str, list[str]]:
    """Run nbval once over one notebook a change; the verdicts on its cells by its name."""
    folder = tmp_path_factory.mktemp("strict")
    for change in CHANGES:
        changed = sample()
        change(changed)
        nbformat.write(changed, folder / f"{change.__name__}.ipynb")
    options = ["--nbval", "--nbval-current-env", "--nbval-cell-timeout", "120"]
    setting = [
        "-c",
        str(ROOT / "pyproject.toml"),
        "--rootdir",
        str(folder),
        "-p",
        "no:cacheprovider",
    ]
    command = [sys.executable, "-m", "pytest", "-rA", "-q", *options, *setting, str(folder)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = re.findall(r"^(PASSED|FAILED) (?:.*/)?(\w+)\.ipynb::", result.stdout, re.MULTILINE)
    return {
        change.__name__: [verdict for verdict, name in lines if name == change.__name__]
        for change in CHANGES
    }


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (unchanged, ["PASSED", "PASSED", "PASSED"]),
        (printed_number_changed, ["FAILED", "PASSED", "PASSED"]),
        (shown_number_changed, ["PASSED", "FAILED", "PASSED"]),
        (output_removed, ["PASSED", "FAILED", "PASSED"]),
        (output_added, ["PASSED", "PASSED", "FAILED"]),
        (counts_removed, ["FAILED", "FAILED", "PASSED"]),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_only_what_runs_passes(change, expected, verdicts):
    assert sorted(verdicts[change.__name__]) == sorted(expected)
