"""The file of a class: `load` reads what `save` writes, and reports errors."""

import json
from typing import Any

import pytest

from classroom.plan import ClassPlan

RIGHT: dict[str, Any] = {
    "title": "A class",
    "date": "",
    "exercises": ["attention.attend", "tokens.cut"],
    "secret": "ab" * 32,
    "points": {"attention.attend": 1, "tokens.cut": 2.5},
    "hints": 2,
}


def written(tmp_path, **changes):
    path = tmp_path / "class.json"
    path.write_text(json.dumps(RIGHT | changes))
    return path


def test_plan_round_trip(tmp_path):
    plan = ClassPlan.load(written(tmp_path))
    other = tmp_path / "other.json"
    other.write_text("something that anyone may read")
    other.chmod(0o644)
    plan.save(other)
    assert ClassPlan.load(other) == plan
    assert other.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("changes", "error", "told"),
    [
        ({"title": 5}, TypeError, "title must be a text, got 5"),
        ({"secret": "short"}, ValueError, "secret must be 64 hexadecimal digits"),
        ({"secret": "AB" * 32}, ValueError, "secret must be 64 hexadecimal digits"),
        ({"exercises": []}, ValueError, "at least one exercise"),
        ({"exercises": "tokens.cut"}, TypeError, "exercises must be a list"),
        ({"exercises": ["tokens.cut", "../../x"]}, ValueError, "got '../../x'"),
        ({"exercises": ["tokens.cut"] * 2}, ValueError, "got 'tokens.cut' twice"),
        ({"points": {"tokens.cut": 1}}, ValueError, "points must be given for each exercise"),
        ({"points": [1, 2]}, ValueError, "points must be given for each exercise"),
        ({"points": {**RIGHT["points"], "tokens.cut": -1}}, ValueError, "at least 0, got -1"),
        ({"points": {**RIGHT["points"], "tokens.cut": True}}, ValueError, "got True"),
        ({"points": {**RIGHT["points"], "tokens.cut": float("nan")}}, ValueError, "got nan"),
        ({"hints": True}, ValueError, "hints must be 0, 1, 2 or 3, got True"),
        ({"hints": -1}, ValueError, "hints must be 0, 1, 2 or 3, got -1"),
        ({"late_percent": 101}, ValueError, "late_percent must be a number from 0 to 100, got 101"),
        ({"late_most": "x"}, ValueError, "late_most must be a number from 0 to 100, got 'x'"),
        ({"late_grace": 0.5}, ValueError, "late_grace must be a number of days, got 0.5"),
        ({"late_grace": -1}, ValueError, "late_grace must be a number of days, got -1"),
        ({"partial": 1}, TypeError, "partial must be true or false, got 1"),
        ({"mentor": "me"}, ValueError, "must have the keys"),
    ],
)
def test_wrong_plan_is_refused_with_a_reason(tmp_path, changes, error, told):
    with pytest.raises(error) as raised:
        ClassPlan.load(written(tmp_path, **changes))
    assert told in str(raised.value)
    assert RIGHT["secret"] not in str(raised.value)


@pytest.mark.parametrize("text", ["", "[", "\xff", "[]", "null"])
def test_file_that_is_not_a_plan_is_refused(tmp_path, text):
    path = tmp_path / "class.json"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(ValueError, match=r"class\.json must"):
        ClassPlan.load(path)
