"""Descendants: experts chosen, a window with a cache, heads that share, and a table kept tied."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.descendants.exercises.group_heads import group_heads
    from lessons.descendants.exercises.route import route
    from lessons.descendants.exercises.tied_weights import tied_weights
    from lessons.descendants.exercises.window_mask import window_mask

__all__ = ["group_heads", "route", "tied_weights", "window_mask"]
