"""The attention explorer: its picture shows what the package computes."""

import pytest
import torch

from tests.lessons.the_cat_sat.attention_explorer.spec import make
from transformer_lite.layers.attention import attention_steps


@pytest.mark.parametrize(("scaled", "scale"), [(True, 1.0), (False, 2.0)])
def test_the_results_are_the_packages_steps(scaled, scale):
    figure = make(scaled=scaled, temperature=0.5)
    x = torch.tensor(figure.vectors, dtype=torch.float64)
    results = figure.results()
    for name, tensor in attention_steps(x, x, x, scale=scale)._asdict().items():
        torch.testing.assert_close(results[name], tensor)
