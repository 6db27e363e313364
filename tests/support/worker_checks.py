"""What four workers find out together: worker_checks.py FOLDER writes FOLDER/report.json.

One launch for many checks, since to start four processes takes longer than most of them. Workers 0
and 1, and 2 and 3, are also groups of two. Every check returns facts; the tests judge them.
"""

import json
import os
import socket
import struct
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

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
    checkpoint_layers,
    ddp,
    fsdp,
    load_sharded,
    parallel_attention,
    require_same,
    ring_all_reduce,
    save_sharded,
    shared_loss,
    shared_translations,
)
from transformer_lite.training.distributed import trainer as trainer_module

STRATEGIES = {"ddp": ddp, "fsdp": fsdp}
STEPS = 20
ESTABLISHED = 1  # tcpi_state of Linux


def rate(step):
    return 3e-3


def make(name, workers, dtype=torch.float32, dropout=0.0, model_seed=6, **settings):
    """A trainer of the tiny model by these workers."""
    model = tiny_model(model_seed, dtype=dtype, dropout=dropout)
    strategy = STRATEGIES[name](model, workers)
    return WorkerTrainer(strategy, WorkerBatches(batches(), workers), rate, **settings)


def alone(dtype, **settings):
    """The trainer of one process, as it was before there were many."""
    trainer = Trainer(tiny_model(dtype=dtype, dropout=0.0), batches(), rate, **settings)
    trainer.run(STEPS)
    return trainer


def whole(trainer):
    return trainer.strategy.full_weights()


def difference(one, other):
    return max(float((one[name].double() - other[name].double()).abs().max()) for name in one)


def same(one, other):
    return all(torch.equal(one[name], other[name]) for name in one)


