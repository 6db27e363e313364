"""What the tests of the live figures share: where each figure stands, and what it shows."""

import functools
from collections.abc import Callable

import torch
from playwright.sync_api import Locator, Page
from specs import SPEC_OF
from torch import Tensor

from transformer_lite.figures import LiveFigure

SHOWN = "[...e.querySelectorAll('[data-value]')].filter((x) => x.checkVisibility())"

OpenPage = Callable[..., Page]


def host_of(page: Page, name: str) -> Locator:
    """Return the first figure of this name on the page, mounted."""
    host = page.locator(f".tl-host[data-figure='{name}']").first
    host.locator(".lf-live .tl-status").wait_for(state="attached")
    return host


def open_figure(open_page: OpenPage, cls: type[LiveFigure], **options) -> Locator:
    """Open the chapter that holds a figure and return the figure."""
    page = open_page(SPEC_OF[cls].HOME, **options)
    page.set_default_timeout(5000)  # nothing on a page takes longer: fail soon
    return host_of(page, cls.name)


def resetter(open_page: OpenPage) -> Callable[[type[LiveFigure]], Locator]:
    """Return a function that gives a figure in its first state and loads each page only once."""
    host = functools.cache(functools.partial(open_figure, open_page))

    def fresh(cls: type[LiveFigure]) -> Locator:
        host(cls).get_by_role("button", name="Reset").click()
        getattr(SPEC_OF[cls], "first_view", lambda _: None)(host(cls))
        return host(cls)

    return fresh


def snapshot(host: Locator) -> tuple:
    """Return all that a reader can see of a live figure, and the numbers at full precision."""
    return host.locator(".lf-live").inner_text(), *values(host)


def status(host: Locator) -> Locator:
    """Return the line that is read aloud."""
    return host.locator(".lf-live .tl-status")


def values(host: Locator) -> list[str]:
    """Return every visible number of the live figure at full precision, in order."""
    return host.evaluate(f"(e) => {SHOWN}.map((x) => x.dataset.value)")


def texts(host: Locator) -> list[str]:
    """Return every visible number of the live figure as it is written, in order."""
    return host.evaluate(f"(e) => {SHOWN}.map((x) => x.textContent)")


def tables(host: Locator) -> dict[str, Tensor]:
    """Return the visible tables of numbers by result or, where none is named, by caption."""
    found = host.evaluate("""(host) => [...host.querySelectorAll("tr")]
      .filter((row) => row.checkVisibility() && row.querySelector("[data-value]"))
      .map((row) => [
        row.closest("[data-result]")?.dataset.result ?? row.closest("table").caption.textContent,
        [...row.querySelectorAll("[data-value]")].map((x) => x.dataset.value)])""")
    rows: dict[str, list[list[float]]] = {}
    for name, row in found:
        rows.setdefault(name, []).append([float(text) for text in row])
    return {name: torch.tensor(row, dtype=torch.float64) for name, row in rows.items()}


def agree(host: Locator, figure: LiveFigure) -> None:
    """Require every table of the figure on the page to hold the package's numbers, to 1e-6."""
    # anywidget makes a class of its own for each figure.
    [spec] = [spec for cls, spec in SPEC_OF.items() if isinstance(figure, cls)]
    shown, wanted = tables(host), spec.expected(figure)
    assert shown.keys() == wanted.keys()
    for name, tensor in wanted.items():
        torch.testing.assert_close(
            shown[name],
            tensor.double().reshape(shown[name].shape),
            rtol=1e-6,
            atol=1e-6,
            equal_nan=True,
            msg=lambda text, name=name: f"{name}: {text}",
        )
