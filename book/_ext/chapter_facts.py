"""What the book says about a chapter: the facts in its notebook's metadata.

They stand under the key `chapter` and nowhere else. The map, the lists, the teaching guide, the
line under a chapter's title and the tests read them here::

    "chapter": {
        "minutes": 60,                   # to read it and run it
        "difficulty": 2,                 # 1 easy, 2 steady, 3 steep
        "promise": "what one division by a root saves a model from",
        "needs": ["06_the_cat_sat"],     # chapters to read first
        "background": ["square roots"],  # what else to know, in words
        "lit": ["scores", "mask"],       # parts of the machine that it explains, the main first
        "uncomputed": {"5.3": "made up"} # numbers in prose that no code bears out, and why
    }
"""

import functools
import json
import re
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path

from transformer_lite.diagrams.machine import PARTS


@dataclass(frozen=True)
class Facts:
    """The facts of one chapter; a field with a default may be left out."""

    minutes: int
    promise: str
    difficulty: int
    needs: tuple[str, ...] = ()
    background: tuple[str, ...] = ()
    lit: tuple[str, ...] = ()
    uncomputed: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Chapter:
    """A notebook of the book: its name, its title, its facts and its cells."""

    name: str
    title: str
    facts: Facts
    cells: tuple[dict, ...]

    @property
    def docname(self) -> str:
        return f"notebooks/{self.name}"

    @property
    def number(self) -> str:
        """Its two digits."""
        return self.name[:2]

    @property
    def listed(self) -> str:
        """Number and title, as lists of chapters give it."""
        return f"{self.number} {self.title}"

    @property
    def short_title(self) -> str:
        """The title up to its first colon or comma."""
        return re.split("[:,]", self.title)[0]

    @property
    def needs(self) -> tuple[str, ...]:
        return self.facts.needs


def read_chapter(path: Path) -> Chapter:
    """Read a notebook.

    Raises:
        ValueError: a fact is missing, unknown or not what it should be.
    """
    return _read(path, path.stat().st_mtime_ns)


@functools.cache  # nearly every page asks for all chapters
def _read(path: Path, changed: int) -> Chapter:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    title = "".join(notebook["cells"][0]["source"]).partition("\n")[0].removeprefix("# ")
    return Chapter(path.stem, title, _facts(notebook, path), tuple(notebook["cells"]))


def _facts(notebook: dict, path: Path) -> Facts:
    told = notebook["metadata"].get("chapter")
    if told is None:
        raise ValueError(f"{path.name}: metadata chapter is missing")
    chapters = {other.stem for other in path.parent.glob("*.ipynb")}
    problems = [*_unknown_or_missing(told), *_wrong(told, chapters)]
    if problems:
        raise ValueError(f"{path.name}: metadata chapter.{problems[0]}")
    return Facts(**{key: tuple(v) if isinstance(v, list) else v for key, v in told.items()})


def _unknown_or_missing(told: dict) -> list[str]:
    known = {f.name: f.default is MISSING and f.default_factory is MISSING for f in fields(Facts)}
    unknown = [f"{key} is not known, known are {', '.join(known)}" for key in told.keys() - known]
    return unknown + [
        f"{key} is missing" for key, must in known.items() if must and key not in told
    ]


def _wrong(told: dict, chapters: set[str]) -> list[str]:
    """What each fact must be, for those that are not."""
    problems = [
        f"{key} must be {rule}, got {told[key]!r}"
        for key, (rule, holds) in RULES.items()
        if key in told and not holds(told[key])
    ]
    absent = [name for name in told.get("needs", []) if name not in chapters]
    return problems or [f"needs must name chapters, got {name!r}" for name in absent]


def _is_count(value: object) -> bool:
    return type(value) is int and value > 0


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _are_parts(value: object) -> bool:
    return isinstance(value, list) and all(part in [*PARTS] for part in value)


def _are_reasons(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_text, value.values()))


RULES = {
    "minutes": ("a whole number above 0", _is_count),
    "promise": ("a text", _is_text),
    "difficulty": ("1, 2 or 3", lambda value: _is_count(value) and value <= 3),
    "needs": ("a list of texts", _are_texts),
    "background": ("a list of texts", _are_texts),
    "lit": (f"a list of parts of the machine ({', '.join(PARTS)})", _are_parts),
    "uncomputed": ("a reason for each phrase", _are_reasons),
}
