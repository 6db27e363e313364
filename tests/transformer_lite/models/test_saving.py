"""Saved models load unchanged, damaged files are refused, and nothing is unpickled."""

import json
import os
import pickle
import shutil

import pytest
import safetensors.torch
import torch
from tiny_models import TGT_VOCAB, each_model, inputs_of, make

from transformer_lite import Transformer, load, save
from transformer_lite.models import DecoderOnlyTransformer, EncoderOnlyTransformer, saving
from transformer_lite.models.variants import POSITIONS

WEIGHTS, CONFIG = "model.safetensors", "config.json"


def contents(folder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def saved_once(tmp_path_factory):
    """The files of a saved model, to copy."""
    torch.manual_seed(6)
    folder = tmp_path_factory.mktemp("saved")
    save(make(Transformer, dtype=torch.float32), folder)
    return folder


@pytest.fixture
def saved(saved_once, tmp_path):
    """A folder with a saved model, to damage."""
    shutil.copytree(saved_once, tmp_path, dirs_exist_ok=True)
    return tmp_path


# There and back


@each_model
@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_save_and_load_round_trip(kind, tied, dtype, tmp_path):
    fields = {"src_vocab_size": TGT_VOCAB} if tied else {}
    model = make(kind, dtype, tie_embeddings=tied, **fields).train()
    save(model, tmp_path)
    assert contents(tmp_path).keys() == {WEIGHTS, CONFIG}
    loaded = load(tmp_path)
    assert type(loaded) is kind and loaded.config == model.config
    assert model.training and not loaded.training
    assert torch.equal(loaded(*inputs_of(kind)), model.eval()(*inputs_of(kind)))
    for mine, theirs in zip(loaded.parameters(), model.parameters(), strict=True):
        assert torch.equal(mine, theirs) and mine.dtype == dtype and mine.requires_grad


@pytest.mark.parametrize("positions", POSITIONS)
def test_every_position_scheme_survives_saving_and_loading(positions, tmp_path):
    model = make(Transformer, positions=positions, residual="deep", norm="rms", activation="swiglu")
    save(model, tmp_path)
    assert torch.equal(load(tmp_path)(*inputs_of(Transformer)), model(*inputs_of(Transformer)))


def test_tied_weights_are_written_once_and_stay_tied(tmp_path):
    fields = {"src_vocab_size": TGT_VOCAB, "tie_embeddings": True}
    save(make(Transformer, **fields), tmp_path)
    with safetensors.safe_open(tmp_path / WEIGHTS, framework="pt") as file:
        tables = [name for name in file.keys() if "embedding" in name or "output" in name]  # noqa: SIM118
    assert len(tables) == 1
    loaded = load(tmp_path)
    assert loaded.output.weight is loaded.src_embedding.table.weight
    assert loaded.output.weight is loaded.tgt_embedding.table.weight


def test_load_respects_device(saved):
    for loaded in (load(saved, torch.float64, "meta"), load(saved, torch.float64).to("meta")):
        assert {(p.dtype, p.device.type) for p in loaded.parameters()} == {(torch.float64, "meta")}
        assert {b.device.type for b in loaded.buffers()} == {"meta"}
    assert {p.device.type for p in load(saved, device="cpu").parameters()} == {"cpu"}
    inputs = inputs_of(Transformer)
    exact, plain = load(saved, torch.float64)(*inputs), load(str(saved))(*inputs)
    assert torch.allclose(exact.float(), plain, atol=1e-5), "positions are as exact as they were"


@pytest.mark.gpu
def test_to_a_gpu_and_back(saved, tmp_path):
    loaded = load(saved, device="cuda")
    assert {p.device.type for p in loaded.parameters()} == {"cuda"}
    save(loaded, tmp_path / "again")
    assert contents(tmp_path / "again") == contents(saved)


# Damage


def refused(folder, *words):
    with pytest.raises(ValueError) as caught:
        load(folder)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("left", [0, 4, 8, 100, 3000, -1])
def test_a_truncated_file_is_refused(left, saved):
    whole = (saved / WEIGHTS).read_bytes()
    (saved / WEIGHTS).write_bytes(whole[:left])
    refused(saved, str(saved / WEIGHTS), "must be a whole safetensors file")


def test_one_wrong_bit_anywhere_is_found(saved):
    whole = (saved / WEIGHTS).read_bytes()
    for place in range(0, len(whole), len(whole) // 60):
        bits = bytes([whole[place] ^ 4])
        (saved / WEIGHTS).write_bytes(whole[:place] + bits + whole[place + 1 :])
        refused(saved)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"d_ff": 21}, ("feed_forward.", "config.json's shape", "(21", "(20")),
        ({"src_vocab_size": 12}, ("src_embedding.table.weight", "(12, 12), got", "(11, 12)")),
        ({"num_decoder_layers": 3}, ("decoder.layers.2.", "is missing in")),
        ({"num_decoder_layers": 1}, ("decoder.layers.1.", "is unknown to the config in")),
        ({"norm": "rms"}, ("norm.bias is unknown to the config in",)),
        ({"activation": "swiglu"}, ("feed_forward.down.bias is unknown",)),
        ({"positions": "learned"}, ("src_embedding.positions.table is missing",)),
        ({"residual": "pre"}, ("decoder.norm.bias is missing",)),
        ({"src_vocab_size": 13, "tie_embeddings": True}, ("output.weight is unknown",)),
        ({"model": "EncoderOnlyTransformer"}, ("decoder.layers.0",)),
    ],
    ids=str,
)
def test_weights_of_another_config_are_refused(fields, words, saved):
    stored = json.loads((saved / CONFIG).read_text())
    (saved / CONFIG).write_text(json.dumps(stored | fields))
    refused(saved, str(saved), *words)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"model": "Perceptron"}, ("'Perceptron'",)),
        ({"model": ["Transformer"]}, ("unhashable",)),
        ({"heads": 4}, ("unexpected keyword argument 'heads'",)),
        ({"num_heads": 5}, ("num_heads must divide d_model, got d_model=12, num_heads=5",)),
        ({"d_model": 12.0}, ("d_model must be an int, got float: 12.0",)),
        ({"dropout": float("nan")}, ("dropout must satisfy 0 <= dropout < 1, got nan",)),
        ({"norm": None}, ("norm must be one of layer, rms, got None",)),
    ],
    ids=str,
)
def test_a_config_that_does_not_fit_is_refused(fields, words, saved):
    stored = json.loads((saved / CONFIG).read_text())
    (saved / CONFIG).write_text(json.dumps(stored | fields))
    refused(saved, f"{saved / CONFIG} must hold the config of a model", *words)


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "null", '"Transformer"', "{}", "\xff"])
def test_damaged_json_is_refused(text, saved):
    (saved / CONFIG).write_bytes(text.encode("latin1"))
    refused(saved, f"{saved / CONFIG} must hold the config of a model")


