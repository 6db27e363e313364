"""Dropout drops numbers at random, keeps the mean, and does nothing outside training."""

import pytest
import torch
from torch.func import vmap
from torch.testing import assert_close

from transformer_lite.layers.dropout import LEVELS, dropout

MANY = 200_000
KINDS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]


def allowed(share: float, draws: int, deviations: float = 5.0) -> float:
    """How far the share of `draws` draws may be from its expectation."""
    return deviations * (share * (1 - share) / draws) ** 0.5


@pytest.mark.parametrize("p", [0.001, 0.1, 0.25, 0.5, 0.9, 0.999])
def test_the_fraction_dropped_is_p(p):
    gone = dropout(torch.ones(MANY), p, training=True) == 0
    assert abs(gone.double().mean() - p) < allowed(p, MANY)
    # One random number decides on four entries. Each of the four has its share, …
    for place in range(4):
        assert abs(gone[place::4].double().mean() - p) < allowed(p, MANY // 4)


@pytest.mark.parametrize("step", range(1, 6))
def test_neighbours_are_dropped_independently(step):
    gone = dropout(torch.ones(MANY), 0.3, training=True) == 0
    for place in range(4):  # … and they are independent.
        both = gone[place::4][: MANY // 4 - 2] & gone[place + step :: 4][: MANY // 4 - 2]
        assert abs(both.double().mean() - 0.09) < allowed(0.09, MANY // 4)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("p", [0.1, 0.25, 0.5, 0.75])
def test_kept_numbers_are_rescaled(p, kind):
    x = torch.randn(1000).to(kind)
    dropped = dropout(x, p, training=True)
    kept = dropped != 0
    assert dropped.dtype == kind
    assert 0 < kept.sum() < 1000
    # p counts in steps of 1/65536, so the factor is off by up to 1/65536/(1 − p).
    precise = 4 * torch.finfo(kind).eps + 1 / LEVELS / (1 - p)
    assert_close(dropped[kept].double(), x[kept].double() / (1 - p), rtol=precise, atol=0)


def test_the_same_seed_repeats_a_mask_and_another_seed_does_not():
    def draw(seed):
        torch.manual_seed(seed)
        return dropout(torch.ones(50), 0.5, training=True)

    assert torch.equal(draw(1), draw(1))
    assert not torch.equal(draw(1), draw(2))
    assert not torch.equal(draw(1), dropout(torch.ones(50), 0.5, training=True))


@pytest.mark.parametrize(("p", "training"), [(0.0, True), (0, True), (0.5, False), (0.0, False)])
def test_dropout_returns_its_input_without_p_or_training(p, training):
    x = torch.randn(5, requires_grad=True)
    before = torch.get_rng_state()
    assert dropout(x, p, training) is x
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.usefixtures("traced")
def test_dropout_works_compiled_and_on_the_meta_device():
    torch._dynamo.reset()
    call = torch.compile(dropout, backend="aot_eager", fullgraph=True)
    gone = call(torch.ones(10_000), 0.25, True) == 0
    assert abs(gone.double().mean() - 0.25) < allowed(0.25, 10_000)
    assert dropout(torch.ones(2, 3, device="meta"), 0.5, training=True).shape == (2, 3)


def zeros(x: torch.Tensor) -> torch.Tensor:
    return dropout(x, 0.3, training=True) == 0


def test_vmap_randomness_modes():
    x = torch.ones(3, 4001)
    different = vmap(zeros, randomness="different")(x)
    assert (abs(different.double().mean(1) - 0.3) < allowed(0.3, 4001)).all()
    for one, other in ((0, 1), (0, 2), (1, 2)):  # independent: both drop 0.3 · 0.3
        both = (different[one] & different[other]).double().mean()
        assert abs(both - 0.09) < allowed(0.09, 4001)
    same = vmap(zeros, randomness="same")(x)
    assert torch.equal(same, same[:1].expand(3, 4001))
    assert 0 < same.sum() < same.numel()


@pytest.mark.parametrize(
    ("p", "error", "message"),
    [
        (1.7, ValueError, "p must satisfy 0 <= p < 1, got 1.7"),
        (1.0, ValueError, "p must satisfy 0 <= p < 1, got 1.0"),
        (-0.5, ValueError, "p must satisfy 0 <= p < 1, got -0.5"),
        (torch.nan, ValueError, "p must satisfy 0 <= p < 1, got nan"),
        ("0.1", TypeError, "p must be a number, got str: '0.1'"),
    ],
)
@pytest.mark.parametrize("training", [True, False])
def test_p_out_of_range_is_refused(p, error, message, training):
    with pytest.raises(error) as caught:
        dropout(torch.ones(2), p, training)
    assert str(caught.value) == message
