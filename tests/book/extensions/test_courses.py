"""The courses of the teaching guide respect prerequisites, and wrong courses are refused."""

import re
from pathlib import Path

import pytest
from chapter_facts import read_chapter
from courses import check_course, reached, read_sessions, taught
from sphinx_app import build, pages, texts, write

ROOT = Path(__file__).parents[3]
CHAPTERS = {
    path.stem: read_chapter(path) for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
}
GUIDE = (ROOT / "book/teaching/index.md").read_text(encoding="utf-8")
COURSES = {
    int(count): body
    for count, body in re.findall(r"^```\{course\} (\d+)\n(.*?)^```", GUIDE, re.M | re.S)
}
START = "00_what_a_transformer_does"


def sessions(*told: dict[str, list[str]]) -> list[dict[str, list[str]]]:
    return [{"class": [], "drills": [], "homework": [], "read": []} | one for one in told]


def test_the_guide_has_courses_of_three_lengths():
    assert list(COURSES) == [6, 12, 24]


@pytest.mark.parametrize("count", COURSES)
def test_a_course_teaches_each_chapter_once_after_its_prerequisites(count):
    body = COURSES[count].replace(":all:\n", "")
    course = read_sessions(body, count)
    check_course(course, CHAPTERS, whole=count == 24)
    for _, name, before in reached(course):
        assert set(CHAPTERS[name].facts.needs) <= set(before)
        assert name not in before, f"{name} comes twice"
    assert all(1 <= len(one["class"]) <= 2 and one["drills"] and one["homework"] for one in course)


def test_the_courses_of_12_and_24_sessions_cover_every_chapter():
    assert COURSES[24].startswith(":all:\n")
    whole = read_sessions(COURSES[24].removeprefix(":all:\n"), 24)
    assert taught(whole) == set(CHAPTERS)
    twelve = {name for _, name, _ in reached(read_sessions(COURSES[12], 12))}
    assert twelve == set(CHAPTERS), "in class or at home"


def minutes_of_exercises() -> dict[str, int]:
    """Return the minutes in the chapters' plans, by module and name of the exercise."""
    found = {}
    for page in (ROOT / "book/teaching").glob("*.md"):
        plans = page.read_text(encoding="utf-8")
        for module, lines in re.findall(
            r"^```\{homework\} \d\d_(\w+)\n(.*?)^```", plans, re.M | re.S
        ):
            found |= {f"{module}.{n}": int(m) for n, m in re.findall(r"(\w+): *(\d+)", lines)}
    return found


def test_homework_minutes_match_the_range_in_the_guide():
    least, most = map(int, re.search(r"a session take (\d+) to (\d+) minutes", GUIDE).groups())
    minutes = minutes_of_exercises()
    totals = [
        sum(minutes[name] for name in session["homework"])
        for count, body in COURSES.items()
        for session in read_sessions(body.replace(":all:\n", ""), count)
    ]
    assert (min(totals), max(totals)) == (least, most)


@pytest.mark.parametrize(
    ("course", "message"),
    [
        ([{"class": ["05_look_up"]}], r"session 1 must name chapters, got '05_look_up'"),
        (
            [{"class": [START]}, {"class": ["06_the_cat_sat"]}],
            r"session 2: 06_the_cat_sat needs 05_attention, which has not come yet",
        ),
        (
            [{"class": ["05_attention", START]}],
            r"session 1: 05_attention needs 00_what_a_transformer_does, which has not come yet",
        ),
        (
            [{"class": ["05_attention"], "read": [START]}],
            r"session 1: 05_attention needs 00_what_a_transformer_does",
        ),
        (
            [{"class": [START], "drills": ["scores"]}],
            r"session 1: no chapter so far has 'scores'",
        ),
        (
            [{"class": [START], "read": ["05_attention"], "homework": ["attention.attend"]}],
            r"session 1: no chapter so far has 'attention.attend'",
        ),
        ([{"class": [START], "homework": ["gradient"]}], r"no chapter so far has 'gradient'"),
    ],
)
def test_a_course_that_cannot_be_taught_is_refused(course, message):
    with pytest.raises(ValueError, match=message):
        check_course(sessions(*course), CHAPTERS, whole=False)


PAGE = f"""# Guide

```{{course}} 2
- class: [{START}]
  drills: [softmax_row]
  homework: [what_a_transformer_does.gradient]
  read: [05_attention up to its quiz]
- class: [05_attention]
```

```{{course}} none
- class: [{START}]
```

```{{course}} 1
:all:
- class: [{START}]
```
"""


def test_a_course_is_a_table_of_links(tmp_path):
    files = {"index.md": PAGE}
    for name in (START, "05_attention"):
        file = f"notebooks/{name}.ipynb"
        files[file] = (ROOT / file).read_text(encoding="utf-8")
    write(tmp_path, ["practice", "cell_links", "teaching_guide", "courses"], files)
    said = build(tmp_path)
    assert "invalid literal for int() with base 10: 'none'" in said
    assert "05_attention is left out" in said
    page = pages(tmp_path)["index"]
    assert texts(page, r"<td>(.*?)</td>") == [
        *("1", "What a Transformer does Drills: Softmax of one row"),
        "gradient Read: Attention up to its quiz",
        *("2", "Attention", ""),
    ]
    assert f'href="notebooks/{START}.html#practice-00-softmax-drill"' in page
    assert f'href="notebooks/{START}.html#cell-00-slope"' in page
