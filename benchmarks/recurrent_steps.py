"""Time recurrence against self-attention: forward and backward over one sentence.

The layers have the same width and about the same number of weights, and read one sentence at a
time, at growing lengths. PyTorch's GRU, whose loop is compiled, is timed next to ours.
"""

import time
from collections.abc import Callable

import torch
from peers import DEVICE, ON_GPU, report, rounded
from torch import Tensor, nn

import transformer_lite as tl
from transformer_lite.models.recurrent import GatedRecurrentCell, RecurrentLayer

LENGTHS = (16, 64, 256, 1024)
WIDTH, HEADS, ROUNDS = 64, 4, 7
LAYERS: dict[str, Callable[[], nn.Module]] = {
    "our GRU": lambda: RecurrentLayer(GatedRecurrentCell(WIDTH, WIDTH)),
    "torch's GRU": lambda: nn.GRU(WIDTH, WIDTH, batch_first=True),
    "self-attention": lambda: tl.MultiHeadAttention(WIDTH, HEADS),
}


def step(layer: nn.Module, length: int) -> Callable[[], None]:
    """Return a function that reads one sentence and sends a gradient back."""
    layer.to(DEVICE)
    x = torch.randn(1, length, WIDTH, device=DEVICE)

    def run() -> None:
        layer.zero_grad()
        out = layer(x)
        read: Tensor = out if isinstance(out, Tensor) else out[0]
        read.sum().backward()

    return run


def fastest(run: Callable[[], None]) -> float:
    """Return the milliseconds of the fastest of several runs, which was disturbed least."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        run()
        if ON_GPU:
            torch.cuda.synchronize()
        times.append(1000 * (time.perf_counter() - start))
    return min(times)


def main() -> None:
    rows = []
    for length in LENGTHS:
        took = {name: fastest(step(make(), length)) for name, make in LAYERS.items()}
        rows.append({"words": length} | {f"{n}, ms": rounded(ms) for n, ms in took.items()})
    first, last = rows[0], rows[-1]
    grown = {name: last[name] / first[name] for name in first if name != "words"}
    text = ", ".join(f"{name.removesuffix(', ms')} × {ratio:.0f}" for name, ratio in grown.items())
    note = f"From {LENGTHS[0]} words to {LENGTHS[-1]}: {text}."
    title = f"Forward and backward over one sentence, width {WIDTH}, float32"
    report("recurrent_steps_gpu" if ON_GPU else "recurrent_steps", title, rows, note)


if __name__ == "__main__":
    main()
