"""At scale: gradients averaged, samples dealt out, dropout seeded, small batches accumulated."""

from transformer_lite.exercises.at_scale.accumulate import accumulate
from transformer_lite.exercises.at_scale.average_gradients import average_gradients
from transformer_lite.exercises.at_scale.shard import shard
from transformer_lite.exercises.at_scale.worker_seed import worker_seed

__all__ = ["BUG_HUNTS", "accumulate", "average_gradients", "shard", "worker_seed"]

# The starters that are whole functions with a bug in them.
BUG_HUNTS = ("average_gradients", "shard", "worker_seed")
