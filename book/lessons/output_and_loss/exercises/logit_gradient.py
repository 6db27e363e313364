"""Compute the gradient of the loss with respect to the logits, without autograd."""

import torch
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

_normal = normal_numbers("output_and_loss.logit_gradient")


def _one_hot(logits: Tensor, labels: Tensor) -> Tensor:
    return (labels[:, None] == torch.arange(logits.shape[1])).to(logits.dtype)


def _target(logits: Tensor, labels: Tensor, share: float) -> Tensor:
    return (1 - share) * _one_hot(logits, labels) + share / logits.shape[1]


def _reference(logits: Tensor, labels: Tensor, label_smoothing: float) -> Tensor:
    return (logits.softmax(dim=1) - _target(logits, labels, label_smoothing)) / len(labels)


def _cases() -> tuple[Case, ...]:
    worked = torch.tensor([[1.0, 3, -2, -1, 1, 0]])

    def case(name: str, logits: Tensor, labels: list[int], share: float) -> Case:
        inputs = {"logits": logits, "labels": torch.tensor(labels), "label_smoothing": share}
        return Case(name, inputs)

    return (
        case("one word, as in the chapter", worked, [1], 0.0),
        case("the same with label smoothing 0.1", worked, [1], 0.1),
        case("three words, V=5", _normal(3, 5), [4, 0, 0], 0.0),
        case("four words, V=4, smoothing 0.2", _normal(4, 4), [3, 1, 2, 1], 0.2),
        case("float64, smoothing 0.4", _normal(5, 3, dtype=torch.float64), [2, 0, 1, 1, 2], 0.4),
        case("logits of thousands", 1000 * _normal(2, 4, dtype=torch.float64), [1, 3], 0.1),
        case("a vocabulary of one word", _normal(3, 1), [0, 0, 0], 0.3),
    )


def _by_autograd(logits: Tensor, labels: Tensor, share: float) -> Tensor:
    leaf = logits.clone().requires_grad_()
    loss = torch.nn.functional.cross_entropy(leaf, labels, label_smoothing=share)
    return torch.autograd.grad(loss, leaf)[0]


def _others_only(logits: Tensor, labels: Tensor, share: float, others: int | Tensor) -> Tensor:
    hot = _one_hot(logits, labels)
    target = (1 - share) * hot + (1 - hot) * (share / others)
    return (logits.softmax(dim=1) - target) / len(labels)


_OTHERS = (
    "You spread label_smoothing over the other words only. Spread it over all V words, including "
    "the right one, as in PyTorch{}."
)


def _by_powers(logits: Tensor, labels: Tensor, share: float) -> Tensor:
    powers = logits.exp()
    p = powers / powers.sum(dim=1, keepdim=True)
    return (p - _target(logits, labels, share)) / len(labels)


_MISTAKES = mistakes(
    lambda z, t, share: -_reference(z, t, share),
    "The signs are reversed. Without smoothing the gradient at the right word is negative: the "
    "loss falls when that logit rises.",
    lambda z, t, share: len(t) * _reference(z, t, share),
    "This is the gradient of the sum of the losses. For their mean, divide by the number of words.",
    lambda z, t, share: _reference(z, t, 0.0),
    "label_smoothing is not used: the target is still one-hot.",
    lambda z, t, share: _others_only(z, t, share, z.shape[1] - 1),
    _OTHERS.format(": with V = 1, dividing by V − 1 is dividing by 0"),
    lambda z, t, share: _others_only(z, t, share, z.new_tensor(z.shape[1] - 1)),
    _OTHERS.format(": with V = 1 there are no other words, and 0 / 0 is NaN"),
    lambda z, t, share: _others_only(z, t, share, max(z.shape[1] - 1, 1)),
    _OTHERS.format(""),
    lambda z, t, share: z.softmax(dim=1) / len(t),
    "These are the probabilities alone. Subtract the target.",
    lambda z, t, share: (z.softmax(dim=0) - _target(z, t, share)) / len(t),
    "The softmax runs down the columns. Each row contains the logits of one word.",
    _by_powers,
    "exp overflows for large logits. Let softmax do it: it subtracts the largest one first.",
    _by_autograd,
    "You used autograd. Compute the gradient from p and the target.",
)


def _subtracting_at_the_labels(logits: Tensor, labels: Tensor, label_smoothing: float) -> Tensor:
    gradient = logits.softmax(dim=-1) - label_smoothing / logits.shape[-1]
    gradient[torch.arange(len(labels)), labels] -= 1 - label_smoothing
    return gradient / len(labels)


def _draw(draw: Draw) -> Inputs:
    count, vocab = draw.size(), draw.size()
    labels = torch.tensor([draw.size(0, vocab - 1) for _ in range(count)])
    share = draw.choice(0.0, 0.1, 0.3, 0.6)
    return draw.normal(count, vocab, size=draw.scale()), labels, share


logit_gradient = Exercise(
    name="output_and_loss.logit_gradient",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(
        lambda z, t, share: z.softmax(-1).sub(_target(z, t, share)).div(z.shape[0]),
        _subtracting_at_the_labels,
    ),
    draw=_draw,
    hint_texts=(
        "For one word it is p − y. What replaces y when the labels are smoothed? And what does the "
        "mean over N words do to a gradient?",
        "Apply softmax along the last axis. Subtract label_smoothing / V everywhere, and another 1 "
        "− label_smoothing at the labels.",
        "hot = torch.nn.functional.one_hot(labels, logits.shape[1]).to(logits), and target = "
        "(1 - label_smoothing) * hot + label_smoothing / logits.shape[1]. Subtract it from the "
        "softmax and divide by len(labels).",
    ),
    starter='''\
def logit_gradient(logits, labels, label_smoothing):
    """Gradient of the mean loss: logits (N, V), labels (N,) -> (N, V)."""
    ...  # without autograd
''',
    properties=(NO_AUTOGRAD,),
)
