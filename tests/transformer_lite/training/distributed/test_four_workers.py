"""Four processes on this machine: what they compute together is what one computes alone."""

import json
import os
from itertools import chain
from pathlib import Path

import pytest

from transformer_lite.training.costs import all_reduce_bytes, memory_by_sharding
from transformer_lite.training.distributed import launch

ROOT = Path(__file__).parents[4]
SCRIPT = ROOT / "tests/support/worker_checks.py"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """What the four have found out, in one launch."""
    folder = tmp_path_factory.mktemp("four")
    more = {"PYTHONPATH": os.pathsep.join(map(str, (SCRIPT.parent, ROOT / ".ci", ROOT)))}
    done = launch(4, str(SCRIPT), str(folder), seconds=400, environment=more)
    assert done.returncode == 0, done.stdout
    return json.loads((folder / "report.json").read_text())


@pytest.mark.parametrize("name", ["ddp", "fsdp"])
@pytest.mark.parametrize("workers", [2, 4])
def test_many_steps_give_the_weights_of_one_process(report, name, workers):
    exact = report["steps"][f"{name} {workers} float64"]
    assert exact["weights"] < 1e-9 and exact["key biases"] < 1e-9
    single = report["steps"][f"{name} {workers} float32"]
    assert single["weights"] < 1e-4 and single["logits"] < 1e-4
    assert exact["tokens"] and single["tokens"]


@pytest.mark.parametrize("name", ["ddp", "fsdp"])
@pytest.mark.parametrize("workers", [2, 4])
def test_loss_and_gradient_norm_are_those_of_the_whole_batch(report, name, workers):
    exact = report["steps"][f"{name} {workers} float64"]
    assert exact["loss"] < 1e-12 and exact["gradient_norm"] < 1e-12
    assert 0.1 < exact["cut"] < 1, "some gradients were cut, and not all"


def test_the_batches_of_the_steps_were_unequal(report):
    tokens = report["shares"]["tokens"]
    assert any(0 in shares for shares in zip(*tokens, strict=True)), "a worker without rows"
    assert any(len(set(shares) - {0}) > 1 for shares in zip(*tokens, strict=True))
    assert report["mean_of_means"]["difference"] > 1e-3, "a wrong mean would have been seen"


@pytest.mark.parametrize("name", ["ddp", "fsdp"])
def test_a_checkpoint_goes_on_with_as_many_workers_and_with_fewer(report, name):
    found = report["checkpoints"]
    assert found[f"{name} same number"] is True and found[f"{name} same history"] is True
    assert found[f"{name} with two"] < 1e-9


@pytest.mark.parametrize("name", ["ddp", "fsdp"])
def test_the_moments_of_the_optimizer_come_back_where_gradients_were(report, name):
    count, parts = report["checkpoints"][f"{name} moments"]
    assert count == report["checkpoints"]["weights"] and parts == [3]


def test_each_worker_writes_its_part_of_a_checkpoint_and_nothing_is_pickled(report):
    *parts, last = report["checkpoints"]["files"]
    assert len(parts) == 4 and all(part.endswith(".safetensors") for part in parts)
    assert last == "state.json"


def test_each_worker_drops_something_else_and_the_same_again(report):
    first, second = report["dropout"]["first"], report["dropout"]["second"]
    assert first == second
    assert len(set(chain(*first))) == 8, "four workers, two steps"


def test_gradients_are_exchanged_once_a_step_and_only_so(report):
    found = report["exchange"]
    size = 4 * found["parameters"]
    assert found["bytes with 1"] == found["bytes with 3"] == size
    assert found["bytes when only the backward pass is held back"] == size
    assert found["bytes of the bare model"] == 0


def test_an_optimizer_made_before_the_shards_moves_nothing(report):
    found = report["order_of_optimizer"]
    assert found["early moves"] == 0 and found["late moves"] > 1e-3
    assert found["late holds shards"] is True
    assert len(set(found["norms of the shards"])) == 4


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("facts", "the same size, got 3 on worker 0 and 4 on worker 2"),
        ("weights", "the same weights, got "),
        ("data", "the same data, got {'epoch': 0, 'position': 0, 'seed': 6, "),
        ("code", " on worker 0 and old on worker 3"),
    ],
)
def test_a_worker_with_something_else_is_told_by_all(report, kind, told):
    messages = report["other_code_or_data"][kind]
    assert len(messages) == 4 and len(set(messages)) == 1
    assert messages[0].startswith("all workers must have the same ") and told in messages[0]


@pytest.mark.parametrize("kind", ["loss", "few"])
def test_held_out_rows_count_once(report, kind):
    together, alone = report["evaluation"][kind]
    assert together == pytest.approx(alone, rel=1e-5)


def test_translations_come_back_in_their_order(report):
    written, alone = report["evaluation"]["written"], report["evaluation"]["alone"]
    assert len(written) == len(alone) == 7
    # One that does not end is cut by the longest source beside it.
    assert all(a.startswith(b) or b.startswith(a) for a, b in zip(written, alone, strict=True))
    assert len(set(alone)) > 3


def test_a_number_that_is_none_stops_all_workers(report):
    found = report["bad_numbers"]
    for kind, told in (("save", "weights of a checkpoint must be finite"), ("step", "got nan ")):
        assert len(set(found[kind])) == 1 and told in found[kind][0]
    assert found["written"] is False


def test_checkpointed_layers_change_nothing_and_bfloat16_little(report):
    assert report["all_parts"]["checkpointing"] == 0
    exact, short = report["all_parts"]["losses"]
    assert exact != short and short == pytest.approx(exact, rel=0.01)


def test_one_that_saves_alone_waits_for_the_others(report):
    found = report["one_saves_alone"]
    assert found["told"] == "RuntimeError" and found["seconds"] > 1.9
    assert found["whole"] is False


def test_a_ring_adds_up_and_sends_what_the_formula_says(report):
    found = report["ring"]
    assert found["largest difference"] == 0
    for case, sent in found["sent"].items():
        size, workers = map(int, case.split())
        padded = -(-size // workers) * workers  # the parts are equally long
        assert sent == all_reduce_bytes(padded, workers, bytes_each=8)


def test_gloo_sends_what_the_formula_says(report):
    sent = report["ring"]["gloo sent"]
    if sent is None:
        pytest.skip("this system does not count what a process sends")
    assert sent == pytest.approx(all_reduce_bytes(500_000, 4), rel=0.02)


@pytest.mark.parametrize(("name", "level"), [("ddp", "ddp"), ("fsdp", "zero3")])
def test_a_worker_holds_what_the_formula_says(report, name, level):
    found = report["memory"]
    expected = memory_by_sharding(found["parameters"], 4, level)
    mean = [sum(kind) / 4 for kind in zip(*found[name], strict=True)]
    assert mean == pytest.approx(list(expected), rel=1e-12)
    # Shards are cut by whole rows, so that not all are of one size.
    assert all(held == pytest.approx(list(expected), rel=0.02) for held in found[name])


@pytest.mark.parametrize("workers", [2, 4])
def test_one_attention_on_several_workers_is_the_whole_one(report, workers):
    found = report["tensor_parallel"]
    for told in found[str(workers)]:
        weights = told.pop("weights")
        assert max(told.values()) < 1e-12
        assert weights < found["whole"] / workers * 1.1
