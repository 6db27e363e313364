"""A mixture of experts: many feed-forward layers; each token uses a few of them."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lite.checks import check_size, check_tokens
from transformer_lite.layers.linear import Linear


class MixtureOfExperts(nn.Module):
    """Send every token to the k experts that a router prefers, and mix their outputs.

    y = Σ_e g_e · expert_e(x), with g = softmax(the k largest of W x) and 0 for all other experts

    A token costs k experts, however many there are, but all weights must be stored.

    Args:
        d_model: the width D of a token.
        experts: the experts, modules that map tokens of width D to tokens of width D.
        num_chosen: k, the number of experts per token, at most that of all experts.

    Raises:
        TypeError: a size is not an int, or an expert is not a module.
        ValueError: a size is below 1, or there are fewer experts than `num_chosen`.

    Reference: Shazeer et al. 2017, section 2.1; Jiang et al. 2024, section 2.1, whose form this
    is. Differs from the former: no noise is added to the scores. Nothing here keeps the experts
    equally busy: a loss that does is added in training.

    >>> experts = [nn.Linear(4, 4) for _ in range(3)]
    >>> MixtureOfExperts(4, experts, num_chosen=2)(torch.zeros(2, 5, 4)).shape
    torch.Size([2, 5, 4])
    """

    def __init__(self, d_model: int, experts: Iterable[nn.Module], num_chosen: int) -> None:
        super().__init__()
        check_size("d_model", d_model)
        check_size("num_chosen", num_chosen)
        found = list(experts)
        for index, expert in enumerate(found):
            if not isinstance(expert, nn.Module):
                raise TypeError(f"experts[{index}] must be a torch.nn.Module, got {expert!r:.60}")
        if len(found) < num_chosen:
            raise ValueError(
                "num_chosen must be at most the number of experts, "
                f"got num_chosen={num_chosen}, {len(found)} experts"
            )
        self.num_chosen = num_chosen
        self.experts = nn.ModuleList(found)
        self.router = Linear(d_model, len(found), bias=False)

    def gates(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B E"]:
        """Return the weights of the E experts for each token: k are positive, and they sum to 1.

        Args:
            x: tokens, shape (..., D).

        Raises:
            TypeError: `x` is not a float tensor, or differs from the weights in dtype or device.
            ValueError: the last axis of `x` is not `d_model` wide.
        """
        check_tokens(x, weights=self.router.weight)
        scores, chosen = self.router(x).topk(self.num_chosen, dim=-1)
        shares = scores.softmax(dim=-1)
        return shares.new_zeros(*x.shape[:-1], len(self.experts)).scatter(-1, chosen, shares)

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
        """Return the mixture for every token of `x`, shape (..., D).

        Raises:
            TypeError, ValueError: as in :meth:`gates`.
        """
        gates = self.gates(x)
        y = torch.zeros_like(x)
        for index, expert in enumerate(self.experts):
            gate = gates[..., index]
            at = gate > 0  # this expert computes only the tokens that chose it
            y[at] += gate[at][:, None] * expert(x[at])
        return y
