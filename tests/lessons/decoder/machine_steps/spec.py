"""The machine step by step: sentences, steps and heads."""

import random
from collections.abc import Iterator

from controls import chosen, control, picked, saved_state, slid, unfold

from lessons.decoder.machine_steps.machine_steps import WRITERS as WRITERS
from lessons.kit.figures.registry import MachineSteps

FIGURE = MachineSteps
HOME = "notebooks/20_decoder.html"
KEYS = [
    ("step", "ArrowRight"),
    ("or your own", "x"),
    ("sentence", "ArrowDown"),
]
LABELS: list[str] = []  # a click on the label of a slider or a box only moves the focus
SLIDERS = ["step"]
EXAMPLES = ["je suis étudiant", "merci", "le petit chat noir dort ."]
TEXTS = [*EXAMPLES, "", "le zèbre dort", "un deux trois quatre cinq six sept huit neuf"]
LIMITS = {"step": (0, 199), "head": (0, 3)}
REFUSED = [
    ({"text": "a" * 81}, "the letters of text must have 0 to 80 entries, got 81"),
    ({"examples": []}, "examples must have 1 to 8 entries, got 0"),
    ({"examples": ["a"] * 9}, "examples must have 1 to 8 entries, got 9"),
]


def make(**traits) -> MachineSteps:
    return MachineSteps(**({"text": EXAMPLES[0], "examples": EXAMPLES} | traits))


def cases() -> Iterator[MachineSteps]:
    """Yield every kind of step, of every layer, in sentences known and unknown."""
    for case, text in enumerate(TEXTS * 5):
        yield make(text=text, step=case * 3 % 30, head=case % 4)
    for step in (1, 9, 10, 18, 29, 199):
        yield make(step=step, head=3)


def randomize(host, dice: random.Random) -> dict:
    start = saved_state(host)
    text = start["examples"][chosen(host, "sentence", len(start["examples"]), dice)]
    if dice.random() < 0.5:
        text = " ".join(dice.choices(["le", "chat", "noir", "zèbre", "ne", "."], k=4))
        control(host, "or your own").fill(text)
    step = int(slid(host, "step", list(range(20)), dice))
    head = picked(host, ["1", "2", "3", "4"], dice)
    return {"text": text, "step": step, "head": head}


def make_unusual(host) -> None:
    control(host, "or your own").fill("zèbre " * 9)
    control(host, "4").check()
    host.get_by_role("button", name="Next word").click()
    host.get_by_role("button", name="Next step").click()
    unfold(host)
