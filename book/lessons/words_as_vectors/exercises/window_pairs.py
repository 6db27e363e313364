"""The examples of skip-gram: each word of a sentence with each word near it."""

from typing import Any

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes

Pairs = list[tuple[Any, Any]]


def _reference(words: list[Any], size: int) -> Pairs:
    side = size // 2
    return [
        (middle, words[j])
        for i, middle in enumerate(words)
        for j in range(max(0, i - side), min(len(words), i + side + 1))
        if j != i
    ]


def _cases() -> tuple[Case, ...]:
    def case(name: str, text: str, size: int) -> Case:
        return Case(name, {"words": text.split(), "size": size})

    return (
        case("we ate pasta in rome, size 3", "we ate pasta in rome", 3),
        case("the same, size 5", "we ate pasta in rome", 5),
        case("a word that occurs near itself", "the cat saw the dog near the the door", 5),
        case("a window as long as the sentence", "a b c d e", 9),
        case("a window longer than the sentence", "one two three", 7),
        case("two words", "hello world", 3),
        case("one word, and so no pair", "hello", 5),
        case("ten words, size 7", "a b c d e f g h i j", 7),
    )


def _around_the_end(words: list[Any], size: int) -> Pairs:
    side = size // 2
    return [
        (middle, words[i + step])
        for i, middle in enumerate(words)
        for step in range(-side, side + 1)
        if step and i + step < len(words)
    ]


def _with_itself(words: list[Any], size: int) -> Pairs:
    side = size // 2
    return [
        (middle, near)
        for i, middle in enumerate(words)
        for near in words[max(0, i - side) : i + side + 1]
    ]


def _only_after(words: list[Any], size: int) -> Pairs:
    side = size // 2
    return [
        (middle, near) for i, middle in enumerate(words) for near in words[i + 1 : i + 1 + side]
    ]


def _bags(words: list[Any], size: int) -> list[Any]:
    side = size // 2
    return [
        (middle, words[max(0, i - side) : i] + words[i + 1 : i + 1 + side])
        for i, middle in enumerate(words)
    ]


_MISTAKES = mistakes(
    _around_the_end,
    "A position before the first word is negative, and a negative index counts from the end of the "
    "list. The window must not begin before 0.",
    _with_itself,
    "The word in the middle is paired with itself. Leave out its position.",
    lambda words, size: [pair for pair in _with_itself(words, size) if pair[0] != pair[1]],
    "A word may occur near itself, as in “the the”. Leave out only the middle position, but keep "
    "other words that are equal to it.",
    lambda words, size: _reference(words, 2 * size + 1),
    "size counts the words of the whole window, so size 5 means two words on each side.",
    _only_after,
    "Only the words after the middle are here. Take those before it, too.",
    _bags,
    "These are the examples of a continuous bag of words: one for each middle, with all of its "
    "context. Skip-gram has a pair for each word of the context.",
)


def _by_slices(words: list[Any], size: int) -> Pairs:
    side, pairs = size // 2, []
    for i in range(len(words)):
        before, after = words[max(i - side, 0) : i], words[i + 1 : i + side + 1]
        pairs += [(words[i], near) for near in before + after]
    return pairs


def _by_distance(words: list[Any], size: int) -> Pairs:
    places = range(len(words))
    return [
        (words[i], words[j]) for i in places for j in places if 0 < abs(i - j) <= (size - 1) // 2
    ]


def _draw(draw: Draw) -> Inputs:
    words = [draw.choice("a", "b", "c", "d") for _ in range(draw.size(1, 8))]
    return words, draw.choice(3, 5, 7, 9)


window_pairs = Exercise(
    name="words_as_vectors.window_pairs",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_slices, _by_distance),
    draw=_draw,
    hint_texts=(
        "Which positions are near position i? Where must they begin and end to stay inside the "
        "sentence?",
        "Go through the positions i. For each, take the positions from max(0, i - size // 2) to i "
        "- 1 and from i + 1 to i + size // 2. Python cuts off a slice that goes past the end of "
        "the list.",
        "near = words[max(0, i - side):i] + words[i + 1:i + 1 + side], and then "
        "pairs += [(words[i], word) for word in near].",
    ),
    starter='''\
def window_pairs(words, size):
    """The pairs (middle, near) of a list of words, as a list of tuples."""
    ...  # size counts the middle, too: 5 means two words on each side
''',
)
