"""Find the bug: two convolutions of width 1 that reshape where they should transpose."""

import torch
import torch.nn.functional as F
from torch import Tensor

from lessons.feed_forward.exercises._shared import (
    SENTENCE,
    WEIGHTS,
    feed_forward,
    random_weights,
)
from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("feed_forward.by_convolution")


def _convolved(x: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor) -> Tensor:
    """Return the two maps over tokens with the features first: (B, D, T) -> (B, D, T)."""
    hidden = torch.relu(torch.conv1d(x, w1.T[:, :, None], b1))
    return torch.conv1d(hidden, w2.T[:, :, None], b2)


def _token_case(
    name: str, batch: int, length: int, width: int, hidden: int, dtype: torch.dtype = torch.float32
) -> Case:
    tokens = _normal(batch, length, width, dtype=dtype)
    return Case(name, {"x": tokens, **random_weights(_normal, width, hidden, dtype)})


_CASES = (
    Case("Je suis étudiant, by hand", {"x": SENTENCE[None], **WEIGHTS}),
    _token_case("B=2, T=4, D=3, M=6", 2, 4, 3, 6),
    _token_case("B=3, T=2, D=5, M=4, in float64", 3, 2, 5, 4, torch.float64),
    _token_case("T equal to D, B=2, T=4, D=4, M=5", 2, 4, 4, 5),
    _token_case("sentences of one word, B=3, T=1, D=2, M=4", 3, 1, 2, 4),
    _token_case("one feature, B=2, T=3, D=1, M=2", 2, 3, 1, 2),
)


def _reshaped_both_ways(x: Tensor, *weights: Tensor) -> Tensor:
    batch, length, width = x.shape
    return _convolved(x.reshape(batch, width, length), *weights).reshape(batch, length, width)


def _reshaped_in(x: Tensor, *weights: Tensor) -> Tensor:
    batch, length, width = x.shape
    return _convolved(x.reshape(batch, width, length), *weights).transpose(1, 2)


def _reshaped_out(x: Tensor, *weights: Tensor) -> Tensor:
    return _convolved(x.transpose(1, 2), *weights).reshape(x.shape)


def _one_long_sentence(x: Tensor, *weights: Tensor) -> Tensor:
    channels = x.transpose(0, 1).reshape(1, -1, x.shape[-1]).transpose(1, 2)
    return _convolved(channels, *weights).transpose(1, 2).reshape(x.shape)


_MISTAKES = mistakes(
    _reshaped_both_ways,
    "reshape keeps the order of the numbers and only groups them differently, so a column of "
    "channels contains numbers of different words. Swap the two axes with another operation, both "
    "before and after the convolutions.",
    _reshaped_in,
    "You swap the axes after the convolutions, but still reshape before them. Swap them there too.",
    _reshaped_out,
    "You swap the axes before the convolutions, but still reshape after them. Swap them back.",
    lambda x, *weights: _convolved(x.transpose(1, 2), *weights),
    "The features still come before the positions. Swap the axes back at the end.",
    _one_long_sentence,
    "You join the sentences position by position but split them sentence by sentence, so words end "
    "up in the wrong sentence.",
    lambda x, w1, b1, w2, b2: torch.relu((x @ w1 + b1) @ w2 + b2),
    "The ReLU comes after the second map, so the output is never negative and the two maps act as "
    "one.",
    lambda x, w1, b1, w2, b2: (x @ w1 + b1) @ w2 + b2,
    "There is no ReLU between the two maps.",
)


def _draw(draw: Draw) -> Inputs:
    b, t, d, m = draw.size(), draw.size(), draw.size(), draw.size()
    weights = draw.normal(d, m), draw.normal(m), draw.normal(m, d), draw.normal(d)
    return draw.normal(b, t, d), *weights


by_convolution = Exercise(
    name="feed_forward.by_convolution",
    reference=feed_forward,
    cases=_CASES,
    mistakes=_MISTAKES,
    right_answers=(
        lambda x, *weights: _convolved(x.mT, *weights).mT,
        lambda x, w1, b1, w2, b2: F.linear(F.linear(x, w1.T, b1).clamp(min=0), w2.T, b2),
    ),
    draw=_draw,
    hint_texts=(
        "Print channels for Je suis étudiant. Which words do the numbers of its first column, "
        "channels[0, :, 0], come from?",
        "Both calls of reshape should swap the last two axes. reshape does not swap axes. Which "
        "method does?",
        "channels = x.transpose(1, 2), and at the end return output.transpose(1, 2).",
    ),
    starter='''\
def by_convolution(x, w1, b1, w2, b2):
    """The layer as two convolutions of kernel size 1: x is (B, T, D)."""
    batch, length, width = x.shape
    channels = x.reshape(batch, width, length)
    hidden = torch.relu(torch.conv1d(channels, w1.T[:, :, None], b1))
    output = torch.conv1d(hidden, w2.T[:, :, None], b2)
    return output.reshape(batch, length, width)
''',
    remarks=(GRADIENT,),
)
