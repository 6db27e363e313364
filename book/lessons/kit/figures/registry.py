"""The registry of all live figures, which work in Jupyter and on the published page.

A figure is a folder of its lesson: `scaling/softmax_lab/softmax_lab.py` defines its class, the .js
file next to it draws it, and an optional .json file contains the data that both share. To add a
figure, add its folder.
"""

from importlib import import_module
from typing import Any

from lessons import FOLDER
from lessons.kit.figures.live_figure import LiveFigure, scripts


def _find_figures() -> dict[str, type[LiveFigure]]:
    """Import the module of every figure's folder, and return the classes by their `name`."""
    found = {}
    for name, script in scripts().items():
        if script.parent.name == name:
            folders = script.relative_to(FOLDER).parent.parts
            module = import_module(".".join(("lessons", *folders, name)))
            own = (cls for cls in vars(module).values() if isinstance(cls, type))
            figures = (cls for cls in own if issubclass(cls, LiveFigure))
            found[name] = next(cls for cls in figures if vars(cls).get("name") == name)
    return found


#: The classes of all figures by their `name`.
FIGURES = _find_figures()


def __getattr__(name: str) -> Any:
    """Return a figure by the name of its class: `registry.SoftmaxLab`."""
    for cls in FIGURES.values():
        if cls.__name__ == name:
            return cls
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
