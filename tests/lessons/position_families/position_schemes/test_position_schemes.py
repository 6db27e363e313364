"""Position schemes: the laws behind its numbers, its picture, and what it refuses."""

import pytest
import torch

from lessons.position_families.position_schemes.position_schemes import SCHEMES
from tests.lessons.position_families.position_schemes.spec import make


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("shift", [0, 5])
def test_parts_sum_to_the_scores_and_the_scheme_none_adds_nothing(scheme, shift):
    results = make(scheme=scheme, shift=shift).results()
    torch.testing.assert_close(results["content"] + results["position"], results["sum"])
    assert results["position"].any() == (scheme != "none")


@pytest.mark.parametrize("shift", [1, 4, 20])
def test_relative_schemes_do_not_change_when_all_positions_shift(shift):
    change = make(shift=shift).results()["change"][:, 2]
    still = {name for name, size in zip(SCHEMES, change.tolist(), strict=True) if size < 1e-9}
    assert still == {"none", "Shaw", "T5", "RoPE", "ALiBi"}


def test_the_position_parts_equal_those_of_the_chapter():
    shaw = [[0, 0, 0], [1, 0, -1], [1, 1, 0]]
    alibi = [[0, -0.5, -1], [-0.5, 0, -0.5], [-1, -0.5, 0]]
    t5 = [[0.5, -0.5, -1], [1, 0.5, -0.5], [0.25, 1, 0.5]]
    for scheme, part in {"Shaw": shaw, "ALiBi": alibi, "T5": t5}.items():
        position = make(scheme=scheme).results()["position"]
        torch.testing.assert_close(position, torch.tensor(part, dtype=torch.float64))
