"""Checkpoints: resume a training run, bit for bit, after it was killed.

A checkpoint is one file. Its tensors are stored as safetensors, everything else as JSON in the
header, with a checksum of both. Nothing is pickled, so it cannot run code.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save as to_bytes
from torch import Tensor

from transformer_lite.files import write_whole
from transformer_lite.models.saving import checksum_of

if TYPE_CHECKING:
    from transformer_lite.training.trainer import Trainer

TENSOR = "tensor of the file"  # replaces a tensor in the JSON: {TENSOR: its name}


def save_checkpoint(trainer: Trainer, path: str | Path) -> None:
    """Write everything that the next steps of a training depend on.

    The file is written atomically: whatever happens, `path` is either the whole new checkpoint or
        the whole old one.

    Args:
        trainer: its model, optimizer, step, history, position in the data, and generators.
        path: where to write; missing folders are created.

    Raises:
        ValueError: a weight is NaN or infinite; the old file is unchanged.
        OSError: the file cannot be written, on a full disk say; the old file is unchanged.
    """
    state = trainer.state_dict()
    for name, weight in state["model"].items():
        if not weight.isfinite().all():
            raise ValueError(f"the weights of a checkpoint must be finite, got others in {name}")
    tensors: dict[str, Tensor] = {}
    text = json.dumps(_without_tensors(state, "", tensors))
    header = {"state": text, "checksum": checksum_of(text, tensors)}
    write_whole(path, to_bytes(tensors, header))


def load_checkpoint(trainer: Trainer, path: str | Path) -> None:
    """Continue from a file that :func:`save_checkpoint` has written.

    On a CPU with as many threads as before, the next steps give the same weights, bit for bit,
    as without the interruption.

    Args:
        trainer: made with the same model, batches and settings as the one that was saved.
        path: the file.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file is damaged or no checkpoint, or it is one of another model. The
            trainer stays as it was.
    """
    trainer.load_state_dict(read_checkpoint(path))


def read_checkpoint(path: str | Path) -> dict[str, Any]:
    """Return the state in a checkpoint, as :meth:`Trainer.state_dict` made it.

    Args, Raises: as in :func:`load_checkpoint`.
    """
    try:
        with safe_open(path, framework="pt") as file:
            header = file.metadata() or {}
            # Copies, because a tensor in the file's memory would change with the file.
            tensors = {name: file.get_tensor(name).clone() for name in file.keys()}  # noqa: SIM118
    except SafetensorError as error:
        raise ValueError(f"{path} must be a whole checkpoint, got {error}") from error
    if not {"state", "checksum"} <= header.keys():
        raise ValueError(f"{path} must be a checkpoint of a training, got other safetensors")
    if header["checksum"] != checksum_of(header["state"], tensors):
        raise ValueError(f"{path} must be as it was written, got another checksum: it is damaged")
    return _with_tensors(json.loads(header["state"]), tensors)


def _without_tensors(value: Any, name: str, tensors: dict[str, Tensor]) -> Any:
    """Return a state without its tensors, ready for JSON, and put them into `tensors`."""
    if isinstance(value, Tensor):
        tensors[name] = value.detach().to("cpu", copy=True).contiguous()
        return {TENSOR: name}
    if isinstance(value, Mapping):
        return {
            key: _without_tensors(inner, f"{name}/{key}", tensors) for key, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [_without_tensors(inner, f"{name}/{i}", tensors) for i, inner in enumerate(value)]
    return value


def _with_tensors(value: Any, tensors: dict[str, Tensor]) -> Any:
    """Put the tensors back into a state."""
    if isinstance(value, dict):
        if value.keys() == {TENSOR}:
            return tensors[value[TENSOR]]
        return {key: _with_tensors(inner, tensors) for key, inner in value.items()}
    if isinstance(value, list):
        return [_with_tensors(inner, tensors) for inner in value]
    return value
