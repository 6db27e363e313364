"""A long training: evaluations, checkpoints, reasons to stop, and the progress display."""

import io

import pytest
from tiny_training import same, tiny_trainer

from transformer_lite import load
from transformer_lite.training import (
    LossNotFiniteError,
    Plan,
    load_checkpoint,
    read_checkpoint,
    train,
)
from transformer_lite.training import long_run as module
from transformer_lite.training.terminal import TerminalBar


def losses(*values):
    """An evaluation that finds these losses, one after the other."""
    left = iter(values)
    return lambda model: {"loss": next(left)}


def test_it_keeps_a_checkpoint_after_every_interval_and_at_the_end(tmp_path, monkeypatch):
    kept = []
    monkeypatch.setattr(module, "save_checkpoint", lambda trainer, path: kept.append(trainer.step))
    assert train(tiny_trainer(), tmp_path, Plan(steps=8, every=3)) == "steps"
    assert kept == [3, 6, 8]


def test_the_best_model_is_kept_and_not_the_last(tmp_path):
    trainer = tiny_trainer()
    seen = []
    evaluate = losses(3.0, 1.0, 2.0, 1.5)

    def remember(model):
        seen.append({name: weight.clone() for name, weight in model.named_parameters()})
        return evaluate(model)

    assert train(trainer, tmp_path, Plan(steps=12, every=3), remember) == "steps"
    assert same(dict(load(tmp_path).named_parameters()), seen[1])
    assert [measured["step"] for measured in trainer.evaluations] == [3, 6, 9, 12]


def test_training_stops_early_without_improvement(tmp_path):
    trainer = tiny_trainer()
    plan = Plan(steps=99, every=2, patience=2)
    assert train(trainer, tmp_path, plan, losses(3.0, 2.0, 2.5, 2.0, 0.0)) == "patience"
    assert trainer.step == 8


def test_early_stopping_remembers_the_evaluations_before_a_resume(tmp_path):
    plan = Plan(steps=99, every=2, patience=2)
    first = tiny_trainer()
    first.evaluations = [{"step": -1, "loss": 1.0}]
    train(first, tmp_path, Plan(steps=2, every=2), losses(2.0))
    second = tiny_trainer()
    load_checkpoint(second, tmp_path / "checkpoint.safetensors")
    assert train(second, tmp_path, plan, losses(3.0, 0.0)) == "patience"
    assert second.step == 4


def test_training_stops_at_the_time_limit_and_saves_a_checkpoint(tmp_path):
    trainer = tiny_trainer()
    assert train(trainer, tmp_path, Plan(steps=99, every=50, minutes=0.0)) == "minutes"
    assert trainer.step == 0
    ended = train(trainer, tmp_path, Plan(steps=10**6, every=10**6, minutes=0.005), losses(1.0))
    assert ended == "minutes" and 0 < trainer.step < 10**6
    assert read_checkpoint(tmp_path / "checkpoint.safetensors")["step"] == trainer.step


def test_a_loss_that_is_nan_keeps_the_last_good_checkpoint(tmp_path):
    trainer = tiny_trainer(rate=lambda step: 1e-3 if step < 5 else 1e30)
    with pytest.raises(LossNotFiniteError, match="at step 6"):
        train(trainer, tmp_path, Plan(steps=20, every=2))
    kept = read_checkpoint(tmp_path / "checkpoint.safetensors")
    assert kept["step"] == 4
    assert all(weight.isfinite().all() for weight in kept["model"].values())
    second = tiny_trainer(seed=1)
    load_checkpoint(second, tmp_path / "checkpoint.safetensors")
    second.run(4)  # it goes on from there


def test_resumed_long_run_is_bit_identical(tmp_path):
    whole = tiny_trainer()
    train(whole, tmp_path / "whole", Plan(steps=9, every=2))
    train(tiny_trainer(), tmp_path / "broken", Plan(steps=4, every=2))
    second = tiny_trainer(seed=1)
    load_checkpoint(second, tmp_path / "broken" / "checkpoint.safetensors")
    train(second, tmp_path / "broken", Plan(steps=9, every=2))
    assert same(whole.state_dict(), second.state_dict())
    for name in ("model.safetensors", "config.json"):
        broken, unbroken = ((tmp_path / run / name).read_bytes() for run in ("broken", "whole"))
        assert broken == unbroken


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_gets_one_line_that_changes():
    stream = Terminal()
    bar = TerminalBar(0, 200, stream)
    for step in range(1, 201):
        bar.show(step, f"loss {1 / step:.3f}", tokens=10)
    bar.note("held-out loss 1.5")
    bar.close()
    text = stream.getvalue()
    assert text.count("\n") == 2 and text.count("\r") < 200
    assert "200 of 200 steps, loss 0.005" in text and "0:00 left" in text
    assert "held-out loss 1.5" in text


@pytest.mark.parametrize("steps", [5, 20, 1000])
def test_a_file_gets_a_few_whole_lines(steps):
    stream = io.StringIO()
    bar = TerminalBar(0, steps, stream)
    for step in range(1, steps + 1):
        bar.show(step, "loss 1.000")
    bar.close()
    lines = stream.getvalue().splitlines()
    assert len(lines) == min(steps, 20)
    assert "\r" not in stream.getvalue() and f"{steps:,} of {steps:,} steps" in lines[-1]
