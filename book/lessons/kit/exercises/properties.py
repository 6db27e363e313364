"""Properties that an exercise can require of an answer, beyond its values."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.autograd import forward_ad
from torch.overrides import TorchFunctionMode

from lessons.kit.exercises.exercise import Property
from lessons.kit.exercises.outcome import Function
from lessons.kit.exercises.snapshot import copy_inputs
from lessons.kit.exercises.weight_tying import STAYS_TIED, WEIGHTS_UNCHANGED

# Kept here when this file is loaded, like the methods in snapshot.py.
_grad, _tensor, _inference_mode = torch.autograd.grad, torch.tensor, torch.inference_mode
_default_generator, _rand = torch.default_generator, torch.rand
_unpack_dual: Any = forward_ad.unpack_dual


def _gradient(function: Function, inputs: dict[str, Any]) -> dict[str, Tensor | None]:
    """Return the gradient of a fixed sum of all finite outputs at each floating-point input.

    Outputs of −∞ are left out: they hide a key, and no gradient may flow back from them.
    """
    leaves = {
        name: value.requires_grad_()
        for name, value in inputs.items()
        if isinstance(value, Tensor) and value.is_floating_point()
    }
    output = function(*inputs.values())
    if not isinstance(output, Tensor) or not output.requires_grad:
        return dict.fromkeys(leaves)
    mix = _tensor([math.cos(i) for i in range(output.numel())], dtype=output.dtype)
    mix = mix.view(output.shape) * output.isfinite()
    # The gradient of a sum: with the weights as `grad_outputs` torch loads sympy for half a second.
    gradients = _grad((output * mix).sum(), list(leaves.values()), allow_unused=True)
    return dict(zip(leaves, gradients, strict=True))


class _RecordCalls(TorchFunctionMode):
    """Call `note` with each function of torch that is called, and with its value."""

    def __init__(self, note: Callable[[Function, Any], None]) -> None:
        super().__init__()
        self.note = note

    def __torch_function__(
        self, func: Function, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        value = func(*args, **(kwargs or {}))
        self.note(func, value)
        return value


def _without_autograd(function: Function, inputs: dict[str, Any]) -> dict[str, Any]:
    """Call the function in inference mode, and record whether it differentiates all the same."""
    found: set[bool] = set()
    with _inference_mode(), _RecordCalls(lambda _, value: found.add(_differentiates(value))):
        output = function(*copy_inputs(inputs).values())
    return {"output": output, "derivatives": True in found}


def _differentiates(made: Any) -> bool:
    """Return whether a result keeps what a derivative needs.

    Backward methods, those of torch.func too, mark their tensors as requiring a gradient. In
    forward methods each tensor carries its tangent.
    """
    if not isinstance(made, Tensor):
        return False
    return made.requires_grad or _unpack_dual(made).tangent is not None


def _square_tensors(function: Function, inputs: dict[str, Any]) -> dict[str, Tensor | None]:
    """Count the tensors with two axes as long as a row of the first input.

    With rows of two numbers, two stacked rows would count as well. So these are not counted.
    """
    rows, length = next(iter(inputs.values())).shape
    shapes: list[tuple[int, ...]] = []
    with _RecordCalls(lambda _, value: shapes.append(tuple(getattr(value, "shape", ())))):
        function(*inputs.values())
    square = [shape for shape in shapes if shape.count(length) > 1 and rows != length > 2]
    return {"tables": _tensor(len(square))}


def _next_draw(function: Function, inputs: dict[str, Any]) -> dict[str, Tensor | None]:
    """Seed torch's default generator with 0, call the function, and return the next number."""
    before = _default_generator.get_state()
    try:
        _default_generator.manual_seed(0)  # only the generator of the CPU
        function(*inputs.values())
        return {"torch's own generator": _rand(())}
    finally:
        _default_generator.set_state(before)


def _builtin_norms(function: Function, inputs: dict[str, Any]) -> dict[str, Any]:
    """Return the names of the normalizations of torch that a function calls."""
    names: set[str] = set()
    with _RecordCalls(lambda called, _: names.add(called.__name__)):
        function(*inputs.values())
    return {"normalizations": sorted(name for name in names if name.endswith(_NORMS))}


_NORMS = tuple(f"{group}_norm" for group in ("batch", "group", "instance", "layer", "rms"))


#: The gradients of the inputs are those of the reference.
GRADIENT = Property("gradient", _gradient)

#: The function must compute its answer without autograd.
NO_AUTOGRAD = Property(
    "way", _without_autograd, "Do not use autograd: your function fails when it is off."
)

#: The function must not make a tensor of S × S numbers for rows of S numbers.
NO_SQUARE_TENSOR = Property(
    "size",
    _square_tensors,
    "Your function builds a table of (S, S) numbers. Compute the result without one.",
)

#: The function must not call a normalization of torch.
NO_BUILTIN_NORM = Property(
    "normalization",
    _builtin_norms,
    "You call torch's own normalization. Write it yourself.",
)

#: The function must use generators of its own. Drawing from torch's default generator, or seeding
#: it, would change the dropout of everything that follows.
OWN_GENERATOR = Property("next draw", _next_draw)

#: The properties by name. An exercise in JSON refers to a property by its name.
_OWN = (GRADIENT, NO_AUTOGRAD, NO_BUILTIN_NORM, NO_SQUARE_TENSOR, OWN_GENERATOR)
PROPERTIES = {p.name: p for p in (*_OWN, STAYS_TIED, WEIGHTS_UNCHANGED)}
