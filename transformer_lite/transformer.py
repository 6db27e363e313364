"""The Transformer, assembled: encoder and decoder together, and each of them alone."""

from __future__ import annotations

from jaxtyping import Bool, Float, Integer
from torch import Tensor, nn

from transformer_lite._checks import check_shape
from transformer_lite.config import TransformerConfig
from transformer_lite.decoder import Decoder, DecoderCache, DecoderLayer
from transformer_lite.embedding import TokenEmbedding
from transformer_lite.encoder import Encoder, EncoderLayer
from transformer_lite.linear import Linear
from transformer_lite.masks import look_ahead_mask, padding_mask
from transformer_lite.residual import deepnorm_constants


class Transformer(nn.Module):
    """The encoder–decoder: read a source, write a target, one token after the other.

    Args:
        config: its sizes and choices.

    Raises:
        TypeError: `config` is not a :class:`TransformerConfig`.

    Reference: Vaswani et al. 2017, figure 1. Differs from the paper: the projections of the
    attention have biases.

    >>> import torch
    >>> model = Transformer(TransformerConfig(7, 9, d_model=8, num_heads=2, d_ff=16))
    >>> model(torch.tensor([[1, 2, 3]]), torch.tensor([[1, 2, 3, 4, 5]])).shape
    torch.Size([1, 5, 9])
    """

    def __init__(self, config: TransformerConfig):
        super().__init__()
        _check_config(config)
        self.config = config
        constants = _residual_constants(
            config, config.num_encoder_layers, config.num_decoder_layers
        )
        self.src_embedding = _make_embedding(config, config.src_vocab_size)
        self.tgt_embedding = _make_embedding(config, config.tgt_vocab_size)
        self.encoder = _make_encoder(config, constants["encoder_alpha"], constants["encoder_beta"])
        self.decoder = _make_decoder(
            config, constants["decoder_alpha"], constants["decoder_beta"], crosses=True
        )
        self.output = _make_output(config, self.tgt_embedding)
        if config.tie_embeddings:
            self.src_embedding.table.weight = self.tgt_embedding.table.weight

    def forward(
        self, src_ids: Integer[Tensor, "B S"], tgt_ids: Integer[Tensor, "B T"]
    ) -> Float[Tensor, "B T V"]:
        """Return the logits of the token after each token of `tgt_ids`.

        Args:
            src_ids: the source, shape (B, S); `pad_id` fills up the shorter rows.
            tgt_ids: the target so far, shape (B, T), behind a start token.

        Returns:
            Logits of shape (B, T, V). Logits at position t depend on tokens 0 to t alone.

        Raises:
            TypeError: an argument does not hold integers, or the devices differ.
            ValueError: an argument is not of shape (B, T) with T at least 1, the batches differ,
                or an id is not in its vocabulary.
        """
        memory = self.encode(src_ids)
        return self.decode(tgt_ids, memory, padding_mask(src_ids, self.config.pad_id))

    def encode(self, src_ids: Integer[Tensor, "B S"]) -> Float[Tensor, "B S D"]:
        """Return what the encoder makes of the source: the memory, shape (B, S, D)."""
        x = self.src_embedding(src_ids, name="src_ids")
        return self.encoder(x, padding_mask(src_ids, self.config.pad_id))

    def decode(
        self,
        tgt_ids: Integer[Tensor, "B T"],
        memory: Float[Tensor, "B S D"],
        memory_mask: Bool[Tensor, "B 1 1 S"] | None = None,
        cache: DecoderCache | None = None,
    ) -> Float[Tensor, "B T V"]:
        """Return the logits of the token after each token of `tgt_ids`.

        Args:
            tgt_ids: the target, shape (B, T); with a cache, only its tokens that are new.
            memory: the encoder's output, shape (B, S, D).
            memory_mask: which source tokens are no pads; None means all.
            cache: what the tokens before have left, from :meth:`new_cache`; use it under
                ``torch.no_grad()``.

        Returns:
            Logits of shape (B, T, V).

        Raises:
            TypeError, ValueError: as in :meth:`forward`.
        """
        x, mask = _embed_target(self.tgt_embedding, tgt_ids, self.config.pad_id, cache, "tgt_ids")
        check_shape("memory", memory, "B", "S", self.config.d_model)
        # Sizes by shape: len() would fix the batch when torch.export traces the model.
        sizes = memory.shape[0], tgt_ids.shape[0]
        if sizes[0] != sizes[1]:
            raise ValueError(
                f"source and target must have the same batch, got {sizes[0]} and {sizes[1]}"
            )
        return self.output(self.decoder(x, memory, mask, memory_mask, cache))

    def new_cache(self) -> DecoderCache:
        """Return an empty cache for decoding one batch."""
        return DecoderCache(self.config.num_decoder_layers)


