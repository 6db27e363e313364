"""Run everything that a GPU changes, part by part, and write one record with the card's name.

`benchmarks/on_a_gpu.sh` calls this. Each part is a process of its own with a time limit of its
own. What fails or takes too long is recorded with its reason, and does not stop the others. The
record is written again after each part.
"""

import argparse
import importlib.util
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import torch

ROOT = Path(__file__).parents[1]
RECORD = ROOT / "benchmarks" / "results" / "on_a_gpu.json"
#: The seconds that each part may take: together less than eight minutes.
LIMITS = {"decoding": 80, "training": 60, "memory": 40, "fsdp": 70, "chapters": 210}
FLOAT32, BFLOAT16 = "float32", "bfloat16"
Rows = list[dict]


def decoding(small: bool) -> tuple[str, Rows, str]:
    """Compare greedy search and beam search with Hugging Face's, in two dtypes."""
    from decoding import compare
    from peers.machines import machines

    sizes = (1,) if small else (1, 8, 32)
    rows = [
        {"dtype": dtype} | compare(machine, size, beams, rounds=2 if small else 3)
        for dtype in (FLOAT32, BFLOAT16)
        for machine in machines(getattr(torch, dtype))
        for beams, size in itertools.product((1, 4), sizes)
    ]
    return "Decoding with a cache", rows, "The ratio is the median of the rounds' ratios."


def training(small: bool) -> tuple[str, Rows, str]:
    """Compare steps of training with nn.Transformer's and Hugging Face's, in two dtypes."""
    from training import compare

    rows = [
        {"dtype": dtype} | row
        for dtype in (FLOAT32, BFLOAT16)
        for row in compare(rounds=2 if small else 5, autocast=dtype == BFLOAT16)
    ]
    return "One step of training", rows, "bfloat16 means autocast, with weights in float32."


def memory(small: bool) -> tuple[str, Rows, str]:
    """Measure memory and time of one attention against the length."""
    from long_contexts import LENGTHS, table

    return "One attention by length", table(LENGTHS[:2] if small else LENGTHS), "Float32."


def fsdp(small: bool) -> tuple[str, Rows, str]:
    """Train in one worker, as a single process and under FSDP."""
    from transformer_lite.training.distributed import launch

    rows = []
    steps = 4 if small else 200
    for strategy in ("single", "fsdp"):
        with tempfile.TemporaryDirectory() as folder:
            options = ["--pairs", "600", "--steps", str(steps), "--every", str(steps)]
            if strategy == "fsdp":
                options += ["--strategy", "fsdp"]
            start = time.perf_counter()
            run = launch(1, "lessons.trained.train", *options, "--out", folder, seconds=400)
            seconds = round(time.perf_counter() - start, 1)
        last = run.stdout.strip().splitlines()[-1:] or [""]
        ended = "well" if run.returncode == 0 else f"with status {run.returncode}"
        rows.append({
            "strategy": strategy, "steps": steps, "seconds": seconds, "ended": ended,
            "last line": last[0][:120],
        })  # fmt: skip
    return "Training with one worker", rows, "The seconds include the start of the processes."


def chapters(small: bool) -> tuple[str, Rows, str]:
    """Run all chapters, and compare their outputs with the stored ones."""
    if importlib.util.find_spec("nbval") is None:
        raise RuntimeError("nbval is not installed, so no chapter was run")
    notebooks = sorted((ROOT / "notebooks").glob("*.ipynb"))[: 1 if small else None]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--no-header"),
            *("-p", "nbval", "--nbval", "--nbval-current-env", "--nbval-cell-timeout=120"),
            *("-p", "kept_runs", f"--keep-runs={folder}/runs", f"--junitxml={report}"),
        ]
        if importlib.util.find_spec("xdist") is not None:
            command += ["-n", str(min(8, os.cpu_count() or 1)), "--dist", "loadfile"]
        run = subprocess.run([*command, *map(str, notebooks)], capture_output=True, text=True)
        if not report.exists():
            raise RuntimeError(f"pytest ended with {run.returncode}: {run.stdout[-500:]}")
        return "Chapters", _cells(report), "A cell fails if its text differs from the stored one."


def _cells(report: Path) -> Rows:
    """Return how many cells of each chapter agreed and differed, and how long they took."""
    counts: dict[str, Counter] = {}
    differing: dict[str, list[str]] = {}
    for case in ET.parse(report).iter("testcase"):
        chapter = Path(str(case.get("classname")).replace(".", "/")).name
        chapter = next((p.stem for p in (ROOT / "notebooks").glob("*.ipynb")
                        if p.stem in str(case.get("classname"))), chapter)  # fmt: skip
        count = counts.setdefault(chapter, Counter())
        failed = any(case.find(kind) is not None for kind in ("failure", "error"))
        count["differ" if failed else "agree"] += 1
        count["seconds"] += round(float(case.get("time", 0)), 3)  # type: ignore[assignment]
        if failed:
            differing.setdefault(chapter, []).append(str(case.get("name")))
    return [
        {
            "chapter": chapter, "cells that agree": count["agree"],
            "cells that differ": count["differ"], "seconds": round(count["seconds"], 1),
            "which differ": ", ".join(differing.get(chapter, [])),
        }
        for chapter, count in sorted(counts.items())
    ]  # fmt: skip


PARTS = {part.__name__: part for part in (decoding, training, memory, fsdp, chapters)}


def in_a_process(name: str, small: bool, limit: float) -> dict:
    """Run a part in a process of its own; a failure becomes a row with its reason."""
    command = [sys.executable, __file__, "--part", name, *(["--small"] if small else [])]
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "part.json"
        try:
            run = subprocess.run(
                [*command, "--output", str(output)], capture_output=True, text=True, timeout=limit
            )
            reason = run.stderr.strip().splitlines()[-1:] or ["it wrote nothing"]
        except subprocess.TimeoutExpired:
            reason = [f"it took longer than {limit:.0f} seconds"]
        if output.exists():
            part = json.loads(output.read_text(encoding="utf-8"))
        else:
            part = {"title": name, "rows": [{"failed": reason[0][:300]}], "note": "Not measured."}
    part["note"] += f" {time.perf_counter() - start:.0f} seconds."
    return part


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rehearse", type=Path, help="run small, also without a GPU; write here")
    parser.add_argument("--part", choices=PARTS, help="run only this part, in this process")
    parser.add_argument("--small", action="store_true", help="small sizes")
    parser.add_argument("--output", type=Path, help="where a part writes")
    options = parser.parse_args()
    if options.part:
        title, rows, note = PARTS[options.part](options.small)
        part = {"title": title, "rows": rows, "note": note}
        options.output.write_text(json.dumps(part), encoding="utf-8")
        return
    on_gpu = torch.cuda.is_available()
    if not on_gpu and not options.rehearse:
        print("PyTorch finds no GPU. --rehearse FILE runs all parts at small sizes on the CPU.")
        return
    card = torch.cuda.get_device_name() if on_gpu else "no GPU: a rehearsal"
    machine = f"{card}, {os.cpu_count()} cores, PyTorch {torch.__version__}"
    parts: list[dict] = []
    record = {"card": card, "machine": machine, "parts": parts}
    path = options.rehearse or RECORD
    for name, limit in LIMITS.items():
        parts.append(in_a_process(name, bool(options.rehearse), limit))
        path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"{name}: {parts[-1]['note']}")


if __name__ == "__main__":
    main()
