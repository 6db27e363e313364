"""Signals of doubt that the page cannot afford at a keystroke: measured to know what is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from transformer_lite.decoding import beam_search
from transformer_lite.layers.multi_head import MultiHeadAttention
from transformer_lite.models.transformer import Transformer
from transformer_lite.text import Pair, Tokenizer
from transformer_lite.translator.doubt import Written, certainty

if TYPE_CHECKING:
    from transformer_lite.translator.loading import Translator

_BEAMS, _BATCH = 4, 64


def _source(tokenizer: Tokenizer, texts: Sequence[str]) -> Tensor:
    rows = [torch.tensor([*tokenizer.encode(text), tokenizer.eos_id]) for text in texts]
    return pad_sequence(rows, batch_first=True, padding_value=tokenizer.pad_id)


def _batches(texts: Sequence[str]) -> Iterator[list[int]]:
    """Yield the places of texts of like length."""
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    return (order[first : first + _BATCH] for first in range(0, len(order), _BATCH))


def _beams(translator: Translator, texts: Sequence[str]) -> list[tuple[list[int], float, float]]:
    """Return the best beam of each text, its score, and by how much that is above the second."""
    tokenizer = translator.tokenizer
    found: dict[int, tuple[list[int], float, float]] = {}
    ends = {"bos_id": tokenizer.bos_id, "eos_id": tokenizer.eos_id}
    for rows in _batches(texts):
        src = _source(tokenizer, [texts[i] for i in rows])
        longest = 2 * src.shape[1] + 10
        search = beam_search(  # no bool among the ends
            translator.model,
            src,
            num_beams=_BEAMS,
            max_len=longest,
            **ends,  # type: ignore[arg-type]
        )
        for i, ids, scores in zip(rows, search.best.tolist(), search.scores.tolist(), strict=True):
            kept = [token for token in ids[1:] if token != tokenizer.pad_id]
            found[i] = kept, scores[0], scores[0] - scores[1]
    return [found[i] for i in range(len(texts))]


def beam_score(translator: Translator, texts: Sequence[str], _: Sequence[Written]) -> list[float]:
    """Return the score of the best of four beams: its log-probability by its length."""
    return [score for _, score, _ in _beams(translator, texts)]


def beam_gap(translator: Translator, texts: Sequence[str], _: Sequence[Written]) -> list[float]:
    """Return by how much the best beam is above the second."""
    return [gap for _, _, gap in _beams(translator, texts)]


def agreement(
    translator: Translator, texts: Sequence[str], written: Sequence[Written]
) -> list[float]:
    """Return 1 where the best beam is the greedy translation, 0 elsewhere."""
    best = (ids for ids, _, _ in _beams(translator, texts))
    return [float(ids == one.ids) for ids, one in zip(best, written, strict=True)]


@contextmanager
def _without_a_head(attention: MultiHeadAttention, head: int) -> Iterator[None]:
    """Take what a head found out of the last projection meanwhile."""
    width = attention.d_model // attention.num_heads
    columns = slice(head * width, (head + 1) * width)
    weight = attention.out_proj.weight
    before = weight.detach().clone()
    with torch.no_grad():
        weight[:, columns] = 0
    try:
        yield
    finally:
        with torch.no_grad():
            weight.copy_(before)


@torch.no_grad()
def silenced(
    translator: Translator, texts: Sequence[str], written: Sequence[Written]
) -> list[float]:
    """Return the mean log-probability of a translation at worst: with a head of the encoder off."""
    model, tokenizer = translator.model, translator.tokenizer
    found = [0.0] * len(texts)
    for rows in _batches(texts):
        src = _source(tokenizer, [texts[i] for i in rows])
        targets = [torch.tensor([tokenizer.bos_id, *written[i].ids]) for i in rows]
        ids = pad_sequence(targets, batch_first=True, padding_value=tokenizer.pad_id)
        worst = torch.full((len(rows),), torch.inf)
        for attention, head in _heads(model):
            with _without_a_head(attention, head):
                sure = certainty(model, src, ids)[0]
            real = ids[:, 1:] != tokenizer.pad_id
            worst = worst.minimum(sure.where(real, 0).sum(dim=1) / real.sum(dim=1))
        for i, value in zip(rows, worst.tolist(), strict=True):
            found[i] = value
    return found


def _heads(model: Transformer) -> Iterator[tuple[MultiHeadAttention, int]]:
    for part in model.encoder.modules():
        if isinstance(part, MultiHeadAttention):
            for head in range(part.num_heads):
                yield part, head


def unseen_pairs(tokenizer: Tokenizer, texts: Sequence[str], train: Sequence[Pair]) -> list[float]:
    """Return, below 0, how many neighbors in each text were never neighbors in training.

    It would need all pairs of the training's words in the page.
    """
    seen = {pair for one in train for pair in _neighbors(tokenizer, one.source)}
    return [-float(sum(p not in seen for p in _neighbors(tokenizer, text))) for text in texts]


def _neighbors(tokenizer: Tokenizer, text: str) -> Iterator[tuple[int, int]]:
    ids = [tokenizer.bos_id, *tokenizer.encode(text), tokenizer.eos_id]
    return pairwise(ids)


#: By name, each from the translator, the texts, and their translations by greedy search.
COSTLY: Mapping[str, Callable[[Translator, Sequence[str], Sequence[Written]], list[float]]] = {
    "score of the best beam": beam_score,
    "gap to the second beam": beam_gap,
    "greedy is the best beam": agreement,
    "mean with a head off": silenced,
}
