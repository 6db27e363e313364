"""The workbench on its page: it trains in a Worker, to the numbers that were recorded."""

import re
from collections.abc import Iterator

import pytest
from conftest import AXE, watched
from live import host_of, in_theme, resized
from playwright.sync_api import Browser, Locator, expect
from sampling import sample

from lessons.kit.figures.race_lab.race_lab import RECORD, TEXTS
from lessons.kit.figures.units import number

PAGE = "book/the_workbench.html"
HIGHEST = 720  # pixels, as of every figure
ENDS = TEXTS["captions"]["ends"]


def open_workbench(open_page, query: str = "", **view) -> Locator:
    """Open the page with an address and return the figure."""
    return host_of(open_page(f"{PAGE}#workbench{query}", **view), "workbench")


def train(host: Locator) -> None:
    """Train both machines to their end."""
    host.get_by_role("button", name="Train", exact=True).click()
    expect(host.get_by_role("button", name="Train again")).to_be_visible(timeout=120_000)


def ends(host: Locator) -> list[str]:
    """Return the cells of the table of ends."""
    return host.get_by_role("table", name=ENDS).locator("td").all_inner_texts()[1:]


def open_fold(host: Locator, name: str) -> None:
    """Open a fold of the figure, or leave it open."""
    fold = host.locator("details", has=host.page.locator("summary", has_text=name)).last
    fold.evaluate("(e) => { e.open = true; }")


def first_race(open_page, **view) -> Locator:
    """Predict the end of the first race and train to it."""
    host = open_workbench(open_page, **view)
    host.get_by_label("only the whole one").check()
    train(host)
    return host


@pytest.fixture(scope="module")
def raced(browser: Browser, site: str) -> Iterator[Locator]:
    """Provide the figure after its first race, trained once for several tests."""
    with watched(browser, site) as open_one:
        yield first_race(open_one)


@pytest.fixture(scope="module")
def recalled(browser: Browser, site: str) -> Iterator[Locator]:
    """Provide the figure after a race with two layers, trained once for several tests."""
    with watched(browser, site) as open_one:
        host = open_workbench(open_one, "?race=recall-layers")
        train(host)
        yield host


def require_first_race(host: Locator) -> None:
    """Require the ends that are recorded for the first race."""
    whole, changed = (RECORD["reverse-positions"][name] for name in ("whole", "changed"))
    right = number(100 * changed["accuracy"], 0)
    wanted = [f"{whole['weights']:,}", f"≥ 95 % at {whole['step']}"]
    wanted += [f"{changed['weights']:,}", f"{right} % at {changed['step']}"]
    assert ends(host) == wanted
    expect(host.locator(".tl-status")).to_have_text(
        re.compile("^You predicted this. Only the whole")
    )
    expect(host.locator(".race-wrong").first).to_be_visible()
    assert host.locator(".lf-live").bounding_box()["height"] <= HIGHEST


def test_the_first_race_ends_as_recorded(raced):
    require_first_race(raced)


@pytest.mark.nightly
def test_the_first_race_ends_as_recorded_on_a_page_from_a_file(open_page):
    require_first_race(first_race(open_page, scheme="file"))


@pytest.mark.nightly
def test_a_race_in_a_chapter_ends_as_recorded(open_page):
    host = host_of(open_page("notebooks/08_masks.html"), "race_lab")
    host.get_by_label("the changed one", exact=True).check()
    train(host)
    cells = (RECORD["text-mask"][name] for name in ("whole", "changed"))
    wanted = [[f"{end['weights']:,}", f"loss {number(end['losses'][-1], 2)}"] for end in cells]
    assert ends(host) == [*wanted[0], *wanted[1]]
    expect(host.locator(".tl-status")).to_have_text(
        re.compile("^You predicted this. The changed machine ended at the lower loss")
    )
    assert host.locator(".lf-live").bounding_box()["height"] <= HIGHEST


def test_axe_finds_no_violation_after_a_race(raced):
    for fold in ("Attention maps", "Take a part out", "Follow a number", "Numbers"):
        open_fold(raced, fold)
    page, found = raced.page, {}
    page.add_script_tag(path=AXE)
    for theme in ("light", "dark"):
        with in_theme(page, theme):
            found[theme] = page.evaluate("""async () => {
              const { violations } = await axe.run(".tl-host");
              return violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120))}`);
            }""")
    assert found == {"light": [], "dark": []}


def test_a_part_can_be_removed_and_training_continued_without_it(raced):
    host = raced
    open_fold(host, "Take a part out")
    host.get_by_role("button", name="attention", exact=True).click()
    news = host.locator(".wb-operation")
    expect(news).to_have_text(re.compile(r"^Without attention: 0 % exactly right\. Before: \d"))
    host.get_by_role("button", name="nothing", exact=True).click()
    expect(news).to_have_text(re.compile(r"^With all its parts: (.*)\. Before: \1\.$"))
    host.get_by_role("button", name="mask", exact=True).click()
    host.get_by_role("button", name="Train it for 200 more steps").click()
    expect(news).to_have_text(re.compile("after 200 more steps"), timeout=60_000)


