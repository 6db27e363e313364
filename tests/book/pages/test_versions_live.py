"""Test the book as a fork publishes it, with its own addresses and several versions.

Three pages of the newest state and of one release are built. `.ci/collect_releases.py` combines
them as on the publishing host, and a browser reads them from there.
"""

import hashlib
import html
import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from conftest import ROOT, listened, served, watched
from live import draw
from playwright.sync_api import Browser, Page, expect
from small_book import PAGES, build

NAME = "second-book"
SITE = f"https://ana.example.org/{NAME}/"
CHAPTER = "notebooks/05_attention.html"
ON_GITHUB = {
    "GITHUB_SERVER_URL": "https://github.com",
    "GITHUB_REPOSITORY": f"ana/{NAME}",
    "BOOK_URL": SITE,
    "BOOK_HUB": "https://hub.example.org",
}
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
NEWEST = {"GITHUB_REF_TYPE": "branch", "GITHUB_REF_NAME": "main"}
RELEASE = {"GITHUB_REF_TYPE": "tag", "GITHUB_REF_NAME": "v0.0.9"}
ADDRESS = re.compile(r"https?://[^\s\"'<>{}]+")
# Licence, and the names of XML's languages, which nobody loads.
NAMES = ("https://creativecommons.org/licenses/", "http://www.w3.org/", "http://www.sitemaps.org/")

