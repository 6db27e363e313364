"""The Python side of the layer-norm lab: its rules, its numbers and its static picture."""

import pytest
import torch
import torch.nn.functional as F

from lessons.kit.figures.registry import LayerNormLab
from transformer_lite.layers.norms import standardize

TABLE = [[0.1, 0.2, -0.3], [0.0, 0.0, 0.0], [0.7, -0.5, 2.0], [1.0, 0.4, 0.6]]
VALUES = [2, -1, 3.5, -0.5, 4.2]


def lab(**traits) -> LayerNormLab:
    table = {
        "tokens": ["a", "<pad>", "b", "c"],
        "table": TABLE,
        "pads": [False, True, False, False],
    }
    return LayerNormLab(**({"values": VALUES} | table | traits))


def test_steps_equal_torch():
    gamma, beta = [2.0, 1, 0.5, -1, 3], [1.0, 0, 0, 2, -1]
    figure = lab(gamma=gamma, beta=beta, eps=0.01)
    x, weight, bias = torch.tensor([VALUES, gamma, beta], dtype=torch.float64)
    torch.testing.assert_close(
        figure.results()["output"], F.layer_norm(x, (5,), weight, bias, 0.01)
    )


def test_steps_with_the_sample_variance():
    x = torch.tensor(VALUES, dtype=torch.float64)
    steps = lab(unbiased=True, eps=0.5).results()
    torch.testing.assert_close(steps["variance"].squeeze(), x.var())
    torch.testing.assert_close(steps["output"], standardize(x, eps=0.5, unbiased=True))


@pytest.mark.parametrize("unbiased", [False, True])
def test_steps_with_eps_outside_the_root(unbiased):
    x = torch.tensor(VALUES, dtype=torch.float64)
    steps = lab(eps_inside=False, unbiased=unbiased, eps=0.5).results()
    root = x.std(correction=int(unbiased)) + 0.5
    torch.testing.assert_close(steps["std"].squeeze(), root)
    torch.testing.assert_close(steps["output"], (x - x.mean()) / root)


@pytest.mark.parametrize("count_pads", [True, False])
def test_column_statistics_use_only_the_counted_rows(count_pads):
    x = torch.tensor(TABLE, dtype=torch.float64)
    counted = x if count_pads else x[[0, 2, 3]]
    results = lab(view="table", axis="batch", count_pads=count_pads).results()
    mean, std = counted.mean(dim=0), counted.std(dim=0, correction=0)
    root = (std.square() + 1e-5).sqrt()
    torch.testing.assert_close(results["column_statistics"], torch.stack([mean, std, root]))
    torch.testing.assert_close(results["normalized"], (x - mean) / root)


def test_row_statistics_do_not_depend_on_whether_pads_count():
    x = torch.tensor(TABLE, dtype=torch.float64)
    results = lab(view="table", count_pads=False).results()
    variance = x.var(dim=1, correction=0)
    statistics = [x.mean(dim=1), variance.sqrt(), (variance + 1e-5).sqrt()]
    torch.testing.assert_close(results["row_statistics"], torch.stack(statistics, dim=-1))
    torch.testing.assert_close(results["normalized"], F.layer_norm(x, (3,)))
