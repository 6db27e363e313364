"""Training by many: one step, the ring, what each worker holds, an attention cut, a pipeline."""

from lessons.kit.diagrams import (
    Diagram,
    Matrix,
    Node,
    arrow,
    arrows,
    box,
    column,
    draw,
    group,
    matrix,
    row,
)


def one_step() -> Diagram:
    """Draw one step of data parallel training by two workers."""
    sides: list[list[Node]] = []
    for worker in ("worker 0", "worker 1"):
        sides.append(
            [
                box(worker, "data", note="its rows"),
                box("model", "plain", note="same weights"),
                box("gradient", "key", note="of its rows"),
            ]
        )
    share = box("all-reduce", "weight", note="the mean, on both")
    after: list[Node] = [box("Adam", "norm", note="same step") for _ in sides]
    lines = [row(*side, gap=30) for side in sides]
    links = [link for side in sides for link in arrows(*side, share)]
    links += [arrow(share, adam) for adam in after]
    return draw(
        row(column(*lines, gap=40), share, column(*after, gap=56), gap=40),
        *links,
        alt="Each of two workers gives its rows of the batch to its own copy of the model and "
        "gets a gradient. Both meet in an all-reduce, whose mean goes back to both, and each "
        "worker's Adam takes the same step.",
        caption="One step by two workers. Between them only gradients travel, never weights.",
    )


def ring() -> Diagram:
    """Draw the four moves in which three workers in a ring add up three pieces."""
    states = _ring_states(3)
    names = ["at first", "move 1", "move 2", "move 3", "move 4"]
    tables: list[Node] = []
    for move, name in enumerate(names):
        before, now = states[max(0, move - 1)], states[move]
        came = [(i, j) for i in range(3) for j in range(3) if before[i][j] != now[i][j]]
        tables.append(_ring_table(now, name, came))
    first, rest = row(*tables[:3], gap=22), row(*tables[3:], gap=22)
    return draw(
        column(first, rest, gap=26),
        alt="Five tables of three workers, in rows, and three pieces, in columns. At first "
        "worker 0 has only its own numbers a, worker 1 b, worker 2 c. In moves 1 and 2 each "
        "passes on one piece, which is added; then each has one piece abc. In moves 3 and 4 these "
        "go round.",
        caption="Ring all-reduce by three workers, with three pieces each. Framed: what has just "
        "arrived. Two moves add up, two hand round: 2(n − 1) = 4.",
    )


def _ring_states(workers: int) -> list[list[list[str]]]:
    """Whose numbers each piece of each worker holds, before the first move and after each."""
    held = [["abcdefgh"[i]] * workers for i in range(workers)]
    states = [[list(pieces) for pieces in held]]
    for move in range(2 * (workers - 1)):
        sent = [(i, (i - move) % workers) for i in range(workers)]
        moved = [((i + 1) % workers, piece, held[i][piece]) for i, piece in sent]
        adding = move < workers - 1
        for to, piece, letters in moved:
            held[to][piece] = "".join(sorted({*held[to][piece], *letters})) if adding else letters
        states.append([list(pieces) for pieces in held])
    return states


def _ring_table(held: list[list[str]], name: str, came: list[tuple[int, int]]) -> Matrix:
    workers = [f"worker {i}" for i in range(len(held))]
    return matrix(held, "key", name, workers, "012", lit=came)


def sharding() -> Diagram:
    """Bytes for each weight that a worker of four holds, by what is cut."""
    table = [
        ["4", "4", "8", "16"],
        ["4", "4", "2", "10"],
        ["4", "1", "2", "7"],
        ["1", "1", "2", "4"],
    ]
    cut = [[level > 3 - place for place in (1, 2, 3)] + [False] for level in range(4)]
    lit = [(i, j) for i, line in enumerate(cut) for j, piece in enumerate(line) if piece]
    return draw(
        matrix(
            table,
            "weight",
            "",
            ["nothing cut (DDP)", "optimizer cut", "and gradients", "and weights (FSDP2)"],
            ["weights", "gradients", "Adam’s two", "in all"],
            lit=lit,
        ),
        alt="Bytes for each weight on one of four workers. Nothing cut: 4, 4, 8, in all 16. The "
        "optimizer cut: 4, 4, 2, in all 10. The gradients too: 4, 1, 2, in all 7. The weights "
        "too: 1, 1, 2, in all 4.",
        caption="Bytes for each weight on each of four workers, float32 and Adam. Framed: cut in "
        "four.",
    )


def cut_attention() -> Diagram:
    """Draw one attention of four heads on two workers: cut by columns, then by rows."""
    x, y = box("X", "data"), box("Y", "output")
    lines: list[Node] = []
    links = []
    total = box("all-reduce", "weight", note="the sum")
    for worker, heads in enumerate(("heads 0, 1", "heads 2, 3")):
        qkv = box("W^Q, W^K, W^V", "query", note=f"columns of {heads}")
        attend = box("attention", "score", note=heads)
        out = box("W^O", "value", note=f"rows of {heads}")
        lines.append(group(f"worker {worker}", row(qkv, attend, out, gap=22), edge=12))
        links += arrows(x, qkv, attend, out, total)
    return draw(
        row(x, column(*lines, gap=20), total, y, gap=26),
        *links,
        arrow(total, y),
        alt="X goes to two workers. Each has the columns of the three projections that belong to "
        "two heads, computes these heads, and multiplies by their rows of the output matrix. An "
        "all-reduce adds the two products to Y.",
        caption="Cut the first matrices by columns and the last by rows, and one sum is all that "
        "two workers have to tell each other.",
    )


def pipeline() -> Diagram:
    """Four stages and four micro-batches, the forward half: who waits when."""
    stages, pieces = 4, 4
    times = stages + pieces - 1
    table = [
        [str(time - stage) if 0 <= time - stage < pieces else "" for time in range(times)]
        for stage in range(stages)
    ]
    waits = [[not entry for entry in line] for line in table]
    return draw(
        matrix(
            table,
            "feed_forward",
            "",
            [f"worker {stage}" for stage in range(stages)],
            [f"time {time}" for time in range(times)],
            off=waits,
        ),
        alt="Four workers over seven times. Worker 0 has micro-batches 0 to 3 at times 0 to 3, "
        "each next worker one time later. Of 28 cells 12 are hatched: there a worker waits.",
        caption="A pipeline of four workers, four micro-batches, the way forward. Hatched: "
        "waiting, 12 cells of 28.",
    )
