"""Find the bug: a state that is read before it forgets."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("a_decoder_of_today.delta_update")


def _update(state: Tensor, key: Tensor, value: Tensor, keep: float, write: float) -> Tensor:
    kept = keep * state
    return kept + write * torch.outer(key, value - key @ kept)


def _cases() -> tuple[Case, ...]:
    def case(name: str, k: int, v: int, keep: float, write: float) -> Case:
        key = _normal(k, dtype=torch.float64)
        state, value = _normal(k, v, dtype=torch.float64), _normal(v, dtype=torch.float64)
        inputs = {"state": state, "key": key / key.norm(), "value": value}
        return Case(name, inputs | {"keep": keep, "write": write})

    state, key = torch.tensor([[2.0], [1.0]]), torch.tensor([1.0, 0.0])
    by_hand = {"state": state, "key": key, "value": torch.tensor([3.0])}
    return (
        Case("the same key again, nothing forgotten", by_hand | {"keep": 1.0, "write": 1.0}),
        Case("the same, and half is forgotten first", by_hand | {"keep": 0.5, "write": 1.0}),
        case("K=4, V=3", 4, 3, 0.9, 0.7),
        case("K=V=3", 3, 3, 0.8, 0.5),
        case("K=2, V=5, everything forgotten", 2, 5, 0.0, 1.0),
        case("K=3, V=2, nothing written", 3, 2, 0.6, 0.0),
        case("K=1, V=1", 1, 1, 0.5, 0.5),
    )


def _early(state: Tensor, key: Tensor, value: Tensor, keep: float, write: float) -> Tensor:
    found = key @ state
    return keep * state + write * torch.outer(key, value - found)


def _in_place(state: Tensor, key: Tensor, value: Tensor, keep: float, write: float) -> Tensor:
    state *= keep
    state += write * torch.outer(key, value - key @ state)
    return state


def _transposed(state: Tensor, key: Tensor, value: Tensor, keep: float, write: float) -> Tensor:
    kept = keep * state
    change = torch.outer(value - key @ kept, key)
    return kept + write * (change if change.shape == kept.shape else change.mT)


_MISTAKES = mistakes(
    _early,
    "The state is read before it forgets. What the key finds there is more than what will be left "
    "of it, so too much is subtracted. Without forgetting, both are the same, and nobody notices.",
    lambda s, k, v, keep, write: keep * s + write * torch.outer(k, v),
    "The value is added to what is there, as in plain linear attention. Subtract what the key "
    "finds first.",
    lambda s, k, v, keep, write: keep * _update(s, k, v, 1.0, write),
    "The new value is forgotten, too: the state is multiplied by keep after the writing.",
    lambda s, k, v, keep, write: keep * s + torch.outer(k, write * v - k @ (keep * s)),
    "Only the value is multiplied by write. What the key finds has to be multiplied by it, too.",
    lambda s, k, v, keep, write: keep * s + write * torch.outer(k, k @ (keep * s) - v),
    "The sign is wrong: what is written is the value minus what is found.",
    lambda s, k, v, keep, write: _update(s, k, v, 1 - keep, write),
    "keep says how much of the state stays. You used it as what is forgotten.",
    _transposed,
    "Where K equals V, the change is transposed: its rows belong to the key, its columns to the "
    "value.",
    lambda s, k, v, keep, write: (1 - write) * keep * s + write * torch.outer(k, v),
    "The whole state fades by write. Only what this key finds is replaced; the rest stays.",
    _in_place,
    "*= and += change the caller's state, from which another text may go on. Make a new one.",
)


def _by_matrix(state: Tensor, key: Tensor, value: Tensor, keep: float, write: float) -> Tensor:
    erase = torch.eye(len(key), dtype=key.dtype) - write * torch.outer(key, key)
    return keep * erase @ state + write * key[:, None] * value


def _column_by_column(
    state: Tensor, key: Tensor, value: Tensor, keep: float, write: float
) -> Tensor:
    columns = [
        keep * column + write * key * (v - keep * (key @ column))
        for column, v in zip(state.mT, value, strict=True)
    ]
    return torch.stack(columns, dim=1)


def _draw(draw: Draw) -> Inputs:
    key = draw.normal(draw.size(2))
    value = draw.normal(draw.size(2))
    state = draw.normal(len(key), len(value))
    keep, write = draw.choice(0.0, 0.3, 0.9, 1.0), draw.choice(0.2, 0.5, 1.0)
    return state, key / key.norm(), value, keep, write


delta_update = Exercise(
    name="a_decoder_of_today.delta_update",
    reference=_update,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_matrix, _column_by_column),
    draw=_draw,
    hint_texts=(
        "The first case comes out right, the second does not. What is the only difference between "
        "their inputs?",
        "Write down the second case by hand. Which number does the key find after half of the "
        "state is forgotten, and which one does the code subtract?",
        "kept = keep * state comes first. Then read kept, not state: key @ kept.",
    ),
    starter='''\
def delta_update(state, key, value, keep, write):
    """Return the state (K, V) after one token of the gated delta rule.

    After the update with write = 1, a key of length 1 finds its value.
    """
    found = key @ state
    state = keep * state
    return state + write * torch.outer(key, value - found)
''',
)
