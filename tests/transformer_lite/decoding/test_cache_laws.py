"""A cache after reordering and after errors: it can be used on, or what does not fit is refused."""

from contextlib import nullcontext

import pytest
import torch
from plain_searches import decoding_of_targets, each_decoder
from tiny_models import SRC, TGT, B, D, S, make
from torch import nn
from torch.testing import assert_close

from transformer_lite import Transformer, padding_mask
from transformer_lite.decoding import NextToken
from transformer_lite.fast.exact import fast_step, fast_steps_disabled
from transformer_lite.layers import DecoderCache, KVCache
from transformer_lite.models import DecoderOnlyTransformer

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
def test_reordered_rows_go_on_with_their_own_source_and_prompt(kind, rows):
    model = make(kind)
    next_token = begun(model)
    next_token.reorder(torch.tensor(rows))
    logits = next_token(TGT[rows, :4])
    assert_close(logits, whole(model, TGT[rows, :4], SRC[rows]), **EXACT)
    assert len(next_token.prompt) == len(rows)


@torch.no_grad()
def test_beams_change_places_and_keep_their_source():
    model = make(Transformer)
    next_token = begun(model)
    next_token.reorder(torch.tensor([0, 0, 1, 1]))
    next_token.reorder_targets(torch.tensor([1, 0, 3, 3]))
    rows = [0, 0, 1, 1]
    assert_close(next_token(TGT[rows, :4]), whole(model, TGT[rows, :4], SRC[rows]), **EXACT)


@each_decoder
@pytest.mark.parametrize("rows", [[1, 0], [1]], ids=str)
@torch.no_grad()
def test_rows_can_be_reordered_before_the_first_call(kind, rows):
    model = make(kind)
    next_token = decoding_of_targets(model)
    next_token.reorder(torch.tensor(rows))
    assert_close(next_token(TGT[rows, :2]), whole(model, TGT[rows, :2], SRC[rows]), **EXACT)


def test_an_empty_cache_has_nothing_to_reorder():
    cache = DecoderCache(2)
    cache.reorder(torch.tensor([1, 0]))
    cache.reorder_targets(torch.tensor([0]))
    assert cache.length == 0


def test_a_cache_with_gradients_can_be_reordered():
    cache, key = KVCache(), torch.randn(2, 3, 4, 5, requires_grad=True)
    cache.append(key, key)
    cache.reorder(torch.tensor([1, 1, 0]))
    cache.tensors()[0].sum().backward()
    assert key.grad[:, 0, 0, 0].tolist() == [1.0, 2.0]


@each_decoder
@pytest.mark.parametrize("rows", [[0, 2], [-1, 0]], ids=str)
def test_a_row_that_is_not_there_is_refused_and_nothing_moves(kind, rows):
    model = make(kind)
    next_token = begun(model)
    for owner in (next_token, next_token.cache):
        with pytest.raises(ValueError, match="rows must lie between 0 and 1, got"):
            owner.reorder(torch.tensor(rows))
    with torch.no_grad():
        assert_close(next_token(TGT[:, :4]), whole(model, TGT[:, :4], SRC), **EXACT)


def test_targets_are_reordered_among_as_many_rows_only():
    with pytest.raises(ValueError, match="rows must be as many as in the cache, 2, got 1"):
        begun(make(Transformer)).cache.reorder_targets(torch.tensor([1]))


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
def test_a_step_that_fails_leaves_the_cache_as_it_was(kind, place, length, fast):
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


@torch.no_grad()
def test_a_wrong_memory_is_refused_before_the_cache_grows():
    model = make(Transformer)
    cache, memory = model.new_cache(), model.encode(SRC)
    wrong = [memory[:1], memory[..., :-1], memory[0], memory.float()]
    for length in (2, 1):  # at the beginning, and in the middle
        new = TGT[:, cache.length : cache.length + length]
        for bad in wrong:
            with pytest.raises((ValueError, TypeError), match=r"memory|same batch"):
                model.decode(new, bad, padding_mask(SRC), cache)
        logits = model.decode(new, memory, padding_mask(SRC), cache)[:, -1]
        expected = model(SRC, TGT[:, : cache.length])[:, -1]
        assert_close(logits, expected, **EXACT)


@torch.no_grad()
def test_another_memory_than_the_cache_holds_is_refused():
    model = make(Transformer)
    cache, memory = model.new_cache(), model.encode(SRC)
    model.decode(TGT[:, :2], memory, None, cache)
    with pytest.raises(ValueError, match=rf"of shape \({B}, {S}, {D}\), got \({B}, 4, {D}\)"):
        model.decode(TGT[:, 2:3], memory[:, :4], None, cache)


@each_decoder
@torch.no_grad()
def test_another_batch_than_the_cache_holds_is_refused(kind):
    model = make(kind)
    next_token = begun(model)
    with pytest.raises(ValueError, match="the batch must be that of the cache, 2 rows, got 1"):
        fast_step(model, next_token.cache, *next_token.sources)(TGT[:1, 3:4])
    assert_close(next_token(TGT[:, :4]), whole(model, TGT[:, :4], SRC), **EXACT)


@torch.no_grad()
def test_a_token_outside_the_vocabulary_leaves_the_cache_as_it_was():
    model = make(Transformer)
    next_token = begun(model, 2)
    bad = TGT[:, :3].clone()
    bad[0, 2] = 99
    for _ in range(2):
        with pytest.raises((ValueError, IndexError)):
            next_token(bad)
        assert next_token.cache.length == 2
    assert_close(next_token(TGT[:, :3]), whole(model, TGT[:, :3], SRC), **EXACT)


@torch.no_grad()
def test_a_reordering_that_fails_moves_nothing(monkeypatch):
    model = make(Transformer)
    select = KVCache._select
    for fails_at in range(8):  # two layers, keys and values, of target and memory
        next_token, count = begun(model), iter(range(100))

        def failing(self, buffer, rows, count=count, fails_at=fails_at):
            if next(count) == fails_at:
                raise KeyboardInterrupt
            return select(self, buffer, rows)

        with monkeypatch.context() as patch:
            patch.setattr(KVCache, "_select", failing)
            with pytest.raises(KeyboardInterrupt):
                next_token.reorder(torch.tensor([1, 0]))
        assert_close(next_token(TGT[:, :4]), whole(model, TGT[:, :4], SRC), **EXACT)


@each_decoder
@pytest.mark.parametrize("length", [2, 3])
@torch.no_grad()
def test_tokens_that_the_cache_holds_already_are_refused_by_name(kind, length):
    model = make(kind)
    next_token = begun(model)
    message = f"tokens must be more than the 3 in the cache, got {length}"
    with pytest.raises(ValueError, match=message):
        next_token(TGT[:, :length])
    assert_close(next_token(TGT[:, :4]), whole(model, TGT[:, :4], SRC), **EXACT)


def test_a_model_without_a_cache_to_offer_says_so():
    model = make(DecoderOnlyTransformer)
    model.decoder = nn.Identity()
    with pytest.raises(ValueError, match=r"decoder must offer new_cache\(\)"):
        model.new_cache()
