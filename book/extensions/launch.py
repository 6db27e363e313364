"""Buttons above a chapter that open it where it runs: Colab, Binder, a JupyterHub.

Each is an address, made from the repository that the book is built from (`site_address`). Where
nothing says which repository that is, there are no buttons.
"""

import os
from urllib.parse import quote, urlencode

from site_address import COLAB_BRANCH, Repository, hub, release, repository, site
from sphinx.application import Sphinx

AFTER_THE_THEME = 800


def launch_addresses(page: str, source: Repository, hub: str, site: str) -> dict[str, str]:
    """Return where one chapter can be opened, by the name of the place.

    Args:
        page: the chapter from the book's root, as "notebooks/05_attention".
        source: the repository of the book.
        hub: the address of a JupyterHub with nbgitpuller, or nothing.
        site: the address of the published book, or nothing. Colab installs the package from there.
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
    """Return what Binder calls a branch of a repository."""
    path, address, branch = (
        quote(part, safe="") for part in (source.path, source.address, source.branch)
    )
    known = {"github.com": f"gh/{source.path}", "gitlab.com": f"gl/{path}"}
    return f"{known.get(source.host, f'git/{address}')}/{branch}"


def add_buttons(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: object):
    """Put the buttons of a chapter before those of the theme."""
    source = repository(os.environ)
    if source is None or not pagename.startswith("notebooks/") or doctree is None:
        return
    # Colab's branch holds the newest chapters, and nbgitpuller follows branches, not tags: a
    # release, whose branch is its tag, opens on Binder alone.
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
