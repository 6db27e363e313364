"""Compute cross-attention: the target attends to the real words of the source."""

from collections.abc import Callable

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.kit.exercises.outcome import TensorFunction
from transformer_lite.layers.attention import attention_steps

_normal = normal_numbers("decoder.cross_attend")


def _reference(
    x: Tensor, memory: Tensor, real: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor
) -> Tensor:
    mask = real[:, None, :]
    return attention_steps(x @ w_q, memory @ w_k, memory @ w_v, mask).output


def _by_hand() -> Case:
    x = torch.tensor([[[2.0, 0], [0, 2]]])
    memory = torch.tensor([[[1.0, 0], [0, 1], [3, 3]]])
    identity = torch.eye(2)
    inputs = {"x": x, "memory": memory, "real": torch.tensor([[True, True, False]])}
    return Case(
        "two queries, three source tokens, the last one a pad",
        inputs | {"w_q": identity, "w_k": identity, "w_v": identity},
    )


def _random(name: str, sizes: tuple[int, int, int, int, int], pads: int = 1) -> Case:
    """Draw a case, with the padding where the first query would attend most."""
    b, t, s, d, k = sizes
    dtype = torch.float64 if d > 3 else torch.float32
    x, memory = _normal(b, t, d, dtype=dtype), 2 * _normal(b, s, d, dtype=dtype)
    w_q, w_k, w_v = (_normal(d, k, dtype=dtype) for _ in range(3))
    scores = ((x @ w_q)[:, :1] @ (memory @ w_k).mT)[:, 0]
    hidden = scores.argsort(dim=-1, descending=True)[:, :pads]
    real = torch.ones(b, s, dtype=torch.bool).scatter(-1, hidden, False)
    inputs = {"x": x, "memory": memory, "real": real, "w_q": w_q, "w_k": w_k, "w_v": w_v}
    return Case(name, inputs)


def _far_below() -> Case:
    """Make the scores of the real tokens lower than numbers often used for −∞."""
    x = torch.tensor([[[-90.0, -80]]], dtype=torch.float64)
    memory = torch.tensor([[[90.0, 10], [90.01, 9.99], [90.02, 9.9]]], dtype=torch.float64)
    inputs = {"x": x, "memory": memory, "real": torch.tensor([[True, True, False]])}
    identity = torch.eye(2, dtype=torch.float64)
    names = dict.fromkeys(("w_q", "w_k", "w_v"), identity)
    return Case("scores of real tokens below −5000", inputs | names)


def _cases() -> tuple[Case, ...]:
    return (
        _by_hand(),
        _random("B=2, T=3, S=5, D=4, K=6", (2, 3, 5, 4, 6), pads=2),
        _random("more queries than source tokens: B=3, T=5, S=2, D=3, K=4", (3, 5, 2, 3, 4)),
        _random("as many queries as source tokens: B=2, T=4, S=4, D=4, K=2", (2, 4, 4, 4, 2)),
        _random("no pads: B=2, T=2, S=6, D=5, K=3", (2, 2, 6, 5, 3), pads=0),
        _random("one query, K=1: B=1, T=1, S=3, D=2, K=1", (1, 1, 3, 2, 1)),
        _random("one source token: B=2, T=3, S=1, D=3, K=5", (2, 3, 1, 3, 5), pads=0),
        _far_below(),
    )


