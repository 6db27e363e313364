"""Wrong input for models, their configs and what is done with them, and what the error says."""
# ruff: noqa: E501 -- one case a line, call and message, reads as a table.

import json
import tempfile
from pathlib import Path

import safetensors.torch
import torch
from tiny_models import BUILDERS, SRC, TGT, D, S, T, config
from torch import nn

import transformer_lite as tl
from transformer_lite.models.variants import FEED_FORWARDS

X, MEMORY = torch.ones(2, T, D), torch.ones(2, S, D)
LOGITS, TARGETS = torch.zeros(2, 5, 7), torch.tensor([[1, 6, 0, 3, 3], [2, 5, 4, 0, 0]])


def model(kind=tl.Transformer, **fields):
    return BUILDERS[kind](config(**fields)).eval()


def alone(ids):
    return model(tl.models.DecoderOnlyTransformer)(ids)


def read_model():
    return model(tl.models.EncoderOnlyTransformer)


def read(ids):
    return read_model()(ids)


def embed(ids, **named):
    return tl.TokenEmbedding(7, D)(ids, **named)


def encoder():
    return model().encoder


def decoder(kind=tl.Transformer):
    return model(kind).decoder


def attention_of_torch(**options):
    return tl.from_torch(nn.MultiheadAttention(D, 3, **options))


def layer_of_torch(kind=nn.TransformerEncoderLayer, **options):
    return kind(D, 3, 20, batch_first=True, **options)


def encoder_of_torch(layer, norm=None):
    return tl.from_torch(nn.TransformerEncoder(layer, 2, norm, enable_nested_tensor=False))


def cost(**changes):
    sizes = {"batch": 2, "query_length": 5, "key_length": 7, "d_model": 12, "num_heads": 3}
    return tl.layers.attention_cost(**(sizes | changes))


def save(what=None, place="", **named):
    with tempfile.TemporaryDirectory() as folder:
        tl.save(model() if what is None else what, Path(folder) / place, **named)


def load(change=None, **named):
    """Save a model, let `change` do something to its folder, and load it."""
    with tempfile.TemporaryDirectory() as folder:
        tl.save(model(), folder)
        if change is not None:
            change(Path(folder))
        tl.load(folder, **named)


