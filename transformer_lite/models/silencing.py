"""Ablate parts of a model while it runs: heads and whole layers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from transformer_lite.models.decoder import DecoderLayer
from transformer_lite.models.encoder import EncoderLayer
from transformer_lite.models.inspection import attentions_of, hooked, named_parts


def silence_heads(
    model: nn.Module, heads: Iterable[tuple[int | str, int]]
) -> AbstractContextManager[None]:
    """Ablate heads inside a ``with`` block: their outputs are set to 0 before W^O.

    That is as if the head's columns of W^O were 0. It differs from scores of 0, with which a head
    returns the mean of all values. The model itself is not changed.

    Args:
        model: any module with :class:`MultiHeadAttention` inside.
        heads: pairs (layer, head). A layer is a number from 0 if the model has one attention per
            layer; otherwise it is the attention's name, as in :func:`record_attention`, such as
            "decoder.layers.0.cross_attention".

    Raises:
        TypeError: `model` is not a module, or `heads` are not such pairs.
        ValueError: `model` holds no attention, there is no such layer or head, or the attention
            is shared by several layers.

    Reference: Michel, Levy and Neubig 2019; Voita et al. 2019.

    >>> from transformer_lite.layers import MultiHeadAttention
    >>> attention = MultiHeadAttention(8, 2, bias=False)
    >>> with silence_heads(attention, [(0, 0), (0, 1)]):
    ...     print(bool(attention(torch.ones(1, 3, 8)).any()))
    False
    """
    attentions = attentions_of(model)
    silent: dict[str, set[int]] = {}
    for pair in _pairs(heads):
        name = _named("heads", pair[0], attentions)
        count = attentions[name].num_heads
        if not 0 <= pair[1] < count:
            raise ValueError(f"heads of {name or 'the model'} go from 0 to {count - 1}, got {pair}")
        silent.setdefault(name, set()).add(pair[1])
    return hooked(
        partial(
            attentions[name].out_proj.register_forward_pre_hook,
            _without(numbers, attentions[name].num_heads),
        )
        for name, numbers in silent.items()
    )


def silence_layers(model: nn.Module, layers: Iterable[int | str]) -> AbstractContextManager[None]:
    """Ablate layers inside a ``with`` block: their attention and feed-forward return 0.

    A pre-norm layer then returns its input. The norms of a post-norm layer remain.

    Args:
        model: any module with :class:`EncoderLayer` or :class:`DecoderLayer` inside.
        layers: the numbers of the layers, from 0, if the model has one stack; otherwise their
            names, such as "decoder.layers.0".

    Raises:
        TypeError: `model` is not a module, or `layers` are neither numbers nor names.
        ValueError: `model` holds no layer, there is no such one, or several share it.

    >>> from transformer_lite.layers import FeedForward, MultiHeadAttention, PreNorm
    >>> parts = MultiHeadAttention(8, 2), FeedForward(8, 32), lambda: PreNorm(nn.LayerNorm(8))
    >>> layer, x = EncoderLayer(*parts), torch.ones(1, 3, 8)
    >>> with silence_layers(layer, [0]):
    ...     print(bool((layer(x) == x).all()))
    True
    """
    stack = named_parts(model, EncoderLayer, DecoderLayer)
    if not stack:
        came = type(model).__name__
        raise ValueError(f"model must hold an EncoderLayer or a DecoderLayer, got {came}")
    if isinstance(layers, str) or not isinstance(layers, Iterable):
        raise TypeError(f"layers must be a list of numbers or names, got {layers!r:.60}")
    chosen = [_named("layers", layer, stack) for layer in layers]
    return hooked(
        partial(part.register_forward_hook, _nothing)
        for name in dict.fromkeys(chosen)
        for part in (
            stack[name].self_attention,
            getattr(stack[name], "cross_attention", None),
            stack[name].feed_forward,
        )
        if part is not None
    )


def _without(numbers: set[int], num_heads: int) -> Callable[..., tuple[Tensor]]:
    """Return a hook that sets these heads to 0 before they are projected."""

    def hook(_: nn.Module, inputs: tuple[Tensor]) -> tuple[Tensor]:
        heads = inputs[0].unflatten(-1, (num_heads, -1))
        silent = [[head in numbers] for head in range(num_heads)]
        return (heads.masked_fill(torch.tensor(silent, device=heads.device), 0.0).flatten(-2),)

    return hook


def _nothing(_: nn.Module, inputs: Any, output: Tensor) -> Tensor:
    return torch.zeros_like(output)


def _pairs(heads: Iterable[tuple[int | str, int]]) -> list[tuple[int | str, int]]:
    """Return pairs of a layer and the number of a head."""
    rule = "heads must be a list of pairs (layer, head), got"
    if isinstance(heads, str) or not isinstance(heads, Iterable):
        raise TypeError(f"{rule} {heads!r:.60}")
    pairs = list(heads)
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2 or type(pair[1]) is not int:
            raise TypeError(f"{rule} one that is {pair!r:.60}")
    return pairs


def _named(rule: str, place: int | str, parts: Mapping[str, object]) -> str:
    """Return the name of a layer that is not shared, given by its name or number."""
    name = _find(rule, place, parts)
    shared = [other for other in parts if other != name and parts[other] is parts[name]]
    if shared:
        raise ValueError(
            f"{rule} must be of a layer with its own weights, got {name}, which is also "
            f"{', '.join(shared)}; replace it by copy.deepcopy of the layer to ablate it alone"
        )
    return name


def _find(rule: str, place: int | str, names: Mapping[str, object]) -> str:
    """Return the name of a layer, given by its name or by its number in the only stack."""
    if isinstance(place, str) and place in names:
        return place
    if type(place) is int:
        if len({re.sub(r"\d+", "{}", name) for name in names}) > 1:
            raise ValueError(
                f"{rule} must tell layers by name where there is more than one stack, got {place}; "
                f"the names are {', '.join(names)}"
            )
        if 0 <= place < len(names):
            return list(names)[place]
    if not isinstance(place, int | str) or isinstance(place, bool):
        raise TypeError(f"{rule} must tell layers by number or name, got {place!r:.60}")
    known = ", ".join(name or "''" for name in names)
    raise ValueError(
        f"{rule} must be in layers 0 to {len(names) - 1}, named {known}, got {place!r}"
    )
