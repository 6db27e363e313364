"""Attention by hand: write it, spot what it cannot give, find a softmax that runs the wrong way."""

from transformer_lite.exercises.the_cat_sat.attend import attend
from transformer_lite.exercises.the_cat_sat.impossible_entries import impossible_entries
from transformer_lite.exercises.the_cat_sat.weights_of_words import weights_of_words

__all__ = ["attend", "impossible_entries", "weights_of_words"]
