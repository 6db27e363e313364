"""Checks that two workers run together: worker_checks.py FOLDER writes FOLDER/report.json.

One launch for many checks, since starting processes takes longer than most of them. Every check
returns facts; the tests judge them.
"""

import json
import sys
from pathlib import Path

import torch
import torch.distributed as dist
from tiny_training import PAIRS, TOKENIZER, tiny_model
from tiny_training import small_batches as batches
from torch.distributed.tensor import DTensor
from worker_ends import exchange

from transformer_lite import MultiHeadAttention, look_ahead_mask
from transformer_lite.layers.positions import Rotary
from transformer_lite.text import Batches, Pair
from transformer_lite.training import Trainer, held_out_loss, translate
from transformer_lite.training.distributed import (
    WorkerBatches,
    Workers,
    WorkerTrainer,
    ddp,
    distributed_loss,
    distributed_translations,
    fsdp,
    load_sharded,
    parallel_attention,
    require_same,
    ring_all_reduce,
    save_sharded,
)
from transformer_lite.training.distributed import trainer as trainer_module

STRATEGIES = {"ddp": ddp, "fsdp": fsdp}
STEPS = 20


def rate(step):
    return 3e-3


def make(name, workers, dtype=torch.float32, dropout=0.0, model_seed=6, **settings):
    """Return a trainer of the tiny model by these workers."""
    model = tiny_model(model_seed, dtype=dtype, dropout=dropout)
    strategy = STRATEGIES[name](model, workers)
    return WorkerTrainer(strategy, WorkerBatches(batches(), workers), rate, **settings)


def whole(trainer):
    return trainer.strategy.full_weights()


def difference(one, other):
    return max(float((one[name].double() - other[name].double()).abs().max()) for name in one)


def check_steps(two, one, folder):
    """Train with two batches a step, by one process and by two workers."""
    alone = Trainer(tiny_model(dtype=torch.float64, dropout=0.0), batches(), rate, accumulate=2)
    alone.run(STEPS)
    theirs = {name: p.detach() for name, p in alone.model.named_parameters()}
    facts = {}
    for name in STRATEGIES:
        came = make(name, two, torch.float64, accumulate=2)
        came.run(STEPS)
        pairs = [*zip(came.history, alone.history, strict=True)]
        facts[name] = {
            "weights": difference(whole(came), theirs),
            "loss": max(abs(a.loss - b.loss) for a, b in pairs),
            "norm": max(abs(a.gradient_norm - b.gradient_norm) for a, b in pairs),
            "clipped": sum(record.gradient_norm > 1.0 for record in came.history) / STEPS,
            "tokens": [a.tokens for a, b in pairs] == [b.tokens for a, b in pairs],
        }
    return facts


def check_checkpoints(two, one, folder):
    """Save with two; go on with two, bit for bit, and with one, up to rounding."""
    facts = {}
    for name in STRATEGIES:
        first = make(name, two, torch.float64, dropout=0.1)
        first.run(4)
        save_sharded(first, folder / name)
        first.run(4)
        again = make(name, two, torch.float64, dropout=0.1, model_seed=7)
        again.run(1)  # it has gradients and moments of its own when it loads
        load_sharded(again, folder / name)
        again.run(4)
        facts[f"{name} same number"] = difference(whole(again), whole(first))
        facts[f"{name} same history"] = again.history == first.history
    first = make("fsdp", two, torch.float64)
    first.run(4)
    save_sharded(first, folder / "plain")
    first.run(4)
    fewer = make("ddp", one, torch.float64, model_seed=7)
    load_sharded(fewer, folder / "plain")
    fewer.run(4)
    facts["with one"] = difference(whole(fewer), whole(first))
    facts["files"] = sorted(path.name for path in (folder / "plain/checkpoint-00000004").iterdir())
    return facts


def check_dropout(two, one, folder):
    """Report the state of the random numbers at the start of each step, on each worker."""
    seen, trainer = [], make("ddp", two, dropout=0.1)
    forward = trainer.strategy.forward
    trainer.strategy.forward = lambda *ids: seen.append(
        hash(bytes(torch.get_rng_state().tolist()))
    ) or forward(*ids)  # fmt: skip
    trainer.run(2)
    return {"states": two.gather(seen[-2:])}


def check_exchange(two, one, folder):
    """Count the bytes of gradients that one step exchanges."""
    facts = {"parameters": sum(p.numel() for p in tiny_model().parameters())}
    for accumulate in (1, 3):
        trainer = make("ddp", two, accumulate=accumulate)
        trainer._first_exchange = False
        seen = []

        def hook(state, bucket, seen=seen):
            seen.append(bucket.buffer().nbytes)
            work = dist.all_reduce(bucket.buffer().div_(2), group=two.group, async_op=True)
            return work.get_future().then(lambda done: done.value()[0])

        trainer.strategy.replica.register_comm_hook(None, hook)
        trainer.run(1)
        facts[f"bytes with {accumulate}"] = sum(seen)
    return facts


