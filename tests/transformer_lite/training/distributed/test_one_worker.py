"""Distributed training with one worker: damaged checkpoints, options, settings."""

import os

import pytest
import torch
from sampling import sample
from tiny_training import TINY, TinyBatches, same, tiny_model
from torch.testing import assert_close

from lessons.trained import train
from lessons.trained.options import Options
from transformer_lite import load
from transformer_lite.training import Plan, Trainer
from transformer_lite.training.distributed import (
    WorkerBatches,
    Workers,
    WorkerTrainer,
    checkpoint_layers,
    checkpoints,
    compile_layers,
    ddp,
    fsdp,
    load_sharded,
    newest_checkpoint,
    save_sharded,
    train_distributed,
    worker_seed,
)

each_strategy = pytest.mark.parametrize("strategy", [ddp, fsdp])


def compiled(model):
    return compile_layers(model, "eager")


CHANGED = [(ddp, checkpoint_layers), (fsdp, compiled), (fsdp, checkpoint_layers), (ddp, compiled)]


@pytest.fixture(autouse=True)
def workers():
    """A group of one, which is left after each test."""
    alone = Workers.current()
    yield alone
    alone.leave()


def make(strategy=ddp, model=None, **settings):
    workers = Workers.current()
    model = (model or tiny_model(dropout=0.0)).to(workers.device)
    return WorkerTrainer(
        strategy(model, workers), WorkerBatches(TinyBatches(), workers), **settings
    )


@each_strategy
@pytest.mark.parametrize("settings", [{"accumulate": 2}, {"autocast": True}])
def test_one_worker_trains_like_the_plain_trainer(strategy, settings, workers):
    model = tiny_model(dropout=0.0).to(workers.device)
    ours, plain = make(strategy, **settings), Trainer(model, TinyBatches(), **settings)
    for record, other in zip(ours.run(4), plain.run(4), strict=True):
        assert_close(record.loss, other.loss)
        assert_close(record.gradient_norm, other.gradient_norm)
    expected = {name: p.detach().cpu() for name, p in plain.model.named_parameters()}
    others = {name for name in expected if not name.endswith("k_proj.bias")}  # whose gradient is 0
    came = ours.strategy.full_weights()
    assert_close({n: came[n] for n in others}, {n: expected[n] for n in others})


@pytest.mark.filterwarnings("ignore:The .grad attribute")  # which PyTorch's compiler hides
@pytest.mark.parametrize(("strategy", "change"), sample(CHANGED, 2))
def test_checkpointed_and_compiled_layers_compute_the_same(strategy, change, traced):
    plain = make(strategy)
    changed = make(strategy, change(tiny_model(dropout=0.0)))
    for expected, record in zip(plain.run(3), changed.run(3), strict=True):
        assert_close(record.loss, expected.loss)
        assert_close(record.gradient_norm, expected.gradient_norm)


def test_the_seed_of_dropout_depends_on_seed_step_and_worker():
    cases = {(s, t, r) for s in (0, 1) for t in (1, 2) for r in (0, 1, 2)}
    assert len({worker_seed(*case) for case in cases}) == len(cases)


@pytest.fixture
def saved(tmp_path):
    trainer = make()
    trainer.run(2)
    save_sharded(trainer, tmp_path)
    return trainer, tmp_path


def refused(folder, message, trainer=None, error=ValueError):
    """Require that a new trainer refuses the checkpoint in the folder and is unchanged."""
    trainer = trainer or make(model=tiny_model(7, dropout=0.0))
    before = {name: p.detach().clone() for name, p in trainer.model.named_parameters()}
    with pytest.raises(error, match=message):
        load_sharded(trainer, folder)
    assert trainer.step == 0 and not trainer.optimizer.state
    assert same(before, {name: p.detach() for name, p in trainer.model.named_parameters()})


def test_a_folder_without_a_checkpoint_is_refused(tmp_path):
    refused(tmp_path, "must hold a checkpoint, got none", error=FileNotFoundError)


@pytest.mark.parametrize("change", [lambda b: b[:-3], lambda b: b[:99] + b"x" + b[100:]])
def test_a_damaged_part_is_refused(saved, change):
    _, folder = saved
    (part,) = newest_checkpoint(folder).glob("*.safetensors")
    part.write_bytes(change(part.read_bytes()))
    refused(folder, "must be as it was written, but shard-00001-.* is not")


@pytest.mark.parametrize("fields", [{"d_ff": 25}, {"num_encoder_layers": 2}])
def test_a_checkpoint_of_another_model_is_refused(saved, fields):
    _, folder = saved
    refused(folder, "must be", make(model=tiny_model(dropout=0.0, **fields)))


