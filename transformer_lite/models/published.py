"""The sizes of published models, and the costs that follow from them.

Parameters, multiply–adds and bytes are counted from a dozen numbers per model, without its weights.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import torch

from transformer_lite.checks import check_choice, check_size
from transformer_lite.models.variants import FEED_FORWARDS, NORMS, RESIDUALS

POSITIONS = ("learned", "rotary", "t5")
T5_BUCKETS = 32
# The vectors of each norm, and the matrices of a feed-forward layer that has not two of them.
NORM_VECTORS = {"layer": 2, "rms": 1}
MATRICES = {"swiglu": 3}


@dataclass(frozen=True, kw_only=True)
class Published:
    """The numbers of one published model, under the names that the package's own config has.

    Args:
        year: when the model became public.
        paper: the work that describes it.
        claimed: its number of parameters as the paper prints it.
        vocab_size: V, rows of the token table; 0 for a model that reads patches.
        d_model, num_heads, d_ff: D, H and the width of the hidden layer.
        num_kv_heads: the heads for keys and values.
        d_head: K; D/H in all models here except some of T5's.
        encoder_layers, decoder_layers: the layers of each stack; 0 means that it has none.
        norm, residual, feed_forward: as in :class:`TransformerConfig`.
        positions: "learned", "rotary", or "t5" for a table of 32 buckets in each stack.
        max_len: rows of learned positions; else 0.
        segments: rows of the segment table; 0 means that it has none.
        bias: whether projections and feed-forward layers have biases.
        own_outputs: outputs with weights of their own: V where the output is not tied, D for
            BERT's pooler, the classes of a vision model; 0 where the token table serves twice.
        num_experts, experts_chosen: the feed-forward layers of a layer, and those that a token
            takes.
        window: how many keys a query sees at most; 0 means all.
        patch_numbers: the numbers of a patch, C·P·P; 0 for a model that reads tokens.
        qk_norm: whether each attention has one norm for queries and one for keys.

    Raises:
        TypeError: a size is not an int.
        ValueError: a size is below its minimum, a word is unknown, no stack has a layer,
            `num_kv_heads` does not divide `num_heads`, or more experts are chosen than there are.
    """

    year: int
    paper: str
    claimed: int
    vocab_size: int
    d_model: int
    num_heads: int
    num_kv_heads: int
    d_head: int
    d_ff: int
    encoder_layers: int = 0
    decoder_layers: int = 0
    norm: str = "layer"
    residual: str = "pre"
    feed_forward: str = "gelu"
    positions: str = "learned"
    max_len: int = 0
    segments: int = 0
    bias: bool = True
    own_outputs: int = 0
    num_experts: int = 1
    experts_chosen: int = 1
    window: int = 0
    patch_numbers: int = 0
    qk_norm: bool = False

    def __post_init__(self) -> None:
        for name in ("d_model", "num_heads", "num_kv_heads", "d_head", "d_ff", "experts_chosen"):
            check_size(name, getattr(self, name))
        for name in ("vocab_size", "encoder_layers", "decoder_layers", "max_len", "segments"):
            check_size(name, getattr(self, name), minimum=0)
        for name in ("own_outputs", "window", "patch_numbers"):
            check_size(name, getattr(self, name), minimum=0)
        check_size("num_experts", self.num_experts, minimum=self.experts_chosen)
        check_choice("norm", self.norm, NORMS)
        check_choice("residual", self.residual, RESIDUALS)
        check_choice("feed_forward", self.feed_forward, FEED_FORWARDS)
        check_choice("positions", self.positions, POSITIONS)
        if self.num_heads % self.num_kv_heads:
            raise ValueError(
                "num_kv_heads must divide num_heads, "
                f"got num_heads={self.num_heads}, num_kv_heads={self.num_kv_heads}"
            )
        if not self.encoder_layers + self.decoder_layers:
            raise ValueError("encoder_layers or decoder_layers must be at least 1, got 0 and 0")

    @property
    def stacks(self) -> int:
        """How many stacks there are, 2 with an encoder and a decoder, else 1."""
        return bool(self.encoder_layers) + bool(self.decoder_layers)

    @property
    def layers(self) -> int:
        """The layers of all stacks together."""
        return self.encoder_layers + self.decoder_layers

    @property
    def attentions(self) -> int:
        """The attentions of all layers; a decoder's layer has two where there is an encoder."""
        return self.layers + (self.decoder_layers if self.encoder_layers else 0)


