"""Heads that attend one position back: their rotary scores and their reach."""

import torch

from lessons.rotary_positions.experiments.reach import reaches, scores_back, waves
from transformer_lite.layers.positions import rotate_half_split, sinusoidal_frequencies


def test_the_waves_are_the_scores_of_rotated_queries_and_keys():
    query, key = torch.randn(2, 3, 8, generator=torch.Generator().manual_seed(0))
    asks = rotate_half_split(query[:, None], 10, 1000.0)
    keys = rotate_half_split(key[:, None].expand(-1, 11, -1), base=1000.0)
    wanted = ((asks @ keys.mT).squeeze(1) / 8**0.5).flip(1)
    torch.testing.assert_close(scores_back(query, key, waves(1000, 8, 11)), wanted)


def test_reach_counts_the_lengths_with_weight_0_9_one_position_back():
    ninety_nine = torch.tensor([[0.0, 99.0, *[1.0] * 20]]).log()
    weights = [ninety_nine[:, :n].softmax(1)[0, 1].item() for n in range(2, 23)]
    assert reaches(ninety_nine).tolist() == [1 + sum(weight >= 0.9 for weight in weights)]
    assert reaches(torch.zeros(1, 5)).tolist() == [1]


def test_twins_share_their_fast_pairs():
    for width, base in [(8, 100), (16, 10_000)]:
        fast = sinusoidal_frequencies(2 * width, base**2)[: width // 2]
        torch.testing.assert_close(sinusoidal_frequencies(width, base), fast)
