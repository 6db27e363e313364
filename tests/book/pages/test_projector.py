"""A page as slides for a class: each chapter from end to end, and three of them closely."""

import re
from collections.abc import Iterator

import pytest
from conftest import BOOK, CHAPTER, CHAPTERS, LIGHT_PAGE, settle, watched
from live import tab_to, values
from playwright.sync_api import Browser, Locator, Page, expect
from sampling import parameter, sample
from test_accessibility import DOUBLES, check, without

CAT = CHAPTER
TRAINING = "notebooks/22_training_a_translator.html"
INSIDE = "notebooks/24_looking_inside.html"
SECTION = "divide-by-4-and-take-the-softmax"
SMALLEST = 28  # px at 1280 × 720
# What is on each screen in turn.
WALK = """() => {
  const look = LOOK;
  const next = document.querySelector(".tl-projector button[title='Next screen']");
  const found = [look()];
  while (!next.disabled) {
    next.click();
    found.push(look());
  }
  return found;
}"""
# Whatever is wider than its box scrolls in a box of its own.
LOOK = """() => {
  const stage = document.querySelector("article");
  const seen = (e) => e.checkVisibility() && e.getClientRects().length > 0;
  const scrolls = (e) => e !== stage
    && (/auto|scroll|hidden/.test(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
  const edge = stage.getBoundingClientRect().left + stage.clientWidth + 1;
  const shown = [...stage.querySelectorAll("*")].filter(seen);
  const size = (e) => Number.parseFloat(getComputedStyle(e).fontSize);
  return {
    count: document.querySelector(".tl-projector-count").textContent,
    wide: stage.scrollWidth > stage.clientWidth,
    out: shown.filter((e) => e.getBoundingClientRect().right > edge && !scrolls(e.parentElement))
      .filter((e) => !e.closest(".katex-mathml, svg")).map((e) => e.outerHTML.slice(0, 90)),
    small: shown.filter((e) => e.matches("p, li, h1, h2, h3, pre, .katex"))
      .filter((e) => !e.closest(".tl-host, svg, figcaption, table, sup"))
      .filter((e) => size(e) < SMALLEST * (e.closest("[style*='--tl-fit']") ? 0.75 : 1))
      .map((e) => e.outerHTML.slice(0, 90)),
    blocks: shown.map((e) => window.all.indexOf(e)).filter((i) => i >= 0),
    hidden: window.hosts.some((host) => !host.isConnected),
    dead: shown.filter((e) => e.matches(".tl-host:not([data-assets], .lf-mounted)")).length,
  };
}""".replace("SMALLEST", str(SMALLEST))
# The blocks are found here in another way than the projector finds them.
MARK = """() => {
  const inside = (e) => e.closest(".tl-covered") !== null;
  window.all = [...document.querySelectorAll("article p, article .cell, article table, article li,"
    + "article :is(h1, h2, h3), article .admonition, article div.math")]
    .filter((e) => !inside(e) && e.checkVisibility() && e.getClientRects().length);
  window.hosts = [...document.querySelectorAll(".tl-host")];
}"""


def projected(open_page, name: str, **options) -> Page:
    """Open a page and enter the projector, by its button or by the address."""
    page = open_page(name, **{"height": 720} | options)
    if "projector" not in name:
        enter(page)
    expect(bar(page)).to_be_visible()
    return page


def enter(page: Page) -> Page:
    """Press the page's button; then leave full screen, where Escape is the browser's."""
    press(page)
    to_window(page)
    expect(bar(page)).to_be_visible()
    return page


def to_window(page: Page) -> None:
    """Leave full screen by its key, as soon as it is there."""
    page.wait_for_function("document.fullscreenElement")
    page.keyboard.press("f")
    page.wait_for_function("!document.fullscreenElement")


def press(page: Page) -> None:
    """Press the page's button, without Playwright's own scrolling."""
    page.get_by_role("button", name="Projector").evaluate("(button) => button.click()")
    expect(bar(page)).to_be_visible()


