"""What the tests of the live figures share: where each figure stands, and what it shows."""

import functools
import json
import random
from collections.abc import Callable

import torch
from playwright.sync_api import Locator, Page
from torch import Tensor

from transformer_lite.figures import AttentionExplorer, LayerNormLab, LiveFigure, MaskLab

HOME = {
    AttentionExplorer: "notebooks/06_the_cat_sat.html",
    MaskLab: "notebooks/08_masks.html",
    LayerNormLab: "notebooks/13_layer_norm.html",
}
SHOWN = "[...e.querySelectorAll('[data-value]')].filter((x) => x.checkVisibility())"

OpenPage = Callable[..., Page]


def host_of(page: Page, name: str) -> Locator:
    """Return the first figure of this name on the page, mounted."""
    host = page.locator(f".tl-host[data-figure='{name}']").first
    host.locator(".lf-live .tl-status").wait_for(state="attached")
    return host


def open_figure(open_page: OpenPage, cls: type[LiveFigure], **options) -> Locator:
    """Open the chapter that holds a figure and return the figure."""
    page = open_page(HOME[cls], **options)
    page.set_default_timeout(5000)  # nothing on a page takes longer: fail soon
    return host_of(page, cls.name)


def resetter(open_page: OpenPage) -> Callable[[type[LiveFigure]], Locator]:
    """Return a function that gives a figure in its first state and loads each page only once."""
    host = functools.cache(functools.partial(open_figure, open_page))

    def fresh(cls: type[LiveFigure]) -> Locator:
        host(cls).get_by_role("button", name="Reset").click()
        if cls is LayerNormLab:
            control(host(cls), "one token").check()
        return host(cls)

    return fresh


def control(host: Locator, label: str) -> Locator:
    """Return the control with this label; "group/label" where a label stands in two groups."""
    *group, label = label.split("/")
    inside = host.get_by_role("group", name=group[0]) if group else host
    return inside.get_by_label(label, exact=True)


def snapshot(host: Locator) -> tuple:
    """Return all that a reader can see of a live figure, and the numbers at full precision."""
    return host.locator(".lf-live").inner_text(), *values(host)


def status(host: Locator) -> Locator:
    """Return the line that is read aloud."""
    return host.locator(".lf-live .tl-status")


def saved_state(host: Locator) -> dict:
    """Return the state that the page carries for a figure."""
    return json.loads(host.locator("script[type='application/json']").text_content())


def values(host: Locator) -> list[str]:
    """Return every visible number of the live figure at full precision, in order."""
    return host.evaluate(f"(e) => {SHOWN}.map((x) => x.dataset.value)")


def texts(host: Locator) -> list[str]:
    """Return every visible number of the live figure as it is written, in order."""
    return host.evaluate(f"(e) => {SHOWN}.map((x) => x.textContent)")


def tables(host: Locator) -> dict[str, Tensor]:
    """Return the visible tables of numbers by result or, where none is named, by caption."""
    found = host.evaluate("""(host) => [...host.querySelectorAll("tr")]
      .filter((row) => row.checkVisibility() && row.querySelector("[data-value]"))
      .map((row) => [
        row.closest("[data-result]")?.dataset.result ?? row.closest("table").caption.textContent,
        [...row.querySelectorAll("[data-value]")].map((x) => x.dataset.value)])""")
    rows: dict[str, list[list[float]]] = {}
    for name, row in found:
        rows.setdefault(name, []).append([float(text) for text in row])
    return {name: torch.tensor(row, dtype=torch.float64) for name, row in rows.items()}


def expected(figure: LiveFigure) -> dict[str, Tensor]:
    """Return what `tables` must find for a figure, computed by the package."""
    if isinstance(figure, MaskLab):
        return figure.results()
    if isinstance(figure, AttentionExplorer):
        captions = [
            "1 Scores: query · key",
            "2 Scaled",
            "3 Masked",
            "4 Weights: softmax of each row",
            "5 Output: weighted sum of values",
        ]
        return dict(zip(captions, figure.steps(), strict=True))
    if figure.view == "token":
        steps = figure.steps()
        return steps._asdict() | {"squared": steps.centered.square()}
    groups = figure.groups()
    stats = torch.stack([groups.mean, groups.std, groups.root])
    table = {"table": torch.tensor(figure.table), "groups": groups.normalized}
    by_row = figure.axis == "layer"
    return table | ({"row_statistics": stats.T} if by_row else {"column_statistics": stats})


