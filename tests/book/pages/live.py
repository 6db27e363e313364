"""Helpers for the tests of the live figures: find a figure, and read what it shows."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from controls import unfold
from playwright.sync_api import Locator, Page, expect
from specs import SPEC_OF, expected, spec_of
from torch import Tensor

from lessons.kit.figures import LiveFigure

# What a reader may type, and a page must show as text.
EVIL = ["<img src=x onerror=evil=1>", "<script>evil=1</script>", "`${evil=1}` <b>&lt;</b>"]
WITHOUT_TAB_STOP = """() => [...document.querySelectorAll("article *")]
  .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth)
  .filter((box) => box.clientWidth > 0)
  .filter((box) => ["auto", "scroll"].includes(getComputedStyle(box).overflowX))
  .filter((box) => box.tabIndex !== 0 && !box.querySelector("input, button, a, select"))
  .map((box) => box.outerHTML.slice(0, 90))"""
OUTSIDE = """() => {
  const boxed = (e) => e && (/auto|scroll|hidden/.test(getComputedStyle(e).overflowX)
    || boxed(e.parentElement.closest(".bd-article-container *")));
  return [...document.querySelectorAll(".bd-article-container *")]
    .filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && e.checkVisibility())
    .filter((e) => !e.closest(".katex-mathml, .katex svg") && !boxed(e.parentElement))
    .map((e) => e.outerHTML.slice(0, 100));
}"""
SHOWN = "[...e.querySelectorAll('[data-value]')].filter((x) => x.checkVisibility())"


def scroll_near(host: Locator) -> None:
    """Scroll to a figure that loads only when it comes near the screen."""
    if host.get_attribute("data-assets"):
        host.scroll_into_view_if_needed()


def draw(page: Page) -> None:
    """Wait until the page is drawn and its observers have reacted to the changes."""
    page.wait_for_function("""() => new Promise((drawn) => requestAnimationFrame(() =>
      requestAnimationFrame(() => setTimeout(() => drawn(true)))))""")


def reach(page: Page) -> None:
    """Wait until the page has checked every box that may scroll sideways."""
    draw(page)
    page.wait_for_function("document.documentElement.dataset.boxes === 'seen'")


@contextmanager
def in_theme(page: Page, theme: str) -> Iterator[None]:
    """Show a page in a theme for a while, as if the reader's system asked for it."""
    first = page.locator("html").get_attribute("data-theme")
    shown = "(theme) => document.documentElement.dataset.theme === theme"
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(shown, arg=theme)
    yield
    page.emulate_media(color_scheme=first)
    page.wait_for_function(shown, arg=first)


@contextmanager
def resized(page: Page, width: int, height: int) -> Iterator[None]:
    """Give a page's window another size for a while."""
    first = page.viewport_size
    page.set_viewport_size({"width": width, "height": height})
    draw(page)
    yield
    page.set_viewport_size(first)
    draw(page)


def to_middle(place: Locator) -> None:
    """Scroll a place to the middle of the screen, away from the bars that stay above."""
    place.evaluate("(e) => e.scrollIntoView({ block: 'center', behavior: 'instant' })")


def tab_to(page: Page, wanted: Locator, most: int = 60) -> None:
    """Press Tab until something has the focus."""
    for _ in range(most + 1):
        if wanted.evaluate("(e) => e === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{most} times Tab do not lead to {wanted}")


def host_of(page: Page, name: str) -> Locator:
    """Return the first figure of this name on the page, mounted."""
    host = page.locator(f".tl-host[data-figure='{name}']").first
    scroll_near(host)
    host.locator(".lf-live .tl-status").wait_for(state="attached")
    return host


def figure_on(view: Callable[[str, str], Page], cls: type[LiveFigure], kind: str) -> Locator:
    """Return a figure, in its current state, on a view of its chapter."""
    return host_of(view(SPEC_OF[cls].HOME, kind), cls.name)


def reset(view: Callable[[str, str], Page], cls: type[LiveFigure], kind: str) -> Locator:
    """Return a figure in its first state."""
    host = figure_on(view, cls, kind)
    host.get_by_role("button", name="Reset").click()
    getattr(SPEC_OF[cls], "first_view", lambda _: None)(host)
    return host


def settle(host: Locator) -> None:
    """Wait until a figure that does long work in slices has finished."""
    expect(host.locator("[aria-busy=true]")).to_have_count(0)


def snapshot(host: Locator) -> tuple:
    """Return all that a reader can see of a live figure, and the numbers at full precision."""
    settle(host)
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
    """Require every table of the figure on the page to show the package's numbers, to 1e-6."""
    settle(host)
    getattr(spec_of(figure), "show_tables", unfold)(host)
    shown, wanted = tables(host), expected(figure)
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
