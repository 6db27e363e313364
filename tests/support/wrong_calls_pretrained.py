"""Wrong input for what looks into models and for pretrained ones, and what the error says."""
# ruff: noqa: E501 -- one case a line, call and message, reads as a table.

import sys
import tempfile
from pathlib import Path
from unittest.mock import patch

import tiny_minilm
import torch
from tiny_minilm import accept_as_published, change_config, change_weights
from tiny_models import BUILDERS, SRC, TGT, D, config
from torch import nn

import transformer_lite as tl
from transformer_lite import models


def both():
    return BUILDERS[tl.Transformer](config()).eval()


def reader():
    return BUILDERS[models.EncoderOnlyTransformer](config()).eval()


def silence(heads, model=None):
    with models.silence_heads(model or reader(), heads):
        pass


def silence_layers(layers, model=None):
    with models.silence_layers(model or reader(), layers):
        pass


class Letters:
    """A tokenizer that makes an id of every letter; a point is the pad."""

    def encode_batch(self, sentences):
        return [
            type("", (), {"ids": [3 + ord(c) % 8 if c != "." else 0 for c in s], "tokens": list(s)})
            for s in sentences
        ]


def sentences(value):
    return models.SentenceEncoder(reader(), Letters()).encode(value)


def reader_without_a_pad():
    return models.EncoderOnlyTransformer(nn.Embedding(3, D), nn.Identity(), pad_id=None)


def spoiled(spoil, after=None):
    """Read a tiny MiniLM that was spoiled before its checksums were taken for right, or after."""
    with tempfile.TemporaryDirectory() as name:
        folder = tiny_minilm.write(Path(name))
        spoil(folder)
        with accept_as_published(folder):
            if after is not None:
                after(folder)
            models.minilm(folder)


def without(name):
    return lambda folder: (folder / name).unlink()


def wrote(text):
    return lambda folder: (folder / "config.json").write_text(text)


def lost(name):
    return lambda folder: change_weights(folder, lambda weights: weights.pop(name))


def download_without_a_hub():
    with (
        tempfile.TemporaryDirectory() as empty,
        patch.dict(sys.modules, {"huggingface_hub": None}),
    ):
        models.minilm(empty, download=True)


def gpt2(**options):
    from transformers import GPT2Config, GPT2LMHeadModel

    return GPT2LMHeadModel(
        GPT2Config(vocab_size=7, n_embd=4, n_layer=1, n_head=2, n_positions=5, **options)
    )


def untied():
    model = models.from_hugging_face(gpt2())
    model.output.weight = nn.Parameter(model.output.weight.detach().clone())
    return model


def half_filled():
    """A table that forgets a weight of ours."""
    from transformer_lite.models import weight_names as names

    theirs = gpt2()
    table = {name: ours for name, ours in names.GPT2.items() if "ln_f" not in name}
    names.fill(models.from_hugging_face(theirs), table, theirs.state_dict())


