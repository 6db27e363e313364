"""Find the bug: a norm on the skip connection."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from transformer_lite.layers.norms import layer_norm

_normal = normal_numbers("residual_connections.pre_norm")


_THE_CAT_SAT = torch.tensor([[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 1, 1]], dtype=torch.float32)


def _pre_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    return x + torch.tanh(layer_norm(x, eps=eps) @ weight)


def _cases() -> tuple[Case, ...]:
    def draw(
        name: str,
        t: int,
        d: int,
        eps: float,
        shift: float = 0.0,
        size: float = 1.0,
        dtype: torch.dtype = torch.float32,
    ) -> Case:
        x = shift + size * _normal(t, d, dtype=dtype)
        return Case(name, {"x": x, "weight": _normal(d, d, dtype=dtype), "eps": eps})

    worked = {"x": _THE_CAT_SAT, "weight": torch.eye(4).roll(1, 0) / 2, "eps": 1e-5}
    return (
        Case("The, CAT and SAT, W moves every entry by one position and halves it", worked),
        draw("tokens far from 0, T=2, D=5", 2, 5, 1e-5, shift=7.0),
        draw("float64, T=6, D=3", 6, 3, 1e-5, dtype=torch.float64),
        draw("small tokens and eps=0.01, T=3, D=7", 3, 7, 0.01, size=0.1),
        draw("one token, T=1, D=4", 1, 4, 1e-5),
        draw("one feature, T=3, D=1", 3, 1, 1e-5),
    )


def _norm_on_the_skip(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    x = layer_norm(x, eps=eps)
    return x + torch.tanh(x @ weight)


_MISTAKES = mistakes(
    _norm_on_the_skip,
    "The sum starts from the normalized tokens. In pre-norm only the sub-layer reads them; the "
    "skip connection adds x itself.",
    lambda x, w, eps: layer_norm(x + torch.tanh(x @ w), eps=eps),
    "This is post-norm: first the sum, then the normalization. In pre-norm the sum is not "
    "normalized.",
    lambda x, w, eps: x + torch.tanh(x @ w),
    "You do not normalize anything. The sub-layer must read normalized tokens.",
    lambda x, w, eps: layer_norm(_pre_norm(x, w, eps), eps=eps),
    "You normalize the sum as well. That belongs at the end of the whole stack, not in each layer.",
    lambda x, w, eps: x + layer_norm(torch.tanh(x @ w), eps=eps),
    "You normalize the output of the sub-layer. Normalize its input.",
    lambda x, w, eps: x + torch.tanh(layer_norm(x.mT, eps=eps).mT @ w),
    "The mean and the variance run down the columns. Each token is normalized by itself.",
    lambda x, w, eps: layer_norm(x, eps=eps) + torch.tanh(x @ w),
    "You swapped the two: the skip connection must add x, and the sub-layer must read the "
    "normalized tokens.",
)


def _pre_norm_by_torch(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    update = torch.nn.functional.layer_norm(x, x.shape[-1:], eps=eps) @ weight
    return x + update.tanh()


def _pre_norm_by_hand(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    centered = x - x.mean(dim=-1, keepdim=True)
    normed = centered / torch.sqrt(centered.square().mean(dim=-1, keepdim=True) + eps)
    return torch.tanh(normed @ weight) + x


def _draw(draw: Draw) -> Inputs:
    t, d = draw.size(), draw.size()
    x = draw.normal(t, d, size=draw.choice(0.1, 1), shift=draw.choice(0, 7))
    return x, draw.normal(d, d), draw.choice(1e-5, 0.01, 0.3)


pre_norm = Exercise(
    name="residual_connections.pre_norm",
    reference=_pre_norm,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_pre_norm_by_torch, _pre_norm_by_hand),
    draw=_draw,
    hint_texts=(
        "SAT is [1, 1, 1, 1], and its normalized form is 0. What should be left of SAT, and what "
        "is?",
        "One variable is used for two things. Which of them should be added?",
        "Store the normalized tokens in a new variable: normed = (x - mean) / ... Then return x + "
        "torch.tanh(normed @ weight).",
    ),
    starter='''\
def pre_norm(x, weight, eps):
    """Return x + tanh(norm(x) W) for tokens x (T, D) and W (D, D)."""
    variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
    x = (x - mean) / torch.sqrt(variance + eps)
    return x + torch.tanh(x @ weight)
''',
    remarks=(GRADIENT,),
)
