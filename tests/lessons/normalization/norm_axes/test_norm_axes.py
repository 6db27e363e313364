"""The norm axes: whose numbers it shows."""

import pytest
import torch

from tests.lessons.normalization.norm_axes.spec import NORMS, make
from transformer_lite.layers import norms


@pytest.mark.parametrize("norm", NORMS)
def test_the_statistics_explain_the_normalized_numbers(norm):
    results = make(norm=norm).results()
    _, mean, spread = results["statistics"][results["groups"] - 1].unbind(dim=-1)
    root = torch.sqrt(spread**2 + 1e-5)
    torch.testing.assert_close((results["table"] - mean) / root, results["normalized"])


@pytest.mark.parametrize("norm", NORMS)
def test_a_change_moves_exactly_the_numbers_marked_as_shared(norm):
    before = make(norm=norm, token=5, feature=0)
    table = [[list(row) for row in sentence] for sentence in before.table]
    table[1][2][0] += 1
    after = make(norm=norm, table=table)
    moved = before.results()["normalized"] != after.results()["normalized"]
    assert torch.equal(moved, before.results()["shared"])


def test_group_normalization_equals_the_packages():
    x = torch.tensor(make().table, dtype=torch.float64)
    for num_groups in (1, 2, 4):
        shown = make(norm="group", num_groups=num_groups).results()["normalized"]
        assert torch.equal(shown, norms.group_norm(x, num_groups).flatten(0, 1))
