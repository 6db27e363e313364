"""A training that was recorded: English to French on real captions, from a terminal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CAPTIONS = Path(__file__).with_name("captions_run.json")


def captions_run() -> dict[str, list[dict[str, Any]]]:
    """Return what was measured while a translator learned 29,000 captions, and at its end.

    ``benchmarks/captions.py`` measures it, and says on which machine.

    Returns:
        "log": step, held-out loss, BLEU and exact match of 200 sentences, written greedily.
        "scores": the best model on all held-out sentences, greedily and with a beam of 4; the
        time, the tokens and the command of the training.

    Reference: Elliott et al. 2016, Multi30K, the source of the sentences.

    >>> [row["beam"] for row in captions_run()["scores"]]
    [1, 4]
    """
    recorded: dict[str, list[dict[str, Any]]] = json.loads(CAPTIONS.read_text(encoding="utf-8"))
    return recorded
