"""Build a beam search: keep the best prefixes, ended or not, until all of them have ended."""

from collections.abc import Callable

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.kit.exercises.outcome import Function

_normal = normal_numbers("decoding.beam_search")
_Beam = tuple[float, list[int]]
_Found = tuple[Tensor, Tensor]


def _sorted(beams: list[_Beam], num_beams: int) -> list[_Beam]:
    return sorted(beams, key=lambda beam: -beam[0])[:num_beams]


def _best_for_each_later(beams: list[_Beam], num_beams: int) -> list[_Beam]:
    """After the first step, keep only the best continuation of each prefix."""
    if max(len(text) for _, text in beams) == 2:
        return _sorted(beams, num_beams)
    kept: dict[tuple[int, ...], _Beam] = {}
    for beam in _sorted(beams, len(beams)):
        kept.setdefault(tuple(beam[1][:-1]), beam)
    return [*kept.values()][:num_beams]


def _has_ended(text: list[int], eos_id: int) -> bool:
    return len(text) > 1 and text[-1] == eos_id


def _search(
    keep: Callable[[list[_Beam], int], list[_Beam]] = _sorted,
    total: Callable[[float, float], float] = lambda so_far, new: so_far + new,
    ended_beams: str = "stay",
    until: Callable[[list[bool]], bool] = all,
    pick: Callable[[list[_Beam]], _Beam] = lambda beams: beams[0],
    fewer: int = 0,
) -> Function:
    """Return a beam search, right or wrong in one part."""

    def search(
        next_log_probs: Tensor, start: int, num_beams: int, eos_id: int, max_len: int
    ) -> _Found:
        rows = next_log_probs.tolist()
        beams: list[_Beam] = [(0.0, [start])]
        length = 1
        while length < max_len - fewer and not until([_has_ended(t, eos_id) for _, t in beams]):
            grown = []
            for score, text in beams:
                if _has_ended(text, eos_id) and ended_beams == "stay":
                    grown.append((score, text))
                elif not _has_ended(text, eos_id) or ended_beams == "go on":
                    grown += [(total(score, p), [*text, w]) for w, p in enumerate(rows[text[-1]])]
            beams, length = keep(grown, num_beams), length + 1
        score, text = pick(beams)
        return torch.tensor(text), torch.tensor(score, dtype=next_log_probs.dtype)

    return search


def _language(size: int, end: int, dtype: torch.dtype = torch.float64) -> Tensor:
    """Return random log-probabilities in which texts do not end at once."""
    logits = 1.5 * _normal(size, size, dtype=dtype)
    logits[:, end] -= 0.5
    return logits.log_softmax(dim=-1)


def _cases() -> tuple[Case, ...]:
    rows = [
        [0.0, 0.6, 0.4, 0.0, 0.0],  # 0, the start: the, a
        [0.0, 0.0, 0.0, 0.55, 0.45],  # 1, the: cat or the end
        [0.0, 0.0, 0.0, 0.9, 0.1],  # 2, a: cat
        [0.1, 0.1, 0.1, 0.0, 0.7],  # 3, cat: the end
        [0.2, 0.2, 0.2, 0.2, 0.2],  # 4, the end
    ]
    small = (torch.tensor(rows, dtype=torch.float64) + 1e-4).log().log_softmax(dim=-1)
    early = torch.tensor(
        [[0.05, 0.5, 0.45], [0.3, 0.3, 0.4], [0.2, 0.7, 0.1]], dtype=torch.float64
    ).log()
    second = torch.full((6, 6), 0.001, dtype=torch.float64)
    second[0, 1:3] = torch.tensor([0.55, 0.45])
    second[1, 3:5] = torch.tensor([0.51, 0.49])  # the second best word leads to the best text
    second[2:4] = 0.16
    second[4, 5] = 0.9
    inputs = {
        "a small language, two beams": (small, 0, 2, 4, 6),
        "two good continuations of one beam": (second.log().log_softmax(dim=-1), 0, 2, 5, 5),
        "one beam: greedy search": (small, 0, 1, 4, 6),
        "a text that ends early, three beams": (early, 0, 3, 2, 6),
        "six words, three beams": (_language(6, 5), 0, 3, 5, 8),
        "eight words, four beams": (_language(8, 2), 3, 4, 2, 7),
        "no text ends in time": (_language(7, 1), 4, 3, 1, 3),
        "the start is the end token": (_language(6, 0), 0, 2, 0, 7),
        "float32, nine words, five beams": (_language(9, 3, torch.float32), 1, 5, 3, 9),
        "room for the start alone": (small, 0, 2, 4, 1),
        "more beams than words": (early, 1, 8, 2, 5),
        "the text begins and ends with the end token": (early, 2, 2, 2, 6),
    }
    names = "next_log_probs", "start", "num_beams", "eos_id", "max_len"
    return tuple(Case(name, dict(zip(names, run, strict=True))) for name, run in inputs.items())


