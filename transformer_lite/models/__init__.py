"""The assemblies: parts put together to a model, and what one does with a whole model."""

from transformer_lite.models import recurrent
from transformer_lite.models.build import build, build_decoder_only, build_encoder_only
from transformer_lite.models.config import TransformerConfig
from transformer_lite.models.decoder import Decoder, DecoderLayer
from transformer_lite.models.encoder import Encoder, EncoderLayer
from transformer_lite.models.hugging_face import from_hugging_face
from transformer_lite.models.inspection import AttentionRecord, record_attention
from transformer_lite.models.pretrained import minilm, minilm_embeddings, minilm_files
from transformer_lite.models.pytorch import from_torch
from transformer_lite.models.saving import load, save
from transformer_lite.models.sentence_encoder import SentenceEncoder, Tokens
from transformer_lite.models.transformer import (
    DecoderOnlyTransformer,
    EncoderOnlyTransformer,
    Transformer,
)

__all__ = [
    "AttentionRecord",
    "Decoder",
    "DecoderLayer",
    "DecoderOnlyTransformer",
    "Encoder",
    "EncoderLayer",
    "EncoderOnlyTransformer",
    "SentenceEncoder",
    "Tokens",
    "Transformer",
    "TransformerConfig",
    "build",
    "build_decoder_only",
    "build_encoder_only",
    "from_hugging_face",
    "from_torch",
    "load",
    "minilm",
    "minilm_embeddings",
    "minilm_files",
    "record_attention",
    "recurrent",
    "save",
]
