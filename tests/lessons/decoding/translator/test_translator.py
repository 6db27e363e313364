"""The translator's tour: its claims about words are true for the shipped weights."""

from lessons.kit.figures.registry import TranslatorLab
from lessons.kit.machine import machine

TOUR = [f for f, _ in TranslatorLab(text="je montre l'entrée", place=3, tour=True).moments()]


def candidates(figure: TranslatorLab) -> list[str]:
    """Return the two likeliest words at the chosen place."""
    log_probs = figure.reading().log_probs[figure.place]
    return [machine()[1].tokens[i] for i in log_probs.argsort(descending=True)[:2].tolist()]


def test_entrance_and_starter_are_the_likeliest_two():
    for figure in (TOUR[0], TOUR[2]):
        assert candidates(figure) == ["entrance", "starter"]
    assert TOUR[1].results()["beams"][:, 0].diff().tolist()[1] < -3  # the third is far behind


def test_each_avocat_has_its_english_word():
    assert [candidates(f)[0] for f in TOUR[4:]] == ["lawyer", "avocado"]
    assert candidates(TOUR[4])[1] == "avocado"
