"""One step of a recurrence: from a word and the previous state to the next state.

The weights have the names and the order of PyTorch's ``nn.RNNCell``, ``nn.GRUCell`` and
``nn.LSTMCell``: ``ours.load_state_dict(theirs.state_dict())`` makes the two equal.
"""

from __future__ import annotations

from typing import ClassVar

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from transformer_lite.checks import check_choice, check_same, check_shape, check_size


class Cell(nn.Module):
    """The base of all cells: two matrices, two biases, and a state that starts at zero.

    A subclass defines how the two products make the next state. :meth:`project` depends on the word
    alone, so it can run for all words at once; only :meth:`step` must wait for the previous step.

    Args:
        input_size: the width I of a word.
        hidden_size: the width H of the hidden state.

    Attributes:
        weight_ih, bias_ih: the projection of the word, shapes (G·H, I) and (G·H,) for G gates.
        weight_hh, bias_hh: the projection of the hidden state, shapes (G·H, H) and (G·H,). The two
            biases add up; PyTorch has both, so this cell has both.
        state_size: the width of the state: H, or 2 H for a cell with a second vector.

    Raises:
        TypeError: a size is not an int.
        ValueError: a size is smaller than 1.
    """

    num_gates: ClassVar[int] = 1
    num_vectors: ClassVar[int] = 1

    def __init__(self, input_size: int, hidden_size: int) -> None:
        super().__init__()
        check_size("input_size", input_size)
        check_size("hidden_size", hidden_size)
        self.input_size, self.hidden_size = input_size, hidden_size
        self.state_size = self.num_vectors * hidden_size
        rows = self.num_gates * hidden_size
        self.weight_ih = nn.Parameter(torch.empty(rows, input_size))
        self.weight_hh = nn.Parameter(torch.empty(rows, hidden_size))
        self.bias_ih = nn.Parameter(torch.empty(rows))
        self.bias_hh = nn.Parameter(torch.empty(rows))
        for parameter in self.parameters():  # initialized as in PyTorch
            nn.init.uniform_(parameter, -(hidden_size**-0.5), hidden_size**-0.5)

    def start(self, batch: int) -> Float[Tensor, "{batch} C"]:
        """Return the state before the first word: zeros, shape (B, C)."""
        return self.weight_hh.new_zeros(batch, self.state_size)

    def hidden(self, state: Float[Tensor, "*B C"]) -> Float[Tensor, "*B H"]:
        """Return the output h, the first H numbers of the state."""
        return state[..., : self.hidden_size]

    def project(self, x: Float[Tensor, "*B I"]) -> Float[Tensor, "*B G"]:
        """Return W x + b, the part that needs no state, shape (..., G·H)."""
        return F.linear(x, self.weight_ih, self.bias_ih)

    def step(
        self, projected: Float[Tensor, "B G"], state: Float[Tensor, "B C"]
    ) -> Float[Tensor, "B C"]:
        """Return the next state, from the output of :meth:`project` for one word of each row."""
        raise NotImplementedError(f"{type(self).__name__} must say what one step does")

    def forward(
        self, x: Float[Tensor, "B I"], state: Float[Tensor, "B C"] | None = None
    ) -> Float[Tensor, "B C"]:
        """Read one word per row and return the next state, shape (B, C).

        Args:
            x: one word of each row, shape (B, I).
            state: the previous state, shape (B, C); None means zeros.

        Raises:
            TypeError: an argument does not hold floats, or the dtypes or devices differ.
            ValueError: an argument has another shape.
        """
        check_shape("x", x, "B", self.input_size)
        check_same("x and weights", x=x, weights=self.weight_ih)
        state = self.start(len(x)) if state is None else state
        check_state(state, self, len(x))
        return self.step(self.project(x), state)

    def extra_repr(self) -> str:
        """Return the sizes, for printing the module."""
        return f"{self.input_size}, {self.hidden_size}"


def check_state(state: Tensor, cell: Cell, batch: int) -> None:
    """Require a state of a cell for a batch."""
    check_shape("state", state, batch, cell.state_size)
    check_same("state and weights", state=state, weights=cell.weight_hh)