def agree(host: Locator, figure: LiveFigure) -> None:
    """Require every table of the figure on the page to hold the package's numbers, to 1e-6."""
    shown, wanted = tables(host), expected(figure)
    assert shown.keys() == wanted.keys()
    for name, tensor in wanted.items():
        torch.testing.assert_close(
            shown[name],
            tensor.double().reshape(shown[name].shape),
            rtol=1e-6,
            atol=1e-6,
            equal_nan=True,
            msg=lambda text, name=name: f"{name}: {text}",
        )


# Random inputs, made through the controls; each function returns the same figure in Python.


def typed(host: Locator, label: str, count: int, dice: random.Random, top: float) -> list[float]:
    """Type a random number of 3 decimals into each of the boxes `label 1`, `label 2`, …"""
    numbers = [round(dice.uniform(-top, top), 3) for _ in range(count)]
    for i, x in enumerate(numbers, start=1):
        host.get_by_label(f"{label} {i}", exact=True).fill(str(x))
    return numbers


def switched(host: Locator, label: str, dice: random.Random) -> bool:
    """Set a checkbox or pick a radio button, or leave it, by chance; return how it stands."""
    on = dice.random() < 0.5
    host.get_by_label(label, exact=True).set_checked(on)
    return on


def picked(host: Locator, labels: list[str], dice: random.Random) -> int:
    """Pick one of the radio buttons with these labels; return its index."""
    index = dice.randrange(len(labels))
    host.get_by_label(labels[index], exact=True).check()
    return index


def random_explorer(host: Locator, dice: random.Random) -> AttentionExplorer:
    start = saved_state(host)
    width = len(start["vectors"][0])
    vectors = [
        typed(host, f"Token {i}, entry", width, dice, top=3)
        for i in range(1, len(start["vectors"]) + 1)
    ]
    temperature = round(dice.uniform(0.1, 5), 1)
    host.get_by_label("temperature").fill(str(temperature))
    return AttentionExplorer(
        start["tokens"],
        vectors,
        selected=picked(host, start["tokens"], dice),
        scaled=switched(host, f"divide by √{width}", dice),
        causal=switched(host, "look-ahead mask", dice),
        temperature=temperature,
    )


def random_mask_lab(host: Locator, dice: random.Random) -> MaskLab:
    start = saved_state(host)
    ids, pad = start["token_ids"], start["pad_id"]
    real = [token if token != pad else max(ids) + 1 for token in ids]
    group = host.get_by_role("group", name="Pads")
    pads = [switched(group, str(i), dice) for i in range(1, len(ids) + 1)]
    host.get_by_label("apply the padding mask").check()
    rules = ["as keys (key-broadcast)", "as keys and queries (outer product)"]
    return MaskLab(
        [pad if is_pad else token for is_pad, token in zip(pads, real, strict=True)],
        start["embeddings"],
        pad_id=pad,
        outer=bool(picked(host, rules, dice)),
        causal=switched(host, "apply the look-ahead mask", dice),
        padding=switched(host, "apply the padding mask", dice),
    )


def random_layer_norm_lab(host: Locator, dice: random.Random) -> LayerNormLab:
    start = saved_state(host)
    size = len(start["values"])
    decade = dice.randrange(14)
    host.get_by_label("ε", exact=True).fill(str(decade))
    host.get_by_label("one token").check()
    state = {
        "eps": float(f"1e{decade - 13}") if decade else 0.0,
        "values": typed(host, "Typed value", size, dice, top=10),
        "gamma": typed(host, "Gain γ of feature", size, dice, top=5),
        "beta": typed(host, "Shift β of feature", size, dice, top=5),
        "unbiased": picked(host, ["n", "n − 1"], dice) == 1,
        "eps_inside": picked(host, ["inside the root", "outside"], dice) == 0,
    }
    return LayerNormLab(**(start | state))


def random_groups(host: Locator, dice: random.Random) -> LayerNormLab:
    start = saved_state(host)
    decade = dice.randrange(1, 14)
    host.get_by_label("ε", exact=True).fill(str(decade))
    host.get_by_label("a table of tokens").check()
    axes = ["along a row (layer)", "down a column (batch)"]
    by_column = picked(host, axes, dice) == 1
    state = {
        "view": "table",
        "eps": float(f"1e{decade - 13}"),
        "axis": "batch" if by_column else "layer",
        "count_pads": switched(host, "pads count in the statistics", dice) if by_column else True,
    }
    return LayerNormLab(**(start | state))
