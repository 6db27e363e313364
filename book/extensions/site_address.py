"""Read from the environment where the book is published and where its sources are.

A fork needs no edits. GitHub Actions and GitLab CI set the repository that they build. Anywhere
else, set it in the environment:

    BOOK_REPOSITORY=https://github.com/you/book   the sources
    BOOK_BRANCH=main                              their branch
    BOOK_URL=https://example.org/book/            the published book
    BOOK_HUB=https://hub.example.org              a JupyterHub with nbgitpuller, if a class has one
    BOOK_RELEASE=v1.2.0                           the tag, if a release is built, which is
                                                  published in a folder of this name

Without these settings, no page claims an address or offers to run anywhere.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from sphinx.errors import ConfigError

#: The branch with the chapters as Colab runs them; `.ci/colab.py` writes it.
COLAB_BRANCH = "colab"

RELEASE = re.compile(r"v\d+(\.\d+){0,2}((a|b|rc)\d+)?")


@dataclass(frozen=True)
class Repository:
    """The address and branch of the book's sources.

    Attributes:
        address: the address of its web page, without a trailing slash.
        branch: the branch that the book is built from.
    """

    address: str
    branch: str

    @property
    def host(self) -> str:
        """Return the host name, such as "github.com"."""
        return urlsplit(self.address).netloc

    @property
    def path(self) -> str:
        """Return owner and name, such as "you/book"."""
        return urlsplit(self.address).path.strip("/")

    @property
    def name(self) -> str:
        """Return the last part of the path, which is the folder name of a clone."""
        return self.path.rpartition("/")[2]


def web_address(name: str, url: str) -> str:
    """Return a web address without a trailing slash; an empty text stays empty.

    Raises:
        ConfigError: it is not an address, or it has a query. The message names the setting.
    """
    parts = urlsplit(url)
    usual = parts.scheme in ("http", "https") and parts.netloc and not parts.query
    if url and (not usual or re.search(r"""[\s<>"'`]""", url)):
        raise ConfigError(f"{name} must be like https://example.org/book/, got {url!r}")
    return url.rstrip("/")


def site(environment: Mapping[str, str]) -> str:
    """Return the address of the published book with a trailing slash, or an empty text."""
    url = environment.get("BOOK_URL") or environment.get("CI_PAGES_URL", "")
    found = web_address("BOOK_URL", url)
    return found and f"{found}/"


def release(environment: Mapping[str, str]) -> str:
    """Return the tag of the release that is built, such as "v1.2.0"; empty for the newest state.

    Raises:
        ConfigError: BOOK_RELEASE is not a version. Other tags of a builder are ignored.
    """
    if tag_name := environment.get("BOOK_RELEASE", ""):
        if not RELEASE.fullmatch(tag_name):
            raise ConfigError(f"BOOK_RELEASE must be like v1.2.0, got {tag_name!r}")
        return tag_name
    on_github = environment.get("GITHUB_REF_TYPE") == "tag"
    tag = environment.get("GITHUB_REF_NAME" if on_github else "CI_COMMIT_TAG", "")
    return tag if RELEASE.fullmatch(tag) else ""


def repository(environment: Mapping[str, str]) -> Repository | None:
    """Return the repository that is built, or None if it is unknown.

    Raises:
        ConfigError: the address or the name of the branch is invalid.
    """
    url = environment.get("BOOK_REPOSITORY") or _of_the_builder(environment)
    address = web_address("BOOK_REPOSITORY", url).removesuffix(".git")
    if not address:
        return None
    branch = environment.get("BOOK_BRANCH") or _branch_of_the_builder(environment)
    if not re.fullmatch(r"[\w.+-]+(/[\w.+-]+)*", branch):
        raise ConfigError(f"BOOK_BRANCH must be the name of a branch, got {branch!r}")
    return Repository(address, branch)


def hub(environment: Mapping[str, str]) -> str:
    """Return the address of the JupyterHub without a trailing slash, or an empty text."""
    return web_address("BOOK_HUB", environment.get("BOOK_HUB", ""))


def _of_the_builder(environment: Mapping[str, str]) -> str:
    """Return the repository that GitHub Actions or GitLab CI builds."""
    if name := environment.get("GITHUB_REPOSITORY"):
        return f"{environment.get('GITHUB_SERVER_URL', 'https://github.com')}/{name}"
    return environment.get("CI_PROJECT_URL", "")


def _branch_of_the_builder(environment: Mapping[str, str]) -> str:
    """Return the branch; for a pull request, whose ref is not a branch, the main branch.

    For a release this is its tag, which Binder accepts like a branch.
    """
    if tag := release(environment):
        return tag
    if environment.get("GITHUB_REF_TYPE") == "branch":
        name = environment.get("GITHUB_REF_NAME", "")
        return "main" if name.endswith("/merge") else name
    return environment.get("CI_DEFAULT_BRANCH") or "main"
