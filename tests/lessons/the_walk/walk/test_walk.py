"""The walk's tour: its claims about heads and words are true for the shipped weights."""

from lessons.kit.figures.registry import Walk

WALK = Walk("l'avocat mange un avocat", tour=True)
TOUR = [(figure.station, figure.word, figure.results()) for figure, _ in WALK.moments()]
FIRST, SECOND = 1, 4  # the two “avocat” of “l'avocat mange un avocat”


def weights(station: str, word: int = 1):
    """Return the weights, (H, T, S), of the moment at a station and a word."""
    (found,) = (r for s, w, r in TOUR if (s, w) == (f"{station}.weights", word))
    return found["weights"]


def test_both_avocat_attend_to_the_words_that_the_tour_names():
    looks = weights("layer-1-attention")[1][:, 2]
    assert looks[SECOND] > 2 * looks[FIRST]
    looks = weights("layer-2-attention")[1]
    assert looks[FIRST].argmax() == 2 and looks[SECOND].argmax() == 5
    looks = weights("layer-3-attention")
    assert [looks[2, row].argmax() for row in (FIRST, SECOND)] == [FIRST - 1, SECOND - 1]
    assert looks[0, SECOND].argmax() == 2


def test_each_cross_attention_head_attends_to_the_word_to_translate():
    assert weights("cross-attention")[0, 0].argmax() == 0
    assert (weights("cross-attention", 2)[:, 0].argmax(dim=-1) == FIRST).all()
