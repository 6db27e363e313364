"""Attention by hand: write it, spot what it cannot give, find a softmax that runs the wrong way."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.the_cat_sat.exercises.attend import attend
    from lessons.the_cat_sat.exercises.impossible_entries import impossible_entries
    from lessons.the_cat_sat.exercises.weights_of_words import weights_of_words

__all__ = ["attend", "impossible_entries", "weights_of_words"]
