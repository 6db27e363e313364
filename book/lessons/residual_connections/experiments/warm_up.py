"""What a warm-up changes for post-norm, by rate, by its length and by steps.

The networks are those of "norms_and_skips". During a warm-up of so many steps the rate rises in
equal parts to its full value, which it then keeps; with 1 it has that from the first step on.
"learned" counts as there.
"""

from lessons.residual_connections.experiments.shared.stacks import learned, trained

GRID = {
    "steps": [80, 160],
    "rate": [0.001, 0.002, 0.01],
    "seed": [0, 1],
    "warm_up": [1, 40],
}
# Training these networks is chaotic where some of them learn and some do not: another processor
# changes the count there by up to 3, and even in float64 a change of the weights by 1e-15 changes
# which ones learn. So the point that is measured again is one where nearly all learn.
AGAIN = {"steps": 80, "rate": 0.001, "seed": 0, "warm_up": 40}
TOLERANCE = {"learned": 1}


def point(steps: int, rate: float, seed: int, warm_up: int) -> dict[str, int]:
    """Train ten post-norm networks, and count those that have learned."""
    rates = [rate * min(1, (step + 1) / warm_up) for step in range(steps)]
    return {"learned": learned(trained("post-norm", "Glorot", seed, rates))}
