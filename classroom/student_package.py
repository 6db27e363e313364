"""The students' edition of the packages, with exercises as data and without answers."""

import json
import shutil
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from classroom.plan import known_exercises
from classroom.source import PACKAGES
from lessons.kit import exercises as whole
from lessons.kit.exercises import exercise_to_json

#: The file types of the packages; other files in their folders were left by some tool.
KINDS = (".py", ".js", ".css", ".json", ".bin", ".safetensors", ".txt")

CHAPTER = '''\
"""Exercises of this chapter: what they check, and nothing of how they are answered."""

from pathlib import Path

from lessons.kit.exercises import load_chapter

__all__ = {names}

globals().update(load_chapter(Path(__file__).with_name("exercises.json")))
'''


def write_student_package(
    folder: str | Path, exercises: Iterable[str] | None = None, hints: int = 2
) -> None:
    """Write the packages, without answers, as `folder/transformer_lite` and `folder/lessons`.

    Args:
        folder: the folder to write to, which must not contain these packages yet.
        exercises: names such as "attention.attend"; by default, all.
        hints: the number of hints of each exercise to keep, from 0 to 3.

    Raises:
        ValueError: an exercise is unknown.
    """
    names = known_exercises() if exercises is None else tuple(exercises)
    if unknown := sorted(set(names) - set(known_exercises())):
        raise ValueError(f"exercises must be names such as 'attention.attend', got {unknown[0]!r}")
    root = Path(folder)
    for inside, path in shared_files().items():
        (root / inside).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, root / inside)
    for chapter, chosen in groupby(sorted(names), key=lambda name: name.partition(".")[0]):
        _write_chapter(root / "lessons" / chapter / "exercises", tuple(chosen), hints)


def shared_files() -> dict[str, Path]:
    """Return the files that are the same for students and teachers, by their path inside."""
    return {
        path.relative_to(package.parent).as_posix(): path
        for package in PACKAGES.values()
        for path in sorted(package.rglob("*"))
        if path.suffix in KINDS and path.is_file()
        if not _is_withheld(path.relative_to(package.parent))
        if path.suffix != ".txt" or _is_read(path)
    }


def _is_read(text: Path) -> bool:
    """Return whether a module next to a text file names it; others may be somebody's notes."""
    beside = (module.read_text(encoding="utf-8") for module in text.parent.glob("*.py"))
    return any(text.name in code for code in beside)


def _is_withheld(inside: Path) -> bool:
    """Return whether a file belongs to a lesson's exercises or was left by some tool."""
    folders = inside.parts[:-1]
    is_answer = folders[2:3] == ("exercises",) and folders[1] != "kit"
    return is_answer or any(name.startswith(("__", ".")) for name in folders)


def _write_chapter(folder: Path, names: tuple[str, ...], hints: int) -> None:
    folder.mkdir()
    exported = [exercise_to_json(whole.get_exercise(name), hints) for name in names]
    short = [name.partition(".")[2] for name in names]
    source = CHAPTER.format(names=json.dumps(short))
    (folder / "__init__.py").write_text(source, encoding="utf-8")
    text = json.dumps(exported, ensure_ascii=False, separators=(",", ":"))
    (folder / "exercises.json").write_text(text + "\n", encoding="utf-8")
