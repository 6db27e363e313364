"""Rotary arrows: what their numbers must fulfil."""

import pytest
import torch

from lessons.kit.figures.registry import RotaryArrows
from lessons.rotary_positions.rotary_arrows.rotary_arrows import ARROWS
from transformer_lite.layers.positions import rotate_interleaved


def test_the_arrows_turn_as_the_package_turns_a_pair():
    arrows = RotaryArrows(query=3, key=9, omega=1.0).results()["arrows"]
    for row, arrow, place in zip(arrows, ARROWS, (3, 9), strict=True):
        torch.testing.assert_close(row[1:], rotate_interleaved(arrow[None], start=place)[0])
        torch.testing.assert_close(row[1:].norm(), arrow.norm())


@pytest.mark.parametrize("omega", [0.05, 0.5, 1.35])
def test_equal_offsets_have_equal_scores_and_the_sign_counts(omega):
    def score(query, key):
        return RotaryArrows(query=query, key=key, omega=omega).results()["score"][0, 2].item()

    assert score(3, 1) == pytest.approx(score(20, 18))
    assert score(3, 1) != pytest.approx(score(1, 3))
    assert score(7, 7) == pytest.approx(score(0, 0))
