"""A group of answers: five possible answers, five groups of four, and the parts of the update."""

import random
from collections.abc import Iterator

from controls import control, picked, slid, switched, unfold

from lessons.kit.figures.registry import AnswerGroup

FIGURE = AnswerGroup
HOME = "notebooks/28_from_continuing_to_answering.html"
KEYS = [
    ("steps on this group", "End"),  # after one step no ratio is clipped yet
    ("clip the ratio", "Space"),
    ("Group/1", "ArrowDown"),
]
LABELS = ["subtract the mean"]
SLIDERS = ["steps on this group", "KL term"]
LIMITS = {"kl": (0.0, 1.0), "steps": (0, 12), "group": (0, 4)}
REFUSED = [
    ({"group": 5}, "group must lie between 0 and 4, got 5"),
    ({"steps": -1}, "steps must lie between 0 and 12, got -1"),
    ({"steps": 13}, "steps must lie between 0 and 12, got 13"),
    ({"kl": 1.5}, "kl must lie between 0 and 1, got 1.5"),
    ({"checker": "none"}, "checker must be .* got 'none'"),
    ({"steps": 0.5}, "steps.* not the float 0.5"),
]


def make(**traits) -> AnswerGroup:
    return AnswerGroup(**({"steps": 3} | traits))


def cases() -> Iterator[AnswerGroup]:
    for case in range(20):
        yield AnswerGroup(
            group=case % 5,
            checker=("exact", "anywhere")[case // 5 % 2],
            baseline=case % 3 != 2,
            scaled=case % 4 != 3,
            clip=bool(case & 1),
            kl=(0.0, 0.1, 1.0)[case % 3],
            steps=(0, 1, 3, 12)[case // 2 % 4],
        )


def randomize(host, dice: random.Random) -> dict:
    checkers = ["is this the right answer?", "does “yellow” occur?"]
    control(host, "subtract the mean").check()
    scaled = switched(host, "divide by the deviation", dice)
    return {
        "scaled": scaled,
        "steps": slid(host, "steps on this group", list(range(13)), dice),
        "kl": slid(host, "KL term", [0.0, 0.1, 0.5, 1.0], dice),
        "group": picked(host, [f"Group/{i}" for i in range(1, 6)], dice),
        "checker": ("exact", "anywhere")[picked(host, checkers, dice)],
        "baseline": switched(host, "subtract the mean", dice),
        "clip": switched(host, "clip the ratio", dice),
    }


def make_unusual(host) -> None:
    control(host, "steps on this group").fill("12")
    control(host, "KL term").fill("1")
    control(host, "clip the ratio").check()
    unfold(host)
