"""How close a small Transformer comes to Kneser–Ney on the same text.

Trigrams by Kneser–Ney and a Transformer of two layers read the same sentences of this book, as they
stood on one day (``prose.txt``): 700 of them, or 1,800. Another 200 are held out. Words that occur
once in the sentences, or never, become ⟨unknown⟩. "network" is the Transformer's perplexity on the
held-out sentences, ends included, after each of the steps in MEASURED up to `steps`; "training" is
its perplexity on 200 of the sentences that it trained on. "counts" is the perplexity of Kneser–Ney
with a discount of 0.75, and "bag" that of the single words. Each seed draws other sentences
and other initial weights.
"""

from functools import cache
from pathlib import Path

import torch
from jaxtyping import Int
from torch import Tensor, nn

from transformer_lite.before import BEGIN, END, KneserNey, NGramModel
from transformer_lite.layers.loss import cross_entropy
from transformer_lite.models import DecoderOnlyTransformer, TransformerConfig, build_decoder_only
from transformer_lite.text import pad_rows

GRID = {"seed": [0, 1, 2], "steps": [100, 3000], "sentences": [700, 1800]}
TOLERANCE = {"network": 3.0, "training": 3.0}
MEASURED = (100, 200, 400, 700, 1200, 2000, 3000)
UNKNOWN = "⟨unknown⟩"
HELD_OUT, SENTENCES_A_STEP, PEAK, WARM_UP, FALL = 200, 16, 3e-3, 50, 300
WIDTH, DROPOUT = 64, 0.3
Sentences = list[list[str]]


def prose() -> Sentences:
    """Return 2,000 sentences of this book, as they stood on one day."""
    text = Path(__file__).with_name("prose.txt").read_text(encoding="utf-8")
    return [line.split() for line in text.splitlines()]


@cache
def split(seed: int, most: int | None = None) -> tuple[Sentences, Sentences]:
    """Return sentences to learn from, at most so many, and 200 held out, all rare words hidden."""
    sentences = prose()
    chance = torch.Generator().manual_seed(seed)
    order = torch.randperm(len(sentences), generator=chance).tolist()
    shuffled = [sentences[i] for i in order]
    test, learned = shuffled[:HELD_OUT], shuffled[HELD_OUT:][:most]
    counts = NGramModel.count(learned, order=1).counts.rows[()]
    held_out, train = (
        [[word if counts[word] > 1 else UNKNOWN for word in sentence] for sentence in part]
        for part in (test, learned)
    )
    return train, held_out


def numbered(train: Sentences) -> dict[str, int]:
    """Return a number for ⟨begin⟩ and each word; 0 is the padding."""
    words = NGramModel.count(train, order=1).vocabulary
    return {word: i for i, word in enumerate([BEGIN, *words], start=1)}


def as_ids(sentences: Sentences, ids: dict[str, int]) -> Int[Tensor, "B T"]:
    """Return the sentences as rows of numbers, ⟨begin⟩ and ⟨end⟩ included."""
    return pad_rows([[ids[w] for w in (BEGIN, *s, END)] for s in sentences], pad_id=0)


def make_network(size: int) -> DecoderOnlyTransformer:
    """Return a new Transformer of two layers for a vocabulary of this size."""
    return build_decoder_only(
        TransformerConfig(
            size, size, d_model=WIDTH, num_heads=4, d_ff=4 * WIDTH, num_decoder_layers=2,
            dropout=DROPOUT, residual="pre", tie_embeddings=True,
        )
    )  # fmt: skip


@torch.no_grad()
def perplexity(model: nn.Module, rows: Int[Tensor, "B T"]) -> float:
    """Return the perplexity of a network on sentences, ends included."""
    model.eval()
    loss, words = 0.0, 0
    for tokens in rows.split(50):
        labels = tokens[:, 1:]
        count = int((labels > 0).sum())
        loss += count * cross_entropy(model(tokens[:, :-1]), labels, pad_id=0).item()
        words += count
    model.train()
    return float(torch.tensor(loss / words).exp())


def rate(step: int) -> float:
    """Return the learning rate: up in 50 steps, level to 300, then down with the root."""
    return PEAK * min(step / WARM_UP, 1.0, (FALL / step) ** 0.5)


def point(seed: int, steps: int, sentences: int) -> dict[str, float | list[float]]:
    """Train one network, and measure it next to the models that count."""
    train, held_out = split(seed, sentences)
    ids = numbered(train)
    rows, new_rows = as_ids(train, ids), as_ids(held_out, ids)
    torch.manual_seed(seed)
    model = make_network(len(ids) + 1)
    optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98))
    network, training = [], []
    for step in range(1, steps + 1):
        tokens = rows[torch.randint(len(rows), (SENTENCES_A_STEP,))]
        tokens = tokens[:, : (tokens > 0).sum(dim=1).max()]
        loss = cross_entropy(model(tokens[:, :-1]), tokens[:, 1:], pad_id=0)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.param_groups[0]["lr"] = rate(step)
        optimizer.step()
        if step in MEASURED:
            network.append(perplexity(model, new_rows))
            training.append(perplexity(model, rows[:HELD_OUT]))
    return {
        "network": network,
        "training": training,
        "counts": NGramModel.count(train, 3, KneserNey(0.75)).perplexity(held_out),
        "bag": NGramModel.count(train, order=1).perplexity(held_out),
    }