class Parameters(NamedTuple):
    """The number of weights of each kind of part. A shared weight is counted once."""

    embedding: int
    attention: int
    feed_forward: int
    norms: int
    output: int

    @property
    def total(self) -> int:
        """All weights."""
        return sum(self)


class MultiplyAdds(NamedTuple):
    """The multiply–adds of one token in the forward pass, part by part."""

    embedding: int
    attention: int
    scores: int
    feed_forward: int
    output: int

    @property
    def total(self) -> int:
        """All multiply–adds of the forward pass."""
        return sum(self)

    @property
    def training(self) -> int:
        """Forward and backward, where each product comes back for its input and its weights."""
        return 3 * self.total


class Memory(NamedTuple):
    """The bytes of weights, gradients, Adam's state, and the cache of each token."""

    weight_bytes: int
    gradient_bytes: int
    adam_bytes: int
    cache_bytes_per_token: int

    @property
    def training_bytes(self) -> int:
        """Weights, gradients and Adam's state together; activations come on top."""
        return self.weight_bytes + self.gradient_bytes + self.adam_bytes


def _attention_matrices(size: Published) -> int:
    """Count the entries of W^Q, W^K, W^V and W^O of one attention."""
    return 2 * size.d_model * size.d_head * (size.num_heads + size.num_kv_heads)


def _feed_forward_matrices(size: Published) -> int:
    """Count the entries of the matrices of one expert."""
    return MATRICES.get(size.feed_forward, 2) * size.d_model * size.d_ff


def _router(size: Published) -> int:
    """Count the entries of the router of one layer, which exists only with experts."""
    return size.num_experts * size.d_model if size.num_experts > 1 else 0


def _count(size: Published, experts: int) -> Parameters:
    """Count the weights of all parts, with so many experts in each layer."""
    width, bias = size.d_model, int(size.bias)
    rows = size.vocab_size + size.max_len + size.segments
    if size.patch_numbers:  # the projection of a patch, its bias, and the class token
        rows += size.patch_numbers + 2
    biases = bias * (size.d_head * (size.num_heads + 2 * size.num_kv_heads) + width)
    buckets = T5_BUCKETS * size.num_heads if size.positions == "t5" else 0
    expert = _feed_forward_matrices(size) + bias * (size.d_ff + width)
    # A norm for each attention and each feed-forward layer, and one more for each stack.
    norms = (size.attentions + size.layers + size.stacks) * width
    norms += int(size.qk_norm) * 2 * size.attentions * size.d_head
    return Parameters(
        embedding=rows * width,
        attention=size.attentions * (_attention_matrices(size) + biases) + size.stacks * buckets,
        feed_forward=size.layers * (experts * expert + _router(size)),
        norms=norms * NORM_VECTORS[size.norm],
        output=size.own_outputs * (width + bias),
    )


def count_parameters(size: Published) -> Parameters:
    """Count the weights of a published model, part by part and to the unit.

    One attention: 2·D·K·(H + G), for G heads of keys and values. One feed-forward layer: 2·D·F, or
    3·D·F with a gate. Biases, norms and tables are added; an output that is tied adds nothing.

    Args:
        size: one of `PUBLISHED`, or one of your own.

    Returns:
        :class:`Parameters`. T5's tables of relative positions count as attention, BERT's pooler
        and the classes of a vision model as output.

    >>> count_parameters(PUBLISHED["GPT-2 small"]).total
    124439808
    """
    return _count(size, size.num_experts)


