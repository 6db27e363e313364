"""A sentence encoder: text in, vectors out, with access to everything in between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float, Integer
from torch import Tensor, nn

from transformer_lite.models.inspection import record_attention
from transformer_lite.models.transformer import EncoderOnlyTransformer


class Tokens(NamedTuple):
    """Tokenized sentences: ids, which of them are not padding, and the pieces as text."""

    ids: Integer[Tensor, "B T"]
    keep: Bool[Tensor, "B T"]
    pieces: list[list[str]]


class SentenceEncoder(nn.Module):
    """An encoder together with the tokenizer that it was trained with.

    A sentence's vector is the mean of the vectors of its real tokens, scaled to length 1. Padding
    never counts, so it does not depend on the other sentences of the batch. Every token belongs to
    the first segment.

    Args:
        encoder: an :class:`EncoderOnlyTransformer` with a `pad_id`.
        tokenizer: a tokenizer of the `tokenizers` package, or another one whose
            ``encode_batch(sentences)`` returns objects with `ids` and `tokens`, without padding.

    Raises:
        TypeError: `encoder` is not an EncoderOnlyTransformer, or `tokenizer` cannot encode a batch.
        ValueError: `encoder` has no `pad_id`.

    Reference: Reimers and Gurevych 2019, section 3. :func:`minilm` makes a trained one.
    """

    def __init__(self, encoder: EncoderOnlyTransformer, tokenizer: Any) -> None:
        super().__init__()
        if not isinstance(encoder, EncoderOnlyTransformer):
            came = type(encoder).__name__
            raise TypeError(f"encoder must be an EncoderOnlyTransformer, got {came}")
        if encoder.pad_id is None:
            raise ValueError("encoder must have a pad_id, which fills up sentences, got None")
        if not callable(getattr(tokenizer, "encode_batch", None)):
            came = type(tokenizer).__name__
            raise TypeError(f"tokenizer must offer encode_batch(sentences), got {came}")
        self.encoder, self.tokenizer = encoder, tokenizer
        self.pad_id: int = encoder.pad_id

    def tokens(self, sentences: Sequence[str]) -> Tokens:
        """Tokenize sentences and pad the shorter ones.

        Args:
            sentences: a list of at least one sentence.

        Returns:
            :class:`Tokens`: `ids` and `keep` of shape (B, T), where T is the length of the
            longest sentence and `keep` is False at padding; `pieces` has no padding.

        Raises:
            TypeError: `sentences` is not a list of strings.
            ValueError: there is no sentence, or one holds the pad itself.
        """
        _check_sentences(sentences)
        encoded = self.tokenizer.encode_batch(list(sentences))
        pad = self.pad_id
        for sentence, row in zip(sentences, encoded, strict=True):
            if pad in row.ids:
                raise ValueError(f"sentences must not hold the pad, id {pad}, got {sentence!r:.60}")
        longest = max(len(row.ids) for row in encoded)
        rows = [[*row.ids, *[pad] * (longest - len(row.ids))] for row in encoded]
        device = next(self.encoder.parameters()).device
        ids = torch.tensor(rows, device=device)
        return Tokens(ids, ids != pad, [list(row.tokens) for row in encoded])

    def forward(self, sentences: Sequence[str]) -> Float[Tensor, "B D"]:
        """Return :meth:`encode` of the sentences."""
        return self.encode(sentences)

    def encode(self, sentences: Sequence[str]) -> Float[Tensor, "B D"]:
        """Return one vector of length 1 for each sentence, shape (B, D).

        Args, Raises: as in :meth:`tokens`.
        """
        tokens = self.tokens(sentences)
        keep = tokens.keep[..., None]
        total = (self.encoder(tokens.ids) * keep).sum(dim=1)
        return nn.functional.normalize(total / keep.sum(dim=1), dim=-1)

    def hidden_states(self, sentences: Sequence[str]) -> list[Float[Tensor, "B T D"]]:
        """Return the vectors of all tokens at the input of the first layer and after every layer.

        Where `keep` of :meth:`tokens` is False, they belong to padding and have no meaning.

        Args, Raises: as in :meth:`tokens`.

        Returns:
            One tensor of shape (B, T, D) more than there are layers; the last is the output.
        """
        ids = self.tokens(sentences).ids
        states: list[Tensor] = [self.encoder.embedding(ids)]
        mask = self.encoder.padding_mask(ids)
        stack: Any = self.encoder.encoder
        for layer in stack.layers:
            states.append(layer(states[-1], mask))
        return [*states[:-1], stack.norm(states[-1])]

    def attention(self, sentences: Sequence[str]) -> Float[Tensor, "L B H T T"]:
        """Return the attention weights, shape (L, B, H, T, T): layer, sentence, head, query, key.

        Args, Raises: as in :meth:`tokens`.
        """
        record = record_attention(self.encoder, self.tokens(sentences).ids)
        return torch.stack(list(record.weights.values()))


def _check_sentences(sentences: Sequence[str]) -> None:
    if isinstance(sentences, str) or not isinstance(sentences, Sequence):
        came = f"{type(sentences).__name__}: {sentences!r:.60}"
        raise TypeError(f"sentences must be a list of strings, got {came}")
    for sentence in sentences:
        if not isinstance(sentence, str):
            came = f"{type(sentence).__name__}: {sentence!r:.60}"
            raise TypeError(f"sentences must be a list of strings, got one of type {came}")
    if not sentences:
        raise ValueError("sentences must hold at least one sentence, got none")
