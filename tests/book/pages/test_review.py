"""The Review page: questions are scheduled and stored in the reader's browser."""

import functools
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from conftest import BOOK, watched
from deck import read_items
from live import EVIL
from playwright.sync_api import Browser, Locator, Page, expect
from sampling import sample
from test_accessibility import check

from classroom.checkups import contents, parts

REVIEW = "book/review.html"
KEPT = "JSON.parse(localStorage.getItem(`review of ${new URL('../', location).pathname}`))"
NOT_JUDGED = ("Terms", "Formulas and letters")
START = datetime(2026, 1, 5, 8, tzinfo=UTC)


@functools.cache
def everything() -> list[dict]:
    """Return all that can be asked."""
    return read_items(BOOK)


def items() -> dict[str, dict]:
    """Return the questions and drills, by their ids."""
    return {one["id"]: one for one in everything() if "figure" in one}


def cards() -> dict[str, dict]:
    """Return terms, formulas and letters, by their ids."""
    return {one["id"]: one for one in everything() if "front" in one}


def place(page: Page) -> Locator:
    return page.locator(".tl-review")


def press(page: Page, name: str) -> None:
    place(page).get_by_role("button", name=name, exact=True).press("Enter")


def heading(page: Page) -> Locator:
    return place(page).get_by_role("heading", level=2)


def take_in(page: Page, title: str, *, without: tuple[str, ...] = NOT_JUDGED) -> None:
    """Tick a chapter and add its cards; by default only those that the page can grade."""
    place(page).locator("details").first.evaluate("(e) => { e.open = true; }")
    for name in without:
        place(page).get_by_role("checkbox", name=name, exact=True).uncheck()
    place(page).get_by_role("checkbox", name=title).check()
    press(page, "Take them in")


def asked(page: Page) -> dict:
    """Return the question or drill that is asked, by what it says."""
    live = place(page).locator(".lf-live")
    live.locator(".tl-status").wait_for(state="attached")
    legend = live.locator("legend")
    if not legend.count():
        return {"kind": "drill"}
    prompt = legend.first.inner_text()
    return next(one for one in items().values() if one["state"].get("prompt") == prompt)


def answer(page: Page, right: bool) -> None:
    """Answer by keyboard; a drill that should be right is given up instead."""
    item = asked(page)
    if item["kind"] == "drill":
        press(page, "I do not know")
        return
    choices = [one["text"] for one in item["state"]["choices"] if one["right"] is right]
    place(page).get_by_role("radio", name=choices[0], exact=True).press("Space")
    press(page, "Check")


def next_question(page: Page, after: bool = False) -> dict:
    """Go on to the next question, past drills, which are given up."""
    while True:
        if after:
            press(page, "Next")
        item, after = asked(page), True
        if item["kind"] == "quiz":
            return item
        press(page, "I do not know")


def test_every_question_and_drill_of_the_chapters_can_be_asked():
    found = items()
    pages = sorted((BOOK / "notebooks").glob("*.html"))
    boxes = sum(
        text.count("tl-practice tl-quiz") + text.count("tl-practice tl-drill")
        for text in (page.read_text("utf-8") for page in pages)
    )
    assert len(found) == boxes > 150
    for name, item in found.items():
        page = (BOOK / f"notebooks/{item['chapter']}.html").read_text("utf-8")
        assert f'id="{name.split("#")[1]}"' in page
        for place in item["see"]:
            assert place["href"].startswith(f"../notebooks/{item['chapter']}.html#")
            assert f'id="{place["href"].partition("#")[2]}"' in page
        assert not item["see"][0]["text"].endswith(": Quiz")


@pytest.mark.parametrize("scheme", sample(["http", "file"], 1))
def test_a_first_visit_adds_a_chapter_and_asks_its_questions(open_page, scheme):
    page = open_page(REVIEW, scheme=scheme)
    expect(heading(page)).to_have_text("Nothing is due")
    take_in(page, "Masks")
    expect(heading(page)).to_have_text(
        f"{sum(one['chapter'] == '08_masks' for one in items().values())} things are due"
    )
    expect(heading(page)).to_be_focused()
    press(page, "Begin")
    expect(heading(page)).to_contain_text("1 of ")
    answer(page, right=True)
    expect(place(page).locator("p[role=status]")).to_contain_text("It comes back ")
    press(page, "End here")
    expect(place(page).locator("li")).to_have_count(1)


