"""Tell readers where to report a problem: at the book's repository, if it is known.

A book that is built from a repository on GitHub links to the forms in `.github/ISSUE_TEMPLATE`.
Each page lists the four forms at its foot, with the name of the page filled in.
"""

import os
from urllib.parse import urlencode

from docutils import nodes
from site_address import Repository, release, repository
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

KNOWN = "Write to those who publish this book where its sources are: "
FORM = "Fill in this form at the book's sources: "
UNKNOWN = (
    "This copy of the book was built without saying where its sources are, so this page knows no "
    "address. Write to the person who gave you the book, or to your teacher."
)

#: The forms by file name, each with the text of its link.
FORMS = {
    "wrong-number": "A wrong number",
    "unclear-sentence": "A sentence that you had to read twice",
    "broken-figure": "A figure or a page that fails",
    "misjudged-exercise": "An exercise that misjudges",
}


def form_address(source: Repository, form: str, **fields: str) -> str:
    """Return the address of a form on GitHub.

    Args:
        source: the repository of the book.
        form: one of `FORMS`.
        fields: the values to fill in, by the ids of the form's fields.
    """
    return f"{source.address}/issues/new?" + urlencode({"template": f"{form}.yml"} | fields)


def has_forms(source: Repository) -> bool:
    """Return whether the host of the sources has issue forms."""
    return source.host == "github.com"


class ReportPlace(SphinxDirective):
    """A paragraph that names the repository the book is built from, or says that none is known."""

    def run(self) -> list[nodes.Node]:
        source = repository(os.environ)
        if source is None:
            return [nodes.paragraph("", UNKNOWN)]
        text, words, address = KNOWN, source.address, source.address
        if has_forms(source):
            form = "broken-figure"
            text, words, address = FORM, FORMS[form], form_address(source, form)
        link = nodes.reference("", words, refuri=address)
        return [nodes.paragraph("", "", nodes.Text(text), link, nodes.Text("."))]


def add_reports(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: object):
    """Give a page the addresses of the forms, with the page's name filled in."""
    source = repository(os.environ)
    if source is None or not has_forms(source) or doctree is None:
        return
    version = f" ({tag})" if (tag := release(os.environ)) else ""
    page = f"{pagename}{version}"
    context["reports"] = [(text, form_address(source, f, page=page)) for f, text in FORMS.items()]


def setup(app: Sphinx) -> None:
    app.add_directive("report-place", ReportPlace)
    app.connect("html-page-context", add_reports)
