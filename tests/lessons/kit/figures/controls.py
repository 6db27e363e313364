"""How a test finds and changes the controls of a live figure on a page."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator


def saved_state(host: Locator) -> dict:
    """Return the state that the page carries for a figure."""
    return json.loads(host.locator("script[type='application/json']").text_content())


def control(host: Locator, label: str) -> Locator:
    """Return the control with this label; "group/label" where two groups have the same label."""
    *group, label = label.split("/")
    inside = host.get_by_role("group", name=group[0]) if group else host
    return inside.get_by_label(label, exact=True)


def typed(host: Locator, label: str, count: int, dice: random.Random, top: float) -> list[float]:
    """Type a random number of 3 decimals into each of the boxes `label 1`, `label 2`, …"""
    numbers = [round(dice.uniform(-top, top), 3) for _ in range(count)]
    for i, x in enumerate(numbers, start=1):
        control(host, f"{label} {i}").fill(str(x))
    return numbers


def switched(host: Locator, label: str, dice: random.Random) -> bool:
    """Set a checkbox or pick a radio button, or leave it, by chance; return its new state."""
    on = dice.random() < 0.5
    control(host, label).set_checked(on)
    return on


def picked(host: Locator, labels: list[str], dice: random.Random) -> int:
    """Pick one of the radio buttons with these labels; return its index."""
    index = dice.randrange(len(labels))
    control(host, labels[index]).check()
    return index


def slid(host: Locator, label: str, values: list[float], dice: random.Random) -> float:
    """Move a slider to one of the values; return it."""
    value = dice.choice(values)
    control(host, label).fill(f"{value:g}")
    return value


def chosen(host: Locator, label: str, count: int, dice: random.Random) -> int:
    """Choose one of the `count` lines of a menu; return its index."""
    index = dice.randrange(count)
    control(host, label).select_option(index=index)
    return index


def unfold(host: Locator, fold: str = ".lf-live details") -> None:
    """Open what is folded, if anything is, and wait until what is drawn on opening is there."""
    host.locator(fold).evaluate_all("""(folds) => Promise.all(
      folds.filter((fold) => !fold.open).map((fold) => new Promise((done) => {
        fold.addEventListener("toggle", done, { once: true });
        fold.open = true;
      })))""")
