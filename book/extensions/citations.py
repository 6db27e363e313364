"""Turn a chapter's links to references into citations.

A notebook cannot use Sphinx's {cite} role, because JupyterLab would show it raw. Instead a chapter
links to the references: ([Vaswani et al., 2017](../book/references.bib#vaswani2017attention)).
When the book is built, such a link becomes {cite}; one without parentheses becomes {cite:t}.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from pybtex.database import Entry
from sphinx.application import Sphinx
from sphinx.util import logging

WORK = r"\[[^\[\]\n]+\]\(\.\./book/references\.bib#\w+\)"
CITED = re.compile(rf"\({WORK}(?:; {WORK})*\)|{WORK}")
KEY = re.compile(r"references\.bib#(\w*)")


def written(works: Mapping[str, Entry], keys: Sequence[str], in_text: bool) -> str:
    """Return a citation as a chapter must write it: names, years and links."""
    links = [f"[{named(works[key], in_text)}](../book/references.bib#{key})" for key in keys]
    return links[0] if in_text else f"({'; '.join(links)})"


def named(work: Entry, in_text: bool) -> str:
    """Return a work's authors in short form, with its year if it has one."""
    names = [str(person.rich_last_names[-1]) for person in work.persons["author"]]
    author = " and ".join(names) if len(names) < 3 else f"{names[0]} et al."
    year = work.fields.get("year")
    return f"{author} ({year})" if year and in_text else f"{author}, {year}" if year else author


def as_roles(text: str, works: Mapping[str, Entry], say: Callable[[str], None]) -> str:
    """Replace the citation links of a chapter with roles; report mistakes through `say`."""

    def role(found: re.Match[str]) -> str:
        keys, in_text = KEY.findall(found[0]), found[0].startswith("[")
        if set(keys) <= works.keys() and found[0] != (right := written(works, keys, in_text)):
            say(f"a citation must name its works, as in {right}, got {found[0]}")
        return f"{{cite{':t' if in_text else ''}}}`{','.join(keys)}`"

    text = CITED.sub(role, text)
    for key in KEY.findall(text):
        say(f"a citation must be a link on one line, as in ([Names, year](…#{key}))")
    return text


def read_citations(app: Sphinx, docname: str, source: list[str]) -> None:
    """Replace a chapter's citation links with roles before the chapter is parsed."""
    if docname.startswith("notebooks/"):
        works = app.env.get_domain("cite").bibdata.data.entries  # type: ignore[attr-defined]
        warn = logging.getLogger(__name__).warning
        source[0] = as_roles(source[0], works, lambda text: warn(text, location=docname))


def setup(app: Sphinx) -> None:
    app.connect("source-read", read_citations)
