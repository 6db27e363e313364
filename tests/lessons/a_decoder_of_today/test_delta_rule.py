"""The gated delta rule: by hand, step by step equal to all at once, and equal to Qwen3-Next's."""

import pytest
import torch
import torch.nn.functional as F
from transformers.models.qwen3_next.modeling_qwen3_next import (
    torch_chunk_gated_delta_rule,
    torch_recurrent_gated_delta_rule,
)

from lessons.a_decoder_of_today import delta_step, gated_delta_rule, gated_delta_rule_at_once

BATCH, HEADS, TOKENS, KEY, VALUE = 2, 3, 11, 4, 5


@pytest.fixture
def inputs() -> list[torch.Tensor]:
    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(BATCH, HEADS, TOKENS, *shape, dtype=torch.float64)

    query, key = F.normalize(normal(KEY), dim=-1), F.normalize(normal(KEY), dim=-1)
    return [query, key, normal(VALUE), normal().sigmoid(), normal().sigmoid()]


def test_a_second_write_with_the_same_key_replaces_the_first():
    key, other = torch.eye(2)
    state = delta_step(torch.zeros(2, 2), key, torch.tensor([2.0, 4.0]))
    state = delta_step(state, other, torch.tensor([1.0, 1.0]))
    state = delta_step(state, key, torch.tensor([3.0, 0.0]))
    assert torch.equal(state, torch.tensor([[3.0, 0.0], [1.0, 1.0]]))


def test_half_a_write_goes_half_the_way_and_keep_shrinks_the_rest():
    key = torch.tensor([1.0, 0.0])
    state = torch.tensor([[8.0], [4.0]])
    state = delta_step(state, key, torch.tensor([6.0]), keep=0.5, write=0.5)
    assert torch.equal(state, torch.tensor([[5.0], [2.0]]))


@pytest.mark.parametrize("size", [1, 4, TOKENS])
def test_all_at_once_equals_step_by_step(inputs, size):
    expected, last = gated_delta_rule(*inputs)
    state, found = None, []
    for chunk in zip(*(x.split(size, dim=2) for x in inputs), strict=True):
        output, state = gated_delta_rule_at_once(*chunk, state)
        found.append(output)
    torch.testing.assert_close(torch.cat(found, dim=2), expected)
    torch.testing.assert_close(state, last)


def test_a_text_in_two_parts_gives_the_same_as_in_one(inputs):
    expected, last = gated_delta_rule(*inputs)
    _, state = gated_delta_rule(*(x[:, :, :6] for x in inputs))
    output, state = gated_delta_rule(*(x[:, :, 6:] for x in inputs), state)
    torch.testing.assert_close(output, expected[:, :, 6:])
    torch.testing.assert_close(state, last)


@pytest.mark.parametrize("theirs", [torch_recurrent_gated_delta_rule, torch_chunk_gated_delta_rule])
@pytest.mark.parametrize("ours", [gated_delta_rule, gated_delta_rule_at_once])
def test_both_forms_equal_those_of_qwen3_next(inputs, ours, theirs):
    query, key, value, keep, write = inputs
    tokens_first = [x.transpose(1, 2).float() for x in (query * KEY**0.5, key, value)]
    gates = [x.transpose(1, 2).float() for x in (keep.log(), write)]
    expected, last = theirs(*tokens_first, *gates, output_final_state=True)
    output, state = ours(*inputs)
    torch.testing.assert_close(output.transpose(1, 2).float(), expected, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(state.float(), last.float(), rtol=1e-4, atol=1e-5)


def test_wrong_inputs_are_refused(inputs):
    state = torch.zeros(2, 3)
    with pytest.raises(
        ValueError, match=r"key must have shape \(2,\) and value \(3,\), got \(3,\)"
    ):
        delta_step(state, torch.zeros(3), torch.zeros(3))
    with pytest.raises(TypeError, match="key must hold floating-point numbers"):
        delta_step(state, torch.tensor([1, 2]), torch.zeros(3))
    query, key, value, keep, write = inputs
    with pytest.raises(ValueError, match="key must have shape"):
        gated_delta_rule_at_once(
            query, key[..., :3], value, keep, write, torch.zeros(2, 3, 4, 5).double()
        )
