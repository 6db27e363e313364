"""Attention by hand: write it, spot what it cannot give, find a softmax that runs the wrong way."""

from transformer_lite.exercises.the_cat_sat.attend import attend
from transformer_lite.exercises.the_cat_sat.columns_sum_to_one import columns_sum_to_one
from transformer_lite.exercises.the_cat_sat.impossible_entries import impossible_entries

__all__ = ["BUG_HUNTS", "attend", "columns_sum_to_one", "impossible_entries"]

# The starters that are whole functions with a bug in them.
BUG_HUNTS = ("columns_sum_to_one",)
