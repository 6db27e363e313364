"""The norm axes: what its traits may be, and whose numbers it shows."""

import pytest
import torch
from specs import norm_axes
from traitlets import TraitError

from transformer_lite import norms

make = norm_axes.make

WRONG = [
    ({"tokens": [["The", "cat"], ["A", "dog"]]}, r"equally many tokens .*\[2, 2\].*\[3, 3\]"),
    ({"tokens": [["The", "cat", "sat"]]}, r"equally many tokens in each sentence, got .*\[3\]"),
    ({"tokens": [], "table": []}, r"equally many tokens in each sentence, got"),
    ({"tokens": [["a", "b"], ["c"]], "table": [[[1.0], [2.0]], [[3.0]]]}, r"got .*\[2, 1\]"),
    ({"tokens": [["a", "b"]], "table": [[[1.0, 2.0], [3.0]]]}, r"one length .* got \[1, 2\]"),
    ({"tokens": [["a"]], "table": [[[1.0] * 7]], "num_groups": 1}, r"from 1 to 6, got \[7\]"),
    ({"tokens": [["a"]], "table": [[[1.0, 20.5]]]}, r"between -20 and 20, got 20\.5"),
    ({"tokens": [["a"]], "table": [[[1.0, float("nan")]]]}, r"between -20 and 20, got nan"),
    ({"num_groups": 3}, r"num_groups must divide the width 4, got 3"),
    ({"num_groups": 0}, r"num_groups must divide the width 4, got 0"),
    ({"eps": -1e-5}, r"eps must satisfy 0 <= eps <= 1, got -1e-05"),
    ({"eps": 2.0}, r"eps must satisfy 0 <= eps <= 1, got 2\.0"),
    ({"token": 6}, r"token must satisfy 0 <= token < 6, got 6"),
    ({"feature": -1}, r"feature must satisfy 0 <= feature < 4, got -1"),
    ({"norm": "weight"}, r"norm.*weight"),
]


@pytest.mark.parametrize(("traits", "message"), WRONG)
def test_a_wrong_trait_is_refused_with_its_value(traits, message):
    with pytest.raises(TraitError, match=message):
        make(**traits)


def test_a_changed_table_may_not_lose_the_chosen_number():
    figure = make(token=5, feature=3)
    with pytest.raises(TraitError, match=r"equally many tokens"):
        figure.table = [[[1.0, 2.0]]]


@pytest.mark.parametrize("norm", norm_axes.NORMS)
def test_the_statistics_explain_the_normalized_numbers(norm):
    results = make(norm=norm).results()
    _, mean, spread = results["statistics"][results["groups"] - 1].unbind(dim=-1)
    root = torch.sqrt(spread**2 + 1e-5)
    torch.testing.assert_close((results["table"] - mean) / root, results["normalized"])


@pytest.mark.parametrize("norm", norm_axes.NORMS)
def test_what_is_shared_is_what_a_change_moves(norm):
    before = make(norm=norm, token=5, feature=0)
    table = [[list(row) for row in sentence] for sentence in before.table]
    table[1][2][0] += 1
    after = make(norm=norm, table=table)
    moved = before.results()["normalized"] != after.results()["normalized"]
    assert torch.equal(moved, before.results()["shared"])


def test_two_groups_where_the_width_allows_it():
    assert make().num_groups == 2
    assert make(tokens=[["a"]], table=[[[1.0, 2.0, 3.0]]]).num_groups == 1


def test_group_normalization_is_the_packages():
    x = torch.tensor(make().table, dtype=torch.float64)
    for num_groups in (1, 2, 4):
        shown = make(norm="group", num_groups=num_groups).results()["normalized"]
        assert torch.equal(shown, norms.group_norm(x, num_groups).flatten(0, 1))


def test_the_picture_holds_every_number_and_escapes_words():
    figure = make(tokens=[["<b>", "cat", "sat"], ["A", "dog", "ran"]])
    picture = figure.picture()
    assert "<b>1 " not in picture
    assert "1 &lt;b&gt;" in picture
    assert ">σ</th>" in picture
    assert ">RMS</th>" in make(norm="RMS").picture()
    assert picture.count("<td class") == 24 * 3 + 6 * 3
    assert repr(make()) == (
        "NormAxes(tokens=[['The', 'cat', 'sat'], ['A', 'dog', 'ran']], norm='layer')"
    )
