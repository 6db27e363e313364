"""Take over modules of PyTorch, with their weights."""

import torch
import torch.nn.functional as F
from torch import nn

from transformer_lite.decoder import Decoder, DecoderLayer
from transformer_lite.encoder import Encoder, EncoderLayer
from transformer_lite.feedforward import FeedForward
from transformer_lite.multi_head import MultiHeadAttention
from transformer_lite.norms import LayerNorm, RMSNorm
from transformer_lite.residual import PostNorm, PreNorm


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
    _require(len(set(widths)) == 1, "kdim and vdim must equal embed_dim", widths)
    _require(module.bias_k is None, "add_bias_kv must be False", True)
    _require(not module.add_zero_attn, "add_zero_attn must be False", True)
    bias = module.in_proj_bias is not None
    ours = MultiHeadAttention(module.embed_dim, module.num_heads, module.dropout, bias)
    # PyTorch stacks the three projections in one matrix.
    _copy(ours.out_proj, module.out_proj.weight, module.out_proj.bias)
    projections = (ours.q_proj, ours.k_proj, ours.v_proj)
    biases = module.in_proj_bias.chunk(3) if bias else (None, None, None)
    for ours_proj, weight, b in zip(
        projections, module.in_proj_weight.chunk(3), biases, strict=True
    ):
        _copy(ours_proj, weight, b)
    return ours


def _feed_forward(layer: nn.TransformerEncoderLayer | nn.TransformerDecoderLayer) -> FeedForward:
    ours = FeedForward(
        layer.linear1.in_features,
        layer.linear1.out_features,
        _activation(layer),
        layer.dropout.p,
        bias=layer.linear1.bias is not None,
    )
    _copy(ours.up, layer.linear1.weight, layer.linear1.bias)
    _copy(ours.down, layer.linear2.weight, layer.linear2.bias)
    return ours


def _activation(layer: nn.Module) -> str:
    activation = layer.activation
    if activation is F.relu or isinstance(activation, nn.ReLU):
        return "relu"
    exact = activation is F.gelu or getattr(activation, "approximate", None) == "none"
    _require(exact, "activation must be relu or gelu", activation)
    return "gelu"


def _residuals(layer: nn.Module):
    """Return a function that makes the layer's residual recipes, one after the other."""
    recipe = PreNorm if layer.norm_first else PostNorm
    norms = [layer.norm1, layer.norm2, getattr(layer, "norm3", None)]
    drops = [layer.dropout1.p, layer.dropout2.p, layer.dropout3.p if norms[2] else None]
    parts = iter(zip(norms, drops, strict=True))

    def make() -> PostNorm:
        norm, dropout = next(parts)
        return recipe(_norm(norm), dropout)

    return make


def _encoder_layer(layer: nn.TransformerEncoderLayer) -> EncoderLayer:
    return EncoderLayer(_attention(layer.self_attn), _feed_forward(layer), _residuals(layer))


def _decoder_layer(layer: nn.TransformerDecoderLayer) -> DecoderLayer:
    attention, crossing = _attention(layer.self_attn), _attention(layer.multihead_attn)
    return DecoderLayer(attention, _feed_forward(layer), _residuals(layer), crossing)


def _stack(kind: type, layer_kind: type, convert_layer):
    def convert(stack: nn.Module) -> nn.Module:
        for layer in stack.layers:
            # A layer of another class may compute something else with the same weights.
            rule = f"layers must be {layer_kind.__name__}"
            _require(type(layer) is layer_kind, rule, type(layer).__name__)
        norm = None if stack.norm is None else _norm(stack.norm)
        return kind([convert_layer(layer) for layer in stack.layers], norm)

    return convert


def _norm(norm: nn.Module) -> nn.Module:
    _require(type(norm) in (nn.LayerNorm, nn.RMSNorm), "norm must be LayerNorm or RMSNorm", norm)
    _require(len(norm.normalized_shape) == 1, "normalized_shape must be one axis", norm)
    _require(norm.weight is not None, "elementwise_affine must be True", norm)
    (width,) = norm.normalized_shape
    if isinstance(norm, nn.LayerNorm):
        ours = LayerNorm(width, norm.eps, bias=norm.bias is not None)
    else:
        # PyTorch's own ε is that of the type in which it computes: float32 at least.
        computed = torch.promote_types(norm.weight.dtype, torch.float32)
        ours = RMSNorm(width, torch.finfo(computed).eps if norm.eps is None else norm.eps)
    _copy(ours, norm.weight, getattr(norm, "bias", None))
    return ours


def _copy(ours: nn.Module, weight: torch.Tensor, bias: torch.Tensor | None) -> None:
    ours.weight = nn.Parameter(weight.detach().clone(), weight.requires_grad)
    if bias is not None:
        ours.bias = nn.Parameter(bias.detach().clone(), bias.requires_grad)


def _require(holds: bool, rule: str, came: object) -> None:
    if not holds:
        raise ValueError(f"{rule}, got {came!r:.100}")


CONVERSIONS = {
    nn.MultiheadAttention: _attention,
    nn.TransformerEncoderLayer: _encoder_layer,
    nn.TransformerEncoder: _stack(Encoder, nn.TransformerEncoderLayer, _encoder_layer),
    nn.TransformerDecoderLayer: _decoder_layer,
    nn.TransformerDecoder: _stack(Decoder, nn.TransformerDecoderLayer, _decoder_layer),
    nn.LayerNorm: _norm,
    nn.RMSNorm: _norm,
}