def test_a_save_that_fails_leaves_the_last_checkpoint(saved, monkeypatch):
    trainer, folder = saved
    trainer.run(1)

    def full(*paths):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checkpoints, "write_whole", full)
    with pytest.raises(OSError, match="No space left"):
        save_sharded(trainer, folder)
    assert newest_checkpoint(folder).name == "checkpoint-00000002"
    monkeypatch.undo()
    again = make(model=tiny_model(7, dropout=0.0))
    load_sharded(again, folder)
    assert again.step == 2
    assert same(again.run(1)[0], trainer.history[-1])
    save_sharded(again, folder)
    assert [path.name for path in folder.iterdir()] == ["checkpoint-00000003"], (
        "older ones are gone"
    )


def test_a_long_training_keeps_the_best_model_and_stops_by_its_clock(tmp_path):
    losses = iter([3.0, 1.0, 2.0])
    trainer = make()
    why = train_distributed(
        trainer, tmp_path, Plan(6, every=2), lambda model: {"loss": next(losses)}
    )
    assert why == "steps" and [found["step"] for found in trainer.evaluations] == [2, 4, 6]
    best = make()
    best.run(4)
    assert same(dict(load(tmp_path).named_parameters()), best.strategy.full_weights())
    assert train_distributed(make(), tmp_path / "none", Plan(6, every=2, minutes=0.0)) == "minutes"
    assert newest_checkpoint(tmp_path / "none").name == "checkpoint-00000000"
    assert train_distributed(trainer, tmp_path, Plan(99, patience=1)) == "patience"


@pytest.fixture
def tiny(tmp_path):
    """The arguments for a tiny training on files, with validation of its own."""
    arguments = [*TINY]
    for side in ("source", "target"):
        path = tmp_path / side
        path.write_text("".join(f"phrase {i} {side[0]}\n" for i in range(20)))
        arguments += [f"--{side}", str(path)]
    return [*arguments, "--vocabulary", "280", "--steps", "2", "--every", "9"]


def test_the_command_trains_with_a_strategy_and_resumes(workers, tiny, tmp_path, capsys):
    out = tmp_path / "out"
    command = [*tiny, "--strategy", "fsdp", "--precision", "bfloat16", "--out", str(out)]
    assert train.main(command) == 0
    told = capsys.readouterr().out
    assert f"fsdp on 1 workers, {workers.device}. From step 0." in told
    assert "validation: 2 pairs" in told
    assert train.main(command) == 1
    assert "--out must be a folder without a checkpoint" in capsys.readouterr().err
    (out / "run.json").write_text(
        (out / "run.json").read_text().replace('"steps": 2', '"steps": 3')
    )
    assert train.main(["--resume", "--out", str(out)]) == 0
    assert "From step 2." in capsys.readouterr().out
    assert newest_checkpoint(out).name == "checkpoint-00000003"


def test_without_a_strategy_several_workers_are_refused(tiny, tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(os.environ, "WORLD_SIZE", "2")
    assert train.main([*tiny, "--out", str(tmp_path / "out")]) == 1
    assert (
        "--strategy must be ddp or fsdp where torchrun starts 2 workers" in capsys.readouterr().err
    )
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"strategy": "pipeline"}, "strategy must be one of ddp, fsdp, got 'pipeline'"),
        ({"strategy": "ddp", "precision": "float16"}, "precision must be one of float32, bfloat16"),
        ({"compile": True}, "compile needs a strategy, ddp or fsdp, got none"),
        ({"checkpointing": True}, "checkpointing needs a strategy"),
        ({"precision": "bfloat16"}, "precision needs a strategy"),
    ],
)
def test_options_that_do_not_fit_together_are_refused(choices, message):
    with pytest.raises(ValueError, match=message):
        Options.chosen(**choices)


def test_the_error_of_the_first_worker_is_raised(workers):
    assert workers.first and workers.run_on_first(lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        workers.run_on_first(lambda: 1 / 0)


def test_each_worker_gets_a_gpu_or_all_use_the_cpu(monkeypatch):
    from transformer_lite.training.distributed import workers as module

    chosen = []
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 4)
    monkeypatch.setattr(torch.cuda, "set_device", chosen.append)
    monkeypatch.setitem(os.environ, "LOCAL_RANK", "3")
    monkeypatch.setitem(os.environ, "LOCAL_WORLD_SIZE", "4")
    assert module._device() == torch.device("cuda", 3) and chosen == [torch.device("cuda", 3)]
    monkeypatch.setitem(os.environ, "LOCAL_WORLD_SIZE", "5")
    assert module._device() == torch.device("cpu")
