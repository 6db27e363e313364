"""What tells two modules apart beyond the values of their weights: classes, shapes, settings."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

# Modes and notes of a module that change nothing in what it computes in evaluation.
NO_SETTINGS = {"training", "gradient_checkpointing", "config"}
# A size that the shape of the table of tokens shows: some forget to change it with the table.
NO_SETTINGS |= {"vocab_size"}
PLAIN = (bool, int, float, str, tuple, type(None))


def first_difference(model: nn.Module, make: Callable[[], nn.Module]) -> str | None:
    """Say where a model is not what `make` makes again; None where it is.

    Args:
        model: any module.
        make: makes the module to compare with; its weights take no memory.

    Returns:
        Such as "decoder.layers.0.feed_forward: SwiGLU", the first part that differs and what it
        is in `model`, or None.
    """
    with torch.device("meta"):
        expected = _traits(make())
    came = _traits(model)
    for name in [*expected, *came]:
        if came.get(name) != expected.get(name):
            return f"{name}: {came.get(name, 'nothing')}"
    return None


def _traits(model: nn.Module) -> dict[str, str]:
    """Return the class and settings of every part and the shape of every weight, by its name."""
    modules = dict(model.named_modules(remove_duplicate=False))  # one table may have three names
    traits = {name: type(module).__qualname__ for name, module in modules.items()}
    traits |= {name: str(tuple(p.shape)) for name, p in model.named_parameters()}
    for path, module in modules.items():
        for name, value in vars(module).items():
            if name not in NO_SETTINGS and not name.startswith("_") and _is_setting(value):
                traits[f"{path}.{name}".removeprefix(".")] = _told(value)
    return traits


def _is_setting(value: object) -> bool:
    return isinstance(value, PLAIN) or callable(value)


def _told(value: object) -> str:
    """Write a setting down; of a function its name, which stays the same from run to run."""
    if callable(value) and not isinstance(value, nn.Module):
        keywords = getattr(value, "keywords", "")
        inner = getattr(value, "func", value)
        return f"{getattr(inner, '__qualname__', type(inner).__qualname__)}{keywords or ''}"
    return repr(value)
