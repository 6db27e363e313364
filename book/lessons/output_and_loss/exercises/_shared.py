"""Share code between the exercises on output and loss."""

import torch
from torch import Tensor

from lessons.kit.exercises import Draw


def surprise(logits: Tensor, labels: Tensor) -> Tensor:
    """−ln p of every label: (..., V), (...) -> (...)."""
    return -logits.log_softmax(dim=-1).gather(-1, labels[..., None]).squeeze(-1)


def labels_of(count: int, length: int, vocab: int) -> Tensor:
    """Return labels that step through the vocabulary: (count, length)."""
    return (torch.arange(count * length) * 3 + 1).remainder(vocab).view(count, length)


def _with_a_word(ids: Tensor, pad: int) -> Tensor:
    """Return the same ids with a word at the last position of the first row."""
    ids[0, -1] = (pad + 1) % 2 if pad in (0, 1) else 0
    return ids


def draw_ids(draw: Draw, batch: int, length: int, vocab: int) -> tuple[Tensor, int]:
    pad = draw.choice(0, 0, vocab - 1)
    ids = [[draw.choice(pad, *range(vocab)) for _ in range(length)] for _ in range(batch)]
    return _with_a_word(torch.tensor(ids), pad), pad
