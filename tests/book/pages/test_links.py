"""Every link, picture and script inside the book leads somewhere, to the anchor."""

import functools
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from conftest import BOOK, PAGES
from lxml import html


@functools.cache
def anchors_and_targets(page: Path) -> tuple[set[str], list[str]]:
    """Return the anchors of a page, and what it points to."""
    tree = html.parse(page)
    return {*tree.xpath("//@id | //@name")}, [x for x in tree.xpath("//@href | //@src") if x]


def is_broken(name: str, target: str) -> bool:
    """Return whether a link inside the book has no file or no such anchor at its end."""
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        return False  # a test has no network: links that leave the book are not followed
    here = (BOOK / name).resolve()
    file = (here.parent / unquote(parts.path)).resolve() if parts.path else here
    if not file.is_file():
        return True
    anchor = unquote(parts.fragment).removesuffix("&projector")
    return bool(anchor) and (file.suffix != ".html" or anchor not in anchors_and_targets(file)[0])


@pytest.mark.parametrize("name", PAGES)
def test_every_internal_link_resolves(name):
    _, targets = anchors_and_targets(BOOK / name)
    assert len(targets) > 10
    assert [target for target in targets if is_broken(name, target)] == []


def test_the_root_leads_to_the_first_page():
    redirect = (BOOK / "index.html").read_text(encoding="utf-8")
    assert 'http-equiv="Refresh" content="0; url=book/preface.html"' in redirect
    assert "book/preface.html" in PAGES
