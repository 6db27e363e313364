"""The gradient of negative sampling for one pair of words, without autograd."""

import torch
import torch.nn.functional as F
from torch import Tensor

from lessons.kit.exercises import (
    NO_AUTOGRAD,
    Case,
    Draw,
    Exercise,
    Inputs,
    mistakes,
    normal_numbers,
)

_normal = normal_numbers("words_as_vectors.pair_gradient")
Three = tuple[Tensor, Tensor, Tensor]


def _assembled(x: Tensor, came: Tensor, drawn: Tensor, pull: Tensor, push: Tensor) -> Three:
    """Return the gradients, from the slopes along the scores."""
    return pull * came + push @ drawn, pull * x, push[:, None] * x


def _reference(x: Tensor, came: Tensor, drawn: Tensor) -> Three:
    return _assembled(x, came, drawn, torch.sigmoid(x @ came) - 1, torch.sigmoid(drawn @ x))


def _cases() -> tuple[Case, ...]:
    def case(name: str, x: Tensor, came: Tensor, drawn: Tensor) -> Case:
        return Case(name, {"x": x, "came": came, "drawn": drawn})

    def random(
        count: int, width: int, size: float = 1.0, kind: torch.dtype = torch.float64
    ) -> Three:
        x, came = (size * _normal(width, dtype=kind) for _ in range(2))
        return x, came, size * _normal(count, width, dtype=kind)

    worked = torch.tensor([1.0, 2]), torch.tensor([0.5, 0]), torch.tensor([[-1.0, 1], [0, 0.5]])
    return (
        case("the pair of the chapter", *worked),
        case("three drawn, width 4", *random(3, 4, kind=torch.float32)),
        case("one drawn, width 3", *random(1, 3)),
        case("as many drawn as the width", *random(4, 4)),
        case("width 1", *random(2, 1)),
        case("scores of thousands", *random(3, 5, size=40.0)),
    )


def _by_autograd(x: Tensor, came: Tensor, drawn: Tensor) -> Three:
    leaves = tuple(t.clone().requires_grad_() for t in (x, came, drawn))
    loss = F.softplus(-leaves[0] @ leaves[1]) + F.softplus(leaves[2] @ leaves[0]).sum()
    first, second, third = torch.autograd.grad(loss, leaves)
    return first, second, third


def _sigmoids(x: Tensor, came: Tensor, drawn: Tensor) -> tuple[Tensor, Tensor]:
    return torch.sigmoid(x @ came), torch.sigmoid(drawn @ x)


def _all_pulled(x: Tensor, came: Tensor, drawn: Tensor) -> Three:
    first, others = _sigmoids(x, came, drawn)
    return _assembled(x, came, drawn, first - 1, others - 1)


def _only_came(x: Tensor, came: Tensor, drawn: Tensor) -> Three:
    first, others = _sigmoids(x, came, drawn)
    return (first - 1) * came, (first - 1) * x, others[:, None] * x


def _one_after_the_other(x: Tensor, came: Tensor, drawn: Tensor) -> Three:
    _, first, others = _reference(x, came, drawn)
    moved = came - first, drawn - others
    return _reference(x, *moved)[0], first, others


def _by_powers(x: Tensor, came: Tensor, drawn: Tensor) -> Three:
    def sigmoid(s: Tensor) -> Tensor:
        return s.exp() / (1 + s.exp())

    return _assembled(x, came, drawn, sigmoid(x @ came) - 1, sigmoid(drawn @ x))


def _softmax(x: Tensor, came: Tensor, drawn: Tensor) -> Three:
    p = torch.cat([(x @ came)[None], drawn @ x]).softmax(dim=0)
    return _assembled(x, came, drawn, p[0] - 1, p[1:])


_MISTAKES = mistakes(
    lambda x, came, drawn: tuple(-g for g in _reference(x, came, drawn)),
    "The signs are the other way round: this is the direction in which the loss falls.",
    lambda x, came, drawn: _assembled(x, came, drawn, *_sigmoids(x, came, drawn)),
    "For the word from the window the target is 1: the slope along its score is the sigmoid minus "
    "1.",
    _all_pulled,
    "The words that were drawn have the target 0: the slope along their scores is the sigmoid "
    "itself, and nothing is subtracted.",
    _only_came,
    "The middle word's vector is part of every score. Its gradient is a sum over the word from the "
    "window and all that were drawn.",
    _one_after_the_other,
    "The output vectors were moved before the gradient of x was taken. Take all three "
    "gradients at the same vectors.",
    _softmax,
    "This is a softmax over 1 + N words. Negative sampling asks N + 1 separate questions, each "
    "with its own sigmoid.",
    _by_powers,
    "exp overflows for a large score. Let torch.sigmoid do it.",
    _by_autograd,
    "Compute the gradients without autograd, from the sigmoids of the scores.",
)


def _all_at_once(x: Tensor, came: Tensor, drawn: Tensor) -> Three:
    table = torch.cat([came[None], drawn])
    slopes = torch.sigmoid(table @ x)
    slopes = torch.cat([slopes[:1] - 1, slopes[1:]])
    rows = torch.outer(slopes, x)
    return slopes @ table, rows[0], rows[1:]


def _by_the_other_side(x: Tensor, came: Tensor, drawn: Tensor) -> Three:
    pull, push = -torch.sigmoid(-(came * x).sum()), 1 - torch.sigmoid(-(drawn * x).sum(dim=1))
    return pull * came + (push[:, None] * drawn).sum(dim=0), pull * x, torch.outer(push, x)


def _draw(draw: Draw) -> Inputs:
    count, width, size = draw.size(), draw.size(), draw.scale()
    x, came = draw.normal(width, size=size), draw.normal(width)
    return x, came, draw.normal(count, width)


pair_gradient = Exercise(
    name="words_as_vectors.pair_gradient",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_all_at_once, _by_the_other_side),
    draw=_draw,
    hint_texts=(
        "Each score has a target: 1 for the word from the window, 0 for one that was drawn. What "
        "is the slope of −ln sigmoid(s) along s, and that of −ln sigmoid(−s)?",
        "The slope along a score is its sigmoid minus its target. A score is x · w, so w gets the "
        "slope times x, and x gets the sum of all slopes times their w.",
        "pull = torch.sigmoid(x @ came) - 1 and push = torch.sigmoid(drawn @ x). The three are "
        "pull * came + push @ drawn, pull * x and push[:, None] * x.",
    ),
    starter='''\
def pair_gradient(x, came, drawn):
    """Gradients of the loss for x (D,), came (D,) and drawn (N, D)."""
    ...  # return all three, without autograd
''',
    properties=(NO_AUTOGRAD,),
)
