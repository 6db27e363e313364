"""The named formulas, which `book/formulas.yml` lists and the search finds.

Each formula is looked up in its chapter by its TeX and gets an id there, so that a link can lead to
it. If the chapter does not contain the formula, the build stops.
"""

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import yaml
from docutils import nodes

FILE = Path(__file__).parents[1] / "formulas.yml"


@dataclass(frozen=True)
class Formula:
    """A formula with a name.

    Attributes:
        name: what the book calls it.
        chapter: the notebook that contains it, without the extension.
        tex: the formula or a piece of it.
        says: what it says, in words.
        also: what else readers call it.
    """

    name: str
    chapter: str
    tex: str
    says: str
    also: tuple[str, ...] = ()

    @property
    def anchor(self) -> str:
        """Return its id on the page, such as "formula-min-max-scaling"."""
        return "formula-" + "-".join(re.findall(r"\w+", self.name.casefold()))


@functools.cache  # every chapter needs its own
def read_formulas(path: Path = FILE) -> list[Formula]:
    """Read the formulas of a file.

    Raises:
        ValueError: a formula has missing or unknown keys, or two formulas share a name.
    """
    formulas = [_formula(entry) for entry in yaml.safe_load(path.read_text(encoding="utf-8"))]
    names = [formula.anchor for formula in formulas]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"{path.name}: each formula must have a name of its own, got {twice}")
    return formulas


def _formula(entry: dict) -> Formula:
    try:
        return Formula(**entry | {"also": tuple(entry.get("also", ()))})
    except TypeError as error:
        raise ValueError(f"formulas.yml, {entry.get('name')}: {error}") from None


def place(formulas: Iterable[Formula], doctree: nodes.document) -> None:
    """Give ids to the named formulas of a page.

    Raises:
        ValueError: the page has no such formula; the message says which.
    """
    blocks = list(doctree.findall(nodes.math_block))
    written = [*blocks, *doctree.findall(nodes.math)]
    for formula in formulas:
        wanted = without_spaces(formula.tex)
        found = next((node for node in written if wanted in without_spaces(node.astext())), None)
        if found is None:
            raise ValueError(
                f"formulas.yml: {formula.name!r} must stand in {formula.chapter}, "
                f"which has no formula with {formula.tex!r}"
            )
        if formula.anchor not in found["ids"]:
            found["ids"].append(formula.anchor)


def without_spaces(tex: str) -> str:
    """Return a formula without white space."""
    return "".join(tex.split())
