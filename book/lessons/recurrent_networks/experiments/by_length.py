"""Three translators of one size on texts of growing length.

A recurrent translator without attention, one with it, and a Transformer, all of one size within a
few percent, learn from the same texts, in the same order and with the same rates. A text is one to
three short statements of the corpus by grammar. Each model then translates texts of one, two,
three and four that it has never read, the last longer than any it has trained on. For each length
"words" is the mean number of source words, "exact" the share of texts that are right word for
word, "bleu" their BLEU, and "loss" the surprise for each word of the right translations.
"""

import random
from collections.abc import Callable, Sequence
from functools import cache, partial

import torch

from lessons.trained.grammar import grammar_corpus
from transformer_lite.models import Transformer, TransformerConfig, build
from transformer_lite.models.recurrent import AdditiveAttention, FixedContext, build_recurrent
from transformer_lite.text import Batches, Pair, WordTokenizer
from transformer_lite.training import (
    Trainer,
    corpus_bleu,
    exact_match,
    held_out_loss,
    inverse_root,
    translate,
)

GRID = {
    "steps": [100, 1000],
    "seed": [0, 1, 2],
    "model": ["without attention", "with attention", "transformer"],
}
TOLERANCE = {"bleu": 2.0, "exact": 0.02, "loss": 0.02}
WIDTH, LONGEST_SENTENCE, TEXTS, TESTS = 64, 6, 20_000, 100
MAKERS: dict[str, Callable[[int], Transformer]] = {
    "without attention": lambda vocab: build_recurrent(
        vocab, WIDTH, 77, lambda h, m: FixedContext(h)
    ),
    "with attention": lambda vocab: build_recurrent(
        vocab, WIDTH, 72, lambda h, m: AdditiveAttention(h, m, 72)
    ),
    "transformer": lambda vocab: build(
        TransformerConfig(
            vocab, vocab, WIDTH, num_heads=4, d_ff=2 * WIDTH, num_encoder_layers=2,
            num_decoder_layers=2, dropout=0.0, residual="pre", tie_embeddings=True,
        )
    ),
}  # fmt: skip


def short(pair: Pair) -> bool:
    """Return whether a pair is a short sentence that has no mark of its own at the end."""
    return len(pair.source.split()) <= LONGEST_SENTENCE and pair.source[-1] not in ".?"


def texts(pairs: Sequence[Pair], count: int, sizes: Sequence[int], seed: int) -> list[Pair]:
    """Join sentences to texts: each of so many sentences as is drawn from `sizes`."""
    rng = random.Random(f"{seed} {sizes}")
    made = []
    for _ in range(count):
        parts = rng.choices(pairs, k=rng.choice(sizes))
        sides = (". ".join(part.source for part in parts), ". ".join(part.target for part in parts))
        made.append(Pair(*sides))
    return made


@cache
def data() -> tuple[WordTokenizer, list[Pair], list[list[Pair]]]:
    """Return the tokenizer, the texts to learn from, and those to be tested with by length."""
    corpus = grammar_corpus(size=40_000)
    learned, kept = (list(filter(short, split)) for split in (corpus.train, corpus.held_out))
    train = texts(learned, TEXTS, [1, 2, 3], seed=0)
    tests = [texts(kept, TESTS, [size], seed=1) for size in (1, 2, 3, 4)]
    return WordTokenizer.train([text for pair in train for text in pair[:2]]), train, tests


def point(steps: int, seed: int, model: str) -> dict[str, float | list[float]]:
    """Train one model and measure it on every length."""
    tokenizer, train, tests = data()
    torch.manual_seed(seed)
    translator = MAKERS[model](len(tokenizer))
    rate = partial(inverse_root, peak=5e-3, warm_up=100)
    batches = Batches(train, tokenizer, 1024, seed)
    Trainer(translator, batches, rate, label_smoothing=0.1).run(steps)
    found: dict[str, list[float]] = {"words": [], "exact": [], "bleu": [], "loss": []}
    for pairs in tests:
        written = translate(translator, tokenizer, [pair.source for pair in pairs])
        truths = [pair.target for pair in pairs]
        found["words"].append(sum(len(tokenizer.encode(pair.source)) for pair in pairs) / TESTS)
        found["exact"].append(exact_match(written, truths))
        found["bleu"].append(corpus_bleu(written, truths).score)
        found["loss"].append(held_out_loss(translator, tokenizer, pairs))
    parameters = sum(p.numel() for p in translator.parameters())
    return {"parameters": parameters, **found}
