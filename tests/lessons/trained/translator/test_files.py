"""The translator's files: they hold the same values, are small, and damage is reported."""

import gzip
import json
import struct

import numpy as np
import pytest
import torch
from tiny_training import tiny_model

from lessons.trained.translator import FOLDER, Translator, load_translator, sizes_of
from lessons.trained.translator.make import write
from lessons.trained.translator.page import PAGE, page_bytes
from transformer_lite.text import WordTokenizer

FILES = ("model.safetensors", "config.json", "vocabulary.json")


def read_page(content):
    """Read a page's file as the book's JavaScript does: header, then numbers and exponents."""
    (length,) = struct.unpack_from("<I", content)
    header = json.loads(content[4 : 4 + length].decode("ascii"))
    body = content[4 + length :]
    weights = {}
    for tensor in header["tensors"]:
        shape, first = tensor["shape"], tensor["offset"]
        rows, size = int(np.prod(shape[:-1])), int(np.prod(shape))
        numbers = np.frombuffer(body, np.int8, size, first).reshape(rows, -1)
        exponents = np.frombuffer(body, np.int8, rows, first + size)
        values = numbers * 2.0 ** exponents.astype(np.float64)[:, None]
        weights[tensor["name"]] = torch.from_numpy(values).reshape(shape).float()
    return header, weights, max(t["offset"] for t in header["tensors"]), len(body)


def test_the_page_contains_the_weights_words_and_config_of_the_package():
    translator = load_translator()
    header, weights, _, _ = read_page(PAGE.read_bytes())
    state = dict(translator.model.named_parameters(remove_duplicate=False))
    assert weights.keys() == state.keys()
    assert all(torch.equal(weights[name], weight) for name, weight in state.items())
    assert tuple(header["tokens"]) == translator.tokenizer.tokens
    assert header["config"] == vars(translator.model.config)
    assert page_bytes(translator) == PAGE.read_bytes()


def test_the_files_are_small():
    assert (FOLDER / "model.safetensors").stat().st_size <= 1_000_000
    assert len(gzip.compress(PAGE.read_bytes())) <= 500_000


def test_the_config_of_the_model_matches_the_book():
    config = load_translator().model.config
    assert (config.d_model, config.num_heads, config.d_ff) == (64, 4, 256)
    assert (config.num_encoder_layers, config.num_decoder_layers) == (3, 1)
    told = {name: getattr(config, name) for name in sizes_of() if hasattr(config, name)}
    assert told == sizes_of() and told["num_decoder_layers"] == 1
    assert (config.residual, config.norm, config.positions) == ("pre", "layer", "sinusoidal")
    assert config.activation == "relu" and config.tie_embeddings


@pytest.fixture
def tiny(tmp_path):
    """Provide a tiny translator, written to a folder."""
    translator = Translator(tiny_model().eval(), WordTokenizer([*"abcdefg"]))
    write(translator, tmp_path, tmp_path / "page" / "translator.bin")
    return tmp_path


def test_saved_weights_are_read_back_by_package_and_page(tiny):
    translator = load_translator(tiny)
    assert not translator.model.training
    assert next(translator.model.parameters()).dtype == torch.float32
    header, weights, _, _ = read_page((tiny / "page" / "translator.bin").read_bytes())
    for name, weight in translator.model.named_parameters(remove_duplicate=False):
        assert torch.equal(weights[name], weight)
    assert header["tokens"][:4] == ["<pad>", "<bos>", "<eos>", "<unk>"]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("share", [0.0, 0.5, 0.95])
def test_truncated_file_is_reported_and_kept(tiny, name, share):
    whole = (tiny / name).read_bytes()
    (tiny / name).write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(ValueError, match=rf"{name} must (be|hold)"):
        load_translator(tiny)
    assert (tiny / name).read_bytes() == whole[: int(share * len(whole))]


@pytest.mark.parametrize("name", FILES)
def test_missing_file_is_reported(tiny, name):
    (tiny / name).unlink()
    with pytest.raises(FileNotFoundError, match=name):
        load_translator(tiny)


@pytest.mark.parametrize("text", ["", "   ", "🙂", "<b>chat</b>", "<pad> <eos>", "xyz" * 50])
def test_any_text_is_translated_somehow(text):
    assert isinstance(load_translator().translate(text), str)
