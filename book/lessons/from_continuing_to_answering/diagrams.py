"""Which tokens of an answer count, three ways to teach an answer, and the clipped objective."""

import torch

from lessons.kit.diagrams import Diagram, arrow, arrows, box, column, draw, group, matrix, row

PROMPT = ["‹user›", "what", "color", "is", "the", "lemon", "?", "‹bot›"]
ANSWER = ["it", "is", "yellow", ".", "‹end›"]


def answer_only() -> Diagram:
    """Draw a question and its answer: what is read, what is predicted, and what counts."""
    tokens = [*PROMPT, *ANSWER]
    counts = torch.arange(1, len(tokens)) >= len(PROMPT)
    labels = [
        [word, "✓" if counted else ""] for word, counted in zip(tokens[1:], counts, strict=True)
    ]
    off = ~counts[:, None].expand(-1, 2)
    table = matrix(labels, "weight", rows=tokens[:-1], columns=["label", "counts"], off=off)
    return draw(
        group("one position a row: what it reads, what it predicts", table),
        alt="Twelve positions of a question with its answer. Each reads a token and predicts the "
        "next one. From ‹user› to the question mark seven labels are hatched and do not count. "
        "From ‹bot› on five labels count: it, is, yellow, the full stop, and ‹end›.",
        caption="The loss on the answer alone. The position that reads ‹bot› is the first that "
        "counts, and the last label is the end.",
    )


def three_ways() -> Diagram:
    """Draw the training of a chat model: texts, answers, and then choices or checks."""
    texts, base = box("texts", "data"), box("model that\ncontinues", "feed_forward")
    pairs, tuned = box("questions,\nanswers", "data"), box("model that\nanswers", "feed_forward")
    choices, checks = box("chosen,\nrejected", "data"), box("groups of\nanswers", "data")
    preferred = box("model that\npeople prefer", "feed_forward")
    checked = box("model that\nis right", "feed_forward")
    return draw(
        row(
            group("all tokens count", column(texts, base)),
            group("a person writes", column(pairs, tuned)),
            column(
                group("a person chooses", row(preferred, choices, gap=30)),
                group("a program checks", row(checked, checks, gap=30)),
                gap=22,
            ),
            gap=60,
        ),
        *arrows(texts, base, tuned),
        arrow(pairs, tuned),
        arrow(tuned, preferred),
        arrow(tuned, checked),
        arrow(choices, preferred),
        arrow(checks, checked),
        alt="Three stages. Texts train a model that continues. Answers written by people train it "
        "to answer. Then choices between two answers make a model that people prefer, and groups "
        "of answers that a program checks make one that is right.",
        caption="The three stages of a chat model. The last stage has two forms, and many models "
        "go through both.",
    )
