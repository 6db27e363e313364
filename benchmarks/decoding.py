"""Time decoding with a cache next to Hugging Face's generate, for three machines.

Greedy search and beam search with four beams take turns with the peer's, round by round, in one
process and on one thread. The ratio is the median of the rounds' ratios, in processor time. Then
the cost of a token is measured against the number of tokens before it.
"""

import itertools
import statistics

import torch
from peers import BOS, DEVICE, ON_GPU, alternate, batch, milliseconds, ours, report, rounded
from peers.machines import PROMPT, Machine, machines

import transformer_lite as tl

LENGTH = 64
#: The number of rounds for each batch size.
ROUNDS = {1: 9, 8: 7, 32: 5}


def compare(machine: Machine, size: int, beams: int, rounds: int) -> dict:
    """Compare one search with the peer's."""
    runs = machine.runs(size, LENGTH, beams)
    theirs, written = (run() for run in runs.values())
    if written.shape[-1] - LENGTH != theirs.shape[-1] - LENGTH:
        raise RuntimeError(f"{machine.name}: {tuple(written.shape)} next to {tuple(theirs.shape)}")
    times = alternate(runs, rounds)
    middle, low, high = times["ours"].times_faster(times["Hugging Face"])
    same = beams == 1 and machine.bos_id is None and torch.equal(theirs, written)
    return {
        "machine": machine.name,
        "search": "greedy" if beams == 1 else f"beam {beams}",
        "batch": size,
        "Hugging Face, ms": rounded(statistics.median(times["Hugging Face"].counted)),
        "ours, ms": rounded(statistics.median(times["ours"].counted)),
        "times faster": middle,
        "quartiles": f"{low} to {high}",
        "by the clock": round(
            statistics.median(times["Hugging Face"].wall) / statistics.median(times["ours"].wall), 2
        ),
        "same tokens": "yes" if same else "",
    }


def by_length(model: tl.Transformer, size: int, lengths: tuple[int, ...]) -> list[dict]:
    """Time the tokens up to each length; with a cache, late tokens cost as much as early ones."""
    source = batch(size, PROMPT)
    tokens = torch.cat([torch.full((size, 1), BOS, device=DEVICE), batch(size, max(lengths))], 1)

    def write(length: int) -> None:
        with torch.inference_mode():
            next_token = tl.decoding.NextToken(model, source, BOS)
            for end in range(1, length + 1):
                next_token(tokens[:, :end])

    times = milliseconds({str(n): (lambda n=n: write(n)) for n in lengths}, rounds=3, warm_up=1)
    rows, before, spent = [], 0, 0.0
    for length in lengths:
        took = times[str(length)]
        rows.append({
            "batch": size,
            "tokens": f"{before + 1} to {length}",
            "ms per token": rounded((took - spent) / (length - before)),
        })  # fmt: skip
        before, spent = length, took
    return rows


def main() -> None:
    torch.manual_seed(6)
    torch.set_num_threads(1)
    suffix = "_gpu" if ON_GPU else ""
    rows = [
        compare(machine, size, beams, ROUNDS[size])
        for machine, beams, size in itertools.product(machines(), (1, 4), ROUNDS)
    ]
    clock = "by the clock" if ON_GPU else "in processor time, one thread"
    note = (
        f"{LENGTH} tokens after {PROMPT}; nothing ends early. Milliseconds {clock}; the ratio is "
    )
    note += "the median of the rounds' ratios, with its quartiles."
    report(f"decoding{suffix}", "Decoding with a cache", rows, note)
    model = ours(tied=True).eval()
    rows = by_length(model, 1, (64, 128, 256, 512)) + by_length(model, 32, (64, 128, 256, 512))
    note = "What remains of a slope is attention itself, which reads all tokens so far."
    report(f"decoding_by_length{suffix}", "The cost of a token by its position", rows, note)


if __name__ == "__main__":
    main()
