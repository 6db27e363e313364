"""Find the bug: positions counted along the batch."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from transformer_lite.layers.positions import sinusoidal_positions

_normal = normal_numbers("sinusoidal_positions.add_positions")


_WORDS = torch.tensor([[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8], [0.9, 1.0, 1.1, 1.2]])


def _add(x: Tensor, table: Tensor) -> Tensor:
    return x + table[: x.shape[1]]


def _cases() -> tuple[Case, ...]:
    def case(name: str, x: Tensor, rows: int) -> Case:
        table = sinusoidal_positions(rows, x.shape[-1]).to(x.dtype)
        return Case(name, {"x": x, "table": table})

    return (
        case("The, CAT and SAT: B=1, T=3, D=4", _WORDS[None], 8),
        case("B=3, T=5, D=4, a table of 16 rows", _normal(3, 5, 4), 16),
        case("more sequences than words: B=6, T=2, D=8", _normal(6, 2, 8), 12),
        case("in float64: B=2, T=7, D=6", _normal(2, 7, 6, dtype=torch.float64), 15),
        case("sentences of one word: B=4, T=1, D=6", _normal(4, 1, 6), 9),
        Case("one feature: B=2, T=3, D=1", {"x": _normal(2, 3, 1), "table": _normal(7, 1)}),
    )


_MISTAKES = mistakes(
    lambda x, table: x + table[: x.shape[0], None],
    "You count the positions along the batch, so all words of a sentence get the same vector, and "
    "each sentence another one. The words are along axis 1.",
    lambda x, table: x + table[0],
    "Every word gets position 0.",
    lambda x, table: x + table[1 : x.shape[1] + 1],
    "Your positions begin at 1. The first word is at position 0.",
    lambda x, table: x + table[: x.shape[0] * x.shape[1]].view_as(x),
    "Your positions continue from one sentence to the next. Each sentence begins at 0 again.",
    lambda x, table: x * x.shape[-1] ** 0.5 + table[: x.shape[1]],
    "You scale the words by √D. The embedding has already done that to x.",
    lambda x, table: x * table[: x.shape[1]],
    "You multiply by the positions. A sine of 0 then erases an entry of the word. Add them.",
)


def _add_word_by_word(x: Tensor, table: Tensor) -> Tensor:
    words = [x[:, t] + table[t] for t in range(x.shape[1])]
    return torch.stack(words, dim=1)


def _draw(draw: Draw) -> Inputs:
    b, t, d = draw.size(), draw.size(), draw.size()
    return draw.normal(b, t, d), draw.normal(b * t + draw.size(0, 3), d)


add_positions = Exercise(
    name="sinusoidal_positions.add_positions",
    reference=_add,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_add_word_by_word, lambda x, table: x + table[None, : x.size(1), :]),
    draw=_draw,
    hint_texts=(
        "Take a batch with one sentence. How many rows of the table does the function read?",
        "Which axis of x, of shape (B, T, D), counts the words? Use as many rows as that axis is "
        "long.",
        "table[: x.size(1)] has shape (T, D). It broadcasts over the batch of (B, T, D) without "
        "None.",
    ),
    starter='''\
def add_positions(x, table):
    """Add row t of table (max_len, D) to word t of each sentence (B, T, D)."""
    positions = table[: x.size(0), None]
    return x + positions
''',
    remarks=(GRADIENT,),
)
