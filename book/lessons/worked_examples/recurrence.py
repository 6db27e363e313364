"""Recurrent networks: one vector of fixed length, a context for each word, and steps that wait."""

import torch
from torch import Tensor

from lessons.worked_examples.registry import computes
from transformer_lite.models.recurrent import (
    AdditiveAttention,
    FixedContext,
    RecurrentCell,
    RecurrentEncoder,
    RecurrentLayer,
)


class CountedCell(RecurrentCell):
    """A cell that counts its steps. Each step waits for the one before."""

    steps = 0

    def step(self, projected: Tensor, state: Tensor) -> Tensor:
        """Count one more step and take it."""
        self.steps += 1
        return super().step(projected, state)


@computes("recurrence-waits")
def steps_in_a_row(words: int) -> dict[str, int]:
    """Count the steps of a recurrence that must wait for each other, in one sentence."""
    cell = CountedCell(2, 2)
    RecurrentLayer(cell)(torch.zeros(1, words, 2))
    return {"words": words, "steps in a row": cell.steps}


@computes("bottleneck-fixed-length")
def numbers_of_the_summary(hidden: int, lengths: Tensor) -> dict[str, list[int]]:
    """Count the numbers that reach the decoder: through z* alone, and through all states."""
    encoder = RecurrentEncoder(RecurrentLayer(RecurrentCell(2, hidden)))
    states = [encoder(torch.zeros(1, length, 2)) for length in lengths.tolist()]
    return {
        "words": lengths.tolist(),
        "numbers in z*": [FixedContext(hidden).summary(memory).numel() for memory in states],
        "numbers in all states": [memory.numel() for memory in states],
    }


@computes("bahdanau-context")
def context_of_a_word(state: Tensor, annotations: Tensor, v: Tensor) -> dict[str, Tensor]:
    """Take W and U as identity matrices, and weigh the annotations for one target word."""
    width = len(state)
    attention = AdditiveAttention(width, width, width).double()
    eye = torch.eye(width).double()
    parts = (attention.query_proj, attention.key_proj, attention.energy)
    for part, matrix in zip(parts, (eye, eye, v[None]), strict=True):
        part.load_state_dict({"weight": matrix})
    steps = attention.steps(state[None], annotations[None])
    weights = steps.weights[0].detach()
    return {"α": weights, "sum of α": weights.sum(), "c": steps.context[0].detach()}


@computes("bahdanau-decoder-state")
def what_a_state_depends_on(width: int) -> dict[str, bool]:
    """Change one input of a decoder's step at a time, and say which of them move the next state."""
    cell = RecurrentCell(2 * width, width)
    torch.nn.init.ones_(cell.weight_ih)
    torch.nn.init.ones_(cell.weight_hh)
    inputs = {
        name: torch.zeros(1, width)
        for name in ("the state before", "the word before", "the context")
    }

    def step(parts: dict[str, Tensor]) -> Tensor:
        state, word, context = parts.values()
        return cell(torch.cat([word, context], dim=1), state)

    before = step(inputs)
    return {
        name: bool((step(inputs | {name: x + 1}) != before).any()) for name, x in inputs.items()
    }
