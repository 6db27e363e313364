"""On a laptop's screen each figure fits, or its controls stay in view down to its last table."""

import pytest
from conftest import CHAPTERS
from live import resized
from playwright.sync_api import Locator

SCREEN = (1280, 720)
COVERED = 0.45  # the most of a screen that controls may hold while a reader looks at tables
BESIDE = """([host, settings]) => {
  const live = host.querySelector(".lf-live");
  const height = live.getBoundingClientRect().height;
  if (height <= settings.fits) return "";
  const controls = host.querySelector(".tl-in-view");
  if (!controls) return `${Math.round(height)} px high, and nothing stays in view`;
  const below = live.getBoundingClientRect().bottom + scrollY;
  scrollTo({ top: below - innerHeight, behavior: "instant" });
  const box = controls.getBoundingClientRect();
  if (box.top < 0 || box.bottom > innerHeight) return "its controls leave the screen";
  const [x, y] = [box.left + box.width / 2, box.top + 2];
  if (!controls.contains(document.elementFromPoint(x, y))) return "its controls are covered";
  return box.height <= settings.covered * innerHeight ? "" : "its controls cover its tables";
}"""


def fault_of(host: Locator) -> str:
    """Say what is wrong with the controls of a figure; "" if nothing is."""
    settings = {"fits": SCREEN[1], "covered": COVERED}
    return host.page.evaluate(BESIDE, [host.element_handle(), settings])


@pytest.mark.parametrize("name", CHAPTERS)
def test_controls_stay_in_view(touched, name):
    page = touched(name, "desk")
    with resized(page, *SCREEN):
        found = {}
        for host in page.locator(".tl-host:not([data-figure='question'])").all():
            host.scroll_into_view_if_needed()
            host.locator(".lf-live .tl-status").first.wait_for(state="attached")
            if fault := fault_of(host):
                found[host.get_attribute("data-figure")] = fault
    assert found == {}


def test_controls_that_scroll_away_are_found(open_page):
    page = open_page("notebooks/09_multi_head.html", height=SCREEN[1])
    page.add_style_tag(content=".tl-figure .tl-in-view { position: static }")
    host = page.locator("[data-figure='head_splitter']").first
    host.locator("details").evaluate("(e) => { e.open = true; }")
    assert fault_of(host) == "its controls leave the screen"
