"""The workers of a training run: the identity of this process, and communication."""

from __future__ import annotations

import builtins
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

import torch
import torch.distributed as dist
from torch.distributed import HashStore, PrefixStore
from torch.distributed.constants import default_pg_timeout
from torch.distributed.rendezvous import rendezvous

from transformer_lite.checks import check_size
from transformer_lite.training.distributed.guard import (
    LOOPBACK,
    RENDEZVOUS_SECONDS,
    exit_with_parent,
    wait_for_threads_at_exit,
)

Value = TypeVar("Value")


@dataclass(frozen=True)
class Workers:
    """One of the processes that train together.

    Attributes:
        rank: the number of this worker, from 0.
        world_size: the number of workers.
        device: the device of this worker.
        group: the process group; None takes that of all workers.

    Raises:
        TypeError, ValueError: `rank` or `world_size` is not an int, or out of range.

    >>> alone = Workers.current()
    >>> alone.rank, alone.world_size, alone.sum([2.0, 3.0])
    (0, 1, [2.0, 3.0])
    >>> alone.leave()
    """

    rank: int
    world_size: int
    device: torch.device
    group: dist.ProcessGroup | None = None

    def __post_init__(self) -> None:
        check_size("world_size", self.world_size)
        check_size("rank", self.rank, minimum=0)
        if self.rank >= self.world_size:
            raise ValueError(
                f"rank must be less than world_size, got {self.rank} of {self.world_size}"
            )

    @classmethod
    def current(cls) -> Workers:
        """Join the workers that torchrun has started with this one, once.

        They exchange what lies on the CPU by gloo and what lies on NVIDIA's GPUs by NCCL, which
        lets no two share a GPU: where there are fewer GPUs than workers, all compute on the CPU.
        A process that was not started by torchrun is a group of one.
        """
        device = _device()
        if not dist.is_initialized() and "RANK" in os.environ and "WORLD_SIZE" in os.environ:
            exit_with_parent()  # torchrun has started it
            wait_for_threads_at_exit()
            _join(device)
        elif not dist.is_initialized():
            dist.init_process_group(_engines(device), store=HashStore(), rank=0, world_size=1)
        return cls(dist.get_rank(), dist.get_world_size(), device, dist.group.WORLD)

    @property
    def first(self) -> bool:
        """Whether this is the worker that prints and writes files."""
        return self.rank == 0

    def global_rank(self, rank: int) -> int:
        """Return the number in the group of all of the worker with this number here, modulo N."""
        rank %= self.world_size
        return rank if self.group is None else dist.get_global_rank(self.group, rank)

    def sum(self, numbers: Sequence[float]) -> list[float]:
        """Return the sums of each number over all workers; all have to call it."""
        sums = torch.tensor(numbers, dtype=torch.float64, device=self.device)
        dist.all_reduce(sums, group=self.group)
        return sums.tolist()

    def gather(self, value: Value) -> list[Value]:
        """Return the values of all workers, in their order; all have to call it.

        Args:
            value: plain data. It travels as JSON: nothing that another process says is ever run.
        """
        sent = torch.frombuffer(bytearray(json.dumps(value).encode()), dtype=torch.uint8)
        lengths = [torch.zeros(1, dtype=torch.int64, device=self.device) for _ in self._ranks]
        dist.all_gather(lengths, lengths[0].new_tensor([len(sent)]), group=self.group)
        longest = max(int(length) for length in lengths)
        texts = [torch.zeros(longest, dtype=torch.uint8, device=self.device) for _ in self._ranks]
        padded = torch.cat([sent, sent.new_zeros(longest - len(sent))]).to(self.device)
        dist.all_gather(texts, padded, group=self.group)
        pairs = zip(texts, lengths, strict=True)
        return [json.loads(bytes(text[: int(n)].tolist())) for text, n in pairs]

    def run_on_first(self, action: Callable[[], Value]) -> Value:
        """Let the first worker do something alone; all get its result or its error."""
        done: Any = None
        own: Exception | None = None
        if self.first:
            try:
                done = {"value": action()}
            except Exception as error:
                own, done = error, {"error": type(error).__name__, "text": str(error)}
        told = self.gather(done)[0]
        if own is not None:
            raise own
        if "error" in told:
            kind = getattr(builtins, told["error"], RuntimeError)
            raise (kind if issubclass(kind, Exception) else RuntimeError)(told["text"])
        return told["value"]

    @property
    def _ranks(self) -> range:
        """The numbers of all workers."""
        return range(self.world_size)

    def wait(self) -> None:
        """Wait until all workers are here."""
        self.gather(None)

    def leave(self) -> None:
        """Leave the group of all workers, at the end of a program."""
        if dist.is_initialized():
            dist.destroy_process_group()


def require_same(workers: Workers, facts: Mapping[str, object]) -> None:
    """Refuse to start if the workers differ: all raise the same error.

    A worker with an older copy of the code, or with other data, would train on in silence and
    spoil the weights of all.

    Args:
        workers: all of them have to call it, with facts of the same names.
        facts: by name, what has to be the same everywhere; as short as a checksum.

    Raises:
        ValueError: a fact differs; the message names it and the workers.

    >>> require_same(Workers.current(), {"code": "3fa9"})
    """
    told = workers.gather(dict(facts))
    for name in facts:
        others = [rank for rank, came in enumerate(told) if came.get(name) != told[0][name]]
        if others:
            raise ValueError(
                f"all workers must have the same {name}, got {told[0][name]} on worker 0 and "
                f"{told[others[0]].get(name)} on worker {', '.join(map(str, others))}"
            )


def _join(device: torch.device) -> None:
    """Meet the other workers at the store of torchrun, where addresses of earlier starts remain.

    Under a prefix of its own, a start after a worker's death does not look for the dead one. The
    workers of one machine use the loopback, since the machine's own name may lead nowhere.
    """
    env, limit = os.environ, default_pg_timeout
    if env.get("LOCAL_WORLD_SIZE") == env["WORLD_SIZE"]:
        env["MASTER_ADDR"], limit = LOOPBACK, timedelta(seconds=RENDEZVOUS_SECONDS)
        env.setdefault("GLOO_SOCKET_IFNAME", "lo0" if sys.platform == "darwin" else "lo")
    try:
        store, rank, world_size = next(rendezvous("env://", timeout=limit))
        store = PrefixStore(f"start {env.get('TORCHELASTIC_RESTART_COUNT', '0')}", store)
        store.set(f"worker {rank}", "is here")
        store.wait([f"worker {other}" for other in range(world_size)], limit)
        store.set_timeout(default_pg_timeout)
        dist.init_process_group(_engines(device), store=store, rank=rank, world_size=world_size)
    except (dist.DistError, RuntimeError) as error:
        place = f"{env['MASTER_ADDR']}:{env.get('MASTER_PORT')}"
        raise ConnectionError(
            f"worker {env['RANK']} must meet all {env['WORLD_SIZE']} workers at {place}, got "
            f"{str(error).splitlines()[0]} Start all of them with torchrun, and see that nothing "
            "blocks the network interface"
        ) from error


def _engines(device: torch.device) -> str:
    return "cpu:gloo,cuda:nccl" if device.type == "cuda" else "gloo"


def _device() -> torch.device:
    """Return the device of this worker: a GPU of its own, or the CPU."""
    if torch.cuda.device_count() < int(os.environ.get("LOCAL_WORLD_SIZE", "1")):
        return torch.device("cpu")
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
    torch.cuda.set_device(device)
    return device
