"""The recorded training of chapter 27 is the one that the benchmark measured."""

import json
from pathlib import Path

from lessons.trained.recorded import captions_run

RESULTS = Path(__file__).parents[3] / "benchmarks" / "results"


def rows(name: str) -> list[dict]:
    """Return the rows of a benchmark's results that belong to the book's run."""
    stored = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return [row for row in stored["rows"] if row["run"] == "en-fr"]


def test_the_packages_record_equals_the_benchmarks_results():
    recorded = captions_run()
    assert recorded == {"scores": rows("captions"), "log": rows("captions_log")}
    assert len(recorded["scores"]) == 2 and len(recorded["log"]) > 20


def test_the_log_ends_where_the_training_ended():
    recorded = captions_run()
    assert recorded["log"][-1]["step"] == recorded["scores"][0]["steps"]
    steps = [row["step"] for row in recorded["log"]]
    assert steps == sorted(set(steps))
