"""Questions prove their answers, or say why no code can."""

import numpy as np
import pytest
import torch

from lessons.kit import predict, question

WRONG = [("5", "No.", False), ("6", "No.", False)]
TRUTHS = [lambda x: x, np.bool_, torch.tensor]


@pytest.mark.parametrize("truth", TRUTHS)
def test_a_question_with_its_proof_is_asked(truth):
    wrong = [(text, reply, truth(holds)) for text, reply, holds in WRONG]
    asked = question("2 + 2?", right=("4", "Yes.", truth(True)), wrong=wrong)
    assert sorted((c["text"], c["feedback"], c["right"]) for c in asked.choices) == [
        ("4", "Yes.", True),
        ("5", "No.", False),
        ("6", "No.", False),
    ]


@pytest.mark.parametrize("truth", TRUTHS)
def test_a_right_choice_that_is_false_is_refused(truth):
    with pytest.raises(ValueError, match=r"the right choice '4' of '2 \+ 2\?' must hold, got .*Fa"):
        question("2 + 2?", right=("4", "Yes.", truth(False)), wrong=WRONG)


@pytest.mark.parametrize("truth", TRUTHS)
def test_a_wrong_choice_that_is_true_is_refused(truth):
    with pytest.raises(ValueError, match=r"the wrong choice '6' of '2 \+ 2\?' must not hold, got"):
        question("2 + 2?", right=("4", "", True), wrong=[WRONG[0], ("6", "", truth(True))])


@pytest.mark.parametrize(
    ("right", "wrong", "unproved", "got"),
    [
        (("4", "", True), [("5", "")], None, "1 proofs for 2 choices and unproved=None"),
        (("4", ""), [("5", "", False)], "words", "1 proofs for 2 choices and unproved='words'"),
        (("4", "", True), WRONG, "words", "3 proofs for 3 choices and unproved='words'"),
        (("4", ""), [("5", "")], " ", "0 proofs for 2 choices and unproved=' '"),
        (("4", ""), [("5", "")], 3, "0 proofs for 2 choices and unproved=3"),
    ],
)
def test_either_every_choice_is_proved_or_none_can_be(right, wrong, unproved, got):
    with pytest.raises(ValueError, match=f"every choice of 'Which' must have a proof.*got {got}"):
        question("Which", right=right, wrong=wrong, unproved=unproved)


def test_a_prediction_says_how_many_cells_it_covers():
    assert predict("?", "a", "b").covers is None
    assert predict("?", "a", "b", covers=3).covers == 3


@pytest.mark.parametrize(
    ("covers", "error", "message"),
    [
        (0, ValueError, "covers must be at least 1, got 0"),
        (True, TypeError, "covers must be a whole number of cells or None, got True"),
        (1.5, TypeError, "covers must be a whole number of cells or None, got 1.5"),
    ],
)
def test_prediction_refuses_an_impossible_cover(covers, error, message):
    with pytest.raises(error, match=message):
        predict("?", "a", "b", covers=covers)
