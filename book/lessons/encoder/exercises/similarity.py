"""How alike the tokens of a sentence are: the mean cosine of all pairs, without the pads."""

import torch
import torch.nn.functional as F
from torch import Tensor

from lessons.encoder.exercises._shared import draw_batch, padded
from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("encoder.similarity")


def _cosines(x: Tensor) -> Tensor:
    unit = F.normalize(x, dim=-1)
    return unit @ unit.mT


def _pairs(real: Tensor) -> Tensor:
    """Say which pairs are two different real tokens."""
    other = ~torch.eye(real.shape[1], dtype=torch.bool)
    return real[:, :, None] & real[:, None, :] & other


def _similarity(x: Tensor, real: Tensor) -> Tensor:
    pairs = _pairs(real)
    return (_cosines(x) * pairs).sum(dim=(1, 2)) / pairs.sum(dim=(1, 2))


def _mean(table: Tensor, pairs: Tensor) -> Tensor:
    return (table * pairs).sum(dim=(1, 2)) / pairs.sum(dim=(1, 2))


def _case(name: str, lengths: list[int], width: int, dtype: torch.dtype = torch.float32) -> Case:
    return Case(name, padded(_normal, lengths, width, dtype=dtype))


_CASES = (
    Case(
        "three words and a pad, by hand",
        {
            "x": torch.tensor([[[3.0, 0], [3, 4], [0, 2], [7, 7]]]),
            "real": torch.tensor([[True, True, True, False]]),
        },
    ),
    _case("lengths 5 and 3, D=4", [5, 3], 4),
    _case("lengths 2, 6 and 4, D=3, in float64", [2, 6, 4], 3, torch.float64),
    _case("no pads, B=2, S=4, D=5", [4, 4], 5),
    _case("one feature, lengths 4 and 2", [4, 2], 1),
    Case(
        "a pad between words",
        {
            "x": _normal(1, 4, 3) * torch.tensor([1.0, 5, 1, 1])[None, :, None],
            "real": torch.tensor([[True, False, True, True]]),
        },
    ),
)


_MISTAKES = mistakes(
    lambda x, real: _mean(_cosines(x), real[:, :, None] & real[:, None, :]),
    "Each token is also compared with itself, and that cosine is 1. Leave the diagonal out.",
    lambda x, real: _mean(_cosines(x), _pairs(torch.ones_like(real))),
    "The pads are compared as well. Keep pairs of two real tokens.",
    lambda x, real: _mean(
        _cosines(x), _pairs(real) | (_pairs(real.new_ones(real.shape)) & real[:, :, None])
    ),
    "The pads are left out as rows but still counted as columns. A pair needs two real tokens.",
    lambda x, real: _mean(x @ x.mT, _pairs(real)),
    "These are dot products, whose size grows with the lengths of the vectors. Divide each "
    "vector by its length first.",
    lambda x, real: (_cosines(x) * _pairs(real)).sum(dim=(1, 2)) / real.sum(dim=1) ** 2,
    "The sum is divided by n². Without the diagonal there are n · (n − 1) pairs.",
    lambda x, real: (
        (_cosines(x) * _pairs(real)).sum(dim=(1, 2)) / (real.shape[1] ** 2 - real.shape[1])
    ),
    "The sum is divided by the pairs of the padded length. Count the real pairs of each sentence.",
    lambda x, real: (_cosines(x) * _pairs(real)).sum() / _pairs(real).sum().expand(len(x)),
    "All sentences are averaged together. Return one number for each sentence.",
)


def _from_the_sum(x: Tensor, real: Tensor) -> Tensor:
    unit = F.normalize(x, dim=-1) * real[..., None]
    count = real.sum(dim=1)
    return (unit.sum(dim=1).square().sum(dim=-1) - count) / (count * (count - 1))


def _sentence_by_sentence(x: Tensor, real: Tensor) -> Tensor:
    means = []
    for words, kept in zip(x, real, strict=True):
        table = _cosines(words[kept])
        rows, columns = torch.triu_indices(len(table), len(table), offset=1)
        means.append(table[rows, columns].mean())
    return torch.stack(means)


def _draw(draw: Draw) -> Inputs:
    return draw_batch(draw, 2)


similarity = Exercise(
    name="encoder.similarity",
    reference=_similarity,
    cases=_CASES,
    mistakes=_MISTAKES,
    right_answers=(_from_the_sum, _sentence_by_sentence),
    draw=_draw,
    hint_texts=(
        "The table of all cosines has shape (B, S, S). Which of its entries must not count?",
        "Divide each vector by its length and multiply with the transpose. Then build a boolean "
        "table of the pairs that count, and divide the sum over them by their number.",
        "pairs = real[:, :, None] & real[:, None, :] & ~torch.eye(x.shape[1]).bool(), and then "
        "(cosines * pairs).sum(dim=(1, 2)) / pairs.sum(dim=(1, 2)).",
    ),
    starter='''\
def similarity(x, real):
    """Mean cosine of all pairs of different real tokens, sentence by sentence.

    x (B, S, D), real (B, S) with two real tokens at least. Returns (B,).
    """
    raise NotImplementedError
''',
    remarks=(GRADIENT,),
)
