"""A race in a chapter: its machines train in the page, and its recorded run can be shown."""

import random
from collections.abc import Iterator

from controls import chosen, control, switched

from lessons.kit import RaceLab
from lessons.kit.figures.race_lab.race_lab import RACES, TEXTS

FIGURE = RaceLab
HOME = "notebooks/07_scaling.html"
KEYS = [("seeds", "ArrowDown"), ("Show a recorded run", "Space")]
LABELS = ["Show a recorded run"]
SLIDERS: list[str] = []
UNSEEN = ("ends", "baselines")  # the table writes them as texts
REFUSED = [
    ({"race": "text"}, "race must be one of .*, got 'text'"),
    ({"seeds": 2}, r"seeds must be one of \[1, 3, 5\], got 2"),
]


def make(**traits) -> RaceLab:
    return RaceLab(**{"race": "count-scale"} | traits)


def cases() -> Iterator[RaceLab]:
    """Yield each guided race with its record."""
    for race in RACES:
        yield RaceLab(race, recorded=True)


def randomize(host, dice: random.Random) -> dict:
    seeds = TEXTS["seeds"][chosen(host, "seeds", len(TEXTS["seeds"]), dice)]
    return {"seeds": seeds, "recorded": switched(host, "Show a recorded run", dice)}


def make_unusual(host) -> None:
    control(host, "seeds").select_option(label="5")
    control(host, "Show a recorded run").check()
