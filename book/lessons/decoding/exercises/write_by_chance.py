"""Build the generation loop: from logits to a text, sampling one word at a time."""

from collections.abc import Callable

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers
from lessons.kit.exercises.outcome import TensorFunction

_normal = normal_numbers("decoding.write_by_chance")


def _drawn(logits: Tensor, u: float, temperature: float) -> int:
    """Return the first word whose cumulative probability is more than u."""
    reached = (logits / temperature).softmax(dim=-1).cumsum(dim=-1) > u
    return int(reached.int().argmax()) if reached.any() else len(logits) - 1


def _loop(
    choose: Callable[[Tensor, float, float], int] = _drawn,
    context: Callable[[list[int]], tuple[int, int]] = lambda text: (text[-2], text[-1]),
    ends: bool = True,
    keeps_end: bool = True,
    keeps_start: bool = True,
    one_draw: bool = False,
) -> TensorFunction:
    """Return a generation loop, right or wrong in one part."""

    def write(
        next_logits: Tensor, start: Tensor, draws: Tensor, temperature: float, eos_id: int
    ) -> Tensor:
        text = start.tolist()
        for u in draws.tolist():
            a, b = context(text)
            word = choose(next_logits[a, b], float(draws[0]) if one_draw else u, temperature)
            if ends and word == eos_id and not keeps_end:
                break
            text.append(word)
            if ends and word == eos_id:
                break
        return torch.tensor(text if keeps_start else text[2:], dtype=torch.long)

    return write


def _table(size: int, end: int, dtype: torch.dtype = torch.float32) -> Tensor:
    """Return random logits in which the end token is less likely than other words."""
    logits = 2 * _normal(size, size, size, dtype=dtype)
    logits[..., end] -= 1
    return logits


def _cases() -> tuple[Case, ...]:
    flat = torch.zeros(4, 4, 4, dtype=torch.float64)
    sharp = torch.zeros(4, 4, 4, dtype=torch.float64)
    for a in range(4):
        for b in range(4):
            sharp[a, b, (2 * a + b + 1) % 3] = 3.0
    inputs = {
        "four equally likely words": (flat, (0, 1), (0.1, 0.6, 0.3, 0.9, 0.2), 1.0, 3),
        "the text ends before all draws are used": (sharp, (0, 0), (0.5, 0.99, 0.1, 0.2), 1.0, 3),
        "no draws, only the start": (flat, (2, 1), (), 1.0, 3),
        "random logits, temperature 1": (_table(6, 5), (0, 3), _numbers(8), 1.0, 5),
        "temperature 0.5": (_table(6, 5), (1, 2), _numbers(8), 0.5, 5),
        "temperature 2": (_table(6, 0), (4, 2), _numbers(8), 2.0, 0),
        "the start contains the end token": (_table(5, 2), (1, 2), _numbers(6), 1.0, 2),
        "float64, temperature 0.25": (_table(7, 6, torch.float64), (3, 3), _numbers(9), 0.25, 6),
    }
    names = "next_logits", "start", "draws", "temperature", "eos_id"
    return tuple(
        Case(
            name,
            dict(
                zip(
                    names,
                    (
                        logits,
                        torch.tensor(start),
                        torch.tensor(draws, dtype=torch.float64),
                        temperature,
                        end,
                    ),
                    strict=True,
                )
            ),
        )
        for name, (logits, start, draws, temperature, end) in inputs.items()
    )


def _numbers(count: int) -> list[float]:
    """Return numbers from 0 to 1 that look drawn at random."""
    generator = torch.Generator().manual_seed(count)
    return [round(u, 3) for u in torch.rand(count, generator=generator).tolist()]


def _by_sorting(logits: Tensor, u: float, temperature: float) -> int:
    ordered, order = (logits / temperature).softmax(dim=-1).sort(descending=True)
    return int(order[min(int((ordered.cumsum(dim=-1) <= u).sum()), len(logits) - 1)])


_MISTAKES = mistakes(
    _loop(lambda logits, u, t: int(logits.argmax())),
    "You always choose the most probable word. That is greedy decoding, and the draws are not "
    "used.",
    _loop(lambda logits, u, t: _drawn(logits, u, 1 / t)),
    "You multiply the logits by the temperature. Divide them by it.",
    _loop(lambda logits, u, t: _drawn(logits, u, 1.0)),
    "The temperature is not used.",
    _loop(context=lambda text: (text[0], text[1])),
    "You use the logits after the start in every step. Append each word, and use the logits after "
    "the last two words.",
    _loop(context=lambda text: (text[-1], text[-2])),
    "The last two words are in the wrong order: next_logits[a, b] follow a and then b.",
    _loop(ends=False),
    "The loop does not stop at the end token.",
    _loop(keeps_end=False),
    "The end token is missing from the result. Append it, then stop.",
    _loop(keeps_start=False),
    "The start is missing from the result.",
    _loop(one_draw=True),
    "Every word uses the first draw. Use the next draw in each step.",
    _loop(_by_sorting),
    "You sort the words by probability before you add. Add the probabilities in the order of the "
    "ids.",
)


def _with_searchsorted(
    next_logits: Tensor, start: Tensor, draws: Tensor, temperature: float, eos_id: int
) -> Tensor:
    text = start
    for u in draws:
        sums = (next_logits[text[-2], text[-1]] / temperature).softmax(dim=0).cumsum(dim=0)
        place = torch.searchsorted(sums, u.to(sums.dtype), right=True)
        text = torch.cat([text, place.clamp(max=len(sums) - 1)[None]])
        if text[-1] == eos_id:
            break
    return text


def _by_counting(
    next_logits: Tensor, start: Tensor, draws: Tensor, temperature: float, eos_id: int
) -> Tensor:
    a, b = start.tolist()
    words = [a, b]
    for u in draws.tolist():
        weights = (next_logits[a, b] / temperature).exp().tolist()
        left, word = u * sum(weights), 0
        while word < len(weights) - 1 and left >= weights[word]:
            left, word = left - weights[word], word + 1
        words.append(word)
        a, b = b, word
        if word == eos_id:
            break
    return torch.tensor(words)


def _draw(draw: Draw) -> Inputs:
    size = draw.size(3, 7)
    start = torch.tensor([draw.size(0, size - 1), draw.size(0, size - 1)])
    draws = torch.rand(draw.size(1, 8), generator=draw.random, dtype=torch.float64)
    temperature = draw.choice(0.5, 1.0, 2.0)
    return draw.normal(size, size, size), start, draws, temperature, draw.size(0, size - 1)


write_by_chance = Exercise(
    name="decoding.write_by_chance",
    reference=_loop(),
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_with_searchsorted, _by_counting),
    draw=_draw,
    hint_texts=(
        "Which four things happen for each word, from the logits to the decision to stop?",
        "For each draw: divide the logits after the last two words by the temperature, then apply "
        "softmax and cumsum. Choose the first word whose cumulative sum is greater than the draw.",
        "probabilities = (next_logits[text[-2], text[-1]] / temperature).softmax(dim=-1); "
        "word = int((probabilities.cumsum(dim=-1) > u).int().argmax()); append it, and break if it "
        "is eos_id.",
    ),
    starter='''\
def write_by_chance(next_logits, start, draws, temperature, eos_id):
    """Write a text: (V, V, V), (2,), (N,) -> ids of the start and the words."""
    ...  # one word for each draw, until the end token
''',
)
