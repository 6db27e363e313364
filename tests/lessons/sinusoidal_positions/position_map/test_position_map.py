"""The position map: what its numbers must fulfil."""

import torch

from lessons.kit.figures.registry import PositionMap


def test_the_second_position_is_the_row_of_the_map_that_it_names():
    figure = PositionMap(d_model=32, position=30, offset=13)
    results = figure.results()
    row = results["map"][43].view(-1, 2)[figure.pairs()]
    torch.testing.assert_close(results["hands"][:, 2:], row)
    assert len(results["map"]) == 64
