"""The same figures in JupyterLab: mounted by anywidget, alive, and in touch with the kernel."""

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import PIPE
from types import ModuleType

import pytest
from asset_sample.sample import content, measures, weights
from conftest import PATIENCE, ROOT, listened
from controls import control
from playwright.sync_api import Browser, Locator, Page, Route, expect
from specs import SPECS
from todays import todays

TODAYS = todays(SPECS, 4)
CELLS = [
    "from transformer_lite.figures import AttentionExplorer, LayerNormLab, MaskLab, predict",
    "explorer = AttentionExplorer(['a', 'b'], [[1, 0], [0, 1]])\nexplorer",
    "masks = MaskLab([1, 2, 0], [[1, 0], [0, 1], [0, 0]])\nmasks",
    "norms = LayerNormLab([2, 4], ['a', 'b'], [[1, 2], [3, 5]], [False, True], selected=1)\nnorms",
    "guess = predict('What comes?', 'one', 'two')\nguess",
    f"import sys\nsys.path.append({str(ROOT / 'tests/figures')!r})\n"
    "from pathlib import Path\nfrom asset_sample.sample import figure_class\n"
    "sample = figure_class(Path('model.bin'))(row=3)\nsample",
    "print('kernel:', explorer.causal, masks.token_ids, norms.values, norms.axis, guess.chosen,"
    " sample.row)",
]
SETTINGS = {"notification": {"fetchNews": "false", "checkForUpdates": False}}


