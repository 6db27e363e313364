"""Additive attention, the bottleneck, and the translator made of them."""

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from transformer_lite import greedy
from transformer_lite.decoding import beam_search
from transformer_lite.models.recurrent import (
    AdditiveAttention,
    FixedContext,
    GatedRecurrentCell,
    LongShortTermCell,
    RecurrentCell,
    RecurrentEncoder,
    build_recurrent,
)
from transformer_lite.text import Batches, WordTokenizer
from transformer_lite.training import Trainer, translate

B, T, S, D, H, A, V = 2, 5, 7, 4, 3, 6, 13
SRC = torch.tensor([[3, 4, 5, 6, 7, 8, 2], [9, 3, 2, 0, 0, 0, 0]])
TGT = torch.tensor([[1, 4, 5, 6, 12], [1, 7, 8, 0, 0]])
REAL = SRC != 0
LOOKS = {
    "attention": lambda h, m: AdditiveAttention(h, m, A),
    "bottleneck": lambda h, m: FixedContext(h),
}
CELLS = [RecurrentCell, GatedRecurrentCell, LongShortTermCell]
each_look = pytest.mark.parametrize("look", LOOKS)
each_cell = pytest.mark.parametrize("cell", CELLS)
CLOSE = {"atol": 1e-10, "rtol": 1e-10}


def model(look="attention", cell=GatedRecurrentCell):
    return build_recurrent(V, D, H, LOOKS[look], cell).double().eval()


def test_additive_attention_is_the_papers_formula():
    attention = AdditiveAttention(4, 6, 5).double()
    query, memory = torch.randn(B, 4).double(), torch.randn(B, S, 6).double()
    found = attention.steps(query, memory, REAL)
    layers = (attention.query_proj, attention.key_proj, attention.energy)
    w, u, v = (layer.weight.detach() for layer in layers)
    for b in range(B):
        energies = [float(v[0] @ (w @ query[b] + u @ h).tanh()) for h in memory[b, REAL[b]]]
        expected = torch.tensor(energies, dtype=torch.float64)
        weights = expected.softmax(0)
        assert_close(found.energies[b, REAL[b]], expected, **CLOSE)
        assert_close(found.weights[b, REAL[b]], weights, **CLOSE)
        assert_close(found.context[b], weights @ memory[b, REAL[b]], **CLOSE)
    assert not found.weights[~REAL].any()
    assert torch.equal(found.energies[~REAL], torch.full((4,), -torch.inf).double())
    assert_close(attention.reading(memory, REAL)(query), found.context, **CLOSE)
    assert_close(attention(query, memory, REAL), found.context, **CLOSE)


def test_every_annotation_depends_on_the_whole_sentence():
    encoder = model().encoder
    x = torch.randn(1, S, D).double()
    before = encoder(x)
    for word in range(S):
        changed = x.clone()
        changed[:, word] += 1
        moved = (encoder(changed) - before).abs().amax(dim=-1)[0]
        assert (moved > 0).all()
    only_forwards = RecurrentEncoder(encoder.forwards)
    assert torch.equal(only_forwards(x), before[..., :H])


def test_fixed_context_is_the_last_state_of_both_directions():
    memory = torch.randn(B, S, 2 * H)
    summary = FixedContext(H)(torch.zeros(B, 1), memory, REAL)
    assert torch.equal(summary[0], torch.cat([memory[0, 6, :H], memory[0, 0, H:]]))
    assert torch.equal(summary[1], torch.cat([memory[1, 2, :H], memory[1, 0, H:]]))
    whole = FixedContext(2 * H)(torch.zeros(B, 1), memory)
    assert torch.equal(whole, memory[:, -1])


@each_look
@each_cell
def test_padding_does_not_change_the_output(look, cell):
    translator = model(look, cell)
    more = torch.cat([SRC, torch.zeros(B, 3, dtype=torch.int64)], dim=1)
    with torch.no_grad():
        before = translator(SRC, TGT)
        assert_close(translator(more, TGT), before, **CLOSE)
        alone = translator(SRC[1:, :3], TGT[1:, :3])
    assert_close(before[1, :3], alone[0], **CLOSE)


@each_look
@each_cell
def test_the_future_cannot_change_the_past_and_every_weight_learns(look, cell):
    translator = model(look, cell)
    changed = TGT.clone()
    changed[:, 3:] = 10
    before = translator(SRC, TGT)
    assert torch.equal(translator(SRC, changed)[:, :3], before[:, :3])
    (before * torch.randn_like(before)).sum().backward()
    for name, parameter in translator.named_parameters():
        assert parameter.grad is not None and parameter.grad.any(), name


@each_look
@each_cell
def test_decoding_with_a_cache_equals_decoding_without(look, cell):
    translator = model(look, cell)
    ends = {"bos_id": 1, "eos_id": 2, "max_len": 9}
    cached, anew = (greedy(translator, SRC, use_cache=use, **ends) for use in (True, False))
    assert torch.equal(cached, anew)
    with torch.no_grad():
        memory, real = translator.encode(SRC), translator.padding_mask(SRC)
        whole, cache = translator.decode(TGT, memory, real), translator.new_cache()
        steps = [translator.decode(TGT[:, t : t + 1], memory, real, cache) for t in range(T)]
    assert_close(torch.cat(steps, dim=1), whole, **CLOSE)
    assert cache.length == T


def test_beams_carry_their_states_with_them():
    translator = model()
    ends = {"bos_id": 1, "eos_id": 2, "max_len": 9, "num_beams": 4}
    cached, anew = (beam_search(translator, SRC, use_cache=use, **ends) for use in (True, False))
    assert torch.equal(cached.best, anew.best)


def test_failed_step_does_not_change_the_cache():
    translator = model()
    with torch.no_grad():
        memory, cache = translator.encode(SRC), translator.new_cache()
        translator.decode(TGT[:, :1], memory, cache=cache)
        before = cache.state.clone()
        translator.output, output = nn.Linear(D + 1, V).double(), translator.output
        with pytest.raises(RuntimeError):
            translator.decode(TGT[:, 1:2], memory, cache=cache)
        assert cache.length == 1 and torch.equal(cache.state, before)
        translator.output = output
        assert translator.decode(TGT[:, 1:2], memory, cache=cache).shape == (B, 1, V)


def test_alignment_has_a_row_of_weights_per_target_word():
    translator = model()
    weights = translator.alignment(SRC, TGT)
    assert weights.shape == (B, T, S)
    assert_close(weights.sum(dim=-1), torch.ones(B, T).double(), **CLOSE)
    assert not weights[1, :, 3:].any()
    # Row t asks with the state *before* word t + 1: token t itself cannot change it.
    changed = TGT.clone()
    changed[:, 2] = 10
    moved = (translator.alignment(SRC, changed) - weights).abs().amax(dim=-1)
    assert not moved[:, :3].any() and (moved[:, 3:] > 0).all()


@pytest.mark.parametrize("look", LOOKS)
def test_a_few_pairs_are_learned_by_heart(look):
    torch.manual_seed(3)
    pairs = [("un chat noir", "a black cat"), ("le chat", "the cat"), ("un chien", "a dog")]
    tokenizer = WordTokenizer.train([text for pair in pairs for text in pair])
    translator = build_recurrent(len(tokenizer), 16, 12, LOOKS[look])
    trainer = Trainer(translator, Batches(pairs, tokenizer, 64), lambda step: 1e-2)
    trainer.run(80)
    assert translate(translator, tokenizer, [s for s, _ in pairs]) == [t for _, t in pairs]
