"""From logits to text: greedy search and sampling, one token at a time.

All functions here take a model and a batch of ids. For a :class:`Transformer` the ids are the
source, and the target begins with `bos_id`. For a :class:`DecoderOnlyTransformer` they are the
prompts, which may differ in length: `pad_id` fills up the shorter ones at their end. Where a model
has no pad, prompts have one length, and rows that end early repeat their end.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from jaxtyping import Float, Integer
from torch import Tensor

from transformer_lite.checks import check_number, check_size, check_tensor
from transformer_lite.decoding.next_token import NextToken
from transformer_lite.models.transformer import DecoderOnlyTransformer, Transformer


def greedy(
    model: Transformer | DecoderOnlyTransformer,
    ids: Integer[Tensor, "B S"],
    *,
    eos_id: int,
    bos_id: int | None = None,
    max_len: int = 64,
    use_cache: bool = True,
) -> Integer[Tensor, "B T"]:
    """Take the most probable token, every time.

    Args:
        model: in evaluation mode.
        ids: the source, or the prompts of a decoder-only model, shape (B, S).
        eos_id: the token that ends a row; pads fill up the rows that end early, or this token where
            the model has no pad.
        bos_id: the token that starts a target; None for a decoder-only model.
        max_len: the longest target, with its start or prompt.
        use_cache: whether to remember keys and values; the result is the same.

    Returns:
        The targets with their start or prompt, shape (B, T) with T at most `max_len`.

    Raises:
        TypeError, ValueError: as in :class:`NextToken`; `eos_id` is the pad or not in the
            vocabulary, or `max_len` is smaller than the shortest prompt.
    """
    with torch.inference_mode():
        next_token = NextToken(model, ids, bos_id, use_cache)
        tokens = _generate(next_token, lambda logits: logits.argmax(dim=-1), eos_id, max_len)
    return tokens.clone()  # outside, a tensor like any other


def sample(
    model: Transformer | DecoderOnlyTransformer,
    ids: Integer[Tensor, "B S"],
    *,
    eos_id: int,
    bos_id: int | None = None,
    max_len: int = 64,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    generator: torch.Generator | None = None,
    use_cache: bool = True,
) -> Integer[Tensor, "B T"]:
    """Draw every token at random, by its probability.

    Args:
        model, ids, eos_id, bos_id, max_len, use_cache: as in :func:`greedy`.
        temperature: what the logits are divided by, above 0: below 1 bold words get bolder.
        top_k: draw among this many most probable tokens; None among all.
        top_p: draw among the most probable tokens that together reach this probability,
            0 < top_p ≤ 1; None among all.
        generator: the source of randomness, on any device; None uses PyTorch's global one.

    Returns:
        The targets, as in :func:`greedy`.

    Raises:
        TypeError, ValueError: as in :func:`greedy`, and for the three numbers out of range.

    Reference: Fan, Lewis and Dauphin 2018 for top-k; Holtzman et al. 2020 for the nucleus.
    """
    check_number("temperature", temperature)
    if temperature == 0:
        raise ValueError("temperature must be greater than 0, got 0; use greedy instead")
    if top_k is not None:
        check_size("top_k", top_k)
    if top_p is not None:
        _check_share("top_p", top_p)

    def choose(logits: Tensor) -> Tensor:
        # At most 0, so that nothing is infinite, however cold it is.
        logits = logits - logits.amax(dim=-1, keepdim=True)
        logits = logits / max(temperature, torch.finfo(logits.dtype).tiny)
        logits = logits if top_k is None else keep_top_k(logits, top_k)
        logits = logits if top_p is None else keep_nucleus(logits, top_p)
        return _draw(logits.softmax(dim=-1), generator)

    with torch.inference_mode():
        next_token = NextToken(model, ids, bos_id, use_cache)
        tokens = _generate(next_token, choose, eos_id, max_len)
    return tokens.clone()


def keep_top_k(logits: Float[Tensor, "*B V"], k: int) -> Float[Tensor, "*B V"]:
    """Set all but the k largest logits to −∞.

    Args:
        logits: shape (..., V).
        k: how many to keep, at least 1; ties with the smallest that stays are kept too.

    Returns:
        Tensor of shape (..., V).

    Raises:
        TypeError: `logits` is not a float tensor or `k` is not an int.
        ValueError: `k` is smaller than 1.

    Reference: Fan, Lewis and Dauphin 2018, section 5.4.

    >>> keep_top_k(torch.tensor([1.0, 3.0, 2.0]), k=2)
    tensor([-inf, 3., 2.])
    """
    check_tensor("logits", logits)
    check_size("k", k)
    smallest = logits.topk(min(k, logits.shape[-1]), dim=-1).values[..., -1:]
    return logits.masked_fill(logits < smallest, -torch.inf)


def keep_nucleus(logits: Float[Tensor, "*B V"], p: float) -> Float[Tensor, "*B V"]:
    """Keep the fewest most probable tokens that reach probability p; set the rest to −∞.

    Args:
        logits: shape (..., V).
        p: the probability to reach, 0 < p ≤ 1. The most probable token always stays.

    Returns:
        Tensor of shape (..., V).

    Raises:
        TypeError: `logits` is not a float tensor or `p` is not a number.
        ValueError: `p` is not in the range.

    Reference: Holtzman et al. 2020, section 3.1.

    >>> keep_nucleus(torch.tensor([0.5, 0.3, 0.2]).log(), p=0.7).exp()
    tensor([0.5000, 0.3000, 0.0000])
    """
    check_tensor("logits", logits)
    _check_share("p", p)
    probabilities, order = logits.softmax(dim=-1).sort(dim=-1, descending=True, stable=True)
    # A token goes if those before it have reached p already.
    superfluous = probabilities.cumsum(dim=-1) - probabilities >= p
    superfluous[..., 0] = False
    return logits.masked_fill(superfluous.scatter(-1, order, superfluous), -torch.inf)


def _check_share(name: str, value: float) -> None:
    """Require a probability that is not 0."""
    check_number(name, value)
    if not 0 < value <= 1:
        raise ValueError(f"{name} must satisfy 0 < {name} <= 1, got {value}")


def _draw(probabilities: Tensor, generator: torch.Generator | None) -> Tensor:
    """Draw one token a row, where the generator is: the same tokens on every device."""
    device = probabilities.device
    if generator is not None:
        probabilities = probabilities.to(generator.device)
    return torch.multinomial(probabilities, 1, generator=generator)[:, 0].to(device)


def _generate(
    next_token: NextToken, choose: Callable[[Tensor], Tensor], eos_id: int, max_len: int
) -> Tensor:
    """Append chosen tokens, or those of a longer prompt, until all rows have ended."""
    next_token.check_end(eos_id, max_len)
    filler = next_token.filler(eos_id)
    tokens = next_token.prompt[:, : next_token.shortest]
    ended = torch.zeros(len(tokens), dtype=torch.bool, device=tokens.device)
    while tokens.shape[1] < max_len and not ended.all():
        token = choose(next_token(tokens)).masked_fill(ended, filler)
        given = next_token.given(tokens.shape[1])
        if given is None:
            ended |= token == eos_id
        else:
            prompted = next_token.real(given)
            token = torch.where(prompted, given, token)
            ended |= (token == eos_id) & ~prompted
        tokens = torch.cat([tokens, token[:, None]], dim=1)
    return tokens
