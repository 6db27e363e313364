"""Sharded checkpoints: each worker writes its part, and any number of workers can read them.

The engine is ``torch.distributed.checkpoint``, which divides the tensors again if the number of
workers has changed. Its files are safetensors, and everything else is JSON next to them: nothing is
pickled, so a checkpoint cannot run code.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.distributed.checkpoint.api import CheckpointException
from torch.distributed.checkpoint.hf_storage import (
    HuggingFaceStorageReader,
    HuggingFaceStorageWriter,
)
from torch.distributed.checkpoint.state_dict_loader import load
from torch.distributed.checkpoint.state_dict_saver import save

from transformer_lite.files import write_whole
from transformer_lite.training.distributed.trainer import WorkerTrainer

NAME = "checkpoint-"  # and the step
STATE = "state.json"


def save_sharded(trainer: WorkerTrainer, folder: str | Path) -> Path:
    """Write everything that the next steps depend on; all workers have to call it.

    The checkpoint is a folder, ``checkpoint-00000012`` after step 12. It is written under another
    name and renamed when it is complete; only then the one before is removed. So the newest one
    with such a name is always complete.

    Args:
        trainer: each worker its own.
        folder: where the checkpoints are; all workers have to see the same.

    Returns:
        The folder of the checkpoint.

    Raises:
        ValueError: a weight is NaN or infinite; the old file is unchanged.
        OSError: something cannot be written; the old file is unchanged.
    """
    workers, place = trainer.workers, Path(folder) / f"{NAME}{trainer.step:08d}"
    part = place.with_name(f"{place.name}.part")
    state = trainer.state_dict()
    _check_finite(trainer, state["model"])
    workers.run_on_first(lambda: _empty(part))
    writer = HuggingFaceStorageWriter(str(part), save_distributed=True)
    try:
        save(_tensors(state), storage_writer=writer, process_group=workers.group)
    except CheckpointException as error:
        raise OSError(f"{part} must be a place to write to, got {error}") from error
    workers.run_on_first(lambda: _finish(part, place, state))
    return place


def load_sharded(trainer: WorkerTrainer, folder: str | Path) -> None:
    """Continue from the newest checkpoint in a folder; all workers have to call it.

    With as many workers as before the next steps give the same weights, bit for bit, as without the
    interruption. With more or fewer, the weights agree up to rounding and dropout.

    Args:
        trainer: made with the same model, batches and settings as the one that was saved.
        folder: where :func:`save_sharded` has written.

    Raises:
        FileNotFoundError: there is no checkpoint.
        ValueError: a file is damaged or missing, or the checkpoint is one of another model. The
            trainer stays as it was.
    """
    workers = trainer.workers
    place, state = workers.run_on_first(lambda: _read_state(Path(folder)))
    tensors = _like(trainer, state)
    try:
        reader = HuggingFaceStorageReader(place)
        load(tensors, storage_reader=reader, process_group=workers.group)
    except CheckpointException as error:
        raise ValueError(f"{place} must be a checkpoint of the same model, got {error}") from error
    model: dict[str, Tensor] = {}
    optimizer: dict[str, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        kind, _, rest = name.partition("/")
        if kind == "model":
            model[rest] = tensor
        else:
            weight, _, moment = rest.partition("/")
            optimizer.setdefault(weight, {})[moment] = tensor
    trainer.load_state_dict({**state, "model": model, "optimizer": optimizer})


def newest_checkpoint(folder: str | Path) -> Path | None:
    """Return the folder of the newest complete checkpoint; None if there is none.

    >>> newest_checkpoint("no such folder") is None
    True
    """
    found = sorted(Path(folder).glob(f"{NAME}{'[0-9]' * 8}"))
    return found[-1] if found else None


def _tensors(state: Mapping[str, Any]) -> dict[str, Tensor]:
    """Return the tensors of a trainer's state by one name each."""
    tensors = {f"model/{name}": tensor for name, tensor in state["model"].items()}
    for name, moments in state["optimizer"].items():
        tensors |= {f"optimizer/{name}/{key}": value for key, value in moments.items()}
    return tensors


def _like(trainer: WorkerTrainer, state: Mapping[str, Any]) -> dict[str, Tensor]:
    """Return tensors to read into: this worker's shards, including the optimizer's.

    A new optimizer has no state yet. Without these tensors it would silently stay empty.
    """
    own = trainer.state_dict()["model"]
    tensors = {f"model/{name}": torch.zeros_like(tensor) for name, tensor in own.items()}
    for name, parameter in trainer.model.named_parameters() if state["step"] else ():
        tensors[f"optimizer/{name}/step"] = torch.zeros(())
        for moment in ("exp_avg", "exp_avg_sq"):
            tensors[f"optimizer/{name}/{moment}"] = torch.zeros_like(parameter.detach())
    return tensors


def _check_finite(trainer: WorkerTrainer, weights: Mapping[str, Tensor]) -> None:
    """Require finite weights: all workers find the same."""
    local = (getattr(weight, "_local_tensor", weight) for weight in weights.values())
    wrong = [name for name, part in zip(weights, local, strict=True) if not part.isfinite().all()]
    names = sorted({name for names in trainer.workers.gather(wrong) for name in names})
    if names:
        raise ValueError(f"the weights of a checkpoint must be finite, got others in {names[0]}")


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def _finish(part: Path, place: Path, state: Mapping[str, Any]) -> None:
    """Write everything except tensors, rename the folder, and remove older ones."""
    told = {key: state[key] for key in ("step", "batches", "history", "evaluations")}
    files = {path.name: _checksum(path) for path in sorted(part.glob("*.safetensors"))}
    text = json.dumps({**told, "files": files}, indent=1)
    write_whole(part / STATE, f"{text}\n".encode())
    shutil.rmtree(place, ignore_errors=True)  # one of the same step
    os.replace(part, place)
    for other in place.parent.glob(f"{NAME}*"):
        if other != place:
            shutil.rmtree(other, ignore_errors=True)


def _read_state(folder: Path) -> tuple[str, dict[str, Any]]:
    """Return the newest checkpoint and its state without tensors, after checking all its files."""
    place = newest_checkpoint(folder)
    if place is None:
        raise FileNotFoundError(f"{folder} must hold a checkpoint, got none")
    try:
        state = json.loads((place / STATE).read_bytes())
        files = dict(state.pop("files"))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{place} must be a whole checkpoint, got {error!r:.200}") from error
    found = {path.name: _checksum(path) for path in place.glob("*.safetensors")}
    if files != found:
        wrong = sorted(name for name in files | found if files.get(name) != found.get(name))
        raise ValueError(f"{place} must be as it was written, but {wrong[0]} is not")
    return str(place), state


def _checksum(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
