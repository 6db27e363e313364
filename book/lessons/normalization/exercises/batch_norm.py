"""Find the bug: PyTorch's batch normalization expects the features on the second axis."""

import torch
import torch.nn.functional as F
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.kit.exercises.outcome import TensorFunction
from transformer_lite.layers import norms

_normal = normal_numbers("normalization.batch_norm")


def _cases() -> tuple[Case, ...]:
    def draw(name: str, b: int, t: int, d: int, eps: float, **of: torch.dtype) -> Case:
        """Return features of different size, so that a mean over the wrong numbers is visible."""
        x = _normal(b, t, d, **of) + 4 * torch.arange(d)
        return Case(name, {"x": x, "eps": eps})

    batch = [
        [[2, 1, 4, 5], [6, 2, 3, 1], [1, 5, 2, 8]],
        [[3, 1, 7, 5], [7, 3, 1, 1], [2, 6, 4, 4]],
    ]
    table = torch.tensor(batch, dtype=torch.float32)
    return (
        Case("The cat sat and A dog ran, ε=1e-5", {"x": table, "eps": 1e-5}),
        draw("as many tokens as features, B=2, T=4, D=4", 2, 4, 4, 1e-5),
        draw("float64, ε=0.25, B=2, T=5, D=3", 2, 5, 3, 0.25, dtype=torch.float64),
        draw("one sentence, B=1, T=4, D=3", 1, 4, 3, 1e-5),
        draw("one token each, B=3, T=1, D=4", 3, 1, 4, 1e-5),
        draw("one feature, B=2, T=3, D=1", 2, 3, 1, 1e-5),
    )


def _by_torch(x: Tensor, eps: float) -> Tensor:
    return F.batch_norm(x, None, None, training=True, eps=eps)


def _over(
    axes: tuple[int, ...],
    root: TensorFunction = lambda variance, eps: torch.sqrt(variance + eps),
    correction: int = 0,
) -> TensorFunction:
    """Return a normalization with statistics over these axes of (B, T, D)."""

    def function(x: Tensor, eps: float) -> Tensor:
        variance, mean = torch.var_mean(x, dim=axes, correction=correction, keepdim=True)
        return (x - mean) / root(variance, eps)

    return function


_MISTAKES = mistakes(
    _by_torch,
    "PyTorch expects the features on the second axis, but here it contains the tokens. So each "
    "position got one mean over all sentences and features. Move the features to the second axis, "
    "and back afterwards.",
    lambda x, eps: _by_torch(x.mT, eps),
    "The features are on the right axis for PyTorch, but the result still has the shape (B, D, T). "
    "Swap the two axes back.",
    lambda x, eps: _by_torch(x.reshape(x.shape[0], x.shape[2], x.shape[1]), eps).view(x.shape),
    "Reshaping (B, T, D) to (B, D, T) does not swap axes. It keeps the order of the numbers and "
    "groups them differently, so different features get one mean. Transpose instead.",
    _over((2,)),
    "Each token is normalized over its own features. That is layer normalization.",
    _over((1,)),
    "You compute separate statistics for each sentence. That is instance normalization. Here, "
    "compute them over all sentences of the batch.",
    _over((0,)),
    "You compute separate statistics for each position. A feature has one mean, over the tokens at "
    "all positions.",
    _over((0, 1), correction=1),
    "This is the sample variance, divided by n − 1. Normalization divides by n.",
    _over((0, 1), lambda variance, eps: variance.sqrt() + eps),
    "You add ε to the standard deviation. Add it to the variance, inside the square root.",
    _over((0, 1), lambda variance, eps: torch.sqrt(variance + 1e-5)),
    "The axes are right, but you do not pass on `eps`, so the default 1e-5 is always used.",
)


def _draw(draw: Draw) -> Inputs:
    d = draw.size()
    x = draw.normal(draw.size(2), draw.size(2), d) + 3 * torch.arange(d)
    return x, draw.choice(1e-5, 1e-2, 0.3)


batch_norm = Exercise(
    name="normalization.batch_norm",
    reference=lambda x, eps: norms.batch_norm(x, eps=eps),
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(lambda x, eps: _by_torch(x.mT, eps).mT, _over((0, 1))),
    draw=_draw,
    hint_texts=(
        "How many means should there be for 3 tokens of 4 features, and how many are there? Look "
        "up which shape PyTorch's batch normalization expects.",
        "It expects (B, D, T): the features on the second axis. Which operation swaps the last two "
        "axes, and how do you restore the shape of the result?",
        "x.mT is (B, D, T). Normalize that, and write .mT after the closing bracket.",
    ),
    starter='''\
def batch_norm(x, eps):
    """Batch-normalize each feature of x (B, T, D)."""
    normalize = torch.nn.functional.batch_norm
    return normalize(x, None, None, training=True, eps=eps)
''',
    remarks=(GRADIENT,),
)
