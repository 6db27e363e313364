"""The translator as one file for the page: ``python -m lessons.trained.translator.page``.

The file contains, one after the other:

1. the length of the header, 4 bytes, little-endian;
2. the header, JSON in ASCII: the config, the tokens, the rule of doubt (null if there is none), and
   for each tensor its name, its shape and the place of its first byte, counted from the end of the
   header; a weight that occurs in several places of the model has as many names, all with one
   place;
3. for each tensor its whole numbers, row by row, one byte each with a sign, and after them one
   exponent a row, of one byte too. A value is number · 2^exponent. A vector is one row.
"""

from __future__ import annotations

import dataclasses
import json
import struct
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from torch import Tensor

from lessons.trained.translator.loading import FOLDER, Translator, load_translator
from lessons.trained.translator.rounding import rounded
from transformer_lite.files import write_whole
from transformer_lite.models.base import BaseTransformer
from transformer_lite.text import Tokenizer

#: Where the figures of the book find the translator.
PAGE = FOLDER.parents[1] / "kit/figures/translator/translator.bin"


def page_bytes(translator: Translator) -> bytes:
    """Return the page's file: the same values as in the translator's weights, in 8 bits.

    Args:
        translator: its weights are rounded, as by :func:`round_weights`.

    Raises:
        ValueError: as in :func:`packed`.
    """
    rule = translator.rule and dataclasses.asdict(translator.rule)
    return packed(translator.model, translator.tokenizer, {"doubt": rule})


def packed(model: BaseTransformer, tokenizer: Tokenizer, told: Mapping[str, Any]) -> bytes:
    """Return a model and its tokens as the page's file, whatever the model is assembled of.

    Args:
        model: built from a config; its weights are rounded, as by :func:`round_weights`.
        tokenizer: of its tokens.
        told: what else the header says.

    Raises:
        ValueError: a weight is not rounded, and so would not be the same on the page.
    """
    tensors, body, places = [], b"", dict[Tensor, int]()
    for name, weight in model.named_parameters(remove_duplicate=False):
        if weight not in places:  # a tied weight has several names and one place
            places[weight] = len(body)
            numbers, exponents = rounded(weight)
            if not bool((numbers * 2.0**exponents == weight).all()):
                raise ValueError(
                    f"the weights must be rounded by round_weights, got others: {name}"
                )
            body += numbers.numpy().tobytes() + exponents.numpy().tobytes()
        tensors.append({"name": name, "shape": list(weight.shape), "offset": places[weight]})
    header = {
        "config": dataclasses.asdict(model.config),  # type: ignore[arg-type]
        "tokens": list(tokenizer.tokens),
        **told,
        "tensors": tensors,
    }
    text = json.dumps(header, separators=(",", ":")).encode("ascii")
    return struct.pack("<I", len(text)) + text + body


def write_page(translator: Translator, path: str | Path = PAGE) -> int:
    """Write the page's file and return its size in bytes.

    Raises:
        ValueError: as in :func:`page_bytes`.
        OSError: the file cannot be written; one that stood there is whole.
    """
    content = page_bytes(translator)
    write_whole(path, content)
    return len(content)


if __name__ == "__main__":
    print(f"{PAGE.name}: {write_page(load_translator()):,} bytes")
    sys.exit()
