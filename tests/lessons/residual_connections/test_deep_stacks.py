"""The deep stacks that are compared: their norms, their initial weights and their angles."""

import pytest
import torch

from lessons.kit.experiments import record
from lessons.residual_connections.experiments.shared.stacks import (
    NETS,
    RECIPES,
    WIDTH,
    examples,
    networks,
    sublayer,
    top,
    training,
)

SILENT = torch.zeros_like


def tokens(count=50):
    draw = torch.Generator().manual_seed(0)
    return 10 + torch.randn(NETS, count, WIDTH, generator=draw)


def cosines(states):
    unit = torch.nn.functional.normalize(states, dim=-1)
    others = ~torch.eye(states.shape[1], dtype=torch.bool)
    return (unit @ unit.mT)[:, others].mean(dim=-1)


@pytest.mark.parametrize("stack", RECIPES)
def test_a_zero_sublayer_passes_its_input_on_where_there_is_a_skip(stack):
    x = tokens()
    y = RECIPES[stack](x, SILENT)
    if stack.startswith("plain"):
        assert not y.any()
    elif stack == "post-norm":
        torch.testing.assert_close(y, torch.nn.functional.layer_norm(x, (WIDTH,)))
    else:
        assert torch.equal(y, x)


@pytest.mark.parametrize("stack", ["plain", "plain, angles kept"])
def test_initial_weights_keep_the_mean_square(stack):
    depth = 40
    _, up, down, _ = networks(stack, depth, 0)
    x = torch.randn(NETS, 200, WIDTH, generator=torch.Generator().manual_seed(1))
    shares = [
        (sublayer(x, *layer).square().mean() / x.square().mean()).item()
        for layer in zip(up, down, strict=True)
    ]
    assert sum(shares) / depth == pytest.approx(1, rel=0.03)


def test_plain_layers_make_examples_alike_and_rotations_do_not():
    x, _ = examples(0)
    for stack in ("plain", "plain, angles kept"):
        weights = networks(stack, 56, 0)
        before, after = (cosines(states) for states in (x @ weights[0], top(stack, weights, x)))
        if stack == "plain":
            assert after.median() > 0.995
        else:
            torch.testing.assert_close(after, before, atol=1e-3, rtol=0)


def test_each_network_reads_its_own_examples_and_training_lowers_its_error():
    x, target = examples(0)
    assert torch.allclose(target.var(dim=1, correction=0), torch.ones(NETS, 1))
    assert not torch.equal(x[0], x[1])
    first, *_, last = training("pre-norm", 2, 0.01, 30, 0)
    assert last.shape == (NETS,)
    assert (last < first / 4).all()


def test_the_record_supports_the_sentences_of_the_chapter():
    for row in record("deep_stacks").rows:
        assert row["best"] <= row["worst"]
        if row["depth"] == 20 or row["stack"] in ("pre-norm", "plain, angles kept"):
            assert row["curve"][-1] < 0.01, row
        elif row["stack"] == "plain" or row["rate"] > 0.0003:
            assert row["curve"][-1] > 0.15, row
