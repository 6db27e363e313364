"""When a translator learns its few sentences by heart, at five learning rates, with weight decay.

A fresh translator of one layer on each side learns 352 short sentences of the corpus by grammar.
"training" is the loss of these sentences in evaluation mode after every twenty steps, "held out"
that of fifty new ones; no label is smoothed. "right" is the share of the new words to which the
model gives its highest probability, "wrong words" the mean loss of all others.
"""

from collections import Counter
from functools import cache, partial

import torch

from lessons.trained.grammar import grammar_corpus
from transformer_lite.models import Transformer, TransformerConfig, build
from transformer_lite.text import Batch, Batches, Pair, WordTokenizer, make_batch, split_words
from transformer_lite.training import Trainer, held_out_loss, inverse_root

GRID = {
    "decay": [0.0, 1.0],
    "peak": [0.0006, 0.002, 0.006, 0.02, 0.06],
    "steps": [40, 400],
    "seed": [0, 1, 2],
}
TOLERANCE = {"training": 0.5, "held out": 0.5, "right": 0.2, "wrong words": 1.5}
LONGEST, COMMON, APART, TOKENS, WARM_UP, EVERY = 6, 300, 50, 256, 60, 20


@cache
def data() -> tuple[WordTokenizer, list[Pair], list[Pair]]:
    """Return a tokenizer, 352 sentence pairs to learn and fifty new ones."""
    short = [
        pair
        for pair in grammar_corpus(size=6_000, held_out=1).train
        if len(pair.source.split()) <= LONGEST and not pair.phenomena & {"ambiguous", "undecided"}
    ]
    counts = Counter(word for pair in short for word in split_words(pair.source))
    common = {word for word, _ in counts.most_common(COMMON)}
    simple = [pair for pair in short if common.issuperset(split_words(pair.source))]
    train, new = simple[:-APART], simple[-APART:]
    tokenizer = WordTokenizer.train([text for pair in train for text in pair[:2]])
    return tokenizer, train, new


def of_new_words(model: Transformer, batch: Batch) -> tuple[float, float]:
    """Return the share of right words, and the mean loss of the others."""
    model.eval()
    with torch.no_grad():
        logits = model(batch.src, batch.inputs)
    real = batch.labels != model.pad_id
    right = (logits.argmax(dim=-1) == batch.labels)[real]
    losses = -logits.log_softmax(dim=-1).gather(-1, batch.labels[..., None])[..., 0][real]
    return right.float().mean().item(), losses[~right].mean().item()


def point(decay: float, peak: float, steps: int, seed: int) -> dict[str, list[float]]:
    """Train one model and measure it after every twenty steps."""
    tokenizer, train, new = data()
    torch.manual_seed(seed)
    model = build(
        TransformerConfig(
            len(tokenizer),
            len(tokenizer),
            64,
            num_heads=4,
            d_ff=256,
            num_encoder_layers=1,
            num_decoder_layers=1,
            dropout=0.0,
            residual="pre",
            tie_embeddings=True,
        )
    )
    trainer = Trainer(
        model,
        Batches(train, tokenizer, TOKENS, seed),
        partial(inverse_root, peak=peak, warm_up=WARM_UP),
        label_smoothing=0.0,
        weight_decay=decay,
    )
    batch = make_batch(new, tokenizer)
    names = "training", "held out", "right", "wrong words"
    found: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(steps // EVERY):
        trainer.run(EVERY)
        right, wrong = of_new_words(model, batch)
        losses = (held_out_loss(model, tokenizer, pairs) for pairs in (train, new))
        for name, value in zip(names, (*losses, right, wrong), strict=True):
            found[name].append(value)
    return found
