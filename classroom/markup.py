"""Build HTML pages from elements. Text is always escaped, so it never becomes markup."""

import html
import unicodedata
from collections.abc import Iterable, Sequence


class Markup(str):
    """Markup made by `element`. Every other text is escaped."""

    __slots__ = ()


Child = str | Iterable["Child"]


def element(tag: str, *children: Child, **attributes: str) -> Markup:
    """Return an element. `class_="wide"` writes class="wide"; an empty value leaves it out."""
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{html.escape(visible(value))}"'
        for name, value in attributes.items()
        if value
    )
    return Markup(f"<{tag}{written}>{_joined(children)}</{tag}>")


def visible(text: str) -> str:
    """Make control characters, bidirectional marks and invisible characters visible.

    Characters that join letters in some scripts are kept.
    """
    return "".join(f"[U+{ord(c):04X}]" if _is_hidden(c) else c for c in text)


def _is_hidden(letter: str) -> bool:
    kept = letter in "\n\t\u200c\u200d" or letter.isprintable()
    return not kept and unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _joined(children: Child) -> str:
    if isinstance(children, Markup):
        return children
    if isinstance(children, str):
        return html.escape(visible(children))
    return "".join(map(_joined, children))


def page(title: str, *body: Child, style: str) -> str:
    """Return a complete page that loads nothing and runs nothing."""
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


def section(title: str, *children: Child) -> Markup:
    """Return a section of a page with its title."""
    return element("section", element("h2", title), children)


def table(
    head: Sequence[str], rows: Sequence[Sequence[Child]], numbers: tuple[int, ...] = ()
) -> Markup:
    """Return a table with its own scroll bar, in which the first cell of each row is its header."""

    def cell(index: int, content: Child) -> Markup:
        kind = "number" if index in numbers else ""
        return (
            element("th", content, scope="row")
            if not index
            else element("td", content, class_=kind)
        )

    top = element("tr", [element("th", name, scope="col") for name in head])
    body = [element("tr", [cell(i, content) for i, content in enumerate(row)]) for row in rows]
    whole = element("table", element("thead", top), element("tbody", body))
    return element("div", whole, class_="scrolls", tabindex="0", role="group", aria_label="table")
