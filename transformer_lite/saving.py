"""Keep a model on disk: its weights as safetensors, its config as JSON. Nothing is pickled."""

import dataclasses
import json
import os
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import nn

from transformer_lite.config import TransformerConfig
from transformer_lite.transformer import (
    DecoderOnlyTransformer,
    EncoderOnlyTransformer,
    Transformer,
)

MODELS = {
    model.__name__: model for model in (Transformer, DecoderOnlyTransformer, EncoderOnlyTransformer)
}


def save(model: nn.Module, folder: str | Path, dtype: torch.dtype | None = None) -> None:
    """Write ``model.safetensors`` and ``config.json`` into a folder.

    A weight that stands in several places is written once. Both files are written beside their
    place and then moved there: what a folder held before stays whole until the end.

    Args:
        model: one of the three Transformers of this package.
        folder: where to write; made if it is not there.
        dtype: the type to store the weights in; None keeps theirs. float16 halves the file.

    Raises:
        TypeError: `model` is none of the three, or `dtype` no floating-point type.
        OSError: the folder or a file in it cannot be written.
    """
    if type(model) not in MODELS.values():
        raise TypeError(f"model must be one of {', '.join(MODELS)}, got {type(model).__name__}")
    _check_dtype(dtype)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    weights = {
        name: weight.detach().to("cpu", dtype).contiguous()
        for name, weight in model.named_parameters()
    }
    try:
        save_file(weights, folder / "model.safetensors.part")
    except SafetensorError as error:
        raise OSError(f"{folder} must be a place to write to, got {error}") from error
    config = {"model": type(model).__name__, **dataclasses.asdict(model.config)}
    (folder / "config.json.part").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    for name in ("model.safetensors", "config.json"):
        os.replace(folder / f"{name}.part", folder / name)


def load(
    folder: str | Path,
    dtype: torch.dtype | None = None,
    device: torch.device | str | None = None,
) -> nn.Module:
    """Read a model that :func:`save` has written, ready to use, in evaluation mode.

    Args:
        folder: where the two files are.
        dtype: the type of the weights; None keeps the stored one.
        device: where to put the model.

    Returns:
        The model, of the class and config with which it was saved.

    Raises:
        TypeError: `dtype` is no floating-point type.
        FileNotFoundError: one of the files is not there.
        ValueError: a file is damaged, or the weights are not those of the config.
    """
    _check_dtype(dtype)
    folder = Path(folder)
    model = _read_config(folder / "config.json")
    weights = _read_weights(folder / "model.safetensors")
    expected = dict(model.named_parameters())
    for name in sorted(expected.keys() ^ weights.keys()):
        there = "missing in" if name in expected else "unknown to the config beside"
        raise ValueError(
            f"the weights must be those of config.json, but {name} is {there} {folder}"
        )
    for name, parameter in expected.items():
        stored = weights[name]
        if parameter.shape != stored.shape or not stored.is_floating_point():
            raise ValueError(
                f"{name} must hold floats of config.json's shape, {tuple(parameter.shape)}, "
                f"got {stored.dtype} of {tuple(stored.shape)} in {folder}"
            )
    model.to(device=device, dtype=dtype or next(iter(weights.values())).dtype)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(weights[name])
    return model.eval()


def _check_dtype(dtype: object) -> None:
    if dtype is not None and not (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
        raise TypeError(f"dtype must be a floating-point type, got {dtype!r}")


def _read_config(path: Path) -> nn.Module:
    """Return a fresh model of the class and config in the file."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        model = MODELS[stored.pop("model")]
        return model(TransformerConfig(**stored))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"{path} must hold the config of a model, got {error!r:.200}") from error


def _read_weights(path: Path) -> dict[str, torch.Tensor]:
    try:
        with safe_open(path, framework="pt") as file:
            return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except SafetensorError as error:
        raise ValueError(f"{path} must be a whole safetensors file, got {error}") from error
