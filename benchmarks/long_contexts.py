"""Measure the memory and time of one attention against the length of the text, to 16,384 tokens.

One head of width 64 attends to a whole text (prefill), or one new token attends to all that came
before (a step of decoding). Each form that is given a whole text runs in a fresh process, so that
the peak of one does not hide that of another. The last column is the slope: the factor from 8,192
to 16,384 tokens. A factor of 2 means linear growth, a factor of 4 quadratic growth.
"""

import argparse
import ctypes
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

import transformer_lite as tl
from transformer_lite.layers.cache import KVCache, WindowCache
from transformer_lite.layers.masks import sliding_window_mask

DEVICE = tl.best_device()
ON_GPU = DEVICE.type == "cuda"
LENGTHS = (512, 1024, 2048, 4096, 8192, 16384)
WIDTH, WINDOW = 64, 256
Attend = Callable[[Tensor, Tensor, Tensor], object]


def whole_texts() -> dict[str, Attend]:
    """Return the forms in which every token attends to the tokens before it."""

    def causal(q: Tensor) -> Tensor:
        return tl.look_ahead_mask(q.shape[2], q.device)

    def window(q: Tensor) -> Tensor:
        return sliding_window_mask(q.shape[2], WINDOW, q.device)

    return {
        "step by step": lambda q, k, v: tl.attention_steps(q, k, v, causal(q)),
        "fused, with a mask": lambda q, k, v: tl.scaled_dot_product_attention(q, k, v, causal(q)),
        "fused, no mask": tl.scaled_dot_product_attention,
        f"fused, window of {WINDOW}": lambda q, k, v: tl.scaled_dot_product_attention(
            q, k, v, window(q)
        ),
        "PyTorch, is_causal=True": lambda q, k, v: F.scaled_dot_product_attention(
            q, k, v, is_causal=True
        ),
    }


def one_token(cache: KVCache, length: int) -> Callable[[], object]:
    """Return a function that adds one token to a cache of `length` tokens and attends."""
    past = [torch.randn(1, 1, length, WIDTH, device=DEVICE) for _ in range(2)]
    cache.append(*past)
    new = [torch.randn(1, 1, 1, WIDTH, device=DEVICE) for _ in range(3)]
    for _ in range(2):  # the second token makes a window drop the first ones
        cache.append(*new[1:])
    return lambda: tl.scaled_dot_product_attention(new[0], *cache.append(*new[1:]))


def caches() -> dict[str, Callable[[], KVCache]]:
    """Return the caches with which a new token is written."""
    return {
        "a new token, cache": KVCache,
        f"a new token, cache of the window of {WINDOW}": lambda: WindowCache(WINDOW),
    }


def measured(form: str, length: int) -> tuple[int, float]:
    """Return the bytes that a form needs beyond its inputs, and its milliseconds.

    For a new token, the bytes are those of the cache.
    """
    torch.manual_seed(0)
    if form in caches():
        cache = caches()[form]()
        step = one_token(cache, length)
        kept = sum(t.numel() * t.element_size() for t in cache.tensors())
        return kept, _time(step, 20)
    inputs = [torch.randn(1, 1, length, WIDTH, device=DEVICE) for _ in range(3)]
    attend = whole_texts()[form]
    return _peak(lambda: attend(*inputs)), _time(lambda: attend(*inputs), 1)


def _peak(run: Callable[[], object]) -> int:
    if ON_GPU:
        torch.cuda.synchronize()
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        run()
        torch.cuda.synchronize()
        return torch.cuda.max_memory_allocated() - before
    ctypes.CDLL(None).malloc_trim(0)  # what is free goes back to the system, or it would hide
    Path("/proc/self/clear_refs").write_text("5")  # Linux forgets the peak so far
    before = _kilobytes("VmRSS")
    run()
    return 1024 * (_kilobytes("VmHWM") - before)


def _kilobytes(key: str) -> int:
    status = Path("/proc/self/status").read_text()
    return int(re.search(key + r":\s+(\d+)", status)[1])


def _time(run: Callable[[], object], rounds: int) -> float:
    """Return the milliseconds of the fastest round: processor time, or the clock for a GPU."""
    clock = time.perf_counter if ON_GPU else time.process_time
    times = []
    for _ in range(rounds):
        start = clock()
        run()
        if ON_GPU:
            torch.cuda.synchronize()
        times.append(1000 * (clock() - start))
    return min(times)


def rows_of(form: str, lengths: tuple[int, ...]) -> list[tuple[int, float]]:
    """Measure one form at all lengths, in a process of its own."""
    command = [sys.executable, __file__, "--form", form, "--lengths", *map(str, lengths)]
    result = subprocess.run(command, capture_output=True, check=True, text=True)
    return [tuple(pair) for pair in json.loads(result.stdout)]


def table(lengths: tuple[int, ...] = LENGTHS) -> list[dict]:
    """Return one row for memory and one for time of each form."""
    from peers import rounded  # not needed where one form is measured, and slow to load

    rows = []
    for form in [*whole_texts(), *caches()]:
        pairs = (
            map(partial(measured, form), lengths) if form in caches() else rows_of(form, lengths)
        )
        memory, times = zip(*pairs, strict=True)
        for kind, values in (("MB", [m / 2**20 for m in memory]), ("ms", times)):
            row = {"form": form, "what": kind}
            row |= {f"{n}": rounded(value) for n, value in zip(lengths, values, strict=True)}
            slope = values[-1] / values[-2] if values[-2] else 0.0
            rows.append(row | {"times, from the last but one": round(slope, 1)})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--form", help="measure this form only, and print JSON")
    parser.add_argument("--lengths", type=int, nargs="*", default=LENGTHS)
    options = parser.parse_args()
    torch.set_num_threads(1)
    if options.form:
        with torch.inference_mode():
            print(json.dumps([measured(options.form, length) for length in options.lengths]))
        return
    if not ON_GPU and not Path("/proc/self/clear_refs").exists():
        print("Peak memory is read from Linux's own counters, which are not here.")
        return
    from peers import report

    title = f"Memory and time of one attention by length, one head of width {WIDTH}, float32"
    note = "MB beyond the inputs, or of the cache; ms of the fastest run, "
    note += "by the clock." if ON_GPU else "in processor time on one thread."
    report("long_contexts_gpu" if ON_GPU else "long_contexts", title, table(), note)


if __name__ == "__main__":
    main()
