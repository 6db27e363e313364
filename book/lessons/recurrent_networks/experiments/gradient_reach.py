"""How much of the last word's gradient reaches the first word, cell by cell.

A fresh cell reads 200 words, drawn from a vocabulary of 400, whose vectors are random numbers of
the deviation `word_size`. Nothing is trained. "reach" is, after 10, 50 and 200 words, the length of
the first word's gradient next to that of the last one, as a power of ten; the gradient is that of
the sum of the hidden state. All is computed in float64, so that nothing is rounded to zero.

The weights are PyTorch's, but each square matrix that reads the state is scaled to the spectral
radius. "open" adds a bias of 5 to the gate that keeps, f of the LSTM and z of the GRU. The LSTM
"without f" keeps its whole vector c, as the first LSTM did.
"""

import torch
from jaxtyping import Float
from torch import Tensor

from transformer_lite.models.recurrent import (
    GatedRecurrentCell,
    LongShortTermCell,
    RecurrentCell,
    RecurrentLayer,
)

GRID = {
    "width": [16, 64],
    "word_size": [0.1, 1.0],
    "radius": [0.5, 1.0, 1.5],
    "cell": ["tanh", "GRU", "LSTM", "GRU, open", "LSTM, open", "LSTM without f"],
    "seed": [0, 1, 2],
}
TOLERANCE = {"reach": 0.01}
LENGTHS, VOCABULARY, OPEN = (10, 50, 200), 400, 5.0


class WithoutForgetting(LongShortTermCell):
    """An LSTM whose c is only added to."""

    def step(
        self, projected: Float[Tensor, "B G"], state: Float[Tensor, "B C"]
    ) -> Float[Tensor, "B C"]:
        """Return h and c side by side, with the gate f at 1."""
        h, c = state.chunk(2, dim=1)
        i, _, g, o = (projected + h @ self.weight_hh.T + self.bias_hh).chunk(4, dim=1)
        c = c + i.sigmoid() * g.tanh()
        return torch.cat([o.sigmoid() * c.tanh(), c], dim=1)


CELLS = {
    "tanh": RecurrentCell,
    "GRU": GatedRecurrentCell,
    "LSTM": LongShortTermCell,
    "LSTM without f": WithoutForgetting,
}


def point(width: int, word_size: float, radius: float, cell: str, seed: int) -> dict[str, Tensor]:
    """Let one fresh cell read, and measure its gradients."""
    torch.manual_seed(seed)
    kind, _, opened = cell.partition(", ")
    made = CELLS[kind](width, width).double()
    with torch.no_grad():
        for matrix in made.weight_hh.split(width):
            matrix *= radius / torch.linalg.eigvals(matrix).abs().max()
        if opened:
            made.bias_ih[width : 2 * width] += OPEN  # f of an LSTM, z of a GRU
    table = word_size * torch.randn(VOCABULARY, width, dtype=torch.float64)
    words = table[torch.randint(VOCABULARY, (1, max(LENGTHS)))].requires_grad_()
    states = RecurrentLayer(made)(words).outputs[0]
    found = []
    for length in LENGTHS:
        (gradient,) = torch.autograd.grad(states[length - 1].sum(), words, retain_graph=True)
        sizes = gradient[0].norm(dim=1)
        found.append((sizes[0] / sizes[length - 1]).log10())
    return {"reach": torch.stack(found)}
