"""Multiple-choice questions with feedback, on the page and in Jupyter."""

import html
from typing import Any

import numpy as np
import torch
from traitlets import Bool, Dict, Int, List, Unicode

from lessons.kit.figures import LiveFigure

__all__ = ["predict", "question"]

Choice = tuple[str, str] | tuple[str, str, bool | np.bool_ | torch.Tensor]


class Question(LiveFigure):
    """A question with a few choices; :func:`question` and :func:`predict` create it."""

    name = "question"

    prompt = Unicode().tag(sync=True, figure=True)
    choices = List(Dict()).tag(sync=True, figure=True)
    predict = Bool(False).tag(sync=True, figure=True)
    covers = Int(None, allow_none=True)  # read by the builder of the book, not by the script
    chosen = Int(-1).tag(sync=True, figure=True)

    def picture(self) -> str:
        """Return the question and its choices as a list."""
        items = "".join(f"<li>{self._item(choice)}</li>" for choice in self.choices)
        return f"<p><strong>{html.escape(self.prompt)}</strong></p><ul>{items}</ul>"

    def _item(self, choice: dict[str, Any]) -> str:
        """Return one choice of the picture, with folded feedback in a quiz question."""
        text = html.escape(choice["text"])
        if self.predict:
            return text
        verdict = "Right." if choice["right"] else "Not this one."
        feedback = f"{verdict} {html.escape(choice['feedback'])}"
        return f"<details><summary>{text}</summary>{feedback}</details>"

    def __repr__(self) -> str:
        return f"Question({self.prompt!r})"


def question(
    prompt: str, *, right: Choice, wrong: list[Choice], unproved: str | None = None
) -> Question:
    """Ask a question with one right answer and feedback for every choice.

    Each choice is `(text, reply, holds)`, where `holds` is computed by code: it must be true for
    the right choice and false for the wrong ones. If no code can decide, the choices are
    `(text, reply)` and `unproved` says why.

    The position of the right choice depends only on the prompt.

    Args:
        prompt: the question.
        right: the right choice, its feedback, and its proof.
        wrong: the wrong choices in the same form; at least one.
        unproved: why no code can decide the question; None if every choice has its proof.

    Raises:
        ValueError: there is no wrong choice, two choices read the same, proof and `unproved` are
            both there or both missing, the right choice does not hold or a wrong one does.
        TypeError: a proof is not a truth value, or a choice is not a tuple of two or three.

    >>> question("2 + 2?", right=("4", "Yes.", 2 + 2 == 4), wrong=[("5", "No.", 2 + 2 == 5)])
    Question('2 + 2?')
    """
    for choice in [right, *wrong]:
        if not isinstance(choice, tuple) or len(choice) not in (2, 3):
            raise TypeError(
                f"a choice must be (text, reply, holds) or (text, reply), got {choice!r:.80}"
            )
    _require_different([text for text, *_ in [right, *wrong]])
    _require_proof(prompt, right, wrong, unproved)
    choices = [{"text": text, "feedback": why, "right": False} for text, why, *_ in wrong]
    answer = {"text": right[0], "feedback": right[1], "right": True}
    return Question(prompt=prompt, choices=insert_right(prompt, answer, choices))


def insert_right(prompt: str, right: Any, wrong: list[Any]) -> list[Any]:
    """Return all choices, with the right one at a position that depends on the prompt."""
    place = sum(map(ord, prompt)) % (len(wrong) + 1)
    return [*wrong[:place], right, *wrong[place:]]


def predict(prompt: str, *choices: str, covers: int | None = None) -> Question:
    """Ask for a guess before the next cells compute the answer.

    In Jupyter the next cell has not run yet. The published page covers the next code cells and the
    first text after them until the reader has guessed.

    Args:
        prompt: the question.
        choices: at least two possible answers.
        covers: how many cells the page covers, if not the default.

    Raises:
        ValueError: fewer than two choices, two that read the same, or `covers` below 1.
        TypeError: `covers` is not a whole number.
    """
    _require_different(list(choices))
    if covers is not None and type(covers) is not int:
        raise TypeError(f"covers must be a whole number of cells or None, got {covers!r}")
    if covers is not None and covers < 1:
        raise ValueError(f"covers must be at least 1, got {covers}")
    waiting = "Now read on: the next cell computes it."
    return Question(
        prompt=prompt,
        choices=[{"text": text, "feedback": waiting, "right": False} for text in choices],
        predict=True,
        covers=covers,
    )


def _require_different(texts: list[str]) -> None:
    if len(texts) < 2 or len(set(texts)) != len(texts):
        raise ValueError(f"choices must be at least two and all different, got {texts}")


def _require_proof(prompt: str, right: Choice, wrong: list[Choice], unproved: str | None) -> None:
    """Require a proof for every choice that agrees with it, or a reason why there is none."""
    proved = sum(len(choice) == 3 for choice in [right, *wrong])
    if not proved and isinstance(unproved, str) and unproved.strip():
        return
    if proved <= len(wrong) or unproved is not None:
        raise ValueError(
            f"every choice of {prompt!r} must have a proof, or unproved must say why none can, "
            f"got {proved} proofs for {len(wrong) + 1} choices and unproved={unproved!r}"
        )
    for choice in [right, *wrong]:
        text, holds = choice[0], choice[-1]
        if _truth(prompt, text, holds) != (choice is right):
            kind, rule = ("right", "hold") if choice is right else ("wrong", "not hold")
            raise ValueError(f"the {kind} choice {text!r} of {prompt!r} must {rule}, got {holds}")


def _truth(prompt: str, text: str, holds: object) -> bool:
    """Return a proof as a bool. A value that is only truthy, such as a number, is refused."""
    is_tensor = isinstance(holds, torch.Tensor) and holds.dtype == torch.bool and holds.ndim == 0
    if not (is_tensor or isinstance(holds, bool | np.bool_)):
        raise TypeError(
            f"the proof of {text!r} of {prompt!r} must be a bool or a bool tensor without axes, "
            f"got {type(holds).__name__}: {holds!r:.60}"
        )
    return bool(holds)
