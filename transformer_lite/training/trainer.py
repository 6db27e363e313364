"""The training loop: predict every next word, compute the loss, take a gradient step."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple, Protocol

import torch
from torch import Tensor, nn

from transformer_lite.checks import check_number, check_size
from transformer_lite.layers.loss import cross_entropy
from transformer_lite.models.transformer import Transformer
from transformer_lite.progress_bar import progress
from transformer_lite.text import Batch
from transformer_lite.training.evaluation import check_pads
from transformer_lite.training.generators import load_generators, state_of_generators
from transformer_lite.training.schedule import inverse_root


class Record(NamedTuple):
    """The record of one step."""

    step: int
    rate: float
    loss: float
    gradient_norm: float
    tokens: int


class BatchSource(Protocol):
    """The interface of a source of batches: the next batch, and the position in the data."""

    def __next__(self) -> Batch: ...
    def __iter__(self) -> Iterator[Batch]: ...
    def state_dict(self) -> dict[str, Any]: ...
    def load_state_dict(self, state: dict[str, Any]) -> None: ...


class LossNotFiniteError(ArithmeticError):
    """The loss or its gradient is NaN or infinite; the weights are those of the step before."""


class Trainer:
    """Train a translator by teacher forcing.

    The decoder reads the correct words up to t, never its own, and predicts word t + 1. All
    positions of all sentences are trained at once. The optimizer is Adam, as in the paper, with
    optional weight decay (AdamW).

    Args:
        model: a :class:`Transformer`; it is trained in place, on its device.
        batches: an endless iterator over batches, such as :class:`transformer_lite.text.Batches`.
        rate: returns the learning rate of a step, counted from 1. None takes
            :func:`inverse_root` with peak 0.001 and 400 steps of warm-up.
        label_smoothing: the probability ε that is spread over all words, 0 ≤ ε < 1.
        weight_decay: each step subtracts this times the rate times each weight.
        max_norm: the gradient is clipped to this norm.
        accumulate: the number of batches per step; the result is that of one large batch.
        autocast: whether to multiply in bfloat16; None does so on GPUs that support it.

    Attributes:
        step: the number of steps taken.
        history: one :class:`Record` for each step.
        evaluations: the results on held-out sentences, with their steps.

    Raises:
        TypeError, ValueError: `model` is not a Transformer, a number is out of range, or the
            batches have another padding id than the model.

    Reference: Vaswani et al. 2017, section 5; weight decay: Loshchilov and Hutter 2019.
    """

    def __init__(
        self,
        model: Transformer,
        batches: BatchSource,
        rate: Callable[[int], float] | None = None,
        *,
        label_smoothing: float = 0.1,
        weight_decay: float = 0.0,
        max_norm: float = 1.0,
        accumulate: int = 1,
        autocast: bool | None = None,
    ) -> None:
        if not isinstance(model, Transformer):
            raise TypeError(f"model must be a Transformer, got {type(model).__name__}")
        check_pads(model, getattr(batches, "pad_id", model.pad_id))
        check_number("label_smoothing", label_smoothing, high=1.0)
        check_number("weight_decay", weight_decay)
        check_number("max_norm", max_norm)
        check_size("accumulate", accumulate)
        self.model, self.batches = model, batches
        self.rate = rate or partial(inverse_root, peak=1e-3, warm_up=400)
        self.label_smoothing, self.max_norm = label_smoothing, max_norm
        self.accumulate = accumulate
        self.device = next(model.parameters()).device
        self.autocast = has_bfloat16(self.device) if autocast is None else autocast
        self.optimizer = torch.optim.AdamW(
            model.parameters(), betas=(0.9, 0.98), eps=1e-9, weight_decay=weight_decay, fused=True
        )
        self.step = 0
        self.history: list[Record] = []
        self.evaluations: list[dict[str, float]] = []

    def run(self, steps: int) -> list[Record]:
        """Take this many more steps, with a progress bar in a notebook.

        Returns:
            The records of these steps.

        Raises:
            TypeError, ValueError: `steps` is not an int, or negative.
            LossNotFiniteError: as in :meth:`train_step`.
        """
        check_size("steps", steps, minimum=0)
        return [self.train_step() for _ in progress(range(steps), "training")]

    def train_step(self) -> Record:
        """Take one step: gradients of all its batches, clipped, then Adam.

        Raises:
            LossNotFiniteError: the loss or its gradient is NaN or infinite. The message names
                the step; the weights are those of the step before.
        """
        step, rate = self.step + 1, self.rate(self.step + 1)
        self.model.train()
        self.optimizer.zero_grad()
        loss, tokens = self._gradients()
        norm = float(self._clip_gradients())
        if not (math.isfinite(loss) and math.isfinite(norm)):
            raise LossNotFiniteError(
                f"the loss must be finite, got {loss} with a gradient of length {norm} at step "
                f"{step}; try a smaller rate than {rate:g}, or a longer warm-up"
            )
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.step()
        self.step = step
        self.history.append(Record(step, rate, loss, norm, tokens))
        return self.history[-1]

    def _gradients(self) -> tuple[float, int]:
        """Compute the gradients of the next batches; return the mean loss and the number of tokens.

        The mean is over the tokens of all batches of the step. The mean of the batches' means
        would give a token of a short batch more weight.
        """
        batches = [next(self.batches) for _ in range(self.accumulate)]
        counts = [self._real_tokens(batch.labels) for batch in batches]
        loss, tokens = 0.0, sum(counts)
        for batch, count in zip(batches, counts, strict=True):
            share = self._mean_loss(batch) * (count / tokens)
            share.backward()
            loss += share.item()
        return loss, tokens

    def _mean_loss(self, batch: Batch) -> Tensor:
        """Return the mean loss of a batch, with its graph for the gradients."""
        source, labels = batch.src.to(self.device), batch.labels.to(self.device)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.autocast):
            logits = self._logits(source, batch.inputs.to(self.device))
            return cross_entropy(logits, labels, self.label_smoothing, self.model.pad_id)

    def _logits(self, src_ids: Tensor, tgt_ids: Tensor) -> Tensor:
        return self.model(src_ids, tgt_ids)

    def _clip_gradients(self) -> Tensor:
        """Clip the gradient to `max_norm`; return its norm before."""
        return nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)

    def _real_tokens(self, labels: Tensor) -> int:
        pad_id = self.model.pad_id
        return labels.numel() if pad_id is None else int((labels != pad_id).sum())

    def state_dict(self) -> dict[str, Any]:
        """Return everything that the next steps depend on, as numbers, tensors, lists and dicts.

        The rate is a function, so pass the same one to the trainer that continues.
        """
        optimizer = {
            name: dict(self.optimizer.state[parameter])
            for name, parameter in self.model.named_parameters()
            if parameter in self.optimizer.state
        }
        return {
            "step": self.step,
            "model": _tensors(self.model),
            "optimizer": optimizer,
            "batches": self.batches.state_dict(),
            "generators": state_of_generators(self.device),
            "history": [list(record) for record in self.history],
            "evaluations": [dict(measured) for measured in self.evaluations],
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue from a :meth:`state_dict`: the same steps follow, bit for bit.

        Raises:
            ValueError: the state belongs to another model; then nothing has changed.
        """
        tensors = _tensors(self.model)
        _check_same(tensors, state["model"])
        self.batches.load_state_dict(state["batches"])
        with torch.no_grad():
            for name, tensor in tensors.items():
                tensor.copy_(state["model"][name])
        self.optimizer.state.clear()
        for name, parameter in self.model.named_parameters():
            if name in state["optimizer"]:
                moments = state["optimizer"][name]
                self.optimizer.state[parameter] = {
                    key: value.to(parameter.device, copy=True) for key, value in moments.items()
                }
        load_generators(state["generators"], self.device)
        self.history = [Record(*values) for values in state["history"]]
        self.evaluations = [dict(measured) for measured in state["evaluations"]]
        self.step = state["step"]


def has_bfloat16(device: torch.device) -> bool:
    """Return whether a device multiplies faster in bfloat16.

    >>> has_bfloat16(torch.device("cpu"))
    False
    """
    return device.type == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False)


def _tensors(model: nn.Module) -> dict[str, Tensor]:
    """Return weights and buffers by name, each shared weight once."""
    named = [*model.named_parameters(), *model.named_buffers()]
    return {name: tensor.detach() for name, tensor in named}


def _check_same(expected: dict[str, Tensor], came: Mapping[str, Tensor]) -> None:
    """Require tensors of the same names and shapes."""
    for name in [*expected, *came]:
        shapes = [tuple(found[name].shape) if name in found else None for found in (expected, came)]
        if shapes[0] != shapes[1]:
            raise ValueError(
                f"the state must be that of the same model: {name} has shape {shapes[0]} here, "
                f"got {shapes[1]}"
            )
