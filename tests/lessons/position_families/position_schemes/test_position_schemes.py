"""Position schemes: the laws behind its numbers, its picture, and what it refuses."""

import pytest
import torch

from lessons.position_families.position_schemes.position_schemes import SCHEMES
from tests.lessons.position_families.position_schemes.spec import make


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
        assert there["curve"][[0, 3]].tolist() == row[:2].tolist()
        assert row[:2].tolist() == [here["sum"][2, 0], there["sum"][2, 0]]
        assert row[2] >= (row[1] - row[0]).abs()


def test_the_picture_names_the_settings():
    picture = make(scheme="learned", shift=7).picture()
    assert "Position: learned" in picture and "SAT, 9" in picture
