"""Draw post-norm and pre-norm, the paths through three layers, and the residual stream."""

from lessons.kit.diagrams import (
    Arrow,
    Diagram,
    Group,
    Node,
    arrow,
    arrows,
    box,
    circle,
    column,
    draw,
    grid,
    group,
    row,
    text,
)


def _block(title: str, norm_first: bool) -> tuple[Group, list[Arrow]]:
    """Draw a sub-layer with its skip connection, bottom to top, as the paper draws it."""
    x, y = box("x", "data"), box("y", "output")
    layer, norm, plus = box("sub-layer F", "feed_forward"), box("norm", "norm"), circle("+")
    chain = [x, norm, layer, plus, y] if norm_first else [x, layer, plus, norm, y]
    skip = arrow(x, plus, bend="elbow", start_side="right", end_side="right")
    frame = group(title, column(*reversed(chain), gap=22), edge=52)
    return frame, [*arrows(*chain), skip]


def two_blocks() -> Diagram:
    """Post-norm and pre-norm side by side."""
    post, post_links = _block("post-norm", norm_first=False)
    pre, pre_links = _block("pre-norm", norm_first=True)
    return draw(
        row(post, pre, gap=48),
        *post_links,
        *pre_links,
        alt="Two blocks from bottom to top. Post-norm: x goes through the sub-layer F, the skip "
        "from x is added, and the norm comes after the sum. Pre-norm: x goes through the norm and "
        "then F, and the skip connection from x is added last, without a norm.",
        caption="Follow the skip connection from x to y: post-norm has a norm on this path, "
        "pre-norm does not.",
    )


def paths() -> Diagram:
    """Draw the paths through three residual layers, sorted by how many layers they pass."""

    def line(count: str, layers: list[str], slopes: str) -> list[Node | None]:
        ways = [
            row(*(box(f"F_{i}", "feed_forward" if i in way else "off") for i in "123"), gap=8)
            for way in layers
        ]
        return [text(count, bold=True), row(*ways, gap=26), text(slopes, small=True)]

    lines = [
        line("none", [""], "1"),
        line("one", ["1", "2", "3"], "F_1′ + F_2′ + F_3′"),
        line("two", ["12", "13", "23"], "F_1′F_2′ + F_1′F_3′ + F_2′F_3′"),
        line("three", ["123"], "F_1′F_2′F_3′"),
    ]
    heads: list[Node | None] = [text("through", bold=True), None, text("slopes", bold=True)]
    return draw(
        grid([heads, *lines], gap=(24, 16)),
        alt="The eight paths through three layers, with the slopes F1, F2 and F3 of the layers. "
        "Through none: one path of slope 1. Through one layer: three paths, F1 + F2 + F3. Through "
        "two: three paths, F1 F2 + F1 F3 + F2 F3. Through all three: one path, F1 F2 F3. Layers "
        "that a path skips are hatched.",
        caption="Three layers with skip connections have eight paths. Hatched: the path skips this "
        "layer.",
    )


def stream() -> Diagram:
    """Draw the residual stream of one token as a road along which sub-layers read and write."""
    start, end = box("embedding", "data"), box("last\nnorm", "norm")
    sums = [circle("+") for _ in range(4)]
    reads = [circle("x", "data") for _ in range(4)]
    kinds = [("attention", "score"), ("feed-\nforward", "feed_forward")] * 2
    layers = [box(name, kind) for name, kind in kinds]
    above: list[Node | None] = [None]
    road: list[Node] = [start]
    links = []
    for layer, read, plus in zip(layers, reads, sums, strict=True):
        above += [layer, None]
        road += [read, plus]
        links += [
            arrow(read, layer),
            arrow(layer, plus, bend="elbow", start_side="right", end_side="top"),
        ]
    road.append(end)
    return draw(
        grid([[*above, None], road], gap=(10, 34)),
        *arrows(*road),
        *links,
        alt="A straight road from the embedding through four plus signs to the last norm. Above it "
        "are attention, feed-forward, attention, feed-forward. Each reads the state x from the "
        "road and adds its output at the next plus sign.",
        caption="The residual stream of one token: every sub-layer reads it and adds to it.",
    )
