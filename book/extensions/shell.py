"""Fix HTML from the tools that causes problems for screen readers."""

from sphinx.application import Sphinx

FIXES = {
    # The label would replace the visible text, which says what a click does.
    '<summary aria-label="Toggle hidden content">': "<summary>",
    # The role is deprecated, and the children of a list must be list items.
    'role="doc-biblioentry"': 'role="listitem"',
}


def fix_markup(
    app: Sphinx, pagename: str, templatename: str, context: dict, doctree: object
) -> None:
    """Replace the known pieces of HTML in the body of a page."""
    for written, wanted in FIXES.items():
        context["body"] = context.get("body", "").replace(written, wanted)


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", fix_markup)
