"""Time decoding with a cache: greedy against Hugging Face's Marian, and beam against greedy."""

from collections.abc import Callable

import torch
from peers import BOS, DEVICE, ON_GPU, Marian, batch, milliseconds, ours, report, rounded

import transformer_lite as tl

SOURCE, LENGTH, ROUNDS = 32, 64, 9


def never_written(*written: torch.Tensor) -> int:
    """Return a token that occurs in none of these, so that it never ends a sentence early."""
    used = {int(token) for tokens in written for token in tokens.unique()}
    return next(token for token in range(3, 8000) if token not in used)


def speed(model: tl.Transformer, peer: Marian, size: int) -> list[dict]:
    """Compare greedy search with the peer's, and beam search with greedy."""
    source = batch(size, SOURCE)

    def greedy(end: int = 2) -> torch.Tensor:
        return tl.greedy(model, source, bos_id=BOS, eos_id=end, max_len=LENGTH + 1)

    def beam(end: int = 2) -> tl.decoding.BeamSearch:
        return tl.beam_search(model, source, bos_id=BOS, eos_id=end, max_len=LENGTH + 1)

    search = beam()
    end = never_written(greedy(), *(step.tokens for step in search.tree))
    end = end if (beam(end).tokens == 0).sum() == 0 else never_written(beam(end).tokens)
    runs: dict[str, Callable[[], torch.Tensor | tl.decoding.BeamSearch]] = {
        "Marian, greedy": lambda: peer.greedy(source, LENGTH),
        "ours, greedy": lambda: greedy(end),
        "ours, beam 4": lambda: beam(end),
    }
    for name, run in runs.items():
        result = run()
        tokens = result.best if isinstance(result, tl.decoding.BeamSearch) else result
        if tokens.shape != (size, LENGTH + 1):
            raise RuntimeError(f"{name} wrote {tuple(tokens.shape)}: it ended early")
    times = milliseconds(runs, ROUNDS)
    return [
        {
            "batch": size,
            "search": name,
            "median ms": rounded(took),
            "tokens per second": round(size * LENGTH / took * 1000),
            "speed over Marian": round(times["Marian, greedy"] / took, 2),
            "time over greedy": round(took / times["ours, greedy"], 2),
        }
        for name, took in times.items()
    ]


def by_length(model: tl.Transformer, size: int, lengths: tuple[int, ...]) -> list[dict]:
    """Time the tokens up to each length; with a cache, late tokens cost as much as early ones."""
    source = batch(size, SOURCE)
    tokens = torch.cat([torch.full((size, 1), BOS, device=DEVICE), batch(size, max(lengths))], 1)

    def write(length: int) -> None:
        with torch.inference_mode():
            next_token = tl.decoding.NextToken(model, source, BOS)
            for end in range(1, length + 1):
                next_token(tokens[:, :end])

    times = milliseconds({str(n): (lambda n=n: write(n)) for n in lengths}, rounds=5, warm_up=1)
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
    model, peer = ours(tied=True).eval(), Marian().to(DEVICE).eval()
    suffix = "_gpu" if ON_GPU else ""
    rows = speed(model, peer, 1) + speed(model, peer, 32)
    note = f"{LENGTH} tokens for a source of {SOURCE}, the same sizes, tied; nothing ends early."
    report(f"decoding{suffix}", "Decoding with a cache", rows, note)
    rows = by_length(model, 1, (64, 128, 256, 512)) + by_length(model, 32, (64, 128, 256, 512))
    note = "What remains of a slope is attention itself, which looks at all tokens so far."
    report(f"decoding_by_length{suffix}", "The cost of a token by its place", rows, note)


if __name__ == "__main__":
    main()
