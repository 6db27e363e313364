"""Each rule for a chapter's shape finds a notebook that breaks it, and passes one that obeys."""

import pytest
import shape_rules as rules
from samples import code, displayed, notebook
from shape_rules import EVERY_VALUE, GOALS, SHAPE_RULES

HIDDEN = {"tags": ["remove-input"]}
WHY = "A question that a person would ask before anything is computed. " * 5
PROVED = """steps = model(x)
question("Which shape?",
         right=("(5, 7)", "Yes.", steps.shape == (5, 7)),
         wrong=[("(7, 5)", "No.", steps.shape == (7, 5))])"""
UNPROVED = 'question("Why?", right=("a", "A."), wrong=[("b", "B.")], unproved="a matter of words")'


def asked(proof: str) -> str:
    return f'question("?", right=("a", "A.", {proof}), wrong=[("b", "B.", x == 2)])'


def exercise(name: str):
    return code(f"def f(x):\n    pass\n\nexercises.attention.{name}.check(f)", tags=["exercise"])


def bug_hunt():
    return exercise("attend")


def well_shaped():
    """A chapter that obeys all rules: its cells by name, in their order."""
    cells = {
        "title": "# A title\n\nText.",
        "goals": f"## {GOALS}\n\n- Read a table.",
        "setup": code("import torch"),
        "why": f"## Who listens to whom?\n\n{WHY}",
        "body": "## Scores\n\nA score is $q k$.",
        "figure": code("tl.figures.SoftmaxLab()", **HIDDEN),
        **{f"prediction {i}": code('predict("?", "a", "b")', **HIDDEN) for i in range(3)},
        "diagram": code("diagrams.attention.flow()", tags=["hide-input"]),
        "second diagram": code("diagrams.attention.split()", tags=["hide-input"]),
        "plot": code("plt.plot(range(3))\nplt.show()", tags=["hide-input"]),
        "drill": code('drill("scores")', **HIDDEN),
        "table": code('compare("zscore-mean")', **HIDDEN),
        "much text": "Word. " * 200,
        "summary": "## Summary\n\nAll of it.",
        "exercises": "## Exercises",
        "exercise": exercise("contextual"),
        "second exercise": exercise("contextual"),
        "bug hunt": bug_hunt(),
        "quiz": "## Quiz",
        "question": code(PROVED, **HIDDEN),
        "unproved": code(UNPROVED, **HIDDEN),
        "values": f"## {EVERY_VALUE}",
        "all tables": code('compare("zscore-std")', tags=["remove-input", "hide-output"]),
        "documents": "## Where the documents say this",
        "reading": "## Further reading",
    }
    return cells


def built(cells):
    made = notebook(*cells.values())
    made.metadata["chapter"] = {"minutes": 45}
    return made


@pytest.mark.parametrize("rule", SHAPE_RULES, ids=lambda rule: rule.__name__)
def test_a_well_shaped_chapter_passes(rule):
    assert rule(built(well_shaped())) == []


# The rule, cells that break it by name (None removes a cell, and a new name adds one at the end),
# and a part of the message.
CASES = [
    (rules.check_word_count, {"much text": "word " * 5000}, "words, more than 5000"),
    (
        rules.check_word_count,
        {"more": displayed("x", "text/html", "<p>word</p> " * 5000)},
        "words, more",
    ),
    (rules.check_figure_position, {"figure": None}, "no live figure"),
    (rules.check_figure_position, {"body": "word " * 200}, "the first live figure, comes after"),
    (rules.check_figure_position, {"figure": code('figures.question("?")')}, "no live figure"),
    (rules.check_practice, {"diagram": None}, "1 diagrams, at least 2"),
    (rules.check_practice, {"drill": None}, "0 drills, at least 1"),
    (rules.check_practice, {"prediction 1": None}, "2 predictions, at least 3"),
    (rules.check_practice, {"exercise": None}, "2 exercises, at least 3"),
    (rules.check_practice, {"bug hunt": exercise("contextual")}, "0 bug hunts, at least 1"),
    (
        rules.check_question_proofs,
        {"unproved": code(UNPROVED.replace("un", "x"))},
        "without a proof",
    ),
    (
        rules.check_question_proofs,
        {f"{i}": code(UNPROVED) for i in range(2)},
        "3 questions are unp",
    ),
    (rules.check_question_proofs, {"question": code("question('?', **parts)")}, "without a proof"),
    (rules.check_question_proofs, {"question": code(asked("True"))}, "be computed, got True"),
    (rules.check_question_proofs, {"question": code(asked("1 == 1"))}, "be computed, got 1 == 1"),
    (
        rules.check_question_proofs,
        {"question": code(asked("x == 8").replace('"a"', '"16"'))},
        "the proof knows no 16, which is right",
    ),
    (rules.check_hidden_calls, {"table": code('compare("a")')}, "calls compare and must be"),
    (rules.check_hidden_calls, {"drill": code('drill("scores")')}, "calls drill and must be"),
    (rules.check_hidden_calls, {"question": code(PROVED)}, "calls question and must be"),
    (rules.check_hidden_calls, {"a": code('predict("?", "a", "b")')}, "calls predict and"),
    (rules.check_hidden_calls, {"a": code("tl.figures.MaskLab()")}, "figures.MaskLab and"),
    (rules.check_folded_drawings, {"plot": code("plt.plot([1])\nplt.show()")}, "only draws and"),
    (rules.check_folded_drawings, {"diagram": code("diagrams.masks.f()")}, "only draws and must"),
    (
        rules.check_table_count,
        {f"table {i}": code('compare("a")', **HIDDEN) for i in range(3)},
        "4 tables outside",
    ),
    (
        rules.check_table_count,
        {"all tables": code('compare("a")', **HIDDEN)},
        "must be tagged hide-output",
    ),
    (rules.check_section_order, {"goals": "## Why"}, "the first section must be"),
    (rules.check_section_order, {"summary": None}, "the last sections must be"),
    (rules.check_section_order, {"reading": "## Quiz again"}, "'Quiz again']"),
    (rules.check_section_order, {"quiz": "### Quiz"}, "the last sections must be"),
    (rules.check_section_order, {"more": "## More"}, "'Further reading', 'More']"),
    (rules.check_opening_question, {"why": None}, "words under 'Scores'"),
    (rules.check_opening_question, {"why": f"## Why\n\n$x$ {WHY}"}, "without a formula"),
    (rules.check_opening_question, {"why": "## Why\n\nSo."}, "got 1 words under 'Why'"),
]


@pytest.mark.parametrize(("rule", "changes", "message"), CASES)
def test_a_rule_finds_a_notebook_that_breaks_it(rule, changes, message):
    cells = well_shaped() | changes
    kept = {name: cell for name, cell in cells.items() if cell is not None}
    assert message in "\n".join(rule(built(kept)))


@pytest.mark.parametrize("minutes", [0, 20, 46, None, "30"])
def test_the_minutes_of_a_chapter_must_fit_its_words_and_a_lesson(minutes):
    chapter = built(well_shaped() | {"much text": "word " * 3000})
    chapter.metadata["chapter"]["minutes"] = minutes
    [problem] = rules.check_minutes(chapter)
    assert problem == f"metadata chapter.minutes must be from 21 to 45, got {minutes}"


def test_every_rule_has_a_notebook_that_breaks_it():
    assert {case[0] for case in CASES} | {rules.check_minutes} == {*SHAPE_RULES}
