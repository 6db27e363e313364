"""The live figures of the book. Each works in Jupyter and on the published page.

A figure is a folder: `softmax_lab/softmax_lab.py` holds its class, the .js beside it draws it, and
the .json, where there is one, holds what both share. To add a figure is to add its folder.
"""

from importlib import import_module
from typing import Any

from transformer_lite.figures.kit import FOLDER, LiveFigure
from transformer_lite.figures.question.question import predict, question


def _found() -> dict[str, type[LiveFigure]]:
    """Import the module of every folder that holds a figure; return the classes by their `name`."""
    names = (path.stem for path in FOLDER.glob("*/*.py") if path.stem == path.parent.name)
    modules = {name: import_module(f"{__name__}.{name}.{name}") for name in sorted(names)}
    return {
        name: cls
        for name, module in modules.items()
        for cls in vars(module).values()
        if isinstance(cls, type) and issubclass(cls, LiveFigure) and vars(cls).get("name") == name
    }


#: The classes of all figures by their `name`.
FIGURES = _found()

__all__ = ["FIGURES", "LiveFigure", "predict", "question"]
__all__ += sorted(cls.__name__ for cls in FIGURES.values())


def __getattr__(name: str) -> Any:
    """Find a figure by the name of its class: `figures.SoftmaxLab`."""
    for cls in FIGURES.values():
        if cls.__name__ == name:
            return cls
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
