"""Load the trained translator for the figures that show its inner steps."""

import copy
import functools

from lessons.trained.translator import load_translator
from transformer_lite.models.transformer import Transformer
from transformer_lite.text import Tokenizer


@functools.cache
def machine() -> tuple[Transformer, Tokenizer]:
    """Return the trained translator in double precision, and its tokenizer."""
    translator = load_translator()
    return copy.deepcopy(translator.model).double(), translator.tokenizer
