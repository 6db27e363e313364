"""Buttons above a chapter that open it where it can run: Colab, Binder or a JupyterHub.

Each button is a link, made from the repository that the book is built from (`site_address`). If the
repository is unknown, there are no buttons.
"""

import os
from urllib.parse import quote, urlencode

from site_address import COLAB_BRANCH, Repository, hub, release, repository, site
from sphinx.application import Sphinx

AFTER_THE_THEME = 800


def launch_addresses(page: str, source: Repository, hub: str, site: str) -> dict[str, str]:
    """Return the addresses that open a chapter, by the name of the service.

    Args:
        page: the chapter, relative to the book's root, such as "notebooks/05_attention".
        source: the repository of the book.
        hub: the address of a JupyterHub with nbgitpuller, or an empty text.
        site: the address of the published book, from which Colab installs the package, or an
            empty text.
    """
    notebook = f"{page}.ipynb"
    found = {}
    if source.host == "github.com" and site:
        found["Colab"] = (
            f"https://colab.research.google.com/github/{source.path}/blob/{COLAB_BRANCH}/{notebook}"
        )
    found["Binder"] = f"https://mybinder.org/v2/{_on_binder(source)}?" + urlencode(
        {"urlpath": f"lab/tree/{notebook}"}
    )
    if hub:
        pulled = {
            "repo": source.address,
            "branch": source.branch,
            "urlpath": f"lab/tree/{source.name}/{notebook}?autodecode",
        }
        found["JupyterHub"] = f"{hub}/hub/user-redirect/git-pull?{urlencode(pulled)}"
    return found


def _on_binder(source: Repository) -> str:
    """Return Binder's name for a branch of a repository."""
    path, address, branch = (
        quote(part, safe="") for part in (source.path, source.address, source.branch)
    )
    known = {"github.com": f"gh/{source.path}", "gitlab.com": f"gl/{path}"}
    return f"{known.get(source.host, f'git/{address}')}/{branch}"


def add_buttons(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: object):
    """Put a chapter's buttons before those of the theme."""
    source = repository(os.environ)
    if source is None or not pagename.startswith("notebooks/") or doctree is None:
        return
    # Colab's branch has the newest chapters, and nbgitpuller follows branches but not tags. A
    # release is built from a tag, so it opens only on Binder.
    newest = not release(os.environ)
    where = (hub(os.environ), site(os.environ)) if newest else ("", "")
    places = launch_addresses(pagename, source, *where)
    buttons = [
        {"type": "link", "text": place, "tooltip": f"Run this chapter on {place}", "url": url}
        for place, url in places.items()
    ]
    group = {
        "type": "group",
        "tooltip": "Run this chapter",
        "icon": "fas fa-play",
        "buttons": buttons,
        "label": "launch-buttons",
    }
    context["header_buttons"].insert(0, group)


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", add_buttons, priority=AFTER_THE_THEME)
