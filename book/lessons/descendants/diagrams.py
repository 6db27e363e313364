"""How pretrained models are used, three families by their masks, a window, blocks, and experts."""

import torch

from lessons.kit.diagrams import (
    Diagram,
    Node,
    arrow,
    box,
    circle,
    column,
    draw,
    group,
    permissions,
    row,
)
from lessons.kit.diagrams.blocks import block
from transformer_lite.layers.masks import look_ahead_mask, sliding_window_mask

WORDS = ["we", "see", "a", "cat"]
SOURCE, TARGET = ["on", "voit"], ["we", "see", "it"]
GATES = {1: 0.7, 3: 0.3}


def timeline() -> Diagram:
    """Draw four ways to get a task done, from a model for each task to a prompt."""
    frames, links = [], []
    text, pretrained = ("text", "data", "no labels"), ("model", "norm", "pretrained")
    tuned = ("model", "norm", "learned to answer")
    stories: list[tuple[str, list[tuple[str, str, str]], list[str]]] = [
        (
            "2017: a model for each task",
            [("pairs", "data", "labels of task A"), ("model A", "weight", "from random weights")],
            ["train"],
        ),
        (
            "2018: pretrain, then fine-tune",
            [text, pretrained, ("model A", "weight", "few labels of task A")],
            ["pretrain", "fine-tune"],
        ),
        (
            "2020: pretrain, then prompt",
            [text, pretrained, ("answer A", "output", "examples in the prompt")],
            ["pretrain", "prompt"],
        ),
        (
            "2022: pretrain, instruct, then ask",
            [text, pretrained, tuned, ("answer A", "output", "a question")],
            ["pretrain", "tune", "ask"],
        ),
    ]
    for title, steps, names in stories:
        nodes: list[Node] = [box(name, kind, note) for name, kind, note in steps]
        frames.append(group(title, row(*nodes, gap=74), edge=14))
        for i, name in enumerate(names):
            asked = name in ("prompt", "ask")
            links.append(arrow(nodes[i], nodes[i + 1], label=name, dashed=asked))
    return draw(
        column(*frames, gap=16, align="start"),
        *links,
        alt="Four rows. 2017: labels of task A train a model A from random weights. 2018: text "
        "without labels pretrains one model, and a few labels fine-tune it to a model A. 2020: "
        "text pretrains a model, and examples in the prompt are enough for an answer. 2022: text "
        "pretrains a model, examples of answers tune it, and a question is enough.",
        caption="How to get task A done. Along a solid arrow weights are trained. Along a dashed "
        "arrow they stay as they are.",
    )


def three_masks() -> Diagram:
    """Draw who may attend to whom in an encoder, in a decoder, and in both together."""
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
        alt="Three masks. Encoder, as in BERT: we see a cat, all four words may attend to all. "
        "Decoder, as in GPT-2 and Llama: a staircase, each word may attend to itself and to those "
        "before it. Both, as in T5: each target word, we see it, may attend to the whole source, "
        "on voit, and in a staircase to the target words so far.",
        caption="Three families and their masks. Rows are queries; a hatched cell is hidden.",
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
        "of 3: a band of 18 open cells along the diagonal, in which each token attends to itself "
        "and the two before it.",
        caption="A sliding window keeps a band of the staircase: its cost grows with T, not T².",
    )


def three_blocks() -> Diagram:
    """Draw the blocks of the original, of GPT-2 and of Llama, what is new in each in bold."""
    plain = {"a": "attention", "f": "feed-forward,\nReLU", "n": "LayerNorm"}
    gpt = plain | {"f": "feed-forward,\nGELU"}
    llama = plain | {"a": "attention,\nrotary", "f": "SwiGLU", "n": "RMSNorm"}
    blocks = [
        block("original, 2017", "xa+nf+ny", plain | {"start": "with sines"}, "", gap=19, edge=44),
        block(
            "GPT-2, 2019",
            "xna+nf+y",
            gpt | {"start": "with learned positions"},
            "nf",
            gap=19,
            edge=44,
        ),
        block(
            "Llama, 2023",
            "xna+nf+y",
            llama | {"start": "without positions"},
            "naf",
            gap=19,
            edge=44,
        ),
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
        "its left. First the norms moved, then their kind changed.",
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
        caption="A mixture of experts: all four are in memory, two are computed.",
    )
