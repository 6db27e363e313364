"""The Python side of soft retrieval: its rules, its numbers and its static picture."""

import pytest
import torch
from specs.soft_retrieval import make
from traitlets import TraitError


@pytest.mark.parametrize(
    ("traits", "message"),
    [
        ({"words": ["a", "b"]}, "words and places must be equally many, got 2 and 3"),
        ({"words": ["a"], "places": [[0, 0]]}, "words must be 2 to 8 names, got 1"),
        ({"words": ["a"] * 9, "places": [[0, 0]] * 9}, "words must be 2 to 8 names, got 9"),
        ({"places": [[0, 0], [0, 0], [0, 0, 0]]}, r"places must hold points of 2 .*\[0.0, 0.0, 0"),
        ({"places": [[0, 0], [0, 0], [0, 4.1]]}, "places must lie between -4 and 4, got 4.1"),
        ({"places": [[0, 0], [0, 0], [0, float("nan")]]}, "between -4 and 4, got nan"),
        ({"query": [1]}, r"query must hold points of 2 numbers, got \[1.0\]"),
        ({"query": [1, -5]}, "query must lie between -4 and 4, got -5"),
        ({"features": ["water"]}, "features must be 2 names, got 1"),
        ({"sharpness": -0.1}, "sharpness must satisfy 0 <= sharpness <= 4, got -0.1"),
        ({"sharpness": float("nan")}, "0 <= sharpness <= 4, got nan"),
        ({"values": "keys only"}, "keys only"),
    ],
)
def test_a_bad_trait_is_refused_by_name_and_value(traits, message):
    with pytest.raises(TraitError, match=message):
        make(**traits)


def test_a_bad_change_keeps_the_state():
    figure = make()
    with pytest.raises(TraitError, match="got 2 and 3"):
        figure.words = ["a", "b"]
    with pytest.raises(TraitError, match="between -4 and 4"):
        figure.query = [0, 9]
    assert figure.words == ["a", "b", "c"]
    assert figure.query == [1, 1]


@pytest.mark.parametrize("sharpness", [0.0, 0.5, 4.0])
def test_the_results_are_a_softmax_of_dot_products(sharpness):
    figure = make(query=[0.5, -2], sharpness=sharpness)
    keys = torch.tensor(figure.places, dtype=torch.float64)
    scores = keys @ torch.tensor([0.5, -2], dtype=torch.float64)
    weights = (sharpness * scores).exp() / (sharpness * scores).exp().sum()
    results = figure.results()
    torch.testing.assert_close(results["scores"].squeeze(-1), scores)
    torch.testing.assert_close(results["weights"].squeeze(-1), weights)
    torch.testing.assert_close(results["mixture"], (weights @ keys)[None])


def test_the_values_are_the_keys_or_made_from_them():
    keys = make().results()["keys"]
    assert torch.equal(make(values="keys").results()["values"], keys)
    assert torch.equal(make(values="swapped").results()["values"], keys.flip(-1))
    second = make(values="second").results()["values"]
    assert torch.equal(second, keys * torch.tensor([0.0, 1.0]))


def test_the_picture_holds_every_table_and_escapes_names():
    picture = make(features=["<b>", "money"], query=[1, 0.25]).picture()
    for text in ("1 Keys", "2 Query", "3 Weights", "4 Values", "5 Mixture", "&lt;b&gt;", "0.25"):
        assert text in picture
    assert "<b>" not in picture
