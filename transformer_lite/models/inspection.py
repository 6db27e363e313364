"""Look inside a model while it runs: who attended to whom, in every layer and head."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lite.layers.multi_head import MultiHeadAttention


class AttentionRecord(NamedTuple):
    """What a forward pass returned, and the weights of every attention in it, by its name."""

    output: object
    weights: dict[str, Float[Tensor, "B H T S"]]


def record_attention(model: nn.Module, *args: object, **kwargs: object) -> AttentionRecord:
    """Run ``model(*args, **kwargs)`` and collect the weights of all its attentions.

    The model runs as always, through its fused attention. Behind each one the weights are
    computed once more, step by step, from the same inputs.

    Args:
        model: any module with :class:`MultiHeadAttention` inside.
        args, kwargs: what the model is called with; without a cache.

    Returns:
        :class:`AttentionRecord`. `weights` maps names such as "decoder.layers.0.cross_attention"
        to tensors of shape (B, H, T, S), detached, in the order in which they were computed.

    Raises:
        TypeError: `model` is not a module.
        ValueError: `model` holds no attention, or a cache is in use.

    >>> record_attention(MultiHeadAttention(8, 2), torch.zeros(1, 3, 8)).weights[""].shape
    torch.Size([1, 2, 3, 3])
    """
    if not isinstance(model, nn.Module):
        raise TypeError(f"model must be a torch.nn.Module, got {type(model).__name__}")
    attentions = {
        name: module
        for name, module in model.named_modules()
        if isinstance(module, MultiHeadAttention)
    }
    if not attentions:
        raise ValueError(f"model must hold a MultiHeadAttention, got {type(model).__name__}")
    weights: dict[str, Tensor] = {}

    def hook_for(name: str) -> Callable[..., None]:
        @torch.no_grad()
        def hook(
            module: MultiHeadAttention,
            inputs: tuple[Any, ...],
            named_inputs: dict[str, Any],
            output: Tensor,
        ) -> None:
            if named_inputs.pop("cache", None) is not None or (len(inputs) > 3 and inputs[3]):
                raise ValueError("record_attention needs a forward pass without a cache, got one")
            weights[name] = module.steps(*inputs[:3], **named_inputs).weights

        return hook

    handles = [
        module.register_forward_hook(hook_for(name), with_kwargs=True)
        for name, module in attentions.items()
    ]
    try:
        return AttentionRecord(model(*args, **kwargs), weights)
    finally:
        for handle in handles:
            handle.remove()
