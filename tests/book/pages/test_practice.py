"""Practice on the pages: predictions that cover their answer, and stored progress."""

import json

import pytest
from conftest import BOOK, CHAPTERS
from playwright.sync_api import Locator, Page, expect
from sampling import sample

# The smallest chapter that covers answers.
CHAPTER = min(
    (name for name in CHAPTERS if "tl-cover" in (BOOK / name).read_text("utf-8")),
    key=lambda name: (BOOK / name).stat().st_size,
    default="",
)
HOW_TO = "book/how_to_use.html"
STORED = "Object.entries({...localStorage}).filter(([name]) => name.startsWith('progress of'))"


def covers(page: Page) -> list[Locator]:
    found = page.locator(".tl-cover").all()
    assert len(found) >= 2
    return found


def is_open(cover: Locator) -> bool:
    """Return whether the answer can be seen; what the button says must agree."""
    seen = cover.locator(".tl-covered > .cell").first.is_visible()
    button = cover.locator(".tl-cover-bar button")
    assert button.get_attribute("aria-expanded") == str(seen).lower()
    assert button.inner_text() == ("Cover it again" if seen else "Show me")
    return seen


def guess(cover: Locator) -> str:
    """Choose the second answer by keyboard, and return it."""
    radio = cover.get_by_role("radio").nth(1)
    radio.press("Space")
    cover.get_by_role("button", name="Note my guess").press("Enter")
    return radio.evaluate("(radio) => radio.labels[0].textContent")


def mark(page: Page) -> Locator:
    """Return the chapter's entry in the sidebar."""
    return page.locator(".bd-links a.current").last


@pytest.mark.parametrize("scheme", sample(["http", "file"], 1))
def test_a_guess_opens_only_its_own_answer_and_stays_visible(open_page, scheme):
    page = open_page(CHAPTER, scheme=scheme)
    first, *others = covers(page)
    assert not any(map(is_open, [first, *others]))
    chosen = guess(first)
    assert is_open(first)
    assert first.locator(".tl-cover-bar span").inner_text() == f"Your guess: “{chosen}”."
    assert f"Noted: “{chosen}”." in first.locator(".tl-status").first.inner_text()
    assert not any(map(is_open, others))


def test_a_button_shows_and_hides_the_answer_and_keeps_the_focus(open_page):
    cover = covers(open_page(CHAPTER, width=360, theme="dark"))[0]
    button = cover.locator(".tl-cover-bar button")
    for opened in (True, False, True):
        button.press("Enter")
        assert is_open(cover) is opened
        expect(button).to_be_focused()
    assert cover.locator(".tl-cover-bar span").inner_text() == "The answer:"


def test_the_answer_is_open_without_scripts_and_on_paper(open_page):
    page = open_page(CHAPTER)
    page.emulate_media(media="print")
    plain = open_page(CHAPTER, scripts=False)
    for cover in [*covers(page), *covers(plain)]:
        expect(cover.locator(".tl-covered > .cell").first).to_be_visible()
        expect(cover.locator(".tl-cover-bar")).to_be_hidden()


def test_a_link_into_an_answer_opens_it(open_page):
    """On arrival, and within the page, where the browser opens nothing by itself."""
    page = open_page(CHAPTER)
    inside = covers(page)[1].locator(".tl-covered [id]").first.get_attribute("id")
    arrived = open_page(f"{CHAPTER}#{inside}")
    expect(arrived.locator(f"#{inside}")).to_be_in_viewport()
    assert [is_open(cover) for cover in covers(arrived)[:2]] == [False, True]
    page.evaluate("document.querySelectorAll('.tl-covered').forEach((e) => { e.hidden = true; })")
    page.evaluate("(id) => { location.hash = id; }", inside)
    expect(page.locator(f"#{inside}")).to_be_in_viewport()
    assert [is_open(cover) for cover in covers(page)[:2]] == [False, True]


# Six words of a text, for the browser to look for.
SIX_WORDS = """(text) => {
  const long = [...text.childNodes].findLast((part) => part.data?.trim().length > 20);
  const words = long.data.trim().split(/\\s+/).slice(0, 6).join(" ");
  return encodeURIComponent(words).replaceAll("-", "%2D");
}"""


@pytest.mark.nightly
@pytest.mark.text_fragments
def test_the_browsers_search_looks_into_an_answer(open_page):
    text = covers(open_page(CHAPTER))[0].locator(".tl-covered > p").last
    words = text.evaluate(SIX_WORDS)
    page = open_page(f"{CHAPTER}#:~:text={words}")
    expect(page.locator(".tl-cover-bar button").first).to_have_text("Cover it again")
    assert [is_open(cover) for cover in covers(page)[:2]] == [True, False]


def test_answers_are_covered_before_they_are_drawn(open_page):
    """Scripts that wait for the whole page run too late: answers show, and the text moves."""
    page = open_page(CHAPTER)
    page.add_init_script("""document.addEventListener("readystatechange", () => {
      const late = document.querySelectorAll(".tl-covered:not([hidden]), .tl-cover-bar[hidden]");
      window.late ??= late.length;
    })""")
    page.reload()
    assert page.evaluate("window.late") == 0


