"""The Python side of the feed-forward lab: its rules, its numbers and its static picture."""

import pytest
import torch
from torch.testing import assert_close

from tests.lessons.feed_forward.feed_forward_lab.spec import make


def test_the_numbers_of_the_chapter():
    results = make().results()
    assert results["before"][0].tolist() == [1, -1, -2, 1]
    assert results["hidden"].tolist() == [[1, 0, 0, 1], [0, 2, 4, 1]]
    assert results["output"].tolist() == [[1, 2], [-2, 5]]
    assert results["residual"].tolist() == [[3, 1], [-3, 7]]
    assert all(tensor.dtype == torch.float64 for tensor in results.values())


@pytest.mark.parametrize("activation", ["relu", "gelu", "none"])
@pytest.mark.parametrize("selected", [0, 1])
def test_the_parts_sum_to_the_output(activation, selected):
    results = make(
        activation=activation, selected=selected, vectors=[[2, -1], [0.3, -1.7]]
    ).results()
    assert_close(results["parts"].sum(dim=0), results["output"][selected])


def test_without_an_activation_the_layer_is_one_matrix():
    figure = make(activation="none", vectors=[[2, -1], [0.3, -1.7]])
    up, down = torch.tensor(figure.up).double(), torch.tensor(figure.down).double()
    bias = torch.tensor(figure.up_bias).double() @ down + torch.tensor(figure.down_bias).double()
    x = torch.tensor(figure.vectors, dtype=torch.float64)
    assert_close(figure.results()["output"], x @ (up @ down) + bias)
    assert not torch.allclose(
        make(vectors=figure.vectors).results()["output"], x @ (up @ down) + bias
    )