# It builds two small books, which takes 40 seconds.
pytestmark = pytest.mark.nightly


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Provide the folder of a host with the newest state of the fork and one release."""
    folder = tmp_path_factory.mktemp("published")
    book = folder / "host" / NAME
    shutil.copytree(build(folder / "newest", **ON_GITHUB, **NEWEST), book)
    released = folder / "releases/v0.0.9"
    pages = build(folder / "release", **ON_GITHUB, **RELEASE)
    shutil.make_archive(str(released / "site"), "zip", pages)
    digest = hashlib.sha256((released / "site.zip").read_bytes()).hexdigest()
    (released / "SHA256SUMS").write_text(f"{digest}  site.zip\n", encoding="utf-8")
    command = [sys.executable, ROOT / ".ci/collect_releases.py", book, folder / "releases"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert said == f"{VERSION}: /\n0.0.9: /v0.0.9/\n"
    return folder / "host"


def text(host: Path, name: str) -> str:
    return (host / NAME / name).read_text(encoding="utf-8")


def frame(page: str) -> str:
    """Return a page without its text, in which links may lead anywhere."""
    return re.sub(r"<article.*</article>", "", page, flags=re.DOTALL)


def launches(page: str) -> dict[str, str]:
    """Return the addresses of the launch buttons by their labels."""
    group = page.partition("dropdown-launch-buttons")[2].partition("</ul>")[0]
    links = re.findall(r'href="([^"]+)".*?btn__text-container">(\w+)<', group, re.DOTALL)
    return {name: html.unescape(address) for address, name in links}


# Addresses


@pytest.mark.parametrize("folder", ["", "v0.0.9/"])
def test_every_address_outside_the_text_is_the_forks(host, folder):
    found = set()
    pages = [*(f"{name}.html" for name in PAGES), "404.html", "search.html", "index.html"]
    files = [*pages, *([] if folder else ["sitemap.xml", "feed.xml", "versions.json"])]
    for name in files:
        found |= {html.unescape(url) for url in ADDRESS.findall(frame(text(host, folder + name)))}
    ours = (
        SITE,
        f"https://colab.research.google.com/github/ana/{NAME}/",
        f"https://mybinder.org/v2/gh/ana/{NAME}/",
        f"https://github.com/ana/{NAME}/issues/new?template=",
        "https://hub.example.org/hub/user-redirect/git-pull?repo=https%3A%2F%2Fgithub.com%2Fana",
    )
    assert [url for url in sorted(found) if not url.startswith((*ours, *NAMES))] == []
    assert any(url.startswith(SITE) for url in found)


@pytest.mark.parametrize("folder", ["", "v0.0.9/"])
@pytest.mark.parametrize("name", PAGES)
def test_canonical_addresses_point_to_the_newest_book(host, folder, name):
    page = text(host, f"{folder}{name}.html")
    assert re.findall(r'<link rel="canonical" href="([^"]*)"', page) == [f"{SITE}{name}.html"]
    assert f'<meta property="og:url" content="{SITE}{name}.html">' in page
    assert f'href="{SITE}feed.xml"' in page
    cited = re.search(r"<details class=\"cite-page\">.*?url = \{(.*?)\}", page, re.DOTALL)
    assert cited and cited[1] == f"{SITE}{folder}{name}.html"
    assert f'content="{SITE}_static/card.png"' in page
    assert (host / NAME / "_static/card.png").is_file()


def test_launch_buttons_use_the_fork_and_an_old_version_uses_its_tag(host):
    newest = launches(text(host, CHAPTER))
    assert newest.keys() == {"Colab", "Binder", "JupyterHub"}
    assert newest["Colab"].endswith(f"/github/ana/{NAME}/blob/colab/notebooks/05_attention.ipynb")
    pulled = parse_qs(urlsplit(newest["JupyterHub"]).query)
    assert pulled["repo"] == [f"https://github.com/ana/{NAME}"] and pulled["branch"] == ["main"]
    old = launches(text(host, f"v0.0.9/{CHAPTER}"))
    assert old.keys() == {"Binder"} and f"/gh/ana/{NAME}/v0.0.9?" in old["Binder"]


# The switch


@pytest.fixture(scope="module")
def site(host: Path) -> Iterator[str]:
    with served(host) as address:
        yield f"{address}/{NAME}"


@pytest.fixture
def open_one(browser: Browser, site: str, host: Path) -> Iterator[Callable[..., Page]]:
    """Open pages of the published book; what they did is judged in the end."""
    with watched(browser, site, host / NAME) as opened:
        yield opened


def listed(page: Page) -> list[str]:
    expect(page.locator(".book-version a").first).to_be_attached()
    return page.locator(".book-version a").all_text_contents()


def test_a_reader_goes_from_version_to_version_by_keyboard(open_one, site):
    page = open_one(CHAPTER)
    assert listed(page) == [f"{VERSION}, the newest", "0.0.9"]
    summary = page.locator(".book-version summary")
    assert summary.inner_text() == f"Version {VERSION}"
    summary.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site}/v0.0.9/{CHAPTER}")
    assert listed(page) == [f"{VERSION}, the newest", "0.0.9"]
    assert page.locator(".book-version [aria-current]").text_content() == "0.0.9"
    page.locator(".book-version summary").click()
    page.get_by_role("link", name=f"{VERSION}, the newest").click()
    page.wait_for_url(f"{site}/{CHAPTER}")


def test_a_page_of_an_old_version_has_a_notice_and_links_to_the_newest(open_one):
    assert open_one(CHAPTER).locator(".version-note").count() == 0
    note = open_one(f"v0.0.9/{CHAPTER}").locator(".version-note")
    expect(note).to_contain_text("You are reading version 0.0.9 as it was released.")
    expect(note).to_contain_text(f"Read the newest version, {VERSION}")
    assert note.get_by_role("link").get_attribute("href") == f"{SITE}{CHAPTER}"
    plain = open_one(f"v0.0.9/{CHAPTER}", scripts=False).locator(".version-note")
    assert plain.get_by_role("link").inner_text() == "Read the newest version"
    assert plain.get_by_role("link").get_attribute("href") == f"{SITE}{CHAPTER}"


BROKEN = {
    "missing": {"status": 404},
    "no JSON": {"body": "<!doctype html><title>Moved</title>"},
    "no list": {"body": '{"name": "1.0"}'},
    "nothing of use": {"body": '[null, 3, {"name": 1, "path": ""}, {"name": "x", "path": "//e"}]'},
    "one version": {"body": '[{"name": "0.1.0", "path": ""}]'},
}


@pytest.mark.parametrize("answer", BROKEN.values(), ids=BROKEN)
def test_a_page_works_without_a_valid_list_of_versions(browser, site, answer):
    page = listened(browser.new_context()).new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.route("**/versions.json", lambda route: route.fulfill(**answer))
    with page.expect_response("**/versions.json"):
        page.goto(f"{site}/{CHAPTER}")
    draw(page)
    expect(page.locator(".book-version")).to_be_visible()
    assert page.locator(".book-version details").count() == 0
    assert errors == []
    page.context.close()


def test_names_of_versions_are_escaped(browser, site):
    page = listened(browser.new_context()).new_page()
    named = json.dumps([{"name": "<b>1</b>", "path": ""}, {"name": "0.0.9", "path": "v0.0.9/"}])
    page.route("**/versions.json", lambda route: route.fulfill(body=named))
    page.goto(f"{site}/v0.0.9/{CHAPTER}")
    assert listed(page)[0] == "<b>1</b>, the newest"
    expect(page.locator(".newest-version")).to_have_text(", <b>1</b>")
    assert page.locator(".book-version b, .version-note b").count() == 0
    page.context.close()


# The launch buttons


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 360)])
def test_the_buttons_that_run_and_download_a_chapter_open_by_keyboard(open_one, theme, width):
    page = open_one(CHAPTER, theme=theme, width=width)
    links = {
        "Run this chapter": ["Colab", "Binder", "JupyterHub"],
        "Download this page": [".ipynb", ".pdf"],
    }
    for name, items in links.items():
        button = page.get_by_role("button", name=name)
        button.focus()
        page.keyboard.press("Enter")
        expect(button).to_have_attribute("aria-expanded", "true")
        shown = page.locator(".dropdown-menu.show .dropdown-item")
        assert [text.strip() for text in shown.all_inner_texts()] == items
        page.keyboard.press("ArrowDown")
        expect(shown.first).to_be_focused()
        for box in (item.bounding_box() for item in shown.all()):
            assert box and box["x"] >= 0 and box["x"] + box["width"] <= width
            assert box["height"] >= 24
        page.keyboard.press("Escape")
        expect(button).to_have_attribute("aria-expanded", "false")