# fmt: off
WRONG_CALLS = [
    (lambda: silence([(0, 0)], nn.Linear(2, 2)), "model must hold a MultiHeadAttention, got Linear", ValueError),
    (lambda: silence(3), "heads must be a list of pairs (layer, head), got 3", TypeError),
    (lambda: silence("00"), "heads must be a list of pairs (layer, head), got '00'", TypeError),
    (lambda: silence([0, 1]), "heads must be a list of pairs (layer, head), got one that is 0", TypeError),
    (lambda: silence([(0, 1.0)]), "heads must be a list of pairs (layer, head), got one that is (0, 1.0)", TypeError),
    (lambda: silence([(0, 3)]), "heads of encoder.layers.0.self_attention go from 0 to 2, got (0, 3)", ValueError),
    (lambda: silence([(0, -1)]), "heads of encoder.layers.0.self_attention go from 0 to 2, got (0, -1)", ValueError),
    (lambda: silence([(1, 0)]), "heads must be in layers 0 to 0, named encoder.layers.0.self_attention, got 1", ValueError),
    (lambda: silence([(-1, 0)]), "heads must be in layers 0 to 0, named encoder.layers.0.self_attention, got -1", ValueError),
    (lambda: silence([(None, 0)]), "heads must tell layers by number or name, got None", TypeError),
    (lambda: silence([(True, 0)]), "heads must tell layers by number or name, got True", TypeError),
    (lambda: silence([(0, 0)], both()), "heads must tell layers by name where there is more than one stack, got 0; the names are encoder.layers.0.self_attention, decoder.layers.0.self_attention, decoder.layers.0.cross", ValueError),
    (lambda: silence_layers([0], 3), "model must be a torch.nn.Module, got int", TypeError),
    (lambda: silence_layers([0], tl.MultiHeadAttention(4, 2)), "model must hold an EncoderLayer or a DecoderLayer, got MultiHeadAttention", ValueError),
    (lambda: silence_layers(0), "layers must be a list of numbers or names, got 0", TypeError),
    (lambda: silence_layers("encoder.layers.0"), "layers must be a list of numbers or names, got 'encoder.layers.0'", TypeError),
    (lambda: silence_layers([1]), "layers must be in layers 0 to 0, named encoder.layers.0, got 1", ValueError),
    (lambda: silence_layers([0.0]), "layers must tell layers by number or name, got 0.0", TypeError),
    (lambda: silence_layers([1], both()), "layers must tell layers by name where there is more than one stack, got 1; the names are encoder.layers.0, decoder.layers.0, decoder.layers.1", ValueError),
    (lambda: models.residual_stream(tl.MultiHeadAttention(4, 2)), "model must hold a residual connection, got MultiHeadAttention", ValueError),
    (lambda: models.residual_stream(reader().train(), SRC), "model must not drop what is added; call model.eval(), got dropout=0.1 at encoder.layers.0.self_attention in training mode", ValueError),
    (lambda: models.value_weighted(BUILDERS[models.DecoderOnlyTransformer](config()), TGT, tl.layers.DecoderCache(2)), "model must be looked into without a cache, got one", ValueError),
    (lambda: models.SentenceEncoder(both(), Letters()), "encoder must be an EncoderOnlyTransformer, got Transformer", TypeError),
    (lambda: models.SentenceEncoder(reader_without_a_pad(), Letters()), "encoder must have a pad_id, which fills up sentences, got None", ValueError),
    (lambda: models.SentenceEncoder(reader(), str.split), "tokenizer must offer encode_batch(sentences), got method_descriptor", TypeError),
    (lambda: sentences("one"), "sentences must be a list of strings, got str: 'one'", TypeError),
    (lambda: sentences(torch.ones(2)), "sentences must be a list of strings, got Tensor: tensor([1., 1.])", TypeError),
    (lambda: sentences(["one", b"two"]), "sentences must be a list of strings, got one of type bytes: b'two'", TypeError),
    (lambda: sentences([]), "sentences must hold at least one sentence, got none", ValueError),
    (lambda: sentences(["fine", "a.b"]), "sentences must not hold the pad, id 0, got 'a.b'", ValueError),
    (lambda: models.minilm(3), "folder must be a path, got int: 3", TypeError),
    (lambda: spoiled(without("vocab.txt")), "vocab.txt must be next to model.safetensors in", FileNotFoundError),
    (lambda: spoiled(wrote("{")), "config.json must hold JSON, got Expecting property name", ValueError),
    (lambda: spoiled(wrote("[1]")), "config.json must hold one object, got [1] in", ValueError),
    (lambda: spoiled(wrote("{}")), "hidden_size of a config.json must be there, got 'none'", ValueError),
    (lambda: spoiled(lambda folder: change_config(folder, hidden_act="silu")), "hidden_act of a config.json must be 'gelu' or 'gelu_new' or 'gelu_pytorch_tanh' or 'relu', got 'silu'", ValueError),
    (lambda: spoiled(lambda folder: change_config(folder, intermediate_size=21)), "encoder.layer.0.intermediate.dense.weight must fill encoder.layers.0.feed_forward.up.weight of shape (21, 12), got (20, 12)", ValueError),
    (lambda: spoiled(lambda folder: change_config(folder, num_hidden_layers=1)), "model.safetensors must hold no more than the model has, got ['encoder.layer.1.attention", ValueError),
    (lambda: spoiled(lost("pooler.dense.bias")), "weights must hold pooler.dense.bias, got none of that name", ValueError),
    (lambda: spoiled(lambda folder: None, lambda folder: (folder / "tokenizer.json").write_text("{}")), "tokenizer.json must have the SHA-256", ValueError),
    (download_without_a_hub, "huggingface_hub must be installed to download sentence-transformers/all-MiniLM-L6-v2, got none; install it: pip install huggingface_hub", ImportError),
    (half_filled, "every weight of ours must be filled, got none for decoder.norm.weight, decoder.norm.bias", ValueError),
    (lambda: models.to_hugging_face("model", gpt2()), "model must be a torch.nn.Module, got str", TypeError),
    (lambda: models.to_hugging_face(reader(), nn.Linear(2, 2)), "like must be one of transformers' BertModel, GPT2LMHeadModel, LlamaForCausalLM, Qwen3ForCausalLM, Gemma3ForCausalLM, T5ForConditionalGeneration, got Linear", TypeError),
    (lambda: models.to_hugging_face(untied(), gpt2()), "model must have one weight for transformer.wte.weight and lm_head.weight, which are tied in like, got embedding.table.weight and output.weight", ValueError),
    (lambda: models.to_hugging_face(untied(), gpt2(tie_word_embeddings=False, n_inner=8)), "model must have the parts of like, GPT2LMHeadModel, got decoder.layers.0.feed_forward.up.weight: (16, 4)", ValueError),
    (lambda: tl.layers.UnscaledAttention(8, 2, 0), "d_head must be at least 1, got 0", ValueError),
    (lambda: tl.layers.UnscaledAttention(8, 0, 2), "num_heads must be at least 1, got 0", ValueError),
    (lambda: models.minilm(download=1), "download must be a bool, got int: 1", TypeError),
]
# fmt: on
