"""The softmax lab: its numbers, its picture, and what it refuses."""

import math
import re

import pytest
import torch
from specs.softmax_lab import make as lab
from traitlets import TraitError

from transformer_lite.figures._base import number


def test_it_works_out_the_notes_example():
    results = lab().results()
    torch.testing.assert_close(results["scores"].T.tolist(), [[6.0, 4.0], [3.0, 2.0]])
    weights = [[round(w, 4) for w in row] for row in results["weights"].T.tolist()]
    assert weights == [[0.8808, 0.1192], [0.7311, 0.2689]]


@pytest.mark.parametrize("temperature", [0.5, 1.0, 4.0])
def test_the_measures_are_those_of_the_formulas(temperature):
    results = lab(logits=[1.0, -0.5, 0.25], d_k=12, temperature=temperature).results()
    for weights, measures in zip(results["weights"].T, results["measures"].T, strict=True):
        entropy = -(weights * weights.log()).sum()
        slopes = weights.diag() - weights.outer(weights)
        expected = torch.stack([entropy, entropy.exp(), slopes.norm()])
        torch.testing.assert_close(measures, expected)


def test_the_width_moves_the_raw_column_only():
    narrow, wide = lab(d_k=4).results(), lab(d_k=1024).results()
    for name in ("scores", "weights", "measures"):
        torch.testing.assert_close(narrow[name][:, 1], wide[name][:, 1])
    assert wide["weights"][0, 0] > 0.9999 > narrow["weights"][0, 0]
    torch.testing.assert_close(narrow["curve"], wide["curve"])


def test_the_picture_holds_every_number():
    figure = lab(logits=[3.0, -2.0, 0.5], d_k=64)
    cells = re.findall(r"<td[^>]*>([^<]+)</td>", figure.picture())
    results = figure.results()
    tables = [results[name] for name in ("scores", "weights", "measures")]
    assert cells == [number(x) for table in tables for x in table.flatten().tolist()]
    assert "width of a key 64, temperature 1" in figure.picture()


@pytest.mark.parametrize(
    ("traits", "message"),
    [
        ({"logits": [1.0]}, "logits must hold 2 to 6 numbers, got 1"),
        ({"logits": [0.0] * 7}, "logits must hold 2 to 6 numbers, got 7"),
        ({"logits": [0.0, 5.1]}, "logits must lie between −5 and 5, got 5.1"),
        ({"logits": [0.0, math.nan]}, "logits must lie between −5 and 5, got nan"),
        ({"logits": ["x", 1.0]}, "not the str 'x'"),
        ({"d_k": 5}, r"d_k must be one of \[1, 2, 3, .* got 5"),
        ({"d_k": 4.5}, "d_k.* not the float 4.5"),
        ({"temperature": 0.0}, "temperature must lie between 0.1 and 10, got 0.0"),
        ({"temperature": math.nan}, "temperature must lie between 0.1 and 10, got nan"),
    ],
)
def test_bad_traits_are_named(traits, message):
    with pytest.raises(TraitError, match=message):
        lab(**traits)


@pytest.mark.parametrize(
    ("name", "value"), [("logits", [9.0, 1.0]), ("d_k", 7), ("temperature", -1.0)]
)
def test_a_refused_change_leaves_the_lab_as_it_was(name, value):
    figure = lab()
    before = figure.state()
    with pytest.raises(TraitError):
        setattr(figure, name, value)
    assert figure.state() == before
