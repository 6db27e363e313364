"""A checker that reads the conclusion of an answer, and that no list of colors can satisfy."""

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes


def _reference(answer: str, color: str) -> bool:
    words = answer.split()
    ending = ["so", color, ".", "<end>"]
    return words[-4:] == ending and words.count("so") == 1 and words.count("<end>") == 1


def _last_color(answer: str, color: str) -> bool:
    words = answer.split()
    return "." in words and words.index(".") > 0 and words[words.index(".") - 1] == color


def _after_first_so(answer: str, color: str) -> bool:
    words = answer.split()
    return "so" in words and words[words.index("so") + 1 : words.index("so") + 2] == [color]


def _without_end(answer: str, color: str) -> bool:
    words = [word for word in answer.split() if word != "<end>"]
    return words[-3:] == ["so", color, "."] and words.count("so") == 1


def _many_conclusions(answer: str, color: str) -> bool:
    words = answer.split()
    return words[-4:] == ["so", color, ".", "<end>"] and words.count("<end>") == 1


def _conclusion_lists(answer: str, color: str) -> bool:
    words = answer.split()
    if words.count("so") != 1 or words[-2:] != [".", "<end>"] or words.count("<end>") != 1:
        return False
    return color in words[words.index("so") + 1 :]


def _no_thinking(answer: str, color: str) -> bool:
    return answer.split() == ["so", color, ".", "<end>"]


_MISTAKES = mistakes(
    lambda answer, color: color in answer,
    "You look for the color anywhere in the text. A list of all colors gets the reward, and so "
    "does every answer whose thoughts mention it.",
    lambda answer, color: color in answer.split(),
    "The color may be any word of the answer. A list of all colors gets the reward.",
    _conclusion_lists,
    "You accept several colors in the conclusion: “so red yellow .” gets the reward. It must be "
    "one color and the full stop.",
    _many_conclusions,
    "You accept several conclusions and count the last one. “so red . so yellow .” is "
    "two tries for one question.",
    _after_first_so,
    "You read only the word after “so”. The words after that may take the conclusion back.",
    _without_end,
    "You do not require the end token. An answer that was cut off, or that goes on after "
    "its end, is not finished.",
    _last_color,
    "You read the word before the first full stop. That is often a thought, not the conclusion.",
    lambda answer, color: answer.split()[-3:] == [color, ".", "<end>"],
    "You read the last color, with or without “so”. A list that ends in the right color gets the "
    "reward.",
    _no_thinking,
    "You refuse thoughts before the conclusion. They are allowed.",
)


def _by_parts(answer: str, color: str) -> bool:
    before, so, after = (f" {' '.join(answer.split())} ").partition(" so ")
    return bool(so) and after == f"{color} . <end> " and "<end>" not in before.split()


def _from_the_end(answer: str, color: str) -> bool:
    words = answer.split()
    for wanted in ("<end>", ".", color, "so"):
        if not words or words.pop() != wanted:
            return False
    return "so" not in words and "<end>" not in words


_COLORS = ("yellow", "red", "green", "white")


def _draw(draw: Draw) -> Inputs:
    color = draw.choice(*_COLORS)
    thought = " ".join(
        draw.choice("the", "lemon", "is", "so", ".", "<end>", *_COLORS)
        for _ in range(draw.size(1, 4))
    )
    endings = (
        f"so {color} . <end>",
        f"so {draw.choice(*_COLORS)} . <end>",
        f"so red {color} . <end>",
        f"so {color} .",
        f"{color} . <end>",
        f"so red . so {color} . <end>",
    )
    start = draw.choice("", "the lemon is", thought)
    return f"{start} {draw.choice(*endings)}".strip(), color


_ANSWERS = {
    "a thought and the right conclusion": ("the lemon is yellow . so yellow . <end>", "yellow"),
    "two thoughts and the right conclusion": (
        "it is sour . it is yellow . so yellow . <end>",
        "yellow",
    ),
    "the conclusion alone": ("so yellow . <end>", "yellow"),
    "a wrong conclusion": ("the lemon is yellow . so red . <end>", "yellow"),
    "a list of colors": ("yellow red green . <end>", "green"),
    "a list as the conclusion": ("so red green yellow . <end>", "green"),
    "two conclusions, the last is right": ("so red . so yellow . <end>", "yellow"),
    "two conclusions, the first is right": ("so yellow . so red . <end>", "yellow"),
    "the conclusion is taken back": ("so yellow is red . <end>", "yellow"),
    "cut off before the end": ("the lemon is yellow . so yellow .", "yellow"),
    "it goes on after the end": ("so red . <end> so yellow . <end>", "yellow"),
    "an end inside the thoughts": ("the lemon <end> so yellow . <end>", "yellow"),
    "no conclusion": ("the lemon is yellow . <end>", "yellow"),
    "a word that contains the color": ("it is yellowish . so yellowish . <end>", "yellow"),
    "a right answer after a wrong thought": ("it is red . so yellow . <end>", "yellow"),
    "nothing": ("", "yellow"),
}

concludes = Exercise(
    name="from_continuing_to_answering.concludes",
    reference=_reference,
    cases=tuple(
        Case(name, {"answer": answer, "color": color}) for name, (answer, color) in _ANSWERS.items()
    ),
    mistakes=_MISTAKES,
    right_answers=(_by_parts, _from_the_end),
    draw=_draw,
    hint_texts=(
        "Play the model: which texts would you write if you did not know the color and wanted the "
        "reward? Does your checker refuse each of them?",
        "Split the answer into words. What must the last four words be, and how often may “so” and "
        "“<end>” occur?",
        'words[-4:] == ["so", color, ".", "<end>"], and words.count("so") and '
        'words.count("<end>") are both 1.',
    ),
    starter='''\
def concludes(answer, color):
    """Whether a finished answer concludes with the right color.

    answer: a text such as "the lemon is yellow . so yellow . <end>".
    The model may think aloud first, in any words. Then it must draw
    one conclusion, and no other: "so", one color, ".", and "<end>",
    with nothing after it. Return True or False.
    """
    ...
''',
)