def write_notebook(path: Path, sources: list[str]) -> None:
    """Write a notebook of these cells."""
    cells = [
        {
            "cell_type": "code",
            "id": f"cell-{i}",
            "source": source,
            "metadata": {},
            "outputs": [],
            "execution_count": None,
        }
        for i, source in enumerate(sources)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = {
        "cells": cells,
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    path.write_text(json.dumps(notebook), encoding="utf-8")


def write_settings(folder: Path) -> None:
    """Write settings without the question about news."""
    settings = folder / "settings/@jupyterlab/apputils-extension"
    settings.mkdir(parents=True)
    for name, values in SETTINGS.items():
        path = settings / f"{name}.jupyterlab-settings"
        path.write_text(json.dumps(values), encoding="utf-8")


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a JupyterLab of its own, which ends with these tests."""
    tmp_path = tmp_path_factory.mktemp("lab")
    write_notebook(tmp_path / "kernel.ipynb", CELLS)
    (tmp_path / "model.bin").write_bytes(content(weights()))
    write_notebook(tmp_path / "all.ipynb", [*map(cell_of, TODAYS)])
    write_settings(tmp_path)
    options = {
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": "0",  # whichever is free
        "ServerApp.root_dir": str(tmp_path),
        "IdentityProvider.token": "",
        "LabApp.extension_manager": "readonly",
    }
    names = ["HOME", "IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"]
    own = {name: str(tmp_path / name.lower()) for name in names}
    own |= {
        "JUPYTERLAB_SETTINGS_DIR": str(tmp_path / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(tmp_path / "workspaces"),
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += [f"--{name}={value}" for name, value in options.items()]
    with subprocess.Popen(command, env=os.environ | own, stderr=PIPE, text=True) as server:
        try:
            yield announced(server)
        finally:
            end(server)


def announced(server: subprocess.Popen) -> str:
    """Read the server's log up to its address, and go on reading aside."""
    log = []
    for line in server.stderr:
        log.append(line)
        if found := re.search(r"http://127\.0\.0\.1:\d+", line):
            threading.Thread(target=server.stderr.read, daemon=True).start()
            return found[0]
    raise RuntimeError(f"JupyterLab ended at its start:\n{''.join(log)}")


def end(server: subprocess.Popen) -> None:
    """Stop the server, which stops its kernels; kill it if it does not go."""
    server.terminate()
    try:
        server.wait(timeout=15)
    except subprocess.TimeoutExpired:
        server.kill()


def cell_of(spec: ModuleType) -> str:
    """The code of a cell that shows the sample of a figure."""
    cls = spec.FIGURE.__name__
    return f"from transformer_lite.figures import {cls}\n{cls}(**{spec.make().state()!r})"


@contextmanager
def opened(browser: Browser, lab: str, name: str, height: int) -> Iterator[Page]:
    """Yield a notebook, opened and run in a browser that reaches nothing but this JupyterLab."""
    outside = []

    def guard(route: Route) -> None:
        if route.request.url.startswith((f"{lab}/", "data:", "blob:")):
            route.continue_()
        else:
            outside.append(route.request.url)
            route.abort()

    with browser.new_context(viewport={"width": 1280, "height": height}) as context:
        listened(context).route("**/*", guard)
        page = context.new_page()
        page.goto(f"{lab}/lab/workspaces/{name[:3]}/tree/{name}")
        page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_text("Run All Cells", exact=True).click()
        yield page
    assert outside == []


def come_one_by_one(figures: Locator, count: int) -> None:
    """Wait until each figure has come, as its cell has run."""
    for index in range(count):
        expect(figures.nth(index)).to_be_attached()
    expect(figures).to_have_count(count)


def change(figure: Locator, label: str, key: str) -> None:
    """Press a key on a control and require that the figure shows something else."""
    before = figure.inner_text()
    control(figure, label).press(key)
    expect(figure).not_to_have_text(before, use_inner_text=True)


@pytest.fixture
def notebook(browser: Browser, lab: str) -> Iterator[Page]:
    with opened(browser, lab, "kernel.ipynb", 2400) as page:
        yield page


@pytest.fixture
def everything(browser: Browser, lab: str) -> Iterator[Page]:
    # High enough for all figures: JupyterLab draws a cell when it comes into view.
    with opened(browser, lab, "all.ipynb", 1200 * len(TODAYS)) as page:
        yield page


def test_todays_figures_mount_in_jupyterlab_and_answer(everything):
    figures = everything.locator(".jp-OutputArea-output .tl-figure")
    come_one_by_one(figures, len(TODAYS))
    for spec, figure in zip(TODAYS, figures.all(), strict=True):
        label, key = spec.KEYS[0]
        change(figure, label, key)
    assert everything.locator(".jp-RenderedText[data-mime-type*='stderr']").count() == 0


def test_the_figures_live_in_jupyterlab_and_tell_the_kernel(notebook):
    figures = notebook.locator(".jp-OutputArea-output .tl-figure")
    come_one_by_one(figures, 5)
    output = notebook.locator(".jp-OutputArea-output", has_text="kernel:")
    expect(output).to_have_text("kernel: False [1, 2, 0] [2.0, 4.0] layer -1 3")
    explorer, masks, norms, guess, sample = figures.all()
    shown = json.loads(sample.get_attribute("data-measures"))
    assert shown == pytest.approx(measures(3), rel=1e-9)  # computed from bytes that the kernel sent

    change(explorer, "look-ahead mask", "Space")
    change(masks, "Pads/2", "Space")
    change(norms, "Value 1", "ArrowRight")
    change(norms, "a table of tokens", "Space")
    change(norms, "down a column (batch)", "Space")
    sample.get_by_role("slider", name="row").press("ArrowRight")
    control(guess, "two").check()
    guess.get_by_role("button").click()
    expect(guess).to_contain_text("Noted: “two”.")

    notebook.locator(".jp-CodeCell .cm-content").last.click()
    told = "kernel: True [1, 0, 0] [2.1, 4.0] batch 1 4"
    # A change that waits for an answer to the one before may come after the cell.
    for _ in range(4):
        notebook.keyboard.press("Control+Enter")
        with suppress(AssertionError):
            expect(output).to_have_text(told, timeout=PATIENCE / 4)
            break
    expect(output).to_have_text(told)
