"""Say where a reader reports a problem: at the book's sources, if it is known where those are."""

import os

from docutils import nodes
from site_address import repository
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

KNOWN = "Write to those who publish this book where its sources are: "
UNKNOWN = (
    "This copy of the book was built without saying where its sources are, so this page knows no "
    "address. Write to the person who gave you the book, or to your teacher."
)


class ReportPlace(SphinxDirective):
    """A paragraph that names the repository which the book is built from, or says that none is."""

    def run(self) -> list[nodes.Node]:
        source = repository(os.environ)
        if source is None:
            return [nodes.paragraph("", UNKNOWN)]
        link = nodes.reference("", source.address, refuri=source.address)
        return [nodes.paragraph("", "", nodes.Text(KNOWN), link, nodes.Text("."))]


def setup(app: Sphinx) -> None:
    app.add_directive("report-place", ReportPlace)