def test_progress_is_stored_and_shown_next_to_the_chapter(open_page):
    page = open_page(CHAPTER)
    title = mark(page).inner_text()
    predictions = page.locator(".tl-prediction").count()
    guess(covers(page)[0])
    guess(covers(page)[0])  # changing one's mind counts once
    wanted = f"1 of {predictions} predictions"
    for _ in range(2):
        told = mark(page).get_attribute("aria-label")
        assert told.startswith(f"{title}: ")
        assert wanted in told and "read to the end" not in told
        expect(mark(page).locator(".tl-progress")).to_have_text(" ○")
        page.reload()
    page.locator("article h2").last.scroll_into_view_if_needed()
    expect(mark(page)).to_have_attribute("aria-label", f"{told}, read to the end")


STORES = ["{", "null", "[1]", '{"x": 3}', '{"NAME": {"read": 1}}']


@pytest.mark.nightly
@pytest.mark.parametrize("stored", STORES)
def test_unreadable_progress_is_ignored_and_replaced(open_page, stored):
    page = open_page(CHAPTER)
    guess(covers(page)[0])
    [[key, _]] = page.evaluate(STORED)
    name = CHAPTER.partition("/")[2].removesuffix(".html")
    text = stored.replace("NAME", name)
    page.evaluate("([key, text]) => localStorage.setItem(key, text)", [key, text])
    page.reload()
    assert page.locator(".bd-links .tl-progress").count() == 0
    guess(covers(page)[0])
    [[_, after]] = page.evaluate(STORED)
    assert list(json.loads(after)) == [name]
    assert list(json.loads(after)[name]["done"].values()) == ["prediction"]


def test_a_damaged_entry_does_not_affect_other_chapters(open_page):
    page = open_page(CHAPTER)
    guess(covers(page)[0])
    [[key, _]] = page.evaluate(STORED)
    whole = {"done": {}, "of": {"quiz": 2, "prediction": 0, "drill": 0}, "read": True}
    damaged = [{"done": None}, {"of": []}, {"read": 1}, {"done": {"a": "no"}}, {"done": ["quiz"]}]
    names = [name.partition("/")[2].removesuffix(".html") for name in CHAPTERS if name != CHAPTER]
    entries = {name: whole | one for name, one in zip(names, [*damaged, {}, {}], strict=False)}
    entries["__proto__"] = 5
    page.evaluate("([key, text]) => localStorage.setItem(key, text)", [key, json.dumps(entries)])
    page.reload()
    assert page.locator(".bd-links .tl-progress").count() == 2
    guess(covers(page)[0])
    [[_, after]] = page.evaluate(STORED)
    assert {*names[5:7]} < {*json.loads(after)} and len(json.loads(after)) == 3
    aside = json.loads(page.evaluate("(key) => localStorage.getItem(`unreadable ${key}`)", key))
    left = {name: entries[name] for name in [*names[:5], "__proto__"]}
    assert dict(aside) == left
    page.goto(page.url.replace(CHAPTER, HOW_TO))
    expect(page.locator(".tl-progress-panel li").last).to_contain_text("Left out as damaged: 6")


# What a page finds that may keep nothing: an error, as in most browsers, or nothing at all.
REFUSED = {
    how: "Object.defineProperty(window, 'localStorage', "
    f"{{ configurable: true, get() {{ {code}; }} }});"
    for how, code in {
        "throws": "throw new DOMException('no', 'SecurityError')",
        "null": "return null",
    }.items()
}


@pytest.mark.parametrize("how", sample(REFUSED, 1))
def test_without_storage_everything_else_works(open_page, how):
    page = open_page(CHAPTER)
    page.context.add_init_script(REFUSED[how])
    page.reload()
    guess(covers(page)[0])
    assert is_open(covers(page)[0])
    assert "1 of " in mark(page).get_attribute("aria-label")
    assert page.locator(".tl-review-due").count() == 0, "nothing says that it will come back"
    before = page.locator("html").get_attribute("data-mode")
    page.locator(".theme-switch-button").first.press("Enter")
    expect(page.locator("html")).not_to_have_attribute("data-mode", before)
    page.keyboard.press("Control+k")
    expect(page.locator("#pst-search-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".primary-toggle").press("Enter")
    expect(page.get_by_role("dialog").get_by_role("link", name="Glossary")).to_be_visible()


def test_progress_is_erased_after_asking(open_page):
    page = open_page(CHAPTER)
    guess(covers(page)[0])
    page.goto(page.url.replace(CHAPTER, HOW_TO))
    panel = page.locator(".tl-progress-panel")
    expect(panel.locator("li")).to_contain_text("1 of ")
    erase, no = (
        panel.get_by_role("button").all()[0],
        panel.get_by_role("button", name="No, keep it"),
    )
    erase.press("Enter")
    expect(no).to_be_focused()
    no.press("Enter")
    expect(panel.get_by_role("status")).to_have_text("Nothing was erased.")
    expect(panel.locator("li")).to_contain_text("1 of ")
    erase.press("Enter")
    panel.get_by_role("button", name="Yes, erase it").press("Enter")
    expect(panel.get_by_role("status")).to_have_text("Your progress is erased.")
    expect(erase).to_be_focused()
    expect(panel.locator("li")).to_have_text("Nothing is kept yet.")
    assert page.locator(".tl-progress").count() == 0
    assert [json.loads(text) for _, text in page.evaluate(STORED)] == [{}]
