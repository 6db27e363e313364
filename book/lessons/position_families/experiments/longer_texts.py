"""One small causal layer under each position scheme, trained on 16 tokens and tested on up to 512.

The task is to name the token before this one. Tokens are drawn at random from eight symbols, so
that a guess is right in one of eight cases. The layer has a width of 64, which its heads share.
Shaw's limit and T5's buckets end at 8 positions, so that training meets all of them, and the
learned table has 512 rows. "T5, 10 × rate" and "T5, 30 × rate" train T5's table, and nothing else,
with 10 and 30 times the learning rate. "accuracy" and "weight" are lists with a number for each
of `LENGTHS`. "accuracy": how often the last eight tokens of 64 texts name the one before them (of
32 texts of 256 tokens and 16 texts of 512, because a test takes a time that grows with the square
of the length). "weight": the attention weight of these tokens on the one before, as a mean over
heads.
"""

from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor, nn

from transformer_lite.layers import look_ahead_mask, positions
from transformer_lite.models import TransformerConfig, build_decoder_only

GRID: dict[str, list[Any]] = {
    "steps": [150, 600],
    "seed": [0, 1],
    "heads": [8, 4],
    "scheme": [
        "none", "sinusoidal", "learned", "Shaw", "T5", "T5, 10 × rate", "T5, 30 × rate", "ALiBi",
        "RoPE, 1e4", "RoPE, 1e8",
    ],
}  # fmt: skip
TOLERANCE = {"accuracy": 0.15, "weight": 0.1}
WIDTH, TRAINED, LENGTHS, RATE = 64, 16, (16, 32, 64, 128, 256, 512), 0.015
SCHEMES: dict[str, Callable[[int], positions.PositionScheme]] = {
    "none": lambda heads: positions.PositionScheme(),
    "sinusoidal": lambda heads: positions.SinusoidalPositions(WIDTH),
    "learned": lambda heads: positions.LearnedPositions(WIDTH, max_len=512),
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
    model.embedding.positions = SCHEMES[scheme.split(",")[0] if "T5" in scheme else scheme](heads)
    model.decoder.layers[0].self_attention.positions = model.embedding.positions  # type: ignore
    return model


def texts(rows: int, length: int, generator: torch.Generator) -> Int[Tensor, "B T"]:
    """Draw symbols 1 to 8; 0 is the pad."""
    return torch.randint(1, 9, (rows, length), generator=generator)


def train(model: nn.Module, steps: int, factor: float, generator: torch.Generator) -> None:
    """Take so many steps of Adam; the rate rises and falls, with a factor for the positions."""
    table = [*model.embedding.positions.parameters()]  # type: ignore
    others = [p for p in model.parameters() if all(p is not one for one in table)]
    groups = [{"params": others}, {"params": table}] if table else [{"params": others}]
    optimizer = torch.optim.Adam(groups)
    peaks = [RATE, factor * RATE][: len(groups)]
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, peaks, steps)
    for _ in range(steps):
        ids = texts(16, TRAINED, generator)
        logits = model(ids)[:, 1:].flatten(0, 1)
        loss = nn.functional.cross_entropy(logits, ids[:, :-1].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()


@torch.no_grad()
def test(model: nn.Module, length: int, generator: torch.Generator) -> tuple[float, float]:
    """Return the accuracy of the last eight tokens, and their weight on the one before."""
    ids = texts(min(64, 8192 // length), length, generator)
    attention, entered = model.decoder.layers[0].self_attention, []  # type: ignore
    hook = attention.register_forward_pre_hook(lambda _, inputs: entered.append(inputs[0]))
    right = model(ids)[:, -8:].argmax(-1) == ids[:, -9:-1]
    hook.remove()
    weights = attention.steps(entered[0], mask=look_ahead_mask(length)).weights
    before = weights.diagonal(-1, dim1=-2, dim2=-1)[..., -8:]
    return right.float().mean().item(), before.mean().item()


def point(steps: int, seed: int, heads: int, scheme: str) -> dict[str, list[float]]:
    """Train one layer and test it at each length."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = make(scheme, heads)
    factor = {"T5, 10 × rate": 10.0, "T5, 30 × rate": 30.0}.get(scheme, 1.0)
    train(model, steps, factor, generator)
    tested = [test(model, length, generator) for length in LENGTHS]
    return {"accuracy": [right for right, _ in tested], "weight": [w for _, w in tested]}
