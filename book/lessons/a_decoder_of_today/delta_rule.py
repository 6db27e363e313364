"""The gated delta rule: linear attention whose state forgets, and corrects what it adds."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from transformer_lite.checks import check_same, check_tensor


def delta_step(
    state: Float[Tensor, "*B K V"],
    key: Float[Tensor, "*B K"],
    value: Float[Tensor, "*B V"],
    keep: Float[Tensor, "*B"] | float = 1.0,
    write: Float[Tensor, "*B"] | float = 1.0,
) -> Float[Tensor, "*B K V"]:
    """Return the state after one token: forget, read what the key finds, write the difference.

    Z' = α Z + β kᵀ (v − k (α Z))

    For a key of length 1 and β = 1, reading k from the new state returns exactly v.

    Args:
        state: Z, shape (..., K, V); what is read for a query q is q Z.
        key: k, shape (..., K).
        value: v, shape (..., V).
        keep: α, how much of the old state stays, from 0 to 1; shape (...) or a number.
        write: β, how much of the difference is written, from 0 to 1; shape (...) or a number.

    Returns:
        Tensor of the shape of `state`.

    Raises:
        TypeError: `state`, `key` or `value` is not a float tensor, or they differ in dtype or
            device.
        ValueError: the shapes of `key` and `value` do not fit the state.

    Reference: Yang et al. 2025, equation 10.

    >>> state = delta_step(torch.zeros(2, 1), torch.tensor([1.0, 0.0]), torch.tensor([2.0]))
    >>> delta_step(state, torch.tensor([1.0, 0.0]), torch.tensor([3.0])).tolist()
    [[3.0], [0.0]]
    """
    _check(state, key, value)
    kept = state * _column(keep)
    found = (key[..., None, :] @ kept)[..., 0, :]
    return kept + key[..., :, None] * (value - found)[..., None, :] * _column(write)


def gated_delta_rule(
    query: Float[Tensor, "*B T K"],
    key: Float[Tensor, "*B T K"],
    value: Float[Tensor, "*B T V"],
    keep: Float[Tensor, "*B T"],
    write: Float[Tensor, "*B T"],
    state: Float[Tensor, "*B K V"] | None = None,
) -> tuple[Float[Tensor, "*B T V"], Float[Tensor, "*B K V"]]:
    """Return what T queries read, token after token, and the state after the last of them.

    Args:
        query, key, value: shapes (..., T, K), (..., T, K) and (..., T, V).
        keep, write: α and β of every token, shape (..., T).
        state: the state before the first token; None means zeros.

    Returns:
        The outputs, shape (..., T, V), and the last state, shape (..., K, V).

    Raises:
        TypeError, ValueError: as in :func:`delta_step`.

    >>> x = torch.ones(1, 3, 2)
    >>> output, state = gated_delta_rule(x, x, x, torch.ones(1, 3), torch.zeros(1, 3))
    >>> output.abs().max().item(), state.shape
    (0.0, torch.Size([1, 2, 2]))
    """
    if state is None:
        state = value.new_zeros(*value.shape[:-2], key.shape[-1], value.shape[-1])
    outputs = []
    for t in range(value.shape[-2]):
        state = delta_step(state, key[..., t, :], value[..., t, :], keep[..., t], write[..., t])
        outputs.append((query[..., t, None, :] @ state)[..., 0, :])
    return torch.stack(outputs, dim=-2), state


def gated_delta_rule_at_once(
    query: Float[Tensor, "*B T K"],
    key: Float[Tensor, "*B T K"],
    value: Float[Tensor, "*B T V"],
    keep: Float[Tensor, "*B T"],
    write: Float[Tensor, "*B T"],
    state: Float[Tensor, "*B K V"] | None = None,
) -> tuple[Float[Tensor, "*B T V"], Float[Tensor, "*B K V"]]:
    """Return the same for all T tokens at once, as training computes it, chunk by chunk.

    What each token writes, w_t = β_t (v_t − what its key finds), depends on the writes before it.
    That is a triangular system: (I + L) W = β (V − decayed K Z), which is solved in one call.

    Args, Returns, Raises: as in :func:`gated_delta_rule`; `keep` must be above 0.

    Reference: Yang et al. 2025, section 3.3, for one chunk.

    >>> x = torch.ones(1, 3, 2)
    >>> gated_delta_rule_at_once(x, x, x, torch.ones(1, 3), torch.zeros(1, 3))[0].shape
    torch.Size([1, 3, 2])
    """
    if state is None:
        state = value.new_zeros(*value.shape[:-2], key.shape[-1], value.shape[-1])
    _check(state, key[..., 0, :], value[..., 0, :])
    log_kept = keep.log().cumsum(dim=-1)  # of the state before the first token, until token t
    decay = (log_kept[..., :, None] - log_kept[..., None, :]).tril().exp().tril()
    system = write[..., None] * (key @ key.mT) * decay
    found = log_kept.exp()[..., None] * (key @ state)
    writes = torch.linalg.solve_triangular(
        system, write[..., None] * (value - found), upper=False, unitriangular=True
    )
    old = log_kept.exp()[..., None] * (query @ state)
    output = old + ((query @ key.mT) * decay) @ writes
    last = decay[..., -1, :, None] * key
    return output, log_kept[..., -1].exp()[..., None, None] * state + last.mT @ writes


def _column(x: Tensor | float) -> Tensor | float:
    """Give a number of each row two more axes, so that it scales a whole state."""
    return x[..., None, None] if isinstance(x, Tensor) else x


def _check(state: Tensor, key: Tensor, value: Tensor) -> None:
    check_tensor("state", state, min_rank=2)
    check_tensor("key", key)
    check_tensor("value", value)
    check_same("state, key and value", state=state, key=key, value=value)
    wanted = (*state.shape[:-2], state.shape[-2]), (*state.shape[:-2], state.shape[-1])
    if (tuple(key.shape), tuple(value.shape)) != wanted:
        raise ValueError(
            f"for a state of shape {tuple(state.shape)}, key must have shape {wanted[0]} and value "
            f"{wanted[1]}, got {tuple(key.shape)} and {tuple(value.shape)}"
        )
