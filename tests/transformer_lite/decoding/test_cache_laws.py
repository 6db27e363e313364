"""A cache after reordering and after errors: it still works, and wrong input is refused."""

from contextlib import nullcontext

import pytest
import torch
from reference_search import decoding_of_targets, each_decoder
from tiny_models import SRC, TGT, make
from torch import nn
from torch.testing import assert_close

from transformer_lite import Transformer
from transformer_lite.decoding import NextToken
from transformer_lite.fast.exact import fast_steps_disabled

EXACT = {"atol": 1e-9, "rtol": 1e-9}


def begun(model, length: int = 3) -> NextToken:
    """A decoding whose cache holds `length` tokens of TGT, the last by a step of its own."""
    next_token = decoding_of_targets(model)
    with torch.no_grad():
        for end in range(length - 1, length + 1):
            next_token(TGT[:, :end])
    return next_token


@torch.no_grad()
def whole(model, tokens: torch.Tensor, source: torch.Tensor) -> torch.Tensor:
    """The logits after `tokens`, without a cache."""
    logits = model(source, tokens) if isinstance(model, Transformer) else model(tokens)
    logits[..., 0] = -torch.inf
    return logits[:, -1]


# Reordering


@each_decoder
@pytest.mark.parametrize("rows", [[1, 0], [1], [0], [0, 0], [1, 0, 1, 1]], ids=str)
@torch.no_grad()
def test_reordered_rows_keep_their_source_and_prompt(kind, rows):
    model = make(kind)
    next_token = begun(model)
    next_token.reorder(torch.tensor(rows))
    logits = next_token(TGT[rows, :4])
    assert_close(logits, whole(model, TGT[rows, :4], SRC[rows]), **EXACT)
    assert len(next_token.prompt) == len(rows)


@each_decoder
@pytest.mark.parametrize("rows", [[1, 0], [1]], ids=str)
@torch.no_grad()
def test_rows_can_be_reordered_before_the_first_call(kind, rows):
    model = make(kind)
    next_token = decoding_of_targets(model)
    next_token.reorder(torch.tensor(rows))
    assert_close(next_token(TGT[rows, :2]), whole(model, TGT[rows, :2], SRC[rows]), **EXACT)


@each_decoder
@pytest.mark.parametrize("rows", [[0, 2], [-1, 0]], ids=str)
def test_missing_row_is_refused_and_nothing_is_reordered(kind, rows):
    model = make(kind)
    next_token = begun(model)
    for owner in (next_token, next_token.cache):
        with pytest.raises(ValueError, match="rows must lie between 0 and 1, got"):
            owner.reorder(torch.tensor(rows))
    with torch.no_grad():
        assert_close(next_token(TGT[:, :4]), whole(model, TGT[:, :4], SRC), **EXACT)


# Errors


class Fails(nn.Module):
    """Runs another module, but fails when `armed`."""

    def __init__(self, inner: nn.Module):
        super().__init__()
        self.inner, self.armed = inner, False

    def forward(self, *args, **kwargs):
        result = self.inner(*args, **kwargs)
        if self.armed:
            raise KeyboardInterrupt
        return result


PLACES = {
    "first attention": lambda model: (model.decoder.layers[0], "self_attention"),
    "last feed-forward": lambda model: (model.decoder.layers[1], "feed_forward"),
    "output": lambda model: (model, "output"),
}


@each_decoder
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("length", [0, 3])
@pytest.mark.parametrize("fast", [True, False])
@torch.no_grad()
def test_failed_step_does_not_change_the_cache(kind, place, length, fast):
    model = make(kind)
    owner, name = PLACES[place](model)
    failing = Fails(getattr(owner, name))
    setattr(owner, name, failing)
    next_token = decoding_of_targets(model)

    def all_steps():
        for end in range(1, length + 1):
            next_token(TGT[:, :end])
        failing.armed = True
        with pytest.raises(KeyboardInterrupt):
            next_token(TGT[:, : length + 1])
        failing.armed = False
        assert next_token.cache.length == length
        return next_token(TGT[:, : length + 1])

    with nullcontext() if fast else fast_steps_disabled():
        logits = all_steps()
    assert_close(logits, whole(model, TGT[:, : length + 1], SRC), **EXACT)


@each_decoder
@pytest.mark.parametrize("length", [2, 3])
@torch.no_grad()
def test_tokens_that_are_already_in_the_cache_are_refused(kind, length):
    model = make(kind)
    next_token = begun(model)
    message = f"tokens must be more than the 3 in the cache, got {length}"
    with pytest.raises(ValueError, match=message):
        next_token(TGT[:, :length])
    assert_close(next_token(TGT[:, :4]), whole(model, TGT[:, :4], SRC), **EXACT)