def save_behind_a_folder():
    """Save where a folder has the name of the file to write."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "model.safetensors.part").mkdir()
        tl.save(model(), folder)


def fields(**changes):
    def change(folder):
        path = folder / "config.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))

    return change


def wrong_bit(folder):
    path = folder / "model.safetensors"
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 4]))


def cut(folder):
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-1])


def whole_numbers(folder):
    path = folder / "model.safetensors"
    weights = safetensors.torch.load_file(path)
    safetensors.torch.save_file({name: w.long() for name, w in weights.items()}, path)


def grouped(d_model=D, num_heads=6, num_kv_heads=2):
    return tl.layers.GroupedQueryAttention(d_model, num_heads, num_kv_heads)


def segments(ids=SRC, num_segments=2, **named):
    embedding = tl.layers.SegmentEmbedding(11, D, None, num_segments, nn.Identity())
    return embedding(ids, **named)


def with_other_parts():
    """A model that has a part which its config does not name."""
    changed = model()
    changed.decoder.layers[0].feed_forward = tl.layers.SwiGLU(D, 20)
    return changed


def with_a_weight(number):
    changed = model()
    changed.output.weight.data[0, 0] = number
    return changed


def shared_layers():
    (layer,) = encoder().layers
    return tl.models.Encoder([layer, layer])


def assembled():
    """A model made of parts, without a config."""
    parts = model()
    return tl.models.EncoderOnlyTransformer(parts.src_embedding, parts.encoder)


# fmt: off
WRONG_TYPE = [
    (lambda: grouped(num_kv_heads=2.0), "num_kv_heads must be an int, got float: 2.0"),
    (lambda: tl.layers.Pooler("8"), "d_model must be an int, got str: '8'"),
    (lambda: segments(num_segments=None), "num_segments must be an int, got NoneType: None"),
    (lambda: tl.models.from_hugging_face(nn.Linear(2, 2)), "model must be one of transformers' BertModel, GPT2LMHeadModel, LlamaForCausalLM, Qwen3ForCausalLM, Gemma3ForCausalLM, T5ForConditionalGeneration, got Linear"),
    (lambda: config(tie_embeddings=1), "tie_embeddings must be True or False, got 1"),
    (lambda: config(tie_embeddings=None), "tie_embeddings must be True or False, got None"),
    (lambda: tl.TokenEmbedding(7, D, "sinusoidal"), "positions must be a PositionScheme or None, got 'sinusoidal'"),
    (lambda: embed(SRC.to("meta")), "ids must be on device cpu, got meta"),
    (lambda: tl.build({"d_model": 8}), "config must be a TransformerConfig, got dict"),
    (lambda: tl.models.build_decoder_only(None), "config must be a TransformerConfig, got NoneType"),
    (lambda: model()(SRC.to("meta"), TGT), "src_ids must be on device cpu, got meta"),
    (lambda: model()(SRC, TGT.to("meta")), "tgt_ids must be on device cpu, got meta"),
    (lambda: tl.from_torch(None), "module must be one of torch.nn's MultiheadAttention, TransformerEncoderLayer, TransformerEncoder, TransformerDecoderLayer, TransformerDecoder, LayerNorm, RMSNorm, got NoneType"),
    (lambda: tl.from_torch(nn.LayerNorm), "LayerNorm, RMSNorm, got type"),
    (lambda: tl.record_attention("model", SRC), "model must be a torch.nn.Module, got str"),
    (lambda: tl.record_attention(tl.Transformer, SRC, TGT), "model must be a torch.nn.Module, got type"),
    (lambda: save(nn.Linear(2, 2)), "model must be one of Transformer, DecoderOnlyTransformer, EncoderOnlyTransformer, got Linear"),
    (lambda: save({"weight": X}), "EncoderOnlyTransformer, got dict"),
    (lambda: save(dtype=torch.int8), "dtype must be a floating-point type, got torch.int8"),
    (lambda: save(dtype="float16"), "dtype must be a floating-point type, got 'float16'"),
    (lambda: tl.save(model(), None), "not NoneType"),
    (lambda: tl.load(3), "not int"),
]

WRONG_VALUE = [
    (lambda: config(src_vocab_size=0), "src_vocab_size must be at least 1, got 0"),
    (lambda: config(tgt_vocab_size=-13), "tgt_vocab_size must be at least 1, got -13"),
    (lambda: config(d_model=0), "d_model must be at least 1, got 0"),
    (lambda: config(num_heads=0), "num_heads must be at least 1, got 0"),
    (lambda: config(num_heads=5), "num_heads must divide d_model, got d_model=12, num_heads=5"),
    (lambda: config(d_ff=-1), "d_ff must be at least 1, got -1"),
    (lambda: config(num_encoder_layers=0), "num_encoder_layers must be at least 1, got 0"),
    (lambda: config(num_decoder_layers=-2), "num_decoder_layers must be at least 1, got -2"),
    (lambda: config(dropout=1), "dropout must satisfy 0 <= dropout < 1, got 1"),
    (lambda: config(norm="batch"), "norm must be one of layer, rms, got 'batch'"),
    (lambda: config(residual="Post"), "residual must be one of post, pre, deep, got 'Post'"),
    (lambda: config(positions="rope"), "positions must be one of sinusoidal, learned, rotary, alibi, t5, shaw, none, got 'rope'"),
    (lambda: grouped(num_kv_heads=4), "num_kv_heads must divide num_heads, got num_heads=6, num_kv_heads=4"),
    (lambda: tl.layers.Pooler(D)(MEMORY[0]), f"x must have shape (B, S, {D}), got (7, 12)"),
    (lambda: segments(segments=SRC[:, :2] * 0), "segments must have the shape of ids, (2, 7), got (2, 2)"),
    (lambda: segments(segments=SRC), "segments must lie between 0 and 1, got 10"),
    (lambda: tl.models.DecoderOnlyTransformer(nn.Identity(), nn.Identity(), nn.Identity(), pad_id=-1), "pad_id must be at least 0, got -1"),
    (lambda: read_model().pool(MEMORY), "pooler must be given when the model is made, got None"),
    (lambda: tl.models.DecoderOnlyTransformer(nn.Identity(), nn.Identity(), nn.Identity()).new_cache(), "decoder must offer new_cache(), got DecoderOnlyTransformer without one"),
    (lambda: save(with_a_weight(float('nan'))), "output.weight must be finite, got 1 of 156 numbers NaN or infinite; save the weights from before the training diverged"),
    (lambda: tl.models.silence_layers(shared_layers(), [0]), "layers must be of a layer with its own weights, got layers.0, which is also layers.1"),
    (lambda: save(dtype=torch.float16, what=with_a_weight(1e6)), "output.weight must fit into torch.float16, got numbers up to 1e+06"),
    (lambda: load(fields(dropout=0.3)), "config.json must be that of the weights next to it, got two in"),
    (lambda: save(assembled()), "model must be built from a config, as by build(config), got one assembled of parts"),
    (lambda: save(with_other_parts()), "model must have the parts of its config, got decoder.layers.0.feed_forward: transformer_lite.layers.feed_forward.SwiGLU"),
    (lambda: config(activation="swish"), f"activation must be one of {', '.join(FEED_FORWARDS)}, got 'swish'"),
    (lambda: config(max_len=0), "max_len must be at least 1, got 0"),
    (lambda: config(pad_id=-1), "pad_id must be at least 0, got -1"),
    (lambda: config(pad_id=11), "pad_id must be in both vocabularies, below 11, got 11"),
    (lambda: config(tie_embeddings=True), "tie_embeddings needs one vocabulary, got src_vocab_size=11, tgt_vocab_size=13"),
    (lambda: config(positions="rotary", num_heads=4), "d_model / num_heads must be even for rotary positions, got d_model=12, num_heads=4"),
    (lambda: config(d_model=15), "d_model must be even for sinusoidal positions, got d_model=15, num_heads=3"),
    (lambda: tl.TokenEmbedding(0, D), "vocab_size must be at least 1, got 0"),
    (lambda: tl.TokenEmbedding(7, -D), "d_model must be at least 1, got -12"),
    (lambda: tl.TokenEmbedding(7, D, dropout=1.0), "dropout must satisfy 0 <= dropout < 1, got 1.0"),
    (lambda: embed(torch.tensor([[6, 7]])), "ids must lie between 0 and 6, got 7"),
    (lambda: tl.TokenEmbedding(13, D, tl.positions.LearnedPositions(D, 9))(SRC, start=-1), "start must be at least 0, got -1"),
    (lambda: tl.TokenEmbedding(13, D, tl.positions.LearnedPositions(D, 9))(SRC, start=3), "sequence must fit into max_len=9 learned positions, got 10"),
    (lambda: tl.TokenEmbedding(13, D, tl.positions.SinusoidalPositions(8))(SRC), "x must have shape (B, T, 8), got (2, 7, 12)"),
    (lambda: decoder()(X), "memory must be given exactly if the layer has a cross-attention, got memory=None, cross_attention=MultiHeadAttention"),
    (lambda: decoder(tl.models.DecoderOnlyTransformer)(X, MEMORY), "memory must be given exactly if the layer has a cross-attention, got memory=(2, 7, 12), cross_attention=NoneType"),
    (lambda: model()(SRC, TGT + 1), "tgt_ids must lie between 0 and 12, got 13"),
    (lambda: model()(SRC, TGT[:1]), "source and target must have the same batch, got 2 and 1"),
    (lambda: model().decode(TGT, MEMORY[:1]), "source and target must have the same batch, got 1 and 2"),
    (lambda: model().decode(TGT, MEMORY[0]), "memory must have shape (B, S, D), got (7, 12)"),
    (lambda: tl.layers.one_hot(SRC, 0), "size must be at least 1, got 0"),
    (lambda: tl.layers.one_hot(SRC, 10), "ids must lie between 0 and 9, got 10"),
    (lambda: tl.layers.smoothed_targets(SRC, 11, 1.0), "label_smoothing must satisfy 0 <= label_smoothing < 1, got 1.0"),
    (lambda: tl.cross_entropy(torch.tensor(1.0), torch.tensor(0)), "logits must have at least 1 axes, got shape ()"),
    (lambda: tl.cross_entropy(LOGITS, TARGETS[:, :4]), "targets must have the shape of logits without its last axis, (2, 5), got (2, 4)"),
    (lambda: tl.cross_entropy(LOGITS, TARGETS.flatten()), "targets must have the shape of logits without its last axis, (2, 5), got (10,)"),
    (lambda: tl.cross_entropy(LOGITS[..., :6], TARGETS), "targets must lie between 0 and 5, got 6"),
    (lambda: tl.cross_entropy(LOGITS, TARGETS, 1), "label_smoothing must satisfy 0 <= label_smoothing < 1, got 1"),
    (lambda: tl.cross_entropy(LOGITS, TARGETS, pad_id=-100), "pad_id must be at least 0, got -100"),
    (lambda: cost(batch=0), "batch must be at least 1, got 0"),
    (lambda: cost(query_length=0), "query_length must be at least 1, got 0"),
    (lambda: cost(key_length=-7), "key_length must be at least 1, got -7"),
    (lambda: cost(d_model=0), "d_model must be at least 1, got 0"),
    (lambda: cost(num_heads=5), "num_heads must divide d_model, got d_model=12, num_heads=5"),
    (lambda: cost(bytes_per_number=0), "bytes_per_number must be at least 1, got 0"),
    (lambda: attention_of_torch(kdim=4), "kdim and vdim must equal embed_dim, got (4, 12, 12)"),
    (lambda: attention_of_torch(vdim=6), "kdim and vdim must equal embed_dim, got (12, 6, 12)"),
    (lambda: attention_of_torch(add_bias_kv=True), "add_bias_kv must be False, got True"),
    (lambda: attention_of_torch(add_zero_attn=True), "add_zero_attn must be False, got True"),
    (lambda: tl.from_torch(layer_of_torch(activation=torch.tanh)), "activation must be relu or gelu, got <built-in method tanh"),
    (lambda: tl.from_torch(layer_of_torch(activation=nn.GELU("tanh"))), "activation must be relu or gelu, got GELU(approximate='tanh')"),
    (lambda: tl.from_torch(nn.LayerNorm((5, 12))), "normalized_shape must be one axis, got LayerNorm((5, 12)"),
    (lambda: tl.from_torch(nn.RMSNorm((5, 12))), "normalized_shape must be one axis, got RMSNorm((5, 12)"),
    (lambda: tl.from_torch(nn.LayerNorm(D, elementwise_affine=False)), "elementwise_affine must be True, got LayerNorm((12,), eps=1e-05, elementwise_affine=False"),
    (lambda: tl.from_torch(nn.RMSNorm(D, elementwise_affine=False)), "elementwise_affine must be True, got RMSNorm((12,), eps=None, elementwise_affine=False)"),
    (lambda: encoder_of_torch(layer_of_torch(), nn.BatchNorm1d(D)), "norm must be LayerNorm or RMSNorm; merge or remove what was put in its place first, got 'torch.nn.modules.batchnorm.BatchNorm1d'"),
    (lambda: encoder_of_torch(layer_of_torch(nn.TransformerDecoderLayer)), "layers must be TransformerEncoderLayer, got 'TransformerDecoderLayer'"),
    (lambda: encoder_of_torch(type("MyLayer", (nn.TransformerEncoderLayer,), {})(D, 3)), "layers must be TransformerEncoderLayer, got 'MyLayer'"),
    (lambda: tl.record_attention(nn.Linear(2, 2), X), "model must hold a MultiHeadAttention, got Linear"),
    (lambda: tl.record_attention(model(tl.models.DecoderOnlyTransformer), TGT, tl.layers.DecoderCache(2)), "model must be looked into without a cache, got one"),
    (lambda: load(cut), "model.safetensors must be a whole safetensors file, got Error while deserializing header"),
    (lambda: load(wrong_bit), "model.safetensors must be as it was written, got another checksum: it is damaged"),
    (lambda: load(whole_numbers), "src_embedding.table.weight must hold floats of config.json's shape, (11, 12), got torch.int64 of (11, 12)"),
    (lambda: load(fields(model="Perceptron")), "must hold the config of a model, got KeyError('Perceptron')"),
    (lambda: load(fields(norm="rms")), "norm.bias is unknown to the config in"),
]

WRONG_CALLS = [
    (lambda: load(lambda folder: (folder / "config.json").unlink()), "config.json'", FileNotFoundError),
    (lambda: load(lambda folder: (folder / "model.safetensors").unlink()), "model.safetensors", FileNotFoundError),
    (save_behind_a_folder, "Is a directory; the old file is unchanged", IsADirectoryError),
]
# fmt: on
