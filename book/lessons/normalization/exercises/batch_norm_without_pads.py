"""Compute batch normalization whose statistics leave out the padding."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.kit.exercises.outcome import TensorFunction
from transformer_lite.layers import norms

_normal = normal_numbers("normalization.batch_norm_without_pads")


_HI_HELLO = torch.tensor(
    [
        *[[0.1, 0.2, 0.3, 0.4], [0.11, 0.22, 0.33, 0.44], [0, 0, 0, 0], [0, 0, 0, 0]],
        *[[0.13, 0.78, -0.7, -0.15], [0.14, 0.8, -0.75, -0.15]],
        *[[0.11, 0.28, -0.17, -0.15], [0.13, 0.21, -0.12, -0.11]],
    ],
    dtype=torch.float32,
).view(2, 4, 4)


def _cases() -> tuple[Case, ...]:
    def draw(
        name: str,
        lengths: list[int],
        t: int,
        d: int,
        eps: float,
        dtype: torch.dtype = torch.float32,
    ) -> Case:
        """Return random tokens; padding has the largest numbers, so that a leak is visible."""
        mask = torch.arange(t) < torch.tensor(lengths)[:, None]
        x = _normal(len(lengths), t, d, dtype=dtype)
        x = torch.where(mask[..., None], x, 9 + x.abs())
        return Case(name, {"x": x, "mask": mask, "eps": eps})

    table = torch.tensor([[True, True, False, False], [True, True, True, True]])
    constant = draw("a feature that is 1 in every real token, B=2, T=5, D=3", [3, 5], 5, 3, 1e-5)
    constant.inputs["x"][..., 1] = 1 + 8.0 * ~constant.inputs["mask"]
    return (
        Case("the Hi, Hello table", {"x": _HI_HELLO, "mask": table, "eps": 1e-5}),
        draw("large numbers in the padding, B=3, T=4, D=2", [4, 1, 2], 4, 2, 1e-5),
        draw("float64 and eps=0.25, B=2, T=3, D=5", [3, 2], 3, 5, 0.25, torch.float64),
        constant,
        draw("one sentence and one feature, B=1, T=4, D=1", [3], 4, 1, 1e-5),
        draw("sentences of one token, B=3, T=1, D=4", [1, 0, 1], 1, 4, 1e-5),
    )


def _batch_by(mean_of: TensorFunction, variance_of: TensorFunction) -> TensorFunction:
    """Return a batch norm with these statistics of (x, mask)."""

    def function(x: Tensor, mask: Tensor, eps: float) -> Tensor:
        return (x - mean_of(x, mask)) / torch.sqrt(variance_of(x, mask) + eps)

    return function


def _real_mean(x: Tensor, mask: Tensor) -> Tensor:
    return x[mask].mean(dim=0)


def _real_variance(x: Tensor, mask: Tensor) -> Tensor:
    return x[mask].var(dim=0, correction=0)


def _batch_of_each_sentence(x: Tensor, mask: Tensor, eps: float) -> Tensor:
    """Do the same; here a sentence of only padding has a mean of 0/0."""
    real = mask[..., None].to(x.dtype)
    count = real.sum(dim=1, keepdim=True)
    mean = (x * real).sum(dim=1, keepdim=True) / count
    variance = ((x - mean).square() * real).sum(dim=1, keepdim=True) / count
    return (x - mean) / torch.sqrt(variance + eps)


def _zeroed(x: Tensor, mask: Tensor) -> Tensor:
    return x * mask[..., None]


_MISTAKES = mistakes(
    lambda x, m, eps: norms.batch_norm(x, None, eps),
    "You include the padding in the mean and in the variance. Use the mask to leave it out.",
    lambda x, m, eps: norms.batch_norm(x, ~m, eps),
    "You compute the statistics of the padding. In this mask True means a real token.",
    _batch_by(lambda x, m: (x * m[..., None]).mean(dim=(0, 1)), _real_variance),
    "The mean sums the real tokens but divides by the number of all tokens, padding included.",
    _batch_by(_real_mean, lambda x, m: (x - _real_mean(x, m)).square().mean(dim=(0, 1))),
    "The mean is right, but the variance still includes the padding.",
    _batch_by(
        lambda x, m: _zeroed(x, m).mean(dim=(0, 1)),
        lambda x, m: _zeroed(x, m).var(dim=(0, 1), correction=0),
    ),
    "You set the padding to 0 and then count it. Leave it out of the statistics.",
    _batch_by(_real_mean, lambda x, m: x[m].var(dim=0)),
    "This is the sample variance, divided by n − 1. Normalization divides by n.",
    lambda x, m, eps: (x - _real_mean(x, m)) / (_real_variance(x, m).sqrt() + eps),
    "You add ε to the standard deviation. Add it to the variance, inside the square root.",
    _batch_of_each_sentence,
    "You normalize each sentence by itself, and a sentence of only padding has no mean. Compute "
    "the statistics over the tokens of the whole batch.",
    lambda x, m, eps: norms.batch_norm(x, m, eps) * m[..., None],
    "You set the padding to 0 in the output. Transform it like all other tokens.",
)


def _batch_with_sums(x: Tensor, mask: Tensor, eps: float) -> Tensor:
    real = mask.unsqueeze(-1).to(x.dtype)
    mean = (x * real).sum(dim=(0, 1)) / real.sum()
    variance = ((x - mean) ** 2 * real).sum(dim=(0, 1)) / real.sum()
    return (x - mean) * torch.rsqrt(variance + eps)


def _draw(draw: Draw) -> Inputs:
    b, t, d = draw.size(), draw.size(), draw.size()
    mask = draw.mask(b, t)
    mask[0, 0] = True
    x = draw.normal(b, t, d)
    return x + 9 * ~mask[..., None], mask, draw.choice(1e-3, 0.25)


batch_norm_without_pads = Exercise(
    name="normalization.batch_norm_without_pads",
    reference=norms.batch_norm,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_batch_by(_real_mean, _real_variance), _batch_with_sums),
    draw=_draw,
    hint_texts=(
        "Which numbers count in the mean of the first feature? How many tokens are there, and how "
        "many of them are real?",
        "Gather the real tokens into one table of shape (n, D). Compute the mean and the variance "
        "of each of its columns, then transform all of x with them.",
        "real = x[mask] is that table. Use real.mean over axis 0 and real.var over axis 0 with "
        "correction=0, and add eps inside torch.sqrt.",
    ),
    starter='''\
def batch_norm_without_pads(x, mask, eps):
    """Normalize each feature of x (B, T, D) by the tokens that mask allows."""
    ...  # mask (B, T) is True for real tokens; pads do not count
''',
    remarks=(GRADIENT,),
)
