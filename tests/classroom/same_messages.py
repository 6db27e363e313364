"""Compare the students' exercises with the whole ones, in a process that has the students' package.

Each right answer, each known mistake and much nonsense must get the same message from both. The
files of the whole exercises are read from a folder next to the installed package.

Usage: python same_messages.py FOLDER_OF_THE_WHOLE_EXERCISES CHAPTER …
"""

import contextlib
import importlib
import io
import sys
from pathlib import Path

import torch

from lessons.kit.exercises import execution


def raises(*_):
    raise KeyError("no")


NONSENSE = {
    "none": None,
    "dots": ...,
    "five": 5,
    "class": dict,
    "nothing": lambda *_: None,
    "text": lambda *_: "right",
    "inputs": lambda *inputs: inputs,
    "first": lambda *inputs: inputs[0],
    "nan": lambda *_: torch.tensor(torch.nan),
    "empty": lambda *_: torch.empty(0, 3),
    "error": raises,
    "too few": lambda: 1,
}


def said(ask, function):
    """Return what a check or a cause prints, and whether it passed."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        result = ask(function)
    return out.getvalue(), getattr(result, "passed", None)


def functions_for(whole):
    """Yield everything to try on one exercise, with a word for it."""
    for number, function in enumerate(whole.right_answers):
        yield f"right answer {number}", function
    yield "reference", whole.reference
    for number, mistake in enumerate(whole.mistakes):
        yield f"mistake {number}", mistake.function
    yield from NONSENSE.items()
    names: dict = {"torch": torch}
    exec(whole.starter, names)
    yield "starter", next(v for v in reversed(names.values()) if callable(v))


def compare(chapter, folder):
    """Return how many functions were tried on a chapter, and a line for each difference."""
    from lessons.kit import exercises

    module = getattr(exercises, chapter)
    sealed = {name: getattr(module, name) for name in module.__all__}
    module.__path__.append(str(folder / chapter / "exercises"))
    tried, different = 0, []
    for name, ours in sealed.items():
        whole = getattr(importlib.import_module(f"{module.__name__}.{name}"), name)
        assert type(whole) is not type(ours) and not ours.mistakes and not ours.right_answers
        for word, function in functions_for(whole):
            for ask in ("check", "cause"):
                one, other = (said(getattr(e, ask), function) for e in (whole, ours))
                if one != other:
                    different.append(f"{whole.name} {word} {ask}: {one} {other}")
            tried += 1
    return tried, different


def main():
    folder, *chapters = sys.argv[1:]
    execution.TIME_LIMIT = 600.0  # nothing here loops; a busy machine may pause for some seconds
    tried = 0
    for chapter in chapters:
        count, different = compare(chapter, Path(folder))
        print(*different, sep="\n")
        tried += count
    print(f"{tried} functions tried")


if __name__ == "__main__":
    main()
