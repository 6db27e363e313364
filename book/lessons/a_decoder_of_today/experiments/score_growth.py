"""How large attention scores become in training, with and without norms on queries and keys.

A decoder of two layers, width 32 and two heads, with rotary positions, learns to repeat: it reads
twelve random signs and has to write them again. Adam climbs to its rate in 20 steps and stays
there. "score" is the largest absolute score of the last step, before the softmax; "loss" is the
mean loss of the last 20 steps, in nats for each sign that is repeated; guessing costs ln 24 = 3.18.
With `norm` every query and every key of a head goes through an RMSNorm before it is rotated.
"""

from typing import cast

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_lite.layers import FeedForward, Linear, UnscaledEmbedding
from transformer_lite.layers.masks import look_ahead_mask
from transformer_lite.layers.multi_head import merge_heads, split_heads
from transformer_lite.layers.norms import RMSNorm
from transformer_lite.layers.positions import Rotary

GRID = {
    "rate": [0.003, 0.01, 0.03, 0.1],
    "norm": [0, 1],
    "seed": [0, 1, 2],
    "steps": [20, 300],
}
TOLERANCE = {"loss": 0.05, "score": 0.5}
WIDTH, HEADS, LAYERS, SIGNS, HALF, WARMUP = 32, 2, 2, 24, 12, 20


class Attention(nn.Module):
    """Causal attention that remembers its largest score."""

    def __init__(self, norm: bool) -> None:
        super().__init__()
        self.inputs = nn.ModuleList(Linear(WIDTH, WIDTH, bias=False) for _ in range(3))
        self.output, self.positions = Linear(WIDTH, WIDTH, bias=False), Rotary()
        width = WIDTH // HEADS
        self.norms = nn.ModuleList(RMSNorm(width) if norm else nn.Identity() for _ in range(2))
        self.largest = 0.0

    def forward(self, x: Float[Tensor, "B T D"]) -> Float[Tensor, "B T D"]:
        query, key, value = (split_heads(layer(x), HEADS) for layer in self.inputs)
        query, key = self.norms[0](query), self.norms[1](key)
        query, key = self.positions.rotate(query), self.positions.rotate(key)
        scores = query @ key.mT / query.shape[-1] ** 0.5
        self.largest = scores.detach().abs().max().item()
        hidden = ~look_ahead_mask(x.shape[1])
        return self.output(merge_heads(scores.masked_fill(hidden, -torch.inf).softmax(-1) @ value))


class Repeater(nn.Module):
    """A small decoder: pre-norm by RMS around attention and feed-forward layers."""

    def __init__(self, norm: bool) -> None:
        super().__init__()
        self.embedding = UnscaledEmbedding(SIGNS, WIDTH)
        self.attentions = nn.ModuleList(Attention(norm) for _ in range(LAYERS))
        self.hidden = nn.ModuleList(FeedForward(WIDTH, 4 * WIDTH, "gelu") for _ in range(LAYERS))
        self.norms = nn.ModuleList(RMSNorm(WIDTH) for _ in range(2 * LAYERS + 1))
        self.output = Linear(WIDTH, SIGNS, bias=False)

    def forward(self, ids: Int[Tensor, "B T"]) -> Float[Tensor, "B T V"]:
        x = self.embedding(ids)
        for i, (attention, hidden) in enumerate(zip(self.attentions, self.hidden, strict=True)):
            x = x + attention(self.norms[2 * i](x))
            x = x + hidden(self.norms[2 * i + 1](x))
        return self.output(self.norms[-1](x))


def point(rate: float, norm: int, seed: int, steps: int) -> dict[str, float]:
    """Train one decoder and return its loss and its largest score at the end."""
    torch.manual_seed(seed)
    model = Repeater(bool(norm))
    optimizer = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.95), weight_decay=0.0)
    losses = []
    for step in range(1, steps + 1):
        half = torch.randint(0, SIGNS, (32, HALF))
        ids = torch.cat([half, half], dim=1)
        logits = model(ids[:, :-1])[:, HALF - 1 :]
        loss = F.cross_entropy(logits.flatten(0, 1), half.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.param_groups[0]["lr"] = rate * min(1.0, step / WARMUP)
        optimizer.step()
        losses.append(loss.item())
    largest = max(cast(Attention, attention).largest for attention in model.attentions)
    return {"loss": sum(losses[-20:]) / len(losses[-20:]), "score": largest}
