"""Recurrent networks: cells that step from word to word, and a translator built from them."""

from transformer_lite.models.recurrent.additive_attention import AdditiveAttention, AdditiveSteps
from transformer_lite.models.recurrent.build import build_recurrent
from transformer_lite.models.recurrent.cells import (
    Cell,
    GatedRecurrentCell,
    LongShortTermCell,
    RecurrentCell,
)
from transformer_lite.models.recurrent.decoder import RecurrentDecoder, Unrolled
from transformer_lite.models.recurrent.encoder import FixedContext, RecurrentEncoder
from transformer_lite.models.recurrent.layer import RecurrentLayer, RecurrentOutput
from transformer_lite.models.recurrent.translator import RecurrentTranslator

__all__ = [
    "AdditiveAttention",
    "AdditiveSteps",
    "Cell",
    "FixedContext",
    "GatedRecurrentCell",
    "LongShortTermCell",
    "RecurrentCell",
    "RecurrentDecoder",
    "RecurrentEncoder",
    "RecurrentLayer",
    "RecurrentOutput",
    "RecurrentTranslator",
    "Unrolled",
    "build_recurrent",
]
