"""What attention costs and what it cannot see: a count, a test of equivariance, and chunks."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.cost_and_order.exercises.attend_in_chunks import attend_in_chunks
    from lessons.cost_and_order.exercises.count_attention import count_attention
    from lessons.cost_and_order.exercises.equivariance_gap import equivariance_gap

__all__ = ["attend_in_chunks", "count_attention", "equivariance_gap"]
