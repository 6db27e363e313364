"""Where the book is published, and where its sources are: both from the environment.

A fork needs no edit. GitHub Actions and GitLab CI say by themselves whose repository they build;
anywhere else one setting does:

    BOOK_REPOSITORY=https://github.com/you/book   the sources
    BOOK_BRANCH=main                              their branch
    BOOK_URL=https://example.org/book/            the published book
    BOOK_HUB=https://hub.example.org              a JupyterHub with nbgitpuller, if a class has one
    BOOK_RELEASE=v1.2.0                           the tag, if this is not the newest state but a
                                                  release, which stands in a folder of this name

What is not said is not there: no page then claims an address or offers to run anywhere.
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
    """The sources of the book: where they are, and on which branch.

    Attributes:
        address: of its page on the web, without a slash at the end.
        branch: the branch that the book is built from.
    """

    address: str
    branch: str

    @property
    def host(self) -> str:
        """Return the name of the machine, as "github.com"."""
        return urlsplit(self.address).netloc

    @property
    def path(self) -> str:
        """Return owner and name, as "you/book"."""
        return urlsplit(self.address).path.strip("/")

    @property
    def name(self) -> str:
        """Return the last part of the path: the folder that a clone makes."""
        return self.path.rpartition("/")[2]


def web_address(name: str, url: str) -> str:
    """Return an address on the web without a slash at its end; an empty one stays empty.

    Raises:
        ConfigError: it is no address, or holds a query. The message names the setting.
    """
    parts = urlsplit(url)
    usual = parts.scheme in ("http", "https") and parts.netloc and not parts.query
    if url and (not usual or re.search(r"""[\s<>"'`]""", url)):
        raise ConfigError(f"{name} must be like https://example.org/book/, got {url!r}")
    return url.rstrip("/")


def site(environment: Mapping[str, str]) -> str:
    """Return the address of the published book with a slash at its end, or nothing."""
    url = environment.get("BOOK_URL") or environment.get("CI_PAGES_URL", "")
    found = web_address("BOOK_URL", url)
    return found and f"{found}/"


def release(environment: Mapping[str, str]) -> str:
    """Return the tag of the release that is built, as "v1.2.0", or nothing for the newest state.

    Raises:
        ConfigError: BOOK_RELEASE is no version. A builder's tag that is none is no release.
    """
    if given := environment.get("BOOK_RELEASE", ""):
        if not RELEASE.fullmatch(given):
            raise ConfigError(f"BOOK_RELEASE must be like v1.2.0, got {given!r}")
        return given
    on_github = environment.get("GITHUB_REF_TYPE") == "tag"
    tag = environment.get("GITHUB_REF_NAME" if on_github else "CI_COMMIT_TAG", "")
    return tag if RELEASE.fullmatch(tag) else ""


def repository(environment: Mapping[str, str]) -> Repository | None:
    """Return the repository that is built, or None where nothing says which.

    Raises:
        ConfigError: the address is none, or the branch no name.
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
    """Return the address of the JupyterHub, without a slash at its end, or nothing."""
    return web_address("BOOK_HUB", environment.get("BOOK_HUB", ""))


def _of_the_builder(environment: Mapping[str, str]) -> str:
    """Return the repository according to GitHub Actions or GitLab CI."""
    if name := environment.get("GITHUB_REPOSITORY"):
        return f"{environment.get('GITHUB_SERVER_URL', 'https://github.com')}/{name}"
    return environment.get("CI_PROJECT_URL", "")


def _branch_of_the_builder(environment: Mapping[str, str]) -> str:
    """Return the branch; for a pull request, whose name is not a branch, the main one.

    A release is built from its tag, which Binder takes as it takes a branch.
    """
    if tag := release(environment):
        return tag
    if environment.get("GITHUB_REF_TYPE") == "branch":
        name = environment.get("GITHUB_REF_NAME", "")
        return "main" if name.endswith("/merge") else name
    return environment.get("CI_DEFAULT_BRANCH") or "main"
