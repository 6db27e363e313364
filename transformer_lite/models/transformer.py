"""The Transformer: encoder and decoder together, and each one alone."""

from __future__ import annotations

from jaxtyping import Bool, Float, Integer
from torch import Tensor, nn

from transformer_lite.checks import check_shape
from transformer_lite.layers.cache import DecoderCache
from transformer_lite.layers.embedding import check_token_ids
from transformer_lite.models.base import BaseTransformer, causal_mask, extend_cache


class Transformer(BaseTransformer):
    """The encoder–decoder: read a source, then write a target token by token.

    Args:
        src_embedding: turns source ids of shape (B, S) into vectors, such as
            :class:`TokenEmbedding`.
        tgt_embedding: the same for the target; called with ids and the position of the first.
        encoder: turns vectors and their mask into the memory, such as :class:`Encoder`.
        decoder: turns vectors, memory and masks into vectors, such as :class:`Decoder`.
        output: turns vectors into logits, such as ``nn.Linear(D, V)``.
        pad_id: the id of the padding token in both vocabularies; None if there is none.

    Raises:
        TypeError, ValueError: `pad_id` is not an id.

    Reference: Vaswani et al. 2017, figure 1. :func:`build` makes the parts from a config.

    >>> import torch
    >>> from transformer_lite.models import TransformerConfig, build
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
            tgt_ids: the target so far, shape (B, T), beginning with a start token.

        Returns:
            Logits of shape (B, T, V). Logits at position t depend only on tokens 0 to t.

        Raises:
            TypeError: an argument does not hold integers, or the devices differ.
            ValueError: an argument is not of shape (B, T) with T at least 1, the batches differ,
                or an id is not in its vocabulary.
        """
        memory = self.encode(src_ids)
        return self.decode(tgt_ids, memory, self.padding_mask(src_ids))

    def encode(self, src_ids: Integer[Tensor, "B S"]) -> Float[Tensor, "B S D"]:
        """Return the output of the encoder, which is called the memory, shape (B, S, D)."""
        check_token_ids("src_ids", src_ids, self.src_embedding)
        return self.encoder(self.src_embedding(src_ids), self.padding_mask(src_ids))

    def decode(
        self,
        tgt_ids: Integer[Tensor, "B T"],
        memory: Float[Tensor, "B S D"],
        memory_mask: Bool[Tensor, "#B 1 1 #S"] | None = None,
        cache: DecoderCache | None = None,
    ) -> Float[Tensor, "B T V"]:
        """Return the logits of the token after each token of `tgt_ids`.

        Args:
            tgt_ids: the target, shape (B, T); with a cache, only its new tokens.
            memory: the encoder's output, shape (B, S, D).
            memory_mask: which source tokens are not padding; None means all.
            cache: keys and values of the tokens before, from ``new_cache()``; use it under
                ``torch.no_grad()``. A call that fails does not change it.

        Returns:
            Logits of shape (B, T, V).

        Raises:
            TypeError, ValueError: as in :meth:`forward`.
        """
        check_token_ids("tgt_ids", tgt_ids, self.tgt_embedding)
        check_shape("memory", memory, "B", "S", "D")
        # Not len(), which would fix the batch size when torch.export traces the model.
        if memory.shape[0] != tgt_ids.shape[0]:
            raise ValueError(
                "source and target must have the same batch, "
                f"got {memory.shape[0]} and {tgt_ids.shape[0]}"
            )
        with extend_cache(self.target_padding_mask(tgt_ids), cache) as (start, padding):
            mask = causal_mask(tgt_ids, start, padding)
            x = self.tgt_embedding(tgt_ids, start)
            return self.output(self.decoder(x, memory, mask, memory_mask, cache))


class PadStartTransformer(Transformer):
    """A Transformer whose targets begin with the padding token, which must therefore be visible.

    Padding at the end of a target need not be hidden, because no token attends to later ones.
    Args, Raises: as in :class:`Transformer`.

    Reference: Raffel et al. 2020, the released code of T5.
    """

    @property
    def target_pad_id(self) -> None:
        """None: no token of a target is hidden."""
        return None


class DecoderOnlyTransformer(BaseTransformer):
    """A language model: a decoder without cross-attention, which continues a text.

    Args:
        embedding: turns ids into vectors; called with ids and the position of the first.
        decoder: a decoder whose layers have no cross-attention.
        output: turns vectors into logits.
        pad_id: the id of the padding token; None if there is none.

    Raises:
        TypeError, ValueError: `pad_id` is not an id.

    Reference: Radford et al. 2018. :func:`build_decoder_only` makes the parts from a config.

    >>> import torch
    >>> from transformer_lite.models import TransformerConfig, build_decoder_only
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
            ids: the tokens, shape (B, T); with a cache, only the new ones.
            cache: as in :meth:`Transformer.decode`.

        Returns:
            Logits of shape (B, T, V).

        Raises:
            TypeError, ValueError: as in :meth:`Transformer.forward`.
        """
        check_token_ids("ids", ids, self.embedding)
        with extend_cache(self.target_padding_mask(ids), cache) as (start, padding):
            mask = causal_mask(ids, start, padding)
            return self.output(self.decoder(self.embedding(ids, start), mask=mask, cache=cache))


class EncoderOnlyTransformer(BaseTransformer):
    """An encoder alone: one vector for each token, computed from its whole sentence.

    Args:
        embedding: turns ids into vectors.
        encoder: turns vectors and their mask into vectors.
        pooler: turns the vectors of a sentence into one, for :meth:`pool`; may be left out.
        pad_id: the id of the padding token; None if there is none.

    Raises:
        TypeError, ValueError: `pad_id` is not an id.

    Reference: Devlin et al. 2019. :func:`build_encoder_only` makes the parts from a config.

    >>> import torch
    >>> from transformer_lite.models import TransformerConfig, build_encoder_only
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
        return self.encoder(x, self.padding_mask(ids))

    def pool(self, x: Float[Tensor, "B S D"]) -> Float[Tensor, "B D"]:
        """Return one vector for each sentence, shape (B, D), from the output of :meth:`forward`.

        Raises:
            ValueError: the model was made without a pooler.
        """
        if self.pooler is None:
            raise ValueError("pooler must be given when the model is made, got None")
        return self.pooler(x)
