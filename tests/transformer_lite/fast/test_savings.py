"""The table in the docstring of fast/ is what benchmarks/fast_forms.py has recorded."""

import json
import re
from pathlib import Path

from transformer_lite import fast

RECORD = Path(__file__).parents[3] / "benchmarks" / "results" / "fast_forms.json"


def test_the_docstring_shows_the_recorded_savings():
    rows = json.loads(RECORD.read_text(encoding="utf-8"))["rows"]
    recorded = {(row["what"], row["batch"]): row["times faster"] for row in rows}
    lines = re.findall(r"^(\w.*?)  +(\d+)  +([\d.]+)$", fast.__doc__, re.MULTILINE)
    assert {(what, int(size)): float(ratio) for what, size, ratio in lines} == recorded
