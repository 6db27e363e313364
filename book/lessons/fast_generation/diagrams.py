"""One token a pass or several, one scale or two, and a cache in pages."""

import torch

from lessons.kit.diagrams import (
    Diagram,
    Matrix,
    arrow,
    arrows,
    box,
    column,
    draw,
    group,
    matrix,
    row,
)

WEIGHTS = (0.7, -0.3, 0.14, 0.06, 0.2, -0.4, 7.0, 0.3)
TOP = 7
PLAIN = ("the", "cat", "sat", "on")
DRAFT = (("the", "✓"), ("cat", "✓"), ("ran", "✗ sat"))


def passes() -> Diagram:
    """Draw four tokens written by four passes, and three drafted tokens checked by one."""
    written = [box(word, "output") for word in PLAIN]
    steps = [box("large", "feed_forward", "one pass") for _ in PLAIN]
    plain = row(
        *(column(step, word, gap=26) for step, word in zip(steps, written, strict=True)), gap=22
    )
    small = [box(word, "data", "draft") for word, _ in DRAFT]
    check = box("large", "feed_forward", "one pass over all three", width=330)
    verdicts = [box(sign, "off" if "✗" in sign else "output") for _, sign in DRAFT]
    drafted = column(
        row(*small, gap=30, equal=True), check, row(*verdicts, gap=30, equal=True), gap=26
    )
    return draw(
        column(
            group("plain decoding: four passes, four tokens", plain),
            group("draft and verify: one pass, three tokens", drafted),
            gap=22,
        ),
        *(arrow(step, word) for step, word in zip(steps, written, strict=True)),
        *(arrow(a, b) for a, b in zip(written, steps[1:], strict=False)),
        *arrows(*small),
        *(arrow(word, check) for word in small),
        *(arrow(check, verdict) for verdict in verdicts),
        alt="Above, plain decoding: four passes of the large model write the, cat, sat, on, each "
        "pass after the token before. Below, a small model drafts the, cat, ran, one after the "
        "other. One pass of the large model checks all three: the and cat are accepted, ran is "
        "rejected and replaced by sat.",
        caption="One pass reads all weights, for one token or for several. The third word is "
        "replaced, so this pass writes three tokens.",
    )


def one_scale() -> Diagram:
    """Draw eight weights in 4 bits, with one scale for all and with one for each four."""
    weights = torch.tensor(WEIGHTS)
    rows = []
    for size in (8, 4):
        groups = weights.reshape(-1, size)
        scales = groups.abs().amax(dim=1, keepdim=True) / TOP
        numbers = (groups / scales).round() + 0  # no −0
        rows.append((scales.flatten(), numbers.flatten(), (numbers * scales).flatten()))
    tables = []
    for name, (scales, numbers, back) in zip(
        ("one scale for all: 1", "a scale for each four: 0.1 and 1"), rows, strict=True
    ):
        assert len(scales) in (1, 2)
        cells = [
            [f"{w:g}".replace("-", "−") for w in WEIGHTS],
            [f"{n:.0f}".replace("-", "−") for n in numbers.tolist()],
            [f"{w:.1f}".replace("-", "−") for w in back.tolist()],
        ]
        lost = [(2, j) for j in range(8) if back[j] == 0]
        tables.append(
            group(
                name,
                matrix(
                    cells,
                    "weight",
                    rows=["weight", "stored", "read back"],
                    columns=[str(j) for j in range(1, 9)],
                    lit=lost,
                ),
            )
        )
    return draw(
        column(*tables, gap=20),
        alt="Eight weights: 0.7, −0.3, 0.14, 0.06, 0.2, −0.4, 7 and 0.3. With one scale, 1, six of "
        "them are read back as 0. With a scale for each four, the first four are stored as 7, −3, "
        "1 and 1 and read back as 0.7, −0.3, 0.1 and 0.1; the other four, with the 7, are still "
        "read back as 0, 0, 7 and 0.",
        caption="Marked: weights that are read back as 0. With groups, the outlier 7 spoils only "
        "its own four weights.",
    )


def pages() -> Diagram:
    """Draw a cache reserved for the longest text, and one in pages of four tokens."""
    used = (6, 3, 9)
    reserved = torch.tensor([[j < n for j in range(12)] for n in used])
    paged = torch.tensor([[j < -(-n // 4) * 4 for j in range(12)] for n in used])
    names = [f"text {i}" for i in range(1, 4)]

    def table(room: torch.Tensor) -> Matrix:
        cells = [["●" if j < n else "" for j in range(12)] for n in used]
        return matrix(cells, "data", rows=names, off=~room)

    tables = [
        group("reserved for 12 tokens each: 36 slots", table(torch.ones_like(reserved))),
        group("in pages of four: 24 slots", table(paged)),
    ]
    return draw(
        column(*tables, gap=20),
        alt="Three texts of 6, 3 and 9 tokens. Above, each has twelve slots: 36 for 18 tokens. "
        "Below, each has as many pages of four slots as it needs, 2, 1 and 3: 24 slots for 18 "
        "tokens. The rest is hatched and free for other texts.",
        caption="Dots are tokens, hatched slots are free for other texts. With pages at most "
        "three slots of each text stay empty.",
    )
