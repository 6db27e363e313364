"""The trainer of many workers: the steps of a single worker, shared among all."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.distributed.tensor import DTensor

import transformer_lite.training.distributed.strategies as spread
from transformer_lite.checks import check_size
from transformer_lite.training.distributed.batches import WorkerBatches
from transformer_lite.training.distributed.workers import require_same
from transformer_lite.training.generators import state_of_generators
from transformer_lite.training.trainer import Trainer

PACKAGE = Path(__file__).parents[2]


class WorkerTrainer(Trainer):
    """Train a model on many workers, each of which makes the same calls.

    A step has the loss and the gradient of one worker that computes the whole batch. Engines take
    the mean of the workers' gradients, which would give a token of a worker with few of them more
    weight. So worker r, with nᵣ of the n tokens of all N, scales its mean loss by N · nᵣ / n.

    Dropout at step s on worker r uses the seed (seed, s, r): different on each worker, but the same
        after a restart.

    Args:
        strategy: from :func:`ddp` or :func:`fsdp`.
        batches: which cut each batch among the workers.
        rate, label_smoothing, weight_decay, accumulate, autocast: as in
            :class:`transformer_lite.training.Trainer`.
        seed: of what is dropped.

    Raises:
        TypeError, ValueError: as there, and for `seed`; the workers have other code or data.

    >>> from transformer_lite import TransformerConfig, build
    >>> from transformer_lite.text import Batches, WordTokenizer
    >>> from transformer_lite.training.distributed import Workers, ddp
    >>> workers, words = Workers.current(), WordTokenizer(["a", "b"])
    >>> model = build(TransformerConfig(7, 7, d_model=8, num_heads=2, d_ff=8)).to(workers.device)
    >>> batches = WorkerBatches(Batches([("a", "b")], words, 9), workers)
    >>> WorkerTrainer(ddp(model, workers), batches).train_step().tokens
    2
    """

    batches: WorkerBatches  # type: ignore[assignment] # it draws shares of batches

    def __init__(
        self,
        strategy: spread.Strategy,
        batches: WorkerBatches,
        rate: Callable[[int], float] | None = None,
        *,
        label_smoothing: float = 0.1,
        weight_decay: float = 0.0,
        accumulate: int = 1,
        autocast: bool | None = None,
        seed: int = 0,
    ) -> None:
        check_size("seed", seed, minimum=0)
        super().__init__(
            strategy.model, batches, rate,  # type: ignore[arg-type] # shares of batches
            label_smoothing=label_smoothing, weight_decay=weight_decay, accumulate=accumulate,
            autocast=autocast,
        )  # fmt: skip
        self.strategy, self.workers, self.seed = strategy, strategy.workers, seed
        require_same(self.workers, {"code": code_fingerprint(), "data": batches.state_dict()})
        self._first_exchange = True

    def _gradients(self) -> tuple[float, int]:
        """Add up the gradients of all workers' rows; return the mean loss of all, and tokens."""
        if self._first_exchange:
            self._settle()
        torch.manual_seed(worker_seed(self.seed, self.step + 1, self.workers.rank))
        shares = [next(self.batches) for _ in range(self.accumulate)]
        all_tokens, loss = sum(share.all_tokens for share in shares), 0.0
        for i, share in enumerate(shares):
            with self.strategy.exchanging(i == len(shares) - 1):  # the forward pass as well
                part = self._mean_loss(share.batch) * (share.tokens / all_tokens)
                (part * self.workers.world_size).backward()
            loss += part.item()
        return self.workers.sum([loss])[0], all_tokens

    def _settle(self) -> None:
        """Run a backward pass without a step, so that the engine can arrange its exchange.

        DDP packs gradients into buckets, and packs them anew after its first backward pass. The
        order of a sum would change with them: a resumed training would differ in the last bits.
        """
        self._first_exchange = False
        place = self.batches.state_dict()
        self._mean_loss(next(self.batches).batch).backward()
        self.batches.load_state_dict(place)
        self.optimizer.zero_grad()

    def _logits(self, src_ids: Tensor, tgt_ids: Tensor) -> Tensor:
        return self.strategy.forward(src_ids, tgt_ids)

    def _clip_gradients(self) -> Tensor:
        """Clip the gradient of all workers together: a shard alone has too small a norm."""
        norm = super()._clip_gradients()
        return norm.full_tensor() if isinstance(norm, DTensor) else norm

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue from a state, without its generators, because each step seeds them.

        Raises:
            ValueError: the state is that of another model; nothing has been changed then.
        """
        super().load_state_dict({**state, "generators": state_of_generators(self.device)})


def worker_seed(seed: int, step: int, rank: int) -> int:
    """Return the seed of what one worker drops at one step.

    Args:
        seed: of the training.
        step, rank: the numbers of the step and of the worker.

    >>> worker_seed(0, 1, 0) != worker_seed(0, 1, 1) != worker_seed(0, 2, 1)
    True
    """
    return random.Random(f"{seed} {step} {rank}").getrandbits(63)


def code_fingerprint() -> str:
    """Return a checksum of the package's Python and of PyTorch's version."""
    digest = hashlib.sha256(torch.__version__.encode())
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]