def count_active_parameters(size: Published) -> Parameters:
    """Count the weights that one token uses: of all experts, only those that it chooses.

    Args, Returns: as in :func:`count_parameters`; without experts the two are equal.

    >>> count_active_parameters(PUBLISHED["Mixtral 8x7B"]).total
    12879925248
    """
    return _count(size, size.experts_chosen)


def count_multiply_adds(size: Published, context: int) -> MultiplyAdds:
    """Count what one token costs in the forward pass.

    A token meets each matrix once: its entries are its multiply–adds. Each attention adds 2·S·H·K
    for S keys, half for the scores and half for mixing the values. Looking up a row, norms,
    biases, softmax and rotations are not counted. PyTorch's counter reports twice as many
    operations, a product and a sum each.

    With an encoder and a decoder this is one token of the source and one of the target together.
    An output that is read once for a whole text or image, BERT's pooler say, is not counted.

    Args:
        size: one of `PUBLISHED`, or one of your own.
        context: S, the number of keys in each attention, at least 1. A window cuts it.

    Returns:
        :class:`MultiplyAdds`; `attention` are the four projections, `scores` the 2·S·H·K.

    Raises:
        TypeError: `context` is not an int.
        ValueError: `context` is smaller than 1.

    Reference: Kaplan et al. 2020, section 2.1.

    >>> count_multiply_adds(PUBLISHED["GPT-2 small"], context=1024).total
    142406400
    """
    check_size("context", context)
    keys = min(context, size.window or context)
    experts = size.experts_chosen * _feed_forward_matrices(size) + _router(size)
    return MultiplyAdds(
        embedding=size.patch_numbers * size.d_model,
        attention=size.attentions * _attention_matrices(size),
        scores=size.attentions * 2 * keys * size.num_heads * size.d_head,
        feed_forward=size.layers * experts,
        output=size.vocab_size * size.d_model if size.decoder_layers else 0,
    )


def memory(size: Published, dtype: torch.dtype = torch.float32) -> Memory:
    """Count the bytes of weights, of training with Adam, and of a cache for decoding.

    Adam keeps two numbers a weight in float32 or finer. Weights of a shorter type are kept once
    more in float32, since small steps would be rounded away. So a weight takes 16 bytes in
    training, with float32 and with bfloat16. Activations are not counted.

    Args:
        size: one of `PUBLISHED`, or one of your own.
        dtype: the floating-point type of weights, gradients and cache.

    Returns:
        :class:`Memory`. Its cache is what a decoder's self-attentions keep of one token, 2·L·G·K
        numbers; a token of the source, where there is one, takes as many. Without a decoder it
        is 0.

    Raises:
        TypeError: `dtype` is not a floating-point type.

    Reference: Rajbhandari et al. 2020, section 3.1; Ainslie et al. 2023 for the cache.

    >>> memory(PUBLISHED["Llama 2 70B"], torch.bfloat16).cache_bytes_per_token
    327680
    """
    if not isinstance(dtype, torch.dtype) or not dtype.is_floating_point:
        raise TypeError(f"dtype must be a floating-point type, got {dtype!r}")
    weights, one = count_parameters(size).total, dtype.itemsize
    fine = max(one, torch.float32.itemsize)
    copy = fine if one < fine else 0
    return Memory(
        weight_bytes=weights * one,
        gradient_bytes=weights * one,
        adam_bytes=weights * (2 * fine + copy),
        cache_bytes_per_token=2 * size.decoder_layers * size.num_kv_heads * size.d_head * one,
    )


