"""Three families by their masks, three blocks by their parts, LoRA, patches, and experts."""

from itertools import pairwise

import torch
from torch import nn

from transformer_lite.diagrams._kit import (
    Arrow,
    Diagram,
    Group,
    Matrix,
    arrow,
    box,
    circle,
    column,
    draw,
    group,
    matrix,
    row,
)
from transformer_lite.layers.low_rank import LowRank
from transformer_lite.layers.masks import look_ahead_mask, sliding_window_mask
from transformer_lite.layers.patches import cut_patches

WORDS = ["we", "see", "a", "cat"]
SOURCE, TARGET = ["on", "voit"], ["we", "see", "it"]
IMAGE = torch.arange(1.0, 17).reshape(4, 4)
WIDTH, RANK = 768, 4
GATES = {1: 0.7, 3: 0.3}


def _permissions(mask: torch.Tensor, rows: list[str], columns: list[str], shape: str) -> Matrix:
    signs = [["✓" if cell else "" for cell in line] for line in mask.tolist()]
    return matrix(signs, "weight", rows=rows, columns=columns, shape=shape, off=~mask)


def three_masks() -> Diagram:
    """Who may look at whom in an encoder, in a decoder, and in both together."""
    everything = torch.ones(4, 4, dtype=torch.bool)
    encoder = _permissions(everything, WORDS, WORDS, "fills gaps")
    decoder = _permissions(look_ahead_mask(4), WORDS, WORDS, "next word")
    cross = torch.cat([torch.ones(3, 2, dtype=torch.bool), look_ahead_mask(3)], dim=1)
    both = _permissions(cross, TARGET, [*SOURCE, *TARGET], "next word, from a source")
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
    """The staircase, and the same cut to the last three keys."""
    whole, cut = look_ahead_mask(7), sliding_window_mask(7, window=3)
    names = [str(i) for i in range(1, 8)]
    frames = [
        group("all keys so far", _permissions(whole, names, names, f"{int(whole.sum())} cells")),
        group("a window of 3", _permissions(cut, names, names, f"{int(cut.sum())} cells")),
    ]
    return draw(
        row(*frames, gap=20),
        alt="Two masks for seven tokens. All keys so far: a staircase of 28 open cells. A window "
        "of 3: a band of 18 open cells along the diagonal, in which each token looks at itself and "
        "at the two before it.",
        caption="A sliding window keeps a band of the staircase: its cost grows with T, not T².",
    )


def _block(title: str, order: str, names: dict[str, str], lit: str) -> tuple[Group, list[Arrow]]:
    """A block from bottom to top; what changed against the block before stands out."""
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
    links = [arrow(a, b) for a, b in pairwise(chain)]
    links += [
        arrow(chain[start], chain[end], bend="elbow", start_side="right", end_side="right")
        for start, end in ((0, sums[0]), (second, sums[1]))
    ]
    return group(title, column(*reversed(chain), gap=19), edge=44), links


def three_blocks() -> Diagram:
    """The blocks of the original, of GPT-2 and of Llama, what is new in each in bold."""
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


def low_rank() -> Diagram:
    """LoRA: the frozen way and the narrow way beside it, and both merged."""
    with torch.device("meta"):  # numbers are counted, none is drawn
        layer = LowRank(nn.Linear(WIDTH, WIDTH, bias=False), RANK, alpha=8.0)
    frozen, narrow = layer.base.weight.numel(), layer.down.numel()
    x, y = box("x", "data", f"{WIDTH} wide"), box("y", "output", f"{WIDTH} wide")
    weights = box("W", "plain", f"frozen: {frozen:,}", width=150)
    down, up = box("A", "weight", f"learns: {narrow:,}"), box("B", "weight", f"learns: {narrow:,}")
    plus, scale = circle("+"), box("× α/r", "score")
    merged = box("W + (α/r) B A", "plain", f"{layer.merge().weight.numel():,} numbers")
    x_again, y_again = box("x", "data"), box("y", "output")
    ways = column(weights, row(down, up, scale, gap=34), gap=30)
    return draw(
        column(
            group("while it learns", row(x, ways, plus, y, gap=40)),
            group("merged", row(x_again, merged, y_again, gap=40)),
            gap=22,
        ),
        arrow(x, weights),
        arrow(x, down),
        arrow(down, up, str(RANK)),
        arrow(up, scale),
        arrow(weights, plus),
        arrow(scale, plus),
        arrow(plus, y),
        arrow(x_again, merged),
        arrow(merged, y_again),
        alt="While it learns, x of width 768 goes two ways: through W, whose 589,824 numbers are "
        "frozen, and through A and B, which learn 3,072 numbers each and have only 4 numbers "
        "between them. What B gives is multiplied by α over r, and both ways are added to y. "
        "Merged: one matrix W + (α/r) B A of 589,824 numbers.",
        caption=f"LoRA on a layer of width {WIDTH}, rank {RANK}: "
        f"{2 * narrow:,} numbers learn in place of {frozen:,}.",
    )


def patches() -> Diagram:
    """An image of 4 × 4 numbers becomes four tokens."""
    cut = cut_patches(IMAGE[None, None], 2)[0]
    first = [(i, j) for i in range(2) for j in range(2)]
    image = matrix(IMAGE.int(), "data", "image", shape="(4, 4)", lit=first, shaded=False)
    names = [f"patch {t}" for t in range(1, 5)]
    rows = matrix(
        cut.int(),
        "data",
        "patches",
        rows=names,
        shape="(T, C·P·P) = (4, 4)",
        lit=[(0, j) for j in range(4)],
        shaded=False,
    )
    tokens = column(*(box(f"token {t}", "output") for t in range(1, 5)), gap=8, equal=True)
    encoder, product = box("encoder", "feed_forward", "no mask"), box("× W + b")
    boxes = tokens.nodes()
    return draw(
        row(image, rows, product, tokens, encoder, gap=36),
        arrow(image, rows, "cut"),
        arrow(rows, product),
        *(arrow(product, node) for node in boxes),
        *(arrow(node, encoder) for node in boxes),
        alt="An image of four by four numbers, 1 to 16, is cut into four squares of two by two. "
        "Each becomes a row: 1, 2, 5, 6; then 3, 4, 7, 8; then 9, 10, 13, 14; then 11, 12, 15, 16. "
        "Each row times W, plus b, is a token, and the four tokens go into an encoder without a "
        "mask.",
        caption="Patches are tokens: behind the first multiplication nothing knows of images.",
    )


def experts() -> Diagram:
    """A router chooses two of four experts for one token."""
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
