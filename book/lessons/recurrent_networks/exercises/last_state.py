"""Return the state after the last real word of each sentence."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.recurrent_networks.exercises._shared import draw_lengths_mask, real_of

_normal = normal_numbers("recurrent_networks.last_state")


def _states(x: Tensor, w: Tensor, u: Tensor, b: Tensor) -> Tensor:
    """Return the states after all positions, also at padding: (B, T, H)."""
    h, states = x.new_zeros(len(x), len(b)), []
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ w.T + h @ u.T + b)
        states.append(h)
    return torch.stack(states, dim=1)


def _at(states: Tensor, places: Tensor) -> Tensor:
    return states[torch.arange(len(states)), places]


def _reference(x: Tensor, real: Tensor, w: Tensor, u: Tensor, b: Tensor) -> Tensor:
    return _at(_states(x, w, u, b), real.sum(dim=1) - 1)


def _case(
    name: str, lengths: list[int], d: int, h: int, dtype: torch.dtype = torch.float32
) -> Case:
    batch, length = len(lengths), max(lengths)
    x = _normal(batch, length, d, dtype=dtype)
    real = real_of(lengths)
    return Case(
        name,
        {
            "x": torch.where(real[..., None], x, 3 * x),
            "real": real,
            "w": _normal(h, d, dtype=dtype),
            "u": _normal(h, h, dtype=dtype) / h**0.5,
            "b": 0.5 * _normal(h, dtype=dtype),
        },
    )


_CASES = (
    Case(
        "three words and padding, by hand",
        {
            "x": torch.tensor([[[1.0, 0], [0, 1], [1, 1], [5, 5]]]),
            "real": torch.tensor([[True, True, True, False]]),
            "w": torch.tensor([[0.5, 0], [0, 1]]),
            "u": torch.tensor([[0.0, 0.5], [-0.5, 0]]),
            "b": torch.tensor([0.1, 0]),
        },
    ),
    _case("lengths 5 and 3, D=4, H=3", [5, 3], 4, 3),
    _case("lengths 2, 6, 1 and 4, D=3, H=5, in float64", [2, 6, 1, 4], 3, 5, torch.float64),
    _case("no padding, as many words as sentences", [4, 4, 4, 4], 4, 4),
    _case("one hidden number", [3, 5], 2, 1),
    _case("one word in each sentence", [1, 1, 1], 3, 2),
)


def _zeroed(x: Tensor, real: Tensor, w: Tensor, u: Tensor, b: Tensor) -> Tensor:
    h = x.new_zeros(len(x), len(b))
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ w.T + h @ u.T + b) * real[:, t, None]
    return h


_MISTAKES = mistakes(
    lambda x, real, w, u, b: _states(x, w, u, b)[:, -1],
    "This is the state at the last position, which is padding in a shorter sentence. Return the "
    "state after the last real word of each row.",
    lambda x, real, w, u, b: _states(x * real[..., None], w, u, b)[:, -1],
    "You set the padding to zeros, but the cell still takes a step there: for a word of zeros it "
    "computes tanh(U h + b). Keep the old state at padding.",
    _zeroed,
    "At padding the state becomes 0, so shorter sentences end with zeros. Keep the old state.",
    lambda x, real, w, u, b: _at(_states(x, w, u, b), real.sum(dim=1).clamp(max=x.shape[1] - 1)),
    "This is one step too far: the last of n words is at position n − 1.",
    lambda x, real, w, u, b: _states(x, w, u, b)[:, int(real.sum(dim=1).min()) - 1],
    "You use the same position for all rows. Each sentence has its own last word.",
    lambda x, real, w, u, b: _reference(x, real, w, u.T, b),
    "You use U instead of its transpose: write h @ u.T, so each row of U computes one number.",
)


def _kept_at_pads(x: Tensor, real: Tensor, w: Tensor, u: Tensor, b: Tensor) -> Tensor:
    h = x.new_zeros(len(x), u.shape[0])
    for t in range(x.shape[1]):
        h = torch.where(real[:, t, None], torch.tanh(x[:, t] @ w.T + h @ u.T + b), h)
    return h


def _sentence_by_sentence(x: Tensor, real: Tensor, w: Tensor, u: Tensor, b: Tensor) -> Tensor:
    ends = []
    for words, kept in zip(x, real, strict=True):
        h = torch.zeros_like(b)
        for word in words[kept]:
            h = (w @ word + u @ h + b).tanh()
        ends.append(h)
    return torch.stack(ends)


def _draw(draw: Draw) -> Inputs:
    batch, places, width, hidden = draw.size(), draw.size(), draw.size(), draw.size()
    x, real = draw.normal(batch, places, width), draw_lengths_mask(draw, batch, places)
    return x, real, draw.normal(hidden, width), draw.normal(hidden, hidden), draw.normal(hidden)


last_state = Exercise(
    name="recurrent_networks.last_state",
    reference=_reference,
    cases=_CASES,
    mistakes=_MISTAKES,
    right_answers=(_kept_at_pads, _sentence_by_sentence),
    draw=_draw,
    hint_texts=(
        "The loop runs over the positions. At each of them some rows have a word and others have "
        "padding. What should happen to the state of a row that has padding?",
        "Compute the new state of all rows, and keep the old one where real is False: torch.where "
        "chooses row by row.",
        "new = torch.tanh(x[:, t] @ w.T + h @ u.T + b), then "
        "h = torch.where(real[:, t, None], new, h), for each t, from h = zeros of shape (B, H).",
    ),
    starter='''\
def last_state(x, real, w, u, b):
    """The state tanh(W x + U h + b) after the last real word of each row.

    x (B, T, D), real (B, T), w (H, D), u (H, H), b (H,). Returns (B, H).
    """
    raise NotImplementedError
''',
    remarks=(GRADIENT,),
)
