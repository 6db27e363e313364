"""Evaluation with many workers: each held-out sentence counts once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from transformer_lite.models.transformer import Transformer
from transformer_lite.text import Pair, Tokenizer
from transformer_lite.training.distributed.workers import Workers
from transformer_lite.training.evaluation import (
    corpus_bleu,
    exact_match,
    held_out_loss,
    translate,
)


def distributed_loss(
    model: Transformer, tokenizer: Tokenizer, pairs: Sequence[Pair], workers: Workers
) -> float:
    """Return the mean cross-entropy per target token, computed by all workers.

    No row is counted twice to fill up the last worker's share, and the mean is over all tokens.

    Args:
        model: a whole copy on each worker.
        tokenizer: of both sides.
        pairs: all of them, on all workers; at least one.
        workers: each takes its rows of `pairs`.

    Raises:
        ValueError: there are no pairs.
    """
    mine = pairs[workers.rank :: workers.world_size]
    tokens = sum(len(tokenizer.encode(pair.target)) + 1 for pair in mine)
    if not pairs:
        raise ValueError("pairs must hold at least one pair, got none")
    loss = held_out_loss(model, tokenizer, mine) if mine else 0.0
    surprise, all_tokens = workers.sum([loss * tokens, tokens])
    return surprise / all_tokens


def distributed_translations(
    model: Transformer, tokenizer: Tokenizer, texts: Sequence[str], workers: Workers
) -> list[str]:
    """Return the translations of all texts, in their order, on all workers.

    Args:
        model, tokenizer, workers: as in :func:`distributed_loss`.
        texts: all of them, on all workers.
    """
    mine = texts[workers.rank :: workers.world_size]
    written = workers.gather(translate(model, tokenizer, mine) if mine else [])
    return [written[i % workers.world_size][i // workers.world_size] for i in range(len(texts))]


def distributed_evaluation(
    pairs: Sequence[Pair], tokenizer: Tokenizer, workers: Workers, sample: int
) -> Callable[[Transformer], dict[str, float]]:
    """Return a function that measures loss, BLEU and exact match on held-out pairs.

    Args:
        pairs, tokenizer, workers: as in :func:`distributed_loss`.
        sample: how many of the pairs are translated.
    """
    sources = [pair.source for pair in pairs[:sample]]
    targets = [pair.target for pair in pairs[:sample]]

    def evaluate(model: Transformer) -> dict[str, float]:
        written = distributed_translations(model, tokenizer, sources, workers)
        return {
            "loss": distributed_loss(model, tokenizer, pairs, workers),
            "BLEU": corpus_bleu(written, targets).score,
            "exact match": exact_match(written, targets),
        }

    return evaluate
