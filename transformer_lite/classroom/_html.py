"""Pages made of elements. A text is a text: whatever it holds, it is never markup."""

import html
from collections.abc import Iterable


class Markup(str):
    """What `element` has made. Every other text is escaped."""

    __slots__ = ()


Child = str | Iterable["Child"]


def element(tag: str, *children: Child, **attributes: str) -> Markup:
    """Return an element. `class_="wide"` writes class="wide"; an empty value leaves it out."""
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{html.escape(value)}"'
        for name, value in attributes.items()
        if value
    )
    return Markup(f"<{tag}{written}>{_joined(children)}</{tag}>")


def _joined(children: Child) -> str:
    if isinstance(children, Markup):
        return children
    if isinstance(children, str):
        return html.escape(children)
    return "".join(map(_joined, children))


def page(title: str, *body: Child, style: str) -> str:
    """Return a whole page that loads nothing and runs nothing."""
    rules = "default-src 'none'; style-src 'unsafe-inline'"
    head = Markup(
        '<meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{rules}">'
        '<meta name="robots" content="noindex">'
    )
    inside = element("head", head, element("title", title), element("style", Markup(style)))
    whole = element("html", inside, element("body", element("main", *body)), lang="en")
    return f"<!doctype html>\n{whole}\n"