# Nothing is unpickled


class Bomb:
    """Whoever unpickles this makes a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("old_format", [True, False])
def test_a_pickle_is_refused_and_not_opened(old_format, saved, tmp_path):
    bomb = tmp_path / "bomb"
    torch.save(
        {"weights": Bomb(bomb)}, saved / WEIGHTS, _use_new_zipfile_serialization=not old_format
    )
    refused(saved, "must be a whole safetensors file")
    (saved / WEIGHTS).write_bytes(pickle.dumps(Bomb(bomb)))
    refused(saved, "must be a whole safetensors file")
    (saved / CONFIG).write_bytes(pickle.dumps(Bomb(bomb)))
    refused(saved, "must hold the config of a model")
    assert not bomb.exists()
    pickle.loads(pickle.dumps(Bomb(bomb)))
    assert bomb.exists(), "this is what would have happened"


# A save that fails


def fails(*args, **kwargs):
    raise OSError(28, "no space left")


@pytest.mark.parametrize(
    ("module", "name"),
    [(saving, "to_bytes"), (json, "dumps"), (os, "replace")],
    ids=["weights", "config", "move"],
)
def test_failed_save_keeps_the_old_files(module, name, saved, monkeypatch):
    before = {name: contents(saved)[name] for name in (WEIGHTS, CONFIG)}
    monkeypatch.setattr(module, name, fails)
    with pytest.raises(OSError, match="no space left"):
        save(make(DecoderOnlyTransformer), saved)
    monkeypatch.undo()
    assert {name: contents(saved)[name] for name in (WEIGHTS, CONFIG)} == before
    assert type(load(saved)) is Transformer
    save(make(DecoderOnlyTransformer), saved)  # files left by the failed save do not matter
    assert contents(saved).keys() == {WEIGHTS, CONFIG}
    assert type(load(saved)) is DecoderOnlyTransformer


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: setattr(m.output, "bias", torch.nn.Parameter(torch.ones(1))), r"bias: \(1,\)"),
        (lambda m: setattr(m.decoder.layers[0].feed_forward.up, "bias", None), "bias: nothing"),
        (lambda m: m.encoder.layers.append(torch.nn.Identity()), "encoder.layers.1: .*Identity"),
        # And settings that the config does not know.
        (lambda m: setattr(m, "pad_id", 4), "pad_id: 4"),
        (
            lambda m: setattr(m.decoder.layers[0].feed_forward, "activation", torch.sin),
            "activation",
        ),
        (lambda m: setattr(m.encoder.layers[0].feed_forward_residual.norm, "eps", 0.5), "eps: 0.5"),
        (lambda m: setattr(m.decoder.layers[1].self_attention, "num_heads", 6), "num_heads: 6"),
    ],
)
def test_a_model_that_its_config_cannot_make_again_is_not_saved(change, message, tmp_path):
    model = make(Transformer)
    change(model)
    with pytest.raises(ValueError, match=f"the parts of its config, got .*{message}"):
        save(model, tmp_path)
    assert not list(tmp_path.iterdir()), "nothing is written"


def test_weights_that_are_not_contiguous_are_saved(tmp_path):
    model = make(EncoderOnlyTransformer)
    attention = model.encoder.layers[0].self_attention
    attention.q_proj.weight = torch.nn.Parameter(attention.q_proj.weight.detach().T)
    save(model, tmp_path)
    for mine, theirs in zip(load(tmp_path).parameters(), model.parameters(), strict=True):
        assert torch.equal(mine, theirs)


@pytest.mark.parametrize("number", [torch.nan, torch.inf, -torch.inf])
def test_weights_that_are_not_finite_are_not_saved(number, saved):
    before, model = contents(saved), load(saved)
    weight = next(model.parameters())
    with torch.no_grad():
        weight[0, :2] = number
    with pytest.raises(ValueError, match=rf"must be finite, got 2 of {weight.numel()} numbers"):
        save(model, saved)
    assert contents(saved) == before
