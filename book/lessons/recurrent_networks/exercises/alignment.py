"""Find the bug: weights that sum to 1 along the wrong axis."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.recurrent_networks.exercises._shared import draw_lengths_mask, real_of

_normal = normal_numbers("recurrent_networks.alignment")


def _hidden(energies: Tensor, real: Tensor) -> Tensor:
    return energies.masked_fill(~real[:, None], -torch.inf)


def _reference(energies: Tensor, real: Tensor) -> Tensor:
    return _hidden(energies, real).softmax(dim=2)


def _case(
    name: str, lengths: list[int], length: int, dtype: torch.dtype = torch.float32, size: float = 1
) -> Case:
    real = real_of(lengths)
    energies = size * _normal(len(lengths), length, max(lengths), dtype=dtype)
    top = energies.amax() + 1  # the largest energies are at the padding
    return Case(name, {"energies": torch.where(real[:, None], energies, top), "real": real})


_CASES = (
    Case(
        "one sentence: two target words, three source words",
        {
            "energies": torch.tensor([[[2.0, 0, 1], [0, 3, 0]]]),
            "real": torch.tensor([[True, True, True]]),
        },
    ),
    _case("lengths 4 and 2, three target words", [4, 2], 3),
    _case("lengths 1, 5 and 3, in float64", [1, 5, 3], 2, torch.float64),
    _case("as many sentences as source and target words", [4, 4, 4, 4], 4),
    _case("one target word, large energies", [3, 6], 1, size=300),
    _case("one source word", [1, 1], 3),
    Case(
        "energies far below 0",
        {
            "energies": torch.tensor([[[-3000.0, -3001, 5]]]),
            "real": torch.tensor([[True, True, False]]),
        },
    ),
)

_MISTAKES = mistakes(
    lambda e, real: _hidden(e, real).softmax(dim=0),
    "The softmax runs over the batch, so sentences compete with each other, and a single sentence "
    "gets weights of 1 everywhere. The source words are the last axis.",
    lambda e, real: _hidden(e, real).softmax(dim=1),
    "The softmax runs over the target words, so the columns sum to 1. Each row, a target word, has "
    "its own weights over the source, which must sum to 1.",
    lambda e, real: e.softmax(dim=2),
    "The axis is right, but the padding is no longer masked.",
    lambda e, real: e.softmax(dim=2) * real[:, None],
    "You mask the padding after the softmax, so a row with padding sums to less than 1. Mask it "
    "before the softmax.",
    lambda e, real: (e * real[:, None]).softmax(dim=2),
    "An energy of 0 does not mask: e to the power of 0 is 1. Use −∞ for padding.",
    lambda e, real: e.masked_fill(real[:, None], -torch.inf).softmax(dim=2),
    "The mask is inverted: the words are masked, and the padding is not.",
    lambda e, real: e.masked_fill(~real[:, None], -1000).softmax(dim=2),
    "−1000 masks padding only if the energies of the words are far above it. Use −∞.",
)


def _by_powers_below_the_largest(energies: Tensor, real: Tensor) -> Tensor:
    low = torch.where(real[:, None], energies, -torch.inf)
    powers = (low - low.amax(dim=-1, keepdim=True)).exp()
    return powers / powers.sum(dim=-1, keepdim=True)


def _over_the_words_alone(energies: Tensor, real: Tensor) -> Tensor:
    weights = torch.zeros_like(energies)
    for b, words in enumerate(real):
        weights[b][:, words] = energies[b][:, words].softmax(dim=-1)
    return weights


def _draw(draw: Draw) -> Inputs:
    batch, length, places = draw.size(), draw.size(), draw.size()
    energies = draw.normal(batch, length, places, size=draw.scale())
    return energies, draw_lengths_mask(draw, batch, places)


alignment = Exercise(
    name="recurrent_networks.alignment",
    reference=_reference,
    cases=_CASES,
    mistakes=_MISTAKES,
    right_answers=(_by_powers_below_the_largest, _over_the_words_alone),
    draw=_draw,
    hint_texts=(
        "Call it with a single sentence. What is the sum of the weights of its first target word?",
        "Of the axes B, T and S, one belongs to the words that compete for a target word's "
        "attention. Which one?",
        "softmax(dim=2), or dim=-1: the source words are the last axis.",
    ),
    starter='''\
def alignment(energies, real):
    """Weights of each target word over the source.

    energies (B, T, S), real (B, S). Returns (B, T, S).
    """
    hidden = energies.masked_fill(~real[:, None], -torch.inf)
    return hidden.softmax(dim=0)
''',
)
