"""The Python side of the drills: names, seeds, the static picture."""

import html
import json
import re

import pytest

from lessons import FOLDER
from lessons.kit.drills import DRILLS, drill, live_drill
from lessons.kit.drills.live_drill import static_problem
from lessons.kit.figures.registry import FIGURES

every_drill = pytest.mark.parametrize("name", DRILLS)


def test_the_drills_are_the_files():
    files = [path for path in FOLDER.glob("*/drills/*.js") if path.parts[-3] != "kit"]
    assert [*DRILLS] == sorted(path.stem for path in files)
    assert not {*DRILLS} & {*FIGURES}
    assert all(cls.name == name for name, cls in DRILLS.items())


@every_drill
def test_a_drill_shows_its_name_and_is_recreated_from_its_state(name):
    made = drill(name, seed=7)
    assert repr(made) == f"Drill({name!r})"
    assert made.state() == {"seed": 7}
    assert drill(name).state() == {"seed": None}
    again = DRILLS[name](**json.loads(json.dumps(made.state())))
    assert again.to_html() == made.to_html()


@pytest.mark.parametrize(
    ("name", "near"), [("score", "scores"), ("layernorm", "layer_norm"), ("mask", "batch_mask")]
)
def test_an_unknown_name_is_refused_with_the_nearest(name, near):
    with pytest.raises(ValueError, match=f"name must be .*, got '{name}'; the nearest is '{near}'"):
        drill(name)


@pytest.mark.parametrize("seed", [1.5, "1", True])
def test_a_seed_that_is_not_an_int_is_refused(seed):
    with pytest.raises(TypeError, match=f"seed must be an int, got .*{seed}"):
        drill("scores", seed=seed)


@every_drill
def test_the_picture_shows_a_problem_with_empty_boxes_and_folded_solution(name):
    """It comes from the script that Jupyter gets, in which each name may occur only once."""
    still = static_problem(name)
    picture = drill(name).picture()
    assert html.escape(still["task"]) in picture
    assert picture.count("<td></td>") == (
        len(still["asked"]["rows"]) * len(still["asked"]["heads"])  # the boxes, and a corner each
        + len(still["given"])
        + 1
    )
    [way] = re.findall("<details><summary>Show me the way</summary>(.*?)</details>", picture)
    assert [f"<li>{html.escape(step)}</li>" in way for step in still["way"]] == [True] * len(
        still["way"]
    )
    assert " open" not in picture


def test_text_of_a_picture_is_never_markup(monkeypatch):
    hostile = "<img src=x onerror=alert(1)>"
    table = {"caption": hostile, "heads": [hostile], "rows": [hostile], "cells": [[hostile]]}
    still: dict = {"title": hostile, "task": hostile, "note": hostile, "way": [hostile]}
    still |= {"given": [table], "asked": table}
    monkeypatch.setattr(live_drill, "static_problem", lambda _: still)
    assert "<img" not in drill("scores").picture()
