"""What an encoder makes of a sentence, stage by stage: the numbers of the figure."""

import copy
from functools import cache
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from transformer_lite.models.encoder import EncoderLayer
from transformer_lite.models.inspection import record_attention
from transformer_lite.models.transformer import Transformer


class Stage(NamedTuple):
    """A sentence of S tokens on its way: at the embedding, or after a layer of H heads.

    `tokens`, `attention_added` and `forward_added` are (S, D), the weights (H, S, S). Nothing has
    looked and nothing was added at the embedding: there these are 0.
    """

    tokens: Tensor
    weights: Tensor
    attention_added: Tensor
    forward_added: Tensor

    def cosines(self) -> Tensor:
        """Return the cosine of each token with each, shape (S, S)."""
        unit = F.normalize(self.tokens, dim=-1)
        return unit @ unit.mT

    def likeness(self) -> float:
        """Return the mean cosine of two different tokens; 0 for a token alone."""
        count = len(self.tokens)
        pairs = self.cosines()[~torch.eye(count, dtype=torch.bool)]
        return pairs.mean().item() if count > 1 else 0.0

    def looked_at(self) -> float:
        """Return how many tokens one looks at, the mean of exp(entropy); 0 where none looked."""
        if not self.weights.any():
            return 0.0
        entropy = torch.special.entr(self.weights).sum(dim=-1)
        return entropy.exp().mean().item()

    def length(self) -> float:
        """Return the mean length of the tokens."""
        return self.tokens.norm(dim=-1).mean().item()


@cache
def in_float64(model: Transformer) -> Transformer:
    """Return a copy of a model that computes in float64."""
    return copy.deepcopy(model).double().eval()


@torch.no_grad()
def climb(model: Transformer, ids: list[int]) -> list[Stage]:
    """Return every stage of a sentence in a pre-norm encoder, the embedding first.

    Args:
        model: an encoder–decoder whose residual recipe is pre-norm.
        ids: the tokens, at least one.
    """
    exact = in_float64(model)
    layers = [layer for layer in exact.encoder.modules() if isinstance(layer, EncoderLayer)]
    x = exact.src_embedding(torch.tensor([ids]))
    nobody = torch.zeros_like(_weights(layers[0], x))
    stages = [Stage(x[0], nobody, torch.zeros_like(x[0]), torch.zeros_like(x[0]))]
    for layer in layers:
        stages.append(_after(layer, x))
        x = stages[-1].tokens[None]
    return stages


def _weights(layer: EncoderLayer, x: Tensor) -> Tensor:
    """Return the attention weights (H, S, S) of a layer, for tokens of shape (1, S, D)."""
    return next(iter(record_attention(layer, x).weights.values()))[0]


def _after(layer: EncoderLayer, x: Tensor) -> Stage:
    """Return the stage after one layer, for tokens of shape (1, S, D)."""
    seen = layer.self_attention_residual(x, layer.self_attention)
    done = layer.feed_forward_residual(seen, layer.feed_forward)
    return Stage(done[0], _weights(layer, x), (seen - x)[0], (done - seen)[0])
