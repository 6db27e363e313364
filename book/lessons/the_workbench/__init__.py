"""The workbench: train a small Transformer, take a part out, and see what it was for."""

from lessons.lazy import attributes

__all__ = ["Workbench"]
__getattr__ = attributes(__name__, Workbench="lessons.the_workbench.workbench.workbench")