def test_a_mistake_is_asked_again_in_the_sitting_and_links_to_its_section(open_page):
    page = open_page(REVIEW)
    take_in(page, "Scaling")
    press(page, "Begin")
    first = next_question(page)
    answer(page, right=False)
    expect(place(page).locator("p[role=status]")).to_contain_text("Once more in this sitting.")
    links = place(page).get_by_text("Read it again").get_by_role("link")
    told = links.evaluate_all("(all) => all.map((e) => e.getAttribute('href'))")
    assert told == [one["href"] for one in first["see"]]
    others = []
    while (item := next_question(page, after=True)) != first:
        others.append(item["id"])
        answer(page, right=True)
    assert len(others) == len(set(others)) > 0
    answer(page, right=True)
    card = page.evaluate(KEPT)["cards"][first["id"]]
    assert card["reps"] == 1, "only the first answer of a sitting counts"
    assert card["wrong"], "the wrong choice is remembered"


def test_an_answer_in_a_chapter_is_scheduled_and_can_be_removed(open_page):
    page = open_page("notebooks/05_attention.html")
    box = page.locator(".tl-practice.tl-quiz").first
    assert page.locator(".tl-review-due").count() == 0
    box.get_by_role("radio").first.check()
    box.get_by_role("button", name="Check").click()
    line = box.locator(".tl-review-due")
    expect(line).to_contain_text("Review plans when")
    page.goto(page.url.replace("notebooks/05_attention.html", REVIEW))
    expect(place(page)).to_contain_text("The next comes ")
    kept = page.evaluate(KEPT)
    assert list(kept["cards"]) == [f"05_attention#{box_id(items(), '05_attention')}"]
    page.go_back()
    expect(line).to_contain_text("This comes back in Review on ")
    line.get_by_role("button", name="Not again").press("Enter")
    expect(line).to_contain_text("does not come back")
    assert len(page.evaluate(KEPT)["out"]) == 1


def box_id(found: dict[str, dict], chapter: str) -> str:
    """Return the first question of a chapter."""
    names = [key for key, one in found.items() if key.startswith(chapter) and one["kind"] == "quiz"]
    return names[0].split("#")[1]


@pytest.mark.nightly
def test_known_cards_return_later_than_mistakes_over_ninety_days(open_page):
    """With a fake clock: no card is lost, and known cards return later than mistakes."""
    page = open_page(REVIEW)
    page.clock.set_fixed_time(START)
    page.reload()
    take_in(page, "Scaling")
    start = page.evaluate(KEPT)
    known = {*sorted(start["cards"])[::2]}
    visits = []
    for day in (0, 3, 10, 30, 90):
        page.clock.set_fixed_time(START + timedelta(days=day))
        page.reload()
        if heading(page).inner_text() == "Nothing is due":
            continue
        visits.append(day)
        press(page, "Begin")
        expect(heading(page)).to_contain_text(" of ")
        for _ in start["cards"]:
            if not place(page).get_by_role("button", name="End here").count():
                break
            answer(page, right=asked(page).get("id", "") in known)
            press(page, "Next")
    kept = page.evaluate(KEPT)
    assert set(kept["cards"]) == set(start["cards"])
    assert len(visits) >= 3 and max(card["reps"] for card in kept["cards"].values()) >= 3
    spans = [card["due"] - card["last"] for card in kept["cards"].values()]
    assert max(spans) > 10 * 86_400_000 > min(spans) > 0


def put(page: Page, data: object) -> None:
    """Give the page a file to add."""
    fold = place(page).locator("details", has_text="What is kept").last
    fold.evaluate("(e) => { e.open = true; }")
    text = data if isinstance(data, str) else json.dumps(data)
    files = {"name": "review.json", "mimeType": "application/json", "buffer": text.encode()}
    place(page).locator("input[type=file]").set_input_files(files)


