"""The deep stacks that are compared: their norms and their initial weights."""

import pytest
import torch

from lessons.kit.experiments import record
from lessons.residual_connections.experiments.shared.stacks import (
    DEPTH,
    NETS,
    NORM_ON_TOP,
    RECIPES,
    WIDTH,
    answer,
    examples,
    learned,
    networks,
    sublayer,
)

SILENT = torch.zeros_like


def tokens(count=50):
    draw = torch.Generator().manual_seed(0)
    return 10 + torch.randn(NETS, count, WIDTH, generator=draw)


@pytest.mark.parametrize("variant", RECIPES)
def test_a_zero_sublayer_passes_its_input_on_where_there_is_a_skip(variant):
    x = tokens()
    y = RECIPES[variant](x, SILENT)
    if variant in ("nothing", "norm only"):
        assert not y.any()
    elif variant == "post-norm":
        torch.testing.assert_close(y, torch.nn.functional.layer_norm(x, (WIDTH,)))
    else:
        assert torch.equal(y, x)


@pytest.mark.parametrize("variant", RECIPES)
def test_only_stacks_without_a_norm_see_a_constant_added_to_all_features(variant):
    x, up = tokens(), torch.eye(WIDTH).expand(NETS, WIDTH, WIDTH)
    found = [RECIPES[variant](given, lambda h: sublayer(h, up, up)) for given in (x, x + 100)]
    if variant in NORM_ON_TOP:
        found = [torch.nn.functional.layer_norm(one, (WIDTH,)) for one in found]
    hidden = torch.allclose(*found, atol=1e-3)
    assert hidden == (variant not in ("nothing", "skip only"))


@pytest.mark.parametrize(("gain", "kept"), [("Glorot", 4 / 9), ("He", 1.0)])
def test_initial_weights_keep_the_given_fraction_of_the_mean_square(gain, kept):
    inner = networks(gain, 0)[1:-1]
    x = torch.randn(NETS, 200, WIDTH, generator=torch.Generator().manual_seed(1))
    shares = [
        (sublayer(x, up, down).square().mean() / x.square().mean()).item()
        for up, down in zip(inner[::2], inner[1::2], strict=True)
    ]
    assert sum(shares) / DEPTH == pytest.approx(kept, rel=0.03)


def test_each_network_reads_its_own_examples_and_returns_one_number():
    x, target = examples(0)
    assert torch.allclose(target.var(dim=1, correction=0), torch.ones(NETS, 1))
    assert not torch.equal(x[0], x[1])
    assert answer("pre-norm", networks("He", 0), x).shape == target.shape


def test_learned_counts_errors_below_half_and_records_stay_in_range():
    assert learned(torch.tensor([0.1, 0.49, 0.5, 1.0, float("nan")])) == 2
    for name in ("norms_and_skips", "warm_up"):
        assert all(0 <= row["learned"] <= NETS for row in record(name).rows)
