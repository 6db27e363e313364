"""One training step, forward, backward and Adam, beside nn.Transformer and Hugging Face's Marian.

The same sizes, the same data, the same loss and optimizer, in one process and in turn. On a CPU in
float32; on a GPU under bfloat16 autocast.
"""

from collections.abc import Callable

import torch
from _peers import (
    D_FF,
    D_MODEL,
    DEVICE,
    LAYERS,
    ON_GPU,
    VOCABULARY,
    Marian,
    TorchTransformer,
    batch,
    loss,
    matrix_rate,
    milliseconds,
    ours,
    parameters,
    report,
    rounded,
)
from torch import nn
from torch.profiler import profile

BATCH, LENGTH, ROUNDS = (256, 64, 20) if ON_GPU else (32, 32, 15)
TOKENS = BATCH * LENGTH
# All matrices by shape, and how often a step multiplies tokens by them.
MATRICES = {
    (D_MODEL, D_MODEL): 4 * LAYERS + 8 * LAYERS,
    (D_MODEL, D_FF): 2 * LAYERS,
    (D_FF, D_MODEL): 2 * LAYERS,
    (D_MODEL, VOCABULARY): 1,
}
OPERATIONS = 6 * TOKENS * sum(times * n * m for (n, m), times in MATRICES.items())
GROUPS = {
    "matrix products": ("mm", "addmm", "bmm", "baddbmm"),
    "fused attention": ("attention",),
    "dropout": ("bernoulli", "random_", "dropout", "where"),
    "softmax and loss": ("softmax", "nll_loss"),
    "normalization": ("layer_norm",),
    "optimizer": ("adam",),
}


def step(model: nn.Module) -> Callable[[], None]:
    """Return a function that trains the model by one step."""
    model.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4, fused=True)
    source, target = batch(BATCH, LENGTH, seed=1), batch(BATCH, LENGTH + 1, seed=2)

    def run() -> None:
        optimizer.zero_grad()
        with torch.autocast(DEVICE.type, torch.bfloat16, enabled=ON_GPU):
            value = loss(model(source, target[:, :-1]), target[:, 1:])
        value.backward()
        optimizer.step()

    return run


def products() -> Callable[[], None]:
    """Return the matrix products of one step alone: x Wᵀ forward, and two for the gradients."""
    dtype = torch.bfloat16 if ON_GPU else torch.float32

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, device=DEVICE, dtype=dtype)

    factors = [
        (normal(TOKENS, n), normal(m, n), normal(TOKENS, m))
        for (n, m), times in MATRICES.items()
        for _ in range(times)
    ]

    def run() -> None:
        for x, weight, gradient in factors:
            x @ weight.T
            gradient @ weight
            gradient.T @ x

    return run


def shares(run: Callable[[], None]) -> dict[str, float]:
    """Return where the processor's time of a step goes, in percent."""
    with profile() as profiler:
        run()
    spent = dict.fromkeys([*GROUPS, "the rest"], 0.0)
    for event in profiler.key_averages():
        found = (g for g, words in GROUPS.items() if any(w in event.key.lower() for w in words))
        name = event.key.removeprefix("aten::")
        group = "matrix products" if name in GROUPS["matrix products"] else next(found, "the rest")
        spent[group] += event.self_cpu_time_total
    total = sum(spent.values())
    return {group: round(100 * time / total, 1) for group, time in spent.items()}


def main() -> None:
    rows = []
    for dropout in (0.1, 0.0):
        models = {
            "nn.Transformer": TorchTransformer(dropout),
            "ours, untied": ours(tied=False, dropout=dropout),
            "Marian": Marian(dropout),
            "ours, tied": ours(tied=True, dropout=dropout),
        }
        models = {name: model.to(DEVICE) for name, model in models.items()}
        counts = {name: parameters(model) for name, model in models.items()}
        runs = {name: step(model) for name, model in models.items()}
        times = milliseconds(runs | {"matrix products alone": products()}, ROUNDS)
        for name, took in times.items():
            peer = {"ours, untied": "nn.Transformer", "ours, tied": "Marian"}.get(name)
            rows.append({
                "dropout": dropout,
                "model": name,
                "parameters": counts.get(name, 0),
                "median ms": rounded(took),
                "ratio to peer": round(took / times[peer], 3) if peer else "",
                "over products": round(took / times["matrix products alone"], 2),
            })  # fmt: skip
        if dropout and not ON_GPU:
            where = {name: shares(runs[name]) for name in ("ours, tied", "Marian")}
    note = "Ratios compare ours, untied with nn.Transformer and ours, tied with Marian."
    if ON_GPU:
        rate = OPERATIONS / times["ours, tied"] * 1000
        share = rate / matrix_rate(torch.bfloat16)
        note += f" Ours, tied reaches {rate / 1e12:.1f} TFLOP/s, {share:.0%} of a large product's."
    else:
        note += f" Where the time goes, in percent of the processor's: {where}."
    title = f"One training step, batch {BATCH} x {LENGTH}"
    report("training_step_gpu" if ON_GPU else "training_step", title, rows, note)


if __name__ == "__main__":
    main()
