"""Return the output of attention when one head is silenced."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.kit.exercises.rows import normalize_rows

_normal = normal_numbers("looking_inside.silence_head")


def _heads(scores: Tensor, values: Tensor) -> Tensor:
    return scores.softmax(dim=-1) @ values


def _joined(heads: Tensor) -> Tensor:
    return heads.transpose(1, 2).flatten(2)


def _others(heads: Tensor, head: int) -> Tensor:
    """Return one for each active head and zero for the silent one: (H, 1, 1)."""
    return (torch.arange(heads.shape[1]) != head)[:, None, None]


def _reference(scores: Tensor, values: Tensor, w_o: Tensor, head: int) -> Tensor:
    heads = _heads(scores, values)
    return _joined(heads * _others(heads, head)) @ w_o


def _cases() -> tuple[Case, ...]:
    def draw(
        name: str,
        sizes: tuple[int, ...],
        head: int,
        dtype: torch.dtype = torch.float32,
        size: float = 2.0,
    ) -> Case:
        b, h, t, s, k, d = sizes
        values = _normal(b, h, s, k, dtype=dtype)
        loudest = torch.where(torch.arange(h)[:, None, None] == head, 5 * values, values)
        scores = size * _normal(b, h, t, s, dtype=dtype)
        w_o = _normal(h * k, d, dtype=dtype)
        return Case(name, {"scores": scores, "values": loudest, "w_o": w_o, "head": head})

    ln3 = torch.tensor(3.0).log().item()
    by_hand = {
        "scores": torch.tensor([[[[0.0, ln3]], [[ln3, 0.0]]]]),
        "values": torch.tensor([[[[4.0], [8.0]], [[0.0], [16.0]]]]),
        "w_o": torch.tensor([[1.0, 0.0], [1.0, 1.0]]),
        "head": 1,
    }
    return (
        Case("two heads of one number, by hand; head 1 is silent", by_hand),
        draw("3 heads, head 0 silent", (2, 3, 4, 5, 2, 7), 0),
        draw("4 heads, head 2 silent, float64", (3, 4, 2, 6, 5, 7), 2, torch.float64),
        draw("2 heads, D=1, head 0 silent", (2, 2, 4, 3, 3, 1), 0),
        draw("one word, 3 heads, head 1 silent", (2, 3, 1, 1, 2, 6), 1),
        draw("the only head is silent, float64", (2, 1, 3, 4, 5, 2), 0, torch.float64),
        draw("scores of thousands, float64", (2, 2, 3, 5, 3, 4), 1, torch.float64, 2000.0),
        draw("5 heads, the last one silent", (1, 5, 3, 2, 4, 6), 4),
    )


def _hidden_scores(scores: Tensor, values: Tensor, w_o: Tensor, head: int) -> Tensor:
    hidden = scores.masked_fill(~_others(scores, head), -torch.inf)
    return _joined(_heads(hidden, values)) @ w_o


def _left_out(scores: Tensor, values: Tensor, w_o: Tensor, head: int) -> Tensor:
    heads = _heads(scores, values)
    rest = _joined(torch.cat([heads[:, :head], heads[:, head + 1 :]], dim=1))
    return rest @ w_o[: rest.shape[-1]]


def _reshaped(scores: Tensor, values: Tensor, w_o: Tensor, head: int) -> Tensor:
    heads = _heads(scores, values)
    b, h, t, k = heads.shape
    joined = heads.reshape(b, t, h * k)
    joined[..., head * k : (head + 1) * k] = 0
    return joined @ w_o


def _behind_w_o(scores: Tensor, values: Tensor, w_o: Tensor, head: int) -> Tensor:
    out = _joined(_heads(scores, values)) @ w_o
    k = values.shape[-1]
    out[..., head * k : (head + 1) * k] = 0
    return out


def _by_powers(scores: Tensor, values: Tensor, w_o: Tensor, head: int) -> Tensor:
    heads = normalize_rows(scores.exp()) @ values
    return _joined(torch.where(_others(heads, head), heads, 0.0)) @ w_o


_MISTAKES = mistakes(
    lambda scores, values, w_o, head: _joined(_heads(scores * _others(scores, head), values)) @ w_o,
    "You set the scores of the head to 0. Equal scores give equal weights, so the head still adds "
    "the mean of its values. Set its output to 0.",
    _hidden_scores,
    "All scores of the head are −∞. Softmax then computes 0/0, and one NaN spreads to every number "
    "after W^O. Set the output of the head to 0.",
    _left_out,
    "The head is removed, so the heads after it move forward and are multiplied by the wrong rows "
    "of W^O. Replace the head's output by zeros.",
    _reshaped,
    "You reshaped without transposing, so a row mixes several words and the columns set to 0 are "
    "not those of the head. Move the axis of the words before that of the heads first.",
    lambda scores, values, w, head: _joined(_heads(scores, values)) @ w,
    "No head is silenced: head is not used.",
    _behind_w_o,
    "You set columns of the result to 0. After W^O no column belongs to one head, because every "
    "head adds to every column. Silence the head before W^O.",
    lambda scores, values, w, head: _reference(scores.mT.softmax(-1).mT.log(), values, w, head),
    "The softmax runs over the queries. The weights of one query, a row, sum to 1.",
    _by_powers,
    "exp overflows for large scores. Let softmax do it: it subtracts the largest one first.",
)


def _without_its_block(scores: Tensor, values: Tensor, w_o: Tensor, head: int) -> Tensor:
    heads = torch.softmax(scores, -1) @ values
    blocks = w_o.view(heads.shape[1], heads.shape[3], -1)
    parts = torch.einsum("bhtk,hkd->bhtd", heads, blocks)
    return parts.sum(dim=1) - parts[:, head]


def _by_silent_rows(scores: Tensor, values: Tensor, w_o: Tensor, head: int) -> Tensor:
    k = values.shape[-1]
    silent = torch.arange(len(w_o)) // k == head
    return _joined(_heads(scores, values)) @ w_o.masked_fill(silent[:, None], 0)


def _draw(draw: Draw) -> Inputs:
    b, h, t, s, k, d = (draw.size(high=4) for _ in range(6))
    head = draw.size(0, h - 1)
    values = draw.normal(b, h, s, k)
    values[:, head] *= 5
    return draw.normal(b, h, t, s, size=draw.scale()), values, draw.normal(h * k, d), head


silence_head = Exercise(
    name="looking_inside.silence_head",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_without_its_block, _by_silent_rows),
    draw=_draw,
    hint_texts=(
        "What would the head add if all its scores were 0? Which tensor must be 0 so that it adds "
        "nothing?",
        "Compute the output of every head, (B, H, T, K). Multiply it by 0 at this head and by 1 at "
        "the others. Then concatenate the heads and multiply by w_o.",
        "heads = scores.softmax(dim=-1) @ values is a new tensor, so you may write heads[:, head] "
        "= 0. Then heads.transpose(1, 2).flatten(2) @ w_o.",
    ),
    starter='''\
def silence_head(scores, values, w_o, head):
    """Attention's output (B, T, D) while this head's output is 0.

    scores (B, H, T, S) before the softmax, values (B, H, S, K),
    w_o (H*K, D), head counted from 0.
    """
    raise NotImplementedError
''',
    remarks=(GRADIENT,),
)
