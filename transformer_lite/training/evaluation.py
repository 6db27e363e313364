"""Evaluation of a translator: held-out loss, translations, exact match and BLEU."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from transformer_lite.checks import check_size
from transformer_lite.decoding import beam_search, greedy
from transformer_lite.layers.loss import cross_entropy
from transformer_lite.models.transformer import Transformer
from transformer_lite.text import Pair, Tokenizer
from transformer_lite.text.tokenizer import check_words


class Bleu(NamedTuple):
    """A BLEU score, 0 to 100, and the signature that says how it was computed."""

    score: float
    signature: str


def translate(
    model: Transformer,
    tokenizer: Tokenizer,
    texts: Sequence[str],
    beam_width: int = 1,
    *,
    target_tokenizer: Tokenizer | None = None,
    batch_size: int = 128,
) -> list[str]:
    """Translate texts in batches of similar length.

    A translation has at most twice as many tokens as the longest source of its batch, plus ten.

    Args:
        model: the translator; its mode is restored afterwards.
        tokenizer: of the source, and of the target too where there is no other.
        texts: the texts to translate.
        beam_width: the number of beams; 1 is greedy search.
        target_tokenizer: of the target; None where both languages share one.
        batch_size: the number of texts per batch.

    Returns:
        The translations, in the order of the texts.

    Raises:
        TypeError, ValueError: `texts` is not a list of strings; `beam_width` or `batch_size` is not
            an int, or smaller than 1; model and tokenizers have different pads.
    """
    check_size("beam_width", beam_width)
    check_size("batch_size", batch_size)
    check_words("texts", texts)
    target = target_tokenizer or tokenizer
    check_pads(model, tokenizer.pad_id, target.pad_id)
    sources = [[*tokenizer.encode(text), tokenizer.eos_id] for text in texts]
    order = sorted(range(len(texts)), key=lambda i: len(sources[i]))
    translations = [""] * len(texts)
    with evaluating(model):
        for first in range(0, len(order), batch_size):
            rows = order[first : first + batch_size]
            ids = _padded(model, [sources[i] for i in rows], tokenizer.pad_id)
            for i, written in zip(rows, _write(model, target, ids, beam_width), strict=True):
                translations[i] = target.decode(written)
    return translations


def held_out_loss(
    model: Transformer,
    tokenizer: Tokenizer,
    pairs: Sequence[Pair],
    *,
    target_tokenizer: Tokenizer | None = None,
    batch_size: int = 128,
) -> float:
    """Return the mean cross-entropy per target token, without label smoothing, in nats.

    The end token of each sentence counts, padding does not. e to this power is the
    perplexity.

    Args:
        model: the translator; its mode is restored afterwards.
        tokenizer: of the source, and of the target too where there is no other.
        pairs: sentences that the model has not trained on, at least one.
        target_tokenizer: of the target; None where both languages share one.
        batch_size: the number of pairs per batch.

    Raises:
        TypeError, ValueError: `batch_size` is not an int, or smaller than 1; there are no pairs;
            model and tokenizers have different pads.
    """
    check_size("batch_size", batch_size)
    if not pairs:
        raise ValueError("pairs must hold at least one pair, got none")
    target = target_tokenizer or tokenizer
    check_pads(model, tokenizer.pad_id, target.pad_id)
    sources = [[*tokenizer.encode(pair.source), tokenizer.eos_id] for pair in pairs]
    targets = [[target.bos_id, *target.encode(pair.target), target.eos_id] for pair in pairs]
    order = sorted(range(len(pairs)), key=lambda i: len(targets[i]))
    surprise, tokens = 0.0, 0
    with evaluating(model), torch.inference_mode():
        for first in range(0, len(order), batch_size):
            rows = order[first : first + batch_size]
            src = _padded(model, [sources[i] for i in rows], tokenizer.pad_id)
            tgt = _padded(model, [targets[i] for i in rows], target.pad_id)
            logits = model(src, tgt[:, :-1])
            real = sum(len(targets[i]) - 1 for i in rows)
            loss = cross_entropy(logits, tgt[:, 1:], pad_id=model.pad_id)
            surprise, tokens = surprise + loss.item() * real, tokens + real
    return surprise / tokens


def exact_match(translations: Sequence[str], references: Sequence[str]) -> float:
    """Return the share of translations that equal their reference exactly.

    Args:
        translations: the output of the model.
        references: one correct translation for each.

    Raises:
        TypeError: an argument is one string, or a text is not a string.
        ValueError: there are none, or not as many of both.

    >>> exact_match(["thanks.", "i sleep."], ["thanks.", "i slept."])
    0.5
    """
    _check_as_many(translations, references)
    pairs = zip(translations, references, strict=True)
    return sum(ours == right for ours, right in pairs) / len(references)


def corpus_bleu(translations: Sequence[str], references: Sequence[str]) -> Bleu:
    """Return the BLEU of a corpus as sacrebleu computes it, with its default tokenizer.

    Args, Raises: as in :func:`exact_match`.

    Reference: Papineni et al. 2002; Post 2018 on why the signature has to be told.

    >>> corpus_bleu(["the cat sat on the mat ."], ["the cat sat on the mat ."]).score
    100.0
    """
    _check_as_many(translations, references)
    from sacrebleu.metrics.bleu import BLEU  # imported here because it is slow to load

    bleu = BLEU()
    score = bleu.corpus_score(list(translations), [list(references)]).score
    return Bleu(round(score, 6), str(bleu.get_signature()))


def check_pads(model: Transformer, *pads: int | None) -> None:
    """Require that batches use the padding id of the model, which would read another as a word.

    Raises:
        ValueError: one of `pads` is another id.
    """
    for pad_id in pads:
        if pad_id != model.pad_id:
            raise ValueError(
                f"pad_id of model must be that of its batches, {pad_id}, got {model.pad_id}"
            )


@contextmanager
def evaluating(model: nn.Module) -> Iterator[None]:
    """Put a model into evaluation mode during a ``with`` block, without dropout."""
    was_training = model.training
    model.eval()
    try:
        yield
    finally:
        model.train(was_training)


def _write(model: Transformer, target: Tokenizer, ids: Tensor, beam_width: int) -> list[list[int]]:
    """Return the ids of a batch's translations."""
    ends = {"bos_id": target.bos_id, "eos_id": target.eos_id, "max_len": 2 * ids.shape[1] + 10}
    if beam_width == 1:
        return greedy(model, ids, **ends).tolist()  # type: ignore[arg-type] # no bool
    search = beam_search(model, ids, num_beams=beam_width, **ends)  # type: ignore[arg-type]
    return search.best.tolist()


def _padded(model: Transformer, rows: list[list[int]], pad_id: int) -> Tensor:
    """Return rows of ids as one batch on the model's device, shape (B, T)."""
    tensors = [torch.tensor(row) for row in rows]
    ids = pad_sequence(tensors, batch_first=True, padding_value=pad_id)
    return ids.to(next(model.parameters()).device)


def _check_as_many(translations: Sequence[str], references: Sequence[str]) -> None:
    check_words("translations", translations)  # one string is a sequence of letters
    check_words("references", references)
    if not references or len(translations) != len(references):
        raise ValueError(
            "translations must have one reference each, and there must be some, got "
            f"{len(translations)} translations and {len(references)} references"
        )
