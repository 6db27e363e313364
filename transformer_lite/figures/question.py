"""Multiple-choice questions that answer back, on the page and in Jupyter."""

import html

from traitlets import Bool, Dict, Int, List, Unicode

from transformer_lite.figures._base import LiveFigure


class Question(LiveFigure):
    """One question with a few choices; use :func:`question` or :func:`predict` to make one."""

    name = "question"

    prompt = Unicode().tag(sync=True, figure=True)
    choices = List(Dict()).tag(sync=True, figure=True)
    predict = Bool(False).tag(sync=True, figure=True)
    chosen = Int(-1).tag(sync=True, figure=True)

    def picture(self) -> str:
        items = "".join(f"<li>{self._item(choice)}</li>" for choice in self.choices)
        return f"<p><strong>{html.escape(self.prompt)}</strong></p><ul>{items}</ul>"

    def _item(self, choice: dict) -> str:
        """One choice of the picture; a quiz question keeps its feedback folded away."""
        text = html.escape(choice["text"])
        if self.predict:
            return text
        verdict = "Right." if choice["right"] else "Not this one."
        feedback = f"{verdict} {html.escape(choice['feedback'])}"
        return f"<details><summary>{text}</summary>{feedback}</details>"

    def __repr__(self) -> str:
        return f"Question({self.prompt!r})"


def question(prompt: str, *, right: tuple[str, str], wrong: list[tuple[str, str]]) -> Question:
    """Ask a question with one right answer and feedback for every choice.

    The right answer's place among the choices follows from the prompt, the same on every machine.

    Args:
        prompt: the question.
        right: the right choice and what to say to it.
        wrong: the wrong choices, each with what to say to it; at least one.

    Raises:
        ValueError: there is no wrong choice, or two choices read the same.
    """
    texts = [right[0], *(text for text, _ in wrong)]
    if not wrong or len(set(texts)) != len(texts):
        raise ValueError(f"choices must be at least two and all different, got {texts}")
    choices = [{"text": text, "feedback": why, "right": False} for text, why in wrong]
    place = sum(map(ord, prompt)) % (len(choices) + 1)
    choices.insert(place, {"text": right[0], "feedback": right[1], "right": True})
    return Question(prompt=prompt, choices=choices)


def predict(prompt: str, *choices: str) -> Question:
    """Ask for a guess before the next cell computes the answer.

    Args:
        prompt: the question.
        choices: at least two possible answers.

    Raises:
        ValueError: fewer than two choices, or two that read the same.
    """
    if len(choices) < 2 or len(set(choices)) != len(choices):
        raise ValueError(f"choices must be at least two and all different, got {list(choices)}")
    waiting = "Now read on: the next cell computes it."
    return Question(
        prompt=prompt,
        choices=[{"text": text, "feedback": waiting, "right": False} for text in choices],
        predict=True,
    )
