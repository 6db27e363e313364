"""A recurrent layer: a cell runs over a sentence, word by word, and skips padding."""

from __future__ import annotations

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from transformer_lite.checks import check_boolean, check_same, check_shape
from transformer_lite.models.recurrent.cells import Cell, check_state


class RecurrentOutput(NamedTuple):
    """The result of a recurrent layer.

    Attributes:
        outputs: the hidden state after each word, 0 at padding, shape (B, T, H).
        state: the state after the last word that was read, shape (B, C).
    """

    outputs: Float[Tensor, "B T H"]
    state: Float[Tensor, "B C"]


class RecurrentLayer(nn.Module):
    """Read sentences word by word: each state comes from the word and the state before.

    Padding does not change the state, so `state` is the one after the last real word.

    Args:
        cell: computes one step.
        backwards: whether to read from the last word to the first.

    Raises:
        TypeError: `cell` is not a :class:`Cell`.

    Reference: equal to ``nn.RNN``, ``nn.GRU`` and ``nn.LSTM`` on packed sequences.

    >>> from transformer_lite.models.recurrent.cells import RecurrentCell
    >>> RecurrentLayer(RecurrentCell(3, 5))(torch.zeros(2, 7, 3)).outputs.shape
    torch.Size([2, 7, 5])
    """

    def __init__(self, cell: Cell, backwards: bool = False) -> None:
        super().__init__()
        if not isinstance(cell, Cell):
            raise TypeError(f"cell must be a Cell, got {type(cell).__name__}")
        self.cell, self.backwards = cell, backwards

    def forward(
        self,
        x: Float[Tensor, "B T I"],
        mask: Bool[Tensor, "B T"] | None = None,
        state: Float[Tensor, "B C"] | None = None,
    ) -> RecurrentOutput:
        """Return the hidden states after all words, and the last state.

        Args:
            x: the words, shape (B, T, I).
            mask: which of them are not padding, shape (B, T); None means all.
            state: the initial state, shape (B, C); None means zeros.

        Raises:
            TypeError: an argument is of another type, dtype or device.
            ValueError: an argument has another shape.
        """
        check_shape("x", x, "B", "T", self.cell.input_size)
        check_same("x and weights", x=x, weights=self.cell.weight_ih)
        check_token_mask(mask, x)
        state = self.cell.start(len(x)) if state is None else state
        check_state(state, self.cell, len(x))
        projected = self.cell.project(x)  # for all words at once, because it needs no state
        hidden: list[Tensor] = []
        for t in self._order(x.shape[1]):
            new = self.cell.step(projected[:, t], state)
            state = new if mask is None else torch.where(mask[:, t, None], new, state)
            hidden.append(self.cell.hidden(state))
        return RecurrentOutput(self._outputs(hidden, x, mask), state)

    def _order(self, length: int) -> range:
        return range(length)[::-1] if self.backwards else range(length)

    def _outputs(self, hidden: list[Tensor], x: Tensor, mask: Tensor | None) -> Tensor:
        """Return the states in the order of the words, with zeros at padding."""
        if not hidden:
            return x.new_zeros(len(x), 0, self.cell.hidden_size)
        outputs = torch.stack(hidden[::-1] if self.backwards else hidden, dim=1)
        return outputs if mask is None else outputs * mask[:, :, None]


def check_token_mask(mask: Tensor | None, x: Tensor) -> None:
    """Require a boolean tensor with one entry for each word, or None."""
    if mask is None:
        return
    check_boolean("mask", mask)
    if mask.shape != x.shape[:2]:
        raise ValueError(
            f"mask must have shape (B, T), {tuple(x.shape[:2])}, got {tuple(mask.shape)}"
        )