def test_a_saved_file_adds_its_cards_to_another_browser(open_page, tmp_path):
    page = open_page(REVIEW)
    take_in(page, "Masks")
    place(page).get_by_text("What is kept").click()
    with page.expect_download() as download:
        press(page, "Save as a file")
    path = tmp_path / "review.json"
    download.value.save_as(path)
    saved = json.loads(path.read_text())
    assert saved == page.evaluate(KEPT)
    other = open_page(REVIEW)
    take_in(other, "Scaling")
    own = other.evaluate(KEPT)["cards"]
    put(other, saved)
    expect(place(other).get_by_role("status").first).to_contain_text("Read from the file")
    assert set(other.evaluate(KEPT)["cards"]) == {*own, *saved["cards"]}


EMPTY = {"format": 1, "retention": 0.9, "cards": {}, "out": [], "waiting": []}
BAD = {
    "no JSON": ("{", "it is not JSON"),
    "another file": ({"name": "x"}, "not written by this book"),
    "a list": ([EMPTY], "not written by this book"),
    "a newer format": (EMPTY | {"format": 2}, "format 2"),
    "a damaged card": (EMPTY | {"cards": {"a": {}}}, "Left out as damaged: 1 (card a)"),
    "a name that is markup": (EMPTY | {"cards": {EVIL[0]: 1}}, EVIL[0]),
    "a retention of 1": (EMPTY | {"retention": 1}, "Left out as damaged: 1 (retention)"),
}


@pytest.fixture(scope="module")
def filled(browser: Browser, site: str) -> Iterator[Page]:
    """Provide Review with the cards of a chapter, opened once for what changes nothing."""
    with watched(browser, site) as open_one:
        page = open_one(REVIEW)
        take_in(page, "Masks")
        yield page


@pytest.mark.parametrize(("data", "reason"), BAD.values(), ids=BAD)
def test_an_unreadable_file_is_refused_with_a_reason_and_changes_nothing(filled, data, reason):
    page, before = filled, filled.evaluate(KEPT)
    place(page).get_by_role("status").first.evaluate("(e) => e.replaceChildren()")
    put(page, data)
    expect(place(page).get_by_role("status").first).to_contain_text(reason)
    assert page.evaluate(KEPT) == before
    assert page.evaluate("typeof evil") == "undefined"


STORE = """(data) => {
  const name = `review of ${new URL("../", location).pathname}`;
  localStorage.setItem(name, JSON.stringify(data));
}"""
ASIDE = "localStorage.getItem(`unreadable review of ${new URL('../', location).pathname}`)"
NOW = int(START.timestamp() * 1000)
DAYS = 86_400_000


def learned(last: int = NOW, days: int = 30) -> dict:
    """Return a card that was answered at a time and comes back some days later."""
    times = {"due": last + days * DAYS, "last": last}
    return times | {"stability": 9, "difficulty": 5, "reps": 3, "lapses": 0, "wrong": []}


def stored(open_page, data: object, time: datetime = START) -> Page:
    """Open Review at a time, in a browser that keeps some data."""
    page = open_page(REVIEW)
    page.clock.set_fixed_time(time)
    page.evaluate(STORE, data)
    page.reload()
    return page


def test_damaged_entries_are_set_aside_and_all_others_stay(open_page):
    good, *others = items()
    cards = {name: learned(days=-1) for name in others} | {good: learned() | {"due": None}}
    damaged = EMPTY | {"cards": cards, "waiting": [7], "retention": "much"}
    page = stored(open_page, damaged)
    expect(heading(page)).to_have_text(f"{len(others)} things are due")
    warning = place(page).locator(".tl-review-warning")
    expect(warning).to_contain_text("Left out as damaged: 3 (")
    assert page.evaluate(KEPT) == EMPTY | {"cards": {name: cards[name] for name in others}}
    aside = {tuple(map(json.dumps, one)) for one in json.loads(page.evaluate(ASIDE))}
    assert aside == {
        (json.dumps(where), json.dumps(what))
        for where, what in ((f"card {good}", cards[good]), ("waiting", 7), ("retention", "much"))
    }
    place(page).get_by_text("What is kept").click()
    with page.expect_download() as download:
        press(page, "Save as a file")
    assert len(json.loads(download.value.path().read_text())["damaged"]) == 3
    press(page, "Erase")
    press(page, "Yes, erase it")
    expect(place(page).locator(".tl-review-warning")).to_have_count(0)
    assert page.evaluate(ASIDE) is None


