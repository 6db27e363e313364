"""Greedy search: with a cache and without, in a batch and alone, up to the end."""

import pytest
import torch
from reference_search import (
    BOS,
    DECODERS,
    EOS,
    PAD,
    PROMPTS,
    alone,
    chain,
    each_decoder,
    padded,
    pairs_of_greedy,
    plain_greedy,
)
from tiny_models import SRC, TGT_VOCAB, make
from torch.testing import assert_close

from transformer_lite import Transformer, beam_search, greedy, sample
from transformer_lite.decoding import NextToken
from transformer_lite.layers import KVCache
from transformer_lite.models import DecoderOnlyTransformer

cached_or_not = pytest.mark.parametrize("use_cache", [True, False], ids=["cache", "no cache"])
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-10}


@pairs_of_greedy
@torch.no_grad()
def test_cached_logits_equal_uncached_ones(kind, positions, dtype):
    model, (ids, bos_id) = make(kind, dtype, positions=positions), DECODERS[kind]
    with_cache, without = (NextToken(model, ids, bos_id, use_cache) for use_cache in (True, False))
    tokens, beams = with_cache.prompt[:, :1], torch.arange(2 * len(ids)).view(-1, 2)
    # As in a beam search: first every row goes on twice, then the two change places, or both
    # go on with the second.
    moves = {2: beams // 2, 4: beams.flip(1), 6: beams[:, [1, 1]]}
    for step in range(9):
        ours, expected = with_cache(tokens), without(tokens)
        assert (ours[:, PAD] == -torch.inf).all()
        assert_close(ours, expected, atol=TOLERANCE[dtype], rtol=0)
        assert not torch.isclose(ours[0, 1:], ours[-1, 1:]).any()
        if step in moves:
            rows = moves[step].flatten()
            tokens = tokens[rows]
            for next_token in (with_cache, without):
                next_token.reorder(rows)
        more = torch.randint(1, TGT_VOCAB, (len(tokens), 1 + step % 2))  # one token or two
        tokens = torch.cat([tokens, more], dim=1)


@pairs_of_greedy
def test_each_row_equals_a_plain_search(kind, positions):
    model, (ids, bos_id) = make(kind, positions=positions), DECODERS[kind]
    never = TGT_VOCAB  # no token: the plain search goes on to the end
    endless = [plain_greedy(model, *row, never, max_len=11) for row in alone(model, ids)]
    starts = [len(begin) for _, begin in alone(model, ids)]
    for eos_id in endless[0][5], endless[1][3], endless[-1][-1]:
        expected = []
        for row, start in zip(endless, starts, strict=True):
            end = row.index(eos_id, start) + 1 if eos_id in row[start:] else len(row)
            expected.append(row[:end])
        longest = max(map(len, expected))
        for use_cache in (True, False):
            found = greedy(
                model, ids, eos_id=eos_id, bos_id=bos_id, max_len=11, use_cache=use_cache
            )
            assert found.tolist() == [padded(row, longest) for row in expected]
    assert len({tuple(row) for row in endless}) == len(ids)


@cached_or_not
def test_a_row_ends_at_eos_and_pads_follow(use_cache):
    # 3 → 4 → 5 → eos, and 6 → 6 for ever.
    model = chain({3: 4, 4: 5, 5: EOS, 6: 6})
    ids = torch.tensor([[3], [5], [6], [4]])
    found = greedy(model, ids, eos_id=EOS, max_len=6, use_cache=use_cache)
    assert found.tolist() == [
        [3, 4, 5, EOS, 0, 0],
        [5, EOS, 0, 0, 0, 0],
        [6, 6, 6, 6, 6, 6],
        [4, 5, EOS, 0, 0, 0],
    ]
    ended = greedy(model, ids[:2], eos_id=EOS, max_len=6, use_cache=use_cache)
    assert ended.tolist() == [[3, 4, 5, EOS], [5, EOS, 0, 0]]  # no longer than needed


@cached_or_not
def test_eos_inside_a_prompt_does_not_end_a_row(use_cache):
    model = chain({3: 4, 4: 5, 5: EOS, 2: 3})
    ids = torch.tensor([[EOS, 0, 0, 0], [3, EOS, 0, 0], [EOS, EOS, 6, 3], [6, 4, EOS, 0]])
    found = greedy(model, ids, eos_id=EOS, max_len=8, use_cache=use_cache)
    assert found.tolist() == [
        [EOS, 3, 4, 5, EOS, 0, 0],
        [3, EOS, 3, 4, 5, EOS, 0],
        [EOS, EOS, 6, 3, 4, 5, EOS],
        [6, 4, EOS, 3, 4, 5, EOS],
    ]


def test_the_pad_is_never_chosen():
    model = chain({3: PAD, 4: PAD})
    model.table[3, 5] = model.table[4, 6] = 40.0  # the second most probable
    assert greedy(model, torch.tensor([[3], [4]]), eos_id=EOS, max_len=2)[:, 1].tolist() == [5, 6]
    drawn = sample(model, torch.tensor([[3]] * 500), eos_id=EOS, max_len=4, temperature=50.0)
    ended = (drawn == EOS).cumsum(dim=1) > 0
    assert ((drawn == PAD) == (ended & (drawn != EOS))).all()
    assert ended.any() and not ended.all()


@pytest.mark.parametrize("search", [greedy, sample])
def test_no_row_is_longer_than_max_len(search):
    model = chain({6: 6})
    for max_len in (1, 2, 5, 64):
        found = search(model, torch.tensor([[6]]), eos_id=EOS, max_len=max_len)
        assert found.tolist() == [[6] * max_len]
    assert search(model, torch.tensor([[6]]), eos_id=EOS).shape == (1, 64)


@pytest.mark.parametrize("search", [greedy, sample, beam_search])
def test_no_prompt_is_cut(search):
    model, ids = chain({6: 6}), torch.tensor([[6, 0, 0, 0], [3, 4, 5, 7]])
    with pytest.raises(ValueError, match=r"longest prompt, 4 tokens, got 3; raise max_len"):
        search(model, ids, eos_id=EOS, max_len=3)
    found = search(model, ids, eos_id=EOS, max_len=4)
    assert getattr(found, "best", found).tolist() == [[6, 6, 6, 6], [3, 4, 5, 7]]


@pytest.mark.parametrize("search", [greedy, sample])
@each_decoder
def test_output_can_be_trained_on_and_the_model_is_unchanged(search, kind):
    model, (ids, bos_id) = make(kind), DECODERS[kind]
    weights = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    before, random = ids.clone(), torch.get_rng_state()
    found = search(model, ids, eos_id=EOS, bos_id=bos_id, max_len=6)
    assert found.dtype == ids.dtype
    assert torch.equal(ids, before)
    assert torch.equal(torch.get_rng_state(), random) == (search is greedy)
    logits = model(ids, found) if kind is Transformer else model(found)
    logits.sum().backward()  # an inference tensor would refuse
    for name, tensor in model.state_dict().items():
        assert torch.equal(tensor, weights[name])


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float16])
def test_half_precision_decodes(kind):
    for decoder, (ids, bos_id) in DECODERS.items():
        model = make(decoder, kind)
        for search in (greedy, sample):
            found = search(model, ids, eos_id=EOS, bos_id=bos_id, max_len=6)
            assert found.shape == (len(ids), 6) or (found == EOS).any()


def test_the_cache_leaves_only_the_new_tokens_to_compute(monkeypatch):
    model, lengths = make(DecoderOnlyTransformer), []
    append = KVCache.append

    def note(self, key, value):
        lengths.append(key.shape[2])
        return append(self, key, value)

    monkeypatch.setattr(KVCache, "append", note)
    greedy(model, PROMPTS[:1], eos_id=EOS, max_len=9)
    layers = model.config.num_decoder_layers
    assert lengths == [4] * layers + [1] * 4 * layers


def test_the_source_is_encoded_once():
    model, calls = make(Transformer), []
    model.encoder.register_forward_hook(lambda *args: calls.append(1))
    greedy(model, SRC, eos_id=EOS, bos_id=BOS, max_len=9, use_cache=False)
    assert len(calls) == 1
