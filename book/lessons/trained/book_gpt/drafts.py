"""Small models that draft words for the GPT of the book, and how often it accepts their drafts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import torch
from jaxtyping import Float, Int64
from torch import Tensor

from lessons.trained.book_gpt.bigrams import BigramModel, load_bigrams
from lessons.trained.book_gpt.loading import BookGPT, load_book_gpt, precise_book_gpt
from lessons.trained.book_gpt.reading import rows_of
from transformer_lite.models.decoder import Decoder
from transformer_lite.models.transformer import DecoderOnlyTransformer
from transformer_lite.text.tokenizer import SPECIAL_TOKENS

#: The draft models, from the one that agrees least with the GPT to the GPT itself.
DRAFTS = ("frequencies", "bigrams", "layer", "gpt")
_WORDS, _TEXTS = 32, 64  # how long the texts are on which the drafts are measured, and how many


def first_layer(gpt: BookGPT) -> BookGPT:
    """Return the GPT without its last layers: embedding, first layer, last norm and output.

    The weights are shared with those of `gpt`, and none is trained for this use.

    Args:
        gpt: the whole model.

    Reference: Elhoushi et al. 2024, *LayerSkip*, who train a model for such early exits.
    """
    whole = gpt.model
    decoder = whole.decoder
    assert isinstance(decoder, Decoder)
    decoder = Decoder(decoder.layers[:1], decoder.norm)
    shallow = DecoderOnlyTransformer(whole.embedding, decoder, whole.output, whole.pad_id)
    shallow.config = whole.config
    return BookGPT(shallow.eval(), gpt.tokenizer)


def draft_cost(draft: str) -> float:
    """Return how many weights a draft model reads for one word, relative to the GPT.

    A table lookup counts as 0. The weights are those of the layers' matrices and of the output.

    Raises:
        ValueError: `draft` is not one of :data:`DRAFTS`.
    """
    _check(draft)
    config = load_book_gpt().model.config
    assert config is not None
    layer = 4 * config.d_model**2 + 2 * config.d_model * config.d_ff
    output = config.d_model * config.tgt_vocab_size
    layers = {"frequencies": None, "bigrams": None, "layer": 1, "gpt": config.num_decoder_layers}
    count = layers[draft]
    if count is None:
        return 0.0
    return (count * layer + output) / (config.num_decoder_layers * layer + output)


@lru_cache(maxsize=2048)
def draft_logits(draft: str, ids: tuple[int, ...]) -> Float[Tensor, " V"]:
    """Return what a draft model gives for each next word, in double precision.

    Args:
        draft: one of :data:`DRAFTS`.
        ids: the text so far, its begin included.

    Returns:
        Logits of shape (V,); for a table they are log-probabilities. −∞ for what cannot come next.

    Raises:
        ValueError: `draft` is not one of :data:`DRAFTS`.
    """
    _check(draft)
    if draft == "frequencies":
        return load_bigrams().frequencies().log()
    if draft == "bigrams":
        return load_bigrams().probabilities(ids[-1]).log()
    return (_shallow() if draft == "layer" else precise_book_gpt()).logits([*ids])


def measured(table: BigramModel, held_out: Sequence[Sequence[str]]) -> dict[str, dict[str, float]]:
    """Return the acceptance rate Σ min(p, q) of each draft model at temperature 1.

    Args:
        table: the bigram table.
        held_out: sentences that the table has not counted.

    Returns:
        Means over all positions of 64 texts of 32 words: of held-out text, and of text that the
        GPT has written itself, which is what it reads when it decodes.
    """
    gpt = load_book_gpt()
    rows = rows_of(held_out, gpt.tokenizer, _WORDS)
    some = rows[torch.linspace(0, len(rows) - 1, min(_TEXTS, len(rows))).long()]
    return {"held_out": rates(table, some), "own_text": rates(table, own_text(gpt))}


def own_text(gpt: BookGPT, texts: int = _TEXTS, words: int = _WORDS) -> Int64[Tensor, "N T"]:
    """Return texts that the GPT writes at temperature 1, the same on each call, shape (N, T)."""
    generator = torch.Generator().manual_seed(0)
    ids = torch.full((texts, 1), gpt.tokenizer.bos_id)
    with torch.no_grad():
        for _ in range(words):
            p = _of_words(gpt.model(ids)[:, -1]).softmax(dim=-1)
            ids = torch.cat([ids, torch.multinomial(p, 1, generator=generator)], dim=1)
    return ids


def rates(table: BigramModel, rows: Int64[Tensor, "N T"]) -> dict[str, float]:
    """Return the mean of Σ min(p, q) over all positions of some rows, for each draft model."""
    gpt, last = load_book_gpt(), rows[:, :-1]
    follows = torch.stack([table.probabilities(v) for v in range(len(table.follows))])
    with torch.no_grad():
        p, early = (
            _of_words(one.model(last)).softmax(dim=-1).double() for one in (gpt, first_layer(gpt))
        )
    q = {"frequencies": table.frequencies(), "bigrams": follows[last], "layer": early, "gpt": p}
    return {name: round(float(p.minimum(q[name]).sum(dim=-1).mean()), 4) for name in DRAFTS}


def _of_words(logits: Tensor) -> Tensor:
    """Return logits with −∞ for the tokens that are not words."""
    known = torch.arange(logits.shape[-1]) >= len(SPECIAL_TOKENS)
    return logits.where(known, -torch.inf)


@lru_cache(maxsize=1)
def _shallow() -> BookGPT:
    return first_layer(precise_book_gpt())


def _check(draft: str) -> None:
    if draft not in DRAFTS:
        raise ValueError(f"draft must be one of {', '.join(DRAFTS)}, got {draft!r}")
