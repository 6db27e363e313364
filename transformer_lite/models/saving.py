"""Save and load a model: its weights as safetensors, its config as JSON. Nothing is pickled."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as to_bytes
from torch import Tensor, nn

from transformer_lite.files import write_together
from transformer_lite.models.base import BaseTransformer
from transformer_lite.models.build import build, build_decoder_only, build_encoder_only
from transformer_lite.models.config import TransformerConfig
from transformer_lite.models.difference import first_difference
from transformer_lite.models.transformer import (
    DecoderOnlyTransformer,
    EncoderOnlyTransformer,
    Transformer,
)

WEIGHTS, CONFIG = "model.safetensors", "config.json"
BUILDERS: dict[str, Callable[[TransformerConfig], BaseTransformer]] = {
    Transformer.__name__: build,
    DecoderOnlyTransformer.__name__: build_decoder_only,
    EncoderOnlyTransformer.__name__: build_encoder_only,
}


def save(model: nn.Module, folder: str | Path, dtype: torch.dtype | None = None) -> None:
    """Write ``model.safetensors`` and ``config.json`` into a folder.

    A shared weight is written once. Both files are written under temporary names and then renamed,
    so the old files stay complete until then. If only one of them was renamed, :func:`load` reports
    it. Only weights are saved. Tables that a part computes from the config, such as sines or
    ALiBi's slopes, :func:`load` computes again, and every weight that it returns can be trained.

    Args:
        model: made from a config, by :func:`build` or a similar function.
        folder: where to write; created if missing.
        dtype: the type to store the weights in; None keeps their own. float16 halves the file.

    Raises:
        TypeError: `model` is not one of the three kinds of model, or `dtype` is not a
            floating-point type.
        ValueError: `model` was not built from a config, has other parts or settings than its
            config says, or a weight is NaN, infinite or too large for `dtype`; the old files are
            unchanged.
        OSError: the folder or a file in it cannot be written.
    """
    config = _config_of(model)
    _check_dtype(dtype)
    weights = {name: _stored(name, weight, dtype) for name, weight in model.named_parameters()}
    text = json.dumps({"model": type(model).__name__, **dataclasses.asdict(config)}, indent=2)
    # The weights store the config that they belong to, so that load can refuse a wrong pair.
    # A single entry, because the order of two would change from run to run.
    told = {"config": f"{text}\n{checksum_of(text, weights)}"}
    contents = {WEIGHTS: to_bytes(weights, told), CONFIG: f"{text}\n".encode()}
    write_together({Path(folder) / name: content for name, content in contents.items()})


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
        TypeError: `dtype` is not a floating-point type.
        FileNotFoundError: one of the files is not there.
        ValueError: a file is damaged, or the weights are not those of the config.
    """
    _check_dtype(dtype)
    folder = Path(folder)
    text = (folder / CONFIG).read_bytes()
    model = _model_of(text, folder)
    weights, told = _read_weights(folder / WEIGHTS)
    _check_weights(dict(model.named_parameters()), weights, folder)
    # Weights written by another program have neither config nor checksum.
    if told is not None and json.loads(told) != json.loads(text):
        raise ValueError(f"config.json must be that of the weights next to it, got two in {folder}")
    model.to(device=device)
    for name, parameter in model.named_parameters():
        # Copied, because the file's memory is not aligned for fast products.
        parameter.data = weights[name].to(device=parameter.device, dtype=dtype, copy=True)
    return model.eval()


def checksum_of(text: str, tensors: Mapping[str, Tensor]) -> str:
    """Return the SHA-256 of a text and of the names and bytes of tensors on the CPU.

    Any changed bit changes the checksum.
    """
    digest = hashlib.sha256(text.encode())
    for name in sorted(tensors):
        digest.update(name.encode())
        digest.update(tensors[name].reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()


def _check_weights(
    expected: dict[str, nn.Parameter], weights: dict[str, Tensor], folder: Path
) -> None:
    """Require exactly the weights of a model."""
    for name in sorted(expected.keys() ^ weights.keys()):
        there = "missing in" if name in expected else "unknown to the config in"
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


def _config_of(model: nn.Module) -> TransformerConfig:
    """Return the config of a model, after checking that it still makes such a model."""
    name = type(model).__name__
    if not isinstance(model, BaseTransformer) or name not in BUILDERS:
        raise TypeError(f"model must be one of {', '.join(BUILDERS)}, got {name}")
    if model.config is None:
        raise ValueError(
            "model must be built from a config, as by build(config), got one assembled of parts; "
            "keep its state_dict() with safetensors and the code that assembles it"
        )
    config = model.config
    came = first_difference(model, lambda: BUILDERS[name](config))
    if came is not None:
        raise ValueError(f"model must have the parts of its config, got {came}")
    return config


def _stored(name: str, weight: Tensor, dtype: torch.dtype | None) -> Tensor:
    """Return a weight as it will be written."""
    if not weight.isfinite().all():
        raise ValueError(
            f"{name} must be finite, got {(~weight.isfinite()).sum().item()} of {weight.numel()} "
            "numbers NaN or infinite; save the weights from before the training diverged"
        )
    stored = weight.detach().to("cpu", dtype).contiguous()
    if not stored.isfinite().all():
        raise ValueError(
            f"{name} must fit into {dtype}, got numbers up to {weight.abs().max().item():g}"
        )
    return stored


def _check_dtype(dtype: object) -> None:
    if dtype is not None and not (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
        raise TypeError(f"dtype must be a floating-point type, got {dtype!r}")


def _model_of(text: bytes, folder: Path) -> nn.Module:
    """Return a new model of the class and config in the text, without drawing random numbers."""
    try:
        stored = json.loads(text)
        with torch.random.fork_rng(devices=[]):
            return BUILDERS[stored.pop("model")](TransformerConfig(**stored))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        path = folder / CONFIG
        raise ValueError(f"{path} must hold the config of a model, got {error!r:.200}") from error


def _read_weights(path: Path) -> tuple[dict[str, Tensor], str | None]:
    """Return the weights by name, and the config that they were saved with, if there is one."""
    try:
        with safe_open(path, framework="pt") as file:
            told = file.metadata() or {}
            weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except SafetensorError as error:
        raise ValueError(f"{path} must be a whole safetensors file, got {error}") from error
    if not told:
        return weights, None
    text, _, checksum = told.get("config", "").rpartition("\n")
    if checksum != checksum_of(text, weights):
        raise ValueError(f"{path} must be as it was written, got another checksum: it is damaged")
    return weights, text
