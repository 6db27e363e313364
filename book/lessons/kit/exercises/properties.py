"""What to hold an answer to, beyond its numbers."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch._C._functorch import TransformType, get_interpreter_stack
from torch.autograd import forward_ad
from torch.overrides import TorchFunctionMode

from lessons.kit.exercises.exercise import Property
from lessons.kit.exercises.outcome import Function
from lessons.kit.exercises.reading import copies
from lessons.kit.exercises.tied_model import FILE, TIE

# Kept from the moment this file is loaded; see _outcome.
_grad, _tensor, _inference_mode = torch.autograd.grad, torch.tensor, torch.inference_mode
_torchs_own, _rand = torch.default_generator, torch.rand
_levels, _DIFFERENTIATE = get_interpreter_stack, (TransformType.Grad, TransformType.Jvp)


def _gradient(function: Function, inputs: dict[str, Any]) -> dict[str, Tensor | None]:
    """Differentiate a fixed mix of all finite outputs by each floating-point input.

    A score of −∞ hides a key: no gradient comes back to it, whatever it was made of.
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
    # Of a sum, since a mix given beside the output makes torch load sympy: half a second.
    gradients = _grad((output * mix).sum(), list(leaves.values()), allow_unused=True)
    return dict(zip(leaves, gradients, strict=True))


class _Watch(TorchFunctionMode):
    """Tell `note` each function of torch that is called, and what it returned."""

    def __init__(self, note: Callable[[Function, Any], None]) -> None:
        super().__init__()
        self.note = note

    def __torch_function__(
        self, func: Function, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        made = func(*args, **(kwargs or {}))
        self.note(func, made)
        return made


def _without_autograd(function: Function, inputs: dict[str, Any]) -> dict[str, Any]:
    """Call the function where plain autograd does not work, and see whether it finds another."""
    found: set[bool] = set()
    with _inference_mode(), _Watch(lambda _, made: found.add(_differentiates(made))):
        output = function(*copies(inputs).values())
    return {"output": output, "derivatives": True in found}


def _differentiates(made: Any) -> bool:
    """Return whether torch differentiates here: backwards, forwards or by torch.func."""
    return (
        any(level.key() in _DIFFERENTIATE for level in _levels() or ())
        or forward_ad._current_level >= 0
        or (isinstance(made, Tensor) and made.requires_grad)
    )


def _square_tables(function: Function, inputs: dict[str, Any]) -> dict[str, Tensor | None]:
    """Count the tensors with two axes as long as a row of the first input.

    Two rows stacked are no table of the Jacobian, so rows of two numbers cannot tell.
    """
    rows, length = next(iter(inputs.values())).shape
    shapes: list[tuple[int, ...]] = []
    with _Watch(lambda _, made: shapes.append(tuple(getattr(made, "shape", ())))):
        function(*inputs.values())
    square = [shape for shape in shapes if shape.count(length) > 1 and rows != length > 2]
    return {"tables": _tensor(len(square))}


def _next_draw(function: Function, inputs: dict[str, Any]) -> dict[str, Tensor | None]:
    """Draw from torch's own generator, seeded with 0, after a call; then put it back."""
    before = _torchs_own.get_state()
    try:
        _torchs_own.manual_seed(0)  # that of the CPU alone
        function(*inputs.values())
        return {"torch's own generator": _rand(())}
    finally:
        _torchs_own.set_state(before)


def _ready_norms(function: Function, inputs: dict[str, Any]) -> dict[str, Any]:
    """Note which of torch's own normalizations a function calls."""
    names: set[str] = set()
    with _Watch(lambda called, _: names.add(called.__name__)):
        function(*inputs.values())
    return {"normalizations": sorted(name for name in names if name.endswith(_NORMS))}


_NORMS = tuple(f"{group}_norm" for group in ("batch", "group", "instance", "layer", "rms"))


#: The gradients of the inputs are those of the reference.
GRADIENT = Property("gradient", _gradient)

#: The function has to find its answer by itself.
NO_AUTOGRAD = Property(
    "way", _without_autograd, "The task is to do without autograd: with it off, the answer fails."
)

#: No table of S × S numbers may arise for rows of S numbers.
NO_SQUARE_TABLE = Property(
    "size",
    _square_tables,
    "A table of (S, S) numbers arises on the way. The task is to do without one.",
)

#: The function has to normalize by itself.
NO_READY_NORM = Property(
    "normalization",
    _ready_norms,
    "The task is to write the normalization: torch's own is called.",
)

#: The function draws from generators of its own. What draws from torch's own one or seeds it
#: changes the dropout of all that follows.
OWN_GENERATOR = Property("next draw", _next_draw)

#: All of them by name: so an exercise that is only data names what it measures.
_HERE = (GRADIENT, NO_AUTOGRAD, NO_READY_NORM, NO_SQUARE_TABLE, OWN_GENERATOR)
PROPERTIES = {p.name: p for p in (*_HERE, TIE, FILE)}
