"""The page for a wrong address works under every address."""

from types import SimpleNamespace

import pytest
from not_found import complete, with_whole_links

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


def test_a_book_without_an_address_keeps_its_links(tmp_path):
    page = tmp_path / "404.html"
    app = SimpleNamespace(
        outdir=tmp_path,
        builder=SimpleNamespace(name="html"),
        config=SimpleNamespace(html_baseurl=""),
    )
    page.write_text('<a href="x.html">', "utf-8")
    complete(app, None)
    assert page.read_text("utf-8") == '<a href="x.html">'
    app.config.html_baseurl = ADDRESS
    complete(app, None)
    assert page.read_text("utf-8") == '<a href="https://example.org/book/x.html">'
