"""Take over modules of PyTorch, with their weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.modules.linear import NonDynamicallyQuantizableLinear

from transformer_lite.layers.feed_forward import FeedForward
from transformer_lite.layers.multi_head import MultiHeadAttention
from transformer_lite.layers.norms import LayerNorm, RMSNorm
from transformer_lite.layers.residual import PostNorm, PreNorm, Residual
from transformer_lite.models.conversion import class_name, copy_weights, require, require_unmodified
from transformer_lite.models.decoder import Decoder, DecoderLayer
from transformer_lite.models.encoder import Encoder, EncoderLayer

# The classes of the parts of a module, by their names without numbers.
NORMS = (nn.LayerNorm, nn.RMSNorm)
PARTS: dict[str, tuple[type[nn.Module], ...]] = {
    "self_attn": (nn.MultiheadAttention,),
    "multihead_attn": (nn.MultiheadAttention,),
    "out_proj": (nn.Linear, NonDynamicallyQuantizableLinear),
    "linear": (nn.Linear,),
    "dropout": (nn.Dropout,),
    "norm": NORMS,
}

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
        ValueError: `module` has an option that this package does not have, or a part at any depth
            that was exchanged or changed: it is of another class, or has a forward hook, a method
            of its own, or weights of another dtype than the rest.

    >>> from_torch(nn.MultiheadAttention(8, 2))(torch.zeros(1, 3, 8)).shape
    torch.Size([1, 3, 8])
    """
    for kind, convert in CONVERSIONS.items():
        if type(module) is kind:
            _check_parts(module)
            return convert(module).train(module.training)
    names = ", ".join(kind.__name__ for kind in CONVERSIONS)
    raise TypeError(f"module must be one of torch.nn's {names}, got {type(module).__name__}")


def _check_parts(module: nn.Module) -> None:
    """Require parts of PyTorch's own classes. Others may compute something else."""
    for path, part in module.named_modules():
        kinds = PARTS.get(path.rpartition(".")[2].rstrip("123"), (type(part),))
        names = " or ".join(kind.__name__ for kind in kinds)
        rule = f"{path} must be {names}; merge or remove what was put in its place first"
        require(type(part) in kinds, rule, class_name(part))
    require_unmodified(module, "module")


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
    relu = activation is F.relu or type(activation) is nn.ReLU
    exact = type(activation) is nn.GELU and activation.approximate == "none"
    require(relu or exact or activation is F.gelu, "activation must be relu or gelu", activation)
    # PyTorch's faster form follows this number, even if another activation was set later.
    number, fast = 1 if relu else 2, getattr(layer, "activation_relu_or_gelu", 0)
    rule = f"activation_relu_or_gelu must be {number} for this activation; set it, or 0"
    require(fast in (0, number), rule, fast)
    return "relu" if relu else "gelu"


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
            rule = f"layers must be {layer_kind.__name__}"
            require(type(layer) is layer_kind, rule, type(layer).__name__)
        layers = {layer: convert_layer(layer) for layer in stack.layers}  # one may occur twice
        norm = None if stack.norm is None else _norm(stack.norm)
        return kind([layers[layer] for layer in stack.layers], norm)

    return convert


def _norm(norm: Any) -> nn.Module:
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
