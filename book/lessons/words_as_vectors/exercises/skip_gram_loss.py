"""Find the bug: a softmax that runs over the batch."""

import torch
from torch import Tensor

from lessons.kit.exercises import GRADIENT, Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("words_as_vectors.skip_gram_loss")


def _picked(logs: Tensor, contexts: Tensor) -> Tensor:
    return logs[torch.arange(len(contexts)), contexts]


def _reference(inputs: Tensor, outputs: Tensor, middles: Tensor, contexts: Tensor) -> Tensor:
    logs = (inputs[middles] @ outputs.T).log_softmax(dim=1)
    return -_picked(logs, contexts).mean()


def _cases() -> tuple[Case, ...]:
    def case(
        name: str, inputs: Tensor, outputs: Tensor, middles: list[int], contexts: list[int]
    ) -> Case:
        pairs = {"middles": torch.tensor(middles), "contexts": torch.tensor(contexts)}
        return Case(name, {"inputs": inputs, "outputs": outputs, **pairs})

    def random(words: int, width: int, size: float = 1.0) -> tuple[Tensor, Tensor]:
        first, second = (size * _normal(words, width, dtype=torch.float64) for _ in range(2))
        return first, second

    small = torch.tensor([[1.0, 0], [0, 1], [1, 1]]), torch.tensor([[2.0, 0], [0, 2], [0, 0]])
    return (
        case("two pairs, three words", *small, [0, 1], [0, 2]),
        case("four pairs, five words of width 3", *random(5, 3), [4, 4, 0, 2], [1, 0, 3, 3]),
        case("as many pairs as words", *random(4, 4), [3, 1, 1, 0], [2, 2, 0, 3]),
        case("one pair", *random(6, 2), [5], [0]),
        case("logits of thousands", *random(3, 5, size=40.0), [0, 2, 1, 1], [1, 1, 0, 2]),
    )


def _over_everything(inputs: Tensor, outputs: Tensor, middles: Tensor, contexts: Tensor) -> Tensor:
    logits = inputs[middles] @ outputs.T
    return -_picked(logits - logits.flatten().logsumexp(dim=0), contexts).mean()


def _only_the_batch(inputs: Tensor, outputs: Tensor, middles: Tensor, contexts: Tensor) -> Tensor:
    logs = (inputs[middles] @ outputs[contexts].T).log_softmax(dim=1)
    return -logs.diagonal().mean()


def _by_powers(inputs: Tensor, outputs: Tensor, middles: Tensor, contexts: Tensor) -> Tensor:
    powers = (inputs[middles] @ outputs.T).exp()
    return -_picked(powers / powers.sum(dim=1, keepdim=True), contexts).log().mean()


_MISTAKES = mistakes(
    lambda i, o, m, c: -_picked((i[m] @ o.T).log_softmax(dim=0), c).mean(),
    "The softmax runs down the batch, so a word's probabilities depend on the other pairs of "
    "the batch. The words are the last axis: dim=1.",
    _over_everything,
    "One softmax over the whole table: the probabilities of all pairs together sum to 1. Each row "
    "must sum to 1 by itself.",
    lambda i, o, m, c: -(i[m] @ o.T).log_softmax(dim=1)[:, c].mean(),
    "logs[:, contexts] takes every context for every row, a table of N times N. Pair the "
    "rows with torch.arange.",
    _only_the_batch,
    "The softmax runs over the context words of this batch only. It should run over all words.",
    lambda i, o, m, c: _reference(o, i, m, c),
    "The tables are exchanged: the middle is read from inputs, the context guessed by outputs.",
    lambda i, o, m, c: _reference(i, i, m, c),
    "One table is used twice. A word has one vector to be read and another to be guessed.",
    _by_powers,
    "exp leaves the range of floats for logits far from 0: it becomes inf, or 0. Let "
    "log_softmax do both steps at once.",
)


def _by_log_sum_exp(inputs: Tensor, outputs: Tensor, middles: Tensor, contexts: Tensor) -> Tensor:
    scores = (inputs[middles] * outputs[contexts]).sum(dim=1)
    return ((inputs[middles] @ outputs.T).logsumexp(dim=1) - scores).mean()


def _by_pytorch(inputs: Tensor, outputs: Tensor, middles: Tensor, contexts: Tensor) -> Tensor:
    return torch.nn.functional.cross_entropy(inputs[middles] @ outputs.T, contexts)


def _draw(draw: Draw) -> Inputs:
    words, width, count = draw.size(2), draw.size(), draw.size()
    inputs, outputs = draw.normal(words, width, size=draw.scale()), draw.normal(words, width)
    middles, contexts = (
        torch.tensor([draw.size(0, words - 1) for _ in range(count)]) for _ in range(2)
    )
    return inputs, outputs, middles, contexts


skip_gram_loss = Exercise(
    name="words_as_vectors.skip_gram_loss",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_log_sum_exp, _by_pytorch),
    draw=_draw,
    hint_texts=(
        "Print the probabilities of one pair, logs[0].exp(). What should they sum to?",
        "logits has a row for each pair and a column for each word of the vocabulary. Along which "
        "axis must the softmax run?",
        "Write log_softmax(dim=1).",
    ),
    starter='''\
def skip_gram_loss(inputs, outputs, middles, contexts):
    """Mean of -ln p(context | middle) over N pairs; tables (V, D)."""
    logits = inputs[middles] @ outputs.T
    logs = logits.log_softmax(dim=0)
    return -logs[torch.arange(len(middles)), contexts].mean()
''',
    remarks=(GRADIENT,),
)
