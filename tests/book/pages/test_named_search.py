"""The search page lists named things above the pages that contain the words."""

import json
import re
from collections.abc import Callable
from urllib.parse import quote, unquote

import pytest
from conftest import BOOK, PAGES
from live import tab_to
from playwright.sync_api import Page, expect
from sampling import sample
from test_accessibility import check

# What the first hit is, and where it leads.
FIRST = {
    "softmax": "Formula 05_attention.html#formula-softmax",
    "layer norm": "Formula 16_layer_norm.html#formula-layer-normalization",
    "the soft look-up exercise": "Exercise 05_attention.html#exercise-1-a-soft-look-up",
    "heads of MiniLM figure": "Figure 24_looking_inside.html#figure-24-014",
    "perplexity drill": "Drill 03_language_models.html#practice-03-040",
    "BLEU": "Term glossary.html#term-BLEU",
    "mask lab": "Figure 08_masks.html#figure-08-062",
    "min max salary": "Worked example worked_examples.html#example-min-max-salary",
}


def search(query: str) -> str:
    """Return the address of the search page with a query."""
    return f"search.html?q={quote(query)}"


@pytest.fixture
def searched(open_page: Callable[..., Page]) -> Callable[..., Page]:
    """Search on the search page itself: `searched("softmax", width=360)`.

    The page is opened from a file, where Sphinx fetches no other page for its results.
    """

    def answered(query: str, scheme: str = "file", **look) -> Page:
        page = open_page(search(query), scheme=scheme, **look)
        page.wait_for_function("document.getElementById('named-status').textContent")
        return page

    return answered


def test_the_first_hit_is_the_thing_with_the_searched_name(searched):
    page, found = searched("x"), {}
    for query in FIRST:
        page.goto(re.sub(r"search\.html.*", search(query), page.url))
        page.wait_for_function("document.getElementById('named-status').textContent")
        link = page.locator(".tl-named li a").first
        href = unquote(str(link.get_attribute("href")))
        found[query] = f"{link.locator('.tl-kind').text_content()}{href.split('/')[-1]}"
    assert found == FIRST


@pytest.mark.parametrize(
    ("query", "scheme"),
    sample(
        [
            *[("softmax", "http"), ("the soft look-up exercise", "file")],
            ("heads of MiniLM figure", "file"),
        ],
        1,
    ),
)
def test_a_hit_leads_to_its_anchor(searched, query, scheme):
    page = searched(query, scheme=scheme)
    link = page.locator(".tl-named li a").first
    anchor = str(link.get_attribute("href")).partition("#")[2]
    link.press("Enter")
    page.wait_for_url(f"**#{anchor}")
    expect(page.locator(f"[id='{anchor}']")).to_be_in_viewport()


def named() -> list[dict]:
    """Return the pages and what they name, as the search knows them."""
    text = (BOOK / "named.js").read_text("utf-8")
    return json.loads(text.removeprefix("var NAMED = ").removesuffix(";\n"))


def test_every_named_thing_has_its_place():
    missing, kinds = [], set()
    for page in named():
        ids = set(re.findall(r'\bid="([^"]+)"', (BOOK / page["url"]).read_text("utf-8")))
        kinds |= {kind for kind, *_ in page["things"]}
        missing += [thing[:3] for thing in page["things"] if thing[2] not in ids]
    assert missing == []
    assert kinds == {"formula", "figure", "exercise", "drill", "term", "example"}


def test_a_search_without_hits_shows_a_message_and_suggestions(searched):
    page = searched("xyzzy <b>")
    expect(page.get_by_role("status")).to_have_text(
        re.compile("Nothing in the book has “xyzzy <b>” in its name. Try fewer words, or one of")
    )
    expect(page.locator(".tl-named")).to_be_hidden()
    links = page.locator(".tl-named-hint a")
    assert links.count() >= 3
    for href in links.evaluate_all("links => links.map((a) => a.getAttribute('href'))"):
        assert href in PAGES


def test_the_count_is_announced_politely_and_the_rest_waits_for_a_button(searched):
    page = searched("softmax")
    status = page.get_by_role("status")
    expect(status).to_have_text(re.compile(r"^\d+ found by name: \d+ formulas, \d+ figures"))
    total = int(status.inner_text().split()[0])
    assert page.locator(".tl-named li").count() == 10 < total
    page.get_by_role("button", name=f"Show {total - 10} more").press("Enter")
    assert page.locator(".tl-named li").count() == total
    assert page.evaluate("document.activeElement.closest('li').matches(':nth-child(11)')")


def test_results_are_reached_by_tab_from_the_box(searched):
    page = searched("softmax")
    page.locator(".bd-search-container input").focus()
    tab_to(page, page.locator(".tl-named li a", has_text="Formula Softmax").first, 6)


@pytest.mark.parametrize("width", sample([360, 1280], 1))
@pytest.mark.parametrize("query", sample(["softmax", "xyzzy"], 1))
def test_axe_finds_no_violation_in_the_results(searched, width, query):
    page = searched(query, width=width)
    assert check(page, query, (".bd-search-container",)) == []
