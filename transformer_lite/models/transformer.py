"""The Transformer, assembled of parts: encoder and decoder together, and each of them alone."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import torch
from jaxtyping import Bool, Float, Integer
from torch import Tensor, nn

from transformer_lite.checks import check_shape, check_size
from transformer_lite.fast.decoding_step import Step, model_step, output_step
from transformer_lite.fast.exact import is_exactly, offers_fast_step
from transformer_lite.layers.cache import DecoderCache
from transformer_lite.layers.embedding import check_token_ids
from transformer_lite.layers.linear import Linear
from transformer_lite.layers.masks import look_ahead_mask, padding_mask
from transformer_lite.models.config import TransformerConfig


class Assembly(nn.Module):
    """What the three assemblies share: which tokens are real, and what the model was built from.

    Args:
        pad_id: the id of the padding token; None where the model has none.

    Raises:
        TypeError: `pad_id` is neither an int nor None.
        ValueError: `pad_id` is negative.
    """

    def __init__(self, pad_id: int | None) -> None:
        super().__init__()
        if pad_id is not None:
            check_size("pad_id", pad_id, minimum=0)
        self.pad_id = pad_id
        self.config: TransformerConfig | None = None  # noted by `build`, kept by `save`

    def new_cache(self) -> DecoderCache:
        """Return an empty cache for decoding one batch.

        Raises:
            ValueError: there is no decoder that offers one.
        """
        for module in self.modules():  # the decoder may be wrapped
            if hasattr(module, "new_cache") and module is not self:
                return module.new_cache()  # type: ignore[operator] # a method, not a Tensor
        raise ValueError(f"decoder must offer new_cache(), got {type(self).__name__} without one")

    def real_tokens(self, ids: Integer[Tensor, "B T"]) -> Bool[Tensor, "B 1 1 T"]:
        """Return the mask that hides padding as keys, True for real tokens, shape (B, 1, 1, T)."""
        if self.pad_id is None:
            return torch.ones_like(ids, dtype=torch.bool)[:, None, None, :]
        return padding_mask(ids, self.pad_id)

    def real_targets(self, ids: Integer[Tensor, "B T"]) -> Bool[Tensor, "B 1 1 T"]:
        """Say which tokens of what is written may be looked at later, shape (B, 1, 1, T)."""
        return self.real_tokens(ids)


@offers_fast_step
class Transformer(Assembly):
    """The encoder–decoder: read a source, write a target, one token after the other.

    Args:
        src_embedding: from source ids to vectors, such as :class:`TokenEmbedding`; called with
            ids of shape (B, S).
        tgt_embedding: the same for the target; called with ids and the position of the first.
        encoder: from vectors and their mask to the memory, such as :class:`Encoder`.
        decoder: from vectors, memory and masks to vectors, such as :class:`Decoder`.
        output: from vectors to logits, such as ``nn.Linear(D, V)``.
        pad_id: the id of the padding token in both vocabularies; None where there is none.

    Raises:
        TypeError, ValueError: `pad_id` is not an id.

    Reference: Vaswani et al. 2017, figure 1. :func:`build` makes the parts from a config.

    >>> from transformer_lite.models.build import build
    >>> model = build(TransformerConfig(7, 9, d_model=8, num_heads=2, d_ff=16))
    >>> model(torch.tensor([[1, 2, 3]]), torch.tensor([[1, 2, 3, 4, 5]])).shape
    torch.Size([1, 5, 9])
    """

    def __init__(
        self,
        src_embedding: nn.Module,
        tgt_embedding: nn.Module,
        encoder: nn.Module,
        decoder: nn.Module,
        output: nn.Module,
        pad_id: int | None = 0,
    ) -> None:
        super().__init__(pad_id)
        self.src_embedding = src_embedding
        self.tgt_embedding = tgt_embedding
        self.encoder = encoder
        self.decoder = decoder
        self.output = output

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
        return self.decode(tgt_ids, memory, self.real_tokens(src_ids))

    def encode(self, src_ids: Integer[Tensor, "B S"]) -> Float[Tensor, "B S D"]:
        """Return what the encoder makes of the source: the memory, shape (B, S, D)."""
        check_token_ids("src_ids", src_ids, self.src_embedding)
        return self.encoder(self.src_embedding(src_ids), self.real_tokens(src_ids))

    def decode(
        self,
        tgt_ids: Integer[Tensor, "B T"],
        memory: Float[Tensor, "B S D"],
        memory_mask: Bool[Tensor, "#B 1 1 #S"] | None = None,
        cache: DecoderCache | None = None,
    ) -> Float[Tensor, "B T V"]:
        """Return the logits of the token after each token of `tgt_ids`.

        Args:
            tgt_ids: the target, shape (B, T); with a cache, only its tokens that are new.
            memory: the encoder's output, shape (B, S, D).
            memory_mask: which source tokens are not padding; None means all.
            cache: what the tokens before have left, from ``new_cache()``; use it under
                ``torch.no_grad()``. A call that fails leaves it as it was.

        Returns:
            Logits of shape (B, T, V).

        Raises:
            TypeError, ValueError: as in :meth:`forward`.
        """
        check_token_ids("tgt_ids", tgt_ids, self.tgt_embedding)
        check_shape("memory", memory, "B", "S", "D")
        # Sizes by shape: len() would fix the batch when torch.export traces the model.
        if memory.shape[0] != tgt_ids.shape[0]:
            raise ValueError(
                "source and target must have the same batch, "
                f"got {memory.shape[0]} and {tgt_ids.shape[0]}"
            )
        with _taken_in(self.real_targets(tgt_ids), cache) as (start, real):
            mask = _causal_and_real(tgt_ids, start, real)
            x = self.tgt_embedding(tgt_ids, start)
            return self.output(self.decoder(x, memory, mask, memory_mask, cache))

    def fast_step(
        self, cache: DecoderCache, memory: Tensor, memory_mask: Tensor | None = None
    ) -> Step:
        """Return :meth:`decode` for one new token a row, prepared for many steps."""
        parts = self.tgt_embedding, _prepared(self.output)
        return model_step(self, parts, cache, memory, memory_mask)


class PadStartTransformer(Transformer):
    """A Transformer whose targets begin with the pad, which is therefore a token like others.

    Pads behind a target need no hiding: nothing looks ahead. Args, Raises: as in
    :class:`Transformer`.

    Reference: Raffel et al. 2020, the released code of T5.
    """

    def real_targets(self, ids: Integer[Tensor, "B T"]) -> Bool[Tensor, "B 1 1 T"]:
        """Say that all tokens of a target may be looked at, shape (B, 1, 1, T)."""
        return torch.ones_like(ids, dtype=torch.bool)[:, None, None, :]


@offers_fast_step
class DecoderOnlyTransformer(Assembly):
    """A language model: a decoder without cross-attention, which continues what it reads.

    Args:
        embedding: from ids to vectors; called with ids and the position of the first.
        decoder: a decoder whose layers have no cross-attention.
        output: from vectors to logits.
        pad_id: the id of the padding token; None where there is none.

    Raises:
        TypeError, ValueError: `pad_id` is not an id.

    Reference: Radford et al. 2018. :func:`build_decoder_only` makes the parts from a config.

    >>> from transformer_lite.models.build import build_decoder_only
    >>> config = TransformerConfig(9, 9, d_model=8, num_heads=2, d_ff=16, residual="pre")
    >>> build_decoder_only(config)(torch.tensor([[1, 2, 3]])).shape
    torch.Size([1, 3, 9])
    """

    def __init__(
        self,
        embedding: nn.Module,
        decoder: nn.Module,
        output: nn.Module,
        pad_id: int | None = 0,
    ) -> None:
        super().__init__(pad_id)
        self.embedding, self.decoder, self.output = embedding, decoder, output

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
        check_token_ids("ids", ids, self.embedding)
        with _taken_in(self.real_targets(ids), cache) as (start, real):
            mask = _causal_and_real(ids, start, real)
            return self.output(self.decoder(self.embedding(ids, start), mask=mask, cache=cache))

    def fast_step(self, cache: DecoderCache) -> Step:
        """Return :meth:`forward` for one new token a row, prepared for many steps."""
        return model_step(self, (self.embedding, _prepared(self.output)), cache, None, None)


class EncoderOnlyTransformer(Assembly):
    """A reader: an encoder alone, one vector for each token, seen in its whole sentence.

    Args:
        embedding: from ids to vectors.
        encoder: from vectors and their mask to vectors.
        pooler: from the vectors of a sentence to one vector, for :meth:`pool`; may be left out.
        pad_id: the id of the padding token; None where there is none.

    Raises:
        TypeError, ValueError: `pad_id` is not an id.

    Reference: Devlin et al. 2019. :func:`build_encoder_only` makes the parts from a config.

    >>> from transformer_lite.models.build import build_encoder_only
    >>> config = TransformerConfig(9, 9, d_model=8, num_heads=2, d_ff=16)
    >>> build_encoder_only(config)(torch.tensor([[1, 2, 3]])).shape
    torch.Size([1, 3, 8])
    """

    def __init__(
        self,
        embedding: nn.Module,
        encoder: nn.Module,
        pooler: nn.Module | None = None,
        pad_id: int | None = 0,
    ) -> None:
        super().__init__(pad_id)
        self.embedding, self.encoder, self.pooler = embedding, encoder, pooler

    def forward(
        self, ids: Integer[Tensor, "B S"], segments: Integer[Tensor, "B S"] | None = None
    ) -> Float[Tensor, "B S D"]:
        """Return one vector for each token of `ids`.

        Args:
            ids: the tokens, shape (B, S); `pad_id` fills up the shorter rows.
            segments: the segment of each token, for an embedding that has segments.

        Returns:
            Tensor of shape (B, S, D).

        Raises:
            TypeError, ValueError: as in :meth:`Transformer.forward`.
        """
        check_token_ids("ids", ids, self.embedding)
        x = self.embedding(ids) if segments is None else self.embedding(ids, segments=segments)
        return self.encoder(x, self.real_tokens(ids))

    def pool(self, x: Float[Tensor, "B S D"]) -> Float[Tensor, "B D"]:
        """Return one vector for each sentence, of what :meth:`forward` returned, shape (B, D).

        Raises:
            ValueError: the model was made without a pooler.
        """
        if self.pooler is None:
            raise ValueError("pooler must be given when the model is made, got None")
        return self.pooler(x)


def _taken_in(
    real: Tensor, cache: DecoderCache | None
) -> AbstractContextManager[tuple[int, Tensor | None]]:
    """Take new tokens into the cache, if there is one: return the count so far and the padding mask."""
    return nullcontext((0, real)) if cache is None else cache.taking_in(real)


def _causal_and_real(ids: Tensor, start: int, real: Tensor | None) -> Tensor | None:
    """Return the mask that hides the future of each token, and the pads."""
    if ids.shape[1] == 1:  # a single token has no future
        return real
    past = look_ahead_mask(ids.shape[1], ids.device, start)
    return past if real is None else past & real


def _prepared(output: nn.Module) -> Callable[[Tensor], Tensor]:
    return output_step(output) if is_exactly(output, Linear) else output
