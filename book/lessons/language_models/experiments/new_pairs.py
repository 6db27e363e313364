"""Counting and a small Transformer where a pair of words is new.

A bag of words, trigrams by Kneser–Ney with two discounts, and a Transformer of two layers read the
same 700 sentences of this book, as they stood on one day (``prose.txt``). Others, 200, are held
out. What the 700 hold once, or never, becomes ⟨unknown⟩. "all" is the perplexity on the held-out
sentences, ends included; "seen pair" and "new pair" are the perplexities of the words that had
followed the word before them in training, and of those that had not.

At a new pair a model pays twice. First it has to say that a new word comes: "reserved" is the
probability that it gave to all words that had not followed the word before, its geometric mean over
these places. Then it has to say which: "which" is the perplexity of the word among them. So "new
pair" is "which" divided by "reserved". "new pairs" is how often a held-out word made one.
"""

import math
from functools import cache
from pathlib import Path

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from transformer_lite.before import BEGIN, END, KneserNey, NGramModel
from transformer_lite.layers.loss import cross_entropy
from transformer_lite.models import DecoderOnlyTransformer, TransformerConfig, build_decoder_only
from transformer_lite.text import pad_rows

GRID = {
    "width": [32, 96],
    "dropout": [0.0, 0.3],
    "steps": [100, 300, 1000],
    "seed": [0, 1],
}
TOLERANCE = {"all": 2.0, "seen pair": 2.0, "new pair": 20.0, "which": 20.0, "reserved": 0.01}
UNKNOWN = "⟨unknown⟩"
HELD_OUT, LEARNED, SENTENCES_A_STEP, PEAK = 200, 700, 16, 3e-3
Sentences = list[list[str]]


def prose() -> Sentences:
    """Return 2,000 sentences of this book, as they stood on one day."""
    text = Path(__file__).with_name("prose.txt").read_text(encoding="utf-8")
    return [line.split() for line in text.splitlines()]


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


def train_network(
    rows: Int[Tensor, "B T"], size: int, width: int, dropout: float, steps: int
) -> DecoderOnlyTransformer:
    """Train a Transformer of two layers to predict the next word."""
    model = build_decoder_only(
        TransformerConfig(
            size, size, d_model=width, num_heads=4, d_ff=4 * width, num_decoder_layers=2,
            dropout=dropout, residual="pre", tie_embeddings=True,
        )
    )  # fmt: skip
    optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98))
    for step in range(1, steps + 1):
        tokens = rows[torch.randint(len(rows), (SENTENCES_A_STEP,))]
        tokens = tokens[:, : (tokens > 0).sum(dim=1).max()]
        loss = cross_entropy(model(tokens[:, :-1]), tokens[:, 1:], pad_id=0)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.param_groups[0]["lr"] = PEAK * min(step / 50, 1 - step / (steps + 1))
        optimizer.step()
    return model.eval()


def chances_by_counts(
    model: NGramModel, held_out: Sentences, followers: dict[str, list[str]]
) -> Float[Tensor, "N 2"]:
    """Return for each held-out word its probability, and that of all that would be new there.

    The second is left 1 where the pair was seen, since nobody asks for it there.
    """
    found = []
    for sentence in held_out:
        for place, word in enumerate([*sentence, END]):
            before = sentence[:place]
            known = followers[before[-1] if before else BEGIN]
            asked = () if word in known else known
            seen = math.fsum(model.probability(other, before) for other in asked)
            found.append([model.probability(word, before), 1 - seen])
    return torch.tensor(found, dtype=torch.float64)


@torch.no_grad()
def chances_by_network(
    model: nn.Module,
    held_out: Sentences,
    ids: dict[str, int],
    followers: dict[str, list[str]],
) -> Float[Tensor, "N 2"]:
    """Return the same of a network."""
    new = torch.ones(len(ids) + 1, len(ids) + 1, dtype=torch.float64)
    for word, known in followers.items():
        new[ids[word], [ids[other] for other in known]] = 0
    found = []
    for tokens in as_ids(held_out, ids).split(32):
        chances = model(tokens[:, :-1]).double().softmax(dim=-1)
        own = chances.gather(-1, tokens[:, 1:, None])[..., 0]
        reserved = (chances * new[tokens[:, :-1]]).sum(dim=-1)
        found.append(torch.stack([own, reserved], dim=-1)[tokens[:, 1:] > 0])
    return torch.cat(found)


def measured(chances: Float[Tensor, "N 2"], new: Bool[Tensor, "N"]) -> dict[str, float]:
    """Return the perplexities, and the two parts of that at new pairs."""
    losses = -chances.log()
    own, reserved = losses[:, 0], losses[new, 1].mean()
    return {
        "all": own.mean().exp().item(),
        "seen pair": own[~new].mean().exp().item(),
        "new pair": own[new].mean().exp().item(),
        "reserved": (-reserved).exp().item(),
        "which": (own[new].mean() - reserved).exp().item(),
    }


@cache
def by_counting(
    seed: int,
) -> tuple[dict[str, dict[str, float]], Bool[Tensor, "N"], dict[str, list[str]]]:
    """Return what the models that count find, where the new pairs are, and who followed whom."""
    train, held_out = split(seed, LEARNED)
    pairs = NGramModel.count(train, order=2).counts.rows
    followers: dict[str, list[str]] = {h[0]: sorted(row) for h, row in pairs.items() if h}
    new = torch.tensor(
        [
            word not in followers[before]
            for sentence in held_out
            for before, word in zip([BEGIN, *sentence], [*sentence, END], strict=True)
        ]
    )
    models = {
        "bag of words": NGramModel.count(train, order=1),
        "Kneser–Ney 0.75": NGramModel.count(train, 3, KneserNey(0.75)),
        "Kneser–Ney 0.95": NGramModel.count(train, 3, KneserNey(0.95)),
    }
    found = {
        name: measured(chances_by_counts(model, held_out, followers), new)
        for name, model in models.items()
    }
    return found, new, followers


def point(width: int, dropout: float, steps: int, seed: int) -> dict[str, float]:
    """Train one network, and measure it beside the models that count."""
    train, held_out = split(seed, LEARNED)
    counted, new, followers = by_counting(seed)
    ids = numbered(train)
    torch.manual_seed(seed)
    model = train_network(as_ids(train, ids), len(ids) + 1, width, dropout, steps)
    network = measured(chances_by_network(model, held_out, ids, followers), new)
    others = {
        f"{value}, {name}": number
        for name, numbers in counted.items()
        for value, number in numbers.items()
    }
    return {"new pairs": new.double().mean().item(), **network, **others}
