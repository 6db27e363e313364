"""The translator: a text, how words are picked, where one looks, and what is broken."""

import random
from collections.abc import Iterator

from controls import chosen, control, picked, saved_state, slid, switched
from torch import Tensor

from lessons.decoding.translator.reading import HEADS, LAYERS
from lessons.decoding.translator.translator import WRITERS as WRITERS
from lessons.kit.figures.registry import TranslatorLab

FIGURE = TranslatorLab
HOME = "notebooks/23_decoding.html"
KEYS = [
    ("no positions", "Space"),
    ("head", "ArrowDown"),
    ("as a table", "Space"),
    ("beam search", "Space"),
    ("beams", "ArrowLeft"),
    ("length penalty", "ArrowRight"),
    ("French", "x"),
]
LABELS = ["as a table", "no positions"]
SLIDERS: list[str] = []  # those of a way to pick words show when it is chosen
TEXTS = [
    "le petit chat noir dort",
    "l’étudiant ne mange pas de pain",
    "Je le vois",
    "le zèbre dort",
    "",
    "est-ce que les grandes fleurs sont rouges ?",
    "chat " * 30,
]
PARTS = ["encoder", "cross", "self"]
CROSS = LAYERS["cross"]
LIMITS = {
    "beams": (1, 5),
    "alpha": (0.0, 2.0),
    "temperature": (0.1, 3.0),
    "seed": (0, 2**31 - 1),
    "head": (-1, HEADS - 1),
    "place": (0, 2**31 - 1),
}
REFUSED = [
    ({"text": "a" * 161}, "the letters of text must have 0 to 160 entries, got 161"),
    ({"method": "best"}, "method must be one of .*, got 'best'"),
    ({"part": "decoder"}, "part must be one of .*, got 'decoder'"),
    ({"layer": CROSS}, f"layer must satisfy 0 <= layer < {CROSS}, got {CROSS}"),
    ({"part": "encoder", "layer": LAYERS["encoder"]}, f"0 <= layer < {LAYERS['encoder']}, got"),
    ({"form": "bars"}, "form must be one of .*, got 'bars'"),
    ({"silenced": [["cross", 0]]}, "must have 3 entries, part, layer and head, got"),
    ({"silenced": [["output", 0, 0]]}, "the part of a silenced head must be one of"),
    ({"silenced": [["cross", CROSS, 0]]}, f"the layer of a silenced head must lie below {CROSS}"),
    ({"silenced": [["cross", 0, 1.5]]}, f"a silenced head must lie below {HEADS}, got 1.5"),
]


def make(**traits) -> TranslatorLab:
    return TranslatorLab(**({"method": "beam", "beams": 3, "form": "table"} | traits))


def cases() -> Iterator[TranslatorLab]:
    """Yield figures of every method, part and ablation; the last decoder layer if it matters."""
    for case, text in enumerate(TEXTS * 2):
        silenced = [["cross", CROSS - 1, 1], ["encoder", 0, 3], ["self", 0, 0]][: case % 4]
        yield make(
            text=text,
            method=("likeliest", "beam", "chance")[case % 3],
            beams=1 + case % 5,
            alpha=(0.6, 0.0, 1.3)[case % 3],
            temperature=(1.0, 0.5, 2.0)[case % 3],
            seed=case,
            part=PARTS[case % 3],
            layer=case % LAYERS[PARTS[case % 3]],
            head=case % 5 - 1,
            place=(0, 2, 30)[case % 3],
            silenced=silenced,
            positions=case % 4 != 1,
            mask=case % 5 != 2,
            form=("table", "lines")[case % 2],
        )


def expected(figure: TranslatorLab) -> dict[str, Tensor]:
    """Return what is visible: as lines, attention is not a table."""
    results = figure.results()
    if figure.form == "lines":
        del results["attention"]
    return results


def show_tables(host) -> None:
    """Unfold what is next to a tree, now or once there is one."""
    host.locator(".lf-live details:not(.tr-known)").evaluate_all(
        "(folds) => folds.forEach((fold) => { fold.open = true; })"
    )


def randomize(host, dice: random.Random) -> dict:
    show_tables(host)
    words = dice.choices(["le", "petit", "chat", "dort", "zèbre", "une", "fleur", "l'école"], k=5)
    control(host, "French").fill(" ".join(words))
    changed = {
        "text": " ".join(words),
        "method": ["likeliest", "beam", "chance"][
            picked(host, ["the likeliest", "beam search", "sampling"], dice)
        ],
        "part": PARTS[(part := chosen(host, "look at", len(PARTS), dice))],
        "layer": chosen(host, "layer", n, dice) if (n := LAYERS[PARTS[part]]) > 1 else 0,
        "head": chosen(host, "head", HEADS + 1, dice) - 1,
        "form": "table" if switched(host, "as a table", dice) else "lines",
        "positions": not switched(host, "no positions", dice),
        "mask": not switched(host, "no mask", dice),
    }
    if changed["method"] == "beam":
        changed["beams"] = int(slid(host, "beams", [1, 2, 3, 5], dice))
        changed["alpha"] = slid(host, "length penalty", [0.0, 0.6, 1.5], dice)
    if changed["method"] == "chance":
        changed["temperature"] = slid(host, "temperature", [0.5, 1.0, 2.0], dice)
        host.get_by_role("button", name="Again").click()
        changed["seed"] = saved_state(host)["seed"] + 1
    return changed


def make_unusual(host) -> None:
    control(host, "French").fill("zèbres " * 20)
    control(host, "beam search").check()
    control(host, "beams").fill("5")
    show_tables(host)
    control(host, "look at").select_option(label="English to English")
    control(host, "no mask").check()
    control(host, "head off").check()


def make_unusual_with_the_words(host) -> None:
    control(host, "French").fill("le petit ch")
    control(host, "as a table").check()
    for summary in host.locator(".lf-live summary").all():
        if summary.is_visible():
            summary.click()
