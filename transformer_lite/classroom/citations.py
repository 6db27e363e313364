"""Citations as words, where no book turns them into links."""

import functools
import re

from transformer_lite.classroom.source import ROOT

_CITE = re.compile(r"\{cite(?P<in_text>:t)?\}`(?P<keys>[^`]+)`")


def in_words(text: str) -> str:
    """Write the citations of a chapter's text as names and years.

    Raises:
        ValueError: the book's references lack a work.
    """
    return _CITE.sub(_written, text)


def _written(found: re.Match[str]) -> str:
    works = [_work(key.strip()) for key in found["keys"].split(",")]
    if found["in_text"]:
        return ", ".join(f"{names} ({year})" if year else names for names, year in works)
    return f"({'; '.join(', '.join(filter(None, work)) for work in works)})"


def _work(key: str) -> tuple[str, str]:
    if key not in _works():
        raise ValueError(f"references.bib must have every work that is cited, got {key!r}")
    return _works()[key]


@functools.cache
def _works() -> dict[str, tuple[str, str]]:
    """The authors of each work in a few words, and its year, where it has one."""
    from pybtex.database import parse_file

    entries = parse_file(str(ROOT / "book/references.bib")).entries
    return {
        key: (
            _named([str(person.rich_last_names[-1]) for person in entry.persons["author"]]),
            entry.fields.get("year", ""),
        )
        for key, entry in entries.items()
    }


def _named(names: list[str]) -> str:
    return " and ".join(names) if len(names) < 3 else f"{names[0]} et al."