@pytest.mark.nightly
def test_maps_weights_and_losses_can_be_read(recalled):
    host = recalled
    open_fold(host, "Attention maps")
    expect(host.locator(".wb-heads canvas")).to_have_count(4)  # two layers of two heads
    open_fold(host, "Numbers")
    table = host.get_by_role("table", name=re.compile("^embedding.table.weight"))
    expect(table.locator("tbody th")).to_have_text([*"abcdefgh01234567"])
    with host.page.expect_download() as saved:
        host.get_by_role("button", name="Save the losses as CSV").click()
    lines = saved.value.path().read_text(encoding="utf-8").splitlines()
    assert lines[0] == "machine,seed,step,training loss,held-out loss"
    steps = [RECORD["recall-layers"][name]["step"] for name in ("whole", "changed")]
    assert len(lines) == 1 + sum(steps) + 2


@pytest.mark.nightly
def test_a_number_of_a_pass_is_explained(recalled):
    host = recalled
    open_fold(host, "Follow a number")
    host.get_by_label("part", exact=True).select_option(label="Layer 2, attention")
    host.get_by_label("step", exact=True).select_option(label="queries")
    field = host.locator(".tl-field-cells")
    field.focus()
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        field.press(key)
    read, made = host.locator(".wb-read"), host.locator(".tl-made")
    expect(made).to_contain_text("32 products add up to")
    value = read.inner_text().rpartition(": ")[2]
    assert made.locator("p").first.inner_text().endswith(f": {value}.")
    host.get_by_label("step", exact=True).select_option(label="weights of head 1")
    field.focus()
    field.press("ArrowDown")
    expect(read).to_have_text(re.compile("^query of token 2, (.), key of token 1, .: [0-9.]+$"))
    host.get_by_label("part", exact=True).select_option(label="Output")
    host.get_by_label("step", exact=True).select_option(label="probabilities")
    field.press("Enter")
    expect(made).to_contain_text("divided by the sum of 16 such numbers")


def test_training_pauses_on_a_hidden_page_and_on_request(open_page):
    host = open_workbench(open_page, "?race=reverse-residual&seeds=5")
    hide = """(hidden) => {
      Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    host.get_by_role("button", name="Train", exact=True).click()
    table = host.get_by_role("table", name=ENDS)
    expect(table).to_contain_text("step 50")
    host.page.evaluate(hide, True)
    expect(host.get_by_role("button", name="Pause")).to_be_visible()
    host.page.evaluate(hide, False)
    expect(table).to_contain_text("step 100", timeout=60_000)
    host.get_by_role("button", name="Pause").click()
    expect(host.locator(".tl-status")).to_have_text(re.compile(r"^Paused at step \d+ and step \d+"))
    open_fold(host, "Follow a number")
    expect(host.get_by_text("First train both machines to the end.").first).to_be_visible()
    host.get_by_role("button", name="Discard").click()
    expect(table).to_be_hidden()
    expect(host.get_by_role("button", name="Train", exact=True)).to_be_visible()


@pytest.mark.nightly
def test_a_readers_own_text_is_checked_and_kept_out_of_the_address(open_page):
    host = open_workbench(open_page)
    host.get_by_label("Task").select_option(label="Your own text")
    box, news = host.get_by_label(re.compile("^Your text")), host.locator(".tl-status")
    for text, said in (("short", "640 characters or more. It has 5."), ("a" * 20_001, "at most")):
        box.fill(text)
        host.get_by_role("button", name="Train", exact=True).click()
        expect(news).to_contain_text(said)
    box.fill("the cat sat <b>on</b> the mat " * 30)
    host.get_by_label("steps", exact=True).evaluate("(e) => { e.closest('details').open = true; }")
    host.get_by_label("steps", exact=True).fill("50")
    host.get_by_label("steps", exact=True).press("Enter")
    train(host)
    assert "cat" not in host.page.url and host.locator(".lf-live .race-tokens b").count() == 0


@pytest.mark.parametrize(
    "query",
    sample(
        [
            "?race=%3Cimg%20src%3Dx%3E",
            "?task=__proto__",
            "?changed=constructor:1",
            "?seeds=1e9&first=-1",
        ],
        1,
    ),
)
def test_a_wrong_address_is_reported_and_starts_the_first_race(open_page, query):
    host = open_workbench(open_page, query)
    expect(host.get_by_role("alert")).to_contain_text("The address of this page is wrong")
    assert host.locator(".lf-live img").count() == 0
    expect(host.get_by_label("Race")).to_have_value(TEXTS["races"][0]["title"])
    host.get_by_label("Race").select_option(index=1)
    expect(host.get_by_role("alert")).to_be_hidden()
    expect(host.page).to_have_url(re.compile("race=text-attention"))


def test_a_link_of_the_page_sets_up_its_race(open_page):
    host = open_workbench(open_page)
    for race in TEXTS["races"][:2]:
        host.page.locator(f"#workbench-{race['id']}").click()
        expect(host.get_by_label("Race")).to_have_value(race["title"])
        expect(host.locator(".lf-live")).to_be_in_viewport()


def test_on_a_phone_the_button_and_the_chart_are_seen_together(open_page):
    host = open_workbench(open_page)
    with resized(host.page, 390, 844):
        boxes = [host.locator(part).bounding_box() for part in (".tl-acts", ".tl-answer")]
        assert boxes[1]["y"] + boxes[1]["height"] - boxes[0]["y"] < 500
        assert host.page.evaluate("document.documentElement.scrollWidth") <= 390