def _attend(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> Tensor:
    return attention_steps(query, key, value, mask).output


def _filling(hide: Callable[[Tensor], Tensor], low: float, dim: int = 2) -> TensorFunction:
    """Write attention by hand, with a choice of mask, of its number and of the softmax's axis."""

    def attend(
        x: Tensor, memory: Tensor, real: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor
    ) -> Tensor:
        scores = (x @ w_q) @ (memory @ w_k).mT / w_q.shape[1] ** 0.5
        return scores.masked_fill(hide(real)[:, None, :], low).softmax(dim) @ (memory @ w_v)

    return attend


_INVERTED = "The mask is inverted: real is True where a query may attend{}."


def _with_the_staircase(
    x: Tensor, memory: Tensor, real: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor
) -> Tensor:
    steps = torch.ones(x.shape[1], memory.shape[1], dtype=torch.bool).tril()
    return _attend(x @ w_q, memory @ w_k, memory @ w_v, real[:, None, :] & steps)


def _multiplied(
    x: Tensor, memory: Tensor, real: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor
) -> Tensor:
    weights = attention_steps(x @ w_q, memory @ w_k, memory @ w_v).weights
    return (weights * real[:, None, :]) @ (memory @ w_v)


_MISTAKES = mistakes(
    lambda x, m, r, q, k, v: _attend(x @ q, m @ k, m @ v, None),
    "The padding of the source is not masked: real is not used.",
    lambda x, m, r, q, k, v: _attend(x @ q, m @ k, m @ v, ~r[:, None, :]),
    _INVERTED.format(""),
    _filling(lambda real: real, -torch.inf),
    _INVERTED.format(", so put −∞ where it is False. A row that contains only −∞ becomes NaN"),
    _filling(lambda real: real, -1e9),
    _INVERTED.format(", so put the low number where it is False"),
    _filling(torch.logical_not, -1000.0),
    "The number that masks the padding is not low enough: a real score may be lower. Use −∞.",
    lambda x, m, r, q, k, v: _attend(m @ q, x @ k, x @ v, None),
    "You swapped source and target. Compute queries from x, keys and values from memory. The "
    "result has one row for each token of x.",
    lambda x, m, r, q, k, v: _attend(x @ q, x @ k, x @ v, None),
    "Queries, keys and values all come from x. That is self-attention. Here keys and values come "
    "from memory.",
    _filling(torch.logical_not, -1e9, dim=1),
    "The softmax runs over the queries. Let it run over the source tokens, the last axis of the "
    "scores.",
    _with_the_staircase,
    "You use a look-ahead mask. The whole source is known before the first target word is written, "
    "so every query may attend to all of it.",
    _multiplied,
    "You multiply by the mask after the softmax. The padding already has some of the weight then, "
    "so the other weights no longer sum to 1.",
    lambda x, m, r, q, k, v: _attend(x @ q, m @ k, m @ v, r.any(dim=0)),
    "All sentences use the same mask. A position that is padding in one sentence may be a word in "
    "another, so keep the batch axis of real.",
)


def _word_by_word(
    x: Tensor, memory: Tensor, real: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor
) -> Tensor:
    rows = []
    for tokens, source, keep in zip(x, memory, real, strict=True):
        words = source[keep]
        scores = [(t @ w_q) @ (words @ w_k).T / w_q.shape[1] ** 0.5 for t in tokens]
        rows.append(torch.stack([s.softmax(dim=0) @ (words @ w_v) for s in scores]))
    return torch.stack(rows)


def _draw(draw: Draw) -> Inputs:
    b, t, s, d, k = (draw.size() for _ in range(5))
    real = draw.mask(b, s)
    real[:, draw.size(0, s - 1)] = True
    weights = draw.normal(d, k), draw.normal(d, k), draw.normal(d, k)
    return draw.normal(b, t, d), draw.normal(b, s, d), real, *weights


cross_attend = Exercise(
    name="decoder.cross_attend",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_filling(torch.logical_not, -torch.inf), _word_by_word),
    draw=_draw,
    hint_texts=(
        "Which sequence provides the queries, and which one the keys and values? Which of the two "
        "has padding that must be masked?",
        "The scores have shape (B, T, S). real has shape (B, S): which axis is missing, and where?",
        "scores = (x @ w_q) @ (memory @ w_k).mT / w_q.shape[1] ** 0.5, then "
        "masked_fill(~real[:, None, :], -torch.inf), a softmax over the last axis, and the product "
        "with memory @ w_v.",
    ),
    starter='''\
def cross_attend(x, memory, real, w_q, w_k, w_v):
    """x (B, T, D) attends to memory (B, S, D); real (B, S) is False at pads."""
    ...  # the contexts of one head, shape (B, T, K)
''',
)
