"""How far a rotary head that looks one back still does so, by base and width.

Forty heads start from random queries and keys. All tokens are alike, so that a score depends on the
offset alone, and each head learns to look one place back among as many tokens as "trained" says.
"reach" is the greatest length of a text, up to 2048 tokens, at which a head still gives at least
0.9 of its weight to the right token, and 1 where there is none. The record holds the middle one of
the forty heads, and as "lower quarter" and "upper quarter" those that a fourth of them stay below
and above. The weight can only fall with the length, since every further token takes some. "learned"
is the share of heads that were right at the length they were trained on.
"""

import torch
from jaxtyping import Float
from torch import Tensor

from transformer_lite.layers.positions import sinusoidal_frequencies

GRID = {
    "trained": [16, 32],
    "steps": [100, 300, 1000],
    "seed": [0, 1],
    "width": [8, 16, 32],
    "base": [100, 1_000, 10_000, 100_000, 1_000_000, 100_000_000],
}
TOLERANCE = {"reach": 40.0, "lower quarter": 40.0, "upper quarter": 200.0, "learned": 0.1}
HEADS, LONGEST = 40, 2048


def waves(base: float, width: int, length: int) -> tuple[Tensor, Tensor]:
    """Return cosine and sine of each pair's turn at the offsets 0, −1, −2, …: (K/2, T)."""
    turned = sinusoidal_frequencies(width, base)[:, None] * -torch.arange(length)
    return turned.cos().float(), turned.sin().float()


def scores_back(
    query: Float[Tensor, "H K"], key: Float[Tensor, "H K"], waves: tuple[Tensor, Tensor]
) -> Float[Tensor, "H T"]:
    """Return the scores at the offsets 0, −1, −2, …, as a sum of one wave for each pair."""
    (q0, q1), (k0, k1) = query.chunk(2, dim=1), key.chunk(2, dim=1)
    cos, sin = waves
    dots, turns = q0 * k0 + q1 * k1, q1 * k0 - q0 * k1
    return (dots @ cos + turns @ sin) / query.shape[1] ** 0.5


def reaches(scores: Float[Tensor, "H T"]) -> Float[Tensor, "H"]:
    """Return how long a text may be, for each head, so that one back has 0.9 of the weight."""
    scores = scores.double()
    weights = (scores[:, 1:2] - scores.logcumsumexp(1)).exp()[:, 1:]
    return 1 + (weights >= 0.9).sum(1).double()


def point(trained: int, steps: int, seed: int, width: int, base: int) -> dict[str, float]:
    """Train forty heads and measure how far each of them reaches."""
    generator = torch.Generator().manual_seed(seed)
    start = torch.randn(2, HEADS, width, generator=generator)
    query, key = (part.clone().requires_grad_() for part in start)
    optimizer = torch.optim.Adam([query, key], lr=0.05)
    near = waves(base, width, trained)
    for _ in range(steps):
        loss = -scores_back(query, key, near).log_softmax(1)[:, 1].sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    reach = reaches(scores_back(query.detach(), key.detach(), waves(base, width, LONGEST)))
    quarters = torch.tensor([0.25, 0.5, 0.75]).double()
    lower, middle, upper = reach.quantile(quarters, interpolation="lower").tolist()
    learned = (reach >= trained).double().mean().item()
    return {"reach": middle, "lower quarter": lower, "upper quarter": upper, "learned": learned}
