"""Words as vectors: windows, negative sampling, analogies, and two losses with a bug."""

from transformer_lite.exercises.words_as_vectors.bag_gradient import bag_gradient
from transformer_lite.exercises.words_as_vectors.pair_gradient import pair_gradient
from transformer_lite.exercises.words_as_vectors.skip_gram_loss import skip_gram_loss
from transformer_lite.exercises.words_as_vectors.window_pairs import window_pairs
from transformer_lite.exercises.words_as_vectors.word_analogy import word_analogy

__all__ = ["bag_gradient", "pair_gradient", "skip_gram_loss", "window_pairs", "word_analogy"]
