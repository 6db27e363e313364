"""Measure attention's peak memory, which grows with the length if fused, and else its square."""

import subprocess
import sys
from pathlib import Path

from peers import ON_GPU, report, rounded

LENGTHS = (512, 1024, 2048, 4096, 8192)
# Each form runs in a fresh process, so that the peak of one does not hide that of another.
SCRIPT = """
import re, sys, torch, transformer_lite as tl
form, length, on_gpu = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "True"
device = "cuda" if on_gpu else "cpu"
attend = {
    "fused": tl.scaled_dot_product_attention,
    "steps": lambda *qkv: tl.attention_steps(*qkv).output,
}[form]
small = torch.randn(1, 8, 8, 64, device=device)
with torch.inference_mode():
    attend(small, small, small)
    inputs = [torch.randn(1, 8, length, 64, device=device) for _ in range(3)]
    if on_gpu:
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        attend(*inputs)
        print(torch.cuda.max_memory_allocated() - before)
    else:
        status = lambda: open("/proc/self/status").read()
        kilobytes = lambda key: int(re.search(key + r":\\s+(\\d+)", status())[1])
        open("/proc/self/clear_refs", "w").write("5")  # Linux forgets the peak so far
        before = kilobytes("VmRSS")
        attend(*inputs)
        print(1024 * (kilobytes("VmHWM") - before))
"""


def peak(form: str, length: int) -> float:
    """Return the megabytes that one attention needs in addition to its inputs."""
    command = [sys.executable, "-c", SCRIPT, form, str(length), str(ON_GPU)]
    result = subprocess.run(command, capture_output=True, check=True, text=True)
    return rounded(int(result.stdout) / 2**20)


def main() -> None:
    if not ON_GPU and not Path("/proc/self/clear_refs").exists():
        print("Peak memory is read from Linux's own counters, which are not here.")
        return
    rows = [
        {"T = S": n, "fused MB": peak("fused", n), "step by step MB": peak("steps", n)}
        for n in LENGTHS
    ]
    last, middle = rows[-1], rows[-2]
    growth = {form: last[form] / max(middle[form], 0.1) for form in ("fused MB", "step by step MB")}
    note = "From 4096 to 8192: fused × {:.1f}, step by step × {:.1f}.".format(*growth.values())
    title = "Peak memory of one attention beyond its inputs, 8 heads of width 64, float32"
    report("attention_memory_gpu" if ON_GPU else "attention_memory", title, rows, note)


if __name__ == "__main__":
    main()
