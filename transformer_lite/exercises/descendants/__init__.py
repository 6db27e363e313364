"""Descendants: experts chosen, a window with a cache, heads that share, and a table kept tied."""

from transformer_lite.exercises.descendants.group_heads import group_heads
from transformer_lite.exercises.descendants.route import route
from transformer_lite.exercises.descendants.tied_weights import tied_weights
from transformer_lite.exercises.descendants.window_mask import window_mask

__all__ = ["group_heads", "route", "tied_weights", "window_mask"]
