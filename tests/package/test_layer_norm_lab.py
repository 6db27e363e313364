"""The Python side of the layer-norm lab: its rules, its numbers and its static picture."""

import pytest
import torch
import torch.nn.functional as F
from traitlets import TraitError

from transformer_lite.figures import LayerNormLab
from transformer_lite.norms import standardize

TABLE = [[0.1, 0.2, -0.3], [0.0, 0.0, 0.0], [0.7, -0.5, 2.0], [1.0, 0.4, 0.6]]
VALUES = [2, -1, 3.5, -0.5, 4.2]


def lab(**traits) -> LayerNormLab:
    table = {
        "tokens": ["a", "<pad>", "b", "c"],
        "table": TABLE,
        "pads": [False, True, False, False],
    }
    return LayerNormLab(**({"values": VALUES} | table | traits))


@pytest.mark.parametrize(
    ("traits", "message"),
    [
        ({"values": [1]}, "values must be 2 to 8 numbers, got 1"),
        ({"values": [1] * 9}, "values must be 2 to 8 numbers, got 9"),
        ({"values": [1, 16.5]}, "values must lie between -10 and 16, got 16.5"),
        ({"values": [1, float("nan")]}, "values must lie between -10 and 16, got nan"),
        ({"gamma": [1, 1]}, "equally many, got .*'values': 5, 'gamma': 2, 'beta': 5"),
        ({"beta": [0, 0, 0, 0, -11]}, "beta must lie between -10 and 10, got -11"),
        ({"eps": -1e-5}, "eps must satisfy 0 <= eps <= 1, got -1e-05"),
        ({"eps": float("nan")}, "eps must satisfy 0 <= eps <= 1, got nan"),
        ({"values": []}, "values must be 2 to 8 numbers, got 0"),
        ({"tokens": [], "table": [], "pads": []}, r"at least one real token, got \[\]"),
        ({"tokens": ["a"]}, "'tokens': 1, 'table': 4, 'pads': 4"),
        ({"pads": [True] * 4}, "at least one real token, got"),
        ({"table": [[1], [2], [3], [4, 5]]}, r"rows of one length, at least 1, got \{1, 2\}"),
        ({"table": [[1], [2], [3], [float("inf")]]}, "table must hold finite numbers"),
        ({"axis": "batch", "selected": 3}, "from 0 to 2 for axis='batch', got 3"),
        ({"selected": -1}, "from 0 to 3 for axis='layer', got -1"),
        ({"axis": "rows"}, "rows"),
        ({"view": "both"}, "both"),
        ({"values": ["1", "2"]}, "'1'"),
    ],
)
def test_a_bad_trait_is_refused_by_name_and_value(traits, message):
    with pytest.raises(TraitError, match=message):
        lab(**traits)


def test_a_bad_change_keeps_the_state():
    figure = lab()
    with pytest.raises(TraitError, match="'values': 2, 'gamma': 5"):
        figure.values = [1, 2]
    with pytest.raises(TraitError, match="from 0 to 3"):
        figure.selected = 4
    with pytest.raises(TraitError, match="at least one real token"):
        figure.pads = [True] * 4
    assert figure.values == VALUES
    assert figure.selected == 0
    assert figure.pads == [False, True, False, False]


def test_gamma_and_beta_default_to_ones_and_zeros():
    assert lab().gamma == [1.0] * 5
    assert lab().beta == [0.0] * 5


def test_steps_equal_torch():
    gamma, beta = [2.0, 1, 0.5, -1, 3], [1.0, 0, 0, 2, -1]
    figure = lab(gamma=gamma, beta=beta, eps=0.01)
    x, weight, bias = torch.tensor([VALUES, gamma, beta], dtype=torch.float64)
    torch.testing.assert_close(figure.steps().output, F.layer_norm(x, (5,), weight, bias, 0.01))


def test_steps_with_the_sample_variance():
    x = torch.tensor(VALUES, dtype=torch.float64)
    steps = lab(unbiased=True, eps=0.5).steps()
    torch.testing.assert_close(steps.variance.squeeze(), x.var())
    torch.testing.assert_close(steps.output, standardize(x, eps=0.5, unbiased=True))


@pytest.mark.parametrize("unbiased", [False, True])
def test_steps_with_eps_outside_the_root(unbiased):
    x = torch.tensor(VALUES, dtype=torch.float64)
    steps = lab(eps_inside=False, unbiased=unbiased, eps=0.5).steps()
    root = x.std(correction=int(unbiased)) + 0.5
    torch.testing.assert_close(steps.std.squeeze(), root)
    torch.testing.assert_close(steps.output, (x - x.mean()) / root)


def test_a_constant_token_without_eps_is_nan():
    assert lab(values=[1, 1, 1, 1], eps=0).steps().output.isnan().all()
    assert lab(values=[1, 1, 1, 1]).steps().output.tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("count_pads", [True, False])
def test_columns_share_the_statistics_of_the_rows_that_count(count_pads):
    x = torch.tensor(TABLE, dtype=torch.float64)
    counted = x if count_pads else x[[0, 2, 3]]
    groups = lab(view="table", axis="batch", count_pads=count_pads).results()
    mean, std = counted.mean(dim=0), counted.std(dim=0, correction=0)
    torch.testing.assert_close(groups.mean, mean)
    torch.testing.assert_close(groups.std, std)
    torch.testing.assert_close(groups.normalized, (x - mean) / (std.square() + 1e-5).sqrt())


def test_rows_share_their_own_statistics_whatever_the_pads():
    x = torch.tensor(TABLE, dtype=torch.float64)
    groups = lab(view="table", count_pads=False).results()
    torch.testing.assert_close(groups.mean, x.mean(dim=1))
    torch.testing.assert_close(groups.root, (x.var(dim=1, correction=0) + 1e-5).sqrt())
    torch.testing.assert_close(groups.normalized, F.layer_norm(x, (3,)))


@pytest.mark.parametrize("axis", ["layer", "batch"])
def test_the_picture_holds_both_views_and_escapes_names(axis):
    picture = lab(values=[2, 4, 6, 8], axis=axis).picture()
    for text in ("−1.3416", "2.2361", "One token", "Each", "&lt;pad&gt;"):
        assert text in picture
    assert "<pad>" not in picture


def test_results_are_those_of_the_view():
    assert lab().results()._fields == lab().steps()._fields
    assert lab(view="table").results()._fields == lab().groups()._fields
