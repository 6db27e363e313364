"""At scale: gradients averaged, dropout seeded, small batches accumulated, a step's time."""

from transformer_lite.exercises.at_scale.accumulate import accumulate
from transformer_lite.exercises.at_scale.average_gradients import average_gradients
from transformer_lite.exercises.at_scale.roofline import roofline
from transformer_lite.exercises.at_scale.worker_seed import worker_seed

__all__ = ["accumulate", "average_gradients", "roofline", "worker_seed"]
