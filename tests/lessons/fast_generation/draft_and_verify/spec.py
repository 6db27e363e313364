"""Draft and verify: a prompt, a draft model with its length, and how many steps are done."""

import random
from collections.abc import Iterator

from controls import chosen, saved_state, slid

from lessons.fast_generation.draft_and_verify.draft_and_verify import brief
from lessons.fast_generation.draft_and_verify.speculation import SHARED
from lessons.kit.figures.registry import DraftAndVerify

FIGURE = DraftAndVerify
HOME = "notebooks/30_fast_generation.html"
KEYS = [
    ("prompt", "ArrowDown"),
    ("draft model", "ArrowDown"),
    ("draft length k", "ArrowRight"),
    ("temperature", "ArrowLeft"),
]
LABELS: list[str] = []  # a click on the label of a slider or of a menu only moves the focus
SLIDERS = ["draft length k", "temperature"]
LIMITS = {"length": (1, 6), "temperature": (0.3, 2.0), "seed": (0, 9999), "step": (1, 99)}
REFUSED = [
    ({"text": "a" * 201}, "the letters of text must have 0 to 200 entries, got 201"),
    ({"draft": "big"}, "draft must be one of .*'frequencies', .*, got 'big'"),
    ({"length": 7}, "length must lie between 1 and 6, got 7"),
]
WRITERS = {"draft": brief, "why": brief, "passes": lambda x: brief(x, 1)}
TEXTS = [*SHARED["examples"], "", "a zebra <b>&amp;</b> sleeps, it’s", "the model " * 18]
CHECKED = 2  # the step to which a change of the settings leads


def make(**traits) -> DraftAndVerify:
    return DraftAndVerify(**traits)


def cases() -> Iterator[DraftAndVerify]:
    for case, text in enumerate(TEXTS * 2):
        yield make(
            text=text[: SHARED["letters"]["max"]],
            draft=SHARED["drafts"][case % 4],
            length=(4, 1, 6, 3, 2)[case % 5],
            temperature=(1.0, 0.3, 0.7, 2.0)[case % 3],
            seed=case * 41,
            step=(1, 2, 3, 4, 5, 6, 7, 12, 21)[case % 9],
        )
    for draft in ("bigrams", "gpt"):
        yield make(draft=draft, length=5, step=99)


def randomize(host, dice: random.Random) -> dict:
    host.get_by_role("button", name="Reset").click()
    changed = {
        "text": SHARED["examples"][chosen(host, "prompt", len(SHARED["examples"]), dice)],
        "draft": SHARED["drafts"][chosen(host, "draft model", 4, dice)],
        "length": int(slid(host, "draft length k", range(1, 7), dice)),
        "temperature": slid(host, "temperature", [0.5, 1.0, 1.5], dice),
    }
    draws = dice.randrange(1, 3)
    for _ in range(draws):
        host.get_by_role("button", name="Another draw").click()
    steps = dice.randrange(4)
    for _ in range(steps):
        host.get_by_role("button", name="Step", exact=True).click()
    return changed | {"seed": saved_state(host)["seed"] + draws, "step": CHECKED + steps}


def make_unusual(host) -> None:
    host.get_by_label("draft length k").fill("6")
    finish = host.get_by_role("button", name="Finish round")
    while finish.get_attribute("aria-disabled") == "false":
        finish.click()
