"""Write the messages of a check: plain text, at most 100 columns, the same on every run."""

import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from lessons.kit.exercises.compare import (
    Difference,
    differences,
    loses_precision,
    wrong_numbers,
)
from lessons.kit.exercises.formatting import (
    Formatter,
    distinguishing_format,
    excerpt,
    format_snapshot,
    format_some,
    format_window,
    is_long,
    number_format,
)
from lessons.kit.exercises.outcome import Measured, Outcome, same_value
from lessons.kit.exercises.snapshot import PLAIN_TYPES, TENSOR, Snapshot

WIDTH = 100


def wrap(*lines: str) -> str:
    """Wrap each line at `WIDTH` columns, and indent the continuation lines."""
    return "\n".join(textwrap.fill(line, WIDTH, subsequent_indent="    ") for line in lines)


def explain_stage(stage: str, got: Outcome, expected: Outcome) -> list[str]:
    """Return lines that explain the first difference at one stage of one case."""
    if stage == "error":
        return _error_lines(got.error, got.line)
    if stage == "edited":
        names = " and ".join(got.edited)
        return [f"Your function changed its own input: {names}. The caller still needs it."]
    if stage in expected.measured:
        lines = _measured_lines(stage, got.measured[stage], expected.measured[stage])
        return [f"The output is right, but its {stage} is not.", *lines]
    return next(
        _explain(found)
        for found in differences(got.answer, expected.answer, _WHOLE)
        if found.stage == stage
    )


def _error_lines(error: str, line: str) -> list[str]:
    place = [f"  at {line}"] * bool(line)
    starter = error.startswith("raised NotImplementedError") and _STARTER in line.partition("#")[0]
    more = [f"That line is from the starter: write your return instead of {_STARTER}."] * starter
    return [f"Your function {error}", *place, *more]


_STARTER = "raise NotImplementedError"


def _measured_lines(name: str, got: Measured, expected: Measured) -> list[str]:
    if isinstance(got, str) or isinstance(expected, str):
        if "Can't call numpy()" in got:
            return [f"Through numpy no {name} flows. Use tensors throughout."]
        in_place = [_OVERWRITTEN] * ("modified by an inplace operation" in got)
        return [f"Computing the {name} {got}", *in_place]
    part = next(part for part in expected if not same_value(got[part], expected[part]))
    if got[part].kind == "NoneType":
        return [f"No {name} reaches {part}. {_CUT_OFF}"]
    return _explain(next(differences(got[part], expected[part], f"{name} of {part}")))


_CUT_OFF = "detach, item, tolist, numpy, no_grad and torch.tensor(…) of a tensor cut it off."
_OVERWRITTEN = (
    "An operation in place, such as w /= w.sum(), overwrites a tensor that the gradient needs. "
    "Make a new one: w = w / w.sum()."
)


def precision_remark(got: Iterable[Outcome], expected: Iterable[Outcome]) -> list[str]:
    """Return a remark if right numbers are less precise than float64 allows."""
    lost = any(loses_precision(g.answer, e.answer) for g, e in zip(got, expected, strict=True))
    return [_FLOAT32] * lost


def remark(name: str, got: Outcome, expected: Outcome) -> list[str]:
    """Return a remark on a property that a right answer lacks but that nobody asked for."""
    return [
        "One more remark. This exercise asks only for the right numbers, but inside a model the "
        f"{name} matters too:",
        *_measured_lines(name, got.measured[name], expected.measured[name]),
    ]


_FLOAT32 = (
    "One more remark. The inputs are float64, but your numbers are right only to the precision of "
    "float32. Two of many causes: a constant such as torch.sqrt(torch.tensor(3)), which is float32 "
    "(use math.sqrt(3)), and a small number added against a division by 0."
)
_WHOLE = "output"


def _explain(found: Difference) -> list[str]:
    default = _BY_STAGE[found.stage]
    return list(_BY_KIND.get((found.stage, found.expected.kind), default)(found))


# Types, shapes, lengths and keys


def _wrong_type(found: Difference) -> Iterator[str]:
    got, wanted = found.got, _a(found.expected.kind)
    if found.path == _WHOLE:
        name = "None" if got.kind == "NoneType" else got.name
        yield f"Type: it should return {wanted}, but it returned {name}."
        if advice := _ADVICE.get(got.kind, "") if found.expected.kind == TENSOR else "":
            yield advice
    else:
        value = f": {format_snapshot(got)}" if got.kind in PLAIN_TYPES - {"NoneType"} else ""
        yield f"Type: {found.path} should be {wanted}, but yours is {_a(got.name)}{value}."


_ADVICE = {
    "NoneType": "A function without a return returns None, and so does a call such as "
    "loss.backward(): end yours by returning the answer.",
    "list": "torch.stack turns a list of tensors into one tensor, torch.tensor a list of numbers.",
    "numpy.ndarray": "torch.from_numpy turns it into a tensor.",
    "sparse tensor": "Return a dense one, by to_dense().",
    "quantized tensor": "dequantize() turns it into floats again.",
    "nested tensor": "Return a dense one, by torch.stack or torch.cat.",
}


def _wrong_shape(found: Difference) -> Iterator[str]:
    shapes = found.expected.content.shape, found.got.content.shape
    yield f"Shape: {_subject(found)} should be {shapes[0]}, but yours is {shapes[1]}."


def _wrong_dtype(found: Difference) -> Iterator[str]:
    dtypes = found.expected.content.dtype, found.got.content.dtype
    yield f"dtype: {_subject(found)} should be {dtypes[0]}, but yours is {dtypes[1]}."


