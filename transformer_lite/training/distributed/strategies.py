"""How a model is spread over workers: a whole copy for each (DDP), or a part of each weight (FSDP).

The engines are PyTorch's own. This file chooses their settings and gives them one interface.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import torch
from torch import Tensor, nn
from torch.distributed.device_mesh import DeviceMesh
from torch.distributed.fsdp import FSDPModule, fully_shard
from torch.distributed.tensor import DTensor
from torch.nn.parallel import DistributedDataParallel
from torch.utils.checkpoint import checkpoint

from transformer_lite.models.build import build
from transformer_lite.models.saving import checksum_of
from transformer_lite.models.transformer import Transformer
from transformer_lite.training.distributed.workers import Workers, require_same


class Strategy:
    """A model that is spread over workers.

    Attributes:
        model: the model itself. Create the optimizer from its parameters only now: an older
            optimizer would update weights that are no longer used.
        workers: the workers of the group.
    """

    def __init__(self, model: Transformer, workers: Workers) -> None:
        self.model, self.workers = model, workers

    def forward(self, src_ids: Tensor, tgt_ids: Tensor) -> Tensor:
        """Return the logits as the model would; the backward pass then exchanges gradients."""
        return self.model(src_ids, tgt_ids)

    @contextmanager
    def exchanging(self, exchange: bool) -> Iterator[None]:
        """Return whether the backward pass meanwhile exchanges gradients, or only adds them up.

        Of several batches that make one step, only the last exchanges. The forward pass has to
        be in this context too, because the engine decides there.
        """
        raise NotImplementedError(f"{type(self).__name__} must say how it exchanges gradients")
        yield

    def full_weights(self) -> dict[str, Tensor]:
        """Return copies of all weights, whole and on the CPU; all workers have to call it."""
        return {
            name: (weight.full_tensor() if isinstance(weight, DTensor) else weight)
            .detach().to("cpu", copy=True)
            for name, weight in self.model.named_parameters()
        }  # fmt: skip

    def whole_model(self) -> Transformer:
        """Return a whole copy on this worker's device, to measure or to save.

        All workers have to call it. A model that does not fit on one worker is measured by
        :meth:`forward` and saved in parts.

        Raises:
            ValueError: the model was not built from a config.
        """
        if self.model.config is None:
            raise ValueError("model must be built from a config, got one assembled of parts")
        copy, weights = build(self.model.config), self.full_weights()
        for name, parameter in copy.named_parameters():
            parameter.data = weights[name].to(self.workers.device)
        return copy.to(self.workers.device)


class Replicas(Strategy):
    """Data parallelism: each worker has the whole model, and they exchange their gradients."""

    def __init__(self, model: Transformer, workers: Workers) -> None:
        super().__init__(model, workers)
        self.replica = DistributedDataParallel(
            model, process_group=workers.group, gradient_as_bucket_view=True
        )

    def forward(self, src_ids: Tensor, tgt_ids: Tensor) -> Tensor:
        """Return the logits; a call of the model itself would exchange no gradients."""
        return self.replica(src_ids, tgt_ids)

    @contextmanager
    def exchanging(self, exchange: bool) -> Iterator[None]:
        """Return whether gradients are exchanged, as :meth:`Strategy.exchanging` does."""
        if exchange:
            yield
        else:
            with self.replica.no_sync():
                yield


class Shards(Strategy):
    """Fully sharded: each worker keeps a part of each weight, its gradient and its moments.

    The weights of a layer are gathered before it runs and released after it.
    """

    def __init__(self, model: Transformer, workers: Workers) -> None:
        mesh = DeviceMesh.from_group(workers.group, workers.device.type)  # type: ignore[arg-type]
        for layer in layers_of(model):
            fully_shard(layer, mesh=mesh)
        fully_shard(model, mesh=mesh)  # what is left: embeddings, last norms, output
        super().__init__(model, workers)

    @contextmanager
    def exchanging(self, exchange: bool) -> Iterator[None]:
        """Return whether gradients are exchanged, as :meth:`Strategy.exchanging` does."""
        assert isinstance(self.model, FSDPModule)
        self.model.set_requires_gradient_sync(exchange)
        self.model.set_is_last_backward(exchange)
        yield


def ddp(model: Transformer, workers: Workers) -> Strategy:
    """Give each worker a whole copy of the model.

    Args:
        model: the same on all workers, on their device.
        workers: all of them have to call it.

    Raises:
        ValueError: the workers have other weights.

    Reference: Li et al. 2020, PyTorch Distributed.
    """
    return _spread(Replicas, model, workers)


def fsdp(model: Transformer, workers: Workers) -> Strategy:
    """Give each worker its part of each weight: PyTorch's FSDP2, ``fully_shard``.

    Args, Raises: as in :func:`ddp`.

    Reference: Zhao et al. 2023; Rajbhandari et al. 2020, stage 3.
    """
    return _spread(Shards, model, workers)


#: From the words of ``--strategy`` to what they do.
STRATEGIES: dict[str, Callable[[Transformer, Workers], Strategy]] = {"ddp": ddp, "fsdp": fsdp}


def checkpoint_layers(model: Transformer) -> Transformer:
    """Keep only the inputs of the layers for the backward pass, and compute the rest again.

    It costs about a third more computation and saves most of the activations. The same random
    numbers are drawn again, so dropout drops the same numbers.

    Args:
        model: changed in place, before it is spread over workers.

    Reference: Chen et al. 2016.
    """
    for layer in layers_of(model):
        layer.forward = partial(checkpoint, layer.forward, use_reentrant=False)
    return model


def compile_layers(model: Transformer, backend: str = "inductor") -> Transformer:
    """Compile each layer with ``torch.compile``; layers of one kind share the compiled code.

    Args:
        model: changed in place, before it is spread over workers.
        backend: of ``torch.compile``. "inductor" needs a compiler of C++, and minutes at the
            start; "aot_eager" needs neither, and is no faster than without.
    """
    for layer in layers_of(model):
        layer.compile(backend=backend, dynamic=True)  # batches have many lengths
    return model


def layers_of(model: Transformer) -> list[nn.Module]:
    """Return the layers of the encoder and of the decoder, each to be spread as one."""
    stacks = [model.encoder.layers, model.decoder.layers]
    return [layer for stack in stacks if isinstance(stack, nn.ModuleList) for layer in stack]


def _spread(kind: type[Strategy], model: Transformer, workers: Workers) -> Strategy:
    weights = {name: p.detach().cpu().contiguous() for name, p in model.named_parameters()}
    require_same(workers, {"weights": checksum_of("", weights)[:16]})
    return kind(model, workers)


def attention_back_ends(device: torch.device) -> list[str]:
    """Return the back ends of fused attention that PyTorch may choose from on a device.

    PyTorch chooses by itself what fits the shapes, types and masks of a call.
    ``torch.nn.attention.sdpa_kernel`` narrows its choice.

    >>> attention_back_ends(torch.device("cpu"))
    ['flash', 'math']
    """
    if device.type != "cuda":
        return ["flash", "math"]
    enabled = {
        "flash": torch.backends.cuda.flash_sdp_enabled(),
        "efficient": torch.backends.cuda.mem_efficient_sdp_enabled(),
        "cudnn": torch.backends.cuda.cudnn_sdp_enabled(),
        "math": torch.backends.cuda.math_sdp_enabled(),
    }
    return [name for name, is_enabled in enabled.items() if is_enabled]
