"""Break a translator on purpose: silent heads, no positions, a decoder without its mask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import NamedTuple

from torch import Tensor

from transformer_lite.layers.multi_head import MultiHeadAttention
from transformer_lite.layers.positions import PositionScheme
from transformer_lite.models.transformer import Transformer

#: The layers and kinds of the heads, by the name that the figure gives to each part.
PARTS = {
    "encoder": "encoder.layers.{}.self_attention",
    "self": "decoder.layers.{}.self_attention",
    "cross": "decoder.layers.{}.cross_attention",
}


class Head(NamedTuple):
    """Name a head of the encoder, the decoder ("self") or the cross-attention ("cross")."""

    part: str
    layer: int
    head: int


@contextmanager
def ablated(
    model: Transformer,
    silenced: Iterable[Head] = (),
    positions: bool = True,
    causal: bool = True,
) -> Iterator[Transformer]:
    """Break a model while the context is active. Decode it without a cache.

    Args:
        model: in evaluation mode.
        silenced: heads whose output is set to 0; they still attend.
        positions: False removes the positions on both sides.
        causal: False removes the decoder's mask: every token attends to all others.

    >>> from transformer_lite.models.build import build
    >>> from transformer_lite.models.config import TransformerConfig
    >>> import torch
    >>> model = build(TransformerConfig(7, 9, d_model=8, num_heads=2, d_ff=16)).eval()
    >>> ids = torch.tensor([[1, 2, 3]])
    >>> whole = model(ids, ids)
    >>> with ablated(model, [Head("cross", 0, 1)]):
    ...     bool((model(ids, ids) == whole).all())
    False
    """
    with ExitStack() as undo:
        for head in silenced:
            undo.enter_context(_silenced(model, Head(*head)))
        if not positions:
            for embedding in (model.src_embedding, model.tgt_embedding):
                undo.callback(setattr, embedding, "positions", embedding.positions)
                embedding.positions = PositionScheme()
        if not causal:
            undo.callback(delattr, model, "decode")
            object.__setattr__(model, "decode", partial(_decode_without_mask, model))
        yield model


@contextmanager
def _silenced(model: Transformer, name: Head) -> Iterator[None]:
    """Replace the output of a head by zeros before the output projection."""
    attention = model.get_submodule(PARTS[name.part].format(name.layer))
    assert isinstance(attention, MultiHeadAttention)
    width = attention.d_model // attention.num_heads
    columns = slice(name.head * width, (name.head + 1) * width)

    def silence(_: object, inputs: tuple[Tensor]) -> tuple[Tensor]:
        found = inputs[0].clone()
        found[..., columns] = 0
        return (found,)

    handle = attention.out_proj.register_forward_pre_hook(silence)
    try:
        yield
    finally:
        handle.remove()


def _decode_without_mask(
    model: Transformer,
    ids: Tensor,
    memory: Tensor,
    memory_mask: Tensor | None = None,
    cache: None = None,
) -> Tensor:
    """Return the logits after each token when all tokens attend to each other."""
    return model.output(model.decoder(model.tgt_embedding(ids), memory, None, memory_mask))
