"""A learned table is looked up by position, and only the rows that were used learn."""

import pytest
import torch

from transformer_lite.layers.positions import LearnedPositions

B, T, D, ROWS = 2, 5, 12, 9


@pytest.fixture
def module(dtype):
    return LearnedPositions(D, max_len=ROWS).to(dtype)


@pytest.mark.parametrize("start", [0, 1, ROWS - T])
def test_token_t_gets_row_start_plus_t(module, normal, start):
    x = normal(B, T, D)
    embedded = module.embed(x, start)
    for b in range(B):
        for t in range(T):
            assert torch.equal(embedded[b, t], x[b, t] + module.table[start + t])


def test_the_table_is_the_only_thing_learned_and_is_stored():
    module = LearnedPositions(D, max_len=ROWS)
    assert {name: p.shape for name, p in module.named_parameters()} == {"table": (ROWS, D)}
    other = LearnedPositions(D, max_len=ROWS)
    assert not torch.equal(other.table, module.table)
    other.load_state_dict(module.state_dict())
    assert torch.equal(other.table, module.table)