def check_other_code_or_data(two, one, folder):
    """Collect the errors of both when one of them has other code, data or weights."""

    def error_of(action):
        try:
            action()
        except ValueError as error:
            return two.gather(str(error))
        return two.gather("nothing")

    facts = {"facts": error_of(lambda: require_same(two, {"size": 3 + two.rank}))}
    facts["weights"] = error_of(lambda: make("fsdp", two, model_seed=6 + two.rank))
    strategy, other = ddp(tiny_model(), two), Batches(PAIRS[two.rank : 45], TOKENIZER, 28, 6)
    facts["data"] = error_of(lambda: WorkerTrainer(strategy, WorkerBatches(other, two)))
    right = trainer_module.code_fingerprint
    trainer_module.code_fingerprint = lambda: "old" if two.rank == 1 else right()
    facts["code"] = error_of(lambda: make("ddp", two))
    trainer_module.code_fingerprint = right
    return facts


def check_evaluation(two, one, folder):
    """Measure an odd number of held-out pairs: no row counts twice."""
    model, pairs = tiny_model().eval(), [Pair(*pair) for pair in PAIRS[10:17]]
    sources = [pair.source for pair in pairs]
    few = pairs[:1]  # one worker has none
    return {
        "loss": [
            distributed_loss(model, TOKENIZER, pairs, two),
            held_out_loss(model, TOKENIZER, pairs),
        ],
        "few": [distributed_loss(model, TOKENIZER, few, two), held_out_loss(model, TOKENIZER, few)],
        "written": distributed_translations(model, TOKENIZER, sources, two),
        "alone": translate(model, TOKENIZER, sources),
    }


def check_bad_numbers(two, one, folder):
    """Make a weight NaN on one worker: both refuse to save it and to train on."""
    trainer = make("fsdp", two)
    trainer.run(1)
    facts = {}
    with torch.no_grad():
        weight = next(trainer.model.parameters()).to_local()
        weight[:1] = torch.nan if two.rank == 1 else weight[:1]
    for name, action in (
        ("save", lambda: save_sharded(trainer, folder / "bad")),
        ("step", trainer.train_step),
    ):
        try:
            action()
            facts[name] = two.gather("nothing")
        except (ValueError, ArithmeticError) as error:
            facts[name] = two.gather(str(error))
    facts["written"] = (folder / "bad").exists()
    return facts


def check_ring(two, one, folder):
    """Compare the ring that is written out with PyTorch's own."""
    facts: dict = {"sent": {}, "largest difference": 0.0}
    for size in (1, 6, 1001):
        numbers = torch.arange(size, dtype=torch.float64) * (two.rank + 1) + 0.25
        total, facts["sent"][size] = ring_all_reduce(numbers, two)
        dist.all_reduce(numbers, group=two.group)
        far = float((total - numbers).abs().max())
        facts["largest difference"] = max(facts["largest difference"], far)
    return facts


def check_memory(two, one, folder):
    """Count the bytes of weights, gradients and moments that a worker holds."""
    facts = {"parameters": sum(p.numel() for p in tiny_model(d_model=64, d_ff=128).parameters())}
    for name in STRATEGIES:
        model = tiny_model(d_model=64, d_ff=128, dropout=0.0)
        trainer = WorkerTrainer(STRATEGIES[name](model, two), WorkerBatches(batches(), two), rate)
        trainer.run(1)
        weights = list(trainer.model.parameters())
        moments = [
            t for state in trainer.optimizer.state.values() for t in state.values() if t.ndim
        ]
        held = [
            sum(map(bytes_here, kind)) for kind in (weights, [p.grad for p in weights], moments)
        ]
        facts[name] = two.gather(held)
    return facts


def bytes_here(tensor):
    """Return the bytes of a tensor's part that this worker has."""
    return (tensor.to_local() if isinstance(tensor, DTensor) else tensor).nbytes


def check_tensor_parallel(two, one, folder):
    """Split one attention: outputs, and gradients of tokens and weights."""
    torch.manual_seed(6)
    attention = MultiHeadAttention(16, 4, positions=Rotary()).double()
    tokens = torch.randn(2, 5, 16, dtype=torch.float64)
    own = parallel_attention(attention, two)
    inputs = [tokens.clone().requires_grad_() for _ in range(2)]
    mask = look_ahead_mask(5)
    outputs = [part(x, mask=mask) for part, x in zip((attention, own), inputs, strict=True)]
    for output in outputs:
        output.square().sum().backward()
    mine = slice(two.rank * 8, (two.rank + 1) * 8)
    pairs = [
        outputs,
        [x.grad for x in inputs],
        [attention.q_proj.weight.grad[mine], own.q_proj.weight.grad],
        [attention.out_proj.weight.grad[:, mine], own.out_proj.weight.grad],
        [attention.out_proj.bias.grad, own.out_proj.bias.grad],
    ]
    largest = max(float((a - b).detach().abs().max()) for a, b in pairs)
    weights = [sum(p.numel() for p in part.parameters()) for part in (own, attention)]
    return {"largest difference": two.gather(largest), "weights": weights}


def main():
    folder = Path(sys.argv[1])
    two = Workers.current()
    groups = [dist.new_group([rank]) for rank in range(2)]
    one = Workers(0, 1, two.device, groups[two.rank])
    report = {}
    for name, check in [*globals().items()]:
        if name.startswith("check_"):
            report[name.removeprefix("check_")] = check(two, one, folder / name)
            two.wait()
    if two.first:
        (folder / "report.json").write_text(json.dumps(report, indent=1))
    exchange(two)  # and end at once, without a word


if __name__ == "__main__":
    main()