def bar(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Projector")


def count(page: Page) -> tuple[int, int]:
    """Return the number of the screen and of all screens."""
    at, of = page.locator(".tl-projector-count").inner_text().split(" of ")
    return int(at), int(of)


def place(page: Page) -> Locator:
    """Return the line with the current position, which is read aloud."""
    return bar(page).get_by_role("status")


def forward_to(page: Page, wanted: Locator) -> None:
    """Go on until something is on the screen."""
    while not wanted.is_visible():
        at, of = count(page)
        assert at < of, "it is on no screen"
        page.keyboard.press("ArrowRight")


@pytest.fixture(scope="module")
def chapter(browser: Browser, site: str) -> Iterator[Page]:
    """Provide one chapter, opened once for what does not ask how it was opened."""
    with watched(browser, site) as open_one:
        yield open_one(CAT, height=720)


@pytest.fixture
def cat(chapter: Page) -> Page:
    """Provide the chapter at its top, with the projector closed and figures as they were left."""
    chapter.emulate_media(media="screen")
    if bar(chapter).is_visible():
        chapter.get_by_role("button", name="Leave the projector").click()
        expect(bar(chapter)).to_have_count(0)
    chapter.evaluate("""() => {
      document.activeElement.blur();
      history.replaceState(null, "", location.pathname);
      scrollTo({ top: 0, behavior: "instant" });
    }""")
    return chapter


@pytest.mark.parametrize("name", [parameter(name, name == CAT) for name in CHAPTERS])
def test_every_block_is_on_a_screen_large_enough_and_whole(open_page, name):
    page = open_page(name, height=720)
    page.evaluate(MARK)
    press(page)
    assert page.evaluate("window.all.length") > 50
    seen = set()
    looks = page.evaluate(WALK.replace("LOOK", LOOK))
    assert len(looks) == count(page)[1] > 25
    for number, look in enumerate(looks, 1):
        assert look["count"] == f"{number} of {len(looks)}"
        seen |= set(look["blocks"])
        faults = [look[name] for name in ("wide", "out", "small", "hidden", "dead")]
        assert not any(faults), f"screen {number}: {faults}"
    missing = "(seen) => window.all.filter((_, i) => !seen.includes(i)).map((e) => e.outerHTML)"
    assert page.evaluate(missing, sorted(seen)) == []


def test_the_projector_is_small_and_loads_only_on_demand(open_page):
    page = open_page(CAT)
    names = page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert [name for name in names if "projector" in name] == []
    size = sum(len((BOOK / f"_static/projector.{kind}").read_bytes()) for kind in ("js", "css"))
    assert size < 32_000


def test_the_button_opens_the_section_in_view_and_escape_returns_to_the_page(cat):
    cat.locator(f"#{SECTION}").evaluate("(e) => e.scrollIntoView()")
    press(cat)
    expect(cat.locator(f"#{SECTION} > h2")).to_be_in_viewport()
    expect(cat.get_by_role("status").filter(has_text=" of ")).to_contain_text("Divide by √4")
    assert cat.url.endswith(f"#{SECTION}&projector")
    for part in (".bd-sidebar-primary", ".bd-header-article", "footer"):
        expect(cat.locator(part).first).to_be_hidden()
    to_window(cat)
    cat.keyboard.press("PageDown")
    text = cat.locator(".tl-first").inner_text()
    cat.keyboard.press("Escape")
    expect(bar(cat)).to_have_count(0)
    assert cat.url.endswith(f"#{SECTION}")
    expect(cat.locator(":focus")).to_be_in_viewport()
    assert cat.locator(":focus").inner_text().split() == text.split()
    assert cat.locator(".tl-off, .tl-first, .tl-last").count() == 0


@pytest.mark.parametrize("scheme", sample(["http", "file"], 1))
def test_the_address_keeps_the_screen_and_back_leaves_the_projector(open_page, scheme):
    page = projected(open_page, CAT, scheme=scheme)
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    place, text = count(page), page.locator(".tl-first").inner_text()
    assert re.search(r"#[\w-]+&projector(=\d+)?$", page.url)
    page.reload()
    expect(bar(page)).to_be_visible()
    settle(page)  # the screens are cut again when a figure becomes live
    assert (count(page), page.locator(".tl-first").inner_text()) == (place, text)
    page.go_back()
    expect(bar(page)).to_have_count(0)
    page.go_forward()
    expect(bar(page)).to_be_visible()
    assert count(page) == place


def test_keys_and_buttons_change_the_screen(cat):
    page = enter(cat)
    of = count(page)[1]
    assert of > 25
    for key, place in [
        *[("ArrowRight", 2), ("Space", 3), ("PageDown", 4), ("ArrowDown", 5)],
        *[("ArrowLeft", 4), ("Shift+Space", 3), ("PageUp", 2), ("ArrowUp", 1), ("ArrowLeft", 1)],
        *[("End", of), ("ArrowRight", of), ("Home", 1)],
    ]:
        page.keyboard.press(key)
        assert count(page) == (place, of), key
    page.get_by_role("button", name="Next screen").click()
    assert count(page)[0] == 2
    page.get_by_role("button", name="Previous screen").click()
    assert count(page)[0] == 1
    expect(page.get_by_role("button", name="Previous screen")).to_be_disabled()
    page.get_by_role("button", name="Leave the projector").click()
    expect(bar(page)).to_have_count(0)


@pytest.mark.nightly
def test_a_model_loads_on_its_screen_and_a_tall_block_scrolls_first(open_page):
    page = projected(open_page, INSIDE)
    host = page.locator("[data-figure='head_reader']")
    forward_to(page, host)
    expect(host).to_have_class(re.compile("lf-mounted"))
    expect(host.locator(".lf-live")).to_be_visible()
    expect(bar(page)).to_be_visible()
    forward_to(page, host)  # the screens are cut again for a live figure
    at, _ = count(page)
    expect(page.get_by_text("more below")).to_be_visible()
    top = "document.querySelector('article').scrollTop"
    steps = 0
    while count(page)[0] == at:
        before = page.evaluate(top)
        page.keyboard.press("PageDown")
        steps += 1
        assert count(page)[0] > at or page.evaluate(top) > before
    assert steps > 1
    assert page.evaluate(top) == 0


def test_figure_keeps_its_state_in_the_projector(cat):
    page = enter(cat)
    host = page.locator("[data-figure='attention_explorer']")
    host.evaluate("(e) => { window.kept = e.querySelector('.lf-live'); }")
    forward_to(page, host)
    slider, place = host.get_by_role("slider").first, count(page)
    before = values(host)
    slider.focus()
    for key in ("ArrowRight", "End", "PageDown", "Home"):
        value = slider.input_value()
        page.keyboard.press(key)
        assert slider.input_value() != value, f"the slider keeps {key}"
    assert count(page) == place
    after = values(host)
    assert after != before
    page.keyboard.press("Escape")  # out of the slider
    expect(bar(page)).to_be_visible()
    page.keyboard.press("ArrowRight")
    assert count(page)[0] == place[0] + 1
    page.keyboard.press("ArrowLeft")
    assert values(host) == after
    page.keyboard.press("Escape")
    expect(bar(page)).to_have_count(0)
    assert values(host) == after
    assert host.evaluate("(e) => window.kept === e.querySelector('.lf-live')")


def test_a_prediction_hides_its_answer_until_a_key_or_a_guess_opens_it(cat):
    page = enter(cat)
    of = count(page)[1]
    cover = page.locator(".tl-cover").first
    forward_to(page, cover.locator(".tl-cover-bar"))
    at = count(page)[0]
    expect(cover.locator(".tl-covered > .cell")).to_be_hidden()
    page.keyboard.press("a")
    expect(cover.locator(".tl-cover-bar button")).to_have_attribute("aria-expanded", "true")
    expect(page.locator(".tl-projector-name")).to_contain_text("next screen")
    assert count(page)[1] > of
    page.keyboard.press("ArrowRight")
    expect(cover.locator(".tl-covered > .cell").first).to_be_visible()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("a")
    expect(page.locator(".tl-projector-count")).to_have_text(f"{at} of {of}")
    radio = cover.get_by_role("radio").nth(1)
    radio.press("Space")
    cover.get_by_role("button", name="Note my guess").press("Enter")
    expect(page.locator(".tl-projector-name")).to_contain_text("next screen")


def test_the_projector_works_by_keyboard_alone(open_page):
    """From the top of the page to a guess, a figure, and back to the same place."""
    page = open_page(CAT, height=720)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # past the list of chapters
    tab_to(page, page.get_by_role("button", name="Projector"))
    page.keyboard.press("Enter")
    to_window(page)
    cover = page.locator(".tl-cover").first
    forward_to(page, cover.locator(".tl-cover-bar"))
    tab_to(page, cover.get_by_role("radio").first)
    page.keyboard.press("Space")
    tab_to(page, cover.get_by_role("button", name="Note my guess"))
    page.keyboard.press("Enter")
    expect(cover.locator(".tl-cover-bar button")).to_have_attribute("aria-expanded", "true")
    host = page.locator("[data-figure='attention_explorer']")
    page.keyboard.press("Home")
    forward_to(page, host)
    slider = host.get_by_role("slider").first
    tab_to(page, slider)
    before = host.inner_text()
    page.keyboard.press("End")
    assert host.inner_text() != before
    page.keyboard.press("Escape")  # out of the slider
    page.keyboard.press("Escape")
    expect(bar(page)).to_have_count(0)
    expect(host).to_be_in_viewport()


def test_the_keys_are_listed(cat):
    page = enter(cat)
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys of the projector")
    expect(keys).to_contain_text("first and last screen")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    assert count(page)[0] == 1
    page.get_by_role("button", name="Keys").click()
    keys.get_by_role("button", name="Close").click()
    expect(keys).to_be_hidden()
    expect(bar(page)).to_be_visible()


def test_print_shows_the_whole_page(cat):
    height = "Math.round(document.querySelector('article').getBoundingClientRect().height)"
    cat.emulate_media(media="print")
    before = cat.evaluate(height)
    cat.emulate_media(media="screen")
    press(cat)
    cat.emulate_media(media="print")
    assert cat.evaluate(height) == before
    expect(cat.locator(".tl-projector")).to_be_hidden()


@pytest.mark.nightly
@pytest.mark.parametrize("name", [CAT, TRAINING, INSIDE])
def test_axe_finds_no_violation_on_a_screen(open_page, name):
    page = projected(open_page, name)
    targets = ["article h1", ".tl-host[data-figure]:not([data-figure=question])"]
    targets += [".tl-tour-says", ".tl-cover-bar", ".tl-drill"]
    targets += ["article .cell:not(.tag_hide-input) pre"]
    found = []
    for target in targets:
        forward_to(page, page.locator(target).first)
        for host in page.locator(".tl-host[data-assets]").all():
            if host.is_visible():
                expect(host).to_have_class(re.compile("lf-mounted"))
        with without(page, DOUBLES):
            found += check(page, f"{target} projected")
        page.keyboard.press("Home")
    page.keyboard.press("?")
    found += check(page, "keys", (".tl-projector-list",))
    assert not found, "\n".join(found)


def test_a_page_that_is_not_a_chapter_can_be_projected(open_page):
    page = projected(open_page, LIGHT_PAGE)
    page.keyboard.press("End")
    at, of = count(page)
    assert at == of
