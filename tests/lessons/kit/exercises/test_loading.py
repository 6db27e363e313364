"""Chapters load one at a time, and references run on demand with torch's own functions."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F

from lessons.kit import exercises
from lessons.kit.exercises import Case, Exercise

LOADED = "sorted({n.split('.')[1] for n in sys.modules if n.endswith('.exercises')} - {'kit'})"


def in_a_fresh_python(code):
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}"], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_only_the_chapter_that_is_named_is_loaded():
    report = f"print({LOADED})"
    assert in_a_fresh_python(f"import lessons.kit.exercises\n{report}") == "[]"
    code = f"from lessons.kit import exercises\nexercises.masks.decoder_mask\n{report}"
    assert in_a_fresh_python(code) == "['masks']"


def test_every_chapter_is_listed_and_can_be_named():
    assert set(exercises.CHAPTERS) < set(dir(exercises))
    assert set(exercises.CHAPTERS) < set(exercises.__all__)
    assert exercises.masks is sys.modules["lessons.masks.exercises"]
    with pytest.raises(AttributeError, match="exercises has no chapter 'mask'; the chapters are "):
        exercises.mask  # noqa: B018


def test_an_exercise_is_found_by_its_name():
    assert exercises.get_exercise("masks.batch_mask") is exercises.masks.batch_mask
    for name in ("masks.no_such_mask", "masks", "masks.__all__"):
        with pytest.raises(AttributeError, match=f"such as 'masks.batch_mask', got '{name}'"):
            exercises.get_exercise(name)
    with pytest.raises(AttributeError, match="exercises has no chapter 'mask'"):
        exercises.get_exercise("mask.batch_mask")


def test_all_exercises_lists_every_exercise_file_once():
    folder = Path(exercises.__file__).parents[2]
    files = {p for p in folder.glob("*/exercises/[!_]*.py") if p.parts[-3] != "kit"}
    names = (exercise.name.split(".") for exercise in exercises.all_exercises())
    assert {folder / lesson / "exercises" / f"{own}.py" for lesson, own in names} == files
    assert len(exercises.all_exercises()) == len(files)


def counting(function):
    """Return an exercise, and the list of the calls that its reference got."""
    calls = []

    def reference(x):
        calls.append(x)
        return function(x)

    case = Case("three numbers", {"x": torch.tensor([1.0, 2.0, 3.0])})
    return Exercise("sample.reference", reference, (case,), (), (), ("a", "b", "c"), ""), calls


@pytest.mark.parametrize(
    ("owner", "name"),
    [(torch, "softmax"), (F, "softmax"), (torch.Tensor, "softmax"), (torch.Tensor, "__add__")],
)
def test_a_reference_that_runs_late_uses_torchs_original_functions(
    owner, name, monkeypatch, capsys
):
    function = getattr(owner, name)
    wanted = function(torch.tensor([1.0, 2.0, 3.0]), 0)
    exercise, _ = counting(lambda x: getattr(owner, name)(x, 0))

    def replacement(*_, **__):
        return torch.zeros(3)

    with monkeypatch.context() as patch:
        patch.setattr(owner, name, replacement)
        assert "First wrong entry" in exercise.check(lambda x: torch.zeros(3)).message
        assert getattr(owner, name) is replacement, "the notebook's own stays in place"
    assert exercise.check(lambda x: wanted).passed