@pytest.mark.nightly
def test_data_of_a_later_edition_is_not_changed(open_page):
    later = {"format": 2, "piles": [1]}
    page = stored(open_page, later)
    expect(heading(page)).to_have_text("Nothing can come back")
    expect(place(page)).to_contain_text("format 2, and this edition reads formats up to 1")
    page.goto(page.url.replace(REVIEW, "notebooks/05_attention.html"))
    box = page.locator(".tl-practice.tl-quiz").first
    box.get_by_role("radio").first.check()
    box.get_by_role("button", name="Check").click()
    assert page.evaluate(KEPT) == later


@pytest.mark.nightly
@pytest.mark.parametrize("year", [2016, 2099])
def test_an_answer_while_the_clock_is_wrong_changes_no_other_card(open_page, year):
    cards = {name: learned() for name, one in items().items() if one["kind"] == "quiz"}
    page = stored(open_page, EMPTY | {"cards": cards}, START.replace(year=year))
    warning = place(page).locator(".tl-review-warning")
    expect(warning).to_have_count(1 if year == 2016 else 0)
    press(page, "Begin")
    answer(page, right=True)
    expect(place(page).locator("p[role=status]")).to_contain_text("It comes back ")
    after = page.evaluate(KEPT)["cards"]
    changed = [name for name in cards if after[name] != cards[name]]
    assert len(changed) == 1
    page.clock.set_fixed_time(START)
    page.reload()
    expect(heading(page)).to_have_text("1 thing is due")
    press(page, "Begin")
    answer(page, right=True)
    expect(place(page).locator("p[role=status]")).to_contain_text("It comes back on ")
    assert page.evaluate(KEPT)["cards"][changed[0]]["last"] == NOW


@pytest.mark.nightly
def test_full_storage_is_reported_and_chapters_still_work(open_page):
    page = open_page("book/bibliography.html")
    page.add_init_script("""const keep = Storage.prototype.setItem;
    Storage.prototype.setItem = function (name, text) {
      if (/^(review|progress) of/.test(name)) throw new DOMException("full", "QuotaExceededError");
      keep.call(this, name, text);
    };""")
    page.goto(page.url.replace("book/bibliography.html", REVIEW))
    expect(heading(page)).to_have_text("Nothing can come back")
    page.goto(page.url.replace(REVIEW, "notebooks/05_attention.html"))
    box = page.locator(".tl-practice.tl-quiz").first
    box.get_by_role("radio").first.check()
    box.get_by_role("button", name="Check").click()
    expect(box.locator(".tl-status")).not_to_be_empty()
    assert page.locator(".tl-review-due").count() == 0


@pytest.mark.parametrize(
    ("button", "grade"), sample([("No", "again"), ("Nearly", "hard"), ("I knew it", "good")], 1)
)
def test_the_reader_grades_a_card_after_revealing_it(open_page, button, grade):
    page = open_page(REVIEW)
    take_in(page, "Masks", without=("Questions and drills",))
    press(page, "Begin")
    back = place(page).locator(".tl-review-back")
    expect(back).to_be_hidden()
    press(page, "Show it")
    expect(back).to_be_visible()
    expect(place(page).get_by_role("button", name="I knew it")).to_be_focused()
    press(page, button)
    expect(place(page).get_by_text("Read it again")).to_be_visible(visible=grade == "again")
    expect(place(page).locator("p[role=status]")).to_contain_text("It comes back ")
    (card,) = (one for one in page.evaluate(KEPT)["cards"].values() if one["reps"])
    stability = page.evaluate("FSRS.generatorParameters().w")
    assert round(card["stability"], 3) == round(
        stability[["again", "hard", "good"].index(grade)], 3
    )


