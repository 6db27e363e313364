"""One small causal layer under each position scheme, trained on 16 tokens and tested on up to 128.

The task is to name the token before this one. Tokens are drawn at random from eight symbols, so
that a guess is right in one of eight cases. The layer has a width of 64, which its heads share.
Shaw's limit and T5's buckets end at 8 places, so that training meets all of them, and the learned
table has 128 rows. "accuracy" is a list: how often the last eight tokens of 64 texts name the one
before them, in texts of 16, 32, 64 and 128 tokens.
"""

from collections.abc import Callable

import torch
from jaxtyping import Int
from torch import Tensor, nn

from transformer_lite.layers import positions
from transformer_lite.models import TransformerConfig, build_decoder_only

GRID = {
    "steps": [150, 600],
    "seed": [0, 1],
    "heads": [8, 4],
    "scheme": ["none", "sinusoidal", "learned", "Shaw", "T5", "ALiBi", "RoPE, 1e4", "RoPE, 1e8"],
}
TOLERANCE = {"accuracy": 0.15}
WIDTH, TRAINED, LENGTHS = 64, 16, (16, 32, 64, 128)
SCHEMES: dict[str, Callable[[int], positions.PositionScheme]] = {
    "none": lambda heads: positions.PositionScheme(),
    "sinusoidal": lambda heads: positions.SinusoidalPositions(WIDTH),
    "learned": lambda heads: positions.LearnedPositions(WIDTH, max_len=128),
    "Shaw": lambda heads: positions.ShawRelative(WIDTH // heads, max_distance=8),
    "T5": lambda heads: positions.T5Relative(
        heads, bidirectional=False, num_buckets=8, max_distance=8
    ),
    "ALiBi": lambda heads: positions.ALiBi(heads),
    "RoPE, 1e4": lambda heads: positions.Rotary(base=1e4),
    "RoPE, 1e8": lambda heads: positions.Rotary(base=1e8),
}


def make(scheme: str, heads: int) -> nn.Module:
    """Return a fresh layer in which the scheme alone knows the order."""
    config = TransformerConfig(
        9, 9, d_model=WIDTH, num_heads=heads, d_ff=WIDTH, num_decoder_layers=1, dropout=0.0,
        residual="pre", positions="none",
    )  # fmt: skip
    model = build_decoder_only(config)
    model.embedding.positions = SCHEMES[scheme](heads)
    model.decoder.layers[0].self_attention.positions = model.embedding.positions  # type: ignore
    return model


def texts(rows: int, length: int, generator: torch.Generator) -> Int[Tensor, "B T"]:
    """Draw symbols 1 to 8; 0 is the pad."""
    return torch.randint(1, 9, (rows, length), generator=generator)


def train(model: nn.Module, steps: int, generator: torch.Generator) -> None:
    """Take so many steps of Adam, with a rate that rises and falls."""
    optimizer = torch.optim.Adam(model.parameters())
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.015, steps)
    for _ in range(steps):
        ids = texts(16, TRAINED, generator)
        logits = model(ids)[:, 1:].flatten(0, 1)
        loss = nn.functional.cross_entropy(logits, ids[:, :-1].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()


@torch.no_grad()
def accuracy(model: nn.Module, length: int, generator: torch.Generator) -> float:
    """Return how often the last eight tokens name the one before."""
    ids = texts(64, length, generator)
    return (model(ids)[:, -8:].argmax(-1) == ids[:, -9:-1]).float().mean().item()


def point(steps: int, seed: int, heads: int, scheme: str) -> dict[str, list[float]]:
    """Train one layer and test it at each length."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = make(scheme, heads)
    train(model, steps, generator)
    return {"accuracy": [accuracy(model, length, generator) for length in LENGTHS]}
