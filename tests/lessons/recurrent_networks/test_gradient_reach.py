"""The cell that the sweep of gradients adds to the package's."""

import torch

from lessons.recurrent_networks.experiments.gradient_reach import WithoutForgetting
from transformer_lite.models.recurrent import LongShortTermCell


def test_an_lstm_without_a_forget_gate_equals_one_whose_gate_stays_open():
    torch.manual_seed(0)
    ours, theirs = WithoutForgetting(3, 5), LongShortTermCell(3, 5)
    theirs.load_state_dict(ours.state_dict())
    words, state = torch.randn(2, 3), torch.randn(2, 10)
    assert not torch.allclose(ours(words, state), theirs(words, state))
    with torch.no_grad():
        theirs.bias_ih[5:10] += 1e3
    torch.testing.assert_close(ours(words, state), theirs(words, state))
