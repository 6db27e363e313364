"""Two processes on this machine: what they compute together is what one computes alone."""

import json
import os
from itertools import chain
from pathlib import Path

import pytest

from transformer_lite.training.costs import all_reduce_bytes, memory_by_sharding
from transformer_lite.training.distributed import launch

ROOT = Path(__file__).parents[4]
SCRIPT = ROOT / "tests/support/worker_checks.py"
each_strategy = pytest.mark.parametrize("name", ["ddp", "fsdp"])


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Return what the two have found out, in one launch."""
    folder = tmp_path_factory.mktemp("two")
    more = {"PYTHONPATH": os.pathsep.join(map(str, (SCRIPT.parent, ROOT / ".ci", ROOT)))}
    done = launch(2, str(SCRIPT), str(folder), seconds=400, environment=more)
    assert done.returncode == 0, done.stdout
    return json.loads((folder / "report.json").read_text())


@each_strategy
def test_many_steps_give_the_weights_losses_and_norms_of_one_process(report, name):
    found = report["steps"][name]
    # The gradient of the keys' biases is 0 but for rounding, and Adam makes steps of that.
    assert found["weights"] < 1e-9 and found["tokens"]
    assert found["loss"] < 1e-12 and found["norm"] < 1e-12
    assert 0.1 < found["clipped"] < 1, "some gradients were clipped, but not all"


@each_strategy
def test_a_checkpoint_resumes_with_as_many_workers_bit_for_bit(report, name):
    found = report["checkpoints"]
    assert found[f"{name} same number"] == 0 and found[f"{name} same history"]


def test_a_checkpoint_resumes_with_fewer_workers_and_another_strategy(report):
    assert report["checkpoints"]["with one"] < 1e-9
    *parts, last = report["checkpoints"]["files"]
    assert len(parts) == 2 and all(part.endswith(".safetensors") for part in parts)
    assert last == "state.json"


def test_the_random_state_of_dropout_differs_by_worker_and_step(report):
    assert len(set(chain(*report["dropout"]["states"]))) == 4, "two workers, two steps"


def test_gradients_are_exchanged_once_a_step(report):
    found = report["exchange"]
    assert found["bytes with 1"] == found["bytes with 3"] == 4 * found["parameters"]


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("facts", "the same size, got 3 on worker 0 and 4 on worker 1"),
        ("weights", "the same weights, got "),
        ("data", "the same data, got {'epoch': 0, 'position': 0, 'seed': 6, "),
        ("code", " on worker 0 and old on worker 1"),
    ],
)
def test_a_worker_with_other_code_or_data_is_reported_by_all(report, kind, told):
    messages = report["other_code_or_data"][kind]
    assert len(messages) == 2 and len(set(messages)) == 1
    assert messages[0].startswith("all workers must have the same ") and told in messages[0]


@pytest.mark.parametrize("kind", ["loss", "few"])
def test_held_out_rows_count_once(report, kind):
    together, alone = report["evaluation"][kind]
    assert together == pytest.approx(alone, rel=1e-5)


def test_translations_are_returned_in_their_order(report):
    written, alone = report["evaluation"]["written"], report["evaluation"]["alone"]
    assert len(written) == len(alone) == 7
    # One that does not end is cut by the longest source next to it.
    assert all(a.startswith(b) or b.startswith(a) for a, b in zip(written, alone, strict=True))
    assert len(set(alone)) > 3


def test_nan_stops_all_workers_in_a_step_and_in_a_save(report):
    found = report["bad_numbers"]
    for kind, told in (("save", "weights of a checkpoint must be finite"), ("step", "got nan ")):
        assert len(set(found[kind])) == 1 and told in found[kind][0]
    assert found["written"] is False


def test_a_ring_gives_the_sum_and_sends_the_bytes_of_the_formula(report):
    found = report["ring"]
    assert found["largest difference"] == 0
    for size, sent in found["sent"].items():
        padded = -(-int(size) // 2) * 2  # the parts are equally long
        assert sent == all_reduce_bytes(padded, 2, bytes_each=8)


@pytest.mark.parametrize(("name", "level"), [("ddp", "ddp"), ("fsdp", "zero3")])
def test_the_memory_of_a_worker_equals_the_formula(report, name, level):
    found = report["memory"]
    expected = memory_by_sharding(found["parameters"], 2, level)
    mean = [sum(kind) / 2 for kind in zip(*found[name], strict=True)]
    assert mean == pytest.approx(list(expected), rel=1e-12)
    # Shards are cut by whole rows, so not all of them have one size.
    assert all(held == pytest.approx(list(expected), rel=0.02) for held in found[name])


def test_attention_split_over_two_workers_equals_the_whole_one(report):
    found = report["tensor_parallel"]
    assert max(found["largest difference"]) < 1e-12
    own, all_of_them = found["weights"]
    assert own < all_of_them / 2 * 1.1
