"""Find the bug: a batch begins with the last state of the previous batch."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("recurrent_networks.states_of_batches")


def _read(batch: Tensor, w: Tensor, u: Tensor, h: Tensor) -> Tensor:
    for t in range(batch.shape[1]):
        h = torch.tanh(batch[:, t] @ w.T + h @ u.T)
    return h


def _zeros(batch: Tensor, u: Tensor) -> Tensor:
    return batch.new_zeros(len(batch), len(u))


def _reference(batches: Tensor, w: Tensor, u: Tensor) -> Tensor:
    return torch.stack([_read(batch, w, u, _zeros(batch, u)) for batch in batches])


def _case(
    name: str, sizes: tuple[int, int, int, int], h: int, dtype: torch.dtype = torch.float32
) -> Case:
    return Case(
        name,
        {
            "batches": _normal(*sizes, dtype=dtype),
            "w": _normal(h, sizes[3], dtype=dtype),
            "u": _normal(h, h, dtype=dtype) / h**0.5,
        },
    )


_SAME = _normal(1, 2, 3, 2)
_CASES = (
    Case(
        "the same batch twice: the same states twice",
        {"batches": _SAME.repeat(2, 1, 1, 1), "w": _normal(3, 2), "u": _normal(3, 3)},
    ),
    _case("three batches of two sentences, four words each", (3, 2, 4, 5), 3),
    _case("two batches, in float64", (2, 5, 3, 4), 6, torch.float64),
    _case("one batch", (1, 3, 5, 2), 4),
    _case("batches of one sentence", (4, 1, 2, 3), 2),
    _case("one word, one hidden number", (3, 4, 1, 2), 1),
)


def _kept(batches: Tensor, w: Tensor, u: Tensor) -> Tensor:
    h, ends = _zeros(batches[0], u), []
    for batch in batches:
        h = _read(batch, w, u, h)
        ends.append(h)
    return torch.stack(ends)


def _kept_and_cut(batches: Tensor, w: Tensor, u: Tensor) -> Tensor:
    h, ends = _zeros(batches[0], u), []
    for batch in batches:
        h = _read(batch, w, u, h.detach() * 0.5)
        ends.append(h)
    return torch.stack(ends)


_MISTAKES = mistakes(
    _kept,
    "You create the state once, before the loop over the batches, so every batch but the first "
    "begins with the last state of other sentences. Start each batch from zeros.",
    _kept_and_cut,
    "You halve the state of the previous batch, but these are other sentences. Start each batch "
    "from zeros.",
    lambda batches, w, u: torch.tanh(batches[:, :, -1] @ w.T),
    "You reset the state at every word. Reset it only between sentences.",
    lambda batches, w, u: _reference(batches.flip(2), w, u),
    "You read the sentences backwards.",
    lambda batches, w, u: _reference(batches, w, u.T),
    "You use U instead of its transpose: write h @ u.T.",
)


def _as_one_batch(batches: Tensor, w: Tensor, u: Tensor) -> Tensor:
    together = batches.flatten(0, 1)
    return _read(together, w, u, _zeros(together, u)).unflatten(0, batches.shape[:2])


def _by_torch(batches: Tensor, w: Tensor, u: Tensor) -> Tensor:
    rnn = torch.nn.RNN(w.shape[1], len(w), bias=False, batch_first=True, dtype=w.dtype)
    rnn.load_state_dict({"weight_ih_l0": w, "weight_hh_l0": u})
    return torch.stack([rnn(batch)[1][0] for batch in batches])


def _draw(draw: Draw) -> Inputs:
    count, batch, places, width = (draw.size() for _ in range(4))
    hidden = draw.size()
    x = draw.normal(count, batch, places, width)
    return x, draw.normal(hidden, width), draw.normal(hidden, hidden)


states_of_batches = Exercise(
    name="recurrent_networks.states_of_batches",
    reference=_reference,
    cases=_CASES,
    mistakes=_MISTAKES,
    right_answers=(_as_one_batch, _by_torch),
    draw=_draw,
    hint_texts=(
        "Call the function with the same batch twice. Should the second result differ from the "
        "first?",
        "Find the line that creates the state. How often does that line run, and how often "
        "should it?",
        "Move h = batches.new_zeros(...) into the loop over the batches, as its first line.",
    ),
    starter='''\
def states_of_batches(batches, w, u):
    """Last states of N batches of sentences: (N, B, T, D) -> (N, B, H)."""
    h = batches.new_zeros(batches.shape[1], len(u))
    ends = []
    for batch in batches:
        for t in range(batch.shape[1]):
            h = torch.tanh(batch[:, t] @ w.T + h @ u.T)
        ends.append(h)
    return torch.stack(ends)
''',
)
