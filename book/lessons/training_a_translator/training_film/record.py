"""Record the film again: ``python -m lessons.training_a_translator.training_film.record``.

A translator of the book's sizes is trained on the corpus by grammar. At chosen steps the film
records its losses, its translations of three sentences that are not in the training set, and the
attention weights of its decoder's one layer. The rounded numbers go into ``run.json``.
"""

from __future__ import annotations

import json
import random
from functools import partial
from pathlib import Path
from typing import Any

import torch

from lessons.kit.recording import percent, words_of
from lessons.trained.grammar import grammar_corpus
from lessons.trained.options import Options
from transformer_lite.files import write_whole
from transformer_lite.models import Transformer, build, record_attention
from transformer_lite.text import Batches, Pair, WordTokenizer, make_batch
from transformer_lite.training import (
    Trainer,
    corpus_bleu,
    exact_match,
    held_out_loss,
    inverse_root,
    translate,
)
from transformer_lite.training.evaluation import evaluating

FILE = Path(__file__).with_name("run.json")
SENTENCES = (
    Pair("les oiseaux noirs mangent les cerises", "the black birds eat the cherries"),
    Pair("anne n'aime pas la souris aujourd'hui", "anne does not love the mouse today"),
    Pair("l'avocat est mûr et l'avocat dort", "the avocado is ripe and the lawyer sleeps"),
)
MOMENTS = (0, 10, 25, 50, 75, 100, 150, 200, 300, 400, 600, 800, 1000, 1500, 2000, 3000)
PEAK, WARM_UP, TOKENS = 3e-3, 400, 2048
EVERY = 25  # steps that share a point of the curve
MEASURED = 300  # held-out pairs that are translated at each moment
LETTERS = 120  # of a translation that are kept


def record(options: Options | None = None) -> dict[str, Any]:
    """Train a translator, and return the numbers of the film."""
    options = options or Options()
    seed = options.seed
    corpus = grammar_corpus(seed, options.pairs)
    shown = {pair.source for pair in SENTENCES}
    train = [pair for pair in corpus.train if pair.source not in shown]
    held_out = random.Random(seed).sample(corpus.held_out, MEASURED)
    tokenizer = WordTokenizer.train([text for pair in train for text in pair[:2]])
    torch.manual_seed(seed)
    rate = partial(inverse_root, peak=PEAK, warm_up=WARM_UP)
    model = build(options.config(len(tokenizer)))
    trainer = Trainer(model, Batches(train, tokenizer, TOKENS, seed), rate)
    moments = []
    for step in MOMENTS:
        trainer.run(step - trainer.step)
        moments.append(look(trainer.model, tokenizer, held_out) | {"step": step})
    losses = torch.tensor([record.loss for record in trainer.history]).view(-1, EVERY).mean(dim=1)
    return {
        "peak": PEAK,
        "warm_up": WARM_UP,
        "every": EVERY,
        "train_loss": [round(loss, 3) for loss in losses.tolist()],
        "sentences": [words_of(tokenizer, pair) for pair in SENTENCES],
        "moments": moments,
    }


def look(model: Transformer, tokenizer: WordTokenizer, pairs: list[Pair]) -> dict[str, Any]:
    """Measure a model on held-out pairs, and let it translate the sentences of the film."""
    written = translate(model, tokenizer, [pair.source for pair in pairs])
    truths = [pair.target for pair in pairs]
    ours = translate(model, tokenizer, [pair.source for pair in SENTENCES])
    return {
        "held_out_loss": round(held_out_loss(model, tokenizer, pairs), 3),
        "bleu": round(corpus_bleu(written, truths).score, 1),
        "exact": round(100 * exact_match(written, truths), 1),
        "translations": [text[:LETTERS] for text in ours],
        "right": [probabilities(model, tokenizer, pair) for pair in SENTENCES],
        "weights": [weights(model, tokenizer, pair) for pair in SENTENCES],
    }


def probabilities(model: Transformer, tokenizer: WordTokenizer, pair: Pair) -> list[int]:
    """Return the probability of each right word after the right prefix, in percent."""
    batch = make_batch([pair], tokenizer)
    with evaluating(model), torch.inference_mode():
        shares = model(batch.src, batch.inputs)[0].softmax(dim=-1)
    return percent(shares.gather(1, batch.labels.T)[:, 0])


def weights(model: Transformer, tokenizer: WordTokenizer, pair: Pair) -> list[list[list[int]]]:
    """Return the cross-attention weights of each head, in percent, (H, T, S).

    The decoder reads the right words, so that the rows mean the same from step to step.
    """
    batch = make_batch([pair], tokenizer)
    with evaluating(model), torch.inference_mode():
        found = record_attention(model, batch.src, batch.inputs).weights
    return percent([x[0] for name, x in found.items() if name.endswith("cross_attention")][-1])


def main() -> None:
    """Record the run and write it."""
    text = json.dumps(record(), ensure_ascii=False, separators=(",", ":"))
    write_whole(FILE, f"{text}\n".encode())


if __name__ == "__main__":
    main()
