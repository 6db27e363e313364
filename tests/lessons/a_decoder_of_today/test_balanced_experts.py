"""The balanced router: who is chosen, what a gate is, and where the biases go."""

import pytest
import torch
from torch import nn

from lessons.a_decoder_of_today.balanced_experts import BalancedExperts


def layer(rate: float = 0.25, chosen: int = 1) -> BalancedExperts:
    made = BalancedExperts(3, [nn.Identity() for _ in range(3)], chosen, rate)
    made.router.weight.data = torch.eye(3)
    return made


def test_the_bias_decides_who_is_chosen_and_not_the_gate():
    made = layer()
    made.biases += torch.tensor([0.0, 1.0, 0.0])
    gates = made.eval().gates(torch.tensor([[2.0, 1.0, 0.0]]))
    torch.testing.assert_close(gates, torch.tensor([[0.0, 1.0, 0.0]]).sigmoid() * torch.eye(3)[1])


def test_the_biases_move_towards_a_fair_share():
    made = layer()
    made.gates(torch.tensor([[9.0, 0.0, 0.0]] * 3))
    torch.testing.assert_close(made.load, torch.tensor([3.0, 0.0, 0.0]))
    torch.testing.assert_close(made.biases, torch.tensor([-0.25, 0.25, 0.25]))


def test_evaluation_and_rate_zero_leave_the_biases_alone():
    x = torch.tensor([[9.0, 0.0, 0.0]])
    for made in (layer().eval(), layer(rate=0.0)):
        made(x)
        assert not made.biases.any()


def test_a_negative_rate_is_refused():
    with pytest.raises(ValueError, match="rate must satisfy 0 <= rate < inf, got -1"):
        layer(rate=-1.0)
