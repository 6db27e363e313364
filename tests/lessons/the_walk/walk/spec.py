"""The walk: sentences, words, stations, and the cache."""

import random
from collections.abc import Iterator

from controls import control, saved_state, switched, unfold

from lessons.kit.figures.registry import Walk
from lessons.the_walk.walk.walk import PLACES
from lessons.the_walk.walk.walk import WRITERS as WRITERS

FIGURE = Walk
HOME = "book/the_walk.html"
KEYS = [
    ("Word 2: lawyer", "Enter"),
    ("layer 1, attention", "Enter"),
    ("Next station", "Enter"),
    ("Previous station", "Enter"),
    ("cross-attention", "Enter"),
    ("cache", "Space"),
    ("or try", "ArrowDown"),
    ("French", "x"),
]
LABELS: list[str] = []  # at the first word the cache changes nothing
SLIDERS: list[str] = []
EXAMPLES = ["l'avocat mange un avocat", "je suis étudiant", "merci"]
TEXTS = [*EXAMPLES, "", "le zèbre dort", "un " * 14]
#: For these each matrix is a table at once.
TABLES = {"station": "so-far.tokens", "word": 3}
LIMITS = {"word": (1, 15)}
REFUSED = [
    ({"text": "a" * 121}, "the letters of text must have 0 to 120 entries, got 121"),
    ({"examples": []}, "examples must have 1 to 10 entries, got 0"),
    ({"station": "cellar"}, "station must name one of 52 stations, got 'cellar'"),
]


def make(**traits) -> Walk:
    return Walk(**({"text": EXAMPLES[0], "examples": EXAMPLES} | traits))


def cases() -> Iterator[Walk]:
    """Yield every station at two words, with the cache and without, in sentences of all kinds."""
    for case, station in enumerate([*PLACES] * 2):
        text = TEXTS[case % len(TEXTS)]
        yield make(text=text, station=station, word=1 + case % 5, cache=case % 3 > 0)


def show_tables(host) -> None:
    """Open what holds every number."""
    unfold(host, ".lf-live .wk-full")


def go(host, station: str) -> None:
    """Take a station on the map."""
    place = PLACES[station]
    layer = f"layer {place.block['layer']}, " if "layer" in place.block else ""
    lane = host.locator(f".wk-{place.block['lane']}")
    host.locator(".wk-fold").evaluate("(e) => { e.open = true; }")
    lane.get_by_label(f"{layer}{place.block['name']}", exact=True).click()
    stations = host.locator(".wk-inner")
    stations.get_by_role("button", name=place.station["name"], exact=True).click()


def randomize(host, dice: random.Random) -> dict:
    examples = saved_state(host)["examples"]
    text = examples[dice.randrange(len(examples))]
    control(host, "or try").select_option(label=text)
    if dice.random() < 0.5:
        text = " ".join(dice.choices(["le", "chat", "noir", "zèbre", "ne", "."], k=4))
        control(host, "French").fill(text)
    words = host.locator(".wk-english button")
    word = dice.randrange(words.count())
    words.nth(word).click()
    station = dice.choice([*PLACES])
    go(host, station)
    cache = switched(host, "cache", dice)
    return {"text": text, "word": word + 1, "station": station, "cache": cache}


def make_unusual(host) -> None:
    control(host, "French").fill("zèbre " * 14)
    host.locator(".wk-english button").last.click()
    go(host, "masked-attention.scores")
    control(host, "cache").uncheck()
    show_tables(host)
