"""Three families by their masks, a window, three blocks by their parts, and experts."""

import torch

from lessons.kit.diagrams import (
    Arrow,
    Diagram,
    Group,
    arrow,
    arrows,
    box,
    circle,
    column,
    draw,
    group,
    permissions,
    row,
)
from transformer_lite.layers.masks import look_ahead_mask, sliding_window_mask

WORDS = ["we", "see", "a", "cat"]
SOURCE, TARGET = ["on", "voit"], ["we", "see", "it"]
GATES = {1: 0.7, 3: 0.3}


def three_masks() -> Diagram:
    """Who may look at whom in an encoder, in a decoder, and in both together."""
    everything = torch.ones(4, 4, dtype=torch.bool)
    encoder = permissions(everything, rows=WORDS, columns=WORDS, shape="fills gaps")
    decoder = permissions(look_ahead_mask(4), rows=WORDS, columns=WORDS, shape="next word")
    cross = torch.cat([torch.ones(3, 2, dtype=torch.bool), look_ahead_mask(3)], dim=1)
    both = permissions(
        cross, rows=TARGET, columns=[*SOURCE, *TARGET], shape="next word, from a source"
    )
    frames = [
        group("encoder: BERT", encoder),
        group("decoder: GPT-2, Llama", decoder),
        group("both: T5", both),
    ]
    return draw(
        row(*frames, gap=16),
        alt="Three masks. Encoder, as in BERT: all four words, we see a cat, may look at all four. "
        "Decoder, as in GPT-2 and Llama: a staircase, each word may look at itself and at those "
        "before it. Both, as in T5: each target word, we see it, may look at the whole source, on "
        "voit, and in a staircase at the target words so far.",
        caption="Three families, told apart by one table. Rows ask; a hatched cell is hidden.",
    )


def windows() -> Diagram:
    """Draw the staircase, and the same cut to the last three keys."""
    whole, cut = look_ahead_mask(7), sliding_window_mask(7, window=3)
    names = [str(i) for i in range(1, 8)]
    frames = [
        group(
            title,
            permissions(mask, rows=names, columns=names, shape=f"{int(mask.sum())} cells"),
        )
        for title, mask in (("all keys so far", whole), ("a window of 3", cut))
    ]
    return draw(
        row(*frames, gap=20),
        alt="Two masks for seven tokens. All keys so far: a staircase of 28 open cells. A window "
        "of 3: a band of 18 open cells along the diagonal, in which each token looks at itself and "
        "at the two before it.",
        caption="A sliding window keeps a band of the staircase: its cost grows with T, not T².",
    )


def _block(title: str, order: str, names: dict[str, str], lit: str) -> tuple[Group, list[Arrow]]:
    """Draw a block from bottom to top, and highlight what differs from the previous block."""
    kinds = {"x": "data", "y": "output", "n": "norm", "a": "score", "f": "feed_forward"}
    chain = [
        circle("+")
        if sign == "+"
        else box(
            names.get(sign, sign),
            kinds[sign] if sign in lit + "xy" else "plain",
            names["start"] if sign == "x" else "",
            bold=sign in lit,
        )
        for sign in order
    ]
    sums = [i for i, sign in enumerate(order) if sign == "+"]
    # Behind a norm that follows the sum, else at the sum itself, the next skip begins.
    second = sums[0] + 1 if order[sums[0] + 1] == "n" and order[1] != "n" else sums[0]
    links = arrows(*chain)
    links += [
        arrow(chain[start], chain[end], bend="elbow", start_side="right", end_side="right")
        for start, end in ((0, sums[0]), (second, sums[1]))
    ]
    return group(title, column(*reversed(chain), gap=19), edge=44), links


def three_blocks() -> Diagram:
    """Draw the blocks of the original, of GPT-2 and of Llama, what is new in each in bold."""
    plain = {"a": "attention", "f": "feed-forward,\nReLU", "n": "LayerNorm"}
    gpt = plain | {"f": "feed-forward,\nGELU"}
    llama = plain | {"a": "attention,\nrotary", "f": "SwiGLU", "n": "RMSNorm"}
    blocks = [
        _block("original, 2017", "xa+nf+ny", plain | {"start": "with sines"}, ""),
        _block("GPT-2, 2019", "xna+nf+y", gpt | {"start": "with learned positions"}, "nf"),
        _block("Llama, 2023", "xna+nf+y", llama | {"start": "without positions"}, "naf"),
    ]
    return draw(
        row(*(frame for frame, _ in blocks), gap=16),
        *(link for _, links in blocks for link in links),
        alt="Three blocks from bottom to top. The original of 2017: attention, sum, LayerNorm, "
        "feed-forward with ReLU, sum, LayerNorm; sines are added at the start. GPT-2 of 2019: "
        "LayerNorm, attention, sum, LayerNorm, feed-forward with GELU, sum; learned positions are "
        "added at the start. Llama of 2023: RMSNorm, attention with rotary positions, sum, "
        "RMSNorm, SwiGLU, sum; no positions are added at the start.",
        caption="One block of each, read from below. In bold: what differs from the block on "
        "its left. The places of the norms moved once, then their kind changed.",
    )


def experts() -> Diagram:
    """Draw a router that chooses two of four experts for one token."""
    x, y, router = box("token x", "data"), box("y", "output"), box("router", "score")
    chosen = [
        box(f"expert {e}", "feed_forward" if e in GATES else "off", f"gate {GATES.get(e, 0):g}")
        for e in range(1, 5)
    ]
    plus = circle("+")
    return draw(
        row(x, router, column(*chosen, gap=12), plus, y, gap=44),
        arrow(x, router),
        *(arrow(router, expert, dashed=e not in GATES) for e, expert in enumerate(chosen, start=1)),
        *(arrow(chosen[e - 1], plus) for e in GATES),
        arrow(plus, y),
        alt="A token goes to a router, which has four experts. Experts 1 and 3 are chosen, with "
        "the gates 0.7 and 0.3, and their answers are added to y. Experts 2 and 4 have the gate 0, "
        "are hatched, and compute nothing.",
        caption="A mixture of experts: all four are held, two are computed.",
    )
