"""The deck: Anki's own library imports it, renders every card and keeps the schedule."""

import datetime
import json
import time
from pathlib import Path

import pytest
from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest
from deck import MODELS, fit, write_deck
from facts import Facts
from playwright.sync_api import expect
from toured_page import ORDER, PAGE, write_toured

from lessons.kit.drills import DRILLS
from tests.lessons.masks.mask_lab import spec

EVIL = "<img src=x onerror='globalThis.evil = 1'>"
FACTS = Facts("A book", "somebody", datetime.date(2026, 3, 1), "1.2")
SEE = [{"href": f"../{PAGE}.html#x", "text": "Masks"}]
COMMON = {"chapter": "08_masks", "title": "Masks", "see": SEE}
CHOICES = [
    {"text": "one", "feedback": "Yes.", "right": True},
    {"text": EVIL, "feedback": "No.", "right": False},
]


def write_items(html: Path, prompt: str = "Which?") -> None:
    quiz = {"id": "08#q", "kind": "quiz", **COMMON, "state": {"prompt": prompt, "choices": CHOICES}}
    drills = [{"id": f"08#{name}", "kind": "drill", "figure": name, **COMMON} for name in DRILLS]
    formula = '<span class="katex"><math><mi>x</mi></math><span class="katex-html">x</span></span>'
    card = {
        "id": "08#t",
        "kind": "term",
        **COMMON,
        "front": "What is a <b>mask</b>?",
        "back": formula,
    }
    folder = html / "_static/review/chapters"
    folder.mkdir(parents=True, exist_ok=True)
    text = f"globalThis.reviewChapters['08_masks'] = {json.dumps([quiz, *drills, card])};\n"
    (folder / "08_masks.js").write_text(text, "utf-8")


@pytest.fixture(scope="module")
def html(tmp_path_factory):
    folder = write_toured(tmp_path_factory.mktemp("html"), spec.make(tour=True))
    write_items(folder)
    return folder


@pytest.fixture(scope="module")
def deck(html, browser, tmp_path_factory):
    path = tmp_path_factory.mktemp("deck") / "book.apkg"
    assert write_deck(html, FACTS, path, ORDER, browser) == len(DRILLS) + 3
    return path


@pytest.fixture
def collection(deck, tmp_path):
    collection = Collection(str(tmp_path / "collection.anki2"))
    take(collection, deck)
    yield collection
    collection.close()


def take(collection: Collection, deck: Path) -> None:
    options = ImportAnkiPackageOptions(merge_notetypes=True)
    request = ImportAnkiPackageRequest(package_path=str(deck), options=options)
    collection.import_anki_package(request)


def sides(collection: Collection) -> dict[str, tuple[str, str]]:
    """Both sides of every card as Anki renders them, by the notes' ids."""
    found = {}
    for number in collection.find_cards(""):
        card = collection.get_card(number)
        shown = card.render_output()
        found[card.note()["Id"]] = (shown.question_text, shown.answer_text)
    return found


def test_every_card_has_two_sides(collection):
    found = sides(collection)
    assert {"08#q", "08#t", "figure#mask_lab", *(f"08#{name}" for name in DRILLS)} == set(found)
    for front, back in found.values():
        assert front.strip() and back.strip() and front != back
        assert "{{" not in front + back and "not found" not in front + back
    assert "<math>" in found["08#t"][1] and "katex-html" not in found["08#t"][1]
    assert "✓ one" in found["08#q"][1] and "Yes." in found["08#q"][1]
    assert EVIL not in "".join(found["08#q"]), "what is told is text"
    assert "Which query may attend to which key" in found["figure#mask_lab"][0]
    tags = collection.get_note(collection.find_notes("Id:08#q")[0]).tags
    assert sorted(tags) == ["08_masks", "quiz"]


def test_a_newer_deck_updates_cards_and_keeps_their_schedule(collection, html, browser, tmp_path):
    (number,) = collection.find_cards("Id:08#q")
    card = collection.get_card(number)
    card.start_timer()
    collection.sched.answerCard(card, 4)
    planned = collection.get_card(number)
    assert planned.reps == 1 and planned.ivl > 0
    write_items(html, prompt="Which one?")
    later = time.time() + 60  # not in the same second as the first deck
    write_deck(html, FACTS, tmp_path / "newer.apkg", ORDER, browser, later)
    write_items(html)
    take(collection, tmp_path / "newer.apkg")
    assert len(sides(collection)) == len(DRILLS) + 3, "no card is there twice"
    assert "Which one?" in sides(collection)["08#q"][0]
    after = collection.get_card(number)
    assert (after.reps, after.ivl, after.due) == (planned.reps, planned.ivl, planned.due)


@pytest.mark.parametrize("name", ["scores", "head_split_index"])
def test_a_drill_draws_new_numbers_and_checks_answers(collection, tab, name):
    front, _ = sides(collection)[f"08#{name}"]
    page = Path(collection.media.dir()) / "card.html"
    page.write_text(f"<!doctype html><style>{MODELS['drill'].css}</style>{front}", "utf-8")
    seen = set()
    for _ in range(4):
        tab.goto(page.as_uri())
        expect(tab.get_by_role("button", name="Check")).to_be_visible()
        seen.add(tab.locator("#tl-drill").inner_text())
    assert len(seen) > 1
    for box in tab.get_by_role("textbox").all():
        box.fill("123456")
    tab.get_by_role("button", name="Check").click()
    expect(tab.locator("#tl-drill .tl-status, #tl-drill [role=status]").first).not_to_be_empty()


def test_links_lead_to_the_published_book_or_become_plain_text():
    here = '<a href="../notebooks/08_masks.html#x">Masks</a>'
    assert fit(here, FACTS) == "Masks"
    published = Facts("A book", "somebody", FACTS.date, "1.2", "https://a.example/")
    assert 'href="https://a.example/notebooks/08_masks.html#x"' in fit(here, published)
