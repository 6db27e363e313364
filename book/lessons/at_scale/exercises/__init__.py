"""At scale: gradients averaged, dropout seeded, small batches accumulated, a step's time."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.at_scale.exercises.accumulate import accumulate
    from lessons.at_scale.exercises.average_gradients import average_gradients
    from lessons.at_scale.exercises.roofline import roofline
    from lessons.at_scale.exercises.worker_seed import worker_seed

__all__ = ["accumulate", "average_gradients", "roofline", "worker_seed"]
