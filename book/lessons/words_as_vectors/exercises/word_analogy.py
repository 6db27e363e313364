"""The row nearest to a − b + c, by cosine, and never a, b or c."""

import torch
import torch.nn.functional as F
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("words_as_vectors.word_analogy")


def _cosines(vectors: Tensor, a: int, b: int, c: int) -> Tensor:
    unit = F.normalize(vectors, dim=1)
    return unit @ (unit[a] - unit[b] + unit[c])


def _best(scores: Tensor, *left_out: int, low: float = -torch.inf) -> int:
    """Return the row of the largest score, where those left out have a low one."""
    scores[list(left_out)] = low
    return int(scores.argmax())


def _reference(vectors: Tensor, a: int, b: int, c: int) -> int:
    return _best(_cosines(vectors, a, b, c), a, b, c)


def _cases() -> tuple[Case, ...]:
    # Four nations as country, capital; one long vector of a word that is everywhere.
    small = torch.tensor([[1.0, 0, 0], [1, 0, 1], [0, 1, 0], [0, 1, 1], [-1, 0, 0], [6, 6, 9]])

    def case(name: str, vectors: Tensor, a: int, b: int, c: int) -> Case:
        return Case(name, {"vectors": vectors, "a": a, "b": b, "c": c})

    def random(rows: int, width: int) -> Tensor:
        lengths = _normal(rows, 1, dtype=torch.float64).exp()
        return lengths * _normal(rows, width, dtype=torch.float64)

    behind = torch.tensor([[3.0, 1], [3, -1], [5, 0], [-1, -0.5], [-2, 2]], dtype=torch.float64)
    far = torch.tensor([[1, 0.1], [-1, 0.1], [1, -0.1], [-1, 0], [-1, 0.3], [-1, -0.5]])
    return (
        case("two countries and their capitals, and a long vector", small, 1, 0, 2),
        case("the same, asked for a country", small, 0, 1, 3),
        case("a is b, so that c itself would be nearest", small, 4, 4, 0),
        case("all others point the other way", behind, 0, 1, 2),
        *(case(f"{n} words of width {d}", random(n, d), a, b, c) for n, d, a, b, c in _DRAWN),
        case("all others point the other way, and b with them", far, 0, 1, 2),
    )


_DRAWN = ((12, 3, 4, 9, 0), (30, 4, 7, 2, 29), (40, 2, 0, 1, 2), (9, 6, 8, 3, 8), (50, 3, 11, 5, 0))


def _raw_sum(vectors: Tensor, a: int, b: int, c: int) -> int:
    cosines = F.normalize(vectors, dim=1) @ (vectors[a] - vectors[b] + vectors[c])
    return _best(cosines, a, b, c)


def _place_among_the_rest(vectors: Tensor, a: int, b: int, c: int) -> int:
    rest = [row for row in range(len(vectors)) if row not in (a, b, c)]
    return int(_cosines(vectors, a, b, c)[rest].argmax())


_MISTAKES = mistakes(
    lambda vectors, a, b, c: _best(_cosines(vectors, a, b, c)),
    "The result is one of the three words of the question. Leave them out before you search for "
    "the largest cosine.",
    lambda vectors, a, b, c: _best(_cosines(vectors, a, b, c), c),
    "Not all three words of the question are left out. None of them may be the result.",
    lambda vectors, a, b, c: _best(vectors @ (vectors[a] - vectors[b] + vectors[c]), a, b, c),
    "These are dot products, whose size grows with the lengths of the vectors. A cosine "
    "divides by the lengths: bring all vectors to length 1 first.",
    _raw_sum,
    "The vectors are added with their own lengths. Bring all of them to length 1 before you "
    "add them.",
    lambda vectors, a, b, c: _reference(vectors, b, a, c),
    "The signs are exchanged: this is b − a + c.",
    lambda vectors, a, b, c: _best(_cosines(vectors, a, b, c), a, b, c, low=0),
    "A cosine of 0 does not leave a word out: where all others are negative, it is the "
    "largest. Put −∞ there.",
    _place_among_the_rest,
    "This index counts only the words that are left. Return the row in the whole table.",
    lambda vectors, a, b, c: _best(_cosines(vectors, a, b, c), a, b, c, low=-1),
    "A score of −1 need not be the lowest: a − b + c may be longer than 1. Put −∞ there.",
)


def _by_sorting(vectors: Tensor, a: int, b: int, c: int) -> int:
    unit = vectors / vectors.norm(dim=1, keepdim=True)
    order = F.cosine_similarity(unit, (unit[a] - unit[b] + unit[c])[None]).argsort(descending=True)
    return next(row for row in order.tolist() if row not in (a, b, c))


def _by_mask(vectors: Tensor, a: int, b: int, c: int) -> int:
    rows = torch.arange(len(vectors))
    asked = (rows == a) | (rows == b) | (rows == c)
    return int(_cosines(vectors, a, b, c).masked_fill(asked, -3).argmax())


def _draw(draw: Draw) -> Inputs:
    rows, width = draw.size(4, 12), draw.size(2, 5)
    vectors = draw.normal(rows, width) * draw.normal(rows, 1).exp()
    a, b, c = (draw.size(0, rows - 1) for _ in range(3))
    return vectors, a, b, c


word_analogy = Exercise(
    name="words_as_vectors.word_analogy",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_sorting, _by_mask),
    draw=_draw,
    hint_texts=(
        "Which lengths must not matter? And which rows are nearest to the sum, but must not be the "
        "result?",
        "Divide every row by its length. Then a dot product with the sum orders the rows as their "
        "cosines do. Put −∞ at a, b and c, and take argmax.",
        "unit = vectors / vectors.norm(dim=1, keepdim=True), scores = unit @ (unit[a] - unit[b] + "
        "unit[c]), scores[[a, b, c]] = -torch.inf, and int(scores.argmax()).",
    ),
    starter='''\
def word_analogy(vectors, a, b, c):
    """The row of vectors (V, D) nearest to a - b + c, as an int."""
    ...  # by cosine, and none of the three rows themselves
''',
)
