"""Bahdanau's attention: for every target word, a fresh look at all source words."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from transformer_lite.checks import check_same, check_shape, check_size
from transformer_lite.layers import masked_softmax
from transformer_lite.models.recurrent.layer import check_token_mask


class AdditiveSteps(NamedTuple):
    """Everything that additive attention computes for one target word.

    Attributes:
        energies: how well each source word fits, e, shape (B, S); −∞ at the pads.
        weights: their softmax α, shape (B, S).
        context: the weighted sum of the annotations, c, shape (B, M).
    """

    energies: Float[Tensor, "B S"]
    weights: Float[Tensor, "B S"]
    context: Float[Tensor, "B M"]


class AdditiveAttention(nn.Module):
    r"""Weight the annotations of a source with a small network, and add them up.

    .. math:: e_{ij} = v^\top \tanh(W s_{i-1} + U h_j), \qquad
        \alpha_{ij} = \frac{e^{e_{ij}}}{\sum_k e^{e_{ik}}}, \qquad
        c_i = \sum_j \alpha_{ij} h_j

    s is the decoder's state before target word i, and h_j the annotation of source word j.

    Args:
        query_size: the width of s.
        memory_size: the width M of an annotation.
        attention_size: the width of the hidden layer, between the tanh and v.

    Attributes:
        query_proj, key_proj, energy: the layers with the weights W, U and v; none has a bias.

    Raises:
        TypeError: a size is not an int.
        ValueError: a size is smaller than 1.

    Reference: Bahdanau et al. 2014, equations 5 and 6 and appendix A.1.2.

    >>> AdditiveAttention(4, 6, 5)(torch.zeros(2, 4), torch.zeros(2, 3, 6)).shape
    torch.Size([2, 6])
    """

    def __init__(self, query_size: int, memory_size: int, attention_size: int) -> None:
        super().__init__()
        check_size("query_size", query_size)
        check_size("memory_size", memory_size)
        check_size("attention_size", attention_size)
        self.query_size, self.memory_size = query_size, memory_size
        self.query_proj = nn.Linear(query_size, attention_size, bias=False)
        self.key_proj = nn.Linear(memory_size, attention_size, bias=False)
        self.energy = nn.Linear(attention_size, 1, bias=False)

    def forward(
        self,
        query: Float[Tensor, "B Q"],
        memory: Float[Tensor, "B S M"],
        mask: Bool[Tensor, "B S"] | None = None,
    ) -> Float[Tensor, "B M"]:
        """Return the context of one target word per row; arguments as in :meth:`steps`."""
        return self.steps(query, memory, mask).context

    def steps(
        self,
        query: Float[Tensor, "B Q"],
        memory: Float[Tensor, "B S M"],
        mask: Bool[Tensor, "B S"] | None = None,
    ) -> AdditiveSteps:
        """Return the energies, the weights and the context of one target word per row.

        Args:
            query: the state s of the decoder, shape (B, Q).
            memory: the annotations h, shape (B, S, M).
            mask: which source words are not padding, shape (B, S); None means all.

        Raises:
            TypeError: an argument is of another type, dtype or device.
            ValueError: an argument has another shape, or the batches differ.
        """
        check_shape("memory", memory, "B", "S", self.memory_size)
        check_shape("query", query, len(memory), self.query_size)
        check_same(
            "query, memory and weights",
            query=query, memory=memory, weights=self.energy.weight,
        )  # fmt: skip
        check_token_mask(mask, memory)
        return self._steps(query, memory, self.key_proj(memory), mask)

    def reading(
        self, memory: Float[Tensor, "B S M"], mask: Bool[Tensor, "B S"] | None = None
    ) -> Callable[[Tensor], Tensor]:
        """Return a function from a state to its context, for many target words of one source.

        U h does not depend on the state: so it is computed once for all target words.
        """
        keys = self.key_proj(memory)
        return lambda query: self._steps(query, memory, keys, mask).context

    def _steps(
        self, query: Tensor, memory: Tensor, keys: Tensor, mask: Tensor | None
    ) -> AdditiveSteps:
        hidden = (self.query_proj(query)[:, None] + keys).tanh()
        energies = self.energy(hidden).squeeze(-1)
        weights = masked_softmax(energies, mask)
        if mask is not None:
            energies = energies.masked_fill(~mask, -torch.inf)
        return AdditiveSteps(energies, weights, (weights[:, None] @ memory).squeeze(1))
