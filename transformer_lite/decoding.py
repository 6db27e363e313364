"""From logits to text: greedy search and sampling, one token at a time.

All functions here take a model and a batch of ids. For a :class:`Transformer` the ids are the
source, and the target begins with `bos_id`. For a :class:`DecoderOnlyTransformer` they are the
prompts, which may differ in length: `pad_id` fills up the shorter ones at their end.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from jaxtyping import Float, Integer
from torch import Tensor

from transformer_lite._checks import check_batch_of_ids, check_number, check_size, check_tensor
from transformer_lite.decoding_step import decoding_step
from transformer_lite.masks import padding_mask
from transformer_lite.transformer import DecoderOnlyTransformer, Transformer


class NextToken:
    """Ask a model for the logits of the next token, again and again.

    With a cache, every call computes only the tokens that are new since the last one.

    Args:
        model: in evaluation mode.
        ids: the source or the prompts, shape (B, S).
        bos_id: the first token of every target; None for a decoder-only model.
        use_cache: whether to remember keys and values from call to call.

    Attributes:
        prompt: what the targets begin with, shape (B, P).

    Raises:
        TypeError: `model` is none of the two kinds that decode, `ids` does not hold integers, or
            `bos_id` is no int.
        ValueError: the model is in training mode, the ids are not of shape (B, S) with S at least
            1 or not in the vocabulary, `bos_id` is missing, superfluous, out of range or the pad,
            or a pad stands before a token of a prompt.
    """

    def __init__(
        self,
        model: Transformer | DecoderOnlyTransformer,
        ids: Integer[Tensor, "B S"],
        bos_id: int | None,
        use_cache: bool = True,
    ):
        if not isinstance(model, Transformer | DecoderOnlyTransformer):
            raise TypeError(
                "model must be a Transformer or a DecoderOnlyTransformer, "
                f"got {type(model).__name__}"
            )
        if model.training:
            raise ValueError("model must be in evaluation mode, got training; call model.eval()")
        self.pad_id = model.config.pad_id
        self.vocab_size = model.config.tgt_vocab_size
        self.model = model
        self.cache = model.new_cache() if use_cache else None
        self.step = None
        if isinstance(model, Transformer):
            self._check_word("bos_id", bos_id)
            self.sources = [model.encode(ids)]
            if (ids == self.pad_id).any():
                self.sources.append(padding_mask(ids, self.pad_id))
            self.prompt = torch.full_like(ids[:, :1], bos_id)
            self.forward = model.decode
        else:
            if bos_id is not None:
                raise ValueError(f"bos_id must be None: a prompt has its own start, got {bos_id}")
            check_batch_of_ids("ids", ids, self.vocab_size)
            self.prompt, self.sources, self.forward = ids, [], model
        self._check_prompt()

    def __call__(self, tokens: Integer[Tensor, "B T"]) -> Float[Tensor, "B V"]:
        """Return the logits of the token after `tokens`; the pad, which is no word, gets −∞."""
        new = tokens if self.cache is None else tokens[:, self.cache.length :]
        if self._takes_steps() and self.cache.length > 0 and new.shape[1] == 1:
            if self.step is None:
                self.step = decoding_step(self.model, self.cache, *self.sources[1:])
            logits = self.step(new)
        else:
            logits = self.forward(new, *self.sources, cache=self.cache)[:, -1]
        logits[:, self.pad_id] = -torch.inf
        return logits

    def _takes_steps(self) -> bool:
        """Say whether the fast form may stand in: it knows the two models, but no subclass."""
        return self.cache is not None and type(self.model) in (Transformer, DecoderOnlyTransformer)

    def given(self, position: int) -> Integer[Tensor, " B"] | None:
        """Return the token that each prompt has at `position`, or None where all have ended."""
        return self.prompt[:, position] if position < self.prompt.shape[1] else None

    def reorder(self, rows: Integer[Tensor, " N"]) -> None:
        """Let row i continue what row `rows[i]` began; there may be more rows than before."""
        if self.sources and len(rows) != len(self.sources[0]):
            self.sources = [source[rows] for source in self.sources]
            self.step = None  # prepared anew, for the new rows
        if self.cache is not None:
            self.cache.reorder(rows)

    def check_end(self, eos_id: int, max_len: int) -> None:
        """Require an end token of the vocabulary and room for the shortest prompt."""
        self._check_word("eos_id", eos_id)
        check_size("max_len", max_len, minimum=self.shortest)

    def _check_word(self, name: str, value: object) -> None:
        check_size(name, value, minimum=0)
        if value >= self.vocab_size:
            raise ValueError(
                f"{name} must be below the vocabulary size {self.vocab_size}, got {value}"
            )
        if value == self.pad_id:
            raise ValueError(f"{name} must not be the pad, got {value}")

    def _check_prompt(self) -> None:
        real = self.prompt != self.pad_id
        self.shortest = int(real.sum(dim=1).min()) if len(real) else 1
        if self.shortest == 0 or (real[:, 1:] & ~real[:, :-1]).any():
            raise ValueError(
                "ids must hold prompts of at least one token with pads only at their end, "
                f"got pads among {self.prompt.tolist()!s:.60}"
            )


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
        eos_id: the token that ends a row; pads fill up the rows that end early.
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
        generator: the source of randomness; None uses PyTorch's global one.

    Returns:
        The targets, as in :func:`greedy`.

    Raises:
        TypeError, ValueError: as in :func:`greedy`, and for the three numbers out of range.

    Reference: Fan, Lewis and Dauphin 2018 for top-k; Holtzman et al. 2020 for the nucleus.
    """
    check_number("temperature", temperature)
    if temperature == 0:
        raise ValueError("temperature must be greater than 0, got 0; use greedy instead")

    def choose(logits: Tensor) -> Tensor:
        logits = logits / temperature
        logits = logits if top_k is None else keep_top_k(logits, top_k)
        logits = logits if top_p is None else keep_nucleus(logits, top_p)
        return torch.multinomial(logits.softmax(dim=-1), 1, generator=generator)[:, 0]

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
        TypeError: `logits` is no float tensor or `k` no int.
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
        TypeError: `logits` is no float tensor or `p` no number.
        ValueError: `p` is not in the range.

    Reference: Holtzman et al. 2020, section 3.1.

    >>> keep_nucleus(torch.tensor([0.5, 0.3, 0.2]).log(), p=0.7).exp()
    tensor([0.5000, 0.3000, 0.0000])
    """
    check_tensor("logits", logits)
    check_number("p", p)
    if not 0 < p <= 1:
        raise ValueError(f"p must satisfy 0 < p <= 1, got {p}")
    probabilities, order = logits.softmax(dim=-1).sort(dim=-1, descending=True, stable=True)
    # A token goes if those before it have reached p already.
    superfluous = probabilities.cumsum(dim=-1) - probabilities >= p
    superfluous[..., 0] = False
    return logits.masked_fill(superfluous.scatter(-1, order, superfluous), -torch.inf)


def _generate(next_token: NextToken, choose: Callable, eos_id: int, max_len: int) -> Tensor:
    """Append chosen tokens, or those of a longer prompt, until all rows have ended."""
    next_token.check_end(eos_id, max_len)
    tokens = next_token.prompt[:, : next_token.shortest]
    ended = torch.zeros(len(tokens), dtype=torch.bool, device=tokens.device)
    while tokens.shape[1] < max_len and not ended.all():
        token = choose(next_token(tokens)).masked_fill(ended, next_token.pad_id)
        given = next_token.given(tokens.shape[1])
        if given is not None:
            token = torch.where(given == next_token.pad_id, token, given)
        ended |= (
            token == eos_id if given is None else (token == eos_id) & (given == next_token.pad_id)
        )
        tokens = torch.cat([tokens, token[:, None]], dim=1)
    return tokens
