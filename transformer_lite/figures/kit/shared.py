"""What a figure's Python and JavaScript share: captions, names and limits, written once as JSON."""

import json
from pathlib import Path
from typing import Any


def shared(name: str, folder: Path | None = None) -> dict[str, Any]:
    """Return the contents of `name`.json, which `name`.js imports, too.

    Args:
        name: the figure's folder.
        folder: where that folder stands; the package's figures if left out.
    """
    path = (folder or Path(__file__).parents[1]) / name / f"{name}.json"
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data