class DecoderOnlyTransformer(nn.Module):
    """A language model: a decoder without cross-attention, which continues what it reads.

    Args:
        config: its sizes and choices; the fields of the target and the decoder count.

    Raises:
        TypeError: `config` is not a :class:`TransformerConfig`.

    Reference: Radford et al. 2018.

    >>> import torch
    >>> config = TransformerConfig(9, 9, d_model=8, num_heads=2, d_ff=16, residual="pre")
    >>> DecoderOnlyTransformer(config)(torch.tensor([[1, 2, 3]])).shape
    torch.Size([1, 3, 9])
    """

    def __init__(self, config: TransformerConfig):
        super().__init__()
        _check_config(config)
        self.config = config
        constants = _residual_constants(config, 0, config.num_decoder_layers)
        self.embedding = _make_embedding(config, config.tgt_vocab_size)
        self.decoder = _make_decoder(
            config, constants["decoder_alpha"], constants["decoder_beta"], crosses=False
        )
        self.output = _make_output(config, self.embedding)

    def forward(
        self, ids: Integer[Tensor, "B T"], cache: DecoderCache | None = None
    ) -> Float[Tensor, "B T V"]:
        """Return the logits of the token after each token of `ids`.

        Args:
            ids: the tokens, shape (B, T); with a cache, only those that are new.
            cache: as in :meth:`Transformer.decode`.

        Returns:
            Logits of shape (B, T, V).

        Raises:
            TypeError, ValueError: as in :meth:`Transformer.forward`.
        """
        x, mask = _embed_target(self.embedding, ids, self.config.pad_id, cache)
        return self.output(self.decoder(x, mask=mask, cache=cache))

    def new_cache(self) -> DecoderCache:
        """Return an empty cache for decoding one batch."""
        return DecoderCache(self.config.num_decoder_layers)


class EncoderOnlyTransformer(nn.Module):
    """A reader: an encoder alone, one vector for each token, seen in its whole sentence.

    Args:
        config: its sizes and choices; the fields of the source and the encoder count.

    Raises:
        TypeError: `config` is not a :class:`TransformerConfig`.

    Reference: Devlin et al. 2019.

    >>> import torch
    >>> config = TransformerConfig(9, 9, d_model=8, num_heads=2, d_ff=16)
    >>> EncoderOnlyTransformer(config)(torch.tensor([[1, 2, 3]])).shape
    torch.Size([1, 3, 8])
    """

    def __init__(self, config: TransformerConfig):
        super().__init__()
        _check_config(config)
        self.config = config
        constants = _residual_constants(config, config.num_encoder_layers, 0)
        self.embedding = _make_embedding(config, config.src_vocab_size)
        self.encoder = _make_encoder(config, constants["encoder_alpha"], constants["encoder_beta"])

    def forward(self, ids: Integer[Tensor, "B S"]) -> Float[Tensor, "B S D"]:
        """Return one vector for each token of `ids`, shape (B, S, D); errors as above."""
        return self.encoder(self.embedding(ids), padding_mask(ids, self.config.pad_id))


def _check_config(config: object) -> None:
    if not isinstance(config, TransformerConfig):
        raise TypeError(f"config must be a TransformerConfig, got {type(config).__name__}")


def _embed_target(embedding, ids, pad_id, cache, name="ids") -> tuple[Tensor, Tensor | None]:
    """Return the target's embeddings, and the mask that hides its future and its pads."""
    start = 0 if cache is None else cache.length
    x = embedding(ids, start, name)
    mask = padding_mask(ids, pad_id)
    if cache is not None:
        mask = cache.extend(mask)
    if ids.shape[1] == 1:  # a single token has no future
        return x, mask
    past = look_ahead_mask(ids.shape[1], ids.device, start)
    return x, past if mask is None else past & mask


def _make_embedding(config: TransformerConfig, vocab_size: int) -> TokenEmbedding:
    return TokenEmbedding(vocab_size, config.d_model, config.make_positions(), config.dropout)


def _make_output(config: TransformerConfig, embedding: TokenEmbedding) -> Linear:
    output = Linear(config.d_model, config.tgt_vocab_size, bias=False)
    nn.init.normal_(output.weight, std=config.d_model**-0.5)
    if config.tie_embeddings:
        output.weight = embedding.table.weight
    return output


def _residual_constants(config: TransformerConfig, encoder_layers: int, decoder_layers: int):
    """Return DeepNorm's constants, or 1 for the recipes that have none."""
    constants = deepnorm_constants(encoder_layers, decoder_layers)
    return constants if config.residual == "deep" else dict.fromkeys(constants, 1.0)


def _make_encoder(config: TransformerConfig, alpha: float, beta: float) -> Encoder:
    layers = [
        EncoderLayer(
            config.make_self_attention(causal=False),
            config.make_feed_forward(),
            lambda: config.make_residual(alpha),
        )
        for _ in range(config.num_encoder_layers)
    ]
    return _initialize(Encoder(layers, _final_norm(config)), beta)


def _make_decoder(config: TransformerConfig, alpha: float, beta: float, crosses: bool) -> Decoder:
    layers = [
        DecoderLayer(
            config.make_self_attention(causal=True),
            config.make_feed_forward(),
            lambda: config.make_residual(alpha),
            config.make_cross_attention() if crosses else None,
        )
        for _ in range(config.num_decoder_layers)
    ]
    return _initialize(Decoder(layers, _final_norm(config)), beta)


def _final_norm(config: TransformerConfig) -> nn.Module | None:
    return config.make_norm() if config.residual == "pre" else None


def _initialize(stack: nn.Module, beta: float) -> nn.Module:
    """Give all matrices Glorot's variance and no bias; DeepNorm shrinks all but query and key."""
    for name, module in stack.named_modules():
        if isinstance(module, nn.Linear):
            gain = 1.0 if name.endswith(("q_proj", "k_proj")) else beta
            nn.init.xavier_uniform_(module.weight, gain)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
    return stack
