"""The gradient of a softmax, from weights to scores."""

import torch
from torch import Tensor

from lessons.kit.exercises import (
    NO_SQUARE_TENSOR,
    Case,
    Draw,
    Exercise,
    Inputs,
    mistakes,
    normal_numbers,
)

_normal = normal_numbers("scaling.softmax_backward")


def _backward(weights: Tensor, upstream: Tensor) -> Tensor:
    mean = (weights * upstream).sum(dim=-1, keepdim=True)
    return weights * (upstream - mean)


def _cases() -> tuple[Case, ...]:
    def draw(t: int, s: int, dtype: torch.dtype = torch.float32) -> dict[str, Tensor]:
        weights = _normal(t, s, dtype=dtype).softmax(dim=-1)
        return {"weights": weights, "upstream": _normal(t, s, dtype=dtype)}

    worked = torch.tensor([[6.0, 4.0]]).softmax(dim=-1)
    return (
        Case(
            "the scores 6 and 4, where only the first weight matters",
            {"weights": worked, "upstream": torch.tensor([[1.0, 0.0]])},
        ),
        Case("random numbers, T=3, S=5", draw(3, 5)),
        Case("as many queries as keys, T=4, S=4", draw(4, 4)),
        Case("float64, T=6, S=2", draw(6, 2, dtype=torch.float64)),
        Case("one key, T=3, S=1", draw(3, 1)),
        Case("one query, T=1, S=7", draw(1, 7)),
    )


def _backward_with_jacobians(weights: Tensor, upstream: Tensor) -> Tensor:
    jacobians = torch.diag_embed(weights) - weights[:, :, None] * weights[:, None, :]
    return (jacobians @ upstream[:, :, None]).squeeze(-1)


_MISTAKES = mistakes(
    lambda a, g: a * (1 - a) * g,
    "Only the diagonal of the Jacobian is used. A score also moves the weights of all the "
    "other keys, with a slope of minus the product of the two weights.",
    lambda a, g: a * g,
    "The part that is subtracted is missing: what one weight gains, the others lose.",
    lambda a, g: a * (g - g.sum(dim=-1, keepdim=True)),
    "The sum that is subtracted is not weighted. Multiply each upstream gradient by the weight "
    "of its key.",
    lambda a, g: a * (g - (a * g).sum(dim=0, keepdim=True)),
    "The sum runs over the queries. Each row of weights is a separate softmax.",
    lambda a, g: a * (g - (a * g).sum(dim=-1)),
    "The sum has lost its axis, so it lines up with the keys instead of the queries. keepdim=True "
    "keeps one sum for each row.",
    lambda a, g: a - g,
    "Weights less targets is the gradient of the cross-entropy of a softmax. Here any loss may "
    "follow, and its gradient has arrived in upstream.",
    lambda a, g: _backward(a.softmax(dim=-1), g),
    "A second softmax is taken. The weights are a softmax already.",
    _backward_with_jacobians,
    "The Jacobian is built as a table, S × S for each row. Multiply it out on paper: its "
    "product with upstream needs rows of S numbers only.",
)


def _backward_in_two_parts(weights: Tensor, upstream: Tensor) -> Tensor:
    own = weights * upstream
    return own - weights * torch.einsum("ts->t", own)[:, None]


def _backward_row_by_row(weights: Tensor, upstream: Tensor) -> Tensor:
    rows = zip(weights, upstream, strict=True)
    return torch.stack([a * g - a * torch.dot(a, g) for a, g in rows])


def _draw(draw: Draw) -> Inputs:
    t, s = draw.size(), draw.size()
    return draw.normal(t, s, size=draw.choice(1, 3)).softmax(dim=-1), draw.normal(t, s)


softmax_backward = Exercise(
    name="scaling.softmax_backward",
    reference=_backward,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_backward_in_two_parts, _backward_row_by_row),
    draw=_draw,
    hint_texts=(
        "Write the Jacobian of one row as a table. What is its product with the upstream gradient "
        "of that row, entry by entry?",
        "Entry j is the weight of key j times a difference: its own upstream gradient minus the "
        "weighted mean of them all.",
        "The weighted mean of a row is (weights * upstream).sum(dim=-1, keepdim=True). Subtract "
        "it from upstream, and multiply by weights.",
    ),
    starter='''\
def softmax_backward(weights, upstream):
    """Turn the gradient of the weights into that of the scores, each (T, S)."""
    ...  # row by row it is the Jacobian times upstream
''',
    properties=(NO_SQUARE_TENSOR,),
)
