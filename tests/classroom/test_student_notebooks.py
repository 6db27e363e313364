"""The students' chapters: which cells they keep, and that they run with the students' package."""

import ast
import os
import re

import nbformat
import pytest
from nbclient import NotebookClient
from sampling import sample

from classroom.plan import ClassPlan
from classroom.prose import FILE, prose
from classroom.source import book
from classroom.student_notebook import student_notebook
from classroom.student_package import write_student_package
from lessons.kit.cells import CHECK, exercises_in, is_tagged, mentioned, solutions_in, source
from lessons.kit.exercises import function_name

CHAPTERS = book()
TAGS = {"exercise", "hide-cell", "hide-input", "hide-output", "remove-input"}
EVERY = tuple(name for chapter in CHAPTERS.values() for name in exercises_in(chapter))


def plan(*names, hints=2):
    names = names or EVERY
    return ClassPlan("A class", "", names, "0" * 64, dict.fromkeys(names, 1), hints)


def is_solution(cell):
    """Return whether a cell of a chapter solves an exercise: it is checked, and none to fill in."""
    if cell["cell_type"] != "code" or is_tagged(cell, "exercise"):
        return False
    return bool(CHECK.search(source(cell))) or is_tagged(cell, "solution")


def texts(notebook, kind="markdown"):
    return "\n".join(c["source"] for c in notebook["cells"] if c["cell_type"] == kind)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_students_chapter_keeps_all_cells_except_solutions(chapter):
    whole, made = CHAPTERS[chapter], student_notebook(CHAPTERS[chapter], plan(), tuple(CHAPTERS))
    nbformat.validate(nbformat.from_dict(made))
    assert made.keys() == {"cells", "metadata", "nbformat", "nbformat_minor"}
    assert made["metadata"].keys() == {"kernelspec", "language_info"}
    ids = [cell["id"].removesuffix("-exercise") for cell in made["cells"]]
    expected = [cell["id"] for cell in whole["cells"] if not is_solution(cell)]
    assert list(dict.fromkeys(ids)) == expected
    before = "".join(source(c) for c in whole["cells"] if not is_solution(c))
    after = "".join(cell["source"] for cell in made["cells"])
    before = before.replace('book_prose("..")', 'book_prose(".")')
    plain = re.sub(r"\[([^\[\]]+)\]\(\.\./book/[^)]*\)", r"\1", before)
    assert "".join(after.split()) == "".join(plain.split())
    for cell in made["cells"]:
        if cell["cell_type"] == "markdown":
            assert cell.keys() == {"cell_type", "id", "metadata", "source"}
            assert cell["metadata"] == {}
            continue
        assert cell.keys() == {
            *("cell_type", "execution_count", "id", "metadata", "outputs", "source")
        }
        assert (cell["outputs"], cell["execution_count"]) == ([], None)
        found = cell["metadata"]
        assert found.keys() <= {"tags", "jupyter", "deletable", "transformer_lite"}
        assert set(found.get("tags", [])) <= TAGS
        assert found.get("jupyter", {}).keys() <= {"source_hidden", "outputs_hidden"}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_answers_and_the_setup_can_be_found(chapter):
    made = student_notebook(CHAPTERS[chapter], plan())
    told = [cell["metadata"].get("transformer_lite", {}) for cell in made["cells"]]
    assert tuple(t["exercise"] for t in told if "exercise" in t) == exercises_in(CHAPTERS[chapter])
    setup = [c for c, t in zip(made["cells"], told, strict=True) if t.get("setup")]
    assert len(setup) == 1 and "transformer_lite" in setup[0]["source"]
    answers = [c for c, t in zip(made["cells"], told, strict=True) if "exercise" in t]
    assert all(cell["metadata"]["deletable"] is False for cell in answers)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_hint_cells_are_left_out_without_hints(chapter):
    some, none = (
        texts(student_notebook(CHAPTERS[chapter], plan(hints=hints)), "code") for hints in (1, 0)
    )
    count = len(exercises_in(CHAPTERS[chapter]))
    assert (some.count(".hints()"), none.count(".hints()")) == (count, 0)
    assert none.count(".cause(") == some.count(".cause(")


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_an_exercise_that_is_not_chosen_is_left_out_with_its_text(chapter):
    whole = CHAPTERS[chapter]
    kept, *others = exercises_in(whole)[::-1]  # the last one stays
    made = student_notebook(whole, plan(kept))
    assert re.findall(r"exercises\.(\w+\.\w+)\.check", texts(made, "code")) == [kept]
    assert mentioned(made) == {kept}
    titles = re.findall(r"^### Exercise (\d+)", texts(made), re.MULTILINE)
    assert titles == [str(len(others) + 1)]  # numbered as in the book
    assert "## Exercises" in texts(made) and "## Quiz" in texts(made)


def test_dead_link_becomes_plain_text():
    whole = CHAPTERS["05_attention"]
    here = student_notebook(whole, plan(), ("05_attention", "07_scaling"))
    assert "[Scaling](07_scaling.ipynb)" in texts(here)
    assert "24_looking_inside.ipynb" not in texts(here)
    assert "A later chapter measures" in texts(here)
    assert "](" not in texts(student_notebook(whole, plan())).replace("](http", "")


def solved(chapter):
    """Return the students' chapter with the book's solutions written into its answer cells."""
    found = {}
    for name, cell in solutions_in(CHAPTERS[chapter]).items():
        tree = ast.parse(source(cell))
        last = tree.body.pop()
        assert isinstance(last, ast.Expr) and isinstance(last.value, ast.Call)
        found[name] = ast.unparse(tree), ast.unparse(last.value.args[0])
    made = student_notebook(CHAPTERS[chapter], plan())
    for cell in made["cells"]:
        name = cell["metadata"].get("transformer_lite", {}).get("exercise")
        if name:
            tree = ast.parse(cell["source"])
            text, function = found[name]
            check = ast.unparse(tree.body[-1])
            asked = function_name(cell["source"])
            cell["source"] = f"{text}\n{asked} = {function}\n{check}"
    return made


@pytest.mark.parametrize("chapter", sample(["05_attention", "02_tokens", "06_the_cat_sat"], 1))
def test_a_chapter_runs_from_top_to_bottom(chapter, tmp_path):
    write_student_package(tmp_path, exercises_in(CHAPTERS[chapter]))
    (tmp_path / FILE).parent.mkdir()
    (tmp_path / FILE).write_text(prose(), encoding="utf-8")
    made = nbformat.from_dict(solved(chapter))
    told = {"PYTHONPATH": str(tmp_path), "PYTHONSAFEPATH": "1"}
    NotebookClient(made, timeout=300).execute(cwd=tmp_path, env=os.environ | told)
    printed = "\n".join(
        output.get("text", "") for cell in made.cells for output in cell.get("outputs", [])
    )
    for name in exercises_in(CHAPTERS[chapter]):
        assert f"{name}: correct." in printed
