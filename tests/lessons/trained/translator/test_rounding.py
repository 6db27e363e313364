"""Weights of 8 bits: what they can be, how near they are, and that float16 holds them exactly."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tiny_training import tiny_model

from lessons.trained.translator import round_weights, rounded


def values(weight):
    numbers, exponents = rounded(weight)
    return numbers.double() * 2.0 ** exponents.double()


@given(st.lists(st.floats(-30000, 30000, width=32), min_size=1, max_size=5))
def test_every_entry_is_as_near_as_eight_bits_allow(row):
    weight = torch.tensor([row, [1.0] * len(row)])
    numbers, exponents = rounded(weight)
    assert numbers.dtype == exponents.dtype == torch.int8
    assert int(numbers.min()) >= -127
    step = 2.0 ** exponents.double()
    assert bool(((values(weight) - weight).abs() <= step / 2).all())
    # The exponent is the smallest: half the step would not do.
    too_small = weight.abs().amax(dim=1, keepdim=True) > 127 * step / 2
    assert bool((too_small | (exponents == -24)).all())


def test_rounding_keeps_tied_weights_and_changes_outputs_little():
    model, before = tiny_model().eval(), tiny_model().eval()
    round_weights(model)
    assert model.output.weight is model.src_embedding.table.weight
    ids = torch.tensor([[3, 4, 5, 2]])
    ours, unrounded = model(ids, ids), before(ids, ids)
    assert not torch.equal(ours, unrounded)
    torch.testing.assert_close(ours, unrounded, atol=0.1, rtol=0.1)
    for weight in model.parameters():
        assert torch.equal(weight, weight.half().float())


@pytest.mark.parametrize(
    ("weight", "kind", "message"),
    [
        (torch.tensor([1, 2]), TypeError, "weight must hold floating-point numbers"),
        (torch.tensor([1.0, torch.nan]), ValueError, "weight must have entries up to 32512"),
        (torch.tensor([40000.0]), ValueError, "weight must have entries up to 32512, got 40000"),
    ],
)
def test_unsuitable_weights_are_refused_with_a_message(weight, kind, message):
    with pytest.raises(kind, match=message):
        rounded(weight)
