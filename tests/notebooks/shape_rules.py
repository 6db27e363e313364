"""The shape of a chapter: each rule takes a notebook and says what is wrong.

`test_shape_rules.py` shows each rule a notebook that breaks it; `test_notebook_lint.py` applies all
of them to all chapters.
"""

import ast
import re

from chapters import calls, code_cells, rules_in, source, tags
from nbformat import NotebookNode
from reading import (
    WORD,
    all_calls,
    diagrams,
    is_literal,
    only_draws,
    section_of,
    sections,
    words_on_the_page,
)

from lessons.kit import exercises
from lessons.kit.figures import registry
from lessons.kit.figures.question.question import Question

MOST_WORDS = 5_000
MOST_MINUTES = 45
NUMBER = re.compile(r"\d+(\.\d+)?")
FASTEST = 150  # words a minute, with all that is to be done between them
FIRST_FIGURE = 1 / 3  # of the words on the page
FEWEST = {"diagrams": 2, "drills": 1, "predictions": 3, "exercises": 3, "bug hunts": 1}
MOST_UNPROVED = 2
MOST_TABLES = 3
GOALS = "What you will be able to do"
EVERY_VALUE = "Every value of the documents"
LAST_SECTIONS = (
    "Summary",
    "Exercises",
    "Quiz",
    EVERY_VALUE,
    "Where the documents say this",
    "Further reading",
)
WHY_WORDS = 40
FIGURES = [cls.__name__ for cls in registry.FIGURES.values() if cls is not Question]
CHECK = re.compile(r"exercises\.(\w+)\.(\w+)\.check\(")


def check_word_count(notebook: NotebookNode) -> list[str]:
    total = sum(words_on_the_page(notebook))
    if total <= MOST_WORDS:
        return []
    return [f"the page has {total} words, more than {MOST_WORDS}"]


def check_minutes(notebook: NotebookNode) -> list[str]:
    minutes = notebook.metadata.get("chapter", {}).get("minutes")
    least = -(-sum(words_on_the_page(notebook)) // FASTEST)
    if isinstance(minutes, int) and least <= minutes <= MOST_MINUTES:
        return []
    return [f"metadata chapter.minutes must be from {least} to {MOST_MINUTES}, got {minutes}"]


def check_figure_position(notebook: NotebookNode) -> list[str]:
    places = [place for place, cell in code_cells(notebook) if any(calls(cell, *FIGURES))]
    if not places:
        return ["no live figure"]
    words = words_on_the_page(notebook)
    before = sum(words[: places[0]]) / max(1, sum(words))
    if before <= FIRST_FIGURE:
        return []
    return [f"cell {places[0]}, the first live figure, comes after {before:.0%} of the words"]


def check_practice(notebook: NotebookNode) -> list[str]:
    checks = [
        match.groups()
        for _, cell in code_cells(notebook)
        if "exercise" in tags(cell) and (match := CHECK.search(source(cell)))
    ]
    found = {
        "diagrams": sum(1 for _, cell in code_cells(notebook) for _ in diagrams(cell)),
        "drills": len(list(all_calls(notebook, "drill"))),
        "predictions": len(list(all_calls(notebook, "predict"))),
        "exercises": len(checks),
        "bug hunts": sum(exercises.get_exercise(".".join(check)).is_bug_hunt for check in checks),
    }
    return [
        f"{found[kind]} {kind}, at least {least} are needed"
        for kind, least in FEWEST.items()
        if found[kind] < least
    ]


def check_question_proofs(notebook: NotebookNode) -> list[str]:
    problems, unproved = [], 0
    for place, cell, call in all_calls(notebook, "question"):
        given = {word.arg: word.value for word in call.keywords}
        unproved += "unproved" in given
        if (right := getattr(given.get("right"), "elts", [])) and _is_another_number(*right):
            problems.append(f"cell {place}: the proof knows no {right[0].value}, which is right")
        wrong = getattr(given.get("wrong"), "elts", [])
        for choice in [given.get("right"), *wrong]:
            parts = getattr(choice, "elts", [])
            if len(parts) != 3 and "unproved" not in given:
                problems.append(f"cell {place} has a choice without a proof")
            elif len(parts) == 3 and is_literal(parts[2], cell):
                problems.append(
                    f"cell {place}: a proof must be computed, got {ast.unparse(parts[2])}"
                )
    if unproved > MOST_UNPROVED:
        problems.append(f"{unproved} questions are unproved, more than {MOST_UNPROVED}")
    return problems


def _is_another_number(said: ast.expr, *proof: ast.expr) -> bool:
    """Whether a choice is a number, and what proves it compares with other numbers alone."""
    compared = (one for part in proof for one in ast.walk(part) if isinstance(one, ast.Compare))
    inside = (one for whole in compared for one in ast.walk(whole) if isinstance(one, ast.Constant))
    numbers = [one.value for one in inside if isinstance(one.value, int | float)]
    text = said.value if isinstance(said, ast.Constant) else ""
    return bool(numbers and NUMBER.fullmatch(text)) and float(text) not in numbers


def check_hidden_calls(notebook: NotebookNode) -> list[str]:
    """The page shows what a cell asks or shows, but not the call that makes it."""
    names = ("compare", "question", "predict", "drill", *FIGURES)
    return [
        f"cell {place} calls {ast.unparse(call.func)} and must be tagged remove-input"
        for place, cell, call in all_calls(notebook, *names)
        if "remove-input" not in tags(cell)
    ]


def check_folded_drawings(notebook: NotebookNode) -> list[str]:
    return [
        f"cell {place} only draws and must be tagged hide-input"
        for place, cell in code_cells(notebook)
        if (any(diagrams(cell)) or only_draws(cell))
        and not {"hide-input", "remove-input", "hide-cell"} & set(tags(cell))
    ]


def check_table_count(notebook: NotebookNode) -> list[str]:
    """The body compares what teaches; all other values are folded in their own section."""
    problems, outside = [], 0
    for place, cell, _ in all_calls(notebook, "compare"):
        if section_of(notebook, place) != EVERY_VALUE:
            outside += 1
        elif "hide-output" not in tags(cell):
            problems.append(f"cell {place} in {EVERY_VALUE!r} must be tagged hide-output")
    if outside > MOST_TABLES:
        problems.append(f"{outside} tables outside {EVERY_VALUE!r}, more than {MOST_TABLES}")
    return problems


def check_section_order(notebook: NotebookNode) -> list[str]:
    """The goals come first and the closing sections last; only the documents' values may lack."""
    found = [heading for heading, _ in sections(notebook)]
    last = found[found.index("Summary") :] if "Summary" in found else []
    wanted = [name for name in LAST_SECTIONS if name in found or name != EVERY_VALUE]
    problems = []
    if found[:1] != [GOALS]:
        problems.append(f"the first section must be {GOALS!r}, got {found[:1]}")
    if last != wanted:
        problems.append(f"the last sections must be {wanted}, got {last}")
    return problems


def check_opening_question(notebook: NotebookNode) -> list[str]:
    texts = [(heading, text) for heading, text in sections(notebook) if heading != GOALS]
    first = next(iter(texts), ("", ""))
    words = len(WORD.findall(first[1]))
    if "$" in first[1] or words < WHY_WORDS:
        return [
            f"the section after the goals must say why, without a formula and in at least "
            f"{WHY_WORDS} words, got {words} words under {first[0]!r}"
        ]
    return []


SHAPE_RULES = rules_in(globals())
