"""What attention costs and what it cannot see: a count, a test of equivariance, and chunks."""

from transformer_lite.exercises.cost_and_order.attend_in_chunks import attend_in_chunks
from transformer_lite.exercises.cost_and_order.count_attention import count_attention
from transformer_lite.exercises.cost_and_order.equivariance_gap import equivariance_gap

__all__ = ["attend_in_chunks", "count_attention", "equivariance_gap"]
