"""Count how many n-grams of a translation are also in its reference, as BLEU does."""

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
        "one word repeated": ([the] * 4, [the, cat, sat, on, the, mat], 1),
        "the longer reference": ([the, cat], [the, cat, sat, on, the, mat], 2),
        "the longer translation": ([the, cat, sat, on, the, mat, a], [cat, sat, on], 3),
        "n=4, all right": ([the, cat, sat, on, a], [the, cat, sat, on, a], 4),
        "too short for n=4": ([the, cat, sat], [the, cat, sat], 4),
        "two words, n=4": ([the, cat], [the, cat], 4),
        "the same words in another order": ([the, mat, cat, sat], [the, cat, sat, mat], 2),
        "a pair in reverse order": ([cat, the, sat], [the, cat, sat], 2),
        "an extra word at the beginning": ([a, the, cat, sat], [the, cat, sat, on], 2),
        "a pair that occurs twice": ([on, a, on, a, on], [on, a, on], 2),
        "the reference repeats words": ([on, a], [on, a, on, a, on], 2),
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
    "This way every word of “the the the the” counts as right. Count an n-gram at most as often as "
    "it occurs in the reference.",
    _as_sets,
    "You count each n-gram once, however often it occurs. Count all occurrences, and keep the "
    "smaller count.",
    _as_sets_over_all,
    "The total is right. But you count each matching n-gram once: keep the smaller of the two "
    "counts.",
    _recall,
    "The total is that of the reference, which would be recall, or you swapped the two numbers. "
    "BLEU divides by the n-grams of the translation. Its brevity penalty lowers the score of a "
    "translation that is too short.",
    _place_by_place,
    "You compare the n-grams position by position, so one extra word makes all later ones wrong. "
    "An n-gram may occur anywhere in the reference.",
    _in_any_order,
    "You ignore the order inside an n-gram: “cat the” counts as “the cat”. Compare the words in "
    "order.",
    _up_to_n,
    "You count shorter n-grams too. BLEU counts each n separately and takes a mean at the end.",
    _one_short,
    "The last n-gram of each text is missing. There are len(words) − n + 1 n-grams.",
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
        "How many pairs of neighboring words do six words have? If a word occurs twice in the "
        "reference, how often can it count as right?",
        "Count the n-grams of both texts with a Counter. The smaller of its two counts says how "
        "often an n-gram is right.",
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
