"""The Python side of soft retrieval: its rules, its numbers and its static picture."""

import pytest
import torch

from tests.lessons.attention.soft_retrieval.spec import make


@pytest.mark.parametrize("sharpness", [0.0, 0.5, 4.0])
def test_the_results_are_a_softmax_of_dot_products(sharpness):
    figure = make(query=[0.5, -2], sharpness=sharpness)
    keys = torch.tensor(figure.places, dtype=torch.float64)
    scores = keys @ torch.tensor([0.5, -2], dtype=torch.float64)
    weights = (sharpness * scores).exp() / (sharpness * scores).exp().sum()
    results = figure.results()
    torch.testing.assert_close(results["scores"].squeeze(-1), scores)
    torch.testing.assert_close(results["weights"].squeeze(-1), weights)
    torch.testing.assert_close(results["mixture"], (weights @ keys)[None])


def test_the_values_are_the_keys_or_made_from_them():
    keys = make().results()["keys"]
    assert torch.equal(make(values="keys").results()["values"], keys)
    assert torch.equal(make(values="swapped").results()["values"], keys.flip(-1))
    second = make(values="second").results()["values"]
    assert torch.equal(second, keys * torch.tensor([0.0, 1.0]))
