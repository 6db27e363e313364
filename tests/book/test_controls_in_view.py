"""On a laptop's screen each figure fits, or its controls stay in view down to its last table."""

import pytest
from conftest import CHAPTERS

SCREEN = {"width": 1280, "height": 720}
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


@pytest.mark.parametrize("name", CHAPTERS)
def test_controls_stay_in_view(open_page, name):
    page = open_page(name, **SCREEN)
    found = {}
    for host in page.locator(".tl-host:not([data-figure='question'])").all():
        host.scroll_into_view_if_needed()
        host.locator(".lf-live .tl-status").first.wait_for(state="attached")
        settings = {"fits": SCREEN["height"], "covered": COVERED}
        fault = page.evaluate(BESIDE, [host.element_handle(), settings])
        if fault:
            found[host.get_attribute("data-figure")] = fault
    assert found == {}


def test_controls_that_scroll_away_are_found(open_page):
    page = open_page("notebooks/09_multi_head.html", **SCREEN)
    page.add_style_tag(content=".tl-figure .tl-in-view { position: static }")
    host = page.locator("[data-figure='head_splitter']").first
    settings = {"fits": SCREEN["height"], "covered": COVERED}
    fault = page.evaluate(BESIDE, [host.element_handle(), settings])
    assert fault == "its controls leave the screen"
