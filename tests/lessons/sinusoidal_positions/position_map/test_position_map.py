"""The position map: a property of its numbers."""

import torch

from lessons.kit.figures.registry import PositionMap


def test_the_hands_of_the_second_position_equal_its_row_of_the_map():
    figure = PositionMap(d_model=32, position=30, offset=13)
    results = figure.results()
    row = results["map"][43].view(-1, 2)[figure.pairs()]
    torch.testing.assert_close(results["hands"][:, 2:], row)
    assert len(results["map"]) == 64
