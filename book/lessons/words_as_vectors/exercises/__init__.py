"""Words as vectors: windows, negative sampling, analogies, and two losses with a bug."""

from lessons.kit.exercises import pristine_torch

with pristine_torch():
    from lessons.words_as_vectors.exercises.bag_gradient import bag_gradient
    from lessons.words_as_vectors.exercises.pair_gradient import pair_gradient
    from lessons.words_as_vectors.exercises.skip_gram_loss import skip_gram_loss
    from lessons.words_as_vectors.exercises.window_pairs import window_pairs
    from lessons.words_as_vectors.exercises.word_analogy import word_analogy

__all__ = ["bag_gradient", "pair_gradient", "skip_gram_loss", "window_pairs", "word_analogy"]
