"""A part that is changed in the middle of a decoding counts from the next step on."""

from contextlib import nullcontext

import pytest
import torch
from changed_parts import (
    CHANGES,
    LowRank,
    logits_of_all_steps,
    own_positions,
    parametrized,
    replaced_forward,
    require_three_ways_to_agree,
    twice,
    wrap,
)
from reference_search import decoding_of_targets, each_decoder
from tiny_models import TGT, make
from torch.testing import assert_close

from transformer_lite import MultiHeadAttention
from transformer_lite.fast.exact import fast_steps_disabled
from transformer_lite.layers.unmodified import is_exactly


def _low_rank_query(model):
    wrap(model.decoder.layers[0].self_attention, "q_proj", LowRank)


def _forward_of_the_class(model):
    """Let all attentions return twice as much; return what undoes it."""
    patch = pytest.MonkeyPatch()
    patch.setattr(MultiHeadAttention, "forward", twice(_as_written(MultiHeadAttention)))
    return patch.undo


def _as_written(kind):
    return type("AsWritten", (), {"forward": kind.forward})


def _other_activation(model):
    model.decoder.layers[0].feed_forward.activation = torch.tanh


MIDWAY = {
    "low-rank query": _low_rank_query,
    "forward of the class": _forward_of_the_class,
    "replaced forward": replaced_forward,
    "positions from elsewhere": own_positions,
    "another activation": _other_activation,
    "subclassed feed-forward": CHANGES["subclassed feed-forward"],
    "parametrized": parametrized,
    "wrapped layer": CHANGES["wrapped layer"],
    "wrapped output": CHANGES["wrapped output"],
}


@torch.no_grad()
def _changed_midway(model, change) -> torch.Tensor:
    """The logits of all steps but the first, with a change between the third and the fourth."""
    next_token = decoding_of_targets(model)
    logits = [next_token(TGT[:, :length]) for length in (1, 2, 3)]
    undo = change(model)
    try:
        logits += [next_token(TGT[:, :length]) for length in (4, 5)]
    finally:
        if undo:
            undo()
    return torch.stack(logits)


@each_decoder
@pytest.mark.parametrize("name", MIDWAY)
def test_part_changed_between_two_steps_is_used(kind, name):
    results = []
    for context in (nullcontext, fast_steps_disabled):
        torch.manual_seed(4)
        model = make(kind)
        with context():
            results.append(_changed_midway(model, MIDWAY[name]))
    torch.manual_seed(4)
    unchanged = _changed_midway(make(kind), lambda model: None)
    assert_close(results[0], results[1], atol=1e-9, rtol=1e-9)
    differs = (results[0] - unchanged).nan_to_num().abs()
    assert differs[:3].max() < 1e-9 and differs[3:].max() > 1e-3


@each_decoder
def test_forward_replaced_on_the_class_disables_the_fast_step(kind):
    model = make(kind)
    with pytest.MonkeyPatch.context() as patch:
        before = logits_of_all_steps(model, use_cache=True)
        patch.setattr(MultiHeadAttention, "forward", twice(_as_written(MultiHeadAttention)))
        require_three_ways_to_agree(model)
        differs = logits_of_all_steps(model, use_cache=True) - before
        assert differs.nan_to_num().abs().max() > 1e-3
        assert not is_exactly(model.decoder.layers[0].self_attention, MultiHeadAttention)
    assert_close(logits_of_all_steps(model, use_cache=True), before)


@each_decoder
def test_training_mode_applies_from_the_next_step(kind):
    def change(model):
        for layer in model.decoder.layers:
            layer.feed_forward.train().dropout = 0.5

    model = make(kind)
    first, second = (_changed_midway(model.eval(), change) for _ in range(2))
    assert torch.equal(first[:3], second[:3]) and not torch.equal(first[3:], second[3:])
