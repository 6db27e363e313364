"""The Python side of the feed-forward lab: its rules, its numbers and its static picture."""

import re

import pytest
import torch
from specs.feed_forward_lab import make
from torch.testing import assert_close
from traitlets import TraitError

from transformer_lite.figures._base import number


@pytest.mark.parametrize(
    ("traits", "message"),
    [
        ({"tokens": [[2, -1], [4, 0]]}, "tokens must lie between -3 and 3, got 4"),
        ({"tokens": [[2, -1], [float("nan"), 0]]}, "tokens must lie between -3 and 3, got nan"),
        ({"up": [[1, 0, -1, 1], [0, 1, 1, 9]]}, "up must lie between -3 and 3, got 9"),
        ({"up_bias": [-1, 0, 1, -3.5]}, "up_bias must lie between -3 and 3, got -3.5"),
        ({"down_bias": [0.5, 5]}, "down_bias must lie between -3 and 3, got 5"),
        ({"names": ["Je"]}, "names must be 2, one a token, got 1"),
        ({"names": [], "tokens": []}, "tokens must be 1 to 3 rows, got 0"),
        ({"names": list("abcd"), "tokens": [[0, 0]] * 4}, "tokens must be 1 to 3 rows, got 4"),
        ({"tokens": [[2, -1], [1]]}, r"tokens must be 2 rows of 2, got rows of \[2, 1\]"),
        ({"up": [[1, 0, -1, 1]]}, r"up must be 2 rows of 4, got rows of \[4\]"),
        ({"down": [[1, 1]] * 3}, r"down must be 4 rows of 2, got rows of \[2, 2, 2\]"),
        ({"up_bias": [], "up": [[], []], "down": []}, "up_bias must be 1 to 6 numbers, got 0"),
        ({"up_bias": [0] * 7}, "up_bias must be 1 to 6 numbers, got 7"),
        ({"down_bias": [1]}, "down_bias must be 2 to 4 numbers, got 1"),
        ({"down_bias": [1] * 5}, "down_bias must be 2 to 4 numbers, got 5"),
        ({"selected": 2}, "selected must satisfy 0 <= selected < 2, got 2"),
        ({"selected": -1}, "selected must satisfy 0 <= selected < 2, got -1"),
        ({"activation": "tanh"}, "tanh"),
        ({"tokens": [["1", 2], [0, 0]]}, "'1'"),
    ],
)
def test_a_bad_trait_is_refused_by_name_and_value(traits, message):
    with pytest.raises(TraitError, match=message):
        make(**traits)


def test_a_bad_change_keeps_the_state():
    figure = make()
    before = figure.state()
    with pytest.raises(TraitError, match=r"got 3\.1"):
        figure.tokens = [[3.1, 0], [0, 0]]
    with pytest.raises(TraitError, match="got 5"):
        figure.selected = 5
    assert figure.state() == before


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
        activation=activation, selected=selected, tokens=[[2, -1], [0.3, -1.7]]
    ).results()
    assert_close(results["parts"].sum(dim=0), results["output"][selected])


def test_without_an_activation_the_layer_is_one_matrix():
    figure = make(activation="none", tokens=[[2, -1], [0.3, -1.7]])
    up, down = torch.tensor(figure.up).double(), torch.tensor(figure.down).double()
    bias = torch.tensor(figure.up_bias).double() @ down + torch.tensor(figure.down_bias).double()
    x = torch.tensor(figure.tokens, dtype=torch.float64)
    assert_close(figure.results()["output"], x @ (up @ down) + bias)
    assert not torch.allclose(
        make(tokens=figure.tokens).results()["output"], x @ (up @ down) + bias
    )


def test_the_picture_shows_the_packages_numbers():
    figure = make(activation="gelu", selected=1)
    results, picture = figure.results(), figure.picture()
    captions = {
        "weights": "The weights, the same for all tokens",
        "before": "1 Before: x W₁ + b₁",
        "hidden": "2 After: GELU",
        "output": "3 Output: FF(x)",
        "residual": "4 With the residual: x + FF(x)",
        "parts": "What adds up to FF(suis)",
    }
    assert captions.keys() == results.keys()
    for key, caption in captions.items():
        [table] = [t for t in picture.split("<table")[1:] if f"<caption>{caption}<" in t]
        rows = table.split("<tbody>")[1].split("<tr>")[1:]
        shown = [re.findall(r"<td[^>]*>([^<]*)</td>", row) for row in rows]
        assert shown == [[number(x) for x in row] for row in results[key].tolist()]


def test_names_are_text_in_the_picture():
    assert "<b>" not in make(names=["<b>", "suis"]).picture()