def checkup(page: Page, part: str, number: int) -> None:
    page.goto(f"{page.url.partition('#')[0]}#checkup-{part}-{number}")
    page.reload()  # of the same address, a browser makes no new page
    expect(heading(page)).to_contain_text(f"Check-up {number}")


def pass_all(page: Page, right: bool) -> list[str]:
    """Answer a whole check-up, drills given up; return what was asked."""
    prompts = []
    while place(page).locator(".tl-review-buttons").get_by_role("button", name="End here").count():
        prompts.append(asked(page).get("state", {}).get("prompt", "drill"))
        answer(page, right=right)
        press(page, "Next")
    return prompts


def test_a_check_up_equals_the_printed_sheet_and_ends_with_sections_to_read(open_page, tmp_path):
    page = open_page(REVIEW)
    checkup(page, "attention", 7)
    prompts = pass_all(page, right=False)
    paper = contents(parts()["Attention"], 7)
    assert prompts == [one.name if one.choices else "drill" for one, _ in paper]
    expect(heading(page)).to_contain_text("0 of 12 right at once")
    again = place(page).locator("> ul a").evaluate_all("(all) => all.map((e) => e.hash.slice(1))")
    assert len(again) == len(set(again)) > 6
    assert len(page.evaluate(KEPT)["cards"]) == 12, "Review asks them again"


def test_check_ups_of_a_class_are_added_up(open_page, tmp_path):
    page = open_page(REVIEW)
    files = []
    for name, right in (("Ana", True), (EVIL[0], False)):
        checkup(page, "order", 3)
        prompts = pass_all(page, right)
        press(page, "Save for your teacher")
        expect(place(page).get_by_role("status")).to_contain_text("Type your name")
        place(page).get_by_label("Your name").fill(name)
        with page.expect_download() as download:
            press(page, "Save for your teacher")
        files.append(tmp_path / f"{len(files)}.json")
        download.value.save_as(files[-1])
    for name, content in {"no": "{", "foreign": "{}", "part": '{"kind": "check-up"}'}.items():
        files.append(tmp_path / f"{name}.json")
        files[-1].write_text(content)
    sheet = json.loads(files[0].read_text())
    sheet["answers"][:2] = [None, {"grade": "excellent"}]  # they cost only themselves
    sheet["name"] = "Ben"
    known = sum(one["grade"] == "good" for one in sheet["answers"][2:])
    files.append(tmp_path / "damaged.json")
    files[-1].write_text(json.dumps(sheet))
    page.goto(page.url.partition("book/")[0] + "book/teaching/checkups.html")
    page.locator(".tl-class-checkups input").set_input_files(files)
    sums = page.locator(".tl-class-checkups")
    expect(sums.get_by_role("status")).to_contain_text("Added up: 3 of 6 files.")
    assert sums.get_by_role("status").inner_text().count("was left out") == 3
    expect(sums.get_by_role("status")).to_contain_text("Of damaged.json, 2 of 12 answers were")
    rows = sums.get_by_role("table").nth(1).locator("tbody tr").all_inner_texts()
    questions = sum(prompt != "drill" for prompt in prompts)
    told = [f"Ana\t{questions} of 12", f"Ben\t{known} of 10", f"{EVIL[0]}\t0 of 12"]
    assert sorted(rows) == sorted(told)
    assert page.evaluate("typeof evil") == "undefined"
    assert check(page, "the sums", (".tl-class-checkups",)) == []


@pytest.mark.parametrize(("width", "theme"), sample([(360, "dark"), (1280, "light")], 1))
def test_axe_finds_no_violation_during_a_review(open_page, width, theme):
    page = open_page(REVIEW, width=width, theme=theme)
    assert check(page, "the first view", (".tl-review",)) == []
    take_in(page, "Masks")
    press(page, "Begin")
    asked(page)
    assert check(page, "a question", (".tl-review",)) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    answer(page, right=False)
    press(page, "End here")
    assert check(page, "the end", (".tl-review",)) == []
