"""Build the rest of a block: Add & Norm, feed-forward, Add & Norm."""

import torch
import torch.nn.functional as F
from torch import Tensor

from lessons.feed_forward.exercises._shared import feed_forward, random_weights
from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.kit.exercises.outcome import TensorFunction
from transformer_lite.layers.norms import layer_norm

_normal = normal_numbers("feed_forward.finish_block")


def _finish(x: Tensor, found: Tensor, *weights: Tensor) -> Tensor:
    z = layer_norm(x + found)
    return layer_norm(z + feed_forward(z, *weights))


def _block_case(
    name: str, batch: int, length: int, width: int, hidden: int, dtype: torch.dtype = torch.float32
) -> Case:
    x, found = (_normal(batch, length, width, dtype=dtype) for _ in range(2))
    return Case(name, {"x": x, "found": found, **random_weights(_normal, width, hidden, dtype)})


def _small_case(name: str) -> Case:
    case = _block_case(name, 1, 3, 4, 5, torch.float64)
    return Case(name, {key: value / 1000 for key, value in case.inputs.items()})


_CASES = (
    Case(
        "one word of width 3, by hand",
        {
            "x": torch.tensor([[[2.0, -1, 0.5]]]),
            "found": torch.tensor([[[1.0, 0, -2]]]),
            "w1": torch.tensor([[1.0, -1], [0, 2], [-1, 0.5]]),
            "b1": torch.tensor([0.5, 1]),
            "w2": torch.tensor([[1.0, 0, -1], [-0.5, 2, 0]]),
            "b2": torch.tensor([0.0, 0.5, -1]),
        },
    ),
    _block_case("B=2, T=4, D=3, M=6", 2, 4, 3, 6),
    _block_case("B=3, T=2, D=5, M=4, in float64", 3, 2, 5, 4, torch.float64),
    _block_case("one feature, B=2, T=3, D=1, M=2", 2, 3, 1, 2),
    _small_case("small numbers in float64, where ε matters, B=1, T=3, D=4, M=5"),
)


def _with_batch_axis(x: Tensor, found: Tensor, *weights: Tensor) -> Tensor:
    """Normalize each feature over the positions, the axis before the last."""

    def norm(t: Tensor) -> Tensor:
        return layer_norm(t.mT).mT

    z = norm(x + found)
    return norm(z + feed_forward(z, *weights))


def _without(part: str) -> TensorFunction:
    """Return the block without the ReLU, or without one of the biases."""

    def function(
        x: Tensor, found: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor
    ) -> Tensor:
        z = layer_norm(x + found)
        hidden = z @ w1 if part == "b1" else z @ w1 + b1
        ff = (hidden if part == "ReLU" else hidden.relu()) @ w2
        return layer_norm(z + (ff if part == "b2" else ff + b2))

    return function


def _relu_at_the_end(
    x: Tensor, found: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor
) -> Tensor:
    z = layer_norm(x + found)
    return layer_norm(z + ((z @ w1 + b1) @ w2 + b2).relu())


def _pre_norm(x: Tensor, found: Tensor, *weights: Tensor) -> Tensor:
    z = x + found
    return z + feed_forward(layer_norm(z), *weights)


_MISTAKES = mistakes(
    lambda x, found, *weights: layer_norm(x + feed_forward(x, *weights)),
    "The second line starts from x again, so attention has no effect. Start from the result of the "
    "first line.",
    lambda x, found, *weights: layer_norm(x + feed_forward(layer_norm(x + found), *weights)),
    "The second skip connection starts at x. Start it at the input of the feed-forward layer, the "
    "result of the first Add & Norm.",
    lambda x, found, *weights: layer_norm(feed_forward(layer_norm(x + found), *weights)),
    "The second residual sum is missing: add the input of the feed-forward layer to its output.",
    lambda x, found, *weights: layer_norm(
        layer_norm(found) + feed_forward(layer_norm(found), *weights)
    ),
    "The first residual sum is missing: add x to found, the output of attention.",
    lambda x, found, *weights: (
        layer_norm(x + found) + feed_forward(layer_norm(x + found), *weights)
    ),
    "The last normalization is missing. Post-norm has one after each of the two sums.",
    _pre_norm,
    "This is pre-norm: you normalize the input of the feed-forward layer, but not the sum. Here, "
    "normalize each sum after adding.",
    _without("ReLU"),
    "The ReLU between the two maps is missing, so they are one linear map.",
    _without("b1"),
    "The first bias, `b1`, is missing. Add it before the ReLU: it is each unit's threshold.",
    _without("b2"),
    "The second bias, `b2`, is missing. It is added after the second map.",
    _relu_at_the_end,
    "The ReLU comes after the second map. It belongs between the two, where the hidden units are.",
    _with_batch_axis,
    "The normalization runs over the positions. Each word is normalized by its own numbers, "
    "along the last axis.",
)


def _finish_with_torch(
    x: Tensor, found: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor
) -> Tensor:
    z = F.layer_norm(x + found, x.shape[-1:])
    ff = F.linear(F.linear(z, w1.T, b1).relu(), w2.T, b2)
    return F.layer_norm(z + ff, x.shape[-1:])


def _finish_by_formula(
    x: Tensor, found: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor
) -> Tensor:
    def add_and_norm(kept: Tensor, added: Tensor) -> Tensor:
        variance, mean = torch.var_mean(kept + added, dim=-1, correction=0, keepdim=True)
        return (kept + added - mean) * (variance + 1e-5).rsqrt()

    z = add_and_norm(x, found)
    return add_and_norm(z, (z @ w1 + b1).clamp(min=0) @ w2 + b2)


def _draw(draw: Draw) -> Inputs:
    b, t, d, m = draw.size(), draw.size(), draw.size(), draw.size()
    weights = draw.normal(d, m), draw.normal(m), draw.normal(m, d), draw.normal(d)
    return draw.normal(b, t, d), draw.normal(b, t, d), *weights


finish_block = Exercise(
    name="feed_forward.finish_block",
    reference=_finish,
    cases=_CASES,
    mistakes=_MISTAKES,
    right_answers=(_finish_with_torch, _finish_by_formula),
    draw=_draw,
    hint_texts=(
        "What is the input of the feed-forward layer: x, the output of attention, or the result of "
        "the first Add & Norm?",
        "Store the result of the first Add & Norm in a variable. Apply the feed-forward layer to "
        "it, add the variable to the output, and normalize along the last axis.",
        "z = torch.nn.functional.layer_norm(x + found, x.shape[-1:]). Then compute ff from z and "
        "normalize z + ff in the same way.",
    ),
    starter='''\
def finish_block(x, found, w1, b1, w2, b2):
    """Add & Norm, feed-forward, Add & Norm, for x and found (B, T, D)."""
    raise NotImplementedError
''',
    remarks=(GRADIENT,),
)
