"""The metadata of the built pages for search engines and messengers."""

import re
from html import unescape

import pytest
from conftest import BOOK, PAGES

META = re.compile(r'<meta (?:name|property)="([^"]+)" content="([^"]*)"')


def facts_of(name: str) -> dict[str, str]:
    """Return the head of a page: its title and its named facts."""
    head = (BOOK / name).read_text("utf-8").partition("</head>")[0]
    title = re.search(r"<title>(.*?)</title>", head)
    assert title, f"{name} has no title"
    return {key: unescape(text) for key, text in META.findall(head)} | {"title": unescape(title[1])}


FACTS = {name: facts_of(name) for name in PAGES}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_a_title_and_a_short_description_in_plain_text(name):
    facts = FACTS[name]
    assert 20 <= len(facts["description"]) <= 160, facts["description"]
    assert facts["og:description"] == facts["description"]
    assert facts["og:title"] in facts["title"]
    assert facts["og:site_name"] in facts["title"]
    assert not re.search(r"[<>\\$]", "".join(facts.values()))


@pytest.mark.parametrize("name", PAGES)
def test_a_book_without_an_address_has_no_metadata_with_addresses(name):
    head = (BOOK / name).read_text("utf-8").partition("</head>")[0]
    assert 'rel="canonical"' not in head
    assert "atom+xml" not in head and "versions.js" not in head
    assert "og:url" not in FACTS[name]
    assert "og:image" not in FACTS[name]
