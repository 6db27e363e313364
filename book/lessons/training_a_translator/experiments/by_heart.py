"""What the loss says while one batch is learned by heart with dropout.

A fresh translator of one layer on each side takes all its steps on the same sixteen short sentences
of the corpus by grammar. "training" is the loss of its last ten steps, with dropout at work where
there is some; "as it is" the loss of the same batch afterwards, in evaluation mode; "word for word"
the share of the sixteen that it then translates to the letter. No label is smoothed.
"""

from functools import cache

import torch

from lessons.trained.grammar import grammar_corpus
from transformer_lite.layers import cross_entropy
from transformer_lite.models import TransformerConfig, build
from transformer_lite.text import Batch, Pair, WordTokenizer, make_batch
from transformer_lite.training import exact_match, translate

GRID = {
    "dropout": [0.0, 0.1, 0.3],
    "rate": [0.001, 0.003, 0.01],
    "steps": [60, 200, 600],
    "seed": [0, 1],
}
TOLERANCE = {"training": 0.05, "as it is": 0.05, "word for word": 0.13}
LAST, LONGEST = 10, 6


@cache
def data() -> tuple[WordTokenizer, list[Pair], Batch]:
    """Return the tokenizer of two thousand sentences, sixteen of them, and their batch."""
    corpus = grammar_corpus(size=2_000, held_out=1)
    tokenizer = WordTokenizer.train([text for pair in corpus.train for text in pair[:2]])
    short = [pair for pair in corpus.train if len(pair.source.split()) <= LONGEST]
    pairs = short[20:36]
    return tokenizer, pairs, make_batch(pairs, tokenizer)


def point(dropout: float, rate: float, steps: int, seed: int) -> dict[str, float]:
    """Train one model on the batch and measure it in both modes."""
    tokenizer, pairs, batch = data()
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
            dropout=dropout,
            residual="pre",
            tie_embeddings=True,
        )
    )
    adam, losses = torch.optim.Adam(model.parameters(), lr=rate), []
    for _ in range(steps):
        logits = model(batch.src, batch.inputs)
        loss = cross_entropy(logits, batch.labels, pad_id=tokenizer.pad_id)
        adam.zero_grad()
        loss.backward()
        adam.step()
        losses.append(loss.item())
    model.eval()
    with torch.no_grad():
        logits = model(batch.src, batch.inputs)
    written = translate(model, tokenizer, [pair.source for pair in pairs])
    return {
        "training": sum(losses[-LAST:]) / LAST,
        "as it is": cross_entropy(logits, batch.labels, pad_id=tokenizer.pad_id).item(),
        "word for word": exact_match(written, [pair.target for pair in pairs]),
    }
