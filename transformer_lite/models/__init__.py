"""Whole models: assembling, building from a config, saving, converting and inspecting them."""

from transformer_lite.models import recurrent
from transformer_lite.models.build import build, build_decoder_only, build_encoder_only
from transformer_lite.models.config import TransformerConfig
from transformer_lite.models.decoder import Decoder, DecoderLayer
from transformer_lite.models.encoder import Encoder, EncoderLayer
from transformer_lite.models.hugging_face import from_hugging_face
from transformer_lite.models.inspection import (
    AttentionRecord,
    ResidualRecord,
    ResidualStep,
    ValueRecord,
    record_attention,
    residual_stream,
    value_weighted,
)
from transformer_lite.models.pretrained import minilm, minilm_embeddings, minilm_files
from transformer_lite.models.published import (
    PUBLISHED,
    Memory,
    MultiplyAdds,
    Parameters,
    Published,
    count_active_parameters,
    count_multiply_adds,
    count_parameters,
    memory,
)
from transformer_lite.models.pytorch import from_torch
from transformer_lite.models.saving import load, save
from transformer_lite.models.sentence_encoder import SentenceEncoder, Tokens
from transformer_lite.models.silencing import silence_heads, silence_layers
from transformer_lite.models.to_hugging_face import to_hugging_face
from transformer_lite.models.transformer import (
    DecoderOnlyTransformer,
    EncoderOnlyTransformer,
    PadStartTransformer,
    Transformer,
)

__all__ = [
    "PUBLISHED",
    "AttentionRecord",
    "Decoder",
    "DecoderLayer",
    "DecoderOnlyTransformer",
    "Encoder",
    "EncoderLayer",
    "EncoderOnlyTransformer",
    "Memory",
    "MultiplyAdds",
    "PadStartTransformer",
    "Parameters",
    "Published",
    "ResidualRecord",
    "ResidualStep",
    "SentenceEncoder",
    "Tokens",
    "Transformer",
    "TransformerConfig",
    "ValueRecord",
    "build",
    "build_decoder_only",
    "build_encoder_only",
    "count_active_parameters",
    "count_multiply_adds",
    "count_parameters",
    "from_hugging_face",
    "from_torch",
    "load",
    "memory",
    "minilm",
    "minilm_embeddings",
    "minilm_files",
    "record_attention",
    "recurrent",
    "residual_stream",
    "save",
    "silence_heads",
    "silence_layers",
    "to_hugging_face",
    "value_weighted",
]
