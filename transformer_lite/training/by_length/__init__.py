"""Three translators of one size on texts of growing length: what was measured, and how it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

#: Where the record stands that :func:`measured` reads.
FILE = Path(__file__).with_name("record.json")

__all__ = ["measured"]


def measured() -> dict[str, Any]:
    """Return the record of the last full run, as `record.py` beside this file has written it.

    Returns:
        "settings", what all runs share; "words", the mean number of source words of each length;
        and "runs", one for each model and seed, with its number of parameters and, for each
        length, the share of texts that are right word for word and the BLEU.

    >>> sorted(measured())
    ['runs', 'settings', 'words']
    """
    return json.loads(FILE.read_text(encoding="utf-8"))
