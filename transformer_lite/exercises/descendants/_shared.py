"""What the exercises of descendants share."""

import torch
from torch import Tensor, nn


class TiedModel(nn.Module):
    """A small model of words whose output reads its embedding's table.

    Args:
        table: the first weights of the embedding and of the output, (V, D).
        middle: the first weights of the layer between them, (D, D).
    """

    def __init__(self, table: Tensor, middle: Tensor) -> None:
        super().__init__()
        self.embedding = nn.Embedding.from_pretrained(table.clone(), freeze=False)
        with torch.random.fork_rng(devices=[]):  # a check leaves the reader's seed alone
            self.middle = nn.Linear(len(middle), len(middle), bias=False)
            self.output = nn.Linear(table.shape[1], len(table), bias=False)
        self.middle.weight = nn.Parameter(middle.clone())
        self.output.weight = self.embedding.weight

    def forward(self, ids: Tensor) -> Tensor:
        """Return logits (..., V) of what follows ids (...)."""
        logits: Tensor = self.output(self.middle(self.embedding(ids)))
        return logits
