"""One step of a beam search: keep the best of all continuations of all beams."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("decoding.extend_beams")

_Beams = tuple[Tensor, Tensor, Tensor]


def _best(scores: Tensor) -> _Beams:
    """Return the best M of a table of M beams and V words: beams, words, scores."""
    best = scores.flatten().topk(len(scores))
    return best.indices // scores.shape[1], best.indices % scores.shape[1], best.values


def _reference(log_probs: Tensor, next_log_probs: Tensor) -> _Beams:
    return _best(log_probs[:, None] + next_log_probs)


def _cases() -> tuple[Case, ...]:
    def draw(m: int, v: int, dtype: torch.dtype = torch.float32) -> dict[str, Tensor]:
        return {
            "log_probs": -_normal(m, dtype=dtype).abs().sort().values,
            "next_log_probs": _normal(m, v, dtype=dtype).log_softmax(dim=-1),
        }

    two = torch.tensor([0.6, 0.4], dtype=torch.float64).log()
    words = torch.tensor([[0.35, 0.33, 0.32], [0.05, 0.85, 0.1]], dtype=torch.float64).log()
    return (
        Case(
            "two beams of 0.6 and 0.4; the second has better continuations",
            {"log_probs": two, "next_log_probs": words},
        ),
        Case(
            "the best two come from the first beam",
            {"log_probs": torch.tensor([-0.1, -9.0]), "next_log_probs": words.float()},
        ),
        Case("M=3, V=5", draw(3, 5)),
        Case("float64, M=4, V=7", draw(4, 7, torch.float64)),
        Case("one beam: greedy search, V=6", draw(1, 6)),
        Case("more beams than words, M=4, V=3", draw(4, 3)),
    )


def _each_its_best(log_probs: Tensor, next_log_probs: Tensor) -> _Beams:
    costs, words = next_log_probs.max(dim=-1)
    order = (log_probs + costs).argsort(descending=True)
    return order, words[order], (log_probs + costs)[order]


def _divided_by_beams(log_probs: Tensor, next_log_probs: Tensor) -> _Beams:
    scores = log_probs[:, None] + next_log_probs
    best = scores.flatten().topk(len(scores))
    return best.indices // len(scores), best.indices % len(scores), best.values


_MISTAKES = mistakes(
    _each_its_best,
    "Every beam is continued with its own best word. Compare all continuations: the best ones may "
    "come from one beam.",
    lambda old, new: _best(new),
    "You ignore the log-probability of each beam so far: only the next word counts.",
    lambda log_probs, next_log_probs: _best(log_probs[:, None] * next_log_probs),
    "You multiplied the logarithms. Probabilities are multiplied, so their logarithms are added.",
    _divided_by_beams,
    "You divided the index by the number of beams. In the flattened table each beam has V entries, "
    "one for each word.",
    lambda old, new: tuple(part.flip(0) for part in _reference(old, new)),
    "The worst of the kept continuations is first. Put the best first.",
    lambda old, new: (*_reference(old, new)[:2], new.flatten()[_flat(old, new)]),
    "The log-probabilities are those of the last words alone. Return those of the whole prefixes.",
)


def _flat(old: Tensor, new: Tensor) -> Tensor:
    beams, words, _ = _reference(old, new)
    return beams * new.shape[1] + words


def _by_sorting(log_probs: Tensor, next_log_probs: Tensor) -> _Beams:
    totals = {
        (beam, word): log_probs[beam] + next_log_probs[beam, word]
        for beam in range(len(log_probs))
        for word in range(next_log_probs.shape[1])
    }
    best = sorted(totals, key=lambda place: -totals[place])[: len(log_probs)]
    beams, words = zip(*best, strict=True)
    return torch.tensor(beams), torch.tensor(words), torch.stack([totals[place] for place in best])


def _by_unravelling(log_probs: Tensor, next_log_probs: Tensor) -> _Beams:
    totals = log_probs.unsqueeze(1) + next_log_probs
    order = totals.reshape(-1).argsort(descending=True)[: len(log_probs)]
    beams, words = torch.unravel_index(order, totals.shape)
    return beams, words, totals[beams, words]


def _draw(draw: Draw) -> Inputs:
    beams, words = draw.size(), draw.size()
    return -draw.normal(beams).abs(), draw.normal(beams, words).log_softmax(dim=-1)


extend_beams = Exercise(
    name="decoding.extend_beams",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_sorting, _by_unravelling),
    draw=_draw,
    hint_texts=(
        "M beams with V words each make M·V candidates. What is the log-probability of each?",
        "Add log_probs as a column, flatten the table, and find its M largest entries with topk.",
        "best = (log_probs[:, None] + next_log_probs).flatten().topk(M); best.indices // V is the "
        "beam, best.indices % V the word.",
    ),
    starter='''\
def extend_beams(log_probs, next_log_probs):
    """The best continuations: (M,), (M, V) -> three tensors (M,)."""
    ...  # M = len(log_probs); best first; a score is a log-probability
''',
)
