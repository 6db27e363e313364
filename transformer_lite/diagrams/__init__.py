"""The diagrams of the book: a module for each chapter, a function for each picture.

`diagrams.attention.flow()` draws the picture `flow` of the chapter on attention. A module is found
because it is there, and loaded when it is first asked for. All are drawn with one kit, so that a
query looks the same in every chapter.
"""

from importlib import import_module
from pathlib import Path
from types import ModuleType

from transformer_lite.diagrams._kit.diagram import Diagram

#: The names of the modules: the chapters without their numbers, and the machine.
MODULES = sorted(p.stem for p in Path(__file__).parent.glob("*.py") if not p.stem.startswith("_"))

__all__ = ["Diagram"]


def __getattr__(name: str) -> ModuleType:
    """Load the pictures of a chapter: `diagrams.attention`."""
    if name not in MODULES:
        raise AttributeError(f"diagrams must be one of {', '.join(MODULES)}, got {name!r}")
    return import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return [*globals(), *MODULES]
