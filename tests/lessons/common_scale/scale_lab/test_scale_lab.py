"""The scale lab: what it shows is what the package computes."""

import pytest
import torch

from tests.lessons.common_scale.scale_lab.spec import make
from transformer_lite.layers.norms import min_max, standardize

TYPO = [[19, 30_000], [24, 30_500], [19, 33_000], [18, 20_000], [100, 50_000]]


@pytest.mark.parametrize(("scaling", "scale"), [("min–max", min_max), ("z-scores", standardize)])
def test_the_scalings_are_the_packages(scaling, scale):
    results = make(scaling=scaling).results()
    torch.testing.assert_close(results["scaled"], scale(results["table"], dim=0))


def nearest(**traits) -> str:
    figure = make(**traits)
    return figure.names[int(figure.results()["distances"][1:].argmin()) + 1]


def test_a_unit_decides_who_is_nearest():
    assert nearest() == "Ben"
    assert nearest(divisor=1000) == "Cleo"
    assert {nearest(scaling=s, divisor=d) for s in ("min–max", "z-scores") for d in (1, 1000)} == {
        "Cleo"
    }


def test_one_wrong_age_decides_it_again_unless_the_median_scales():
    found = {s: nearest(scaling=s, table=TYPO) for s in ("min–max", "z-scores", "median")}
    assert found == {"min–max": "Ben", "z-scores": "Ben", "median": "Cleo"}
