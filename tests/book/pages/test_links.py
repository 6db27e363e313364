"""Every link, picture and script inside the book leads somewhere, to the anchor."""

from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest
from conftest import BOOK, PAGES


class Page(HTMLParser):
    """The anchors of a page, and what it points to."""

    def __init__(self, name: str):
        super().__init__()
        self.anchors, self.targets = {""}, []
        self.feed((BOOK / name).read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        self.anchors |= {found.get("id", ""), found.get("name", "")}
        self.targets += [found[key] for key in ("href", "src") if found.get(key)]


ANCHORS = {(BOOK / name).resolve(): Page(name).anchors for name in PAGES}


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
    return bool(anchor) and anchor not in ANCHORS.get(file, set())


@pytest.mark.parametrize("name", PAGES)
def test_every_internal_link_resolves(name):
    targets = Page(name).targets
    assert len(targets) > 10
    assert [target for target in targets if is_broken(name, target)] == []


def test_the_root_leads_to_the_first_page():
    redirect = (BOOK / "index.html").read_text(encoding="utf-8")
    assert 'http-equiv="Refresh" content="0; url=book/preface.html"' in redirect
    assert "book/preface.html" in PAGES
