"""The prompt box: a prompt, how words are drawn, and how many were written."""

import random
from collections.abc import Iterator

from controls import control, saved_state, slid, unfold

from lessons.a_gpt_of_your_own.prompt_box.drawing import SHARED
from lessons.kit.figures.registry import PromptBox
from lessons.kit.figures.units import power

FIGURE = PromptBox
HOME = "notebooks/26_a_gpt_of_your_own.html"
KEYS = [
    ("Your prompt", "x"),
    ("temperature", "ArrowRight"),
    ("top-k", "ArrowLeft"),
    ("or try", "ArrowDown"),
]
LABELS: list[str] = []  # a click on the label of a slider or of a box only moves the focus
SLIDERS = ["temperature", "top-k"]
TOP_K = SHARED["top_k"]
PROMPTS = [
    "attention is",
    "The decoder's mask",
    "",
    "a zebra sleeps",
    "why does the loss fall? because",
    "zzz zzy",
    "the model " * 18,
    "it’s e\u0301tude <b>&amp;</b> 🐈 -il",
]
LIMITS = {"temperature": (0.1, 3.0), "seed": (0, 9999), "written": (0, 32)}
REFUSED = [
    ({"text": "a" * 201}, "the letters of text must have 0 to 200 entries, got 201"),
    ({"top_k": 4}, r"top_k must be one of \[1, 2, 3, 5, 10, 20, 50, 0\], got 4"),
]

write = power


def make(**traits) -> PromptBox:
    return PromptBox(**({"written": 5} | traits))


def cases() -> Iterator[PromptBox]:
    for case, text in enumerate(PROMPTS * 2):
        yield make(
            text=text[: SHARED["letters"]["max"]],
            temperature=(1.0, 0.1, 0.7, 3.0, 1.5)[case % 5],
            top_k=TOP_K[case % len(TOP_K)] if case % 3 else 0,
            seed=case * 41,
            written=(0, 1, 7, 32)[case % 4],
        )


def randomize(host, dice: random.Random) -> dict:
    host.get_by_role("button", name="Reset").click()  # the draws of the last time with it
    words = dice.choices(["the", "model", "attention", "zebra", ",", "learns", "mask", "why"], k=4)
    control(host, "Your prompt").fill(" ".join(words))
    changed = {
        "text": " ".join(words),
        "temperature": slid(host, "temperature", [0.1, 0.7, 1.0, 2.0], dice),
        "top_k": TOP_K[int(slid(host, "top-k", range(len(TOP_K)), dice))],
        "written": dice.randrange(1, 6),
    }
    for _ in range(changed["written"]):
        host.get_by_role("button", name="Next word").click()
    draws = dice.randrange(3)
    for _ in range(draws):
        host.get_by_role("button", name="Another draw").click()
    return changed | {"seed": saved_state(host)["seed"] + draws}


def make_unusual(host) -> None:
    control(host, "Your prompt").fill("zebras " * 28)
    control(host, "temperature").fill("3")
    finish = host.get_by_role("button", name="Finish sentence")
    while finish.get_attribute("aria-disabled") == "false":
        finish.click()
    unfold(host)
