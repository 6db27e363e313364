"""Write what the package computes, as JSON, for the node tests of the figures to compare with.

Usage: python tests/lessons/kit/figures/fixtures.py PATH
"""

import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path

import torch
from pictures import tables_of
from specs import SPECS

from lessons import FOLDER
from lessons.kit.figures import LiveFigure
from lessons.kit.figures.live_figure import (
    compose,
    kit_files,
    kit_script,
    page_script,
    strip_comments,
)
from lessons.kit.figures.registry import FIGURES
from lessons.kit.figures.units import number
from tests.lessons.a_gpt_of_your_own.prompt_box.gpt_cases import gpt_cases
from tests.lessons.decoding.translator.engine_cases import engine_cases
from tests.lessons.kit.engine.cases import workbench_cases
from tests.lessons.the_walk.walk.sentences import sentences
from transformer_lite.layers.attention import attention_steps, masked_softmax
from transformer_lite.layers.masks import look_ahead_mask

SIZES = [(1, 1), (1, 4), (2, 3), (4, 4), (5, 2)]  # (T, D): tokens and width
MODULES = [cls.script for cls in FIGURES.values()]
OURS = [*FOLDER.rglob("*.js")]
INF, NAN = math.inf, math.nan


def plain(value):
    """Turn tensors and tuples into what JSON can hold: NaN becomes the text "#NaN"."""
    if isinstance(value, torch.Tensor):
        return plain(value.tolist())
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "#NaN" if value != value else "#Infinity" if value > 0 else "#-Infinity"
    return value


def draw(*shape: int, size: float = 1.0) -> torch.Tensor:
    return size * torch.randn(*shape, dtype=torch.float64)


def softmax_cases() -> Iterator[dict]:
    rows = [[0.3], [0.0, 0.0], [1000.0, -1000.0, 999.0], [-INF, 2.0, -INF], [-INF, -INF], [-1e9, 5]]
    rows += draw(4, 6, size=20).tolist()
    for row in rows:
        scores = torch.tensor(row, dtype=torch.float64)
        yield {"row": row, "allowed": None, "expected": masked_softmax(scores)}
    for row in draw(6, 5, size=20):
        allowed = torch.rand(5) < 0.5
        allowed[row.argmax()] = False  # a forbidden entry on the largest score
        yield {"row": row, "allowed": allowed, "expected": masked_softmax(row, allowed)}
    nothing = torch.zeros(3, dtype=torch.bool)
    scores = draw(3)
    yield {"row": scores, "allowed": nothing, "expected": masked_softmax(scores, nothing)}


def attention_cases() -> Iterator[dict]:
    for tokens, width in SIZES:
        for size, scale in ((1.0, 1 / math.sqrt(width)), (30.0, 0.7)):
            x = draw(tokens, width, size=size)
            mask = torch.rand(tokens, tokens) < 0.6
            mask[tokens // 2] = False
            for m in (None, mask, look_ahead_mask(tokens)):
                steps = attention_steps(x, x, x, m, scale)._asdict()
                yield {"x": x, "scale": scale, "mask": m, "expected": steps}


def format_cases() -> Iterator[dict]:
    fixed = [0.0, -0.0, 1.0, -1.34164, 0.00004, -0.00004, 0.99996, 12345.6789, INF, -INF, NAN]
    fixed += [-(2.0**60), 1.2345e20, 1e21, -1.5e25, 1e300]
    for x in fixed + draw(20, size=10).tolist():
        yield {"x": x, "expected": number(x)}


def case_of(case: LiveFigure | dict) -> dict:
    """Return a figure as a case: its state and its results."""
    return case if isinstance(case, dict) else {"state": case.state(), "expected": case.results()}


def picture_cases(spec, cases: list[dict]) -> dict:
    """Return states, the sample's first, each with the tables of its static picture."""
    states = [spec.make().state(), *(case["state"] for case in cases if "state" in case)]
    pictures = [{"state": s, "tables": tables_of(spec.FIGURE(**s).picture())} for s in states[::3]]
    return {"cases": pictures, "other_form": getattr(spec, "OTHER_FORM", [])}


def fixtures() -> dict:
    """Return all cases by section, the same ones on every run."""
    torch.manual_seed(8)
    sections = {"softmax": [*softmax_cases()], "attention": [*attention_cases()]}
    cases = {spec.FIGURE.name: [*map(case_of, spec.cases())] for spec in SPECS}
    return plain(
        {
            **sections,
            **cases,
            "translator_engine": engine_cases(),
            "book_gpt": gpt_cases(),
            "workbench_engine": workbench_cases(),
            "walk_sentences": [*sentences()],
            "folders": {name: cls.script.parent.as_uri() for name, cls in FIGURES.items()},
            "assets": {
                name: {asset: str(path) for asset, path in cls.asset_files.items()}
                for name, cls in FIGURES.items()
            },
            "pictures": {
                spec.FIGURE.name: picture_cases(spec, cases[spec.FIGURE.name]) for spec in SPECS
            },
            "format": [*format_cases()],
            "modules": {name: compose(cls.script) for name, cls in FIGURES.items()},
            "kit": [kit_script(path) for path in kit_files(*MODULES).values()],
            "bare": {str(path): strip_comments(path.read_text("utf-8")) for path in OURS},
            "scripts": {name: page_script(cls.script) for name, cls in FIGURES.items()},
        }
    )


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(fixtures(), allow_nan=False), encoding="utf-8")
