"""Take over modules of PyTorch, with their weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from transformer_lite.layers.feed_forward import FeedForward
from transformer_lite.layers.multi_head import MultiHeadAttention
from transformer_lite.layers.norms import LayerNorm, RMSNorm
from transformer_lite.layers.residual import PostNorm, PreNorm, Residual
from transformer_lite.models.conversion import copy_weights, require
from transformer_lite.models.decoder import Decoder, DecoderLayer
from transformer_lite.models.encoder import Encoder, EncoderLayer

# From a module of PyTorch, whose attributes have no types, to ours.
Conversion = Callable[[Any], nn.Module]


def from_torch(module: nn.Module) -> nn.Module:
    """Return this package's form of a PyTorch module: same weights, same outputs.

    The masks differ: PyTorch's True hides, ours allows. And tokens always come as (B, T, D),
    whatever the module's `batch_first` says.

    Args:
        module: of ``torch.nn``: MultiheadAttention, TransformerEncoderLayer, TransformerEncoder,
            TransformerDecoderLayer, TransformerDecoder, LayerNorm or RMSNorm.

    Returns:
        A new module with copies of the weights, in the dtype, device and mode of `module`.

    Raises:
        TypeError: `module` is of another class.
        ValueError: `module` has an option that this package does not have.

    >>> from_torch(nn.MultiheadAttention(8, 2))(torch.zeros(1, 3, 8)).shape
    torch.Size([1, 3, 8])
    """
    for kind, convert in CONVERSIONS.items():
        if type(module) is kind:
            return convert(module).train(module.training)
    names = ", ".join(kind.__name__ for kind in CONVERSIONS)
    raise TypeError(f"module must be one of torch.nn's {names}, got {type(module).__name__}")


def _attention(module: nn.MultiheadAttention) -> MultiHeadAttention:
    widths = (module.kdim, module.vdim, module.embed_dim)
    require(len(set(widths)) == 1, "kdim and vdim must equal embed_dim", widths)
    require(module.bias_k is None, "add_bias_kv must be False", True)
    require(not module.add_zero_attn, "add_zero_attn must be False", True)
    bias = module.in_proj_bias is not None
    ours = MultiHeadAttention(module.embed_dim, module.num_heads, module.dropout, bias)
    # PyTorch stacks the three projections in one matrix.
    copy_weights(ours.out_proj, module.out_proj.weight, module.out_proj.bias)
    projections = (ours.q_proj, ours.k_proj, ours.v_proj)
    biases = module.in_proj_bias.chunk(3) if bias else (None, None, None)
    for ours_proj, weight, b in zip(
        projections, module.in_proj_weight.chunk(3), biases, strict=True
    ):
        copy_weights(ours_proj, weight, b)
    return ours


def _feed_forward(layer: nn.TransformerEncoderLayer | nn.TransformerDecoderLayer) -> FeedForward:
    ours = FeedForward(
        layer.linear1.in_features,
        layer.linear1.out_features,
        _activation(layer),
        layer.dropout.p,
        bias=layer.linear1.bias is not None,
    )
    copy_weights(ours.up, layer.linear1.weight, layer.linear1.bias)
    copy_weights(ours.down, layer.linear2.weight, layer.linear2.bias)
    return ours


def _activation(layer: Any) -> str:
    activation = layer.activation
    if activation is F.relu or isinstance(activation, nn.ReLU):
        return "relu"
    exact = activation is F.gelu or getattr(activation, "approximate", None) == "none"
    require(exact, "activation must be relu or gelu", activation)
    return "gelu"


def _residuals(layer: Any) -> Callable[[], Residual]:
    """Return a function that makes the layer's residual recipes, one after the other."""
    recipe = PreNorm if layer.norm_first else PostNorm
    norms = [layer.norm1, layer.norm2, getattr(layer, "norm3", None)]
    drops = [layer.dropout1.p, layer.dropout2.p, layer.dropout3.p if norms[2] else None]
    parts = iter(zip(norms, drops, strict=True))

    def make() -> Residual:
        norm, dropout = next(parts)
        return recipe(_norm(norm), dropout)

    return make


def _encoder_layer(layer: nn.TransformerEncoderLayer) -> EncoderLayer:
    return EncoderLayer(_attention(layer.self_attn), _feed_forward(layer), _residuals(layer))


def _decoder_layer(layer: nn.TransformerDecoderLayer) -> DecoderLayer:
    attention, crossing = _attention(layer.self_attn), _attention(layer.multihead_attn)
    return DecoderLayer(attention, _feed_forward(layer), _residuals(layer), crossing)


def _stack(kind: type, layer_kind: type, convert_layer: Conversion) -> Conversion:
    def convert(stack: Any) -> nn.Module:
        for layer in stack.layers:
            # A layer of another class may compute something else with the same weights.
            rule = f"layers must be {layer_kind.__name__}"
            require(type(layer) is layer_kind, rule, type(layer).__name__)
        norm = None if stack.norm is None else _norm(stack.norm)
        return kind([convert_layer(layer) for layer in stack.layers], norm)

    return convert


def _norm(norm: Any) -> nn.Module:
    require(type(norm) in (nn.LayerNorm, nn.RMSNorm), "norm must be LayerNorm or RMSNorm", norm)
    require(len(norm.normalized_shape) == 1, "normalized_shape must be one axis", norm)
    require(norm.weight is not None, "elementwise_affine must be True", norm)
    (width,) = norm.normalized_shape
    if isinstance(norm, nn.LayerNorm):
        ours: nn.Module = LayerNorm(width, norm.eps, bias=norm.bias is not None)
    else:
        # PyTorch's own ε is that of the type in which it computes: float32 at least.
        computed = torch.promote_types(norm.weight.dtype, torch.float32)
        ours = RMSNorm(width, torch.finfo(computed).eps if norm.eps is None else norm.eps)
    copy_weights(ours, norm.weight, getattr(norm, "bias", None))
    return ours


CONVERSIONS: dict[type, Conversion] = {
    nn.MultiheadAttention: _attention,
    nn.TransformerEncoderLayer: _encoder_layer,
    nn.TransformerEncoder: _stack(Encoder, nn.TransformerEncoderLayer, _encoder_layer),
    nn.TransformerDecoderLayer: _decoder_layer,
    nn.TransformerDecoder: _stack(Decoder, nn.TransformerDecoderLayer, _decoder_layer),
    nn.LayerNorm: _norm,
    nn.RMSNorm: _norm,
}