class RecurrentCell(Cell):
    r"""The plain cell: a tanh of the word and the state.

    .. math:: h_t = \tanh(W x_t + b + U h_{t-1} + b')

    Args, Raises: as in :class:`Cell`.

    Reference: Elman 1990. Equal to ``nn.RNNCell``.

    >>> RecurrentCell(3, 5)(torch.zeros(2, 3)).shape
    torch.Size([2, 5])
    """

    def step(
        self, projected: Float[Tensor, "B G"], state: Float[Tensor, "B C"]
    ) -> Float[Tensor, "B C"]:
        """Return tanh(projected + U h + b'), shape (B, H)."""
        return (projected + F.linear(state, self.weight_hh, self.bias_hh)).tanh()


class GatedRecurrentCell(Cell):
    r"""The GRU: a gate z keeps the old state, and a gate r hides it from the candidate.

    .. math:: r, z = \sigma(W x_t + b + U h_{t-1} + b'), \qquad
        h_t = z \odot h_{t-1} + (1 - z) \odot n

    The candidate n exists in two forms, which are different functions:
    "after" multiplies by r after the product, n = tanh(W x + b + r ⊙ (U h + b')), as PyTorch does;
    "before" multiplies before it, n = tanh(W x + b + U (r ⊙ h) + b'), as in the paper.

    Args:
        input_size, hidden_size: as in :class:`Cell`. The matrices hold the rows of r, z and n.
        reset: "after" or "before".

    Raises:
        TypeError, ValueError: as in :class:`Cell`; `reset` is neither of the two.

    Reference: Cho et al. 2014. "after" is equal to ``nn.GRUCell``.

    >>> GatedRecurrentCell(3, 5)(torch.zeros(2, 3)).shape
    torch.Size([2, 5])
    """

    num_gates = 3

    def __init__(self, input_size: int, hidden_size: int, reset: str = "after") -> None:
        super().__init__(input_size, hidden_size)
        check_choice("reset", reset, ("after", "before"))
        self.reset = reset

    def step(
        self, projected: Float[Tensor, "B G"], state: Float[Tensor, "B C"]
    ) -> Float[Tensor, "B C"]:
        """Return z ⊙ h + (1 − z) ⊙ n, shape (B, H)."""
        size = self.hidden_size
        if self.reset == "after":
            told = F.linear(state, self.weight_hh, self.bias_hh)
            r, z = (projected + told)[:, : 2 * size].sigmoid().chunk(2, dim=1)
            remembered = r * told[:, 2 * size :]
        else:
            weight, bias = self.weight_hh, self.bias_hh
            told = F.linear(state, weight[: 2 * size], bias[: 2 * size])
            r, z = (projected[:, : 2 * size] + told).sigmoid().chunk(2, dim=1)
            remembered = F.linear(r * state, weight[2 * size :], bias[2 * size :])
        n = (projected[:, 2 * size :] + remembered).tanh()
        return n + z * (state - n)


class LongShortTermCell(Cell):
    r"""The LSTM: a second vector c is updated by a sum and controlled by three gates.

    .. math:: c_t = f \odot c_{t-1} + i \odot g, \qquad h_t = o \odot \tanh(c_t)

    The gates i, f, o are sigmoids and the candidate g is a tanh of W x + b + U h + b'. The state
    holds h and c side by side, shape (B, 2 H).

    Args, Raises: as in :class:`Cell`. The matrices hold the rows of i, f, g and o.

    Reference: Hochreiter and Schmidhuber 1997; Gers et al. 2000 for the gate f. Equal to
    ``nn.LSTMCell``.

    >>> LongShortTermCell(3, 5)(torch.zeros(2, 3)).shape
    torch.Size([2, 10])
    """

    num_gates = 4
    num_vectors = 2

    def step(
        self, projected: Float[Tensor, "B G"], state: Float[Tensor, "B C"]
    ) -> Float[Tensor, "B C"]:
        """Return h and c side by side, shape (B, 2 H)."""
        h, c = state.chunk(2, dim=1)
        i, f, g, o = (projected + F.linear(h, self.weight_hh, self.bias_hh)).chunk(4, dim=1)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        return torch.cat([o.sigmoid() * c.tanh(), c], dim=1)
