"""Launch buttons: their addresses come from the environment; without it there are none."""

from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import pytest
from launch import add_buttons, launch_addresses
from site_address import Repository, hub, repository, site
from sphinx.errors import ConfigError

ON_GITHUB = {
    "GITHUB_SERVER_URL": "https://github.com",
    "GITHUB_REPOSITORY": "ana/book",
    "GITHUB_REF_TYPE": "branch",
    "GITHUB_REF_NAME": "second-edition",
}
ON_GITLAB = {
    "CI_PROJECT_URL": "https://gitlab.com/class/2026/book",
    "CI_DEFAULT_BRANCH": "trunk",
    "CI_PAGES_URL": "https://class.example.org/book",
}
PAGE = "notebooks/05_attention"


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, None),
        (ON_GITHUB, Repository("https://github.com/ana/book", "second-edition")),
        (
            ON_GITHUB | {"GITHUB_REF_NAME": "7/merge"},
            Repository("https://github.com/ana/book", "main"),
        ),
        (ON_GITHUB | {"GITHUB_REF_TYPE": "tag"}, Repository("https://github.com/ana/book", "main")),
        (ON_GITLAB, Repository("https://gitlab.com/class/2026/book", "trunk")),
        (
            ON_GITHUB
            | {"BOOK_REPOSITORY": "https://git.example.org/me/b.git/", "BOOK_BRANCH": "x/y"},
            Repository("https://git.example.org/me/b", "x/y"),
        ),
    ],
)
def test_the_repository_is_read_from_the_environment(environment, expected):
    assert repository(environment) == expected


@pytest.mark.parametrize("name", ["BOOK_URL", "BOOK_REPOSITORY", "BOOK_HUB"])
@pytest.mark.parametrize(
    "given", ["example.org", "ftp://example.org/", "https://", "https://a/?b", 'https://a/"><b>']
)
def test_invalid_address_is_refused(name, given):
    read = {"BOOK_URL": site, "BOOK_REPOSITORY": repository, "BOOK_HUB": hub}[name]
    with pytest.raises(ConfigError, match=f"{name} must be like https://") as refusal:
        read({name: given})
    assert repr(given) in str(refusal.value)


def test_launch_addresses_point_to_the_repository_of_the_book():
    found = launch_addresses(PAGE, repository(ON_GITHUB), "", "https://ana.example.org/book/")
    assert found == {
        "Colab": "https://colab.research.google.com/github/ana/book/blob/colab/"
        "notebooks/05_attention.ipynb",
        "Binder": "https://mybinder.org/v2/gh/ana/book/second-edition"
        "?urlpath=lab%2Ftree%2Fnotebooks%2F05_attention.ipynb",
    }


def test_a_hub_pulls_the_branch_and_opens_the_chapter():
    source = repository(ON_GITHUB)
    address = launch_addresses(PAGE, source, "https://hub.example.org", "")["JupyterHub"]
    parts = urlsplit(address)
    assert (parts.netloc, parts.path) == ("hub.example.org", "/hub/user-redirect/git-pull")
    assert parse_qs(parts.query) == {
        "repo": ["https://github.com/ana/book"],
        "branch": ["second-edition"],
        "urlpath": ["lab/tree/book/notebooks/05_attention.ipynb?autodecode"],
    }


@pytest.mark.parametrize("page", [PAGE, "book/preface", "search"])
def test_only_chapters_have_launch_buttons_and_only_with_a_repository(page, monkeypatch):
    for name in (*ON_GITHUB, *ON_GITLAB, "BOOK_REPOSITORY", "BOOK_BRANCH", "BOOK_URL", "BOOK_HUB"):
        monkeypatch.delenv(name, raising=False)
    app, context = SimpleNamespace(), {"header_buttons": [{"label": "download-buttons"}]}
    add_buttons(app, page, "page.html", context, object())
    assert len(context["header_buttons"]) == 1
    monkeypatch.setenv("BOOK_REPOSITORY", "https://github.com/ana/book")
    add_buttons(app, page, "page.html", context, object())
    labels = [button["label"] for button in context["header_buttons"]]
    assert labels == ["launch-buttons"] * (page == PAGE) + ["download-buttons"]
