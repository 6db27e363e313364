"""The learning rate: what the paper writes, where it peaks, where it ends."""

import pytest

from transformer_lite.training import cosine, inverse_root, paper_peak

STEPS = range(1, 3000, 7)


@pytest.mark.parametrize(("d_model", "warm_up"), [(512, 4000), (64, 100), (100, 1)])
def test_with_the_papers_peak_the_rate_equals_the_papers_formula(d_model, warm_up):
    peak = paper_peak(d_model, warm_up)
    for step in STEPS:
        paper = d_model**-0.5 * min(step**-0.5, step * warm_up**-1.5)
        assert inverse_root(step, peak, warm_up) == pytest.approx(paper, rel=1e-12)


@pytest.mark.parametrize("warm_up", [1, 2, 400])
def test_rate_rises_to_the_peak_then_falls(warm_up):
    for rate in (
        [inverse_root(step, 0.5, warm_up) for step in range(1, 3000)],
        [cosine(step, 0.5, warm_up, 2900) for step in range(1, 2901)],
    ):
        assert max(rate) == rate[warm_up - 1] == 0.5
        rising, falling = rate[:warm_up], rate[warm_up - 1 :]
        assert rising == sorted(rising) and falling == sorted(falling, reverse=True)
        assert min(rate) >= 0
