"""Load a part of a lesson on first use."""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def attributes(package: str, **homes: str) -> Callable[[str], Any]:
    """Return a `__getattr__` for a package that imports each name from its own module.

    Args:
        package: the package's `__name__`.
        homes: for each name, the full name of the module that defines it.
    """

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return find
