"""Normalize groups of features of each sentence."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.kit.exercises.outcome import TensorFunction
from transformer_lite.layers import norms

_normal = normal_numbers("normalization.group_norm")


def _cases() -> tuple[Case, ...]:
    batch = [
        [[2, 1, 4, 5], [6, 2, 3, 1], [1, 5, 2, 8]],
        [[3, 1, 7, 5], [7, 3, 1, 1], [2, 6, 4, 4]],
    ]
    x = torch.tensor(batch, dtype=torch.float32)
    constant = 3 * _normal(2, 3, 8)
    constant[0, :, 4:] = 0.5  # the second of two groups does not vary
    wide, single = _normal(2, 5, 6, dtype=torch.float64), _normal(3, 2, 4)
    one_token, one_feature = _normal(1, 1, 6), _normal(1, 4, 1)
    return (
        Case(
            "The cat sat and A dog ran, 2 groups, ε=1e-5",
            {"x": x, "num_groups": 2, "eps": 1e-5},
        ),
        Case("float64, ε=0.25, B=2, T=5, D=6, 3 groups", {"x": wide, "num_groups": 3, "eps": 0.25}),
        Case("B=3, T=2, D=4, 1 group", {"x": single, "num_groups": 1, "eps": 1e-5}),
        Case(
            "a group that does not vary, B=2, T=3, D=8, 2 groups",
            {"x": constant, "num_groups": 2, "eps": 1e-5},
        ),
        Case("one token, B=1, T=1, D=6, 2 groups", {"x": one_token, "num_groups": 2, "eps": 1e-5}),
        Case(
            "one feature, B=1, T=4, D=1, 1 group", {"x": one_feature, "num_groups": 1, "eps": 1e-5}
        ),
    )


def _group_by(
    axes: tuple[int, ...],
    correction: int = 0,
    root: TensorFunction = lambda variance, eps: torch.sqrt(variance + eps),
) -> TensorFunction:
    """Return a group norm with statistics over these axes of (B, T, groups, D / groups)."""

    def function(x: Tensor, num_groups: int, eps: float) -> Tensor:
        groups = torch.unflatten(x, -1, (num_groups, -1))
        variance, mean = torch.var_mean(groups, dim=axes, correction=correction, keepdim=True)
        return ((groups - mean) / root(variance, eps)).flatten(start_dim=2)

    return function


def _group_interleaved(x: Tensor, num_groups: int, eps: float) -> Tensor:
    groups = torch.unflatten(x, -1, (-1, num_groups))
    variance, mean = torch.var_mean(groups, dim=(1, 2), correction=0, keepdim=True)
    return ((groups - mean) / torch.sqrt(variance + eps)).flatten(start_dim=2)


def _group_by_plain_view(x: Tensor, num_groups: int, eps: float) -> Tensor:
    groups = x.reshape(x.shape[0], num_groups, -1)
    return norms.standardize(groups, eps=eps).view(x.shape)


_MISTAKES = mistakes(
    lambda x, num_groups, eps: norms.layer_norm(x, eps=eps),
    "You normalize each token by itself over all its features. That is layer normalization. Here a "
    "group also extends over all tokens of its sentence.",
    _group_by((3,)),
    "You split the features into groups, but each token has its own statistics. Average over the "
    "tokens of the sentence too.",
    _group_by((0, 1, 3)),
    "You compute the statistics over all sentences of the batch. Each sentence has its own.",
    lambda x, num_groups, eps: norms.instance_norm(x, eps=eps),
    "You treat each feature as a group. That is instance normalization. Here D / num_groups "
    "features have one mean and one variance.",
    lambda x, num_groups, eps: norms.group_norm(x, 1, eps=eps),
    "You treat all features of a sentence as one group. Split them into num_groups first.",
    _group_interleaved,
    "The groups are interleaved: features that are num_groups apart are in one group. Neighboring "
    "features should be. Split D into (num_groups, D / num_groups), in this order.",
    _group_by_plain_view,
    "Reshaping (B, T, D) directly to (B, num_groups, …) splits the tokens, because they come "
    "before the features in memory. Split the last axis instead.",
    _group_by((1, 3), correction=1),
    "This is the sample variance, divided by n − 1. Normalization divides by n.",
    _group_by((1, 3), root=lambda variance, eps: variance.sqrt() + eps),
    "You add ε to the standard deviation. Add it to the variance, inside the square root.",
    _group_by((1, 3), root=lambda variance, eps: torch.sqrt(variance + 1e-5)),
    "The groups are right, but you do not pass on `eps`, so the default 1e-5 is always used.",
    _group_by((1, 3), root=lambda variance, eps: variance + eps),
    "The square root is missing: divide by the standard deviation, not by the variance.",
)


def _group_by_torch(x: Tensor, num_groups: int, eps: float) -> Tensor:
    return torch.nn.functional.group_norm(x.mT, num_groups, eps=eps).mT


def _draw(draw: Draw) -> Inputs:
    groups = draw.size(1, 3)
    x = draw.normal(draw.size(), draw.size(2), groups * draw.size(1, 3), size=draw.choice(0.1, 1))
    return x, groups, draw.choice(1e-5, 1e-2, 0.3)


group_norm = Exercise(
    name="normalization.group_norm",
    reference=lambda x, num_groups, eps: norms.group_norm(x, num_groups, eps=eps),
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_group_by((1, 3)), _group_by_torch),
    draw=_draw,
    hint_texts=(
        "How many numbers have one common mean for 3 tokens, 4 features and 2 groups? Along which "
        "of the axes B, T and D are they?",
        "Split the last axis into two: (B, T, num_groups, D / num_groups). Compute mean and "
        "variance over the tokens and over the last of the four axes, and join the last two axes "
        "again at the end.",
        "groups = x.unflatten(-1, (num_groups, -1)); torch.var_mean(groups, dim=(1, 3), "
        "correction=0, keepdim=True) gives variance and mean; flatten(start_dim=2) joins.",
    ),
    starter='''\
def group_norm(x, num_groups, eps):
    """Normalize groups of neighboring features of x (B, T, D)."""
    raise NotImplementedError
''',
    remarks=(GRADIENT,),
)
