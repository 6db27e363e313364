"""Show one figure of a built page alone, step through its tour, and take pictures of it.

The figure's own script draws it, as for a reader. Elements that are of no use in a picture are
hidden: controls, the tour's player and tables on demand.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Locator, TimeoutError
from playwright.sync_api import Page as Tab

HERE = Path(__file__).parent
ALONE = "host => { document.body.replaceChildren(host); document.body.className = 'press-stage'; }"
GO = "(live, at) => live.dispatchEvent(new CustomEvent('tl:moment', { detail: at }))"
# Some figures are busy for a while. A change in one frame is visible only in the next one.
DRAWN = """async live => {
  await document.fonts.ready;
  const frame = () => new Promise(requestAnimationFrame);
  do await frame();
  while (live.matches("[aria-busy='true']"));
  await frame();
}"""


@contextmanager
def opened(
    browser: Browser, width: int, height: int = 900, *, theme: str = "light", scale: int = 2
) -> Iterator[Tab]:
    """Yield a tab for pictures, in which all motion ends immediately.

    Args:
        browser: the browser of the press.
        width: the width of the screen in CSS pixels.
        height: the height of the screen in CSS pixels.
        theme: "light" or "dark".
        scale: the number of device pixels per CSS pixel.
    """
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=scale,
        reduced_motion="reduce",
        color_scheme=theme,
    )
    try:
        yield context.new_page()
    finally:
        context.close()


def stage(tab: Tab, page: Path, name: str) -> Locator:
    """Open a built page, hide everything but one figure with a tour, and return the live figure.

    Raises:
        ValueError: the page has no such figure, or the figure does not start.
    """
    tab.goto(page.as_uri())
    host = tab.locator(f".tl-host[data-tour][data-figure='{name}']")
    live = host.locator(".lf-live")
    try:
        host.evaluate(ALONE)
        tab.add_style_tag(path=HERE / "stage.css")
        live.wait_for()
    except TimeoutError:
        raise ValueError(f"the figure {name} must start on {page}, and does not") from None
    return live


def show(live: Locator, moment: int) -> None:
    """Step a figure to a moment of its tour, counted from 1, and wait until it is drawn."""
    live.evaluate(GO, moment - 1)
    settle(live)


def settle(live: Locator) -> None:
    """Wait until a figure is drawn."""
    live.evaluate(DRAWN)
