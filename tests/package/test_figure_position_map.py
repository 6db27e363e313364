"""The position map: wrong traits, and what its numbers must fulfil."""

import pytest
import torch
from traitlets import TraitError

from transformer_lite.figures import PositionMap
from transformer_lite.figures._base import number
from transformer_lite.figures.position_map import HANDS, TURNS, WHOLE


@pytest.mark.parametrize(
    ("traits", "message"),
    [
        ({"d_model": 6}, r"d_model must be one of \(4, 8, .*512\), got 6"),
        ({"d_model": 1024}, "got 1024"),
        ({"d_model": 8.5}, "d_model"),
        ({"position": -1}, "position must satisfy 0 <= position <= 47, got -1"),
        ({"position": 48}, "position must satisfy 0 <= position <= 47, got 48"),
        ({"offset": -1}, "offset must satisfy 0 <= offset <= 16, got -1"),
        ({"offset": 17}, "offset must satisfy 0 <= offset <= 16, got 17"),
        ({"offset": "2"}, "offset"),
    ],
)
def test_a_wrong_trait_is_refused(traits, message):
    with pytest.raises(TraitError, match=message):
        PositionMap(**traits)


def test_a_refused_value_leaves_the_figure_as_it_was():
    figure = PositionMap(d_model=16)
    with pytest.raises(TraitError):
        figure.d_model = 17
    assert figure.d_model == 16


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


def test_the_picture_holds_every_number():
    figure = PositionMap()
    html, results = figure.picture(), figure.results()
    for name in (*HANDS, *TURNS, *WHOLE):
        assert f">{name}</th>" in html
    shown = [results[name].flatten() for name in ("hands", "turns", "whole")]
    for value in torch.cat(shown).tolist():
        assert f">{number(value)}</td>" in html
