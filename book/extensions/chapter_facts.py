"""Read the facts about a chapter from its notebook's metadata.

They are stored under the key `chapter` and nowhere else. The map, the lists, the teaching guide,
the line under a chapter's title and the tests read them through this module::

    "chapter": {
        "minutes": 60,                   # to read it and run it
        "difficulty": 2,                 # 1 easy, 2 steady, 3 steep
        "promise": "what one division by a root saves a model from",
        "needs": ["06_the_cat_sat"],     # chapters to read first
        "background": ["square roots"],  # what else to know, in words
        "lit": ["scores", "mask"],       # the parts of the machine it explains, the main one first
        "uncomputed": {"5.3": "made up"} # numbers in the prose that no code computes, and why
    }
"""

import functools
import json
import re
from dataclasses import dataclass, field
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]

from lessons.kit.diagrams.machine import PARTS


@dataclass(frozen=True)
class Facts:
    """The facts of one chapter; fields with a default are optional."""

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
        """Return the two digits of the chapter's number."""
        return self.name[:2]

    @property
    def listed(self) -> str:
        """Return number and title, as lists of chapters show them."""
        return f"{self.number} {self.title}"

    @property
    def short_title(self) -> str:
        """Return the title up to its first colon or comma."""
        return re.split("[:,]", self.title)[0]


def read_chapter(path: Path) -> Chapter:
    """Read a notebook.

    Raises:
        ValueError: a fact is missing, unknown or invalid.
    """
    return _read(path, path.stat().st_mtime_ns)


@functools.cache  # nearly every page needs all chapters
def _read(path: Path, changed: int) -> Chapter:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    title = "".join(notebook["cells"][0]["source"]).partition("\n")[0].removeprefix("# ")
    return Chapter(path.stem, title, _facts(notebook, path), tuple(notebook["cells"]))


def _facts(notebook: dict, path: Path) -> Facts:
    metadata = notebook["metadata"].get("chapter")
    chapters = sorted(other.stem for other in path.parent.glob("*.ipynb"))
    facts = jsonschema.Draft202012Validator(_schema(chapters))
    if wrong := jsonschema.exceptions.best_match(facts.iter_errors(metadata)):
        where = wrong.json_path.replace("$", "chapter")
        raise ValueError(f"{path.name}: metadata {where}: {wrong.message}")
    return Facts(**{key: tuple(v) if isinstance(v, list) else v for key, v in metadata.items()})


def _schema(chapters: list[str]) -> dict:
    """Return the JSON Schema of the facts."""
    text = {"type": "string", "pattern": r"\S"}
    facts = {
        "minutes": {"type": "integer", "minimum": 1},
        "promise": text,
        "difficulty": {"enum": [1, 2, 3]},
        "needs": {"type": "array", "items": {"enum": chapters}},
        "background": {"type": "array", "items": text},
        "lit": {"type": "array", "items": {"enum": [*PARTS]}},
        "uncomputed": {"type": "object", "additionalProperties": text},
    }
    return {
        "type": "object",
        "properties": facts,
        "additionalProperties": False,
        "required": ["minutes", "promise", "difficulty"],
    }
