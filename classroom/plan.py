"""The plan of a class: the file `class.json`, which students never see."""

import datetime
import json
import math
import os
import re
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from typing import Any

from lessons import lesson_files

_NAME = re.compile(r"[a-z_0-9]+\.[a-z_0-9]+")
_SECRET = re.compile(r"[0-9a-f]{64}")
TITLE_LENGTH = 200
MOST_HINTS = 3


def known_exercises() -> tuple[str, ...]:
    """Return the names of all exercises, such as "attention.attend", without loading any."""
    return tuple(f"{p.parts[-3]}.{p.stem}" for p in lesson_files("exercises/[!_]*.py"))


@dataclass(frozen=True)
class ClassPlan:
    """The title, the exercises and the secret of a class.

    Args:
        title: the title of the students' page.
        date: the day on which work is due, as 2027-03-31, or nothing.
        exercises: the names of the chosen exercises, in the order of the book.
        secret: 64 hexadecimal digits, from which the grader draws its own cases.
        points: how much each exercise is worth.
        hints: how many of the three hints students get, from 0 to 3.
        late_percent: the deduction per day late, in percent of the earned points.
        late_grace: the number of late days that cost nothing.
        late_most: the largest deduction for all days together, in percent.
        partial: whether an answer that passes some cases gets partial points.

    Raises:
        TypeError: a value is of the wrong type.
        ValueError: a value breaks its rule.
    """

    title: str
    date: str
    exercises: tuple[str, ...]
    secret: str
    points: dict[str, float]
    hints: int = 2
    late_percent: float = 0
    late_grace: int = 0
    late_most: float = 100
    partial: bool = False

    def __post_init__(self) -> None:
        for name in ("title", "date", "secret"):
            if not isinstance(getattr(self, name), str):
                raise TypeError(f"{name} must be a text, got {getattr(self, name)!r:.60}")
        _check_title(self.title)
        _check_date(self.date)
        if not _SECRET.fullmatch(self.secret):  # the message must not show the value
            raise ValueError("secret must be 64 hexadecimal digits")
        _check_exercises(self.exercises)
        _check_points(self.points, self.exercises)
        if type(self.hints) is not int or not 0 <= self.hints <= MOST_HINTS:
            raise ValueError(f"hints must be 0, 1, 2 or 3, got {self.hints!r:.60}")
        for name in ("late_percent", "late_most"):
            _check_number(name, getattr(self, name), "from 0 to 100", 100)
        if type(self.late_grace) is not int or self.late_grace < 0:
            raise ValueError(f"late_grace must be a number of days, got {self.late_grace!r:.60}")
        if type(self.partial) is not bool:
            raise TypeError(f"partial must be true or false, got {self.partial!r:.60}")

    @property
    def slug(self) -> str:
        """Return the title as a folder name that every system accepts."""
        return "_".join(re.findall(r"[a-z0-9]+", self.title.lower()))[:60] or "class"

    def save(self, path: str | Path) -> None:
        """Write the plan to a file that only its owner can read."""
        text = json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n"
        private = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(private, "w", encoding="utf-8") as file:
            os.fchmod(file.fileno(), 0o600)  # an existing file may have another mode
            file.write(text)

    @classmethod
    def load(cls, path: str | Path) -> "ClassPlan":
        """Read a plan that `save` wrote and a teacher may have edited.

        Raises:
            ValueError: the file is not a plan.
        """
        try:
            loaded = json.loads(Path(path).read_text(encoding="utf-8"))
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            raise ValueError(f"{path} must be the class.json of a release: {error}") from None
        return cls(**_arguments(loaded, path))


def _arguments(loaded: Any, path: str | Path) -> dict[str, Any]:
    names = {field.name for field in fields(ClassPlan)}
    needed = {field.name for field in fields(ClassPlan) if field.default is MISSING}
    if not isinstance(loaded, dict) or not needed <= loaded.keys() <= names:
        keys = sorted(loaded) if isinstance(loaded, dict) else type(loaded).__name__
        raise ValueError(
            f"{path} must have the keys {sorted(needed)}, and may have "
            f"{sorted(names - needed)}, got {keys}"
        )
    if not isinstance(loaded["exercises"], list):
        raise TypeError(f"exercises must be a list, got {loaded['exercises']!r:.60}")
    return loaded | {"exercises": tuple(loaded["exercises"])}


def _check_title(title: str) -> None:
    if not title.strip() or len(title) > TITLE_LENGTH or not title.isprintable():
        rule = f"a line of 1 to {TITLE_LENGTH} characters"
        raise ValueError(f"title must be {rule}, got {title!r:.60}")


def _check_date(date: str) -> None:
    """Accept only dates like 2027-03-31, although `fromisoformat` accepts other forms."""
    try:
        valid = not date or datetime.date.fromisoformat(date).isoformat() == date
    except ValueError:
        valid = False
    if not valid:
        raise ValueError(f"date must be a day written as 2027-03-31, got {date!r:.60}")


def _check_exercises(names: tuple[str, ...]) -> None:
    if not isinstance(names, tuple) or not names:
        raise ValueError(f"exercises must name at least one exercise, got {names!r:.60}")
    known = known_exercises()
    for name in names:
        if not isinstance(name, str) or not _NAME.fullmatch(name) or name not in known:
            raise ValueError(
                f"exercises must be names such as 'attention.attend', got {name!r:.60}"
            )
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"exercises must be named once each, got {twice!r} twice")


def _check_points(points: dict[str, float], names: tuple[str, ...]) -> None:
    if not isinstance(points, dict) or points.keys() != set(names):
        odd = sorted(map(str, set(points) ^ set(names))) if isinstance(points, dict) else points
        raise ValueError(f"points must be given for each exercise and no other, got {odd!r:.60}")
    for name, value in points.items():
        _check_number(f"points of {name}", value, "of at least 0")


def _check_number(name: str, value: object, rule: str, most: float = math.inf) -> None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or not 0 <= value <= most:  # type: ignore[arg-type,operator]
        raise ValueError(f"{name} must be a number {rule}, got {value!r:.60}")
