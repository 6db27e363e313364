"""Chapter 10: Cost and order: what attention costs, and what it cannot see."""

from lessons.lazy import attributes

__all__ = ["CostLab"]
__getattr__ = attributes(__name__, CostLab="lessons.cost_and_order.cost_lab.cost_lab")
