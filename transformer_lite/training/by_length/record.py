"""Measure anew: ``nice python -m transformer_lite.training.by_length.record``.

A recurrent translator without attention, one with it, and a Transformer, all of one size within a
few percent, learn from the same texts, in the same order and with the same rates. A text is one to
three sentences of the corpus by grammar. Each model then translates texts of one, two, three and
four sentences that it has never read, the last longer than any it has trained on. The numbers go
into ``record.json`` beside this file after every run; a run that stands there is not repeated.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch

from transformer_lite._files import write_whole
from transformer_lite.models import Transformer, TransformerConfig, build
from transformer_lite.models.recurrent import AdditiveAttention, FixedContext, build_recurrent
from transformer_lite.text import Batches, Pair, WordTokenizer, grammar_corpus
from transformer_lite.training import Trainer, corpus_bleu, exact_match, inverse_root, translate
from transformer_lite.training.by_length import FILE

SETTINGS: dict[str, Any] = {
    "sentence words at most": 6,
    "texts": 20_000,
    "sentences of a text": [1, 2, 3],
    "sentences of a test": [1, 2, 3, 4],
    "tests of each length": 100,
    "steps": 800,
    "tokens a batch": 1024,
    "peak rate": 5e-3,
    "warm-up": 100,
    "label smoothing": 0.1,
    "dropout": 0.0,
    "seeds": [0, 1, 2],
}
WIDTH = 64
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


def texts(pairs: Sequence[Pair], count: int, sizes: Sequence[int], seed: int) -> list[Pair]:
    """Join sentences to texts: each of so many sentences as is drawn from `sizes`."""
    rng = random.Random(f"{seed} {sizes}")
    made = []
    for _ in range(count):
        parts = rng.choices(pairs, k=rng.choice(sizes))
        sides = (". ".join(part.source for part in parts), ". ".join(part.target for part in parts))
        made.append(Pair(*sides))
    return made


def data(settings: dict[str, Any]) -> tuple[WordTokenizer, list[Pair], list[list[Pair]]]:
    """Return the tokenizer, the texts to learn from, and those to be tested with by length."""
    most = settings["sentence words at most"]
    corpus = grammar_corpus(size=40_000)
    learned, kept = (
        [pair for pair in split if len(pair.source.split()) <= most]
        for split in (corpus.train, corpus.held_out)
    )
    train = texts(learned, settings["texts"], settings["sentences of a text"], seed=0)
    tests = [
        texts(kept, settings["tests of each length"], [size], seed=1)
        for size in settings["sentences of a test"]
    ]
    return WordTokenizer.train([text for pair in train for text in pair[:2]]), train, tests


def run(name: str, seed: int, settings: dict[str, Any]) -> dict[str, Any]:
    """Train one model and measure it on every length."""
    tokenizer, train, tests = data(settings)
    torch.manual_seed(seed)
    model = MAKERS[name](len(tokenizer))
    rate = partial(inverse_root, peak=settings["peak rate"], warm_up=settings["warm-up"])
    batches = Batches(train, tokenizer, settings["tokens a batch"], seed)
    trainer = Trainer(model, batches, rate, label_smoothing=settings["label smoothing"])
    trainer.run(settings["steps"])
    exact, bleu = [], []
    for pairs in tests:
        written = translate(model, tokenizer, [pair.source for pair in pairs])
        truths = [pair.target for pair in pairs]
        exact.append(round(exact_match(written, truths), 4))
        bleu.append(round(corpus_bleu(written, truths).score, 1))
    parameters = sum(p.numel() for p in model.parameters())
    return {"model": name, "seed": seed, "parameters": parameters, "exact": exact, "bleu": bleu}


def words_of(settings: dict[str, Any]) -> list[float]:
    """Return how many words the tested sources have, on average for each length."""
    tokenizer, _, tests = data(settings)
    return [
        round(sum(len(tokenizer.encode(pair.source)) for pair in pairs) / len(pairs), 1)
        for pairs in tests
    ]


def main() -> None:
    """Do the runs that the record lacks, seed by seed, and write each at once."""
    done = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    if done.get("settings") != SETTINGS:
        done = {"settings": SETTINGS, "words": words_of(SETTINGS), "runs": []}
    known = {(found["model"], found["seed"]) for found in done["runs"]}
    for seed in SETTINGS["seeds"]:
        for name in MAKERS:
            if (name, seed) not in known:
                done["runs"].append(run(name, seed, SETTINGS))
                text = json.dumps(done, ensure_ascii=False, indent=1)
                write_whole(FILE, f"{text}\n".encode())
                print(done["runs"][-1], flush=True)


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
