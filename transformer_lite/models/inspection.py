"""Look inside a model while it runs: attention weights, weighted values, residual stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import count
from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from transformer_lite.layers.multi_head import MultiHeadAttention
from transformer_lite.layers.residual import Residual


class AttentionRecord(NamedTuple):
    """The output of a forward pass, and the weights of every attention by its name."""

    output: object
    weights: dict[str, Float[Tensor, "B H T S"]]


def record_attention(model: nn.Module, *args: object, **kwargs: object) -> AttentionRecord:
    """Run ``model(*args, **kwargs)`` and collect the weights of all its attentions.

    The model runs as usual, with fused attention. After each attention the weights are computed
    again, step by step, from the same inputs.

    Args:
        model: any module with :class:`MultiHeadAttention` inside.
        args, kwargs: the arguments of the model, without a cache.

    Returns:
        :class:`AttentionRecord`. `weights` maps names such as "decoder.layers.0.cross_attention"
        to tensors of shape (B, H, T, S), detached, in the order in which they were computed. A
        shared module runs once under each of its names; "layers.0#2" is a second run of "layers.0".

    Raises:
        TypeError: `model` is not a module.
        ValueError: `model` holds no attention, or a cache is in use.

    >>> record_attention(MultiHeadAttention(8, 2), torch.zeros(1, 3, 8)).weights[""].shape
    torch.Size([1, 2, 3, 3])
    """
    return AttentionRecord(*_at_every_attention(model, _weights, args, kwargs))


class ValueRecord(NamedTuple):
    """The output of a forward pass, and the norms of the weighted values of every attention."""

    output: object
    norms: dict[str, Float[Tensor, "B H T S"]]


def value_weighted(model: nn.Module, *args: object, **kwargs: object) -> ValueRecord:
    """Run ``model(*args, **kwargs)`` and measure what each key adds to the output of attention.

    normₕₜₛ = ‖weightₕₜₛ · valueₕₛ W^Oₕ‖, where W^Oₕ are the columns of W^O that read head h

    A large weight on a short value adds little, which the weights alone do not show. The bias of
    W^O belongs to no key and is left out.

    Args, Raises: as in :func:`record_attention`.

    Returns:
        :class:`ValueRecord`. `norms` maps the names of the attentions, as there, to tensors of
        shape (B, H, T, S), detached. Unlike the vectors, the norms do not add up over the heads.

    Reference: Kobayashi et al. 2020, section 3.

    >>> value_weighted(MultiHeadAttention(8, 2), torch.zeros(1, 3, 8)).norms[""].shape
    torch.Size([1, 2, 3, 3])
    """
    return ValueRecord(*_at_every_attention(model, _norms, args, kwargs))


class ResidualStep(NamedTuple):
    """One residual connection: result = carried + added, normalized for post-norm."""

    carried: Float[Tensor, "B T D"]
    added: Float[Tensor, "B T D"]
    result: Float[Tensor, "B T D"]


class ResidualRecord(NamedTuple):
    """The output of a forward pass, and every residual connection by its sub-layer."""

    output: object
    steps: dict[str, ResidualStep]


def residual_stream(model: nn.Module, *args: object, **kwargs: object) -> ResidualRecord:
    """Run ``model(*args, **kwargs)`` and collect what every sub-layer adds to the tokens.

    With pre-norm, `result` is ``carried + added``, so the last result is the first `carried`
    plus all that was added; a :class:`SandwichNorm` adds what its second norm returns. With
    post-norm it is the norm of that sum. DeepNorm carries α · x.

    Args:
        model: any module with residual connections inside; if in training mode, without dropout.
        args, kwargs: the arguments of the model.

    Returns:
        :class:`ResidualRecord`. `steps` maps names such as "encoder.layers.0.feed_forward" to
        :class:`ResidualStep`, detached, in the order in which they were computed.

    Raises:
        TypeError: `model` is not a module.
        ValueError: `model` holds no residual connection, or one that drops.

    Reference: Elhage et al. 2021.

    >>> from transformer_lite.models.encoder import EncoderLayer
    >>> from transformer_lite.layers import FeedForward, PreNorm
    >>> parts = MultiHeadAttention(8, 2), FeedForward(8, 32), lambda: PreNorm(nn.LayerNorm(8))
    >>> list(residual_stream(EncoderLayer(*parts), torch.zeros(1, 3, 8)).steps)
    ['self_attention', 'feed_forward']
    """
    residuals = _residuals_of(model)
    names = _names_of_runs(residuals)
    running: dict[nn.Module, str] = {}
    added: dict[str, Tensor] = {}
    steps: dict[str, ResidualStep] = {}

    def before(part: nn.Module, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        x, sublayer = inputs
        running[part] = name = next(names[part])

        def listened(x: Tensor) -> Tensor:
            added[name] = sublayer(x)
            return added[name]

        return x, listened

    def after(part: nn.Module, inputs: tuple[Any, ...], result: Tensor) -> None:
        name, carried = running[part], getattr(part, "alpha", 1.0) * inputs[0]
        update = getattr(part, "norm_after", nn.Identity())(added.pop(name))
        parts = (carried, update, result)
        steps[name] = ResidualStep(*(part.detach() for part in parts))

    hooks = [partial(part.register_forward_pre_hook, before) for part in names]
    hooks += [partial(part.register_forward_hook, after) for part in names]
    with hooked(hooks):
        return ResidualRecord(model(*args, **kwargs), steps)


def attentions_of(model: nn.Module) -> dict[str, MultiHeadAttention]:
    """Return all attentions of a model by name.

    Raises:
        TypeError: `model` is not a module.
        ValueError: `model` holds no attention.
    """
    attentions = named_parts(model, MultiHeadAttention)
    if not attentions:
        raise ValueError(f"model must hold a MultiHeadAttention, got {type(model).__name__}")
    return attentions


@contextmanager
def hooked(register: Iterable[Callable[[], RemovableHandle]]) -> Iterator[None]:
    """Register hooks during a ``with`` block, even if it ends in an error."""
    with ExitStack() as stack:
        for one in register:
            stack.callback(one().remove)
        yield


def named_parts(model: nn.Module, *kinds: type[nn.Module]) -> dict[str, Any]:
    """Return the parts of these kinds by name. A shared part is there under each of its names.

    Raises:
        TypeError: `model` is not a module.
    """
    if not isinstance(model, nn.Module):
        raise TypeError(f"model must be a torch.nn.Module, got {type(model).__name__}")
    named = model.named_modules(remove_duplicate=False)
    return {name: part for name, part in named if isinstance(part, kinds)}


def _names_of_runs(parts: Mapping[str, nn.Module]) -> dict[nn.Module, Iterator[str]]:
    """Return the names of each part's runs, in order: a, b, then a#2, b#2, a#3 and so on."""
    names: dict[nn.Module, list[str]] = {}
    for name, part in parts.items():
        names.setdefault(part, []).append(name)

    def of_runs(own: list[str]) -> Iterator[str]:
        yield from own
        for run in count(2):
            yield from (f"{name}#{run}" for name in own)

    return {part: of_runs(own) for part, own in names.items()}


