"""Write what the page needs anew: ``python -m transformer_lite.figures.family_tree.make``."""

from __future__ import annotations

import json
from pathlib import Path

from transformer_lite.figures.family_tree.sizes import PARENTS, stored
from transformer_lite.training.checkpoint import write_whole

FILE = Path(__file__).with_name("models.json")


def text() -> str:
    """Return the file's text, a model a line."""
    lines = (json.dumps(stored(name), ensure_ascii=False) for name in PARENTS)
    return "[\n" + ",\n".join(lines) + "\n]\n"


if __name__ == "__main__":
    write_whole(FILE, text().encode())
