"""What an encoder makes of a sentence, stage by stage: the numbers of the figure."""

from collections.abc import Iterable
from typing import NamedTuple

import torch
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


@torch.no_grad()
def climb(model: Transformer, ids: list[int]) -> list[Stage]:
    """Return every stage of a sentence in a pre-norm encoder, the embedding first.

    Args:
        model: an encoder–decoder whose residual recipe is pre-norm, in evaluation mode.
        ids: the tokens, at least one.
    """
    layers = [layer for layer in model.encoder.modules() if isinstance(layer, EncoderLayer)]
    x = model.src_embedding(torch.tensor([ids]))
    nobody = torch.zeros_like(_weights(layers[0], x))
    stages = [Stage(x[0], nobody, torch.zeros_like(x[0]), torch.zeros_like(x[0]))]
    for layer in layers:
        stages.append(_after(layer, x))
        x = stages[-1].tokens[None]
    return stages


def stage_similarities(
    first: list[Stage], second: list[Stage], places: Iterable[tuple[int, int]]
) -> Tensor:
    """Return the mean cosine of a token of one sentence and one of another, stage by stage.

    Args:
        first, second: the climbs of the two sentences through L layers; they may be one.
        places: pairs of places, at least one: where in the first, and where in the second.

    Returns:
        Shape (L + 1,), the embedding first.
    """
    here, there = (list(ends) for ends in zip(*places, strict=True))
    cosines = [
        torch.cosine_similarity(a.tokens[here], b.tokens[there], dim=-1)
        for a, b in zip(first, second, strict=True)
    ]
    return torch.stack(cosines).mean(dim=-1)


def _weights(layer: EncoderLayer, x: Tensor) -> Tensor:
    """Return the attention weights (H, S, S) of a layer, for tokens of shape (1, S, D)."""
    return next(iter(record_attention(layer, x).weights.values()))[0]


def _after(layer: EncoderLayer, x: Tensor) -> Stage:
    """Return the stage after one layer, for tokens of shape (1, S, D)."""
    seen = layer.self_attention_residual(x, layer.self_attention)
    done = layer.feed_forward_residual(seen, layer.feed_forward)
    return Stage(done[0], _weights(layer, x), (seen - x)[0], (done - seen)[0])
