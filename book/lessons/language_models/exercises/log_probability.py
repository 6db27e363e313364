"""Find the bug: the probability of a long sentence, as a product of floats."""

from collections.abc import Callable, Iterable

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("language_models.log_probability")


def _steps(table: Tensor, sentence: Tensor) -> Iterable[tuple[int, int]]:
    words = sentence.tolist()
    return zip([0, *words], [*words, len(table) - 1], strict=True)


def _chances(table: Tensor, sentence: Tensor) -> Tensor:
    return torch.stack([table[before, after] for before, after in _steps(table, sentence)])


def _reference(table: Tensor, sentence: Tensor) -> Tensor:
    return _chances(table, sentence).double().log().sum().to(table.dtype)


def _cases() -> tuple[Case, ...]:
    # ⟨begin⟩, dog, man, ⟨end⟩
    small = torch.tensor([[0, 0.5, 0.5, 0], [0, 0, 0.25, 0.75], [0, 0.5, 0, 0.5], [0, 0, 0, 0]])

    def table(size: int, dtype: torch.dtype = torch.float32) -> Tensor:
        rows = _normal(size, size, dtype=dtype).softmax(dim=1)
        rows[:, 0] = 0
        rows = rows / rows.sum(dim=1, keepdim=True)
        rows[-1] = 0
        return rows

    def words(length: int, size: int) -> Tensor:
        return (_normal(length).abs() * 97).long() % (size - 2) + 1

    def case(name: str, rows: Tensor, sentence: Tensor) -> Case:
        return Case(name, {"table": rows, "sentence": sentence})

    return (
        case("dog man", small, torch.tensor([1, 2])),
        case("a sentence of 400 words", table(12), words(400, 12)),
        case("float64, 2,000 words", table(9, torch.float64), words(2000, 9)),
        case("dog dog, which was never seen", small, torch.tensor([1, 1])),
        case("one word", table(5), torch.tensor([3])),
        case("no word: only the end", table(4), torch.tensor([], dtype=torch.int64)),
        case("five words, float64", table(7, torch.float64), words(5, 7)),
    )


def _of(change: Callable[[Tensor], Tensor]) -> Callable[[Tensor, Tensor], Tensor]:
    """Return the sum of the logarithms of some of the chances, or of others."""
    return lambda table, sentence: change(_chances(table, sentence)).log().sum()


_MISTAKES = mistakes(
    lambda table, sentence: _chances(table, sentence).cumprod(dim=0)[-1].log(),
    "The product of many probabilities can be smaller than the smallest float. Then it "
    "becomes 0, whose logarithm is −∞. Take the logarithm of each, and add.",
    lambda table, sentence: _chances(table, sentence).cumprod(0)[-1].clamp(min=1e-30).log(),
    "The product is still 0, and an arbitrary small number replaces it. Add the logarithms.",
    _of(lambda chances: chances[:-1]),
    "The ⟨end⟩ is not scored: this is the probability of a prefix, not of a sentence.",
    _of(lambda chances: chances[1:]),
    "The first word is not scored. Its context is ⟨begin⟩.",
    lambda table, sentence: _reference(table, sentence) + table[0, 0].log(),
    "Every sentence gets −∞. Is ⟨begin⟩ scored as a word? It is a context only: its column of the "
    "table is 0. The same happens if rows and columns are exchanged.",
    _of(lambda chances: chances[chances > 0]),
    "Words of probability 0 are skipped, so an impossible sentence looks possible. The "
    "logarithm of 0 is −∞, and so is the sum.",
    lambda table, sentence: _reference(table, sentence) / (len(sentence) + 1),
    "This is the mean for each word. Return the logarithm of the probability of the whole "
    "sentence.",
)


def _by_indexing(table: Tensor, sentence: Tensor) -> Tensor:
    before = torch.cat([sentence.new_tensor([0]), sentence])
    after = torch.cat([sentence, sentence.new_tensor([len(table) - 1])])
    return table.log()[before, after].sum()


def _word_by_word(table: Tensor, sentence: Tensor) -> Tensor:
    total, before = table.new_zeros(()), 0
    for word in [*sentence.tolist(), len(table) - 1]:
        total = total + table[before, word].log()
        before = word
    return total


def _draw(draw: Draw) -> Inputs:
    size = draw.size(3, 7)
    table = draw.normal(size, size).softmax(dim=1)
    if draw.choice(True, False):
        table[1, 1] = 0
    table[:, 0] = 0
    table = table / table.sum(dim=1, keepdim=True)
    table[-1] = 0
    length = draw.choice(0, 1, 3, 8, 1500)
    return table, torch.tensor([draw.size(1, size - 2) for _ in range(length)], dtype=torch.int64)


log_probability = Exercise(
    name="language_models.log_probability",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_indexing, _word_by_word),
    draw=_draw,
    hint_texts=(
        "Print the probability inside the loop, for the sentence of 400 words. When does it change "
        "for the last time?",
        "The logarithm of a product is the sum of the logarithms. Which of the two can a float "
        "store?",
        "Begin with total = 0, and add table[before, word].log() in the loop.",
    ),
    starter='''\
def log_probability(table, sentence):
    """ln p of a sentence of ids (T,): table (N, N), 0 begin, N - 1 end."""
    probability, before = torch.ones((), dtype=table.dtype), 0
    for word in [*sentence.tolist(), len(table) - 1]:
        probability = probability * table[before, word]
        before = word
    return probability.log()
''',
)
