"""The page for a wrong address works under every address."""

import pytest
from not_found import with_whole_links

ADDRESS = "https://example.org/book/"


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        (
            '<a href="book/preface.html#map">',
            '<a href="https://example.org/book/book/preface.html#map">',
        ),
        ('<img src="_static/a.svg?v=1">', '<img src="https://example.org/book/_static/a.svg?v=1">'),
        ('<form action="search.html">', '<form action="https://example.org/book/search.html">'),
        ('<a href="#main">', '<a href="#main">'),
        ('<a href="/elsewhere">', '<a href="/elsewhere">'),
        ('<a href="https://example.com/x">', '<a href="https://example.com/x">'),
        ('<link href="data:image/png,x">', '<link href="data:image/png,x">'),
    ],
)
def test_links_inside_the_book_start_from_its_address(written, wanted):
    assert with_whole_links(written, ADDRESS) == wanted
