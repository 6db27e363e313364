"""Exercises are found by their ids and by distinct titles."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from class_work import plan_for
from docutils.nodes import make_id

from classroom import names
from classroom.plan import known_exercises


@pytest.mark.parametrize(
    "text",
    ["masks.batch_mask", "08 Masks: Both masks for a batch", " 08  masks: both MASKS for a batch"],
)
def test_an_exercise_is_found_by_its_id_and_by_its_title(text):
    assert names.named(text, plan_for("08_masks")) == "masks.batch_mask"
    assert names.named(text, plan_for("05_attention")) == text or "." in text


def test_every_chapter_has_a_lesson_plan_to_lead_to(tmp_path, monkeypatch):
    for name in known_exercises():
        address = names.lesson_of(name)
        assert Path(unquote(urlsplit(address).path)).is_file()
    page, heading = names._lessons()["masks"]
    monkeypatch.setattr(names, "ROOT", tmp_path)
    built = tmp_path / f"_build/html/book/teaching/{page}.html"
    built.parent.mkdir(parents=True)
    built.touch()
    assert names.lesson_of("masks.reach") == f"{built.as_uri()}#{make_id(heading)}"
    for page, heading in names._lessons().values():
        monkeypatch.setattr(names, "_lessons", lambda told=(page, heading): {"x": told})
        (built.parent / f"{page}.html").touch()
        assert names.lesson_of("x.y").endswith(f"{page}.html#{make_id(heading)}")
