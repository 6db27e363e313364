"""The workbench: races, tasks, and the settings of two machines."""

import random
from collections.abc import Iterator

from controls import chosen, control, switched

from lessons.kit.figures.race_lab.race_lab import TEXTS
from lessons.kit.figures.registry import Workbench
from lessons.the_workbench.workbench.workbench import SETTINGS

FIGURE = Workbench
HOME = "book/the_workbench.html"
KEYS = [
    ("Race", "ArrowDown"),
    ("Task", "ArrowDown"),
    ("Changed machine/attention", "Space"),
    ("Changed machine/norm", "ArrowDown"),
]
LABELS = ["Changed machine/causal mask", "Changed machine/residual"]
SLIDERS: list[str] = []
UNSEEN = ("ends", "baselines")  # the table writes them as texts
LIMITS = {"steps": (25, 2000), "first_seed": (1, 9999)}
REFUSED = [
    ({"task": "subtract"}, "task must be one of .*, got 'subtract'"),
    ({"rate": 0.5}, "rate must be one of .*, got 0.5"),
    ({"seeds": 2}, "seeds must be one of .*, got 2"),
    ({"whole": {"depth": 2}}, "whole must name settings of .*, got 'depth'"),
    ({"changed": {"layers": 7}}, r"layers of changed must be one of \[1, .* got 7"),
    ({"changed": {"attention": 1}}, r"attention of changed must be one of \[True, .* got 1"),
]


def make(**traits) -> Workbench:
    return Workbench(**traits)


def traits_of(race: dict) -> dict:
    """Return the traits of a guided race."""
    return {
        name: race[name] for name in ("task", "whole", "changed", "rate", "steps") & race.keys()
    }


def cases() -> Iterator[Workbench]:
    """Yield a race of one's own, which has no record, and each guided race with its record."""
    yield make(task="sort", changed={"heads": 1, "feed_forward": False}, steps=800)
    for race in TEXTS["races"]:
        yield make(**traits_of(race), recorded=True)


def randomize(host, dice: random.Random) -> dict:
    race = TEXTS["races"][chosen(host, "Race", len(TEXTS["races"]), dice)]
    traits = {"whole": {}, "rate": 0.003, **traits_of(race)}
    changed = dict(traits["changed"])
    whole = TEXTS["whole"] | traits["whole"]
    for name in ("causal", "residual"):
        on = switched(host, f"Changed machine/{SETTINGS[name]['label']}", dice)
        changed.pop(name, None)
        if on != whole[name]:
            changed[name] = on
    return {**traits, "changed": changed}


def make_unusual(host) -> None:
    for fold in (".wb-panel", ".wb-both"):
        host.locator(fold).evaluate("(e) => { e.open = true; }")  # closed on a phone
    control(host, "Task").select_option(label="Recall")
    control(host, "Changed machine/layers").select_option(label="6")
    control(host, "Changed machine/attention").uncheck()
    control(host, "seeds").select_option(label="5")
