"""The Python side of the head splitter: its rules, its numbers and its static picture."""

import pytest
import torch
from specs.head_splitter import EMBEDDINGS, WORDS, make
from traitlets import TraitError

from transformer_lite import split_heads


@pytest.mark.parametrize(
    ("traits", "message"),
    [
        ({"tokens": [], "embeddings": []}, "tokens must be 1 to 4 names, got 0"),
        ({"tokens": list("abcde"), "embeddings": [[0] * 4] * 5}, "1 to 4 names, got 5"),
        ({"tokens": ["a"]}, "equally many, got 1 and 3"),
        ({"embeddings": [[1, 2, 3]] * 3, "feature": 0}, r"at least 4, got \[3\]"),
        ({"embeddings": [[0] * 8, [0] * 8, [0] * 4]}, r"at least 4, got \[4, 8\]"),
        ({"embeddings": [[10.5] * 8] * 3}, "at most 10 in size, got 10.5"),
        ({"embeddings": [[float("nan")] * 8] * 3}, "at most 10 in size, got nan"),
        ({"num_heads": 3}, r"embeddings of width 8, got \(8, 3\)"),
        ({"d_model": 5, "num_heads": 1}, r"got \(5, 1\)"),
        ({"embeddings": [[0] * 4] * 3}, r"\[\(4, 2\)\] for embeddings of width 4, got \(8, 2\)"),
        ({"token": 3}, "token must satisfy 0 <= token < 3, got 3"),
        ({"query": -1}, "query must satisfy 0 <= query < 3, got -1"),
        ({"feature": 8}, "feature must satisfy 0 <= feature < 8, got 8"),
        ({"d_model": 4, "feature": 5}, "feature must satisfy 0 <= feature < 4, got 5"),
        ({"tokens": [1, 2, 3]}, "1"),
    ],
)
def test_a_bad_trait_is_refused_by_name_and_value(traits, message):
    with pytest.raises(TraitError, match=message):
        make(**traits)


def test_a_bad_change_keeps_the_state():
    figure = make()
    with pytest.raises(TraitError, match=r"got \(8, 3\)"):
        figure.num_heads = 3
    with pytest.raises(TraitError, match="feature must satisfy 0 <= feature < 8, got 9"):
        figure.feature = 9
    with pytest.raises(TraitError, match="got 3 and 1"):
        figure.embeddings = EMBEDDINGS[:1]
    with pytest.raises(TraitError, match="feature must satisfy 0 <= feature < 4, got 6"):
        make(feature=6).set_trait("d_model", 4)
    assert figure.state() == make().state()


def test_a_single_token_can_be_followed():
    figure = make(tokens=["one"], embeddings=EMBEDDINGS[:1])
    assert (figure.token, figure.query) == (0, 0)
    assert torch.equal(figure.results()["weights"], torch.ones(1, 1, dtype=torch.float64))


def test_the_followed_number_is_where_the_places_say():
    results = make(d_model=6, num_heads=3, token=2, feature=1).results()
    right, wrong = results["places"].T.tolist()
    values = results["values"]
    assert right == [13, 0, 2, 1, 1]
    assert split_heads(values[None], 3)[0, right[1], right[2], right[3]] == 31
    assert values.view(3, 3, 2)[wrong[1], wrong[2], wrong[3]] == 31
    assert right != wrong


def test_what_the_askers_take_adds_up_to_the_joined_entry():
    ways = [make(token=token).results()["way"][:, 0] for token in range(len(WORDS))]
    total = sum(product for _, _, product, _ in ways)
    assert all(torch.isclose(total, joined) for *_, joined in ways)
