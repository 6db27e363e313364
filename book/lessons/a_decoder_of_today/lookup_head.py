"""One attention head that looks things up, and often finds nothing.

It reads letters. At each letter it should return what followed the same letter earlier in the text,
and zeros if this letter has not occurred before.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from transformer_lite.checks import check_size
from transformer_lite.layers.masks import look_ahead_mask

LETTERS, LENGTH = 12, 20
START, BEFORE = 0, LETTERS + 1  # the start token, and what comes before the first token


def draw_texts(
    count: int, generator: torch.Generator, start: bool = True
) -> Int[Tensor, "{count} T"]:
    """Draw random texts of 20 tokens: letters from 1 to 12, after a start token if `start`.

    Raises:
        TypeError: `count` is not an int.
        ValueError: `count` is below 1.
    """
    check_size("count", count)
    texts = torch.randint(1, LETTERS + 1, (count, LENGTH), generator=generator)
    if start:
        texts[:, 0] = START
    return texts


def wanted(texts: Int[Tensor, "B T"]) -> tuple[Float[Tensor, "B T V"], Bool[Tensor, "B T"]]:
    """Return what the head should return, and where it finds something.

    A letter that occurred more than once before wants the mean of what followed it.
    """
    before = F.pad(texts[:, :-1], (1, 0), value=BEFORE)
    same = (texts[:, :, None] == before[:, None]) & look_ahead_mask(texts.shape[1])
    followed = F.one_hot(texts, LETTERS + 1)[..., 1:].float()
    found = same.float()
    return found @ followed / found.sum(-1, keepdim=True).clamp(min=1), same.any(dim=-1)


class LookupHead(nn.Module):
    """A head whose query is made from a token, and its keys from the tokens before the keys.

    Args:
        sink: whether the softmax has one more score, which is learned and has no value.

    Reference: the score without a value is that of gpt-oss, OpenAI 2025.
    """

    def __init__(self, sink: bool = False) -> None:
        super().__init__()
        self.query = nn.Embedding(LETTERS + 1, 12)
        self.key = nn.Embedding(LETTERS + 2, 12)
        self.value = nn.Embedding(LETTERS + 1, LETTERS)
        for table in (self.query, self.key, self.value):
            nn.init.normal_(table.weight, std=0.3)
        self.sink = nn.Parameter(torch.zeros(1)) if sink else None

    def weights(
        self, texts: Int[Tensor, "B T"], mask: Bool[Tensor, "T T"]
    ) -> Float[Tensor, "B T T"]:
        """Return the attention weights; with a sink they sum to less than 1."""
        before = F.pad(texts[:, :-1], (1, 0), value=BEFORE)
        scores = self.query(texts) @ self.key(before).mT
        scores = scores.masked_fill(~mask, -torch.inf)
        if self.sink is None:
            return scores.softmax(dim=-1)
        sink = self.sink.expand(*scores.shape[:-1], 1)
        return torch.cat([scores, sink], dim=-1).softmax(dim=-1)[..., :-1]

    def forward(
        self, texts: Int[Tensor, "B T"], mask: Bool[Tensor, "T T"] | None = None
    ) -> Float[Tensor, "B T V"]:
        """Return the weighted values; without a mask a token attends to all up to itself."""
        mask = look_ahead_mask(texts.shape[1]) if mask is None else mask
        return self.weights(texts, mask) @ self.value(texts)
