"""A link inside the book, for the directives of this folder."""

from docutils import nodes
from sphinx import addnodes
from sphinx.environment import BuildEnvironment


def link(env: BuildEnvironment, kind: str, target: str, label: nodes.Node, own_text: bool = False):
    """Return a link to a page (`kind` "doc") or to a label ("ref"), resolved at the end.

    Args:
        env: the build, which knows the page that the link stands on.
        kind: the standard domain's type of reference.
        target: the page from the book's root, as in "/book/errata", or the label.
        label: the text to show; a page's title takes its place unless `own_text`.
    """
    return addnodes.pending_xref(
        "",
        label,
        refdomain="std",
        reftype=kind,
        reftarget=target,
        refdoc=env.docname,
        refexplicit=own_text,
        refwarn=True,
    )
