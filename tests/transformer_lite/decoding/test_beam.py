"""Beam search: against greedy search, against a plain one, and against all targets there are."""

import itertools

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_search import (
    DECODERS,
    EOS,
    MAX_LEN,
    PAD,
    Chain,
    alone,
    chain,
    common_token,
    every_target,
    padded,
    pairs_of_beams,
    plain_beam,
    search,
)
from sampling import each_value
from tiny_models import make
from torch.testing import assert_close

from transformer_lite import beam_search, greedy
from transformer_lite.decoding import beam


@pytest.fixture
def never_early(monkeypatch):
    monkeypatch.setattr(beam._Search, "is_over", lambda self: False)


@pairs_of_beams
def test_one_beam_is_greedy(kind, positions):
    model = make(kind, positions=positions)
    ids, bos_id = DECODERS[kind]
    options = {"eos_id": common_token(model), "bos_id": bos_id, "max_len": MAX_LEN}
    expected = greedy(model, ids, **options)
    for use_cache in (True, False):
        found = beam_search(model, ids, num_beams=1, use_cache=use_cache, **options)
        assert found.tokens.shape == (len(ids), 1, expected.shape[1])
        assert torch.equal(found.best, expected)


@pairs_of_beams
def test_cached_equals_uncached(kind, positions, dtype):
    model = make(kind, dtype, positions=positions)
    eos_id = common_token(model)
    ours, theirs = (search(model, eos_id=eos_id, use_cache=cache) for cache in (True, False))
    assert torch.equal(ours.tokens, theirs.tokens)
    assert_close(ours.log_probs, theirs.log_probs, atol=1e-5, rtol=0)
    assert_close(ours.scores, theirs.scores, atol=1e-5, rtol=0)


@pytest.mark.parametrize(
    ("kind", "num_beams", "alpha"), each_value(DECODERS, [1, 2, 3, 5], [0.0, 0.6, 2])
)
@pytest.mark.usefixtures("never_early")
def test_each_row_equals_a_plain_search(kind, num_beams, alpha):
    model = make(kind)
    eos_id = common_token(model)
    found = search(model, eos_id=eos_id, num_beams=num_beams, alpha=alpha)
    ends = set()
    for i, row in enumerate(alone(model, DECODERS[kind][0])):
        expected = plain_beam(model, *row, eos_id, MAX_LEN, num_beams, alpha)
        assert found.tokens[i].tolist() == [padded(tokens, MAX_LEN) for _, _, tokens in expected]
        scores, log_probs = zip(*(beam[:2] for beam in expected), strict=True)
        assert_close(found.scores[i], torch.tensor(scores, dtype=torch.float64))
        assert_close(found.log_probs[i], torch.tensor(log_probs, dtype=torch.float64))
        ends |= {len(tokens) for _, _, tokens in expected}
    assert len(ends) > 1  # some beams end early


@pairs_of_beams
def test_batched_search_equals_single_search(kind, positions):
    model = make(kind, positions=positions)
    eos_id = common_token(model)
    found = search(model, eos_id=eos_id)
    for i, (source, begin) in enumerate(alone(model, DECODERS[kind][0])):
        single = search(model, torch.tensor([begin]) if source is None else source, eos_id=eos_id)
        best = single.best[0].tolist()
        assert found.best[i].tolist() == padded(best, found.best.shape[1])
        assert_close(found.scores[i, 0], single.scores[0, 0])


@given(
    seed=st.integers(0, 9999), alpha=st.sampled_from([0.0, 0.6, 1.0, 3.0]), room=st.integers(1, 3)
)
@settings(max_examples=20)
def test_enough_beams_find_the_best_of_all_targets(seed, alpha, room):
    torch.manual_seed(seed)
    model = Chain(2 * torch.randn(5, 5, dtype=torch.float64))
    ids = torch.tensor([[3]])
    targets = every_target(model, None, [3], EOS, 1 + room, alpha)
    assert len(targets) == {1: 4, 2: 13, 3: 40}[room]
    found = search(model, ids, max_len=1 + room, num_beams=60, alpha=alpha)
    length = found.best.shape[1]
    assert found.best[0].tolist() == padded(targets[0][2], length)
    assert_close(found.scores[0, 0].item(), targets[0][0])
    assert_close(found.log_probs[0, 0].item(), targets[0][1])


@given(seed=st.integers(0, 9999), alpha=st.sampled_from([0.0, 0.6, 1.0, 4.0]))
@settings(max_examples=30)
def test_an_early_stop_never_changes_the_best(seed, alpha):
    torch.manual_seed(seed)
    model = Chain(2 * torch.randn(6, 6, dtype=torch.float64))
    ids = torch.tensor([[3, 0, 0], [4, 0, 0], [EOS, 5, 3]])
    early = search(model, ids, max_len=12, num_beams=3, alpha=alpha)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(beam._Search, "is_over", lambda self: False)
        late = search(model, ids, max_len=12, num_beams=3, alpha=alpha)
    length = early.tokens.shape[2]
    assert late.tokens.shape[2] == 12
    assert torch.equal(late.best[:, :length], early.best)
    assert (late.best[:, length:] == PAD).all()
    assert torch.equal(late.scores[:, 0], early.scores[:, 0])


def test_the_search_stops_when_no_other_beam_can_overtake():
    model = chain({3: 4, 4: EOS, 5: 6, 6: 5})
    assert search(model, torch.tensor([[3]])).tokens.shape[2] == 3
    # One row that goes on keeps all going on, and the best beam alone is not enough.
    assert search(model, torch.tensor([[3], [5]])).tokens.shape[2] == MAX_LEN
    # A great penalty forgives a long text its costs: its end is worth waiting for.
    table = torch.full((4, 4), -torch.inf, dtype=torch.float64)
    table[3, [EOS, 3]] = torch.tensor([0.45, 0.55], dtype=torch.float64).log()
    patient = search(Chain(table), torch.tensor([[3]]), alpha=4.0, num_beams=2)
    hasty = search(Chain(table), torch.tensor([[3]]), alpha=0.0, num_beams=2)
    assert patient.tokens.shape[2] == MAX_LEN
    assert hasty.tokens.tolist() == [[[3, EOS, PAD], [3, 3, 3]]]  # 0.45 is above 0.55²


def test_eos_inside_a_prompt_does_not_end_a_beam():
    model = chain({3: 4, 4: 5, 5: EOS, EOS: 3})
    ids = torch.tensor([[EOS, 0, 0, 0], [EOS, EOS, 6, 3]])
    found = search(model, ids)
    assert found.best.tolist() == [[EOS, 3, 4, 5, EOS, 0, 0], [EOS, EOS, 6, 3, 4, 5, EOS]]
    assert_close(found.log_probs[:, 0], torch.zeros(2).double(), atol=1e-12, rtol=0)


@torch.no_grad()
def test_log_probabilities_of_a_half_precision_model_are_summed_in_float32():
    table = torch.randn(9, 9, generator=torch.Generator().manual_seed(2)).to(torch.bfloat16)
    found = beam_search(Chain(table), torch.tensor([[3]]), eos_id=EOS, max_len=40, num_beams=3)
    log_p = table.double().index_fill(1, torch.tensor([PAD]), -torch.inf).log_softmax(dim=-1)
    for tokens, ours in zip(found.tokens[0].tolist(), found.log_probs[0], strict=True):
        end = tokens.index(EOS) + 1 if EOS in tokens else len(tokens)
        steps = itertools.pairwise(tokens[:end])
        expected = sum(log_p[before, after].item() for before, after in steps)
        assert ours.item() == pytest.approx(expected, abs=1e-5)
