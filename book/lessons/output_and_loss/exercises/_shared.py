"""What the exercises of output and loss share."""

import torch
from torch import Tensor


def surprise(logits: Tensor, labels: Tensor) -> Tensor:
    """−ln p of every label: (..., V), (...) -> (...)."""
    return -logits.log_softmax(dim=-1).gather(-1, labels[..., None]).squeeze(-1)


def labels_of(count: int, length: int, vocab: int) -> Tensor:
    """Labels that go through the vocabulary in jumps: (count, length)."""
    return (torch.arange(count * length) * 3 + 1).remainder(vocab).view(count, length)
