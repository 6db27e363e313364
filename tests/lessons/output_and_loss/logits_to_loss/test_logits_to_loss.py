"""Logits to loss: its gradient is p − target, its floor is reached, its picture is whole."""

import math

import pytest
import torch

from tests.lessons.output_and_loss.logits_to_loss.spec import make as figure_of


def test_the_probability_of_the_right_word_makes_the_loss():
    results = figure_of().results()
    p = results["probabilities"][1, 0].item()
    assert results["measures"].flatten().tolist() == pytest.approx(
        [-math.log(p), 0, -math.log(p), 1 / p, 1 / p]
    )


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.5])
@pytest.mark.parametrize("target", [0, 3, 5])
def test_the_gradient_is_probability_minus_target_and_sums_to_0(smoothing, target):
    results = figure_of(label_smoothing=smoothing, target=target).results()
    p, wanted = results["probabilities"].T
    torch.testing.assert_close(results["gradient"][:, 0], p - wanted, rtol=0, atol=1e-7)
    assert abs(results["gradient"].sum()) < 1e-9


def test_only_the_logits_of_the_target_reach_the_least_loss():
    share = 0.3
    wanted = figure_of(label_smoothing=share).results()["probabilities"][:, 1]
    best = figure_of(logits=wanted.log().tolist(), label_smoothing=share).results()
    loss, least = best["measures"][:2, 0]
    torch.testing.assert_close(loss, least)
    assert best["gradient"].abs().max() < 1e-7
    for seed in range(20):
        logits = torch.rand(6, generator=torch.Generator().manual_seed(seed)) * 12 - 6
        loss, least = figure_of(logits=logits.tolist(), label_smoothing=share).results()[
            "measures"
        ][:2, 0]
        assert loss > least