# fmt: off
_BERT = Published(
    year=2018, paper="Devlin et al. 2019", claimed=110_000_000, vocab_size=30_522, d_model=768,
    num_heads=12, num_kv_heads=12, d_head=64, d_ff=3072, encoder_layers=12, residual="post",
    max_len=512, segments=2, own_outputs=768,
)
_GPT2 = Published(
    year=2019, paper="Radford et al. 2019", claimed=117_000_000, vocab_size=50_257, d_model=768,
    num_heads=12, num_kv_heads=12, d_head=64, d_ff=3072, decoder_layers=12,
    feed_forward="gelu_tanh", max_len=1024,
)
_T5 = Published(
    year=2019, paper="Raffel et al. 2020", claimed=60_000_000, vocab_size=32_128, d_model=512,
    num_heads=8, num_kv_heads=8, d_head=64, d_ff=2048, encoder_layers=6, decoder_layers=6,
    norm="rms", feed_forward="relu", positions="t5", bias=False,
)
_LLAMA = Published(
    year=2023, paper="Touvron et al. 2023a", claimed=6_700_000_000, vocab_size=32_000,
    d_model=4096, num_heads=32, num_kv_heads=32, d_head=128, d_ff=11_008, decoder_layers=32,
    norm="rms", feed_forward="swiglu", positions="rotary", bias=False, own_outputs=32_000,
)
_MISTRAL = replace(
    _LLAMA, paper="Jiang et al. 2023", claimed=7_000_000_000, num_kv_heads=8, d_ff=14_336,
    window=4096,
)
_VIT = Published(
    year=2020, paper="Dosovitskiy et al. 2021", claimed=86_000_000, vocab_size=0, d_model=768,
    num_heads=12, num_kv_heads=12, d_head=64, d_ff=3072, encoder_layers=12, max_len=197,
    own_outputs=1000, patch_numbers=3 * 16 * 16,
)

#: The published models, in the order of their years within a family.
PUBLISHED: dict[str, Published] = {
    "BERT base": _BERT,
    "BERT large": replace(
        _BERT, claimed=340_000_000, d_model=1024, num_heads=16, num_kv_heads=16, d_ff=4096,
        encoder_layers=24, own_outputs=1024,
    ),
    "GPT-2 small": _GPT2,
    "GPT-2 medium": replace(
        _GPT2, claimed=345_000_000, d_model=1024, num_heads=16, num_kv_heads=16, d_ff=4096,
        decoder_layers=24,
    ),
    "GPT-2 large": replace(
        _GPT2, claimed=762_000_000, d_model=1280, num_heads=20, num_kv_heads=20, d_ff=5120,
        decoder_layers=36,
    ),
    "GPT-2 XL": replace(
        _GPT2, claimed=1_542_000_000, d_model=1600, num_heads=25, num_kv_heads=25, d_ff=6400,
        decoder_layers=48,
    ),
    "T5 small": _T5,
    "T5 base": replace(
        _T5, claimed=220_000_000, d_model=768, num_heads=12, num_kv_heads=12, d_ff=3072,
        encoder_layers=12, decoder_layers=12,
    ),
    "Llama 7B": _LLAMA,
    "Llama 2 70B": replace(
        _LLAMA, paper="Touvron et al. 2023b", claimed=70_000_000_000, d_model=8192, num_heads=64,
        num_kv_heads=8, d_ff=28_672, decoder_layers=80,
    ),
    "Llama 3 8B": replace(
        _LLAMA, year=2024, paper="Grattafiori et al. 2024", claimed=8_000_000_000,
        vocab_size=128_256, num_kv_heads=8, d_ff=14_336, own_outputs=128_256,
    ),
    "Qwen3 8B": replace(
        _LLAMA, year=2025, paper="Yang et al. 2025", claimed=8_200_000_000, vocab_size=151_936,
        num_kv_heads=8, d_ff=12_288, decoder_layers=36, own_outputs=151_936, qk_norm=True,
    ),
    "Mistral 7B": _MISTRAL,
    "Mixtral 8x7B": replace(
        _MISTRAL, paper="Jiang et al. 2024", claimed=47_000_000_000, num_experts=8,
        experts_chosen=2, window=0,
    ),
    "ViT-B/16": _VIT,
}
# fmt: on
