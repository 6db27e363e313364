"""The heart of BLEU: how many n-grams of a translation its reference has as well."""

from collections import Counter

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes
from transformer_lite.text.bleu import ngrams


def _grams(ids: Tensor, n: int) -> Counter[tuple[int, ...]]:
    words = ids.tolist()
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def _reference(translation: Tensor, reference: Tensor, n: int) -> tuple[int, int]:
    ours, true = (ngrams([str(i) for i in ids.tolist()], n) for ids in (translation, reference))
    return (ours & true).total(), ours.total()


def _cases() -> tuple[Case, ...]:
    the, cat, sat, on, mat, a = 4, 5, 6, 7, 8, 9
    texts = {
        "the cat sat on the mat, n=1": (
            [the, cat, sat, on, the, mat],
            [the, cat, sat, on, a, mat],
            1,
        ),
        "the same, n=2": ([the, cat, sat, on, the, mat], [the, cat, sat, on, a, mat], 2),
        "one word again and again": ([the] * 4, [the, cat, sat, on, the, mat], 1),
        "the longer reference": ([the, cat], [the, cat, sat, on, the, mat], 2),
        "the longer translation": ([the, cat, sat, on, the, mat, a], [cat, sat, on], 3),
        "n=4, all right": ([the, cat, sat, on, a], [the, cat, sat, on, a], 4),
        "too short for n=4": ([the, cat, sat], [the, cat, sat], 4),
        "two words, n=4": ([the, cat], [the, cat], 4),
        "the same words in another order": ([the, mat, cat, sat], [the, cat, sat, mat], 2),
        "a pair the other way round": ([cat, the, sat], [the, cat, sat], 2),
        "one word too many in front": ([a, the, cat, sat], [the, cat, sat, on], 2),
        "a pair that stands twice": ([on, a, on, a, on], [on, a, on], 2),
        "the reference repeats": ([on, a], [on, a, on, a, on], 2),
    }
    return tuple(
        Case(name, {"translation": torch.tensor(ours), "reference": torch.tensor(true), "n": n})
        for name, (ours, true, n) in texts.items()
    )


def _not_cut(translation: Tensor, reference: Tensor, n: int) -> tuple[int, int]:
    ours, true = _grams(translation, n), _grams(reference, n)
    return sum(count for gram, count in ours.items() if gram in true), ours.total()


def _as_sets(translation: Tensor, reference: Tensor, n: int) -> tuple[int, int]:
    ours, true = set(_grams(translation, n)), set(_grams(reference, n))
    return len(ours & true), len(ours)


def _as_sets_over_all(translation: Tensor, reference: Tensor, n: int) -> tuple[int, int]:
    return _as_sets(translation, reference, n)[0], _grams(translation, n).total()


def _recall(translation: Tensor, reference: Tensor, n: int) -> tuple[int, int]:
    return _reference(translation, reference, n)[0], _grams(reference, n).total()


def _place_by_place(translation: Tensor, reference: Tensor, n: int) -> tuple[int, int]:
    ours, true = translation.tolist(), reference.tolist()
    grams = range(len(ours) - n + 1)
    return sum(ours[i : i + n] == true[i : i + n] for i in grams), len(grams)


def _in_any_order(translation: Tensor, reference: Tensor, n: int) -> tuple[int, int]:
    ours, true = (
        Counter(tuple(sorted(gram)) for gram in _grams(ids, n).elements())
        for ids in (translation, reference)
    )
    return (ours & true).total(), ours.total()


def _one_short(translation: Tensor, reference: Tensor, n: int) -> tuple[int, int]:
    ours, true = _grams(translation[:-1], n), _grams(reference[:-1], n)
    return (ours & true).total(), ours.total()


def _up_to_n(translation: Tensor, reference: Tensor, n: int) -> tuple[int, int]:
    counts = [_reference(translation, reference, k) for k in range(1, n + 1)]
    return sum(right for right, _ in counts), sum(total for _, total in counts)


_MISTAKES = mistakes(
    _not_cut,
    "“the the the the” gets every word right this way. An n-gram counts at most as often as "
    "the reference has it.",
    _as_sets,
    "Each n-gram counts once here, however often it stands there. Count them, and keep the "
    "smaller count.",
    _as_sets_over_all,
    "The total is right. Of the right ones each counts once here: keep the smaller of both counts.",
    _recall,
    "The total is that of the reference, which would be recall; or the two have changed "
    "places. BLEU divides by the n-grams of the translation; what is missing costs through the "
    "brevity penalty.",
    _place_by_place,
    "The n-grams are compared place by place. One word too many would make all that follow "
    "wrong: an n-gram may stand anywhere in the reference.",
    _in_any_order,
    "The order inside an n-gram is lost: “cat the” counts as “the cat”. Compare the words one "
    "after the other.",
    _up_to_n,
    "The shorter n-grams are counted as well. BLEU takes each n by itself, and a mean at the end.",
    _one_short,
    "The last n-gram of each text is missing: there are len(words) − n + 1 of them.",
)


def _by_removing(translation: Tensor, reference: Tensor, n: int) -> tuple[int, int]:
    ours, true = translation.tolist(), reference.tolist()
    left = [true[i : i + n] for i in range(len(true) - n + 1)]
    right, total = 0, max(0, len(ours) - n + 1)
    for i in range(total):
        if ours[i : i + n] in left:
            left.remove(ours[i : i + n])
            right += 1
    return right, total


def _by_minimum(translation: Tensor, reference: Tensor, n: int) -> tuple[int, int]:
    ours, true = _grams(translation, n), _grams(reference, n)
    return sum(min(count, true[gram]) for gram, count in ours.items()), sum(ours.values())


def _draw(draw: Draw) -> Inputs:
    texts = [
        torch.tensor([draw.choice(4, 5, 6, 7) for _ in range(draw.size(1, 9))]) for _ in range(2)
    ]
    return *texts, draw.size(1, 4)


ngram_counts = Exercise(
    name="training_a_translator.ngram_counts",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_removing, _by_minimum),
    draw=_draw,
    hint_texts=(
        "How many pairs of neighbors do six words have? And how often may a word be right that the "
        "reference has twice?",
        "Count the n-grams of both texts with a Counter. An n-gram is right as often as the "
        "smaller of its two counts.",
        "words = translation.tolist(), and ours counts tuple(words[i:i + n]) for i in "
        "range(len(words) - n + 1). The same for the reference; then (ours & true).total() and "
        "ours.total().",
    ),
    starter='''\
def ngram_counts(translation, reference, n):
    """How many n-grams of ids (C,) are right, and how many it has."""
    ...  # return two whole numbers
''',
)
