"""The scale lab: its scalings equal the package's, and they decide the nearest row."""

import pytest
import torch

from tests.lessons.common_scale.scale_lab.spec import make
from transformer_lite.layers.norms import min_max, standardize

TYPO = [[19, 30_000], [24, 30_500], [19, 33_000], [18, 20_000], [100, 50_000]]


@pytest.mark.parametrize(("scaling", "scale"), [("min–max", min_max), ("z-scores", standardize)])
def test_the_scalings_equal_the_packages(scaling, scale):
    results = make(scaling=scaling).results()
    torch.testing.assert_close(results["scaled"], scale(results["table"], dim=0))


def nearest(**traits) -> str:
    figure = make(**traits)
    return figure.names[int(figure.results()["distances"][1:].argmin()) + 1]


def test_without_scaling_the_unit_decides_the_nearest_neighbor():
    assert nearest() == "Ben"
    assert nearest(divisor=1000) == "Cleo"
    assert {nearest(scaling=s, divisor=d) for s in ("min–max", "z-scores") for d in (1, 1000)} == {
        "Cleo"
    }


def test_an_outlier_changes_the_nearest_neighbor_except_with_the_median():
    found = {s: nearest(scaling=s, table=TYPO) for s in ("min–max", "z-scores", "median")}
    assert found == {"min–max": "Ben", "z-scores": "Ben", "median": "Cleo"}