def check_steps(four, two, folder):
    """The steps of one process, of two and of four; two batches a step in double precision."""
    facts = {}
    for dtype, accumulate in ((torch.float64, 2), (torch.float32, 1)):
        expected = alone(dtype, accumulate=accumulate)
        # The groups of two work at the same time, each with a strategy of its own.
        for workers, name in (
            (four, "ddp"),
            (four, "fsdp"),
            (two, list(STRATEGIES)[four.rank // 2]),
        ):
            came = make(name, workers, dtype, accumulate=accumulate)
            came.run(STEPS)
            facts[f"{name} {workers.world_size} {str(dtype)[6:]}"] = compared(came, expected)
    return {key: value for told in four.gather(facts) for key, value in told.items()}


def compared(came, expected):
    """How far two trainings are from each other.

    The bias of the keys shifts all scores of a query alike, so its gradient is zero but for
    rounding; Adam makes steps of that. No output depends on it: it is compared by itself.
    """
    ours, theirs = whole(came), {n: p.detach() for n, p in expected.model.named_parameters()}
    biases = [name for name in ours if name.endswith("k_proj.bias")]
    batch, others = next(batches()), ours.keys() - biases
    model = came.strategy.whole_model().to(ours[biases[0]].dtype)
    logits = [m.eval()(batch.src, batch.inputs).detach() for m in (model, expected.model)]
    relative = {
        part: max(abs(getattr(a, part) - getattr(b, part)) / abs(getattr(b, part))
                  for a, b in zip(came.history, expected.history, strict=True))
        for part in ("gradient_norm", "loss")
    }  # fmt: skip
    return {
        "weights": difference({name: ours[name] for name in others}, theirs),
        "key biases": difference({name: ours[name] for name in biases}, theirs),
        "logits": float((logits[0] - logits[1]).abs().max()), **relative,
        "cut": sum(record.gradient_norm > 1.0 for record in came.history) / STEPS,
        "tokens": [a.tokens for a in came.history] == [b.tokens for b in expected.history],
    }  # fmt: skip


def check_shares(four, two, folder):
    """How many rows each worker had in the batches of the steps above."""
    mine = WorkerBatches(batches(), four)
    tokens = [next(mine).tokens for _ in range(STEPS)]
    return {"tokens": four.gather(tokens)}


def check_mean_of_means(four, two, folder):
    """The mean of the workers' means, which is wrong where they have unequal rows."""
    right = make("ddp", four, torch.float64)
    wrong = make("ddp", four, torch.float64)
    share = type(next(right.batches))

    class Alike(WorkerBatches):
        def __next__(self):
            batch = super().__next__().batch
            return share(batch, 1, self.workers.world_size)

    wrong.batches = Alike(wrong.batches.batches, four)
    right.batches.load_state_dict(wrong.batches.state_dict())
    for trainer in (right, wrong):
        trainer.run(5)
    return {"difference": difference(whole(right), whole(wrong))}


def check_checkpoints(four, two, folder):
    """Save with four; go on with four, bit for bit, and with two, up to rounding."""
    facts = {}
    for name in STRATEGIES:
        first = make(name, four, dropout=0.1)
        first.run(4)
        save_sharded(first, folder / name)
        first.run(4)
        again = make(name, four, dropout=0.1, model_seed=7)
        again.run(1)  # it has gradients and moments of its own when it loads
        load_sharded(again, folder / name)
        again.run(4)
        facts[f"{name} same number"] = same(whole(again), whole(first))
        facts[f"{name} same history"] = again.history == first.history
    first = make("fsdp", four, torch.float64)
    first.run(4)
    save_sharded(first, folder / "plain")
    first.run(4)
    last = whole(first)
    name = list(STRATEGIES)[four.rank // 2]
    fewer = make(name, two, torch.float64, model_seed=7)
    load_sharded(fewer, folder / "plain")
    moments = [list(state) for state in fewer.optimizer.state.values()]
    fewer.run(4)
    told = {f"{name} with two": difference(whole(fewer), last)}
    told[f"{name} moments"] = [len(moments), sorted({len(state) for state in moments})]
    facts |= {key: value for part in four.gather(told) for key, value in part.items()}
    facts["weights"] = len(last)
    facts["files"] = sorted(path.name for path in (folder / "plain/checkpoint-00000004").iterdir())
    return facts


def check_dropout(four, two, folder):
    """Where the random numbers stand when a step begins, on each worker."""

    def places():
        seen, trainer = [], make("ddp", four, dropout=0.1)
        forward = trainer.strategy.forward
        trainer.strategy.forward = lambda *ids: seen.append(
            hash(bytes(torch.get_rng_state().tolist()))
        ) or forward(*ids)  # fmt: skip
        trainer.run(2)
        return four.gather(seen[-2:])

    torch.manual_seed(99)
    return {"first": places(), "second": places()}


def check_exchange(four, two, folder):
    """How often gradients are exchanged, and how many bytes of them."""
    facts = {"parameters": sum(p.numel() for p in tiny_model().parameters())}

    def counted(trainer):
        seen = []

        def hook(state, bucket):
            seen.append(bucket.buffer().nbytes)
            work = dist.all_reduce(bucket.buffer().div_(4), group=four.group, async_op=True)
            return work.get_future().then(lambda done: done.value()[0])

        trainer.strategy.replica.register_comm_hook(None, hook)
        return seen

    for accumulate in (1, 3):
        trainer = make("ddp", four, accumulate=accumulate)
        trainer._first_exchange = False
        seen = counted(trainer)
        trainer.run(1)
        facts[f"bytes with {accumulate}"] = sum(seen)
    trainer = make("ddp", four)
    seen = counted(trainer)
    loss = trainer._mean_loss(next(trainer.batches).batch)
    with trainer.strategy.exchanging(False):
        loss.backward()  # only the backward pass: too late
    facts["bytes when only the backward pass is held back"] = sum(seen)
    seen.clear()
    share = next(trainer.batches)
    trainer.strategy.model(share.batch.src, share.batch.inputs).sum().backward()
    facts["bytes of the bare model"] = sum(seen)
    return facts


def check_order_of_optimizer(four, two, folder):
    """An optimizer made before the model is sharded, and one made behind."""
    model = tiny_model(dropout=0.0)
    early = torch.optim.Adam(model.parameters(), lr=0.1)
    strategy = fsdp(model, four)
    before = strategy.full_weights()
    batch = next(batches())
    strategy.forward(batch.src, batch.inputs).sum().backward()
    early.step()
    trainer = WorkerTrainer(strategy, WorkerBatches(batches(), four), rate)
    facts = {"early moves": difference(strategy.full_weights(), before)}
    trainer.run(1)
    facts["late moves"] = difference(strategy.full_weights(), before)
    held = [p for group in trainer.optimizer.param_groups for p in group["params"]]
    facts["late holds shards"] = all(isinstance(p, DTensor) for p in held)
    own = sum(float(p.grad.to_local().square().sum()) for p in held) ** 0.5
    facts["norms of the shards"] = four.gather(own)
    return facts


def check_other_code_or_data(four, two, folder):
    """One worker has other code, data or weights: what do all of them say?"""

    def told(action):
        try:
            action()
        except ValueError as error:
            return four.gather(str(error))
        return four.gather("nothing")

    facts = {"facts": told(lambda: require_same(four, {"size": 3 + (four.rank == 2)}))}
    facts["weights"] = told(lambda: make("fsdp", four, model_seed=6 + (four.rank == 1)))
    strategy, other = ddp(tiny_model(), four), Batches(PAIRS[four.rank // 3 : 45], TOKENIZER, 28, 6)
    facts["data"] = told(lambda: WorkerTrainer(strategy, WorkerBatches(other, four)))
    right = trainer_module.code_fingerprint
    trainer_module.code_fingerprint = lambda: "old" if four.rank == 3 else right()
    facts["code"] = told(lambda: make("ddp", four))
    trainer_module.code_fingerprint = right
    return facts


def check_evaluation(four, two, folder):
    """Seven held-out pairs on four workers: nobody's row counts twice."""
    model, pairs = tiny_model().eval(), [Pair(*pair) for pair in PAIRS[10:17]]
    sources = [pair.source for pair in pairs]
    few = pairs[:2]  # two workers have none
    return {
        "loss": [
            shared_loss(model, TOKENIZER, pairs, four),
            held_out_loss(model, TOKENIZER, pairs),
        ],
        "few": [shared_loss(model, TOKENIZER, few, four), held_out_loss(model, TOKENIZER, few)],
        "written": shared_translations(model, TOKENIZER, sources, four),
        "alone": translate(model, TOKENIZER, sources),
    }


def check_bad_numbers(four, two, folder):
    """A loss that is no number on one worker stops all; so does a weight that is none."""
    trainer = make("fsdp", four)
    trainer.run(1)
    facts = {}
    with torch.no_grad():
        weight = next(trainer.model.parameters()).to_local()
        weight[:1] = torch.nan if four.rank == 1 else weight[:1]
    for name, action in (
        ("save", lambda: save_sharded(trainer, folder / "bad")),
        ("step", trainer.train_step),
    ):
        try:
            action()
            facts[name] = four.gather("nothing")
        except (ValueError, ArithmeticError) as error:
            facts[name] = four.gather(str(error))
    facts["written"] = (folder / "bad").exists()
    return facts


def check_all_parts(four, two, folder):
    """Activation checkpointing and bfloat16 together with shards."""

    def trained(model, **settings):
        batch_source = WorkerBatches(batches(), four)
        trainer = WorkerTrainer(fsdp(model, four), batch_source, rate, **settings)
        trainer.run(3)
        return trainer

    plain = trained(tiny_model(dropout=0.1))
    again = trained(checkpoint_layers(tiny_model(dropout=0.1)))
    short = trained(checkpoint_layers(tiny_model(dropout=0.1)), autocast=True)
    losses = [[record.loss for record in trainer.history] for trainer in (plain, short)]
    return {"checkpointing": difference(whole(again), whole(plain)), "losses": losses}


def check_ring(four, two, folder):
    """The ring written out beside PyTorch's own, and what the kernel says that gloo has sent."""
    facts: dict[str, Any] = {"sent": {}}
    largest = 0.0
    for workers in (four, two):
        for size in (1, 6, 1000):
            numbers = torch.arange(size, dtype=torch.float64) * (workers.rank + 1) + 0.25
            total, sent = ring_all_reduce(numbers, workers)
            expected = numbers.clone()
            dist.all_reduce(expected, group=workers.group)
            far = float((total - expected).abs().max())
            largest = max(largest, far)
            facts["sent"][f"{size} {workers.world_size}"] = sent
    facts["largest difference"] = largest
    gradient = torch.ones(500_000)
    dist.all_reduce(gradient)  # connections are made
    four.wait()
    before = bytes_sent()
    for _ in range(5):
        dist.all_reduce(gradient)
    four.wait()
    facts["gloo sent"] = sum(four.gather(bytes_sent() - before)) / 4 / 5 if before else None
    return facts


def bytes_sent():
    """How many bytes this process has sent by TCP, as Linux counts them; 0 where it cannot tell."""
    total = 0
    for number in os.listdir("/proc/self/fd") if os.path.exists("/proc/self/fd") else ():
        try:
            with socket.socket(fileno=os.dup(int(number))) as found:
                if found.type == socket.SOCK_STREAM and found.family in (
                    socket.AF_INET,
                    socket.AF_INET6,
                ):
                    while True:
                        told = found.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
                        if told[0] != ESTABLISHED or not struct.unpack_from("I", told, 24)[0]:
                            break  # nothing is on its way: tcpi_unacked
                        time.sleep(0.01)
                    total += struct.unpack_from("Q", told, 120)[0]  # tcpi_bytes_acked
        except (OSError, struct.error, AttributeError):
            continue
    return total


def check_memory(four, two, folder):
    """What a worker really holds, of weights, gradients and moments, in bytes."""
    facts = {"parameters": sum(p.numel() for p in tiny_model(d_model=64, d_ff=128).parameters())}
    for name in STRATEGIES:
        model = tiny_model(d_model=64, d_ff=128, dropout=0.0)
        trainer = WorkerTrainer(STRATEGIES[name](model, four), WorkerBatches(batches(), four), rate)
        trainer.run(1)
        weights = list(trainer.model.parameters())
        moments = [
            t for state in trainer.optimizer.state.values() for t in state.values() if t.ndim
        ]
        held = [
            sum(map(bytes_here, kind)) for kind in (weights, [p.grad for p in weights], moments)
        ]
        facts[name] = four.gather(held)
    return facts


def bytes_here(tensor):
    """The bytes of a tensor's part that this worker has."""
    return (tensor.to_local() if isinstance(tensor, DTensor) else tensor).nbytes


def check_tensor_parallel(four, two, folder):
    """One attention on two and on four workers: outputs, and gradients of tokens and weights."""
    facts = {}
    for workers in (two, four):
        torch.manual_seed(6)
        attention = MultiHeadAttention(16, 4, positions=Rotary()).double()
        tokens = torch.randn(2, 5, 16, dtype=torch.float64)
        mask = look_ahead_mask(5)
        own = parallel_attention(attention, workers)
        inputs = [tokens.clone().requires_grad_() for _ in range(2)]
        outputs = [part(x, mask=mask) for part, x in zip((attention, own), inputs, strict=True)]
        for output in outputs:
            output.square().sum().backward()
        each = 16 // workers.world_size
        mine = slice(workers.rank * each, (workers.rank + 1) * each)
        pairs = {
            "output": outputs, "tokens": [x.grad for x in inputs],
            "queries": [attention.q_proj.weight.grad[mine], own.q_proj.weight.grad],
            "out": [attention.out_proj.weight.grad[:, mine], own.out_proj.weight.grad],
            "bias": [attention.out_proj.bias.grad, own.out_proj.bias.grad],
        }  # fmt: skip
        told = {name: float((a - b).detach().abs().max()) for name, (a, b) in pairs.items()}
        told["weights"] = sum(p.numel() for p in own.parameters())
        facts[str(workers.world_size)] = four.gather(told)
    facts["whole"] = sum(p.numel() for p in attention.parameters())
    return facts


def check_one_saves_alone(four, two, folder):
    """Only the first worker saves: it waits for the others, here for two seconds."""
    group = dist.new_group(timeout=timedelta(seconds=2), backend="gloo")
    workers = Workers(four.rank, 4, four.device, group)
    trainer, start = make("fsdp", workers), time.monotonic()
    told = "not called"
    if four.first:
        try:
            save_sharded(trainer, folder / "alone")
            told = "done"
        except RuntimeError as error:
            told = type(error).__name__
    return {"told": told, "seconds": time.monotonic() - start, "whole": (folder / "alone").exists()}


def main():
    start, folder = time.monotonic(), Path(sys.argv[1])
    four = Workers.current()
    groups = [dist.new_group([0, 1]), dist.new_group([2, 3])]
    two = Workers(four.rank % 2, 2, four.device, groups[four.rank // 2])
    report = {"group": {"size": four.world_size, "seconds": time.monotonic() - start}}
    checks = {name[6:]: f for name, f in globals().items() if name.startswith("check_")}
    chosen = sys.argv[2:] or list(checks)
    for name in chosen:
        began, computed = time.monotonic(), time.process_time()
        facts = checks[name](four, two, folder / name)
        report[name] = {
            **facts, "seconds": time.monotonic() - began,
            "computing": sum(four.gather(time.process_time() - computed)),
        }  # fmt: skip
        four.wait()
    if four.first:
        (folder / "report.json").write_text(json.dumps(report, indent=1))
    exchange(four)  # and end at once, without a word


if __name__ == "__main__":
    main()
