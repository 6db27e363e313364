"""What six trainings look like, one healthy and five with a fault each.

A fresh translator of one layer on each side learns short sentences of the corpus by grammar, with
the schedule of the chapter. "curve" is the loss of its training batches, the mean of each five
steps; "held out" the loss of new sentences as a healthy model is asked for them, no label smoothed;
"rises" how much that loss grows when each of these sentences has the source of another; "exact" the
share of them that it translates to the letter.
"""

from collections import Counter
from functools import cache

import torch

from lessons.trained.grammar import grammar_corpus
from transformer_lite.layers import cross_entropy, look_ahead_mask, padding_mask
from transformer_lite.models import Transformer, TransformerConfig, build
from transformer_lite.text import Batch, Batches, Pair, WordTokenizer, split_words
from transformer_lite.training import exact_match, held_out_loss, inverse_root, translate

GRID = {
    "fault": [
        "none",
        "shifted wrongly",
        "no mask",
        "rate too high",
        "asked once an epoch",
        "sources shuffled",
    ],
    "width": [32, 64],
    "peak": [0.003, 0.006],
    "steps": [20, 80, 200],
    "seed": [0, 1],
}
TOLERANCE = {"curve": 0.2, "held out": 0.3, "rises": 0.3, "exact": 0.1}
LONGEST, COMMON, APART, TOKENS, WARM_UP, TOO_HIGH, MEAN_OF = 6, 300, 50, 256, 60, 0.1, 5


@cache
def data() -> tuple[WordTokenizer, list[Pair], list[Pair]]:
    """Return a tokenizer, what is learned, and fifty new sentences from short to long."""
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
    return tokenizer, train, sorted(new, key=lambda pair: len(pair.source))


def with_fault(fault: str, model: Transformer, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    """Return logits and labels of a batch, wrong in one way."""
    mask = None if fault == "no mask" else look_ahead_mask(batch.inputs.shape[1])
    src = batch.src.roll(1, dims=0) if fault == "sources shuffled" else batch.src
    x = model.decoder(model.tgt_embedding(batch.inputs), model.encode(src), mask, padding_mask(src))
    return model.output(x), batch.inputs if fault == "shifted wrongly" else batch.labels


def rate_of(fault: str, step: int, epoch: int, peak: float) -> float:
    """Return the rate of a step, wrong in one of two ways."""
    if fault == "rate too high":
        return TOO_HIGH
    if fault == "asked once an epoch":
        return inverse_root(epoch, peak, WARM_UP) if epoch else 0.0
    return inverse_root(step, peak, WARM_UP)


def point(fault: str, width: int, peak: float, steps: int, seed: int) -> dict[str, object]:
    """Train one model and measure it."""
    tokenizer, train, new = data()
    torch.manual_seed(seed)
    model = build(
        TransformerConfig(
            len(tokenizer),
            len(tokenizer),
            width,
            num_heads=4,
            d_ff=4 * width,
            num_encoder_layers=1,
            num_decoder_layers=1,
            dropout=0.0,
            residual="pre",
            tie_embeddings=True,
        )
    )
    adam = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-9)
    batches, losses = Batches(train, tokenizer, TOKENS, seed), []
    for step in range(1, steps + 1):
        logits, labels = with_fault(fault, model, next(batches))
        loss = cross_entropy(logits, labels, 0.1, pad_id=tokenizer.pad_id)
        adam.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
        for group in adam.param_groups:
            group["lr"] = rate_of(fault, step, batches.epoch, peak)
        adam.step()
        losses.append(loss.item())
    moved = [Pair(new[i - 5].source, pair.target) for i, pair in enumerate(new)]
    held_out = held_out_loss(model, tokenizer, new)
    written = translate(model, tokenizer, [pair.source for pair in new])
    return {
        "curve": [sum(losses[i : i + MEAN_OF]) / MEAN_OF for i in range(0, steps, MEAN_OF)],
        "held out": held_out,
        "rises": held_out_loss(model, tokenizer, moved) - held_out,
        "exact": exact_match(written, [pair.target for pair in new]),
    }
