"""The same figures in JupyterLab and Notebook 7: mounted, live, synced with the kernel."""

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from types import ModuleType

import nbformat
import pytest
from asset_sample.sample import content, measures, weights
from conftest import PATIENCE, ROOT
from controls import control
from jupyter_apps import running, serving, write_notebook
from playwright.sync_api import Browser, Locator, Page, expect
from specs import SPECS

GROUPS = {f"group-{start // 5}": SPECS[start : start + 5] for start in range(0, len(SPECS), 5)}
CELLS = [
    "from lessons.kit import predict\n"
    "from lessons.kit.figures.registry import AttentionExplorer, LayerNormLab, MaskLab",
    "explorer = AttentionExplorer(['a', 'b'], [[1, 0], [0, 1]])\nexplorer",
    "masks = MaskLab([1, 2, 0], [[1, 0], [0, 1], [0, 0]])\nmasks",
    "norms = LayerNormLab([2, 4], ['a', 'b'], [[1, 2], [3, 5]], [False, True], selected=1)\nnorms",
    "guess = predict('What comes?', 'one', 'two')\nguess",
    f"import sys\nsys.path.append({str(ROOT / 'tests/lessons/kit/figures')!r})\n"
    "from pathlib import Path\nfrom asset_sample.sample import figure_class\n"
    "sample = figure_class(Path('model.bin'))(row=3)\nsample",
    "print('kernel:', explorer.causal, masks.token_ids, norms.values, norms.axis, guess.chosen,"
    " sample.row)",
]
BEFORE = "kernel: False [1, 2, 0] [2.0, 4.0] layer -1 3"
FINAL_OUTPUT = "kernel: True [1, 0, 0] [2.1, 4.0] batch 1 4"  # after `touch`


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Provide the address of a JupyterLab with two notebooks, which ends with these tests."""
    folder = tmp_path_factory.mktemp("lab")
    write_notebook(folder / "kernel.ipynb", CELLS)
    (folder / "model.bin").write_bytes(content(weights()))
    for name, specs in GROUPS.items():
        write_notebook(folder / f"{name}.ipynb", [*map(cell_of, specs)])
    with serving("jupyterlab", folder) as address:
        yield address


def cell_of(spec: ModuleType) -> str:
    """Return the code of a cell that shows the sample of a figure."""
    cls = spec.FIGURE.__name__
    return f"from lessons.kit.figures.registry import {cls}\n{cls}(**{spec.make().state()!r})"


def wait_for_each(figures: Locator, count: int) -> None:
    """Wait until each figure is shown, in the order in which the cells run."""
    for index in range(count):
        expect(figures.nth(index)).to_be_attached()
    expect(figures).to_have_count(count)


def change(figure: Locator, label: str, key: str) -> None:
    """Press a key on a control and require that the figure shows something else."""
    before = figure.inner_text()
    control(figure, label).press(key)
    expect(figure).not_to_have_text(before, use_inner_text=True)


def touch(figures: Locator) -> None:
    """Change something in each figure of `CELLS` by a key, and answer the question."""
    explorer, masks, norms, guess, sample = figures.all()[:5]
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


@pytest.fixture
def notebook(browser: Browser, lab: str) -> Iterator[Page]:
    with running(browser, "jupyterlab", lab, "kernel", 2400) as page:
        yield page


@pytest.mark.nightly
@pytest.mark.parametrize("group", GROUPS)
def test_figures_mount_in_jupyterlab_and_answer(browser, lab, group):
    specs = GROUPS[group]
    # High enough for all figures: JupyterLab draws a cell when it comes into view.
    with running(browser, "jupyterlab", lab, group, 1200 * len(specs)) as page:
        figures = page.locator(".jp-OutputArea-output .tl-figure")
        wait_for_each(figures, len(specs))
        for spec, figure in zip(specs, figures.all(), strict=True):
            label, key = spec.KEYS[0]
            change(figure, label, key)
        assert page.locator(".jp-RenderedText[data-mime-type*='stderr']").count() == 0


def test_figures_in_jupyterlab_send_their_changes_to_the_kernel(notebook):
    figures = notebook.locator(".jp-OutputArea-output .tl-figure")
    wait_for_each(figures, 5)
    output = notebook.locator(".jp-OutputArea-output", has_text="kernel:")
    expect(output).to_have_text(BEFORE)
    touch(figures)

    notebook.locator(".jp-CodeCell .cm-content").last.click()
    # A change that waits for an answer to the one before may come after the cell.
    for _ in range(4):
        notebook.keyboard.press("Control+Enter")
        with suppress(AssertionError):
            expect(output).to_have_text(FINAL_OUTPUT, timeout=PATIENCE / 4)
            break
    expect(output).to_have_text(FINAL_OUTPUT)


@pytest.mark.nightly
@pytest.mark.parametrize("app", ["jupyterlab", "notebook"])
def test_a_whole_chapter_runs_in_jupyter_with_live_figures(browser, tmp_path, app):
    chapter = shutil.copy(ROOT / "notebooks/08_masks.ipynb", tmp_path / "masks.ipynb")
    code = [cell.metadata for cell in nbformat.read(chapter, 4).cells if cell.cell_type == "code"]
    seen = [n for n, told in enumerate(code, 1) if not told.get("jupyter", {}).get("source_hidden")]
    with (
        serving(app, tmp_path) as address,
        running(browser, app, address, "masks", 1000) as page,
    ):
        for number in seen:
            prompt = page.locator(".jp-InputPrompt", has_text=f"[{number}]:")
            expect(prompt).to_be_attached(timeout=240_000)  # a cell trains as long as under nbval
        assert page.locator(".jp-OutputArea-output[data-mime-type*='error']").count() == 0
        assert page.locator(".jp-RenderedText[data-mime-type*='stderr']").count() == 0
        labels = page.locator(".widget-hprogress .widget-label")
        assert labels.all_text_contents() == [f"causal mask {on}: 5 of 5" for on in (True, False)]
        change(page.locator(".tl-mask-lab"), "Pads/2", "Space")
        guess = page.locator(".tl-figure", has_text="How much weight do the words give")
        guess.get_by_role("radio").first.check()
        guess.get_by_role("button").click()
        expect(guess).to_contain_text("Noted: ")
        drill = page.locator(".tl-drill")
        for box in drill.locator("input").all():
            box.fill("1")
        drill.locator("input").last.press("Enter")
        expect(drill.locator(".tl-status")).to_contain_text(re.compile(r"^(Right|Not yet)\."))
