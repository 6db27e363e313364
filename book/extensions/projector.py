"""A button above each page that shows it as slides. Its script and style load only on demand.

The script is composed from the modules in `book/projector`, which node can test separately.
`shell.js` loads it when the button is pressed or when the page's address asks for it.
"""

import shutil
from pathlib import Path

from sphinx.application import Sphinx

from lessons.kit.figures.live_figure import compose, strip_comments

FOLDER = Path(__file__).parents[1] / "projector"
AFTER_THE_THEME = 800
BUTTON = {
    "type": "javascript",
    "javascript": "",
    "tooltip": "Projector: this page as slides",
    "icon": "fas fa-display",
    "label": "projector",
    "classes": "pst-navbar-icon pst-js-only",
}


def add_button(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: object):
    """Put the button before the page's other buttons, if the page has something to show."""
    if doctree is not None:
        context["header_buttons"].insert(0, BUTTON)


def script() -> str:
    """Return the projector as one plain script, without comments and indentation."""
    return f"(() => {{\n{strip_comments(compose(FOLDER / 'projector.js'))}}})();\n"


def write_files(app: Sphinx) -> None:
    """Write the script and the stylesheet where the pages load them from."""
    if app.builder.format != "html":
        return
    folder = Path(app.outdir) / "_static"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "projector.js").write_text(script(), "utf-8")
    shutil.copy(FOLDER / "projector.css", folder)


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", write_files)
    app.connect("html-page-context", add_button, priority=AFTER_THE_THEME)
