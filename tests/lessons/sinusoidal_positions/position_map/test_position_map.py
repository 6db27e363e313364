"""The position map: what its numbers must fulfil."""

import pytest
import torch

from lessons.kit.figures.registry import PositionMap


def test_the_second_position_is_the_row_of_the_map_that_it_names():
    figure = PositionMap(d_model=32, position=30, offset=13)
    results = figure.results()
    row = results["map"][43].view(-1, 2)[figure.pairs()]
    torch.testing.assert_close(results["hands"][:, 2:], row)
    assert len(results["map"]) == 64


@pytest.mark.parametrize(("d_model", "count"), [(4, 2), (16, 8), (32, 8), (512, 8)])
def test_the_first_and_the_last_pair_are_shown(d_model, count):
    pairs = PositionMap(d_model=d_model).pairs()
    assert len(set(pairs)) == len(pairs) == count
    assert (pairs[0], pairs[-1]) == (0, d_model // 2 - 1)
