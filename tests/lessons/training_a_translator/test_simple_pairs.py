"""The stored sentence pairs of chapter 22."""

from lessons.training_a_translator.simple_pairs import draw, simple_pairs


def test_drawing_the_pairs_again_gives_the_stored_ones():
    assert draw() == simple_pairs(), "python -m lessons.training_a_translator.simple_pairs"
