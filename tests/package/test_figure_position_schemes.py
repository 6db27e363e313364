"""Position schemes: the laws behind its numbers, its picture, and what it refuses."""

import math
import re

import pytest
import torch
from specs.position_schemes import make
from traitlets import TraitError

from transformer_lite.figures._base import number
from transformer_lite.figures.position_schemes import SCHEMES

ROW = [0.0] * 4


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("shift", [0, 5])
def test_the_parts_add_up_and_none_is_nothing(scheme, shift):
    results = make(scheme=scheme, shift=shift).results()
    torch.testing.assert_close(results["content"] + results["position"], results["sum"])
    assert results["position"].any() == (scheme != "none")


@pytest.mark.parametrize("shift", [1, 4, 20])
def test_what_sees_distances_does_not_notice_a_move(shift):
    change = make(shift=shift).results()["change"][:, 2]
    still = {name for name, size in zip(SCHEMES, change.tolist(), strict=True) if size < 1e-9}
    assert still == {"none", "Shaw", "T5", "RoPE", "ALiBi"}


def test_the_position_parts_are_those_of_the_chapter():
    shaw = [[0, 0, 0], [1, 0, -1], [1, 1, 0]]
    alibi = [[0, -0.5, -1], [-0.5, 0, -0.5], [-1, -0.5, 0]]
    t5 = [[0.5, -0.5, -1], [1, 0.5, -0.5], [0.25, 1, 0.5]]
    for scheme, part in {"Shaw": shaw, "ALiBi": alibi, "T5": t5}.items():
        position = make(scheme=scheme).results()["position"]
        torch.testing.assert_close(position, torch.tensor(part, dtype=torch.float64))


@pytest.mark.parametrize(("shift", "missing"), [(5, 0), (6, 5), (7, 8), (8, 9), (20, 9)])
def test_beyond_the_learned_table_scores_are_missing(shift, missing):
    results = make(scheme="learned", shift=shift).results()
    assert results["sum"].isnan().sum() == missing
    first, here, largest = results["change"][2].isnan().tolist()
    assert (first, here, largest) == (False, missing > 0, missing > 0)


def test_the_first_columns_hold_one_score():
    for scheme in SCHEMES:
        here, there = make(scheme=scheme).results(), make(scheme=scheme, shift=3).results()
        row = there["change"][SCHEMES.index(scheme)]
        assert row[:2].tolist() == [here["sum"][2, 0], there["sum"][2, 0]]
        assert row[2] >= (row[1] - row[0]).abs()


def test_the_picture_holds_every_number():
    figure = make(scheme="learned", shift=7)
    cells = re.findall(r"<td[^>]*>([^<]+)</td>", figure.picture())
    results = figure.results()
    tables = [results[name] for name in ("content", "position", "sum", "change")]
    assert cells == [number(x) for table in tables for x in table.flatten().tolist()]
    assert "Position part: learned" in figure.picture()
    assert "SAT, 9" in figure.picture()


@pytest.mark.parametrize(
    ("traits", "message"),
    [
        ({"tokens": ["The", "CAT"]}, "tokens must be 3 names, got 2"),
        ({"tokens": ["The", "CAT", 3]}, "not the int 3"),
        ({"embeddings": [ROW, ROW]}, "embeddings must have 3 rows, got 2"),
        ({"embeddings": [ROW, ROW, [1.0]]}, "embeddings must have rows of 4 numbers, got 1"),
        ({"embeddings": [ROW, ROW, [10.5, 0, 0, 0]]}, "embeddings must be at most 10 .* got 10.5"),
        ({"learned": [ROW] * 2}, "learned must have 3 to 23 rows, got 2"),
        ({"learned": [ROW] * 24}, "learned must have 3 to 23 rows, got 24"),
        ({"vectors": [ROW] * 5}, "vectors must have 3 rows, got 5"),
        ({"vectors": [ROW, ROW, [math.nan] * 4]}, "vectors must be at most 10 in size, got nan"),
        ({"numbers": [0.0] * 7}, "numbers must be 8, got 7"),
        ({"numbers": [0.0] * 7 + [-11.0]}, "numbers must be at most 10 in size, got -11.0"),
        ({"scheme": "rope"}, "scheme must be one of .* got 'rope'"),
        ({"shift": -1}, "shift must lie between 0 and 20, got -1"),
        ({"shift": 21}, "shift must lie between 0 and 20, got 21"),
        ({"shift": 1.5}, "shift.* not the float 1.5"),
    ],
)
def test_bad_traits_are_named(traits, message):
    with pytest.raises(TraitError, match=message):
        make(**traits)


@pytest.mark.parametrize(("name", "value"), [("scheme", ""), ("shift", 99), ("numbers", [])])
def test_a_refused_change_leaves_the_figure_as_it_was(name, value):
    figure = make()
    before = figure.state()
    with pytest.raises(TraitError):
        setattr(figure, name, value)
    assert figure.state() == before
