"""The loss on the answers of a batch: prompts and pads do not count."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("from_continuing_to_answering.answer_loss")


def _surprise(logits: Tensor, labels: Tensor) -> Tensor:
    return -logits.log_softmax(dim=-1).gather(-1, labels[..., None]).squeeze(-1)


def _inside(ids: Tensor, starts: Tensor, ends: Tensor) -> Tensor:
    positions = torch.arange(ids.shape[1])
    return (positions >= starts[:, None]) & (positions < ends[:, None])


def _losses(logits: Tensor, ids: Tensor) -> Tensor:
    return _surprise(logits[:, :-1], ids[:, 1:])


def _mean(losses: Tensor, counts: Tensor) -> Tensor:
    return (losses * counts).sum() / counts.sum().clamp(min=1)


def _reference(logits: Tensor, ids: Tensor, starts: Tensor, ends: Tensor) -> Tensor:
    return _losses(logits, ids)[_inside(ids, starts, ends)[:, 1:]].mean()


def _cases() -> tuple[Case, ...]:
    def case(name: str, logits: Tensor, ids: Tensor, starts: list[int], ends: list[int]) -> Case:
        inputs = {"logits": logits, "ids": ids}
        inputs |= {"starts": torch.tensor(starts), "ends": torch.tensor(ends)}
        return Case(name, inputs)

    def ids(count: int, length: int, vocab: int) -> Tensor:
        return (torch.arange(count * length) * 3 + 1).remainder(vocab).view(count, length)

    one = torch.tensor([[1, 3, 4, 2, 5, 0]])
    sure = torch.zeros(1, 5, 4)
    sure[0, 2, 1] = 200
    padded = torch.tensor([[1, 3, 2, 4, 5, 6, 0], [1, 3, 3, 3, 2, 5, 0], [1, 2, 6, 0, 0, 0, 0]])
    return (
        case("one answer of two tokens, 5 and the end 0", 2 * _normal(1, 6, 6), one, [4], [6]),
        case("three texts; 0 is the end and the pad", 2 * _normal(3, 7, 8), padded, [3, 5, 2],
             [7, 7, 4]),
        case("no pads, answers of 1 and 4 tokens", _normal(2, 6, 9), ids(2, 6, 9), [5, 2], [6, 6]),
        case("float64", _normal(4, 5, 7, dtype=torch.float64), ids(4, 5, 7), [1, 2, 3, 4],
             [5, 4, 5, 5]),
        case("the model is certain of one token", sure, torch.tensor([[1, 2, 3, 1, 2]]), [3], [5]),
        case("logits of thousands", 1000 * _normal(2, 5, 6, dtype=torch.float64), ids(2, 5, 6),
             [2, 3], [4, 5]),
        case("B = T = V = 4", _normal(4, 4, 4), ids(4, 4, 4), [1, 2, 1, 3],
             [3, 4, 2, 4]),
    )  # fmt: skip


def _by_text(logits: Tensor, ids: Tensor, starts: Tensor, ends: Tensor) -> Tensor:
    inside = _inside(ids, starts, ends)[:, 1:]
    return ((_losses(logits, ids) * inside).sum(dim=1) / inside.sum(dim=1)).mean()


def _over_losses(logits: Tensor, ids: Tensor, starts: Tensor, ends: Tensor) -> Tensor:
    losses = _losses(logits, ids) * _inside(ids, starts, ends)[:, 1:]
    return _mean(losses, losses != 0)


_MISTAKES = mistakes(
    lambda z, ids, starts, ends: _reference(z, ids, torch.zeros_like(starts), ends),
    "The prompts count too, so the model is trained to write prompts as well. Only the "
    "answer's tokens are labels.",
    lambda logits, ids, starts, ends: _surprise(logits, ids)[_inside(ids, starts, ends)].mean(),
    "There is no shift: each position predicts the token that it has just read. The logits at "
    "position t predict the token at t + 1.",
    lambda z, ids, starts, ends: _mean(_losses(z, ids), _inside(ids, starts, ends)[:, :-1]),
    "The labels are shifted, but the mask is not. So the answer's first token is left out, and "
    "the token after the answer counts. Shift the mask as you shift the labels.",
    lambda z, ids, starts, ends: _reference(z, ids, starts, torch.full_like(ends, ids.shape[1])),
    "The tokens after the answer count too. The answer ends before position `ends`.",
    lambda z, ids, starts, ends: _mean(_losses(z, ids), _inside(ids, starts, ends - 1)[:, 1:]),
    "The last token of each answer is left out. Where that is the end token, nothing teaches the "
    "model to stop.",
    _by_text,
    "This is a mean of the texts' means. A token of a short answer then counts more. Sum over "
    "all tokens that count, and divide once.",
    lambda z, ids, starts, ends: (_losses(z, ids) * _inside(ids, starts, ends)[:, 1:]).mean(),
    "The prompts are left out of the sum, but you divide by their tokens as well. Divide by the "
    "number of tokens in answers.",
    lambda z, ids, starts, ends: (_losses(z, ids) * _inside(ids, starts, ends)[:, 1:]).sum(),
    "This is the sum. Divide it by the number of tokens in answers.",
    lambda z, ids, starts, ends: _mean(_losses(z, ids), _inside(ids, starts * 0, starts)[:, 1:]),
    "The mask is the wrong way round: the prompts are predicted, the answers are not.",
    lambda z, ids, starts, ends: _mean(
        _losses(z, ids), _inside(ids, starts, ends)[:, 1:] & (ids[:, 1:] != 0)
    ),
    "Tokens with the id 0 are left out as padding. Here 0 also ends an answer, so nothing asks the "
    "model to stop. Only `starts` and `ends` say which tokens count.",
    lambda z, ids, starts, ends: (
        -z[:, :-1].softmax(dim=-1).gather(-1, ids[:, 1:, None])[..., 0].log()
    )[_inside(ids, starts, ends)[:, 1:]].mean(),
    "softmax underflows to 0 where the logits are far apart, and the logarithm of 0 is −∞. "
    "log_softmax does both steps at once.",
    _over_losses,
    "You divide by the number of losses that are not 0. A token of which the model is certain "
    "has the loss 0, and it counts.",
)


def _text_by_text(logits: Tensor, ids: Tensor, starts: Tensor, ends: Tensor) -> Tensor:
    parts = [
        torch.nn.functional.cross_entropy(z[a - 1 : b - 1], text[a:b], reduction="none")
        for z, text, a, b in zip(logits, ids, starts.tolist(), ends.tolist(), strict=True)
    ]
    return torch.cat(parts).mean()


def _by_ignored_labels(logits: Tensor, ids: Tensor, starts: Tensor, ends: Tensor) -> Tensor:
    labels = ids.masked_fill(~_inside(ids, starts, ends), -100)[:, 1:]
    return torch.nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), labels.flatten())


def _draw(draw: Draw) -> Inputs:
    count, length, vocab = draw.size(), draw.size(3, 8), draw.size(2)
    logits = draw.normal(count, length, vocab, size=draw.scale())
    ids = torch.randint(vocab, (count, length), generator=draw.random)
    starts = [draw.size(1, length - 1) for _ in range(count)]
    ends = [draw.size(start + 1, length) for start in starts]
    return logits, ids, torch.tensor(starts), torch.tensor(ends)


answer_loss = Exercise(
    name="from_continuing_to_answering.answer_loss",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_text_by_text, _by_ignored_labels),
    draw=_draw,
    hint_texts=(
        "Which logits say something about the first token of an answer: those at its own position, "
        "or those one position before?",
        "The labels are ids[:, 1:], and logits[:, :-1] predict them. Build a mask of the shape "
        "of ids that is True inside the answers, and shift it as you shift the labels.",
        "positions = torch.arange(ids.shape[1]); inside = (positions >= starts[:, None]) & "
        "(positions < ends[:, None]). Take the losses where inside[:, 1:] is True, and their mean.",
    ),
    starter='''\
def answer_loss(logits, ids, starts, ends):
    """Mean of -ln p over all tokens of the answers: a number.

    logits (B, T, V) of a model that read ids (B, T). The answer in
    row b is ids[b, starts[b]:ends[b]]; starts are at least 1.
    """
    ...
''',
    remarks=(GRADIENT,),
)
