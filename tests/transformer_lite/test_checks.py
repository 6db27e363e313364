"""Wrong input of every kind: the error names the argument, the rule and the given value."""

import ast
import functools
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest
import wrong_calls_attention
import wrong_calls_decoding
import wrong_calls_descendants
import wrong_calls_distributed
import wrong_calls_models
import wrong_calls_ngrams
import wrong_calls_norms
import wrong_calls_parts
import wrong_calls_pretrained
import wrong_calls_recurrent
import wrong_calls_text
import wrong_calls_training
import wrong_calls_vectors

import transformer_lite as tl

PACKAGE = Path(tl.__file__).parent
FILES = [PACKAGE / "checks.py", PACKAGE / "device.py"]
FILES += [
    file
    for folder in ("fast", "layers", "models", "decoding", "text", "before")
    for file in (PACKAGE / folder).rglob("*.py")
]
TRAINING = ("costs", "evaluation", "long_run", "schedule")
FILES += [PACKAGE / f"training/{name}.py" for name in TRAINING]
DISTRIBUTED = ("ring", "tensor_parallel", "launch", "evaluation")
FILES += [PACKAGE / f"training/distributed/{name}.py" for name in DISTRIBUTED]
TABLES = [
    wrong_calls_attention, wrong_calls_decoding, wrong_calls_descendants, wrong_calls_distributed,
    wrong_calls_models, wrong_calls_ngrams, wrong_calls_norms, wrong_calls_parts,
    wrong_calls_pretrained, wrong_calls_recurrent, wrong_calls_text, wrong_calls_training,
    wrong_calls_vectors,
]  # fmt: skip
KINDS = {"WRONG_TYPE": TypeError, "WRONG_VALUE": ValueError}
CASES: list[tuple] = []
for table in map(vars, TABLES):
    CASES += table.get("WRONG_CALLS", [])
    CASES += [(*case, kind) for name, kind in KINDS.items() for case in table.get(name, [])]


@functools.cache
def caught(call: Callable, kind: type[Exception]) -> tuple[Exception, tuple[Path, int | None]]:
    """Return the error that a call raises, and the file and line that raise it."""
    with pytest.raises(kind) as error:
        call()
    last = traceback.extract_tb(error.tb)[-1]
    return error.value.with_traceback(None), (Path(last.filename), last.lineno)


@pytest.mark.parametrize(("call", "message", "kind"), CASES, ids=[case[1] for case in CASES])
def test_error_message(call, message, kind):
    error, _ = caught(call, kind)
    assert type(error) is kind
    assert message in str(error)


def test_long_values_are_truncated_in_errors():
    with pytest.raises(TypeError) as caught:
        tl.layer_norm(list(range(1000)))
    assert len(str(caught.value)) < 110


def test_every_raise_of_the_package_is_among_the_cases():
    reached = {caught(call, kind)[1] for call, _, kind in CASES}
    raises = {
        (path, node.lineno)
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Raise) and node.exc is not None  # one that is not passed on
    }
    assert raises - reached == set()