def _per_word(search: Function) -> Function:
    def divided(
        next_log_probs: Tensor, start: int, num_beams: int, eos_id: int, max_len: int
    ) -> _Found:
        text, score = search(next_log_probs, start, num_beams, eos_id, max_len)
        return text, score / max(1, len(text) - 1)

    return divided


def _first_ended(beams: list[_Beam], eos_id: int) -> bool:
    return _has_ended(beams[0][1], eos_id)


def _stopping_at_the_best(
    next_log_probs: Tensor, start: int, num_beams: int, eos_id: int, max_len: int
) -> _Found:
    """Stop when the best beam has ended: no other one can overtake it."""
    beams: list[_Beam] = [(0.0, [start])]
    while len(beams[0][1]) < max_len and not _first_ended(beams, eos_id):
        grown = []
        for score, text in beams:
            if _has_ended(text, eos_id):
                grown.append((score, text))
                continue
            added = next_log_probs[text[-1]].tolist()
            grown += [(score + p, [*text, w]) for w, p in enumerate(added)]
        beams = _sorted(grown, num_beams)
    return torch.tensor(beams[0][1]), next_log_probs.new_tensor(beams[0][0])


def _as_a_table(
    next_log_probs: Tensor, start: int, num_beams: int, eos_id: int, max_len: int
) -> _Found:
    """Give a beam that has ended one continuation of log-probability 0, which is cut off later."""
    size = len(next_log_probs)
    texts, scores = torch.tensor([[start]]), next_log_probs.new_zeros(1)
    for length in range(1, max_len):
        ended = (texts[:, 1:] == eos_id).any(dim=1)
        if ended.all():
            break
        added = next_log_probs[texts[:, -1]].clone()
        added[ended] = -torch.inf
        added[ended, eos_id] = 0.0
        totals = (scores[:, None] + added).flatten()
        scores, places = totals.topk(min(num_beams, int((totals > -torch.inf).sum())))
        texts = torch.cat([texts[places // size], (places % size)[:, None]], dim=1)
        assert texts.shape[1] == length + 1
    best = texts[0].tolist()
    cut = best.index(eos_id, 1) + 1 if eos_id in best[1:] else len(best)
    return torch.tensor(best[:cut]), scores[0]


_MISTAKES = mistakes(
    lambda p, s, m, e, n: _search()(p, s, 1, e, n),
    "This is greedy search: it keeps only one text. Keep num_beams of them, begin with one copy of "
    "the start, and compare the continuations of all beams together.",
    _search(keep=_best_for_each_later),
    "Each beam keeps its own best continuation. Compare the continuations of all beams together. "
    "The best ones may come from one beam.",
    _search(total=lambda so_far, new: new),
    "The score of a continuation is the log-probability of its last word alone. Add the beam's "
    "score to it.",
    _search(total=lambda so_far, new: so_far * new if so_far else new),
    "You multiplied log-probabilities. Add them: their sum is the logarithm of the product of the "
    "probabilities.",
    _search(ended_beams="go on"),
    "You continued a text that has ended. Keep it as it is, with its score.",
    _search(
        until=any,
        pick=lambda beams: (
            max(beams, key=lambda beam: (len(beam[1]), beam[0]))
            if len({len(text) for _, text in beams}) > 1
            else beams[0]
        ),
    ),
    "The search stops as soon as one text has ended. Another one may still become better. Go on "
    "until all kept texts have ended.",
    _search(pick=lambda beams: beams[-1]),
    "You return the last of the beams, not the best.",
    _search(keep=lambda beams, m: sorted(beams, key=lambda beam: beam[0])[:m]),
    "You keep the worst continuations. Log-probabilities are negative, and the best one is nearest "
    "to 0.",
    _per_word(_search()),
    "The score is divided by the number of words. This exercise has no length penalty.",
    _search(fewer=1),
    "The texts are one token shorter than max_len allows. max_len includes the start token.",
)


def _draw(draw: Draw) -> Inputs:
    size = draw.size(3, 8)
    table = (1.5 * draw.normal(size, size)).log_softmax(dim=-1)
    start, end = draw.size(0, size - 1), draw.size(0, size - 1)
    return table, start, draw.size(1, 5), end, draw.size(2, 8)


beam_search = Exercise(
    name="decoding.beam_search",
    reference=_search(),
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_stopping_at_the_best, _as_a_table),
    draw=_draw,
    hint_texts=(
        "Begin with one beam: its tokens are [start], its score is 0. What are the candidates in "
        "the next step, and which of them do you keep?",
        "Keep a list of pairs (score, tokens). A pair that has ended is one candidate, unchanged. "
        "Every other pair has V candidates. Sort all candidates by score, and keep the first "
        "num_beams.",
        "candidates += [(score + p, [*tokens, w]) for w, p in enumerate("
        "next_log_probs[tokens[-1]].tolist())]; beams = sorted(candidates, reverse=True)"
        "[:num_beams]; stop when all have ended or have max_len tokens.",
    ),
    starter='''\
def beam_search(next_log_probs, start, num_beams, eos_id, max_len):
    """The best text that num_beams beams find: its ids (T,), and its score."""
    ...  # next_log_probs[w] are the log-probabilities of the word after w
''',
)
