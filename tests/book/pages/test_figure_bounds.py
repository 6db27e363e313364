"""A figure fits a laptop's screen; on a phone its controls and its picture are seen together.

The picture that answers is what a figure marks as `tl-answer`, else its first drawing; controls
begin where it marks `tl-acts`, else with the first of them. The bounds are those of the figure as
it opens: nothing unfolded, no tour begun. Fonts differ from machine to machine, so figures ought
to keep a tenth below them.

Where a reader unfolds more than a screen holds, the controls stay in view down to the last table.
"""

import pytest
from conftest import CHAPTERS
from live import draw, resized
from playwright.sync_api import Locator, Page

from lessons.kit.figures.registry import FIGURES
from lessons.the_walk.walk.walk import PLACES

LAPTOP, HIGHEST = (1280, 800), 720
PHONE = (390, 844)
SMALL = (1280, 720)  # the least screen on which controls stay in view
COVERED = 0.4  # the most of it that controls may hold while a reader looks at tables
BAR = 56  # pixels that the page's own bar holds on top of the screen

HEIGHT = "(live) => Math.round(live.getBoundingClientRect().height)"
TOGETHER = """(live) => {
  const shown = (x) => x.checkVisibility() && !x.closest(".tl-tour");
  const box = (parts) => [...live.querySelectorAll(parts)].find(shown)?.getBoundingClientRect();
  const control = box(".tl-acts") ?? box(".tl-controls, input, button");
  const answer = box(".tl-answer") ?? box("svg");
  return answer ? Math.round(answer.bottom - Math.min(answer.top, control.top)) : Infinity;
}"""
FOLD = """(live, open) => {
  for (const more of live.querySelectorAll("details")) more.open = open;
}"""
IN_VIEW = """(live, covered) => {
  if (live.getBoundingClientRect().height <= innerHeight) return "";
  const controls = live.querySelector(".tl-in-view");
  if (!controls) return "nothing stays in view";
  const below = live.getBoundingClientRect().bottom + scrollY;
  scrollTo({ top: below - innerHeight, behavior: "instant" });
  const box = controls.getBoundingClientRect();
  if (box.top < 0 || box.bottom > innerHeight) return "its controls leave the screen";
  const [x, y] = [box.left + box.width / 2, box.top + 2];
  if (!controls.contains(document.elementFromPoint(x, y))) return "its controls are covered";
  return box.height <= covered * innerHeight ? "" : `its controls hold ${box.height} px`;
}"""
STATIONS = """async (live, ids) => {
  const lit = () => live.querySelector(".wk-inner [aria-current]"); // made again at each station
  const sizes = {};
  for (const id of ids) {
    const before = lit();
    location.hash = `walk?word=3&station=${id}`;
    while (lit() === before) await new Promise(requestAnimationFrame);
    sizes[id] = (MEASURE)(live);
  }
  return sizes;
}"""
BOUNDS = [(LAPTOP, HEIGHT, HIGHEST), (PHONE, TOGETHER, PHONE[1] - BAR)]


def figures_of(page: Page) -> dict[str, Locator]:
    """Return the figures of a page by name, mounted."""
    found = {}
    for host in page.locator(".tl-host").all():
        name = host.get_attribute("data-figure")
        if name in FIGURES and name != "question":
            host.scroll_into_view_if_needed()
            found[name] = host.locator(".lf-live")
            found[name].locator(".tl-status").first.wait_for(state="attached")
    return found


def too_high(figures: dict[str, Locator], measure: str, most: int) -> dict[str, int]:
    """Return the sizes that are above the most."""
    sizes = {name: live.evaluate(measure) for name, live in figures.items()}
    return {name: size for name, size in sizes.items() if size > most}


def require_bounds(page: Page, figures: dict[str, Locator]) -> None:
    for size, measure, most in BOUNDS:
        with resized(page, *size):
            assert too_high(figures, measure, most) == {}


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_figure_fits_the_screen(view, name):
    page = view(name, "desk")
    figures = figures_of(page)
    for live in figures.values():
        live.evaluate(FOLD, False)  # other tests may have read there
    require_bounds(page, figures)


def test_every_station_of_the_walk_fits_the_screen(open_page):
    """A station shows one to four matrices; layers 2 and 3 look like layer 1."""
    firsts = [place.id for place in PLACES.values() if place.block.get("layer", 1) == 1]
    page = open_page("book/the_walk.html#walk?word=3")
    live = figures_of(page)["walk"]
    for size, measure, most in BOUNDS:
        with resized(page, *size):
            sizes = live.evaluate(STATIONS.replace("MEASURE", measure), firsts)
        assert {station: high for station, high in sizes.items() if high > most} == {}


@pytest.mark.nightly
def test_the_tree_of_the_beams_fits_the_screen(open_page):
    page = open_page("notebooks/23_decoding.html")
    figures = {"translator": figures_of(page)["translator"]}
    figures["translator"].get_by_label("beam search").check()
    figures["translator"].locator(".tr-tree .tr-best").last.wait_for()
    require_bounds(page, figures)


@pytest.mark.parametrize("name", CHAPTERS)
def test_controls_stay_in_view(touched, name):
    page = touched(name, "desk")
    found = {}
    with resized(page, *SMALL):
        for figure, live in figures_of(page).items():
            live.evaluate(FOLD, True)
            draw(page)
            found[figure] = live.evaluate(IN_VIEW, COVERED)
    assert {figure: fault for figure, fault in found.items() if fault} == {}
