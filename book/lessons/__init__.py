"""The lessons: one folder for each chapter, and `kit`, which they share.

A lesson's folder contains everything about its chapter except the prose: the live figure, drills,
exercises, diagrams and recorded experiments. `trained` contains the translator and the GPT of the
book, and `worked_examples` the numbers that the five lecture documents print.
"""

from pathlib import Path

FOLDER = Path(__file__).parent


def lesson_files(pattern: str) -> list[Path]:
    """Return the files of all lessons that match a pattern, such as "diagrams.py".

    The files of `kit` do not count: it contains what such files are made with.
    """
    found = FOLDER.glob(f"*/{pattern}")
    return sorted(path for path in found if path.relative_to(FOLDER).parts[0] != "kit")