def _residuals_of(model: nn.Module) -> dict[str, Residual]:
    """Return the residual connections of a model by the names of their sub-layers."""
    parts = named_parts(model, Residual)
    found = {name.removesuffix("_residual"): part for name, part in parts.items()}
    if not found:
        raise ValueError(f"model must hold a residual connection, got {type(model).__name__}")
    for name, part in found.items():
        if part.training and part.dropout:
            raise ValueError(
                f"model must not drop what is added; call model.eval(), got dropout={part.dropout} "
                f"at {name} in training mode"
            )
    return found


def _weights(
    module: MultiHeadAttention, x: Tensor, memory: Tensor | None = None, mask: Tensor | None = None
) -> Tensor:
    return module.steps(x, memory, mask).weights


def _norms(
    module: MultiHeadAttention, x: Tensor, memory: Tensor | None = None, mask: Tensor | None = None
) -> Tensor:
    """Return the length of weight · value · W^O for every head, query and key."""
    value = module.query_key_value(x, memory)[2]
    heads = torch.eye(module.num_heads).to(value)
    # Each head alone, with the others 0: (B, H, S, H·K).
    alone = torch.einsum("bhsk,hg->bhsgk", value, heads).flatten(-2)
    sent = module.out_proj(alone) - module.out_proj(torch.zeros_like(alone[:1, :1, :1]))
    return module.steps(x, memory, mask).weights * sent.norm(dim=-1)[:, :, None, :]


def _at_every_attention(
    model: nn.Module,
    look: Callable[..., Tensor],
    args: tuple[object, ...],
    kwargs: dict[str, object],
) -> tuple[object, dict[str, Tensor]]:
    """Run a model; return its output and the result of `look` for each attention."""
    names = _names_of_runs(attentions_of(model))
    seen: dict[str, Tensor] = {}

    @torch.no_grad()
    def hook(
        module: MultiHeadAttention,
        inputs: tuple[Any, ...],
        named_inputs: dict[str, Any],
        output: Tensor,
    ) -> None:
        if named_inputs.pop("cache", None) is not None or (len(inputs) > 3 and inputs[3]):
            raise ValueError("model must be looked into without a cache, got one")
        seen[next(names[module])] = look(module, *inputs[:3], **named_inputs)

    with hooked(partial(part.register_forward_hook, hook, with_kwargs=True) for part in names):
        return model(*args, **kwargs), seen
