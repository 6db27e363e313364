"""A mixture of experts whose router is corrected by how busy each expert has been."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lite.checks import check_number
from transformer_lite.layers import MixtureOfExperts


class BalancedExperts(MixtureOfExperts):
    """Choose the experts by score plus bias, and weight their outputs by the score alone.

    s_e = sigmoid(w_e · x); the k largest s_e + b_e are chosen, and expert e has the gate s_e. After
    a batch in training, b_e rises by `rate` if the expert had less than its fair share of the
    tokens, and falls by `rate` if it had more.

    Args:
        d_model, experts, num_chosen: as in :class:`MixtureOfExperts`.
        rate: the step of the biases; 0 means that they stay 0.

    Raises:
        TypeError, ValueError: as in :class:`MixtureOfExperts`, and for a negative `rate`.

    Reference: Wang et al. 2024; DeepSeek-AI 2024 (DeepSeek-V3), section 2.1.2. Differs from the
    latter: the gates of the chosen experts are not made to sum to 1.

    >>> experts = [nn.Linear(4, 4) for _ in range(3)]
    >>> BalancedExperts(4, experts, num_chosen=1, rate=0.1)(torch.zeros(2, 5, 4)).shape
    torch.Size([2, 5, 4])
    """

    def __init__(
        self, d_model: int, experts: Iterable[nn.Module], num_chosen: int, rate: float
    ) -> None:
        super().__init__(d_model, experts, num_chosen)
        check_number("rate", rate)
        self.rate = rate
        self.biases: Tensor
        self.register_buffer("biases", torch.zeros(len(self.experts)))
        self.load = torch.zeros(len(self.experts))  # of the latest batch; 1 is a fair share

    def gates(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B E"]:
        """Return the weights of all experts; those that are not chosen have 0."""
        scores = self.router(x).sigmoid()
        chosen = (scores + self.biases).topk(self.num_chosen, dim=-1).indices
        gates = torch.zeros_like(scores).scatter(-1, chosen, scores.gather(-1, chosen))
        busy = (gates > 0).flatten(0, -2).float().mean(dim=0)
        self.load = busy * len(self.experts) / self.num_chosen
        if self.training:
            self.biases += self.rate * (1 - self.load).sign()
        return gates
