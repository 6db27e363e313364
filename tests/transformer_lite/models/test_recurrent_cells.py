"""Cells and layers over time are PyTorch's own, and stop at pads."""

import pytest
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from torch.testing import assert_close

from transformer_lite.models.recurrent import (
    GatedRecurrentCell,
    LongShortTermCell,
    RecurrentCell,
    RecurrentLayer,
)

B, T, D, H = 3, 7, 4, 5
LENGTHS = [7, 2, 5]
REAL = torch.arange(T) < torch.tensor(LENGTHS)[:, None]
KINDS = {
    RecurrentCell: (nn.RNNCell, nn.RNN),
    GatedRecurrentCell: (nn.GRUCell, nn.GRU),
    LongShortTermCell: (nn.LSTMCell, nn.LSTM),
}
each_kind = pytest.mark.parametrize("kind", KINDS)
SAME = {"atol": 1e-6, "rtol": 0.0}


def state_of(theirs) -> torch.Tensor:
    """PyTorch's state as one tensor: its LSTM returns two."""
    return torch.cat(theirs, dim=-1) if isinstance(theirs, tuple) else theirs


def layer_with_weights_of(theirs, kind, backwards=False) -> RecurrentLayer:
    """Our layer with the weights of one direction of PyTorch's."""
    ours, suffix = kind(D, H), "_l0_reverse" if backwards else "_l0"
    named = theirs.named_parameters()
    weights = {k.removesuffix(suffix): v for k, v in named if k.endswith(suffix)}
    ours.load_state_dict(weights)
    return RecurrentLayer(ours, backwards)


@each_kind
def test_a_cell_equals_pytorchs_with_its_weights(kind):
    theirs, ours = KINDS[kind][0](D, H), kind(D, H)
    ours.load_state_dict(theirs.state_dict())
    x, state = torch.randn(B, D), torch.randn(B, ours.state_size)
    parts = state.chunk(2, dim=1) if ours.num_vectors == 2 else state
    assert_close(ours(x, state), state_of(theirs(x, parts)), **SAME)
    assert_close(ours(x), state_of(theirs(x)), **SAME)


@each_kind
@pytest.mark.parametrize("backwards", [False, True])
def test_a_layer_equals_pytorchs_on_packed_sentences(kind, backwards):
    theirs = KINDS[kind][1](D, H, batch_first=True, bidirectional=True)
    ours, x = layer_with_weights_of(theirs, kind, backwards), torch.randn(B, T, D)
    packed = pack_padded_sequence(x, LENGTHS, batch_first=True, enforce_sorted=False)
    outputs, states = theirs(packed)
    both_ways = pad_packed_sequence(outputs, batch_first=True)[0].chunk(2, dim=-1)
    last = [half[int(backwards)] for half in (states if isinstance(states, tuple) else (states,))]
    found = ours(x, REAL)
    assert_close(found.outputs, both_ways[backwards], **SAME)
    assert_close(found.state, torch.cat(last, dim=-1), **SAME)


@each_kind
def test_gradients_through_time_equal_pytorchs(kind):
    theirs = KINDS[kind][1](D, H, batch_first=True)
    ours, x = layer_with_weights_of(theirs, kind), torch.randn(B, T, D)
    asked = torch.randn(B, T, H)
    for model in (theirs, ours):
        (model(x)[0] * asked).sum().backward()
    for name, parameter in ours.cell.named_parameters():
        assert_close(parameter.grad, getattr(theirs, f"{name}_l0").grad, atol=1e-5, rtol=1e-5)


def test_the_papers_gru_differs_from_pytorchs_unless_the_gate_is_open():
    cells = [GatedRecurrentCell(D, H, reset) for reset in ("after", "before")]
    cells[1].load_state_dict(cells[0].state_dict())
    x, state = torch.randn(B, D), torch.randn(B, H)
    after, before = (cell(x, state) for cell in cells)
    assert (after - before).abs().max() > 1e-3
    # By hand, for the form of the paper.
    w, u = cells[1].weight_ih.chunk(3), cells[1].weight_hh.chunk(3)
    a, b = cells[1].bias_ih.chunk(3), cells[1].bias_hh.chunk(3)
    r, z = ((x @ w[i].T + a[i] + state @ u[i].T + b[i]).sigmoid() for i in (0, 1))
    n = (x @ w[2].T + a[2] + (r * state) @ u[2].T + b[2]).tanh()
    assert_close(before, z * state + (1 - z) * n, **SAME)
    with torch.no_grad():  # with r = 1 nothing is hidden, whatever the gate is
        for cell in cells:
            cell.bias_ih[:H] = 100.0
    assert_close(cells[0](x, state), cells[1](x, state), **SAME)


@each_kind
@pytest.mark.parametrize("backwards", [False, True])
def test_padding_is_ignored_and_the_last_state_is_that_of_the_last_word(kind, backwards):
    layer, x = RecurrentLayer(kind(D, H), backwards), torch.randn(B, T, D)
    found = layer(x, REAL)
    changed = torch.where(REAL[..., None], x, torch.full_like(x, 9.0))
    again = layer(changed, REAL)
    assert torch.equal(found.outputs, again.outputs) and torch.equal(found.state, again.state)
    assert not found.outputs[~REAL].any()
    for row, length in enumerate(LENGTHS):
        alone = layer(x[row : row + 1, :length])
        assert_close(found.state[row], alone.state[0], **SAME)
        assert_close(found.outputs[row, :length], alone.outputs[0], **SAME)


@each_kind
def test_a_sentence_read_in_two_pieces_gives_the_same_outputs(kind):
    layer, x = RecurrentLayer(kind(D, H)), torch.randn(B, T, D)
    whole, first = layer(x), layer(x[:, :3])
    second = layer(x[:, 3:], state=first.state)
    assert_close(torch.cat([first.outputs, second.outputs], dim=1), whole.outputs, **SAME)
    assert_close(second.state, whole.state, **SAME)
