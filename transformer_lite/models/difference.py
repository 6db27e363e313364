"""The structural difference of two modules: classes, shapes and settings, but not weights."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from transformer_lite.layers.positions import RotaryScaling
from transformer_lite.models.conversion import class_name

# Attributes of a module that do not change what it computes in evaluation mode.
NO_SETTINGS = {"training", "gradient_checkpointing", "config"}
# Follows from the shape of the token table. Some programs do not update it with the table.
NO_SETTINGS |= {"vocab_size"}
PLAIN = (bool, int, float, str, tuple, type(None), RotaryScaling)


def first_difference(model: nn.Module, make: Callable[[], nn.Module]) -> str | None:
    """Return where a model differs from what `make` makes; None if it does not.

    Args:
        model: any module.
        make: makes the module to compare with, without memory for its weights.

    Returns:
        The first part that differs and what it is in `model`, such as
        "decoder.norm: torch.nn.modules.linear.Identity", or None.
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
    traits = {name: class_name(module) for name, module in modules.items()}
    traits |= {name: str(tuple(p.shape)) for name, p in model.named_parameters()}
    for path, module in modules.items():
        for name, value in vars(module).items():
            if name not in NO_SETTINGS and not name.startswith("_") and _is_setting(value):
                traits[f"{path}.{name}".removeprefix(".")] = _as_text(value)
    return traits


def _is_setting(value: object) -> bool:
    return isinstance(value, PLAIN) or callable(value)


def _as_text(value: object) -> str:
    """Return a setting as text: for a function its name, which is the same in every run."""
    if callable(value) and not isinstance(value, nn.Module):
        keywords = getattr(value, "keywords", "")
        inner = getattr(value, "func", value)
        return f"{getattr(inner, '__qualname__', type(inner).__qualname__)}{keywords or ''}"
    return repr(value)
