"""The softmax lab: its numbers, its picture, and what it refuses."""

import pytest
import torch

from tests.lessons.scaling.softmax_lab.spec import make as lab


def test_the_lab_computes_the_example_of_the_notes():
    results = lab().results()
    torch.testing.assert_close(results["scores"].T.tolist(), [[6.0, 4.0], [3.0, 2.0]])
    weights = [[round(w, 4) for w in row] for row in results["weights"].T.tolist()]
    assert weights == [[0.8808, 0.1192], [0.7311, 0.2689]]


@pytest.mark.parametrize("temperature", [0.5, 1.0, 4.0])
def test_entropy_perplexity_and_gradient_norm_match_their_formulas(temperature):
    results = lab(logits=[1.0, -0.5, 0.25], d_k=12, temperature=temperature).results()
    for weights, measures in zip(results["weights"].T, results["measures"].T, strict=True):
        entropy = -(weights * weights.log()).sum()
        slopes = weights.diag() - weights.outer(weights)
        expected = torch.stack([entropy, entropy.exp(), slopes.norm()])
        torch.testing.assert_close(measures, expected)
