"""Scale by the root mean square, without a mean."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from transformer_lite.layers.norms import layer_norm
from transformer_lite.layers.norms import rms_norm as norm_by_size

_normal = normal_numbers("layer_norm.rms_norm")


def _cases() -> tuple[Case, ...]:
    def draw(
        name: str,
        shape: tuple[int, ...],
        eps: float,
        shift: float = 0.0,
        size: float = 1.0,
        dtype: torch.dtype = torch.float32,
    ) -> Case:
        x = shift + size * _normal(*shape, dtype=dtype)
        return Case(name, {"x": x, "weight": _normal(shape[-1], dtype=dtype), "eps": eps})

    five = torch.tensor([[2.0, -1.0, 3.5, -0.5, 4.2]])
    return (
        Case("[2, −1, 3.5, −0.5, 4.2] with γ=1", {"x": five, "weight": torch.ones(5), "eps": 1e-5}),
        draw("tokens far from 0, T=2, D=6", (2, 6), 1e-5, shift=9.0),
        draw("float64, T=5, D=3", (5, 3), 1e-5, dtype=torch.float64),
        draw("small tokens and eps=0.01, T=3, D=4", (3, 4), 0.01, size=0.1),
        draw("one feature, T=4, D=1", (4, 1), 1e-5),
    )


_MISTAKES = mistakes(
    lambda x, w, eps: layer_norm(x, w, eps=eps),
    "You subtract the mean: this is layer normalization. RMSNorm does not subtract it.",
    lambda x, w, eps: w * x / torch.sqrt(x.square().sum(dim=-1, keepdim=True) + eps),
    "You sum the squares. Take their mean, the M in RMS.",
    lambda x, w, eps: w * x / x.norm(dim=-1, keepdim=True),
    "You divide the token by its length, so its entries shrink as the width grows. The root mean "
    "square is the length divided by √D. Also add ε inside the square root.",
    lambda x, w, eps: w * x / (x.square().mean(dim=-1, keepdim=True) + eps),
    "The square root is missing: you divide by the mean square.",
    lambda x, w, eps: w * x / (x.square().mean(dim=-1, keepdim=True).sqrt() + eps),
    "You add ε to the square root. Add it inside, to the mean square.",
    lambda x, w, eps: w * x / x.square().mean(dim=-1, keepdim=True).sqrt(),
    "ε is not used. Add it to the mean square, inside the square root.",
    lambda x, w, eps: w * x / torch.sqrt(x.var(dim=-1, keepdim=True, correction=0) + eps),
    "The divisor is the standard deviation, which measures the distance from the mean. RMSNorm "
    "measures the distance from 0.",
    lambda x, w, eps: w * x / torch.sqrt(x.square().mean(dim=0, keepdim=True) + eps),
    "You take the mean over the tokens. Divide each token by its own root mean square.",
    lambda x, w, eps: norm_by_size(x, eps=eps),
    "The gain is not used. Multiply each feature by its weight.",
)


def _rms_by_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    length: Tensor = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
    mean_square = length.square() / x.shape[-1]
    return x * (mean_square + eps).rsqrt() * weight


def _rms_row_by_row(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    return torch.stack([weight * row / (row @ row / len(row) + eps).sqrt() for row in x])


def _draw(draw: Draw) -> Inputs:
    t, d = draw.size(), draw.size()
    x = draw.normal(t, d, size=draw.choice(0.1, 1), shift=draw.choice(0, 9))
    return x, draw.normal(d), draw.choice(1e-5, 0.01, 0.3)


rms_norm = Exercise(
    name="layer_norm.rms_norm",
    reference=norm_by_size,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_rms_by_norm, _rms_row_by_row),
    draw=_draw,
    hint_texts=(
        "Read the name from right to left: square, mean, root. Which numbers do you square, and "
        "along which axis is the mean?",
        "Take the mean of the squares of each token, add eps, take the square root, divide, and "
        "multiply by the gain.",
        "mean_square = x.square().mean(dim=-1, keepdim=True), and the divisor is "
        "torch.sqrt(mean_square + eps).",
    ),
    starter='''\
def rms_norm_again(x, weight, eps):
    """Divide each token of x (T, D) by its root mean square, times weight."""
    raise NotImplementedError
''',
    remarks=(GRADIENT,),
)
