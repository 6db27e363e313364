"""Mend what the tools write into a page's body and a screen reader stumbles over."""

from sphinx.application import Sphinx

MENDED = {
    # The label hides the visible text, which says what the click does.
    '<summary aria-label="Toggle hidden content">': "<summary>",
    # The role is deprecated, and a list's children must be list items.
    'role="doc-biblioentry"': 'role="listitem"',
}


def mend(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: object) -> None:
    """Replace the known pieces in the body of one page."""
    for written, wanted in MENDED.items():
        context["body"] = context.get("body", "").replace(written, wanted)


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", mend)
