"""From logits to text: greedy search and sampling, one token at a time.

For one row and without a cache, greedy search is a short loop::

    while tokens.shape[1] < max_len and tokens[0, -1] != eos_id:
        logits = model(source, tokens)[:, -1]
        tokens = torch.cat([tokens, logits.argmax(dim=-1, keepdim=True)], dim=1)

:func:`generate` is the same loop for a whole batch.

All functions here take a model and a batch of ids. For a :class:`Transformer` the ids are the
source, and the target begins with `bos_id`. For a :class:`DecoderOnlyTransformer` they are the
prompts, which may differ in length: the shorter ones end in padding. If a model has no padding id,
all prompts have the same length, and rows that end early repeat their end token.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from jaxtyping import Float, Integer
from torch import Tensor

from transformer_lite.checks import check_number, check_size, check_tensor
from transformer_lite.decoding.next_token import NextToken
from transformer_lite.fast.top import argmax
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
    """Choose the most probable token at every step.

    Args:
        model: in evaluation mode.
        ids: the source, or the prompts of a decoder-only model, shape (B, S).
        eos_id: the token that ends a row. A row that ends early is filled up with padding, or with
            `eos_id` if the model has no padding id.
        bos_id: the token that starts a target, for T5 its padding id; None for a decoder-only
            model.
        max_len: the maximum length of a target, including its start or prompt.
        use_cache: whether to keep keys and values; the result is the same.

    Returns:
        The targets with their start or prompt, shape (B, T) with T at most `max_len`.

    Raises:
        TypeError, ValueError: as in :class:`NextToken`; `eos_id` is the padding id or
            not in the vocabulary, or `max_len` is smaller than the longest prompt.
    """
    with torch.inference_mode():
        next_token = NextToken(model, ids, bos_id, use_cache)
        tokens = generate(next_token, argmax, eos_id, max_len)
    return tokens.clone()  # an ordinary tensor, which gradients may use


def generate(
    next_token: NextToken, choose: Callable[[Tensor], Tensor], eos_id: int, max_len: int
) -> Integer[Tensor, "B T"]:
    """Append one token after the other, until all rows have ended.

    Args:
        next_token: returns the logits of the next token.
        choose: returns one token per row from the logits, shape (B, V).
        eos_id, max_len: as in :func:`greedy`.

    Returns:
        The targets, shape (B, T). A row that has ended is filled up.
    """
    next_token.check_end(eos_id, max_len)
    fill_id = next_token.fill_id(eos_id)
    tokens = next_token.prompt[:, : next_token.shortest]
    ended = torch.zeros(len(tokens), dtype=torch.bool, device=tokens.device)
    while tokens.shape[1] < max_len and not ended.all():
        token = choose(next_token(tokens)).masked_fill(ended, fill_id)
        # A prompt that is longer than the shortest one still has tokens of its own.
        token, from_prompt = next_token.keep_prompt(token, position=tokens.shape[1])
        ended |= (token == eos_id) & ~from_prompt
        tokens = torch.cat([tokens, token[:, None]], dim=1)
    return tokens


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
    """Draw every token at random according to its probability.

    Args:
        model, ids, eos_id, bos_id, max_len, use_cache: as in :func:`greedy`.
        temperature: divides the logits, above 0. Below 1, probable tokens become more probable.
        top_k: draw from this many most probable tokens; None draws from all.
        top_p: draw from the most probable tokens that together reach this probability,
            0 < top_p ≤ 1; None draws from all.
        generator: the source of randomness, on any device; None uses PyTorch's global generator.

    Returns:
        The targets, as in :func:`greedy`.

    Raises:
        TypeError, ValueError: as in :func:`greedy`; one of the three numbers is out of range.

    Reference: Fan, Lewis and Dauphin 2018 for top-k; Holtzman et al. 2020 for the nucleus.
    """
    check_number("temperature", temperature)
    if temperature == 0:
        raise ValueError("temperature must be greater than 0, got 0; use greedy instead")
    if top_k is not None:
        check_size("top_k", top_k)
    if top_p is not None:
        _check_probability("top_p", top_p)

    def choose(logits: Tensor) -> Tensor:
        # At least in float32: two of 50,000 bfloat16 probabilities are often the same number.
        logits = logits.to(torch.promote_types(logits.dtype, torch.float32))
        # At most 0, so that no logit becomes infinite at a low temperature.
        logits = logits - logits.amax(dim=-1, keepdim=True)
        logits = logits / max(temperature, torch.finfo(logits.dtype).tiny)
        logits = logits if top_k is None else keep_top_k(logits, top_k)
        logits = logits if top_p is None else keep_nucleus(logits, top_p)
        return _draw(logits.softmax(dim=-1), generator)

    with torch.inference_mode():
        next_token = NextToken(model, ids, bos_id, use_cache)
        tokens = generate(next_token, choose, eos_id, max_len)
    return tokens.clone()


def keep_top_k(logits: Float[Tensor, "*B V"], k: int) -> Float[Tensor, "*B V"]:
    """Set all but the k largest logits to −∞.

    Args:
        logits: shape (..., V).
        k: the number to keep, at least 1. Logits equal to the k-th largest are kept too.

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
    """Keep the smallest set of most probable tokens with probability p; set the rest to −∞.

    Args:
        logits: shape (..., V).
        p: the probability to reach, 0 < p ≤ 1. The most probable token is always kept.

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
    _check_probability("p", p)
    if p == 1:
        return logits
    # At least in float32: a sum of 50,000 bfloat16 probabilities is wrong in its third digit.
    precise = torch.promote_types(logits.dtype, torch.float32)
    probabilities = logits.softmax(dim=-1, dtype=precise)
    probabilities, order = probabilities.sort(dim=-1, descending=True, stable=True)
    # Remove a token if the more probable ones have already reached p.
    removed = probabilities.cumsum(dim=-1) - probabilities >= p
    removed[..., 0] = False
    return logits.masked_fill(removed.scatter(-1, order, removed), -torch.inf)


def _check_probability(name: str, value: float) -> None:
    """Require a probability greater than 0."""
    check_number(name, value)
    if not 0 < value <= 1:
        raise ValueError(f"{name} must satisfy 0 < {name} <= 1, got {value}")


def _draw(probabilities: Tensor, generator: torch.Generator | None) -> Tensor:
    """Draw one token per row on the generator's device: the same tokens for every model device."""
    device = probabilities.device
    if generator is not None:
        probabilities = probabilities.to(generator.device)
    return torch.multinomial(probabilities, 1, generator=generator)[:, 0].to(device)