def _wrong_length(found: Difference) -> Iterator[str]:
    got, expected, index = found.got.content, found.expected.content, found.index
    entries = "1 entry" if len(expected) == 1 else f"{len(expected)} entries"
    yield f"Length: {found.path} should have {entries}, but yours has {len(got)}."
    place = f"{found.path}[{index}]"
    if index >= len(got):
        yield f"It ends before {place}, which should be {format_snapshot(expected[index])}."
    elif index >= len(expected):
        yield f"It should end before {place}, where yours has {format_snapshot(got[index])}."
    else:
        write = _digits(got[index], expected[index])
        yield _first_wrong(
            place, format_snapshot(got[index], write), format_snapshot(expected[index], write)
        )
    yield from _both_lists(found, number_format(4))


def _wrong_keys(found: Difference) -> Iterator[str]:
    yield f"Keys: {_lacks(found.path, dict(found.got.content), dict(found.expected.content))}"


def _wrong_elements(found: Difference) -> Iterator[str]:
    got, expected = (
        sorted(snapshot.content, key=format_snapshot) for snapshot in (found.got, found.expected)
    )
    yield f"Elements: {_lacks(found.path, got, expected)}"


def _lacks(path: str, got: Iterable[Snapshot], expected: Iterable[Snapshot]) -> str:
    """Return a sentence that names the missing and the superfluous keys or elements."""
    ours, theirs = dict.fromkeys(got), dict.fromkeys(expected)
    missing = [key for key in theirs if key not in ours]
    extra = [key for key in ours if key not in theirs]
    if not missing:
        return f"{path} should not have {format_some(extra)}."
    return f"{path} lacks {format_some(missing)}" + (
        f", and it should not have {format_some(extra)}." if extra else "."
    )


# Values


def _wrong_number(found: Difference) -> Iterator[str]:
    """Yield the first number of a tensor that differs, and the row that contains it."""
    got, expected = found.got.content, found.expected.content
    position = next(wrong_numbers(found.got, found.expected))
    index = _index(position, expected.shape)
    write = distinguishing_format(got.values[position], expected.values[position])
    place = f"{found.path}[{', '.join(map(str, index))}]" if index else found.path
    yield _first_wrong(place, write(got.values[position]), write(expected.values[position]))
    if index:
        start = position - index[-1]
        for whose, numbers in (("its row should be", expected), ("your row is", got)):
            row = numbers.values[start : start + expected.shape[-1]]
            yield f"  {whose:<18} [{', '.join(map(write, row))}]"


def _wrong_value(found: Difference) -> Iterator[str]:
    write = _digits(found.got, found.expected)
    got, expected = format_snapshot(found.got, write), format_snapshot(found.expected, write)
    if found.path == _WHOLE:
        yield f"Value: it should be {expected}, but yours is {got}."
    else:
        yield _first_wrong(found.path, got, expected)
    if found.parent:
        yield from _another_order(found.parent)
        yield from _both_lists(found.parent, write)


def _wrong_text(found: Difference) -> Iterator[str]:
    got, expected = found.got.content, found.expected.content
    if not is_long(got) and not is_long(expected):
        yield from _wrong_value(found)
        return
    pairs = enumerate(zip(got, expected, strict=False))
    index = next((i for i, (ours, theirs) in pairs if ours != theirs), min(len(got), len(expected)))
    texts = [repr(text[index : index + 1]) for text in (got, expected)]
    if index == len(got):
        yield f"Text: {found.path} should go on with {texts[1]} at index {index}, but yours ends."
    elif index == len(expected):
        yield f"Text: {found.path} should end before index {index}, where yours has {texts[0]}."
    else:
        yield (
            f"First wrong character: index {index} of {found.path} should be {texts[1]}, "
            f"but yours is {texts[0]}."
        )
    yield f"  {'it should be':<18} {excerpt(expected, index)}"
    yield f"  {'yours is':<18} {excerpt(got, index)}"


def _first_wrong(place: str, got: str, expected: str) -> str:
    return f"First wrong entry: {place} should be {expected}, but yours is {got}."


def _both_lists(found: Difference, write: Formatter) -> Iterator[str]:
    for message, snapshot in (("its {} should be", found.expected), ("your {} is", found.got)):
        label = message.format(snapshot.kind)
        yield f"  {label:<18} {format_window(snapshot, found.index, write)}"


def _another_order(found: Difference) -> Iterator[str]:
    got, expected = found.got.content, found.expected.content
    nested = any(snapshot.is_container for snapshot in (*got, *expected))
    if not nested and Counter(got) == Counter(expected):
        yield "The right entries, in another order."


_Words = Callable[[Difference], Iterator[str]]

_BY_STAGE: dict[str, _Words] = {
    "kind": _wrong_type,
    "shape": _wrong_length,
    "dtype": _wrong_dtype,
    "values": _wrong_value,
}
_BY_KIND: dict[tuple[str, str], _Words] = {
    ("shape", TENSOR): _wrong_shape,
    ("shape", "dict"): _wrong_keys,
    ("values", TENSOR): _wrong_number,
    ("values", "str"): _wrong_text,
    ("values", "bytes"): _wrong_text,
    ("values", "set"): _wrong_elements,
    ("values", "frozenset"): _wrong_elements,
}


# Words


def _subject(found: Difference) -> str:
    return "it" if found.path == _WHOLE else found.path


def _a(kind: str) -> str:
    """Return the name of a type with its article."""
    if kind == "NoneType":
        return "None"
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _index(position: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    index = []
    for size in reversed(shape):
        position, remainder = divmod(position, size)
        index.append(remainder)
    return tuple(reversed(index))


def _digits(got: Snapshot, expected: Snapshot) -> Formatter:
    numbers: list[Any] = [snapshot.content for snapshot in (got, expected)]
    return (
        distinguishing_format(*numbers)
        if all(isinstance(n, float) for n in numbers)
        else number_format(4)
    )
