"""The teaching guide: its minutes add up, and its numbers occur in the chapters."""

import re
import sys
from decimal import Decimal
from pathlib import Path

import nbformat
import pytest
from chapter_cells import drills_of, exercises_of
from chapter_facts import read_chapter
from moments import read_moments, toured
from teaching_guide import find_asked, read_homework

from lessons.kit.drills.live_drill import static_problem
from lessons.worked_examples import load

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "tests/notebooks"))
from prose_numbers import bears_out, decimal_numbers, known_numbers, numbers  # noqa: E402

PARTS = ("start", "before", "attention", "order", "depth", "the_whole", "beyond", "today")
HEADINGS = [
    *("In 45 minutes", "In 90 minutes", "On the board", "Ask aloud", "On the way out", "Homework")
]


def sections() -> dict[str, str]:
    """Return the guide's text on each chapter, by the chapter's name, in the order of the pages."""
    found = {}
    for part in PARTS:
        text = (ROOT / f"book/teaching/{part}.md").read_text(encoding="utf-8")
        for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
            name = re.search(r"^```\{lesson-facts\} (\w+)$", section, re.MULTILINE)[1]
            assert name not in found, f"{name} stands twice in the guide"
            found[name] = section
    return found


SECTIONS = sections()


def chapter(name: str):
    return read_chapter(ROOT / f"notebooks/{name}.ipynb")


def minutes_of(section: str, heading: str) -> list[int]:
    """Return the first column of the table under a heading."""
    table = section.partition(f"### {heading}\n")[2].partition("\n### ")[0]
    assert "| minutes | what happens | with what |" in table
    return [int(cell) for cell in re.findall(r"^\| (\d+) \|.+\|.+\|$", table, re.MULTILINE)]


def test_every_chapter_has_its_plan_in_the_order_of_the_book():
    assert list(SECTIONS) == sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("name", SECTIONS)
def test_a_plan_has_all_its_sections_in_order(name):
    assert re.findall(r"^### (.+)$", SECTIONS[name], re.MULTILINE) == HEADINGS
    assert re.findall(r"^```\{homework\} (\w+)$", SECTIONS[name], re.MULTILINE) == [name]


@pytest.mark.parametrize("total", [45, 90])
@pytest.mark.parametrize("name", SECTIONS)
def test_the_minutes_of_a_plan_add_up(name, total):
    minutes = minutes_of(SECTIONS[name], f"In {total} minutes")
    assert sum(minutes) == total
    assert len(minutes) >= 4 and min(minutes) >= 3


ROWS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}


@pytest.mark.parametrize("name", SECTIONS)
def test_a_longer_plan_counts_the_minutes_of_the_rows_that_it_reuses(name):
    short = minutes_of(SECTIONS[name], "In 45 minutes")
    taken = r"^\| (\d+) \| The first (\w+) rows of the plan for 45 minutes\. \|"
    for minutes, count in re.findall(taken, SECTIONS[name], re.MULTILINE):
        assert int(minutes) == sum(short[: ROWS[count]])


@pytest.mark.parametrize("name", SECTIONS)
def test_two_or_three_questions_of_the_chapter_are_asked(name):
    asked = re.findall(r"^```\{ask\} (\S+)$", SECTIONS[name], re.MULTILINE)
    assert 2 <= len(asked) == len(set(asked)) <= 3
    for cell_id in asked:
        find_asked(cell_id, [chapter(name)])


@pytest.mark.parametrize("name", SECTIONS)
def test_a_lesson_ends_with_two_questions_not_asked_before(name):
    [ids] = re.findall(r"^```\{exit\} (.+)$", SECTIONS[name], re.MULTILINE)
    one, other = ids.split()
    asked = re.findall(r"^```\{ask\} (\S+)$", SECTIONS[name], re.MULTILINE)
    assert one != other and not {one, other} & {*asked}
    for cell_id in (one, other):
        find_asked(cell_id, [chapter(name)], "exit")


@pytest.mark.parametrize("name", SECTIONS)
def test_drills_and_exercises_have_the_names_of_the_chapter(name):
    """Every drill and bug hunt in the tables exists under that name."""
    tables = "".join(re.findall(r"^\|.*$", SECTIONS[name], re.MULTILINE))
    drills = re.findall(r"drills? ((?:\*[^*]+\*(?:, | and )?)+)", tables)
    titles = {static_problem(drill)["title"] for _, drill in drills_of(chapter(name))}
    assert {title for found in drills for title in re.findall(r"\*([^*]+)\*", found)} <= titles
    hunts = re.findall(r"bug hunts? `(\w+)`", tables)
    assert set(hunts) <= exercises_of(chapter(name)).keys()


@pytest.mark.parametrize("name", SECTIONS)
def test_the_homework_of_a_plan_names_each_exercise_of_its_chapter(name):
    lines = re.search(r"^```\{homework\} \w+\n(.*?)^```", SECTIONS[name], re.M | re.S)[1]
    assert read_homework(lines.splitlines(), exercises_of(chapter(name)))


def moments_in(section: str) -> list[str]:
    """Return the moments that a plan names in its tables."""
    rows = "".join(re.findall(r"^\|.*\blive figure\b.*$", section, re.MULTILINE))
    return re.findall(r"\{moments\}`([^`]+)`", rows)


@pytest.mark.parametrize("name", SECTIONS)
def test_a_plan_that_uses_a_figure_names_moments_of_its_tour(name):
    found, known = moments_in(SECTIONS[name]), toured(chapter(name))
    for text in found:
        _, figure, _ = read_moments(text, {name: chapter(name)})
        assert figure in known
    assert SECTIONS[name].count("{moments}`") == len(found)
    assert bool(found) == bool(known)


def made_up(name: str, section: str) -> list[str]:
    """Return the decimal numbers of a section that its chapter neither computes nor says."""
    path = ROOT / f"notebooks/{name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    said = {Decimal(n) for cell in notebook.cells for n in numbers(cell.source)}
    pool = sorted(said | {*known_numbers(notebook, load())})
    return [n for n in decimal_numbers(section) if not bears_out(n, pool)]


@pytest.mark.parametrize("name", SECTIONS)
def test_every_decimal_number_of_a_plan_occurs_in_its_chapter(name):
    assert made_up(name, SECTIONS[name]) == []
