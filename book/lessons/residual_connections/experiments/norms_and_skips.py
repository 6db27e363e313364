"""Which stacks of 64 sub-layers learn: norm, skip, both or nothing, by first weights and rate.

Ten networks with data and weights of their own are trained by Adam on full batches of 16 examples,
from the first step on at one rate. The first weights of the sub-layers are Glorot's, or so much
larger, as He initializes, that a sub-layer without skip and norm keeps the mean square on average.

"nothing" has neither norm nor skip. "norm only" normalizes what each sub-layer gives. "skip only"
adds that to the input, with no norm anywhere, and "skip, norm on top" has one norm before the
answer. "pre-norm" has that one too. "learned" is how many of the ten networks end with an error
below 0.5, where always answering the mean has an error of 1.
"""

from lessons.residual_connections.experiments.shared.stacks import learned, trained

GRID = {
    "steps": [80, 200],
    "gain": ["Glorot", "He"],
    "rate": [0.0001, 0.001, 0.01],
    "seed": [0],
    "variant": [
        "nothing", "norm only", "skip only", "skip, norm on top", "post-norm", "pre-norm",
    ],
}  # fmt: skip
TOLERANCE = {"learned": 1}


def point(steps: int, gain: str, rate: float, seed: int, variant: str) -> dict[str, int]:
    """Train ten networks, and count those that have learned."""
    return {"learned": learned(trained(variant, gain, seed, [rate] * steps))}
