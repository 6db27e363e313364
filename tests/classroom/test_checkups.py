"""Check-ups on paper: the questions, the key, and that a sheet shows no answer."""

import html
import itertools

import pytest

from classroom.__main__ import main
from classroom.checkups import contents, in_key, on_sheet, parts, questions_in
from classroom.source import book
from lessons.kit.drills.live_drill import static_problem


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("checkups")
    assert main(["checkups", "--out", str(out), "--number", "7"]) == 0
    return out


def test_each_part_has_a_sheet_and_a_key(folder):
    names = {path.name for path in folder.iterdir()}
    stems = [name.casefold().replace(" ", "_") for name in parts()]
    assert names == {f"{stem}-7-{kind}.html" for stem in stems for kind in ("sheet", "key")}
    assert sorted(itertools.chain(*parts().values())) == sorted(book()), (
        "each chapter is in one part"
    )


@pytest.mark.parametrize("part", parts())
def test_sheet_shows_questions_and_key_shows_answers(part):
    found = contents(parts()[part], 7)
    assert len(found) == (9 if part == "Start" else 12), "one chapter has no more"
    assert {one.chapter for one, _ in found} <= set(parts()[part])
    for one, drawn in found:
        sheet, key = (
            html.unescape("".join(map(str, show(one, drawn)))) for show in (on_sheet, in_key)
        )
        if one.choices:
            assert one.name in sheet and all(choice in sheet for choice in one.choices)
            letter = key.removeprefix("<strong>")[0]
            shown = [one.choices[i] for i in drawn["order"]]
            assert shown["abcdefgh".index(letter)] == one.right
        else:
            still = static_problem(one.name, drawn["seed"])
            assert still["task"] in sheet and all(step in key for step in still["way"])
            assert all(step not in sheet for step in still["way"])


def test_right_answers_are_among_the_choices_and_ids_are_the_pages():
    for chapter in book():
        for one in questions_in(chapter):
            assert one.id.startswith(f"{chapter}#practice-")
            assert (one.right in one.choices) == (one.kind == "question")
