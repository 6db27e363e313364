"""Checkpoints: the same weights with and without a break, and nothing lost by what goes wrong."""

import copy
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from tiny_training import real_trainer, same, tiny_model, tiny_trainer

from transformer_lite.training import load_checkpoint, read_checkpoint, save_checkpoint

SUPPORT = Path(__file__).parents[2] / "support"


@pytest.mark.parametrize("settings", [{}, {"accumulate": 2}, {"autocast": True}])
@pytest.mark.parametrize("before", [0, 1, 7])
def test_resumed_training_is_bit_identical(tmp_path, before, settings):
    whole = tiny_trainer(**settings)
    whole.run(12)
    first = tiny_trainer(**settings)
    first.run(before)
    save_checkpoint(first, tmp_path / "c")
    first.run(2)  # what was not saved is lost
    torch.manual_seed(99)
    second = tiny_trainer(seed=1, **settings)
    second.run(1)  # it has moments of its own when it loads
    load_checkpoint(second, tmp_path / "c")
    assert second.step == before
    second.run(12 - before)
    assert same(whole.state_dict(), second.state_dict())


@pytest.mark.parametrize("before", [2, 7])
def test_resuming_within_and_across_epochs(tmp_path, before):
    whole = real_trainer()
    whole.run(20)
    assert whole.state_dict()["batches"]["epoch"] >= 2
    first = real_trainer()
    first.run(before)
    save_checkpoint(first, tmp_path / "c")
    second = real_trainer()
    load_checkpoint(second, tmp_path / "c")
    second.run(20 - before)
    assert same(whole.state_dict(), second.state_dict())


@pytest.mark.parametrize("forgotten", ["optimizer", "batches", "generators", "model"])
def test_each_part_of_the_state_is_needed(tmp_path, forgotten):
    trainer = tiny_trainer()
    trainer.run(3)
    save_checkpoint(trainer, tmp_path / "c")
    trainer.run(3)
    second = tiny_trainer(seed=1)
    state = read_checkpoint(tmp_path / "c") | {forgotten: second.state_dict()[forgotten]}
    second.load_state_dict(state)
    second.run(3)
    assert not same(trainer.state_dict()["model"], second.state_dict()["model"])


@pytest.fixture
def saved(tmp_path):
    trainer = tiny_trainer()
    trainer.run(2)
    save_checkpoint(trainer, tmp_path / "c")
    return trainer, tmp_path / "c"


def refused(trainer, path, message):
    """The file is refused with this message, and the trainer stays as it was."""
    before = copy.deepcopy(trainer.state_dict())
    with pytest.raises(ValueError, match=message):
        load_checkpoint(trainer, path)
    assert same(before, trainer.state_dict())


@pytest.mark.parametrize("share", [0.0, 0.001, 0.3, 0.9, 0.9999])
def test_a_truncated_checkpoint_is_refused(saved, share):
    trainer, path = saved
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    refused(trainer, path, "c must be a whole checkpoint, got ")


def test_one_wrong_bit_anywhere_is_found(saved):
    trainer, path = saved
    whole = path.read_bytes()
    for place in range(0, len(whole), len(whole) // 60):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        refused(trainer, path, "c must be ")


def test_a_checkpoint_of_another_model_is_refused(saved):
    trainer, path = saved
    state = trainer.state_dict()
    name = list(state["model"])[-1]
    shape = tuple(state["model"].pop(name).shape)
    with pytest.raises(ValueError) as caught:
        trainer.load_state_dict(state)
    assert f"the same model: {name} has shape {shape} here, got None" in str(caught.value)
    refused(tiny_trainer(model=tiny_model(d_ff=25)), path, "of the same model: ")


def test_weights_that_are_not_finite_do_not_overwrite_a_checkpoint(saved):
    trainer, path = saved
    before = path.read_bytes()
    with torch.no_grad():
        next(trainer.model.parameters())[0, 0] = torch.nan
    with pytest.raises(ValueError, match="must be finite, got others in "):
        save_checkpoint(trainer, path)
    assert path.read_bytes() == before


def run_script(name, *arguments):
    """Run one of the scripts of `tests/support` in a process of its own; return what it prints."""
    command = [sys.executable, str(SUPPORT / name), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_full_disk_leaves_the_last_checkpoint_whole(tmp_path):
    printed = run_script("full_disk.py", tmp_path)
    assert "File too large; the old file is unchanged" in printed
    assert "step 6: " in printed, "a long training stops with the error"
    assert read_checkpoint(tmp_path / "checkpoint.safetensors")["step"] == 2
    assert not (tmp_path / "checkpoint.safetensors.part").exists(), "the half one is gone"


@pytest.mark.parametrize("kills", [2, pytest.param(20, marks=pytest.mark.nightly)])
def test_a_training_killed_again_and_again_ends_with_the_same_weights(tmp_path, kills):
    assert f"{kills} kills" in run_script("killed_training.py", tmp_path, kills)
    whole, killed = (tmp_path / name for name in ("whole", "killed"))
    name = "checkpoint.safetensors"
    assert same(read_checkpoint(whole / name), read_checkpoint(killed / name))
    for name in ("model.safetensors", "config.json"):
        assert (whole / name).read_bytes() == (killed / name).read_bytes()
